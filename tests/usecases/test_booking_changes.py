"""Changing bookings on real servers: who may move what where, what it costs, and what is written."""

import datetime as dt

import pytest

from app.bootstrap import Counter, Installation
from app.domain.booking import Action, BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from tests.support.world import (
    AVANZA,
    AVANZAS,
    HIACE,
    OTHER_SKU,
    SKU,
    World,
    blockers_of,
    cash,
    days,
    refused,
)

pytest_plugins = ("tests.support.world_fixtures",)

RATE, DEPOSIT = 350_000, 500_000


def paid(world: World, period: RentalPeriod, unit: str = AVANZA, **options: str) -> str:
    """A booking that is paid; its id."""
    siti = world.counter("siti")
    if siti.shifts.current_shift() is None:
        world.open_shift(siti)
    booked = world.book(siti, period, unit, **options)
    world.settle(siti, booked)
    return booked.bookings[0].id


def active(world: World, period: RentalPeriod, unit: str = AVANZA, **options: str) -> str:
    """A booking whose customer has the unit; its id."""
    booking_id = paid(world, period, unit, **options)
    place = Installation(world.settings())
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        place.move_booking(booking_id, action)
    return booking_id


def pay(world: World, invoice_id: str) -> None:
    """Settle an invoice in exact cash."""
    siti = world.counter("siti")
    if siti.shifts.current_shift() is None:
        world.open_shift(siti)
    held = siti.settlement.open_invoice(invoice_id)
    total = siti.settlement.invoice(invoice_id).row.total
    siti.settlement.settle(held.handle, siti.new_id(), [cash(total)])


def taken(world: World, unit: str) -> list[tuple[str, str]]:
    """Active stretches of a unit, both ends taken."""
    rows = world.rows(
        "SELECT lower(days)::text, (upper(days) - 1)::text FROM sentra.occupancy"
        " WHERE unit_id = %s AND active ORDER BY 1",
        unit,
    )
    return [(str(first), str(last)) for first, last in rows]


def invoices(world: World) -> list[tuple[object, ...]]:
    """Kind, state and total of each invoice, as they were made."""
    return world.rows("SELECT kind, state, total FROM sentra.invoice ORDER BY created_at, id")


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
    pay(world, balance.invoice_id)
    shorter = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10"))
    assert shorter.difference == -2 * RATE
    assert world.rows(
        "SELECT i.kind, r.amount FROM sentra.refund r JOIN sentra.invoice i ON i.id = r.invoice_id ORDER BY 1"
    ) == [("BALANCE", RATE), ("RENTAL", RATE)]
    world.assert_sound()


def test_c17_an_extension_stops_before_the_next_booking_and_names_the_longest_one(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)  # the 10th
    mine = active(world, days("2027-03-10", "2027-03-12"))
    theirs = world.book(ayu, days("2027-03-14", "2027-03-16"), phone="0812 0000 9999", name="Budi Santoso").bookings[0]
    quote = ayu.changes_of_bookings.quote_change(mine, days("2027-03-10", "2027-03-14"))
    assert (quote.action, quote.longest_last_day) == (Action.REQUEST_EXTENSION, dt.date(2027, 3, 13))
    assert [item.booking_id for item in quote.blockers] == [theirs.id]
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 14))
    assert refused(no.value, RefusalCode.DAYS_TAKEN, "last_day")["longest_last_day"] == dt.date(2027, 3, 13)
    assert [(item.action, item.params.get("last_day"), item.params.get("booking_id")) for item in no.value.next] == [
        ("request_extension", dt.date(2027, 3, 13), None),
        ("swap_other", None, theirs.id),
    ]
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 14, 15, 16]
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13))
    assert (asked.state, asked.difference, asked.period) == (
        BookingState.EXTENSION_PENDING,
        RATE,
        days("2027-03-10", "2027-03-12"),
    )
    assert asked.payment_deadline == world.now() + dt.timedelta(minutes=15)
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13, 14, 15, 16]
    (bar,) = [bar for bar in ayu.calendar.bars(days("2027-03-10")) if bar.booking_id == mine]
    assert (bar.extended_from, bar.days.last) == (dt.date(2027, 3, 13), dt.date(2027, 3, 13))
    assert world.doctor().breaks == ()
    assert asked.invoice_id is not None
    pay(world, asked.invoice_id)
    assert world.rows("SELECT state, last_day::text, due_at FROM sentra.booking WHERE id = %s", mine) == [
        ("ACTIVE_RENTAL", "2027-03-13", dt.datetime(2027, 3, 13, 13, tzinfo=dt.UTC))
    ]
    assert taken(world, AVANZA)[0] == ("2027-03-10", "2027-03-13")
    world.assert_sound()


def test_c08_the_last_day_is_taken_on_the_board_and_in_the_check(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-11"))
    world.book(ayu, days("2027-03-12", "2027-03-13"), phone="0812 0000 9999", name="Budi Santoso")
    view = ayu.calendar.calendar(days("2027-03-10", "2027-03-13"))
    unit = next(item for item in view.fleet if item.unit.id == AVANZA)
    assert all(view.masks.is_taken(unit, day) for day in view.window)
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 12))
    assert refused(no.value, RefusalCode.DAYS_TAKEN, "last_day")["longest_last_day"] == dt.date(2027, 3, 11)
    assert "request_extension" not in [item.action for item in no.value.next]


def test_an_extension_that_nobody_pays_gives_its_days_back_and_the_rental_goes_on(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-12"))
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 15))
    world.catch_up()
    world.after(minutes=15)
    assert world.service().sweeps.expire().done == 1
    assert world.rows("SELECT state, last_day::text, payment_deadline FROM sentra.booking WHERE id = %s", mine) == [
        ("ACTIVE_RENTAL", "2027-03-12", None)
    ]
    assert world.value("SELECT state FROM sentra.invoice WHERE id = %s", asked.invoice_id) == "VOID"
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    assert world.rows("SELECT days::text, cause FROM sentra.freed_stretch") == [("[2027-03-13,2027-03-16)", "expire")]
    assert world.service().sweeps.expire().done == 0
    world.assert_sound()


def test_a_cashiers_lock_keeps_an_extension_five_minutes_past_its_deadline(world: World) -> None:
    ayu, budi = world.counter("ayu"), world.counter("budi")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-12"))
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13))
    assert asked.invoice_id is not None
    world.after(minutes=14, seconds=30)
    held = budi.settlement.open_invoice(asked.invoice_id)
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.reject_extension(mine)
    assert refused(no.value, RefusalCode.INVOICE_LOCKED)["holder_name"] == "Budi"
    world.after(seconds=45)
    service = world.service()
    assert service.sweeps.expire().done == 0
    budi.settlement.renew_lock(held.handle, 0)
    world.open_shift(budi)
    budi.settlement.settle(held.handle, budi.new_id(), [cash(RATE)])
    assert world.state(mine) == "ACTIVE_RENTAL"
    assert service.sweeps.expire().done == 0
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-13")]
    world.catch_up()
    world.assert_sound()


def test_a_rejected_extension_frees_its_days_and_voids_its_invoice(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-12"))
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 15))
    back = ayu.changes_of_bookings.reject_extension(mine, "tidak jadi")
    assert (back.state, back.invoice_id, back.difference, back.payment_deadline) == (
        BookingState.ACTIVE_RENTAL,
        None,
        0,
        None,
    )
    assert [(item.days.first.day, item.days.last.day) for item in back.freed] == [(13, 15)]
    assert world.value("SELECT state FROM sentra.invoice WHERE id = %s", asked.invoice_id) == "VOID"
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    with pytest.raises(Refusal) as no:
        world.counter("budi").settlement.open_invoice(str(asked.invoice_id))
    assert no.value.code is RefusalCode.BOOKING_STATE
    world.assert_sound()


def test_a_shortened_rental_frees_the_rest_refunds_nothing_and_can_be_taken_back(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-14"))
    short = ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 11), "pulang lebih cepat")
    assert (short.period, short.difference, short.invoice_id) == (days("2027-03-10", "2027-03-11"), 0, None)
    assert [(item.days.first.day, item.days.last.day) for item in short.freed] == [(12, 14)]
    assert world.bits(AVANZA, "202703") == [10, 11]
    assert world.rows("SELECT 1 FROM sentra.refund") == []
    again = ayu.changes_of_bookings.quote_change(mine, days("2027-03-10", "2027-03-13"))
    assert (again.action, again.difference) == (Action.SHORTEN, 0)
    back = ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 14))
    assert back.period == days("2027-03-10", "2027-03-14")
    assert world.value("SELECT paid_until FROM sentra.booking WHERE id = %s", mine) is None
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13, 14]
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 15))
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == "not_paid"
    world.assert_sound()


def test_days_given_up_by_shortening_that_somebody_took_do_not_come_back(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-14"))
    ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 11))
    world.book(ayu, days("2027-03-13"), phone="0812 0000 9999", name="Budi Santoso")
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 14))
    assert refused(no.value, RefusalCode.DAYS_TAKEN, "last_day")["longest_last_day"] == dt.date(2027, 3, 12)
    ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 12))
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13]
    world.assert_sound()


def test_an_extension_after_a_shortening_charges_only_days_that_were_not_paid(world: World) -> None:
    ayu = world.counter("ayu")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-14"))
    ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 11))
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13))
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == "paid"
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 16))
    assert asked.difference == 2 * RATE
    assert asked.invoice_id is not None
    pay(world, asked.invoice_id)
    assert world.rows("SELECT last_day::text, paid_until FROM sentra.booking WHERE id = %s", mine) == [
        ("2027-03-16", None)
    ]
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


def test_a_unit_that_is_out_is_swapped_by_the_inspector_from_today_on(world: World) -> None:
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-14"))
    world.after(days=2)  # the 12th
    dedi = world.counter("dedi")
    with pytest.raises(Refusal) as no:
        world.counter("ayu").changes_of_bookings.swap_unit(mine, AVANZAS[1])
    assert no.value.code is RefusalCode.NOT_ALLOWED
    swapped = dedi.changes_of_bookings.swap_unit(mine, AVANZAS[1])
    assert (swapped.state, swapped.unit_id) == (BookingState.ACTIVE_RENTAL, AVANZAS[1])
    assert world.rows("SELECT days::text, active FROM sentra.occupancy WHERE unit_id = %s", AVANZA) == [
        ("[2027-03-10,2027-03-12)", False)
    ]
    assert taken(world, AVANZAS[1]) == [("2027-03-12", "2027-03-14")]
    assert [(item.days.first.day, item.days.last.day) for item in swapped.freed] == [(12, 14)]
    assert (world.bits(AVANZA, "202703"), world.bits(AVANZAS[1], "202703")) == ([], [12, 13, 14])
    noted = world.rows("SELECT after ->> 'hand_over_due' FROM sentra.audit WHERE action = 'changed' AND actor LIKE '%%dedi'")
    assert noted == [(AVANZAS[1],)]
    ayu = world.counter("ayu")
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 15))
    assert taken(world, AVANZAS[1]) == [("2027-03-12", "2027-03-15")]
    assert asked.state is BookingState.EXTENSION_PENDING
    world.catch_up()
    world.assert_sound()


def test_a_better_unit_is_given_at_the_same_rate_and_a_lower_class_is_refused(world: World) -> None:
    ayu = world.counter("ayu")
    cheap = world.book(ayu, days("2027-03-10", "2027-03-12"))
    swapped = ayu.changes_of_bookings.swap_unit(cheap.bookings[0].id, HIACE)
    assert (swapped.unit_id, swapped.difference) == (HIACE, 0)
    assert taken(world, HIACE) == [("2027-03-10", "2027-03-13")], "with the HiAce's own day of turnaround"
    longer = ayu.changes_of_bookings.reschedule(cheap.bookings[0].id, days("2027-03-10", "2027-03-13"))
    assert longer.difference == RATE
    dear = world.book(ayu, days("2027-04-10", "2027-04-12"), HIACE, sku=OTHER_SKU, phone="0812 0000 9999", name="Budi Santoso")
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


def who(world: World) -> Counter:
    return world.counter("maya")


def sku_of(world: World, unit: str) -> object:
    return world.value("SELECT sku_id FROM sentra.unit WHERE id = %s", unit)


def test_a_swapped_booking_keeps_the_sku_that_was_sold(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0].id
    ayu.changes_of_bookings.swap_unit(booking, HIACE)
    assert world.value("SELECT sku_id FROM sentra.booking WHERE id = %s", booking) == SKU
