"""Changing a rental that is out, on real servers: extend, take back, shorten, and swap its unit."""

import datetime as dt
from functools import partial

import pytest

from app.bootstrap import Installation
from app.domain.booking import Action, BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.ports import Tx
from tests.support.world import AVANZA, AVANZAS, World, cash, days, line, refused
from tests.usecases.change_rig import RATE, active, pay, taken

pytest_plugins = ("tests.support.world_fixtures",)


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
    world.after(minutes=15)
    assert world.service().sweeps.expire().done == 1
    assert world.rows("SELECT state, last_day::text, payment_deadline FROM sentra.booking WHERE id = %s", mine) == [
        ("ACTIVE_RENTAL", "2027-03-12", None)
    ]
    assert world.value("SELECT state FROM sentra.invoice WHERE id = %s", asked.invoice_id) == "VOID"
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    assert world.rows("SELECT days::text, cause FROM sentra.freed_stretch") == [("[2027-03-13,2027-03-16)", "expire")]
    assert world.service().sweeps.expire().done == 0
    world.catch_up()
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


def test_an_extension_past_its_deadline_is_neither_locked_nor_asked_for_again_while_no_service_runs(
    world: World,
) -> None:
    ayu, budi = world.counter("ayu"), world.counter("budi")
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-12"))
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13))
    assert asked.invoice_id is not None
    world.after(minutes=14, seconds=59)
    assert ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13)).invoice_id == asked.invoice_id
    world.after(seconds=1)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        budi.settlement.open_invoice(asked.invoice_id)
    assert no.value.code is RefusalCode.BOOKING_EXPIRED
    for day in (13, 14):
        with pytest.raises(Refusal) as no:
            ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, day))
        refused(no.value, RefusalCode.BOOKING_EXPIRED, "booking_id")
        with pytest.raises(Refusal) as no:
            ayu.store.transact(partial(_extend, mine, dt.date(2027, 3, day)))
        refused(no.value, RefusalCode.BOOKING_EXPIRED, "booking_id")
    assert world.counts() == before
    ayu.changes_of_bookings.reject_extension(mine)
    assert ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13)).invoice_id != asked.invoice_id
    world.catch_up()
    world.assert_sound()


def _extend(booking_id: str, last_day: dt.date, tx: Tx) -> object:
    """The same without the use case before it."""
    return tx.request_extension(booking_id, last_day, 1, Rupiah(0))


def test_a_lock_on_something_else_of_the_order_keeps_no_extension_past_its_deadline(world: World) -> None:
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    world.open_shift(siti)
    world.after(days=9)
    booked = world.order(siti, [line(days("2027-03-10", "2027-03-12"), unit) for unit in AVANZAS[:2]])
    world.settle(siti, booked)
    mine, other = (item.id for item in booked.bookings)
    place = Installation(world.settings())
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        place.move_booking(mine, action)
    balance = siti.changes_of_bookings.reschedule(other, days("2027-03-11", "2027-03-14")).invoice_id
    assert balance is not None
    siti.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 13))
    world.after(minutes=14, seconds=30)
    budi.settlement.open_invoice(balance)
    world.after(seconds=31)
    assert world.service().sweeps.expire().done == 1
    assert (world.state(mine), taken(world, AVANZA)) == ("ACTIVE_RENTAL", [("2027-03-10", "2027-03-12")])
    assert world.value("SELECT state FROM sentra.invoice WHERE id = %s", balance) == "OPEN"
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
    noted = world.rows(
        "SELECT after ->> 'hand_over_due' FROM sentra.audit WHERE action = 'changed' AND actor LIKE '%%dedi'"
    )
    assert noted == [(AVANZAS[1],)]
    ayu = world.counter("ayu")
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 15))
    assert taken(world, AVANZAS[1]) == [("2027-03-12", "2027-03-15")]
    assert asked.state is BookingState.EXTENSION_PENDING
    world.catch_up()
    world.assert_sound()
