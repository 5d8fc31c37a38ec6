"""End a paid booking: its money effect shown first, its days free at once, nothing given back twice."""

import datetime as dt
from collections.abc import Callable

import pytest

from app.bootstrap import Counter, Installation
from app.domain.booking import Action, BookingState
from app.domain.change_pricing import payable
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import PpnPlace, Rupiah
from app.usecases.rows_cancellations import CancelledBooking
from tests.support.at_once import at_once
from tests.support.world import AVANZA, AVANZAS, START, WIB, World, days, line, refused
from tests.usecases.change_rig import DEPOSIT, RATE, invoices, paid, pay, taken
from tests.usecases.rates_rig import DRIVER, TOLL, add_extras, book, set_card, wish

pytest_plugins = ("tests.support.world_fixtures",)

WHY = "pelanggan batal berangkat"
PICKUP = dt.datetime(2027, 3, 10, 8, tzinfo=WIB)
TEN = days("2027-03-10", "2027-03-12")
THREE = 3 * RATE


def refunds(world: World) -> list[tuple[object, ...]]:
    """Kind, amount and state of each refund, rent first."""
    return world.rows("SELECT kind, amount, state FROM sentra.refund ORDER BY kind DESC, amount")


def end(counter: Counter, booking_id: str, no_show: bool = False) -> CancelledBooking:
    """End it with what is shown for it."""
    shown = counter.bookings.cancellation_effect(booking_id, no_show)
    ask = counter.bookings.no_show if no_show else counter.bookings.cancel_paid
    return ask(booking_id, WHY, shown.back)


@pytest.mark.parametrize(
    ("hours", "percent", "rent_back"), [(49, 100, THREE), (48, 100, THREE), (47, 50, THREE // 2), (24, 50, THREE // 2)]
)
def test_a_paid_booking_is_cancelled_by_the_ladder_and_its_deposit_comes_back(
    world: World, hours: int, percent: int, rent_back: int
) -> None:
    booking = paid(world, TEN)
    world.stand(PICKUP - dt.timedelta(hours=hours))
    ayu = world.counter("ayu")

    shown = ayu.bookings.cancellation_effect(booking)
    assert (shown.rent_back, shown.deposit_back, shown.fee, shown.percent, shown.hours_before) == (
        *(rent_back, DEPOSIT, THREE - rent_back, percent, hours),
    )
    done = ayu.bookings.cancel_paid(booking, WHY, shown.back)

    assert (done.state, done.effect, done.invoices) == (BookingState.CANCELLED, shown, ())
    assert refunds(world) == [("RENT", rent_back, "DUE"), ("DEPOSIT", DEPOSIT, "DUE")]
    assert [item.days for item in done.freed] == [Days(TEN.first, TEN.last)]
    assert taken(world, AVANZA) == []
    assert world.bits(AVANZA, "202703") == []
    assert world.rows("SELECT cause, days::text FROM sentra.freed_stretch") == [
        ("cancel_paid", "[2027-03-10,2027-03-13)")
    ]
    assert world.rows("SELECT action, after ->> 'reason' FROM sentra.audit WHERE after ->> 'state' = 'CANCELLED'") == [
        ("cancel_paid", WHY)
    ]
    assert invoices(world) == [("RENTAL", "PAID", THREE + DEPOSIT)], "what was paid stays paid until it is given back"
    world.catch_up()
    world.assert_sound()


def test_less_than_a_day_before_pick_up_only_the_deposit_comes_back(world: World) -> None:
    booking = paid(world, TEN)
    world.stand(PICKUP - dt.timedelta(hours=23, minutes=59))

    done = end(world.counter("ayu"), booking)

    assert (done.effect.percent, done.effect.fee) == (0, THREE)
    assert refunds(world) == [("DEPOSIT", DEPOSIT, "DUE")]


def test_the_ladder_is_a_setting_of_the_branch(world: World) -> None:
    booking = paid(world, TEN)
    for branch, ladder in ((None, "[[1, 10]]"), ("JKT", "[[72, 90], [0, 25]]")):
        statement = "INSERT INTO sentra.setting (branch_id, key, value) VALUES (%s, 'cancellation_ladder', %s::jsonb)"
        world.do(statement, branch, ladder)
    ayu = world.counter("ayu")

    assert ayu.bookings.cancellation_effect(booking).percent == 90
    world.stand(PICKUP - dt.timedelta(hours=50))
    assert end(ayu, booking).effect.percent == 25
    assert refunds(world)[0] == ("RENT", 262_500, "DUE")


@pytest.mark.parametrize("value", ["{}", "[[1]]", "[[1, 101]]", "[[-1, 50]]", '[["a", 50]]', "[1]", "[[1, 2, 3]]"])
def test_a_ladder_that_is_none_is_not_kept(shared_world: World, value: str) -> None:
    with pytest.raises(Exception, match="setting_ladder"):
        shared_world.do("INSERT INTO sentra.setting (key, value) VALUES ('cancellation_ladder', %s)", value)


def test_a_step_of_the_ladder_that_passes_meanwhile_is_told_and_nothing_is_written(world: World) -> None:
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    world.stand(PICKUP - dt.timedelta(hours=48))
    shown = ayu.bookings.cancellation_effect(booking)
    world.after(seconds=1)
    before = world.counts()

    with pytest.raises(Refusal) as no:
        ayu.bookings.cancel_paid(booking, WHY, shown.back)

    told = refused(no.value, RefusalCode.PRICE_CHANGED, "expected_back")
    assert (told["old"], told["new"], told["percent"]) == (THREE + DEPOSIT, THREE // 2 + DEPOSIT, 50)
    assert world.counts() == before
    assert refunds(world) == []
    assert ayu.bookings.cancel_paid(booking, WHY, Rupiah(int(str(told["new"])))).effect.percent == 50


def test_a_no_show_is_possible_from_two_hours_after_pick_up_and_costs_a_day(world: World) -> None:
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    world.stand(PICKUP + dt.timedelta(hours=2) - dt.timedelta(seconds=1))
    for ask in (
        lambda: ayu.bookings.cancellation_effect(booking, True),
        lambda: ayu.bookings.no_show(booking, WHY, Rupiah(0)),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        told = refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")
        assert told["reason"] == "too_early"

    world.after(seconds=1)
    done = end(ayu, booking, no_show=True)

    assert (done.effect.fee, done.effect.percent, done.effect.hours_before) == (RATE, None, -2)
    assert refunds(world) == [("RENT", 2 * RATE, "DUE"), ("DEPOSIT", DEPOSIT, "DUE")]
    assert world.value("SELECT last_action FROM sentra.booking") == "no_show"
    assert world.bits(AVANZA, "202703") == []
    world.catch_up()
    world.assert_sound()


def test_an_open_balance_is_void_with_the_booking_and_never_given_back(world: World) -> None:
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-14"))

    done = end(ayu, booking)

    assert invoices(world) == [("RENTAL", "PAID", THREE + DEPOSIT), ("BALANCE", "VOID", 2 * RATE)]
    assert len(done.invoices) == 1
    assert (done.effect.rent_back, done.effect.fee) == (THREE, 0)
    world.assert_sound()


def test_a_paid_balance_is_given_back_with_the_rest_and_a_due_refund_stays_due(world: World) -> None:
    """Five days were paid in two invoices, one of them is to be given back already: half of the four that are left."""
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    longer = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-14"))
    assert longer.invoice_id is not None
    world.after(minutes=1)
    pay(world, longer.invoice_id)
    ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-13"))
    world.stand(PICKUP - dt.timedelta(hours=30))

    done = end(ayu, booking)

    assert (done.effect.rent_back, done.effect.deposit_back, done.effect.fee) == (2 * RATE, DEPOSIT, 2 * RATE)
    assert sorted(int(str(amount)) for _, amount, _ in refunds(world)) == [RATE, RATE, RATE, DEPOSIT]
    world.catch_up()
    world.assert_sound()


def test_a_booking_whose_open_invoice_a_cashier_holds_is_not_cancelled(world: World) -> None:
    booking = paid(world, TEN)
    ayu, budi = world.counter("ayu"), world.counter("budi", "Kasir 2")
    longer = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-14"))
    assert longer.invoice_id is not None
    shown = ayu.bookings.cancellation_effect(booking)
    held = budi.settlement.open_invoice(longer.invoice_id)

    with pytest.raises(Refusal) as no:
        ayu.bookings.cancel_paid(booking, WHY, shown.back)

    assert refused(no.value, RefusalCode.INVOICE_LOCKED)["holder_name"] == "Budi"
    assert world.state(booking) == "PAID_APPROVED"
    budi.settlement.release_lock(held.handle)
    assert ayu.bookings.cancel_paid(booking, WHY, shown.back).state is BookingState.CANCELLED


def test_each_booking_of_an_order_has_its_own_refund_and_the_others_go_on(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = world.order(siti, [line(TEN, AVANZAS[0]), line(TEN, AVANZAS[1])])
    world.settle(siti, booked)
    first, second = (item.id for item in booked.bookings)

    end(siti, first)
    assert refunds(world) == [("RENT", THREE, "DUE"), ("DEPOSIT", DEPOSIT, "DUE")]
    assert world.state(second) == "PAID_APPROVED"
    end(siti, second)

    given_back = world.value("SELECT sum(amount)::bigint FROM sentra.refund WHERE state = 'DUE'")
    assert given_back == world.value("SELECT sum(amount)::bigint FROM sentra.payment") == booked.total
    world.assert_sound()


@pytest.mark.parametrize("place", list(PpnPlace))
@pytest.mark.parametrize("percent", [100, 37])
def test_refunds_of_an_order_with_odd_rates_add_up_to_the_rupiah(world: World, place: PpnPlace, percent: int) -> None:
    """PPN on top: one PPN for the invoice, given back in parts that lose no Rupiah and invent none."""
    settings = (place is not PpnPlace.NONE, place is PpnPlace.INSIDE)
    world.do("UPDATE sentra.branch SET has_ppn = %s, prices_include_ppn = %s", *settings)
    world.do("UPDATE sentra.sku SET daily_rate = 333337")
    world.do("INSERT INTO sentra.setting (key, value) VALUES ('cancellation_ladder', %s::jsonb)", f"[[0, {percent}]]")
    siti = world.counter("siti")
    world.open_shift(siti)
    lines = [line(days("2027-03-10", f"2027-03-{12 + n}"), unit) for n, unit in enumerate(AVANZAS)]
    booked = world.order(siti, lines)
    world.settle(siti, booked)
    siti.changes_of_bookings.reschedule(booked.bookings[1].id, days("2027-03-10", "2027-03-11"))

    fees = sum(end(siti, item.id).effect.fee for item in booked.bookings)

    amount, taxable, deposits = (
        int(str(found))
        for found in world.rows(
            "SELECT sum(amount)::bigint, sum(taxable)::bigint, sum(amount) FILTER (WHERE kind = 'DEPOSIT')::bigint"
            " FROM sentra.refund WHERE state = 'DUE'"
        )[0]
    )
    all_rent = 12 * 333_337
    kept = payable(place, all_rent - taxable, START.date())
    assert amount == payable(place, all_rent, START.date()) - kept + deposits
    assert amount + kept == booked.total
    assert (taxable, fees) == (all_rent, 0) if percent == 100 else abs(fees - kept) <= len(AVANZAS)
    world.assert_sound()


def test_only_the_deposit_of_a_settled_invoice_comes_back_once(world: World) -> None:
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    end(ayu, booking)

    with pytest.raises(Refusal) as no:
        ayu.bookings.cancel_paid(booking, WHY, Rupiah(THREE + DEPOSIT))
    refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")
    assert len(refunds(world)) == 2


def test_c23_two_ends_at_once_give_back_once(world: World) -> None:
    booking = paid(world, TEN)
    desks = [world.counter("ayu"), world.counter("siti", "Kasir 2")]

    def try_to_end(desk: Counter) -> Callable[[], bool]:
        def ask() -> bool:
            try:
                desk.bookings.cancel_paid(booking, WHY, Rupiah(THREE + DEPOSIT))
            except Refusal as no:
                assert no.code is RefusalCode.BOOKING_STATE
                return False
            return True

        return ask

    said = at_once(*(try_to_end(desk) for desk in desks))

    assert sorted(said.results) == [False, True]
    assert len(refunds(world)) == 2
    world.assert_sound()


def test_r16_the_same_days_are_sold_again_and_the_old_booking_stays_final(world: World) -> None:
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    end(ayu, booking)

    again = world.book(ayu, TEN)

    assert again.bookings[0].id != booking
    assert world.state(booking) == "CANCELLED"
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-12")]
    world.assert_sound()


def test_what_somebody_changed_since_it_was_seen_is_not_ended(world: World) -> None:
    booking = paid(world, TEN)
    ayu = world.counter("ayu")
    seen = int(str(world.value("SELECT version FROM sentra.booking")))
    ayu.changes_of_bookings.swap_unit(booking, AVANZAS[1])

    with pytest.raises(Refusal) as no:
        ayu.bookings.cancel_paid(booking, WHY, Rupiah(THREE + DEPOSIT), version=seen)

    assert refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "changed_meanwhile"


@pytest.mark.parametrize("state", ["unpaid", "out"])
def test_only_a_paid_booking_that_is_not_out_is_ended_so(world: World, state: str) -> None:
    ayu = world.counter("ayu")
    if state == "unpaid":
        booking = world.book(ayu, TEN).bookings[0].id
    else:
        booking = paid(world, TEN)
        Installation(world.settings()).move_booking(booking, Action.CHECK_OUT)
    for ask in (
        lambda: ayu.bookings.cancellation_effect(booking),
        lambda: ayu.bookings.cancel_paid(booking, WHY, Rupiah(0)),
        lambda: ayu.bookings.no_show(booking, WHY, Rupiah(0)),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        assert no.value.code is RefusalCode.BOOKING_STATE


def test_who_may_end_a_paid_booking_and_what_must_be_said(world: World) -> None:
    booking = paid(world, TEN)
    for login in ("budi", "dedi"):
        with pytest.raises(Refusal) as no:
            world.counter(login).bookings.cancel_paid(booking, WHY, Rupiah(0))
        assert no.value.code is RefusalCode.NOT_ALLOWED
    ayu = world.counter("ayu")
    for reason in ("", " \n", "?!"):
        with pytest.raises(Refusal) as empty:
            ayu.bookings.cancel_paid(booking, reason, Rupiah(0))
        refused(empty.value, RefusalCode.FIELD_INVALID, "reason")
    with pytest.raises(Refusal) as foreign:
        world.counter("rahmat").bookings.cancellation_effect(booking)
    refused(foreign.value, RefusalCode.NOT_FOUND, "booking_id")
    assert world.state(booking) == "PAID_APPROVED"


# --- holding longer ---------------------------------------------------------------------------------------------------


def hold(counter: Counter, booking_id: str, hours: int) -> dt.datetime:
    return counter.bookings.hold_longer(booking_id, hours, "transfer sedang jalan").payment_deadline


def test_a_manager_lets_an_unpaid_order_wait_for_its_transfer(world: World) -> None:
    """All bookings of the order, past the sweep of the old deadline, at most 24 hours in all."""
    siti, maya = world.counter("siti"), world.counter("maya")
    booked = world.order(siti, [line(TEN, AVANZAS[0]), line(TEN, AVANZAS[1])])
    world.after(minutes=10)

    assert hold(maya, booked.bookings[0].id, 3) == world.now() + dt.timedelta(hours=3)
    assert world.value("SELECT count(DISTINCT payment_deadline) FROM sentra.booking") == 1
    world.after(hours=2)
    assert world.service().sweeps.expire().done == 0
    assert hold(maya, booked.bookings[1].id, 24) == START.astimezone(dt.UTC) + dt.timedelta(hours=24), "in all"
    with pytest.raises(Refusal) as no:
        hold(maya, booked.bookings[0].id, 24)
    assert refused(no.value, RefusalCode.BOOKING_STATE, "booking_id")["reason"] == "held_longest"
    world.open_shift(siti)
    world.settle(siti, booked)
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    world.catch_up()
    world.assert_sound()


def test_an_order_held_longer_expires_at_its_new_deadline(world: World) -> None:
    maya = world.counter("maya")
    booking = world.book(maya, TEN).bookings[0].id
    hold(maya, booking, 1)
    world.after(minutes=59)
    assert world.service().sweeps.expire().done == 0
    world.after(minutes=1)
    assert world.service().sweeps.expire().done == 1
    assert world.state(booking) == "CANCELLED"


@pytest.mark.parametrize("hours", [0, 25, -1])
def test_hours_that_are_none_are_refused_by_their_field(world: World, hours: int) -> None:
    maya = world.counter("maya")
    booking = world.book(maya, TEN).bookings[0].id
    with pytest.raises(Refusal) as no:
        hold(maya, booking, hours)
    assert refused(no.value, RefusalCode.FIELD_INVALID, "until_hours")["reason"] == "out_of_range"


def test_a_hold_is_never_made_shorter_and_an_expired_one_never_revived(world: World) -> None:
    maya = world.counter("maya")
    booking = world.book(maya, TEN).bookings[0].id
    hold(maya, booking, 5)
    with pytest.raises(Refusal) as shorter:
        hold(maya, booking, 4)
    assert refused(shorter.value, RefusalCode.FIELD_INVALID, "until_hours")["least"] == 6
    world.after(hours=5)
    with pytest.raises(Refusal) as over:
        hold(maya, booking, 10)
    refused(over.value, RefusalCode.BOOKING_EXPIRED, "booking_id")


def test_a_cashier_who_is_settling_goes_on_while_the_order_is_held_longer(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    booked = world.book(siti, TEN)
    world.open_shift(siti)
    held = siti.settlement.open_invoice(booked.invoice_id)

    hold(maya, booked.bookings[0].id, 2)

    assert siti.settlement.renew_lock(held.handle, 0) == 60_000
    world.settle(siti, booked, held)
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"


def test_an_inspector_holds_nothing_longer_not_even_with_a_managers_word(world: World) -> None:
    booking = world.book(world.counter("ayu"), TEN).bookings[0].id
    with pytest.raises(Refusal) as no:
        hold(world.counter("dedi"), booking, 2)
    assert no.value.code is RefusalCode.NOT_ALLOWED


def test_extras_and_a_discount_are_rent_and_what_is_not_taxable_comes_back_whole(world: World) -> None:
    """Three days with a driver, 10 % off, and a toll that nobody pays PPN for; PPN comes on top."""
    world.do("UPDATE sentra.branch SET prices_include_ppn = false")
    add_extras(world)
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = book(siti, wish(TEN, AVANZA, DRIVER, TOLL, percent=10))
    world.settle(siti, booked)
    world.stand(PICKUP - dt.timedelta(hours=30))

    done = end(siti, booked.bookings[0].id)

    rent = (THREE + 3 * 200_000) * 9 // 10
    half = payable(PpnPlace.ON_TOP, rent, START.date()) - payable(PpnPlace.ON_TOP, rent // 2, START.date())
    assert sorted((item.kind.value, int(item.amount)) for item in done.refunds) == [
        *(("DEPOSIT", DEPOSIT), ("EXTRA", 75_000), ("RENT", half)),
    ]
    assert done.effect.back + done.effect.fee == booked.total


@pytest.mark.parametrize(("first", "rate"), [("2027-03-12", 350_000), ("2027-03-13", 401_003), ("2027-03-15", 500_009)])
def test_a_no_show_keeps_the_first_day_as_it_was_agreed(world: World, first: str, rate: int) -> None:
    """A Friday, a Saturday or a holiday, with a discount and a driver: whatever the rates are by now."""
    add_extras(world)
    set_card(world, weekend=401_003, holiday=500_009)
    maya, siti = world.counter("maya"), world.counter("siti")
    for day in range(8, 17):
        maya.holidays.remove_holiday(dt.date(2027, 3, day))
    maya.holidays.set_holiday(dt.date(2027, 3, 15), "Hari jadi kota")
    world.open_shift(siti)
    period = days(first, "2027-03-17")
    booked = book(siti, wish(period, AVANZA, DRIVER, percent=7))
    world.settle(siti, booked)
    world.do("UPDATE sentra.sku_rate SET weekday = 999999, weekend = 999999, holiday = 999999")
    maya.holidays.remove_holiday(dt.date(2027, 3, 15))
    world.stand(dt.datetime.combine(period.first, dt.time(12), WIB))

    done = end(siti, booked.bookings[0].id, no_show=True)

    kept = rate - (rate * 7 + 50) // 100
    assert done.effect.fee == kept
    assert done.effect.back == booked.total - kept
    world.catch_up()
    world.assert_sound()
