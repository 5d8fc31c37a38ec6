"""Many changes and ends on one order: what is shown is what is given back, and each invoice adds up to the Rupiah."""

import datetime as dt
import random

import pytest

from app.domain.change_pricing import payable
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal
from app.domain.money import PpnPlace
from tests.support.world import AVANZAS, START, World, days, line
from tests.usecases.change_rig import pay

pytest_plugins = ("tests.support.world_fixtures",)

PAPERS = """
    SELECT i.total, coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0)::bigint,
           coalesce(sum(l.amount) FILTER (WHERE l.kind = 'DEPOSIT'), 0)::bigint, back.rent, back.amount, back.deposit
    FROM sentra.invoice AS i JOIN sentra.invoice_line AS l ON l.invoice_id = i.id AND l.active
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(r.taxable), 0)::bigint AS rent,
               coalesce(sum(r.amount) FILTER (WHERE r.kind <> 'DEPOSIT'), 0)::bigint AS amount,
               coalesce(sum(r.amount) FILTER (WHERE r.kind = 'DEPOSIT'), 0)::bigint AS deposit
        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.state = 'PAID' GROUP BY i.id, back.rent, back.amount, back.deposit"""
"""Each settled invoice: total, rent, deposits; rent given back of it and its money, deposits given back."""


def ended_rents(world: World) -> set[tuple[object, ...]]:
    """What the ends gave back of rents, each as it was told."""
    return set(world.rows("SELECT id, amount FROM sentra.refund WHERE kind = 'RENT'"))


def assert_exact(world: World, place: PpnPlace) -> None:
    """To the Rupiah, whatever was told before and stays as it was told."""
    on = START.date()
    for row in world.rows(PAPERS):
        total, rent, deposit, back, amount, deposit_back = (int(str(found)) for found in row)
        assert total == payable(place, rent, on) + deposit
        assert amount == payable(place, rent, on) - payable(place, rent - back, on)
        assert amount + deposit_back <= total
        assert 0 <= back <= rent
        assert 0 <= deposit_back <= deposit


@pytest.mark.parametrize("place", list(PpnPlace))
@pytest.mark.parametrize("seed", range(2))
def test_what_the_domain_shows_is_what_the_database_gives_back(world: World, place: PpnPlace, seed: int) -> None:
    """The database refuses any other sum than its own: that no end is refused is that the two agree."""
    dice = random.Random(seed)
    settings = (place is not PpnPlace.NONE, place is PpnPlace.INSIDE)
    world.do("UPDATE sentra.branch SET has_ppn = %s, prices_include_ppn = %s", *settings)
    world.do("UPDATE sentra.sku SET daily_rate = 333337")
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = world.order(siti, [line(days("2027-03-10", f"2027-03-{12 + n}"), unit) for n, unit in enumerate(AVANZAS)])
    world.settle(siti, booked)
    going = [item.id for item in booked.bookings]
    ended, told = 0, ended_rents(world)
    while going:
        booking = dice.choice(going)
        world.after(minutes=5)
        match dice.choice(("move", "move", "pay", "end")):
            case "move":
                first = dt.date(2027, 3, 3 + dice.randrange(8))
                period = RentalPeriod(first, first + dt.timedelta(days=dice.randrange(6)))
                moved = siti.changes_of_bookings.reschedule(booking, period)
                assert moved.number
            case "pay":
                for (invoice,) in world.rows("SELECT id::text FROM sentra.invoice WHERE state = 'OPEN'"):
                    pay(world, str(invoice))
            case "end":
                going.remove(booking)
                pickup = world.value("SELECT pickup_at FROM sentra.booking WHERE id = %s", booking)
                assert isinstance(pickup, dt.datetime)
                before = world.now()
                late = dice.random() < 0.3
                world.stand(
                    pickup + dt.timedelta(hours=3) if late else pickup - dt.timedelta(hours=dice.choice((60, 30)))
                )
                shown = siti.bookings.cancellation_effect(booking, late)
                ask = siti.bookings.no_show if late else siti.bookings.cancel_paid
                done = ask(booking, "batal", shown.back)
                world.stand(before)
                assert done.effect == shown
                assert sum(item.amount for item in done.refunds) == shown.back
                ended += 1
        assert_exact(world, place)
        assert told <= (told := ended_rents(world))
    assert ended == len(AVANZAS)
    assert world.value("SELECT count(*) FROM sentra.invoice WHERE state = 'OPEN'") == 0
    with pytest.raises(Refusal):
        siti.bookings.cancellation_effect(booked.bookings[0].id)
