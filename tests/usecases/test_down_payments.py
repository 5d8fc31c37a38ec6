"""A reservation of a later date with a down payment and a balance: two invoices, each with its own PPN, one booking."""

import datetime as dt
import uuid
from dataclasses import replace

import pytest

from app.admin_do import do
from app.bootstrap import Counter
from app.domain.change_pricing import payable
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import PpnPlace, Rupiah
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder, PaidMark
from tests.support.world import AVANZA, AVANZAS, START, WIB, World, cash, days, line, refused
from tests.usecases.change_rig import DEPOSIT, RATE, invoices, pay, taken

pytest_plugins = ("tests.support.world_fixtures",)

TEN = days("2027-03-10", "2027-03-12")
THREE = 3 * RATE
PART = 400_000
PICKUP = dt.datetime(2027, 3, 10, 8, tzinfo=WIB)


def request(part: int | None = PART, *lines: BookLine, expected: int | None = None) -> BookRequest:
    return BookRequest(
        order_id=str(uuid.uuid4()),
        lines=lines or (line(TEN),),
        customer_name="Rina Maharani",
        customer_phone="0812 0000 1234",
        down_payment=None if part is None else Rupiah(part),
        expected_total=None if expected is None else Rupiah(expected),
    )


def reserve(who: Counter, part: int = PART, *lines: BookLine) -> BookedOrder:
    return who.bookings.book(request(part, *lines))


def balance(world: World) -> str:
    return str(world.value("SELECT id FROM sentra.invoice WHERE kind = 'BALANCE'"))


def mark(world: World, who: Counter) -> PaidMark | None:
    (bar,) = who.calendar.calendar(days("2027-03-01", "2027-03-31")).bars
    return bar.paid


def test_a_reservation_is_paid_in_two_parts_and_its_bar_says_so(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = reserve(siti)

    assert invoices(world) == [("DOWN_PAYMENT", "OPEN", PART), ("BALANCE", "OPEN", THREE - PART + DEPOSIT)]
    assert (booked.total, booked.invoice_id) == (
        PART,
        world.value("SELECT id::text FROM sentra.invoice WHERE total = 400000"),
    )
    assert mark(world, siti) is PaidMark.UNPAID
    world.settle(siti, booked)
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    assert mark(world, siti) is PaidMark.PART
    pay(world, balance(world))
    assert mark(world, siti) is PaidMark.FULL
    assert world.value("SELECT sum(amount)::bigint FROM sentra.payment") == THREE + DEPOSIT
    world.assert_sound()


def test_c62_the_balance_stays_what_it_is_whatever_was_paid_before(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    world.settle(siti, reserve(siti))
    assert invoices(world) == [("DOWN_PAYMENT", "PAID", PART), ("BALANCE", "OPEN", THREE - PART + DEPOSIT)]
    held = siti.settlement.open_invoice(balance(world))
    with pytest.raises(Refusal) as no:
        siti.settlement.settle(held.handle, siti.new_id(), [cash(100_000)])
    assert no.value.code is RefusalCode.AMOUNT_MISMATCH
    assert invoices(world)[1] == ("BALANCE", "OPEN", THREE - PART + DEPOSIT)


def test_a_balance_is_not_opened_before_its_down_payment(world: World) -> None:
    """Its booking could still expire, and the money would be nobody's."""
    siti = world.counter("siti")
    world.open_shift(siti)
    reserve(siti)
    with pytest.raises(Refusal) as no:
        siti.settlement.open_invoice(balance(world))
    assert refused(no.value, RefusalCode.BOOKING_STATE, "invoice_id")["reason"] == "down_payment_first"


@pytest.mark.parametrize("way", ["expire", "cancel"])
def test_an_unpaid_reservation_that_ends_leaves_neither_invoice_open(world: World, way: str) -> None:
    siti = world.counter("siti")
    booked = reserve(siti)
    if way == "expire":
        world.after(minutes=15)
        assert world.service().sweeps.expire().done == 1
    else:
        siti.bookings.cancel(booked.bookings[0].id)
    assert [state for _, state, _ in invoices(world)] == ["VOID", "VOID"]
    assert taken(world, AVANZA) == []
    world.catch_up()
    world.assert_sound()


def test_one_booking_less_of_an_unpaid_reservation_takes_its_share_of_both(world: World) -> None:
    siti = world.counter("siti")
    booked = reserve(siti, 700_001, line(TEN, AVANZAS[0]), line(TEN, AVANZAS[1]))
    siti.bookings.cancel(booked.bookings[0].id)
    first, rest = (int(str(total)) for _, _, total in invoices(world))
    assert first in {350_000, 350_001}
    assert first + rest == THREE + DEPOSIT
    world.assert_sound()


@pytest.mark.parametrize("place", list(PpnPlace))
def test_each_part_has_its_own_ppn_and_the_quote_tells_both(world: World, place: PpnPlace) -> None:
    world.do(
        "UPDATE sentra.branch SET has_ppn = %s, prices_include_ppn = %s",
        place is not PpnPlace.NONE,
        place is PpnPlace.INSIDE,
    )
    siti = world.counter("siti")
    lines = (line(TEN, AVANZAS[0]), line(days("2027-03-10", "2027-03-14"), AVANZAS[1]))
    rent, part = 8 * RATE, 1_234_567
    shown = siti.bookings.quote(lines, down_payment=Rupiah(part))

    booked = siti.bookings.book(request(part, *lines, expected=shown.total + shown.balance))

    on = START.date()
    first, rest = payable(place, part, on), payable(place, rent - part, on) + 2 * DEPOSIT
    assert (shown.total, shown.balance) == (first, rest)
    assert booked.total == first
    assert invoices(world) == [("DOWN_PAYMENT", "OPEN", first), ("BALANCE", "OPEN", rest)]
    shares = world.rows(
        "SELECT i.kind, sum(l.amount)::bigint FROM sentra.invoice_line AS l JOIN sentra.invoice AS i"
        " ON i.id = l.invoice_id WHERE l.kind = 'DOWN_PAYMENT' GROUP BY 1 ORDER BY 1"
    )
    assert shares == [("BALANCE", -part), ("DOWN_PAYMENT", part)]
    world.assert_sound()


def test_the_whole_rent_may_be_the_down_payment_and_a_balance_of_nothing_is_not_asked_for(world: World) -> None:
    world.do("UPDATE sentra.sku SET deposit = 0")
    siti = world.counter("siti")
    reserve(siti, THREE)
    assert invoices(world) == [("DOWN_PAYMENT", "OPEN", THREE), ("BALANCE", "VOID", 0)]


@pytest.mark.parametrize(("part", "least"), [(314_999, 315_000), (THREE + 1, 315_000), (0, 315_000)])
def test_a_part_that_is_too_little_or_more_than_the_rent_is_refused_and_nothing_is_held(
    world: World, part: int, least: int
) -> None:
    before = world.counts()
    with pytest.raises(Refusal) as no:
        reserve(world.counter("siti"), part)
    told = refused(no.value, RefusalCode.FIELD_INVALID, "down_payment")
    assert (told["reason"], told["least"], told["most"]) == ("out_of_range", least, THREE)
    assert world.counts() == before
    world.assert_sound()


def test_a_part_that_is_too_little_is_told_with_the_price_and_before_any_managers_word(world: World) -> None:
    siti = world.counter("siti")
    cheaper = [replace(line(TEN), discount_percent=50)]
    with pytest.raises(Refusal) as quoted:
        siti.bookings.quote(cheaper, down_payment=Rupiah(1))
    assert refused(quoted.value, RefusalCode.FIELD_INVALID, "down_payment")["reason"] == "out_of_range"
    with pytest.raises(Refusal) as booked:
        reserve(siti, 1, *cheaper)
    assert refused(booked.value, RefusalCode.FIELD_INVALID, "down_payment")["reason"] == "out_of_range"


def test_the_least_part_is_a_setting_of_the_branch(world: World) -> None:
    world.do("INSERT INTO sentra.setting (branch_id, key, value) VALUES ('JKT', 'least_down_payment', '50')")
    siti = world.counter("siti")
    with pytest.raises(Refusal) as no:
        reserve(siti, THREE // 2 - 1)
    assert refused(no.value, RefusalCode.FIELD_INVALID, "down_payment")["least"] == THREE // 2
    assert reserve(siti, THREE // 2).total == THREE // 2


def test_a_rental_that_begins_today_is_paid_in_one(world: World) -> None:
    siti = world.counter("siti")
    for ask in (
        lambda: siti.bookings.quote([line(days("2027-03-01", "2027-03-03"))], down_payment=Rupiah(PART)),
        lambda: reserve(siti, PART, line(days("2027-03-01", "2027-03-03"))),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        assert refused(no.value, RefusalCode.FIELD_INVALID, "down_payment")["reason"] == "not_of_the_period"


def test_r09_the_same_reservation_sent_again_is_the_first_and_with_another_part_another(world: World) -> None:
    siti = world.counter("siti")
    wish = request()
    first = siti.bookings.book(wish)
    again = siti.bookings.book(wish)
    assert (again.repeat, again.invoice_id, again.total) == (True, first.invoice_id, first.total)
    with pytest.raises(Refusal) as no:
        siti.bookings.book(replace(wish, down_payment=Rupiah(PART + 1)))
    refused(no.value, RefusalCode.DUPLICATE, "order_id")
    found = siti.bookings.find_order(wish.order_id)
    assert found is not None
    assert (found.invoice_id, found.total) == (first.invoice_id, PART)


@pytest.mark.parametrize(("before", "after"), [(PART, None), (None, PART)])
def test_a_plain_order_and_a_reservation_are_never_the_same(
    world: World, before: int | None, after: int | None
) -> None:
    siti = world.counter("siti")
    first = request(before)
    siti.bookings.book(first)
    as_it_was = invoices(world)
    with pytest.raises(Refusal) as no:
        siti.bookings.book(replace(first, down_payment=None if after is None else Rupiah(after)))
    refused(no.value, RefusalCode.DUPLICATE, "order_id")
    assert invoices(world) == as_it_was


def test_a_price_that_changed_meanwhile_is_told_although_the_part_is_the_same(world: World) -> None:
    siti = world.counter("siti")
    shown = siti.bookings.quote([line(TEN)], down_payment=Rupiah(PART))
    world.do("UPDATE sentra.sku SET daily_rate = daily_rate + 10000")
    with pytest.raises(Refusal) as no:
        siti.bookings.book(request(expected=shown.total + shown.balance))
    told = refused(no.value, RefusalCode.PRICE_CHANGED)
    assert (told["old"], told["new"]) == (THREE + DEPOSIT, THREE + 30_000 + DEPOSIT)


@pytest.mark.parametrize(("hours", "back"), [(60, PART), (30, PART // 2), (3, 0)])
def test_a_reservation_whose_balance_is_open_gives_back_by_the_ladder_of_what_was_paid(
    world: World, hours: int, back: int
) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = reserve(siti)
    world.settle(siti, booked)
    world.stand(PICKUP - dt.timedelta(hours=hours))
    shown = siti.bookings.cancellation_effect(booked.bookings[0].id)

    assert (shown.rent_back, shown.deposit_back, shown.fee) == (back, 0, PART - back)
    siti.bookings.cancel_paid(booked.bookings[0].id, "batal", shown.back)

    assert invoices(world) == [("DOWN_PAYMENT", "PAID", PART), ("BALANCE", "VOID", THREE - PART + DEPOSIT)]
    world.catch_up()
    world.assert_sound()


def test_a_reservation_that_is_paid_whole_gives_back_of_both_invoices_and_the_deposit(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = reserve(siti)
    world.settle(siti, booked)
    world.after(minutes=1)
    pay(world, balance(world))

    shown = siti.bookings.cancellation_effect(booked.bookings[0].id)
    done = siti.bookings.cancel_paid(booked.bookings[0].id, "batal", shown.back)

    assert (shown.rent_back, shown.deposit_back) == (THREE, DEPOSIT)
    assert sorted((item.kind.value, int(item.amount)) for item in done.refunds) == [
        *(("DEPOSIT", DEPOSIT), ("RENT", PART), ("RENT", THREE - PART)),
    ]
    world.assert_sound()


def test_what_an_unpaid_reservation_costs_more_or_less_its_balance_takes(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = reserve(siti)
    booking = booked.bookings[0].id
    for last, rest in (("2027-03-14", 5 * RATE - PART), ("2027-03-11", 2 * RATE - PART)):
        asked = siti.changes_of_bookings.quote_change(booking, days("2027-03-10", last)).difference
        changed = siti.changes_of_bookings.reschedule(booking, days("2027-03-10", last))
        assert changed.difference == asked
        assert invoices(world) == [("DOWN_PAYMENT", "OPEN", PART), ("BALANCE", "OPEN", rest + DEPOSIT)]
    with pytest.raises(Refusal) as no:
        siti.changes_of_bookings.reschedule(booking, days("2027-03-10"))
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == "down_payment"
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-11")]
    world.settle(siti, booked)
    world.assert_sound()


def test_a_paid_reservation_grows_and_shrinks_on_its_balance_and_then_gives_back(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = reserve(siti)
    booking = booked.bookings[0].id
    world.settle(siti, booked)
    siti.changes_of_bookings.swap_unit(booking, AVANZAS[1])
    for last, rest, back in (
        ("2027-03-14", 5 * RATE - PART, 0),
        ("2027-03-11", 2 * RATE - PART, 0),
        ("2027-03-10", 0, PART - RATE),
        ("2027-03-12", 3 * RATE - PART, 0),
    ):
        asked = siti.changes_of_bookings.quote_change(booking, days("2027-03-10", last)).difference
        assert siti.changes_of_bookings.reschedule(booking, days("2027-03-10", last)).difference == asked
        assert invoices(world) == [("DOWN_PAYMENT", "PAID", PART), ("BALANCE", "OPEN", rest + DEPOSIT)]
        assert world.value("SELECT coalesce(sum(amount), 0)::bigint FROM sentra.refund WHERE state = 'DUE'") == back
    world.after(minutes=1)
    pay(world, balance(world))
    shown = siti.bookings.cancellation_effect(booking)
    assert (shown.rent_back, shown.deposit_back) == (THREE, DEPOSIT)
    siti.bookings.cancel_paid(booking, "batal", shown.back)
    world.assert_sound()


def test_a_reservation_of_the_whole_rent_asks_for_more_days_at_once(world: World) -> None:
    world.do("UPDATE sentra.sku SET deposit = 0")
    siti = world.counter("siti")
    booking = reserve(siti, THREE).bookings[0].id
    siti.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-13"))
    assert invoices(world) == [("DOWN_PAYMENT", "OPEN", 4 * RATE), ("BALANCE", "VOID", 0)]
    world.assert_sound()


def test_a_reservation_is_booked_by_name_from_json(world: World) -> None:
    order = {
        "customer": {"name": "Rina Maharani", "phone": "0812 0000 1234"},
        "lines": [{"sku": "TOY-AVNZ-G", "first_day": "2027-03-10", "last_day": "2027-03-12"}],
        "down_payment": PART,
    }
    said = do(world.counter("siti"), "book", order)
    assert isinstance(said, dict)
    assert said["total"] == PART
    assert [kind for kind, _, _ in invoices(world)] == ["DOWN_PAYMENT", "BALANCE"]
