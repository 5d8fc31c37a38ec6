"""Collected cases of other people's systems, at the counter: orders of several units, retries, holds and cancels."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from functools import partial

import psycopg
import pytest

from app.adapters.postgres.owner_steps import record_maintenance
from app.adapters.postgres.tx_booking import order_json
from app.adapters.postgres.tx_call import as_json
from app.bootstrap import Counter
from app.domain.booking import BookingState
from app.domain.catalogue import Sku
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.bookings import BookLine
from app.usecases.rows import BookedOrder, OccupancyKind, PaidMark
from tests.adapters.postgres.write_rig import new_order
from tests.support.at_once import at_once
from tests.support.processes import Processes
from tests.support.world import (
    AVANZA,
    AVANZAS,
    HEADING,
    HIACE,
    OTHER_SKU,
    SKU,
    WIT,
    World,
    blockers_of,
    days,
    line,
    refused,
)

pytest_plugins = ["tests.support.world_fixtures"]

BUS = "ISU-ELF-L"
AVANZA_G = Sku(
    code=SKU, name="Avanza G", category="Mobil", daily_rate=Rupiah(350_000), deposit=Rupiah(500_000), turnaround_days=0
)
ELVES = tuple(f"uuid-elf-{n:03}" for n in range(1, 6))


def add_units(world: World, sku: str, *unit_ids: str) -> None:
    """More units of a SKU in Jakarta, known to the index."""
    rows = "".join(
        f"JKT,{sku},Elf Long,Minibus,900000,1000000,0,{unit},B {7200 + n} UAB,1000,IN_SERVICE\n"
        for n, unit in enumerate(unit_ids)
    )
    report = world.counter("maya", "Kantor").fleet.import_fleet((HEADING + rows).encode())
    assert report.refusals == ()
    world.make_index_whole()


def test_c02_of_three_clerks_who_take_any_of_two_units_two_get_different_ones_and_the_third_may_wait(
    world: World,
) -> None:
    add_units(world, BUS, *ELVES[:2])
    clerks = [world.counter(login, f"Kasir {login}") for login in ("ayu", "siti", "budi")]
    period = days("2027-03-10", "2027-03-12")
    for n in range(4):
        when = RentalPeriod(period.first + dt.timedelta(days=5 * n), period.last + dt.timedelta(days=5 * n))
        found = at_once(*(partial(world.book, who, when, None, sku=BUS) for who in clerks))
        assert sorted(order.bookings[0].unit_id for order in found.results) == list(ELVES[:2])
        (no,) = found.refusals
        assert refused(no, RefusalCode.DAYS_TAKEN, "lines[0]")["free_units"] == 0
        (offered,) = [action for action in no.next if action.action == "waitlist"]
        assert offered.params == {"sku": BUS, "first_day": when.first, "last_day": when.last}
        assert len(blockers_of(no)) == 2, "who has the two units"
    world.assert_sound()


@pytest.mark.parametrize("given", [(None, None), (AVANZAS[2], None), (AVANZAS[0], AVANZAS[2])])
def test_c07_two_of_three_units_on_a_day_with_one_free_are_refused_whole_and_nothing_is_written(
    world: World, given: tuple[str | None, ...]
) -> None:
    siti = world.counter("siti")
    for unit in AVANZAS[:2]:
        world.book(siti, days("2027-04-04", "2027-04-06"), unit)
    before = world.counts()
    bits = {unit: world.bits(unit, "202704") for unit in AVANZAS}
    with pytest.raises(Refusal) as no:
        world.order(
            world.counter("ayu", "Kasir 2"),
            [line(days("2027-04-05"), unit) for unit in given],
            name="Dewi Lestari",
            phone="0812 7777 0001",
        )
    assert no.value.code is RefusalCode.DAYS_TAKEN
    assert world.counts() == before, "no order, no booking, no invoice, no customer, no effect"
    assert {unit: world.bits(unit, "202704") for unit in AVANZAS} == bits == {
        AVANZAS[0]: [4, 5, 6], AVANZAS[1]: [4, 5, 6], AVANZAS[2]: [],
    }  # fmt: skip
    world.assert_sound()


def test_c23_fifty_times_two_cancels_at_once_while_somebody_books_the_days_free_them_once_and_never_his(
    world: World,
) -> None:
    ayu, siti, budi = world.counter("ayu"), world.counter("siti", "Kasir 2"), world.counter("budi", "Kasir 3")
    period = days("2027-03-10", "2027-03-12")
    sold = 0
    for n in range(50):
        mine = world.book(ayu, period).bookings[0].id

        def buy() -> BookedOrder:
            return world.book(budi, period, phone="0812 7777 0001")

        found = at_once(partial(ayu.bookings.cancel, mine), partial(siti.bookings.cancel, mine), buy)
        codes = sorted(no.code.value for no in found.refusals)
        assert codes in (["BOOKING_STATE"], ["BOOKING_STATE", "DAYS_TAKEN"])
        his = [item for item in found.results if isinstance(item, BookedOrder)]
        assert world.value("SELECT count(*) FROM sentra.freed_stretch") == n + 1 + sold
        active = world.rows("SELECT booking_id::text FROM sentra.occupancy WHERE active")
        assert active == [(order.bookings[0].id,) for order in his]
        with pytest.raises(Refusal) as late:
            siti.bookings.cancel(mine)
        refused(late.value, RefusalCode.BOOKING_STATE, "booking_id")
        assert world.rows("SELECT booking_id::text FROM sentra.occupancy WHERE active") == active
        for order in his:
            budi.bookings.cancel(order.bookings[0].id)
            sold += 1
    world.assert_sound()


@pytest.mark.parametrize("taken", [(1, 3), (0, 4), (2, 4)])
def test_c34_an_order_of_five_units_of_which_two_are_taken_names_both_and_books_none(
    world: World, taken: tuple[int, int]
) -> None:
    add_units(world, BUS, *ELVES)
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    period = days("2027-03-14", "2027-03-16")
    for place in taken:
        world.book(siti, days("2027-03-16", "2027-03-18"), ELVES[place], sku=BUS)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        world.order(ayu, [line(period, unit, BUS) for unit in ELVES], phone="0812 7777 0001")
    params = refused(no.value, RefusalCode.DAYS_TAKEN, f"lines[{taken[0]}]")
    assert params["taken_units"] == [
        {"line": place, "unit_id": ELVES[place], "plate": f"B {7200 + place} UAB"} for place in taken
    ]
    assert world.counts() == before
    for place, unit in enumerate(ELVES):
        assert world.bits(unit, "202703", BUS) == ([16, 17, 18] if place in taken else [])
    world.assert_sound()


def test_c34_of_two_lines_on_one_unit_only_the_one_that_is_blocked_is_named(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    world.book(siti, days("2027-03-20"))
    with pytest.raises(Refusal) as no:
        world.order(ayu, [line(days("2027-03-10")), line(days("2027-03-20"))], phone="0812 7777 0001")
    params = refused(no.value, RefusalCode.DAYS_TAKEN, "lines[1]")
    assert params["taken_units"] == [{"line": 1, "unit_id": AVANZA, "plate": "B 1200 XYZ"}]


def test_c51_a_hold_of_one_counter_is_unpaid_and_counts_down_at_the_other_and_is_offered_to_nobody(
    world: World,
) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    period = days("2027-03-08", "2027-03-10")
    booked = world.book(ayu, period)
    world.after(minutes=6)
    view = siti.calendar.calendar(days("2027-03-01", "2027-03-31"))
    (bar,) = view.bars
    assert (bar.unit_id, bar.kind, bar.state, bar.paid) == (
        AVANZA,
        OccupancyKind.BOOKING,
        BookingState.PENDING_PAYMENT,
        PaidMark.UNPAID,
    )
    assert bar.payment_deadline == booked.bookings[0].payment_deadline
    assert bar.payment_deadline is not None
    assert bar.payment_deadline - view.now == dt.timedelta(minutes=9), "what the countdown shows"
    (unit,) = [item for item in view.fleet if item.unit.id == AVANZA]
    assert [day.day for day in view.window if view.masks.is_taken(unit, day)] == [8, 9, 10]
    assert AVANZA not in {item.unit.id for item in siti.calendar.free_units(SKU, days("2027-03-10", "2027-03-11"))}
    with pytest.raises(Refusal) as no:
        world.book(siti, days("2027-03-10"), phone="0812 7777 0001")
    assert [item["state"] for item in blockers_of(no.value)] == ["PENDING_PAYMENT"]


def test_r04_manager_import_and_maintenance_meet_the_same_refusal_as_everybody(world: World) -> None:
    ayu, maya = world.counter("ayu"), world.counter("maya", "Kantor")
    booked = world.book(ayu, days("2027-03-10", "2027-03-12"))
    before = world.counts()

    with pytest.raises(Refusal) as overridden:
        world.book(maya, days("2027-03-12", "2027-03-13"), phone="0812 7777 0001")
    assert blockers_of(overridden.value)[0]["number"] == booked.bookings[0].number
    with pytest.raises(Refusal) as blocked:
        maya.maintenance.block_unit(AVANZA, days("2027-03-12", "2027-03-20"), "servis")
    assert blockers_of(blocked.value)[0]["number"] == booked.bookings[0].number
    with pytest.raises(psycopg.errors.ExclusionViolation):
        record_maintenance(
            world.database.owner_url,
            unit_id=AVANZA,
            days=days("2027-03-12", "2027-03-20"),
            reason="servis",
            running=False,
        )
    row = f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,{AVANZA},B 1200 XYZ,1000,RETIRED\n"
    (no,) = maya.fleet.import_fleet((HEADING + row).encode()).refusals
    assert (no.column, no.reason) == ("status", "has_bookings")

    assert world.counts() == before
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    world.assert_sound()


def test_r04_an_order_that_says_it_comes_from_an_import_is_held_to_the_same_constraint(world: World) -> None:
    """The service may write orders of other sources; none of them passes over a booking."""
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-10", "2027-03-12"))
    wanted = order_json(new_order([AVANZA], dt.date(2027, 3, 12), dt.date(2027, 3, 13), sku=AVANZA_G))
    with psycopg.connect(world.service_url, autocommit=True) as service:
        for source in ("IMPORT", "WAITLIST", "REINSTATED"):
            row = service.execute("SELECT sentra.book_order(%s)", (as_json({**wanted, "source": source}),)).fetchone()
            assert row is not None
            assert [item["unit_id"] for item in row[0]["taken"]] == [AVANZA]
    assert world.value("SELECT count(*) FROM sentra.booking") == 1


def test_r05_ten_calls_at_once_through_one_counter_are_one_booking(world: World) -> None:
    """Ten presses that all reached the use case: one pool, one login, ten orders."""
    ayu = world.counter("ayu")
    found = at_once(*(partial(world.book, ayu, days("2027-03-18"), phone=f"0812000{n:04}") for n in range(10)))
    (winner,) = found.results
    assert [no.code for no in found.refusals] == [RefusalCode.DAYS_TAKEN] * 9
    assert {str(blockers_of(no)[0]["number"]) for no in found.refusals} == {winner.bookings[0].number}
    assert world.value("SELECT count(*) FROM sentra.booking") == 1
    assert world.value("SELECT count(*) FROM sentra.customer") == 1, "the nine others left no customer behind"
    assert world.bits(AVANZA, "202703") == [18]
    world.assert_sound()


def test_r05_ten_programs_started_at_once_are_one_booking(world: World, processes: Processes) -> None:
    """The command line ten times at once, as a script in a hurry calls it."""
    order = {
        "customer": {"name": "Rina Maharani", "phone": "0812 0000 1234"},
        "lines": [{"sku": SKU, "unit_id": AVANZA, "first_day": "2027-03-18", "last_day": "2027-03-19"}],
    }
    started = [
        processes.module("app.admin", "do", "book", "--as", "ayu", "--json", env=world.environment("ayu"))
        for _ in range(10)
    ]
    for one in started:
        one.tell(json.dumps(order))
        one.end_input()
    answers = [one.json_line(within=90) for one in started]
    assert sorted(answer["ok"] for answer in answers) == [False] * 9 + [True]
    assert {answer["refusal"]["code"] for answer in answers if not answer["ok"]} == {"DAYS_TAKEN"}
    assert world.bits(AVANZA, "202703") == [18, 19]
    world.assert_sound()


def test_r06_an_unpaid_booking_holds_its_days_and_a_second_one_over_them_can_never_be_approved(world: World) -> None:
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    world.open_shift(siti, budi)
    first = world.book(siti, days("2027-03-24", "2027-03-26"))
    assert first.bookings[0].state is BookingState.PENDING_PAYMENT
    with pytest.raises(Refusal) as no:
        world.book(budi, days("2027-03-26", "2027-03-28"), phone="0812 7777 0001")
    assert blockers_of(no.value)[0]["state"] == "PENDING_PAYMENT"
    assert world.value("SELECT count(*) FROM sentra.invoice") == 1, "there is no second one to approve"
    # Unpaid until its deadline has been swept; then the days are the next one's, and the first invoice is dead.
    world.after(minutes=15)
    world.service().sweeps.expire()
    second = world.book(budi, days("2027-03-26", "2027-03-28"), phone="0812 7777 0001")
    with pytest.raises(Refusal) as dead:
        world.settle(siti, first)
    refused(dead.value, RefusalCode.BOOKING_EXPIRED)
    world.settle(budi, second)
    assert world.rows("SELECT state, count(*) FROM sentra.booking GROUP BY 1 ORDER BY 1") == [
        ("CANCELLED", 1),
        ("PAID_APPROVED", 1),
    ]
    world.catch_up()
    world.assert_sound()


def test_r07_half_past_midnight_in_jayapura_is_the_new_day_on_a_utc_server(world: World) -> None:
    """It is still the day before in Jakarta, and in UTC; the branch's own day counts, in every table and every bit."""
    assert world.value("SHOW timezone") == "UTC"
    world.do("UPDATE sentra.branch SET zone = 'Asia/Jayapura' WHERE id = 'JKT'")
    world.stand(dt.datetime(2027, 4, 1, 0, 30, tzinfo=WIT))
    siti = world.counter("siti")
    world.open_shift(siti)
    with pytest.raises(Refusal) as no:
        world.book(siti, days("2027-03-31"))
    assert refused(no.value, RefusalCode.PERIOD_INVALID, "lines[0].first_day")["reason"] == "past"
    booked = world.book(siti, days("2027-04-01", "2027-04-02"))
    world.settle(siti, booked)
    assert world.rows("SELECT first_day::text, last_day::text FROM sentra.booking") == [("2027-04-01", "2027-04-02")]
    assert world.rows("SELECT days::text FROM sentra.occupancy") == [("[2027-04-01,2027-04-03)",)]
    assert (world.bits(AVANZA, "202703"), world.bits(AVANZA, "202704")) == ([], [1, 2])
    assert world.rows("SELECT issued_on::text, number FROM sentra.invoice") == [("2027-04-01", "INV/JKT/202704/00001")]
    assert siti.calendar.calendar(days("2027-04-01")).today == dt.date(2027, 4, 1)
    world.assert_sound()


def test_r10_a_draft_of_two_units_sent_from_three_windows_of_two_people_is_one_order(world: World) -> None:
    windows = [world.counter("ayu", "Kasir 1"), world.counter("ayu", "Kasir 2"), world.counter("siti", "Kasir 3")]
    for n in range(10):
        order_id = str(uuid.uuid4())
        when = days(f"2027-05-{1 + 3 * n:02}")
        wanted: list[BookLine] = [line(when, AVANZAS[1]), line(when, HIACE, OTHER_SKU)]
        found = at_once(*(partial(world.order, who, wanted, order_id=order_id) for who in windows))
        assert found.refusals == []
        assert sorted(order.repeat for order in found.results) == [False, True, True]
        assert len({tuple((item.id, item.number) for item in order.bookings) for order in found.results}) == 1
        assert len({(order.invoice_id, order.total) for order in found.results}) == 1
    assert world.value("SELECT count(*) FROM sentra.booking_order") == 10
    assert world.value("SELECT count(*) FROM sentra.booking") == 20
    world.assert_sound()


@pytest.mark.parametrize("became", ["unpaid", "paid", "cancelled", "expired", "moved"])
def test_r11_the_same_order_again_is_answered_as_done_whatever_became_of_it(world: World, became: str) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    order_id = str(uuid.uuid4())
    send = partial(world.book, siti, days("2027-03-18", "2027-03-19"), order_id=order_id)
    first = send()
    (booking,) = first.bookings
    if became == "paid":
        world.settle(siti, first)
    elif became == "cancelled":
        siti.bookings.cancel(booking.id)
    elif became == "expired":
        world.after(minutes=16)
        world.service().sweeps.expire()
    elif became == "moved":
        siti.changes_of_bookings.reschedule(booking.id, days("2027-03-20", "2027-03-21"))
    before = world.counts()
    again = send()
    assert again.repeat
    assert (again.bookings[0].id, again.bookings[0].number, again.invoice_id) == (
        booking.id,
        booking.number,
        first.invoice_id,
    )
    assert again.bookings[0].state.value == world.state(booking.id)
    assert world.counts() == before
    world.catch_up()
    world.assert_sound()


def test_r16_a_booking_cancelled_and_made_again_ten_times_is_ten_rentals_of_which_one_stands(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)

    def make(who: Counter) -> BookedOrder:
        return world.book(who, days("2027-03-28", "2027-03-30"), HIACE, sku=OTHER_SKU)

    numbers = set()
    for _ in range(9):
        booked = make(siti)
        numbers.add(booked.bookings[0].number)
        siti.bookings.cancel(booked.bookings[0].id)
    last = make(siti)
    world.settle(siti, last)
    assert len(numbers | {last.bookings[0].number}) == 10
    assert world.rows("SELECT state, count(*) FROM sentra.booking GROUP BY 1 ORDER BY 1") == [
        ("CANCELLED", 9),
        ("PAID_APPROVED", 1),
    ]
    assert world.rows("SELECT booking_id::text, days::text FROM sentra.occupancy WHERE active") == [
        (last.bookings[0].id, "[2027-03-28,2027-04-01)")
    ]
    assert world.rows("SELECT state, count(*) FROM sentra.invoice GROUP BY 1 ORDER BY 1") == [("PAID", 1), ("VOID", 9)]
    assert world.value("SELECT count(*) FROM sentra.customer") == 1
    assert (world.bits(HIACE, "202703", OTHER_SKU), world.bits(HIACE, "202704", OTHER_SKU)) == ([28, 29, 30, 31], [])
    world.assert_sound()
