"""Moving a booking that is not out yet, on real servers: days, bits, units, invoices, balances and refunds."""

import datetime as dt

import pytest

from app.domain.booking import Action, BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from tests.support.world import AVANZA, AVANZAS, HIACE, OTHER_SKU, SKU, World, blockers_of, days, refused
from tests.usecases.change_rig import DEPOSIT, RATE, invoices, paid, pay, taken

pytest_plugins = ("tests.support.world_fixtures",)


def test_c15_a_booking_moves_by_a_day_over_its_own_days(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10", "2027-03-12"))
    (line,) = booked.bookings
    moved = ayu.changes_of_bookings.reschedule(line.id, days("2027-03-11", "2027-03-13"))
    assert (moved.state, moved.version, moved.period) == (
        BookingState.PENDING_PAYMENT,
        2,
        days("2027-03-11", "2027-03-13"),
    )
    assert (moved.difference, moved.invoice_id) == (0, booked.invoice_id)
    assert moved.payment_deadline == line.payment_deadline
    assert [(item.days.first.day, item.days.last.day) for item in moved.freed] == [(10, 10)]
    assert world.bits(AVANZA, "202703") == [11, 12, 13]
    assert taken(world, AVANZA) == [("2027-03-11", "2027-03-13")]
    world.assert_sound()


def test_c14_a_move_onto_somebody_elses_day_is_refused_and_nothing_is_half_freed(world: World) -> None:
    ayu = world.counter("ayu")
    mine = world.book(ayu, days("2027-03-01", "2027-03-02")).bookings[0]
    theirs = world.book(ayu, days("2027-03-04", "2027-03-05"), phone="0812 0000 9999", name="Budi Santoso").bookings[0]
    before = world.counts()
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.reschedule(mine.id, days("2027-03-03", "2027-03-04"))
    refused(no.value, RefusalCode.DAYS_TAKEN, "first_day")
    assert [(item["number"], item["customer"]) for item in blockers_of(no.value)] == [(theirs.number, "Budi Santoso")]
    assert {item.action for item in no.value.next} >= {"use_unit", "use_dates"}
    dates = [item.params["first_day"] for item in no.value.next if item.action == "use_dates"]
    assert dates == [dt.date(2027, 3, 2), dt.date(2027, 3, 6)], "over its own day 2, and behind the other booking"
    assert world.counts() == before
    assert taken(world, AVANZA) == [("2027-03-01", "2027-03-02"), ("2027-03-04", "2027-03-05")]
    assert world.bits(AVANZA, "202703") == [1, 2, 4, 5]
    world.assert_sound()


def test_c21_after_a_move_the_old_day_can_be_held_at_once(world: World) -> None:
    ayu = world.counter("ayu")
    mine = world.book(ayu, days("2027-03-10")).bookings[0]
    ayu.changes_of_bookings.reschedule(mine.id, days("2027-03-20"))
    assert world.bits(AVANZA, "202703") == [20]
    world.book(ayu, days("2027-03-10"), phone="0812 0000 9999", name="Budi Santoso")
    assert world.bits(AVANZA, "202703") == [10, 20]
    view = ayu.calendar.calendar(days("2027-03-01", "2027-03-31"))
    assert sorted(bar.days.first.day for bar in view.bars) == [10, 20]
    world.assert_sound()


def test_an_unpaid_booking_that_gets_longer_raises_its_open_invoice_and_keeps_its_deadline(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10", "2027-03-11"))
    quote = ayu.changes_of_bookings.quote_change(booked.bookings[0].id, days("2027-03-10", "2027-03-14"))
    assert (quote.action, quote.before, quote.after, quote.difference) == (
        Action.RESCHEDULE,
        2 * RATE,
        5 * RATE,
        3 * RATE,
    )
    moved = ayu.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-10", "2027-03-14"))
    assert moved.difference == 3 * RATE
    assert moved.payment_deadline == booked.bookings[0].payment_deadline
    assert invoices(world) == [("RENTAL", "OPEN", 5 * RATE + DEPOSIT)]
    pay(world, booked.invoice_id)
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    world.assert_sound()


def test_a_paid_booking_that_gets_longer_owes_a_balance_and_one_that_gets_shorter_again_no_longer(world: World) -> None:
    ayu = world.counter("ayu")
    booking = paid(world, days("2027-03-10", "2027-03-11"))
    longer = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-13"))
    assert (longer.state, longer.difference) == (BookingState.PAID_APPROVED, 2 * RATE)
    assert invoices(world)[1:] == [("BALANCE", "OPEN", 2 * RATE)]
    (balance,) = ayu.settlement.invoices([InvoiceState.OPEN])
    assert balance.id == longer.invoice_id
    still = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-12"))
    assert (still.difference, still.invoice_id) == (-RATE, longer.invoice_id)
    assert invoices(world)[1:] == [("BALANCE", "OPEN", RATE)]
    back = ayu.changes_of_bookings.reschedule(booking, days("2027-03-11", "2027-03-12"))
    assert (back.difference, back.invoice_id) == (-RATE, None)
    assert invoices(world)[1:] == [("BALANCE", "VOID", 0)]
    assert world.rows("SELECT amount FROM sentra.refund") == []
    world.assert_sound()


def test_a_paid_booking_that_gets_shorter_makes_a_refund_due_which_a_longer_one_takes_back(world: World) -> None:
    ayu = world.counter("ayu")
    booking = paid(world, days("2027-03-10", "2027-03-13"))
    refunds = "SELECT kind, state, amount, taxable FROM sentra.refund"
    shorter = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-11"))
    assert (shorter.difference, shorter.invoice_id) == (-2 * RATE, None)
    assert world.rows(refunds) == [("RESCHEDULE", "DUE", 2 * RATE, 2 * RATE)]
    longer = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-12"))
    assert (longer.difference, longer.invoice_id) == (RATE, None)
    assert world.rows(refunds) == [("RESCHEDULE", "DUE", RATE, RATE)]
    beyond = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-14"))
    assert beyond.difference == 2 * RATE
    assert world.rows(refunds) == [("RESCHEDULE", "VOID", RATE, 0)]
    assert invoices(world)[1:] == [("BALANCE", "OPEN", RATE)]
    world.assert_sound()


def test_a_refund_is_taken_of_the_newest_invoice_first_and_of_no_invoice_more_than_it_brought(world: World) -> None:
    ayu = world.counter("ayu")
    booking = paid(world, days("2027-03-10", "2027-03-11"))
    balance = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-12"))
    assert balance.invoice_id is not None
    world.after(minutes=1)
    pay(world, balance.invoice_id)
    shorter = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10"))
    assert shorter.difference == -2 * RATE
    assert world.rows(
        "SELECT i.kind, r.amount FROM sentra.refund r JOIN sentra.invoice i ON i.id = r.invoice_id ORDER BY 1"
    ) == [("BALANCE", RATE), ("RENTAL", RATE)]
    world.assert_sound()


@pytest.mark.parametrize("is_paid", [False, True])
def test_a_booking_that_is_not_out_changes_its_unit_at_its_price(world: World, is_paid: bool) -> None:
    ayu = world.counter("ayu")
    period = days("2027-03-10", "2027-03-12")
    booking = paid(world, period) if is_paid else world.book(ayu, period).bookings[0].id
    before = invoices(world)
    quote = ayu.changes_of_bookings.quote_change(booking, period, AVANZAS[1])
    assert (quote.action, quote.difference, quote.blockers) == (Action.SWAP_UNIT, 0, ())
    swapped = ayu.changes_of_bookings.swap_unit(booking, AVANZAS[1])
    assert (swapped.unit_id, swapped.difference) == (AVANZAS[1], 0)
    assert [(item.days.first.day, item.days.last.day) for item in swapped.freed] == [(10, 12)]
    assert (taken(world, AVANZA), taken(world, AVANZAS[1])) == ([], [("2027-03-10", "2027-03-12")])
    assert (world.bits(AVANZA, "202703"), world.bits(AVANZAS[1], "202703")) == ([], [10, 11, 12])
    assert invoices(world) == before
    world.assert_sound()


def test_a_better_unit_is_given_at_the_same_rate_and_a_lower_class_is_refused(world: World) -> None:
    ayu = world.counter("ayu")
    cheap = world.book(ayu, days("2027-03-10", "2027-03-12"))
    swapped = ayu.changes_of_bookings.swap_unit(cheap.bookings[0].id, HIACE)
    assert (swapped.unit_id, swapped.difference) == (HIACE, 0)
    assert taken(world, HIACE) == [("2027-03-10", "2027-03-13")], "with the HiAce's own day of turnaround"
    longer = ayu.changes_of_bookings.reschedule(cheap.bookings[0].id, days("2027-03-10", "2027-03-13"))
    assert longer.difference == RATE
    dear = world.book(
        ayu, days("2027-04-10", "2027-04-12"), HIACE, sku=OTHER_SKU, phone="0812 0000 9999", name="Budi Santoso"
    )
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.swap_unit(dear.bookings[0].id, AVANZA)
    assert refused(no.value, RefusalCode.UNIT_NOT_RENTABLE, "unit_id")["reason"] == "lower_class"
    back = ayu.changes_of_bookings.swap_unit(cheap.bookings[0].id, AVANZA)
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-13")]
    assert back.unit_id == AVANZA
    world.assert_sound()


def test_the_same_change_again_is_answered_the_same_and_writes_nothing(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0].id
    first = ayu.changes_of_bookings.reschedule(booking, days("2027-03-20", "2027-03-24"), AVANZAS[1])
    before = world.counts()
    again = ayu.changes_of_bookings.reschedule(booking, days("2027-03-20", "2027-03-24"), AVANZAS[1])
    assert world.counts() == before
    assert (again.version, again.difference, again.freed, again.invoices) == (
        first.version,
        first.difference,
        first.freed,
        first.invoices,
    )
    other = world.counter("siti").changes_of_bookings.reschedule(booking, days("2027-03-20", "2027-03-24"), AVANZAS[1])
    assert (other.difference, other.freed) == (0, ()), "that was somebody else's change"
    world.assert_sound()


def test_a_swapped_booking_keeps_the_sku_that_was_sold(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0].id
    ayu.changes_of_bookings.swap_unit(booking, HIACE)
    assert world.value("SELECT sku_id FROM sentra.booking WHERE id = %s", booking) == SKU
