"""Orders with extras, a discount, an agreed deposit and dated rates: booked as quoted, and frozen on the booking."""

import datetime as dt
import json
import uuid
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from app.adapters.postgres import tx_booking
from app.adapters.postgres.tx_booking import order_json
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import LineKind
from app.domain.money import Rupiah
from app.domain.rates import ExtraWish
from app.usecases.bookings import BookLine
from app.usecases.rows import NewOrder
from tests.support.world import AVANZAS, SKU, World, days, refused
from tests.usecases.rates_rig import DELIVERY, DRIVER, SEAT, TOLL, add_extras, book, request, set_card, wish

pytest_plugins = ("tests.support.world_fixtures",)

THREE = days("2027-03-02", "2027-03-04")
FRIDAY_TO_MONDAY = days("2027-03-05", "2027-03-08")


def nothing_was_booked(world: World) -> bool:
    return world.value("SELECT count(*) FROM sentra.booking") == 0 and not world.claims()


def test_c74_what_is_quoted_is_booked_printed_and_frozen_to_the_rupiah(world: World) -> None:
    add_extras(world)
    siti = world.counter("siti")
    order = wish(THREE, None, DRIVER, DELIVERY, TOLL, percent=5, deposit=700_000)
    told = siti.bookings.quote([order])
    assert (told.rent, told.extras, told.discount, told.deposit) == (1_050_000, 825_000, 90_000, 700_000)
    assert told.total == 1_050_000 + 825_000 - 90_000 + 700_000
    assert told.valid_until == world.now() + dt.timedelta(minutes=15)
    booked = siti.bookings.book(request(siti, [order], expected=told.total))
    assert booked.total == told.total
    invoice = siti.settlement.invoice(booked.invoice_id)
    assert [(line.kind, line.text, line.quantity, line.amount) for line in invoice.lines] == [
        (LineKind.RENT, "Avanza G", 3, 1_050_000),
        (LineKind.EXTRA, "Sopir", 3, 600_000),
        (LineKind.EXTRA, "Antar", 1, 150_000),
        (LineKind.EXTRA, "Tol", 1, 75_000),
        (LineKind.DISCOUNT, "Diskon 5 %", 1, -90_000),
        (LineKind.DEPOSIT, "Avanza G", 1, 700_000),
    ]
    assert told.ppn is not None
    assert (invoice.base, invoice.ppn) == (told.ppn.base, told.ppn.tax)
    assert invoice.base + invoice.ppn == 1_710_000
    assert world.rows("SELECT discount_percent, deposit, card FROM sentra.booking") == [(5, 700_000, None)]
    assert world.rows("SELECT code, rate, quantity FROM sentra.booking_extra ORDER BY line_no") == [
        (DRIVER, 200_000, 1),
        (DELIVERY, 150_000, 1),
        (TOLL, 75_000, 1),
    ]
    world.open_shift(siti)
    world.settle(siti, booked)
    world.assert_sound()


def test_a_card_of_rates_is_frozen_with_the_holidays_of_the_period(world: World) -> None:
    set_card(world, weekend=400_000, holiday=500_000)
    maya, siti = world.counter("maya"), world.counter("siti")
    maya.holidays.set_holiday(dt.date(2027, 3, 5), "Hari jadi kota")
    maya.holidays.remove_holiday(dt.date(2027, 3, 8))  # whatever the national calendar says of it
    booked = book(siti, wish(FRIDAY_TO_MONDAY))
    lines = siti.settlement.invoice(booked.invoice_id).lines
    assert [(line.text, line.quantity, line.unit_price) for line in lines] == [
        ("Avanza G", 1, 350_000),
        ("Avanza G · akhir pekan", 2, 400_000),
        ("Avanza G · hari libur", 1, 500_000),
        ("Avanza G", 1, 500_000),
    ]
    assert world.rows("SELECT daily_rate, card, holidays::text FROM sentra.booking") == [
        (350_000, {"weekend": 400_000, "holiday": 500_000}, "{2027-03-05}")
    ]


def test_each_line_has_the_holidays_of_its_own_days_alone(world: World) -> None:
    set_card(world, holiday=500_000)
    siti, maya = world.counter("siti"), world.counter("maya")
    for day in (3, 9, 10, 16):
        maya.holidays.set_holiday(dt.date(2027, 3, day), "Hari jadi kota")
    lines = [wish(days("2027-03-16"), AVANZAS[0]), wish(days("2027-03-02", "2027-03-03"), AVANZAS[1])]
    booked = book(siti, *lines)
    assert booked.total == 500_000 + 350_000 + 500_000 + 2 * 500_000
    assert world.rows("SELECT holidays::text FROM sentra.booking ORDER BY first_day") == [
        ("{2027-03-03}",),
        ("{2027-03-16}",),
    ]
    world.assert_sound()


def test_a_rental_has_the_rates_that_are_in_force_on_its_first_day(world: World) -> None:
    set_card(world, "2027-03-04", deposit=800_000, weekday=450_000)
    siti = world.counter("siti")
    assert siti.bookings.quote([wish(days("2027-03-03", "2027-03-05"))]).total == 3 * 350_000 + 500_000
    told = siti.bookings.quote([wish(days("2027-03-04", "2027-03-05"))])
    assert (told.rent, told.deposit) == (900_000, 800_000)
    assert book(siti, wish(days("2027-03-04", "2027-03-05"))).total == told.total


def test_a_week_and_a_month_have_their_own_price_and_several_units_one_invoice(world: World) -> None:
    set_card(world, weekly=2_000_000, monthly=7_500_000)
    siti = world.counter("siti")
    lines = [wish(days("2027-03-02", "2027-03-09"), AVANZAS[0]), wish(days("2027-03-02", "2027-04-01"), AVANZAS[1])]
    booked = book(siti, *lines)
    assert booked.total == 2_000_000 + 350_000 + 7_500_000 + 350_000 + 2 * 500_000
    world.assert_sound()


def test_a_price_that_is_another_one_by_now_is_told_before_anything_is_held(world: World) -> None:
    siti = world.counter("siti")
    with pytest.raises(Refusal) as no:
        siti.bookings.book(request(siti, [wish(THREE)], expected=1_000_000))
    assert refused(no.value, RefusalCode.PRICE_CHANGED) == {"old": 1_000_000, "new": 1_550_000}
    assert nothing_was_booked(world)


def test_a_discount_above_the_limit_needs_a_managers_word(world: World) -> None:
    ayu, maya = world.counter("ayu"), world.counter("maya")
    order_id = ayu.new_id()
    with pytest.raises(Refusal) as no:
        ayu.bookings.book(request(ayu, [wish(THREE, percent=11)], order_id=order_id))
    assert refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id") == {
        "reason": "missing",
        "action": "discount",
        "object": order_id,
        "amount": 115_500,
        "limit": 10,
    }
    assert nothing_was_booked(world)
    assert book(ayu, wish(THREE, percent=10)).total == 945_000 + 500_000
    assert book(maya, wish(THREE, AVANZAS[1], percent=100)).total == 500_000
    world.do("INSERT INTO sentra.setting (branch_id, key, value) VALUES ('JKT', 'discount_limit', '{\"agent\": 25}')")
    assert book(ayu, wish(THREE, AVANZAS[2], percent=25)).total == 787_500 + 500_000


@pytest.mark.parametrize(
    ("spoilt", "code", "field"),
    [
        ({"discount_percent": 101}, RefusalCode.FIELD_INVALID, "lines[0].discount_percent"),
        ({"discount_percent": -1}, RefusalCode.FIELD_INVALID, "lines[0].discount_percent"),
        ({"deposit": Rupiah(499_999)}, RefusalCode.FIELD_INVALID, "lines[0].deposit"),
        ({"deposit": Rupiah(-1)}, RefusalCode.FIELD_INVALID, "lines[0].deposit"),
        ({"extras": (ExtraWish(code="PAYUNG"),)}, RefusalCode.NOT_FOUND, "lines[0].extras"),
        ({"extras": (ExtraWish(code="a b"),)}, RefusalCode.FIELD_INVALID, "lines[0].extras"),
        ({"extras": (ExtraWish(code=SEAT, quantity=0),)}, RefusalCode.FIELD_INVALID, "lines[0].extras"),
        ({"extras": (ExtraWish(code=SEAT), ExtraWish(code=SEAT))}, RefusalCode.FIELD_INVALID, "lines[0].extras"),
        ({"due_time": dt.time(8), "pickup_time": dt.time(9), "period": days("2027-03-02")},
         RefusalCode.PERIOD_INVALID, "lines[0].due_time"),
    ],
)  # fmt: skip
def test_a_wish_that_cannot_be_is_refused_by_its_field(
    world: World, spoilt: dict[str, object], code: RefusalCode, field: str
) -> None:
    add_extras(world)
    siti = world.counter("siti")
    with pytest.raises(Refusal) as no:
        siti.bookings.book(request(siti, [replace(wish(THREE), **spoilt)]))  # type: ignore[arg-type]
    refused(no.value, code, field)
    assert nothing_was_booked(world)


def test_an_order_sent_again_answers_the_first_result_though_its_extra_was_dropped(world: World) -> None:
    add_extras(world)
    siti = world.counter("siti")
    sent = request(siti, [wish(THREE, None, DRIVER, percent=5)])
    first = siti.bookings.book(sent)
    world.do("UPDATE sentra.extra SET active = false, rate = 999999")
    again = siti.bookings.book(sent)
    assert (again.repeat, again.total, again.bookings) == (True, first.total, first.bookings)
    for other in (wish(THREE, None, DRIVER), wish(THREE, None, percent=5), wish(THREE, None)):
        with pytest.raises(Refusal) as no:
            siti.bookings.book(replace(sent, lines=(other,)))
        refused(no.value, RefusalCode.DUPLICATE, "order_id")


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        ("discount_percent", 6, ("FIELD_INVALID", "prices[2]")),
        ("discount_percent", None, ("FIELD_INVALID", "prices[2]")),
        ("discount_percent", 40, ("FIELD_INVALID", "prices[2]")),
        ("extras", [], ("FIELD_INVALID", "prices[1]")),
        ("deposit", 400_000, ("PRICE_CHANGED", None)),
        ("agreed_deposit", 400_000, ("FIELD_INVALID", "lines[0].deposit")),
        ("daily_rate", 1, ("PRICE_CHANGED", None)),
        ("card", {"weekly": 1}, ("PRICE_CHANGED", None)),
        ("card", {"weekly": -1}, ("FIELD_INVALID", "lines[0].card")),
        ("holidays", ["2027-02-30"], ("FIELD_INVALID", "lines[0].holidays")),
        ("day_offset", -1, ("PRICE_CHANGED", None)),
        ("min_days", 0, ("PRICE_CHANGED", None)),
    ],
)
def test_a_forged_call_sells_no_cheaper(
    world: World, name: str, value: object, refusal: tuple[str, str | None]
) -> None:
    wanted = forged(world, wish(THREE, AVANZAS[0], DRIVER, percent=5))
    booking = wanted["bookings"][0]
    booking[name] = value
    assert sent(world, wanted) == refusal


def test_a_forged_extra_sells_no_cheaper(world: World) -> None:
    right = json.dumps(forged(world, wish(THREE, AVANZAS[0], DRIVER)))
    for spoilt, wanted in (
        ({"rate": 1}, ("PRICE_CHANGED", None)),
        ({"per_day": False}, ("PRICE_CHANGED", None)),
        ({"code": "PAYUNG"}, ("NOT_FOUND", "lines[0].extras")),
        ({"quantity": 0}, ("FIELD_INVALID", "lines[0].extras.quantity")),
    ):
        order: dict[str, Any] = json.loads(right)
        order["bookings"][0]["extras"][0] |= spoilt
        assert sent(world, order) == wanted


def test_a_discount_above_the_limit_sent_by_hand_needs_a_managers_word_too(world: World) -> None:
    order = forged(world, wish(THREE, AVANZAS[0], DRIVER, percent=50), login="maya")
    assert sent(world, order) == ("APPROVAL_NEEDED", "approval_id")


def forged(world: World, line: BookLine, login: str = "siti") -> dict[str, Any]:
    """An order as a counter sends it, under other ids, to be spoilt and sent by hand."""
    add_extras(world)
    caught: list[dict[str, Any]] = []

    def catching(order: NewOrder) -> dict[str, object]:
        caught.append(order_json(order))
        return dict(caught[-1])

    who = world.counter(login)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tx_booking, "order_json", catching)
        booked = book(who, line)
    who.bookings.cancel(booked.bookings[0].id)
    text = json.dumps(caught[0], default=lambda value: value.isoformat())
    for known in (booked.order_id, booked.invoice_id, booked.bookings[0].id):
        text = text.replace(known, str(uuid.uuid4()))
    found: dict[str, Any] = json.loads(text)
    return found


def sent(world: World, order: object) -> tuple[str | None, str | None]:
    with psycopg.connect(world.url_of("siti"), autocommit=True) as mine, pytest.raises(psycopg.Error) as refused:
        mine.execute("SELECT sentra.book_order(%s)", (json.dumps(order),))
    assert refused.value.sqlstate == "SR001", refused.value
    assert world.value("SELECT count(*) FROM sentra.booking WHERE state <> 'CANCELLED'") == 0
    detail = json.loads(refused.value.diag.message_detail or "{}")
    return refused.value.diag.message_primary, detail.get("field")


def test_by_24_hours_the_times_of_day_say_how_many_days_are_paid_for(world: World) -> None:
    world.do("UPDATE sentra.branch SET counts_hours = true")
    siti = world.counter("siti")
    line = wish(THREE)
    assert siti.bookings.quote([line]).rent == 2 * 350_000  # due at the pick-up's time of day
    later = replace(line, pickup_time=dt.time(9), due_time=dt.time(9, 31))
    assert siti.bookings.quote([later]).rent == 3 * 350_000
    within = replace(line, pickup_time=dt.time(9), due_time=dt.time(9, 30))
    booked = book(siti, within)
    assert booked.total == 2 * 350_000 + 500_000
    assert world.rows("SELECT counts_hours, day_offset, last_day::text FROM sentra.booking") == [
        (True, -1, "2027-03-04")
    ]
    world.do("UPDATE sentra.sku SET min_days = 5 WHERE id = %s", SKU)
    assert siti.bookings.quote([within]).rent == 5 * 350_000
    world.assert_sound()
