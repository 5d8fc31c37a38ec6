"""Many changes in a row on one order: the domain's price is the database's, and nothing is owed or due twice."""

import datetime as dt
import random

import pytest

from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZA, AVANZAS, SKU, World, cash, line
from tests.usecases.change_rig import pay

pytest_plugins = ("tests.support.world_fixtures",)

OWED = """
    SELECT (SELECT coalesce(sum(i.total), 0) FROM sentra.invoice AS i WHERE i.state <> 'VOID')
         - (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund AS r WHERE r.state = 'DUE')"""
"""What the customer pays in the end: everything billed, less what is to be given back."""
RENT = """
    SELECT sum((b.last_day - b.first_day + 1) * b.daily_rate + b.deposit) FROM sentra.booking AS b
    WHERE b.state <> 'CANCELLED'"""


def number(world: World, statement: str) -> int:
    found = world.value(statement)
    assert found is not None
    return int(str(found))


@pytest.mark.parametrize("is_paid", [False, True])
@pytest.mark.parametrize(("has_ppn", "included"), [(True, True), (True, False), (False, False)])
def test_the_domain_and_the_database_price_a_row_of_changes_alike(
    world: World, has_ppn: bool, included: bool, is_paid: bool
) -> None:
    dice = random.Random(f"{has_ppn} {included} {is_paid}")
    world.do("UPDATE sentra.branch SET has_ppn = %s, prices_include_ppn = %s", has_ppn, included)
    world.do("UPDATE sentra.sku SET daily_rate = 333337 WHERE id = %s", SKU)
    siti = world.counter("siti")
    world.open_shift(siti)
    first = dt.date(2027, 4, 1)
    booked = world.order(siti, [line(RentalPeriod(first, first + dt.timedelta(days=9)), unit) for unit in AVANZAS[:2]])
    if is_paid:
        held = siti.settlement.open_invoice(booked.invoice_id)
        siti.settlement.settle(held.handle, siti.new_id(), [cash(booked.total)])
    for _ in range(25):
        booking = dice.choice(booked.bookings).id
        start = first + dt.timedelta(days=dice.randrange(5))
        wanted = RentalPeriod(start, start + dt.timedelta(days=dice.randrange(20)))
        before = number(world, OWED)
        quote = siti.changes_of_bookings.quote_change(booking, wanted)
        changed = siti.changes_of_bookings.reschedule(booking, wanted)
        assert changed.difference == quote.difference == number(world, OWED) - before
        if changed.invoice_id is not None and is_paid and dice.random() < 0.3:
            pay(world, changed.invoice_id)
    if not (has_ppn and not included):
        assert number(world, OWED) == number(world, RENT)
    else:  # one PPN per invoice, each rounded for itself
        rent = number(world, RENT) - 2 * 500_000
        assert abs(number(world, OWED) - 2 * 500_000 - round(rent * 1.11)) < 40
    world.catch_up()
    world.assert_sound()


def test_cancelling_the_rest_of_a_changed_order_leaves_only_what_stands(world: World) -> None:
    siti = world.counter("siti")
    first = dt.date(2027, 4, 1)
    booked = world.order(siti, [line(RentalPeriod(first, first), unit) for unit in AVANZAS[:2]])
    one, two = booked.bookings
    siti.changes_of_bookings.reschedule(one.id, RentalPeriod(first, first + dt.timedelta(days=4)))
    siti.changes_of_bookings.reschedule(two.id, RentalPeriod(first, first + dt.timedelta(days=2)))
    siti.bookings.cancel(one.id)
    assert siti.settlement.invoice(booked.invoice_id).row.total == 3 * 350_000 + 500_000
    siti.changes_of_bookings.reschedule(two.id, RentalPeriod(first, first))
    assert number(world, OWED) == number(world, RENT) == 350_000 + 500_000
    world.assert_sound()


def test_a_booking_that_was_moved_can_still_be_cancelled_and_names_only_what_that_freed(world: World) -> None:
    siti = world.counter("siti")
    first = dt.date(2027, 4, 1)
    booking = world.book(siti, RentalPeriod(first, first + dt.timedelta(days=2))).bookings[0].id
    siti.changes_of_bookings.reschedule(booking, RentalPeriod(first, first), AVANZAS[1])
    ended = siti.bookings.cancel(booking)
    assert [(item.days.first, item.days.last) for item in ended.freed] == [(first, first)]
    assert (world.bits(AVANZA, "202704"), world.bits(AVANZAS[1], "202704")) == ([], [])
    with pytest.raises(Refusal) as no:
        siti.changes_of_bookings.reschedule(booking, RentalPeriod(first, first))
    assert no.value.code is RefusalCode.BOOKING_STATE
    world.assert_sound()
