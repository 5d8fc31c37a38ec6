"""Many changes in a row on one order: the domain's price is the database's, and nothing is owed or due twice."""

import datetime as dt
import random

import psycopg
import pytest

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah, ppn_on_top, ppn_rate
from tests.support.world import AVANZA, AVANZAS, SKU, World, cash, line
from tests.usecases.change_rig import DEPOSIT, paid, pay

pytest_plugins = ("tests.support.world_fixtures",)

OWED = """
    SELECT (SELECT coalesce(sum(i.total), 0) FROM sentra.invoice AS i WHERE i.state <> 'VOID')
         - (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund AS r WHERE r.state = 'DUE')"""
"""What the customer pays in the end: everything billed, less what is to be given back."""
RENT = """
    SELECT sum((b.last_day - b.first_day + 1) * b.daily_rate + b.deposit) FROM sentra.booking AS b
    WHERE b.state <> 'CANCELLED'"""


PAPERS = """
    SELECT i.total, coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0),
           coalesce(sum(l.amount) FILTER (WHERE l.kind = 'DEPOSIT'), 0), bool_or(l.kind = 'PPN'), back.rent, back.amount
    FROM sentra.invoice AS i JOIN sentra.invoice_line AS l ON l.invoice_id = i.id AND l.active
    CROSS JOIN LATERAL (SELECT coalesce(sum(r.taxable), 0) AS rent, coalesce(sum(r.amount), 0) AS amount
                        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.state <> 'VOID' GROUP BY i.id, back.rent, back.amount"""
"""Each invoice: total, rent, deposits, whether PPN comes on top; rent and money given back of it."""
TODAY = dt.date(2027, 3, 1)
INSIDE, ON_TOP, NO_PPN = (True, True), (True, False), (False, False)
"""A branch's settings: whether it has PPN, and whether its prices include it."""


def number(world: World, statement: str) -> int:
    found = world.value(statement)
    assert found is not None
    return int(str(found))


def papers(world: World) -> list[tuple[int, int, int, bool, int, int]]:
    return [
        (int(str(total)), int(str(rent)), int(str(deposit)), bool(on_top), int(str(back)), int(str(amount)))
        for total, rent, deposit, on_top, back, amount in world.rows(PAPERS)
    ]


def assert_exact(world: World) -> None:
    """To the Rupiah: an invoice is its rent, one PPN on top of that, and deposits; what is given back of it, its price
    with and without the rent of those days."""
    rate = ppn_rate(TODAY)
    for total, rent, deposit, on_top, back, amount in papers(world):
        price, kept = (value + (ppn_on_top(Rupiah(value), rate).tax if on_top else 0) for value in (rent, rent - back))
        assert (total, amount) == (price + deposit, price - kept)


def rents(world: World) -> int:
    """All rent that is billed and not given back."""
    return sum(rent - back for _, rent, _, _, back, _ in papers(world))


def due(world: World) -> list[int]:
    """Refunds that are due, by the unit of their booking."""
    return [
        int(str(amount))
        for (amount,) in world.rows(
            "SELECT r.amount FROM sentra.refund AS r JOIN sentra.booking AS b ON b.id = r.booking_id"
            " WHERE r.state = 'DUE' ORDER BY b.unit_id"
        )
    ]


def set_ppn(world: World, settings: tuple[bool, bool]) -> None:
    world.do("UPDATE sentra.branch SET has_ppn = %s, prices_include_ppn = %s", *settings)


def stretch(count: int, first: dt.date = dt.date(2027, 4, 1)) -> RentalPeriod:
    return RentalPeriod(first, first + dt.timedelta(days=count - 1))


def order_of_two(world: World) -> tuple[Counter, str, str]:
    """A paid order of 2 and 6 days at a rate whose PPN on top is never whole."""
    set_ppn(world, ON_TOP)
    world.do("UPDATE sentra.sku SET daily_rate = 333337 WHERE id = %s", SKU)
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = world.order(siti, [line(stretch(2), AVANZAS[0]), line(stretch(6), AVANZAS[1])])
    world.settle(siti, booked)
    one, two = booked.bookings
    return siti, one.id, two.id


def test_what_is_due_for_days_does_not_depend_on_other_changes_that_were_taken_back(world: World) -> None:
    siti, one, two = order_of_two(world)
    change = siti.changes_of_bookings.reschedule
    change(two, stretch(5))
    alone = due(world)
    change(two, stretch(6))
    assert due(world) == []
    told = [change(one, stretch(1)), change(two, stretch(5)), change(one, stretch(2))]
    assert due(world) == alone
    assert sum(item.difference for item in told) == -alone[0]
    assert_exact(world)


def test_refunds_of_one_invoice_add_up_in_whichever_order_days_are_given_back(world: World) -> None:
    siti, one, two = order_of_two(world)
    change = siti.changes_of_bookings.reschedule
    for wanted, count in ((one, 1), (two, 4)):
        change(wanted, stretch(count))
    forth = due(world)
    for wanted, count in ((one, 2), (two, 6), (two, 2), (one, 1), (two, 4)):
        before = sum(due(world))
        assert change(wanted, stretch(count)).difference == before - sum(due(world))
        assert_exact(world)
    assert due(world) == forth


PAID_BACK = "UPDATE sentra.refund SET state = 'DONE' WHERE booking_id = %s"


def test_what_was_paid_back_stays_and_the_next_refund_makes_up_for_its_rounding(world: World) -> None:
    siti, one, two = order_of_two(world)
    change = siti.changes_of_bookings.reschedule
    lengths = {one: 2, two: 6}
    for booking, count in lengths.items():
        change(booking, stretch(count - 1))
    amounts = dict(zip(lengths, due(world), strict=True))
    first, other = sorted(lengths)
    done = amounts[first]
    world.do(PAID_BACK, first)
    assert change(other, stretch(lengths[other])).difference == amounts[other]
    assert due(world) == []
    assert_exact(world)
    for count in (lengths[other] - 1, lengths[other] + 1, 1):
        change(other, stretch(count))
        assert world.rows("SELECT amount FROM sentra.refund WHERE state = 'DONE'") == [(done,)]
        assert_exact(world)


def test_refunds_of_one_invoice_are_paid_back_in_the_order_they_are_reckoned_in(world: World) -> None:
    """Out of turn, the second could be a Rupiah off once the first is taken back, and nothing would make up for it."""
    siti, *both = order_of_two(world)
    change = siti.changes_of_bookings.reschedule
    for booking, count in zip(both, (1, 5), strict=True):
        change(booking, stretch(count))
    first, second = sorted(both)
    with pytest.raises(psycopg.errors.RestrictViolation):
        world.do(PAID_BACK, second)
    assert len(due(world)) == 2
    world.do(PAID_BACK, first)
    world.do(PAID_BACK, second)
    assert due(world) == []
    assert_exact(world)


@pytest.mark.parametrize("was", [INSIDE, ON_TOP, NO_PPN])
@pytest.mark.parametrize("becomes", [INSIDE, ON_TOP, NO_PPN])
def test_a_change_is_priced_by_the_ppn_of_its_invoice_whatever_the_branch_has_become(
    world: World, was: tuple[bool, bool], becomes: tuple[bool, bool]
) -> None:
    set_ppn(world, was)
    booking = paid(world, stretch(4))
    siti = world.counter("siti")
    unpaid = world.order(siti, [line(stretch(4), unit) for unit in AVANZAS[1:3]], phone="0812 1111 0003")
    one, two = unpaid.bookings
    set_ppn(world, becomes)
    change = siti.changes_of_bookings  # of somebody who logged in before
    a_day = 388_500 if was == ON_TOP else 350_000
    for wanted, count in ((booking, 3), (one.id, 5), (two.id, 3)):
        quote = change.quote_change(wanted, stretch(count))
        assert (quote.before, quote.difference) == (4 * a_day, (count - 4) * a_day)
        assert change.reschedule(wanted, stretch(count)).difference == quote.difference
    siti.bookings.cancel(two.id)
    made = world.rows("SELECT total, base + ppn, dpp > 0 FROM sentra.invoice WHERE id = %s", unpaid.invoice_id)
    assert made == [(5 * a_day + DEPOSIT, 5 * a_day, was != NO_PPN)]
    assert due(world) == [a_day]
    longer = change.reschedule(booking, stretch(5))
    new_day = 388_500 if becomes == ON_TOP else 350_000
    assert longer.difference == a_day + new_day, "a new invoice has the PPN of the day it is made"
    assert_exact(world)
    world.assert_sound()


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
    assert_exact(world)
    assert rents(world) == number(world, RENT) - 2 * DEPOSIT
    if not (has_ppn and not included):
        assert number(world, OWED) == number(world, RENT)
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
