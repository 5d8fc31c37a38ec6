"""Booking and cancelling on real servers: who wins, what the loser is told, and what is written where."""

import datetime as dt
import uuid
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookRequest
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT, EVALSHA, postgres_proxy, redis_proxy
from tests.support.waiting import eventually
from tests.support.world import (
    AVANZA,
    AVANZAS,
    FAR_AVANZA,
    HIACE,
    OTHER_SKU,
    SKU,
    WIB,
    World,
    blockers_of,
    cash,
    days,
    line,
    refused,
)

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
"""Sessions of this test that wait for somebody's row lock."""


def test_a_booking_is_pending_for_15_minutes_with_its_days_its_invoice_and_its_bits(world: World) -> None:
    booked = world.book(world.counter("ayu"), MARCH)
    (unit,) = booked.bookings
    assert unit.state is BookingState.PENDING_PAYMENT
    assert unit.payment_deadline == world.now() + dt.timedelta(minutes=15)
    assert booked.total == 3 * 350_000 + 500_000
    assert world.rows("SELECT unit_id, days::text, kind, booking_id::text, active FROM sentra.occupancy") == [
        (AVANZA, "[2027-03-10,2027-03-13)", "BOOKING", unit.id, True)
    ]
    assert world.rows("SELECT id::text, kind, state, total, paid, number FROM sentra.invoice") == [
        (booked.invoice_id, "RENTAL", "OPEN", booked.total, 0, None)
    ]
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    world.assert_sound()


def test_c01_of_twenty_people_who_book_one_unit_at_once_one_wins_and_the_others_are_told_who(world: World) -> None:
    agents = [world.counter("ayu", f"Kasir {n}") for n in range(20)]
    found = at_once(
        *(lambda n=n, who=who: world.book(who, MARCH, phone=f"0812000{n:04}") for n, who in enumerate(agents))
    )
    (winner,) = found.results
    assert len(found.refusals) == 19
    for no in found.refusals:
        (blocker,) = blockers_of(no)
        assert blocker["number"] == winner.bookings[0].number
    assert world.value("SELECT count(*) FROM sentra.booking") == 1
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    world.assert_sound()


def test_c02_any_unit_asked_for_at_once_never_gives_one_unit_twice(world: World) -> None:
    agents = [world.counter("ayu", f"Kasir {n}") for n in range(8)]
    found = at_once(*(lambda who=who: world.book(who, MARCH, None) for who in agents))
    assert sorted(order.bookings[0].unit_id for order in found.results) == sorted(AVANZAS)
    for no in found.refusals:
        params = refused(no, RefusalCode.DAYS_TAKEN, "lines[0]")
        assert params["free_units"] == 0
        assert {action.action for action in no.next} == {"use_dates", "other_branch", "waitlist"}
    assert len(found.refusals) == 5
    world.assert_sound()


def test_c02_any_unit_without_redis_uses_every_free_unit_before_anyone_is_refused(world: World) -> None:
    agents = [world.counter("ayu", f"Kasir {n}", redis_url=None) for n in range(6)]
    found = at_once(*(lambda who=who: world.book(who, MARCH, None) for who in agents))
    assert sorted(order.bookings[0].unit_id for order in found.results) == sorted(AVANZAS)


def test_any_unit_is_asked_of_the_database_again_before_it_is_refused(world: World) -> None:
    """Two of three units look taken in the index, by claims that came to nothing; the third really is."""
    ayu = world.counter("ayu")
    with world.redis() as client:
        for unit in AVANZAS[:2]:
            client.setbit(f"avail:{SKU}:{unit}:202703", 9, 1)
            client.setbit(f"apack:{SKU}:202703", AVANZAS.index(unit) * 32 + 9, 1)
    world.book(world.counter("siti", redis_url=None), MARCH, AVANZAS[2])
    booked = world.book(ayu, MARCH, None)
    assert booked.bookings[0].unit_id in AVANZAS[:2]


def test_c03_the_second_form_is_refused_and_its_customer_is_booked_on_another_unit(world: World) -> None:
    ayu, siti = world.counter("ayu", "Kasir 1"), world.counter("siti", "Kasir 2")
    order_id = str(uuid.uuid4())
    first = world.book(ayu, MARCH)
    world.after(minutes=2)
    with pytest.raises(Refusal) as no:
        world.book(siti, MARCH, order_id=order_id, name="Bagus Prasetyo", phone="0812 7777 0001")
    refused(no.value, RefusalCode.DAYS_TAKEN, "lines[0]")
    other = no.value.next[0].params["unit_id"]
    second = world.book(siti, MARCH, str(other), order_id=order_id, name="Bagus Prasetyo", phone="0812 7777 0001")
    assert second.order_id == order_id
    assert first.bookings[0].unit_id != second.bookings[0].unit_id
    assert world.rows("SELECT name FROM sentra.customer ORDER BY created_at") == [
        ("Rina Maharani",),
        ("Bagus Prasetyo",),
    ]


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        pytest.param(("12", "13"), ("10", "15"), id="around"),
        pytest.param(("10", "15"), ("12", "13"), id="inside"),
        pytest.param(("10", "13"), ("12", "15"), id="right"),
        pytest.param(("12", "15"), ("10", "13"), id="left"),
        pytest.param(("12", "13"), ("12", "13"), id="equal"),
        pytest.param(("23", "26"), ("24", "26"), id="c13-only-the-start-differs"),
    ],
)
def test_c04_c13_every_shape_of_overlap_is_refused_and_named(
    world: World, there: tuple[str, str], wanted: tuple[str, str]
) -> None:
    first = world.book(world.counter("ayu"), days(f"2027-03-{there[0]}", f"2027-03-{there[1]}"))
    before = world.counts()
    with pytest.raises(Refusal) as no:
        world.book(world.counter("siti"), days(f"2027-03-{wanted[0]}", f"2027-03-{wanted[1]}"), phone="0812 7777 0001")
    (blocker,) = blockers_of(no.value)
    assert blocker["number"] == first.bookings[0].number
    assert (str(blocker["first_day"]), str(blocker["last_day"])) == (f"2027-03-{there[0]}", f"2027-03-{there[1]}")
    assert world.counts() == before
    world.assert_sound()


@pytest.mark.parametrize("wanted", [("2027-03-08", "2027-03-09"), ("2027-03-13", "2027-03-15")])
def test_days_that_only_touch_are_booked(world: World, wanted: tuple[str, str]) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, MARCH)
    assert world.book(ayu, days(*wanted)).bookings[0].unit_id == AVANZA


def test_a_refusal_says_who_has_it_two_other_free_units_and_the_nearest_free_dates(world: World) -> None:
    booked = world.book(world.counter("siti", "Kasir 2"), MARCH)
    with pytest.raises(Refusal) as no:
        world.book(world.counter("ayu"), days("2027-03-11", "2027-03-13"), phone="0812 7777 0001")
    params = refused(no.value, RefusalCode.DAYS_TAKEN, "lines[0]")
    assert (params["unit_id"], params["plate"], params["free_units"]) == (AVANZA, "B 1200 XYZ", 2)
    assert params["blockers"] == [
        {
            "unit_id": AVANZA,
            "kind": "BOOKING",
            "first_day": dt.date(2027, 3, 10),
            "last_day": dt.date(2027, 3, 12),
            "number": booked.bookings[0].number,
            "state": "PENDING_PAYMENT",
            "customer": "Rina Maharani",
            "since": world.now(),
            "by": "Siti",
            "counter": "Kasir 2",
        }
    ]
    offered = [(item.action, item.params["unit_id"], str(item.params["first_day"])) for item in no.value.next]
    assert offered == [
        ("use_unit", AVANZAS[1], "2027-03-11"),
        ("use_unit", AVANZAS[2], "2027-03-11"),
        ("use_dates", AVANZA, "2027-03-13"),
        ("use_dates", AVANZA, "2027-03-07"),
        ("other_branch", FAR_AVANZA, "2027-03-11"),
    ]


def test_what_a_refusal_offers_can_be_booked(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, MARCH)
    with pytest.raises(Refusal) as no:
        world.book(ayu, MARCH)
    for action in no.value.next:
        if action.action == "other_branch":
            continue  # a unit of theirs: their counter books it
        first, last = action.params["first_day"], action.params["last_day"]
        assert isinstance(first, dt.date)
        assert isinstance(last, dt.date)
        world.book(ayu, RentalPeriod(first, last), str(action.params["unit_id"]))
    world.assert_sound()


def test_c07_an_order_for_two_units_of_which_one_is_free_is_refused_whole(world: World) -> None:
    ayu = world.counter("ayu")
    for unit in AVANZAS[:2]:
        world.book(ayu, MARCH, unit)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        world.order(ayu, [line(MARCH, None), line(MARCH, None)], phone="0812 7777 0001")
    refused(no.value, RefusalCode.DAYS_TAKEN, "lines[1]")
    assert world.counts() == before
    assert world.bits(AVANZAS[2], "202703") == []
    world.assert_sound()


def test_an_order_with_one_taken_unit_leaves_nothing_of_its_other_units(world: World) -> None:
    world.book(world.counter("siti"), MARCH, AVANZAS[1])
    before = world.counts()
    with pytest.raises(Refusal) as no:
        world.order(world.counter("ayu"), [line(MARCH, unit) for unit in AVANZAS], phone="0812 7777 0001")
    assert refused(no.value, RefusalCode.DAYS_TAKEN, "lines[1]")["unit_id"] == AVANZAS[1]
    assert world.counts() == before
    assert world.bits(AVANZAS[0], "202703") == world.bits(AVANZAS[2], "202703") == []
    world.assert_sound()


def test_an_order_of_several_units_is_one_invoice_with_a_booking_each(world: World) -> None:
    booked = world.order(
        world.counter("ayu"), [line(MARCH), line(MARCH, None), line(days("2027-03-20"), HIACE, OTHER_SKU)]
    )
    assert [item.unit_id for item in booked.bookings] == [AVANZA, AVANZAS[1], HIACE]
    assert booked.total == 2 * (3 * 350_000 + 500_000) + 1_150_000 + 1_500_000
    assert world.value("SELECT count(*) FROM sentra.invoice") == 1
    assert world.bits(HIACE, "202703", OTHER_SKU) == [20, 21], "a day of turnaround follows"
    world.assert_sound()


def test_two_lines_of_an_order_may_use_one_unit_on_different_days_only(world: World) -> None:
    ayu = world.counter("ayu")
    for unit in AVANZAS[:2]:
        world.book(ayu, days("2027-03-09", "2027-03-22"), unit)
    booked = world.order(ayu, [line(days("2027-03-10"), None), line(days("2027-03-20"), None)])
    assert [item.unit_id for item in booked.bookings] == [AVANZAS[2], AVANZAS[2]]
    given = world.order(ayu, [line(days("2027-04-01", "2027-04-02")), line(days("2027-04-03"))])
    assert [item.unit_id for item in given.bookings] == [AVANZA, AVANZA]
    with pytest.raises(Refusal) as no:
        world.order(ayu, [line(days("2027-05-01", "2027-05-02")), line(days("2027-05-02"))])
    assert refused(no.value, RefusalCode.FIELD_INVALID, "lines[0].unit_id")["reason"] == "twice"
    world.assert_sound()


def test_c11_a_booking_over_a_month_end_sets_both_months_or_neither(world: World) -> None:
    world.stand(dt.datetime(2027, 1, 15, 10, tzinfo=WIB))
    world.make_index_whole()
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-02-02"), AVANZAS[1])
    with pytest.raises(Refusal):
        world.book(ayu, days("2027-01-31", "2027-02-02"), AVANZAS[1])
    assert world.bits(AVANZAS[1], "202701") == []
    assert world.bits(AVANZAS[1], "202702") == [2]

    booked = world.book(ayu, days("2027-01-31", "2027-02-02"))
    assert world.bits(AVANZA, "202701") == [31]
    assert world.bits(AVANZA, "202702") == [1, 2]
    (bar,) = ayu.calendar.bars(days("2027-01-01", "2027-01-31"))
    assert bar.booking_id == booked.bookings[0].id
    world.assert_sound()


def test_c20_a_cancelled_booking_frees_its_days_at_once_and_records_one_stretch(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    booked = world.book(ayu, MARCH)
    ended = ayu.bookings.cancel(booked.bookings[0].id, "salah unit")
    assert ended.state is BookingState.CANCELLED
    assert world.bits(AVANZA, "202703") == []
    view = siti.calendar.calendar(days("2027-03-01", "2027-03-31"))
    assert view.masks.from_index
    assert not any(view.masks.is_taken(unit, dt.date(2027, 3, 11)) for unit in view.fleet)
    assert world.rows("SELECT sku_id, branch_id, unit_id, days::text, cause FROM sentra.freed_stretch") == [
        (SKU, "JKT", AVANZA, "[2027-03-10,2027-03-13)", "cancel")
    ]
    assert world.value("SELECT state FROM sentra.invoice") == "VOID"
    assert world.book(siti, MARCH).bookings[0].unit_id == AVANZA
    world.assert_sound()


def test_c23_two_cancels_at_once_free_the_days_once_and_never_somebody_elses(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    for _ in range(10):
        first = world.book(ayu, MARCH).bookings[0].id
        found = at_once(
            partial(ayu.bookings.cancel, first),
            partial(siti.bookings.cancel, first),
        )
        (no,) = found.refusals
        assert refused(no, RefusalCode.BOOKING_STATE, "booking_id")["state"] == "CANCELLED"
        second = world.book(siti, MARCH).bookings[0].id
        with pytest.raises(Refusal):
            ayu.bookings.cancel(first)
        assert world.bits(AVANZA, "202703") == [10, 11, 12]
        siti.bookings.cancel(second)
    assert world.value("SELECT count(*) FROM sentra.freed_stretch") == 20
    world.assert_sound()


def test_r16_the_same_customer_unit_and_days_after_a_cancel_are_a_new_booking(world: World) -> None:
    ayu = world.counter("ayu")
    first = world.book(ayu, MARCH)
    ayu.bookings.cancel(first.bookings[0].id)
    second = world.book(ayu, MARCH)
    assert first.bookings[0].id != second.bookings[0].id
    assert world.state(first.bookings[0].id) == "CANCELLED"
    assert world.value("SELECT count(*) FROM sentra.occupancy WHERE active") == 1
    assert world.value("SELECT count(*) FROM sentra.customer") == 1


def test_cancelling_one_unit_of_an_order_reprices_the_rest(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = world.order(siti, [line(MARCH), line(MARCH, AVANZAS[1])])
    siti.bookings.cancel(booked.bookings[1].id)
    detail = siti.settlement.invoice(booked.invoice_id)
    assert detail.row.total == 3 * 350_000 + 500_000
    assert world.bits(AVANZAS[1], "202703") == []
    held = siti.settlement.open_invoice(booked.invoice_id)
    siti.settlement.settle(held.handle, siti.new_id(), [cash(detail.row.total)])
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    assert world.state(booked.bookings[1].id) == "CANCELLED"
    world.assert_sound()


def test_r01_fifty_times_two_desks_at_one_unit_and_one_of_them_wins(world: World) -> None:
    ayu, siti = world.counter("ayu", "Kasir 1"), world.counter("siti", "Kasir 2")
    for n in range(50):
        period = RentalPeriod(*(dt.date(2027, 3, 2) + dt.timedelta(days=3 * n + step) for step in (0, 2)))
        found = at_once(
            partial(world.book, ayu, period),
            partial(world.book, siti, period, phone="0812 7777 0001"),
        )
        (winner,) = found.results
        (no,) = found.refusals
        (blocker,) = blockers_of(no)
        assert blocker["number"] == winner.bookings[0].number
    world.assert_sound()


def test_r02_r10_the_same_draft_sent_from_two_windows_is_one_booking(world: World) -> None:
    windows = [world.counter("ayu", f"Kasir {n}") for n in (1, 2)]
    order_id = str(uuid.uuid4())
    for unit in (AVANZA, None):
        order_id = str(uuid.uuid4())
        period = days("2027-03-10") if unit else days("2027-03-20")
        found = at_once(
            *(
                lambda who=who, unit=unit, period=period, order_id=order_id: world.book(
                    who, period, unit, order_id=order_id
                )
                for who in windows
            )
        )
        assert found.refusals == []
        assert len({order.bookings[0].id for order in found.results}) == 1
        assert sorted(order.repeat for order in found.results) == [False, True]
    assert world.value("SELECT count(*) FROM sentra.booking") == 2
    world.assert_sound()


def test_r11_the_same_order_id_again_answers_the_same_also_after_midnight(world: World) -> None:
    ayu = world.counter("ayu")
    order_id = str(uuid.uuid4())
    first = world.book(ayu, days("2027-03-01", "2027-03-02"), order_id=order_id)
    before = world.counts()
    world.after(days=1)
    again = world.book(ayu, days("2027-03-01", "2027-03-02"), order_id=order_id)
    assert again.repeat
    assert (again.bookings[0].id, again.bookings[0].number) == (first.bookings[0].id, first.bookings[0].number)
    assert (again.invoice_id, again.total) == (first.invoice_id, first.total)
    assert world.counts() == before


@pytest.mark.parametrize("what", ["days", "customer", "more", "unit"])
def test_another_order_under_a_used_id_is_refused_and_never_answered_as_booked(world: World, what: str) -> None:
    ayu = world.counter("ayu")
    order_id = str(uuid.uuid4())
    world.book(ayu, MARCH, order_id=order_id)
    before = world.counts()
    others = {
        "days": [line(days("2027-03-20"))],
        "more": [line(MARCH), line(MARCH, AVANZAS[1])],
        "unit": [line(MARCH, AVANZAS[1])],
    }
    lines = others.get(what, [line(MARCH)])
    phone = "0812 7777 0009" if what == "customer" else "0812 0000 1234"
    with pytest.raises(Refusal) as no:
        world.order(ayu, lines, order_id=order_id, phone=phone)
    refused(no.value, RefusalCode.DUPLICATE, "order_id")
    assert world.counts() == before
    world.assert_sound()


def test_c36_r07_half_past_midnight_in_jakarta_is_the_new_day_on_a_utc_server(world: World) -> None:
    assert world.value("SHOW timezone") == "UTC"
    world.stand(dt.datetime(2027, 3, 11, 0, 30, tzinfo=WIB))
    siti = world.counter("siti")
    world.open_shift(siti)
    with pytest.raises(Refusal) as no:
        world.book(siti, days("2027-03-10"))
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "lines[0].first_day")["reason"] == "past"
    booked = world.book(siti, days("2027-03-11"))
    world.settle(siti, booked)
    assert world.rows("SELECT first_day::text, last_day::text FROM sentra.booking") == [("2027-03-11", "2027-03-11")]
    assert world.bits(AVANZA, "202703") == [11]
    assert world.rows("SELECT issued_on::text, number FROM sentra.invoice") == [("2027-03-11", "INV/JKT/202703/00001")]


def test_c42_a_same_day_rental_is_one_day_everywhere(world: World) -> None:
    ayu = world.counter("ayu")
    period = days("2027-03-29")
    assert ayu.bookings.quote([line(period)]).rent == 350_000
    booked = world.book(ayu, period)
    assert booked.total == 350_000 + 500_000
    assert world.rows("SELECT quantity, amount FROM sentra.invoice_line WHERE kind = 'RENT'") == [(1, 350_000)]
    assert world.bits(AVANZA, "202703") == [29]


def test_a_customer_is_found_again_by_phone_however_it_is_typed(world: World) -> None:
    ayu = world.counter("ayu")
    typed = ("0812 0000 1234", "62 812-0000-1234", "+6281200001234", "81200001234")
    for n, phone in enumerate(typed):
        world.book(ayu, days(f"2027-03-{10 + n}"), phone=phone)
    assert world.rows("SELECT phone FROM sentra.customer") == [("+6281200001234",)]


def test_r42_the_redlock_deleted_in_the_middle_still_leaves_one_booking(world: World) -> None:
    _with_the_unit_locked_in_between(world, "lock")


def test_a_flush_in_the_middle_of_a_booking_leaves_one_booking_and_no_false_bit(world: World) -> None:
    _with_the_unit_locked_in_between(world, "flush")
    view = world.counter("dedi").calendar.calendar(days("2027-03-01", "2027-03-31"))
    taken = [unit.unit.id for unit in view.fleet if view.masks.is_taken(unit, dt.date(2027, 3, 11))]
    assert taken == [AVANZA]


def _with_the_unit_locked_in_between(world: World, fault: str) -> None:
    """Two desks are both past their claim and wait for the unit's row while the index loses something."""
    ayu, siti = world.counter("ayu", "Kasir 1"), world.counter("siti", "Kasir 2")
    with psycopg.connect(world.database.owner_url) as holder:
        holder.execute("SELECT 1 FROM sentra.unit WHERE id = %s FOR UPDATE", (AVANZA,))

        def release() -> None:
            eventually(lambda: world.value(WAITING) == 1)
            with world.redis() as client:
                if fault == "lock":
                    assert client.delete(f"lock:{SKU}:{AVANZA}") == 1
                else:
                    client.flushall()
            eventually(lambda: world.value(WAITING) == 2)
            holder.rollback()

        found = at_once(
            lambda: world.book(ayu, MARCH),
            lambda: world.book(siti, MARCH, phone="0812 7777 0001"),
            release,
        )
    assert len([item for item in found.results if item is not None]) == 1
    assert len(found.refusals) == 1
    assert world.value("SELECT count(*) FROM sentra.booking") == 1
    if fault == "flush":
        world.make_index_whole()
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    world.assert_sound()


def test_what_others_learned_between_a_flush_and_the_commit_does_not_hide_the_booking(world: World) -> None:
    """They read the unit under the new epoch before it was booked; the booking's own projection is of the old one."""
    ayu, dedi = world.counter("ayu"), world.counter("dedi", "Kasir 7")
    with psycopg.connect(world.database.owner_url) as holder:
        holder.execute("SELECT 1 FROM sentra.unit WHERE id = %s FOR UPDATE", (AVANZA,))

        def flush_and_look() -> None:
            eventually(lambda: world.value(WAITING) == 1)
            with world.redis() as client:
                client.flushall()
            view = dedi.calendar.calendar(days("2027-03-01", "2027-03-31"))
            assert not any(view.masks.is_taken(unit, dt.date(2027, 3, 11)) for unit in view.fleet)
            holder.rollback()

        found = at_once(lambda: world.book(ayu, MARCH), flush_and_look)
    assert found.refusals == []
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    view = dedi.calendar.calendar(days("2027-03-01", "2027-03-31"))
    assert view.masks.from_index
    assert [unit.unit.id for unit in view.fleet if view.masks.is_taken(unit, dt.date(2027, 3, 11))] == [AVANZA]


def test_the_same_holds_for_a_cancel_after_a_flush(world: World) -> None:
    ayu, dedi = world.counter("ayu"), world.counter("dedi", "Kasir 7")
    booking = world.book(ayu, MARCH).bookings[0].id
    with psycopg.connect(world.database.owner_url) as holder:
        holder.execute("SELECT 1 FROM sentra.unit WHERE id = %s FOR UPDATE", (AVANZA,))

        def flush_and_look() -> None:
            eventually(lambda: world.value(WAITING) == 1)
            with world.redis() as client:
                client.flushall()
            dedi.calendar.calendar(days("2027-03-01", "2027-03-31"))
            holder.rollback()

        at_once(lambda: ayu.bookings.cancel(booking), flush_and_look)
    assert world.bits(AVANZA, "202703") == []


def test_an_index_that_knows_nothing_is_asked_of_the_database_and_never_shows_a_booked_day_free(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti")
    world.book(ayu, MARCH)
    with world.redis() as client:
        client.flushall()
    with pytest.raises(Refusal):
        world.book(siti, days("2027-03-12", "2027-03-13"), phone="0812 7777 0001")
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    booked = world.book(siti, days("2027-03-13"), phone="0812 7777 0001")
    assert booked.bookings[0].unit_id == AVANZA
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13]
    assert world.claims() == []


def test_without_redis_booking_refusing_cancelling_and_the_calendar_go_on(world: World) -> None:
    ayu = world.counter("ayu", redis_url=None)
    booked = world.book(ayu, MARCH)
    with pytest.raises(Refusal) as no:
        world.book(ayu, MARCH, phone="0812 7777 0001")
    refused(no.value, RefusalCode.DAYS_TAKEN, "lines[0]")
    view = ayu.calendar.calendar(days("2027-03-01", "2027-03-31"))
    assert not view.masks.from_index
    assert sum(view.masks.is_taken(unit, dt.date(2027, 3, 11)) for unit in view.fleet) == 1
    ayu.bookings.cancel(booked.bookings[0].id)
    assert world.book(ayu, MARCH).bookings[0].unit_id == AVANZA
    service = world.service()
    service.sweeps.outbox()
    assert world.bits(AVANZA, "202703") == [], "not due yet: as a rule the counter is faster"
    world.after(seconds=6)
    assert service.sweeps.outbox().done == 3
    assert world.bits(AVANZA, "202703") == [10, 11, 12], "the service told the index afterwards"
    world.assert_sound()


def test_r09_a_booking_whose_commit_answer_is_lost_is_answered_with_the_booking_that_was_made(
    world: World, tmp_path: Path
) -> None:
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    with proxy:
        ayu = world.counter("ayu", url=url)
        proxy.swallow_next(COMMIT)
        booked = world.book(ayu, MARCH)
        assert proxy.swallowed == 1
        assert booked.repeat
        assert world.rows("SELECT id::text FROM sentra.booking") == [(booked.bookings[0].id,)]
        proxy.swallow_next(COMMIT)
        ended = ayu.bookings.cancel(booked.bookings[0].id)
        assert proxy.swallowed == 2
        assert ended.state is BookingState.CANCELLED
        assert len(ended.freed) == 1
    assert world.value("SELECT count(*) FROM sentra.freed_stretch") == 1
    assert world.bits(AVANZA, "202703") == []
    world.assert_sound()


def test_r09_any_unit_whose_commit_answer_is_lost_is_still_one_unit(world: World, tmp_path: Path) -> None:
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    with proxy:
        proxy.swallow_next(COMMIT)
        booked = world.book(world.counter("ayu", url=url), MARCH, None)
        assert proxy.swallowed == 1
    taken = [unit for unit in AVANZAS if world.bits(unit, "202703")]
    assert taken == [booked.bookings[0].unit_id]
    world.assert_sound()


def test_r39_a_claim_whose_answer_is_lost_is_one_claim(world: World) -> None:
    assert world.redis_url is not None
    proxy, url = redis_proxy(world.redis_url)
    with proxy:
        ayu = world.counter("ayu", redis_url=url)
        world.book(ayu, days("2027-04-01"))
        for lost in range(1, 6):
            proxy.swallow_next(EVALSHA)
            world.book(ayu, days(f"2027-04-{2 * lost + 1:02}"))
            assert proxy.swallowed == lost
    assert world.bits(AVANZA, "202704") == [1, 3, 5, 7, 9, 11]
    world.assert_sound()


def test_a_killed_counters_unit_locks_delay_a_given_unit_but_refuse_nobody_and_go_with_its_next_start(
    world: World,
) -> None:
    with world.redis() as client:
        for unit in AVANZAS[:2]:
            client.set(f"lock:{SKU}:{unit}", "Kasir 9:left-by-a-crash", px=600_000)
    ayu = world.counter("ayu")
    assert world.book(ayu, MARCH, None).bookings[0].unit_id == AVANZAS[2], "any unit passes by what somebody holds"
    assert world.book(ayu, MARCH, AVANZA).bookings[0].unit_id == AVANZA, "the transaction decides"
    assert ayu.release_leftovers() == 0, "another counter's locks are not ours to give up"
    assert world.counter("siti", "Kasir 9").release_leftovers() == 2
    world.assert_sound()


def test_a_booking_that_the_database_refuses_leaves_no_claim_and_no_bit(world: World) -> None:
    ayu = world.counter("ayu")
    request = BookRequest(order_id=str(uuid.uuid4()), lines=(line(MARCH),), customer_id=str(uuid.uuid4()))
    with pytest.raises(Refusal) as no:
        ayu.bookings.book(request)
    refused(no.value, RefusalCode.NOT_FOUND, "customer.id")
    assert world.bits(AVANZA, "202703") == []
    assert world.claims() == []
    world.do("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = %s", AVANZA)
    with pytest.raises(Refusal) as retired:
        world.book(ayu, MARCH)
    assert refused(retired.value, RefusalCode.UNIT_NOT_RENTABLE)["plate"] == "B 1200 XYZ"
    assert world.claims() == []


@pytest.mark.parametrize("clock", [dt.time(20, 30), dt.time(23, 59, 30), dt.time(23, 59, 59), dt.time.max])
def test_a_rental_of_this_day_alone_ends_on_it_however_late_it_is_booked(world: World, clock: dt.time) -> None:
    moment = dt.datetime.combine(MARCH.first, clock, WIB)
    world.stand(moment)
    booked = world.book(world.counter("ayu"), days("2027-03-10"))
    ((pickup, due),) = world.rows("SELECT pickup_at, due_at FROM sentra.booking")
    assert isinstance(pickup, dt.datetime)
    assert isinstance(due, dt.datetime)
    assert dt.timedelta(seconds=1) <= due - pickup
    assert {item.astimezone(WIB).date() for item in (pickup, due)} == {MARCH.first}
    assert abs(pickup - moment) < dt.timedelta(seconds=2)
    assert world.state(booked.bookings[0].id) == "PENDING_PAYMENT"
    world.assert_sound()


def test_a_fault_that_nobody_foresaw_gives_back_claim_and_redlock_as_a_refusal_does(
    world: World,
) -> None:
    world.do("ALTER TABLE sentra.customer ADD CONSTRAINT no_rule_of_ours CHECK (name <> 'Rina Maharani')")
    with pytest.raises(Exception, match="no_rule_of_ours") as fault:
        world.book(world.counter("ayu"), MARCH)
    assert not isinstance(fault.value, Refusal)
    assert world.claims() == []
    assert world.bits(AVANZA, "202703") == []
    assert world.counts()["booking"] == 0
    world.assert_sound()


def test_a_database_that_goes_away_while_a_unit_is_learned_leaves_no_redlock(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ayu = world.counter("ayu")
    away = Refusal(RefusalCode.UNREACHABLE)
    with world.redis() as client:
        client.flushall()

    def gone(*_: object) -> None:
        raise away

    monkeypatch.setattr(ayu.store.read, "projections", gone)
    with pytest.raises(Refusal) as no:
        world.book(ayu, MARCH)
    assert no.value is away
    assert world.claims() == []


def test_a_retired_unit_that_somebody_asks_for_stays_out_of_the_index(world: World) -> None:
    world.do("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = %s", AVANZA)
    with world.redis() as client:
        client.flushall()
        with pytest.raises(Refusal) as no:
            world.book(world.counter("ayu"), MARCH)
        refused(no.value, RefusalCode.UNIT_NOT_RENTABLE)
        assert not list(client.scan_iter(f"avail:{SKU}:{AVANZA}:*"))
    assert world.claims() == []


def test_another_branch_sees_the_unit_taken_but_neither_the_booking_nor_the_customer(world: World) -> None:
    booked = world.book(world.counter("ayu"), MARCH)
    rahmat = world.counter("rahmat", "Kasir MKS")
    for ask in (
        lambda: rahmat.bookings.cancel(booked.bookings[0].id),
        lambda: rahmat.settlement.invoice(booked.invoice_id),
        lambda: rahmat.settlement.open_invoice(booked.invoice_id),
        lambda: world.book(rahmat, days("2027-04-01")),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        assert no.value.code is RefusalCode.NOT_FOUND, str(no.value)
    assert rahmat.settlement.invoices() == ()
    assert rahmat.store.read.booking(booked.bookings[0].id) is None
    (blocker,) = rahmat.store.read.blockers([AVANZA], MARCH)
    assert (blocker.booking_number, blocker.customer_name, blocker.state) == (None, None, None)
    assert world.book(rahmat, MARCH, None).bookings[0].unit_id == FAR_AVANZA
    with pytest.raises(Refusal) as no:
        world.book(rahmat, MARCH, None)
    assert no.value.code is RefusalCode.DAYS_TAKEN
    world.assert_sound()


@pytest.mark.parametrize("login", ["dedi"])
def test_who_may_not_book_may_not_cancel_either(world: World, login: str) -> None:
    booked = world.book(world.counter("ayu"), MARCH)
    before = world.counts()
    dedi = world.counter(login)
    for ask in (lambda: world.book(dedi, days("2027-04-01")), lambda: dedi.bookings.cancel(booked.bookings[0].id)):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.NOT_ALLOWED)
    assert world.counts() == before


def _long(text: str, length: int) -> str:
    return (text * length)[:length]


BAD_REQUESTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "order id that is none": ({"order_id": "'; DROP TABLE sentra.booking; --"}, "FIELD_INVALID", "order_id"),
    "order id empty": ({"order_id": ""}, "FIELD_INVALID", "order_id"),
    "no line": ({"lines": ()}, "FIELD_INVALID", "lines"),
    "too many lines": ({"lines": tuple(line(days("2027-03-10")) for _ in range(21))}, "FIELD_INVALID", "lines"),
    "sku unknown": ({"lines": (line(MARCH, None, "NO-SUCH-1"),)}, "NOT_FOUND", "sku"),
    "sku in small letters": ({"lines": (line(MARCH, None, "toy"),)}, "FIELD_INVALID", "lines[0].sku"),
    "sku half a sign": ({"lines": (line(MARCH, None, "\ud800"),)}, "FIELD_INVALID", "lines[0].sku"),
    "sku with a key's colon": ({"lines": (line(MARCH, None, "A:B"),)}, "FIELD_INVALID", "lines[0].sku"),
    "unit unknown": ({"lines": (line(MARCH, "uuid-avanza-999"),)}, "NOT_FOUND", "lines[0].unit_id"),
    "unit with NUL": ({"lines": (line(MARCH, "uuid\0"),)}, "FIELD_INVALID", "lines[0].unit_id"),
    "unit of another sku": ({"lines": (line(MARCH, HIACE),)}, "NOT_FOUND", "lines[0].unit_id"),
    "yesterday": ({"lines": (line(days("2027-02-28")),)}, "PERIOD_INVALID", "lines[0].first_day"),
    "three years ahead": ({"lines": (line(days("2030-03-10")),)}, "PERIOD_INVALID", "lines[0].first_day"),
    "the last day there is": ({"lines": (line(days("9999-12-31")),)}, "PERIOD_INVALID", "lines[0].first_day"),
    "name empty": ({"customer_name": "   "}, "FIELD_INVALID", "customer.name"),
    "name too long": ({"customer_name": _long("Budi ", 81)}, "FIELD_INVALID", "customer.name"),
    "name with control signs": ({"customer_name": "Budi\x07Santoso"}, "FIELD_INVALID", "customer.name"),
    "name turned right to left": ({"customer_name": "Budi \u202eosotnaS"}, "FIELD_INVALID", "customer.name"),
    "name of signs only": ({"customer_name": "😀😀"}, "FIELD_INVALID", "customer.name"),
    "name half a sign": ({"customer_name": "Budi \ud800"}, "FIELD_INVALID", "customer.name"),
    "no customer": ({"customer_name": None, "customer_phone": None}, "FIELD_INVALID", "customer"),
    "phone of letters": ({"customer_phone": "nol delapan"}, "FIELD_INVALID", "customer.phone"),
    "phone too short": ({"customer_phone": "0812"}, "FIELD_INVALID", "customer.phone"),
    "phone too long": ({"customer_phone": _long("0812", 60)}, "FIELD_INVALID", "customer.phone"),
    "phone in other digits": ({"customer_phone": "٠٨١٢٣٤٥٦٧٨٩"}, "FIELD_INVALID", "customer.phone"),
    "customer id that is none": ({"customer_id": "Rina"}, "FIELD_INVALID", "customer.id"),
    "note too long": ({"note": _long("catatan ", 501)}, "FIELD_INVALID", "note"),
    "note with control signs": ({"note": "a\x00b"}, "FIELD_INVALID", "note"),
    "note half a sign": ({"note": "\udfff"}, "FIELD_INVALID", "note"),
}


@pytest.mark.parametrize("name", BAD_REQUESTS)
def test_bad_input_is_refused_by_its_field_and_changes_nothing(shared_world: World, name: str) -> None:
    changes, code, field = BAD_REQUESTS[name]
    good: dict[str, Any] = {
        "order_id": str(uuid.uuid4()),
        "lines": (line(MARCH),),
        "customer_name": "Rina Maharani",
        "customer_phone": "0812 0000 1234",
    }
    before = shared_world.counts()
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").bookings.book(BookRequest(**{**good, **changes}))
    assert refused(no.value, RefusalCode(code), field) is not None
    assert shared_world.counts() == before


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        ("2027-03-12", "2027-03-10", "reversed"),
        ("2027-03-10", "2028-03-09", "too_long"),
        ("2027-03-10", "2028-04-12", "too_long"),
    ],
)
def test_a_period_that_is_none_cannot_be_made(first: str, last: str, reason: str) -> None:
    with pytest.raises(Refusal) as no:
        days(first, last)
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == reason


@pytest.mark.parametrize(
    "name",
    ["Robert'); DROP TABLE sentra.booking;--", "%s %(x)s {0} %n", "Siti 😀 Aisyah", "محمد علي", "O’Brien\u00a0Jr"],
)
def test_a_strange_but_possible_name_is_kept_as_typed(shared_world: World, name: str) -> None:
    place = len(name) * 7 % 20
    ayu = shared_world.counter("ayu")
    booked = shared_world.book(ayu, days(f"2027-06-{place + 1:02}"), None, name=name, phone=f"0812333{place:04}")
    kept = shared_world.value("SELECT name FROM sentra.customer WHERE phone = %s", f"+62812333{place:04}")
    assert kept == " ".join(name.split())
    ayu.bookings.cancel(booked.bookings[0].id)
