"""Maintenance blocks: planned work never moves a booking silently, a breakdown is recorded whatever is booked."""

import datetime as dt
import uuid
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from app.domain.catalogue import MaintenanceState, UnitStatus
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.usecases.maintenance import BlockedUnit
from app.usecases.rows import OccupancyKind
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT, postgres_proxy
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, SKU, World, blockers_of, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

TODAY = dt.date(2027, 3, 1)
BLOCK = Days(dt.date(2027, 3, 10), dt.date(2027, 3, 12))
ACTIVE = "SELECT lower(days), upper(days) - 1, kind FROM sentra.occupancy WHERE unit_id = %s AND active ORDER BY 1"


def span(first: int, last: int, month: int = 3) -> Days:
    return Days(dt.date(2027, month, first), dt.date(2027, month, last))


def rows_of(world: World, unit: str = AVANZA) -> list[tuple[int, int, str]]:
    """Active rows of a unit in March: first and last day, kind."""
    found: list[tuple[dt.date, dt.date, str]] = cast(Any, world.rows(ACTIVE, unit))
    return [(first.day, last.day, kind) for first, last, kind in found]


def state_of(world: World, done: BlockedUnit) -> object:
    return world.value("SELECT state FROM sentra.maintenance WHERE id = %s", done.row.id)


def test_planned_work_over_free_days_is_one_row_its_bits_an_audit_entry_and_a_new_version(world: World) -> None:
    before = world.value("SELECT availability_version FROM sentra.unit WHERE id = %s", AVANZA)
    done = world.counter("ayu").maintenance.block_unit(AVANZA, BLOCK, "Servis 10.000 km")
    row = done.row
    assert (row.unit_id, row.plate, row.days, row.state) == (AVANZA, "B 1200 XYZ", BLOCK, MaintenanceState.SCHEDULED)
    assert (row.reason, row.breakdown, row.created_by_name) == ("Servis 10.000 km", False, "Ayu")
    assert (done.blockers, done.freed) == ((), ())
    assert rows_of(world) == [(10, 12, "MAINTENANCE")]
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    assert world.value("SELECT availability_version FROM sentra.unit WHERE id = %s", AVANZA) == int(str(before)) + 1
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "IN_SERVICE"
    assert world.rows("SELECT action, subject, counter FROM sentra.audit WHERE action = 'block_unit'") == [
        ("block_unit", row.id, "Kasir 1")
    ]
    world.assert_sound()


def test_a_block_that_begins_today_runs(world: World) -> None:
    done = world.counter("dedi").maintenance.block_unit(AVANZA, span(1, 2), "Ganti ban")
    assert done.row.state is MaintenanceState.RUNNING


def test_c24_of_a_half_blocked_week_the_free_days_are_bookable_and_the_blocked_one_is_shown(world: World) -> None:
    ayu = world.counter("ayu")
    ayu.maintenance.block_unit(AVANZA, span(1, 12, month=4), "Perbaikan bodi")
    view = ayu.calendar.calendar(span(12, 18, month=4))
    (unit,) = [item for item in view.fleet if item.unit.id == AVANZA]
    assert [day.day for day in view.window if view.masks.is_taken(unit, day)] == [12]
    (bar,) = [item for item in view.bars if item.unit_id == AVANZA]
    assert (bar.kind, bar.note, bar.days) == (OccupancyKind.MAINTENANCE, "Perbaikan bodi", span(1, 12, month=4))
    assert AVANZA in {item.unit.id for item in ayu.calendar.free_units(SKU, days("2027-04-13", "2027-04-18"))}
    assert AVANZA in {item.unit.id for item in ayu.calendar.free_now(days("2027-04-13", "2027-04-18"))}
    assert AVANZA not in {item.unit.id for item in ayu.calendar.free_now(days("2027-04-12", "2027-04-18"))}
    assert world.book(ayu, days("2027-04-13", "2027-04-18")).bookings[0].unit_id == AVANZA
    with pytest.raises(Refusal) as no:
        world.book(ayu, days("2027-04-12"), phone="0812 7777 0001")
    assert [item["kind"] for item in blockers_of(no.value)] == ["MAINTENANCE"]
    world.assert_sound()


def test_c25_a_block_over_booked_days_is_refused_naming_each_booking_and_nothing_moves(world: World) -> None:
    ayu = world.counter("ayu")
    booked = [world.book(ayu, days(f"2027-03-{day:02}")) for day in (5, 8)]
    before = world.counts(), rows_of(world)
    with pytest.raises(Refusal) as no:
        ayu.maintenance.block_unit(AVANZA, span(5, 8), "Servis")
    refused(no.value, RefusalCode.DAYS_TAKEN, "days")
    named = [
        (item["number"], item["state"], item["customer"], str(item["first_day"])) for item in blockers_of(no.value)
    ]
    assert named == [
        (booked[0].bookings[0].number, "PENDING_PAYMENT", "Rina Maharani", "2027-03-05"),
        (booked[1].bookings[0].number, "PENDING_PAYMENT", "Rina Maharani", "2027-03-08"),
    ]
    assert (world.counts(), rows_of(world)) == before
    assert world.value("SELECT count(*) FROM sentra.maintenance") == 0
    ayu.maintenance.block_unit(AVANZA, span(6, 7), "Servis")
    world.assert_sound()


def test_c26_a_block_is_not_refused_for_another_units_booking(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-01", "2027-03-30"), AVANZAS[1])
    assert ayu.maintenance.block_unit(AVANZA, BLOCK, "Servis").row.days == BLOCK


def test_a_block_over_another_block_is_refused(world: World) -> None:
    ayu = world.counter("ayu")
    ayu.maintenance.block_unit(AVANZA, BLOCK, "Servis")
    with pytest.raises(Refusal) as no:
        ayu.maintenance.block_unit(AVANZA, span(12, 14), "Cuci")
    assert [item["kind"] for item in blockers_of(no.value)] == ["MAINTENANCE"]


def test_the_same_block_sent_again_answers_the_same_and_another_one_under_its_id_is_refused(world: World) -> None:
    ayu = world.counter("ayu")
    block_id = str(uuid.uuid4())
    first = ayu.maintenance.block_unit(AVANZA, BLOCK, "Servis", block_id=block_id)
    again = ayu.maintenance.block_unit(AVANZA, BLOCK, "Servis", block_id=block_id)
    assert (again.row, again.row.id) == (first.row, block_id)
    for unit, when, why in ((AVANZAS[1], BLOCK, "Servis"), (AVANZA, span(20, 21), "Servis"), (AVANZA, BLOCK, "Cat")):
        with pytest.raises(Refusal) as no:
            ayu.maintenance.block_unit(unit, when, why, block_id=block_id)
        refused(no.value, RefusalCode.DUPLICATE, "block_id")
    with pytest.raises(Refusal) as no:
        world.counter("dedi").maintenance.block_unit(AVANZA, BLOCK, "Servis", block_id=block_id)
    refused(no.value, RefusalCode.DUPLICATE, "block_id")
    assert rows_of(world) == [(10, 12, "MAINTENANCE")]
    assert rows_of(world, AVANZAS[1]) == []


def test_a_block_whose_commit_answer_was_lost_is_there_once(world: World, tmp_path: Path) -> None:
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    with proxy:
        ayu = world.counter("ayu", url=url)
        proxy.swallow_next(COMMIT)
        done = ayu.maintenance.block_unit(AVANZA, BLOCK, "Servis")
        proxy.swallow_next(COMMIT)
        ended = ayu.maintenance.end_block(done.row.id)
        assert proxy.swallowed == 2
    assert ended.row.state is MaintenanceState.CANCELLED
    assert world.value("SELECT count(*) FROM sentra.maintenance") == 1
    assert world.value("SELECT count(*) FROM sentra.freed_stretch") == 1
    assert world.bits(AVANZA, "202703") == []
    world.assert_sound()


def test_of_a_block_and_a_booking_of_the_same_days_at_once_exactly_one_wins(world: World) -> None:
    ayu, dedi = world.counter("ayu"), world.counter("dedi", "Kasir 2")
    for round_number in range(10):
        day = dt.date(2027, 5, 1 + round_number)
        found = at_once(
            partial(world.book, ayu, days(day.isoformat())),
            partial(dedi.maintenance.block_unit, AVANZA, Days(day, day), "Servis"),
        )
        assert (len(found.results), len(found.refusals)) == (1, 1)
        assert len(blockers_of(found.refusals[0])) == 1
    world.assert_sound()


def test_a_breakdown_blocks_the_free_days_around_bookings_and_names_those_at_risk(world: World) -> None:
    ayu, dedi = world.counter("ayu"), world.counter("dedi")
    first = world.book(ayu, days("2027-03-03", "2027-03-04"))
    second = world.book(ayu, days("2027-03-07", "2027-03-12"))
    done = dedi.maintenance.block_unit(AVANZA, span(1, 10), "Mesin mati", breakdown=True)
    assert [item.booking_number for item in done.blockers] == [first.bookings[0].number, second.bookings[0].number]
    assert (done.row.state, done.row.breakdown, done.row.days) == (MaintenanceState.RUNNING, True, span(1, 10))
    assert rows_of(world) == [
        (1, 2, "MAINTENANCE"),
        (3, 4, "BOOKING"),
        (5, 6, "MAINTENANCE"),
        (7, 12, "BOOKING"),
    ]
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "MAINTENANCE"
    assert world.bits(AVANZA, "202703") == list(range(1, 13))
    free = {unit.unit.id for unit in ayu.calendar.free_units(SKU, days("2027-03-13"))}
    assert AVANZA in free, "hidden only from searches that touch the block"
    assert AVANZA in {unit.unit.id for unit in ayu.calendar.free_now(days("2027-03-13"), sku=SKU)}
    assert AVANZA not in {unit.unit.id for unit in ayu.calendar.free_now(days("2027-03-05"), sku=SKU)}
    world.assert_sound()


def test_a_breakdown_of_a_unit_that_is_booked_throughout_is_recorded_all_the_same(world: World) -> None:
    world.book(world.counter("ayu"), days("2027-03-01", "2027-03-31"))
    done = world.counter("maya").maintenance.block_unit(AVANZA, span(5, 9), "Tabrakan", breakdown=True)
    assert len(done.blockers) == 1
    assert rows_of(world) == [(1, 31, "BOOKING")]
    assert state_of(world, done) == "RUNNING"
    free = {unit.unit.id for unit in world.counter("ayu").calendar.free_units(SKU, days("2027-04-10"))}
    assert AVANZA in free


def test_days_that_a_booking_leaves_stay_blocked_while_the_unit_is_broken(world: World) -> None:
    ayu, dedi = world.counter("ayu"), world.counter("dedi")
    booked = world.book(ayu, days("2027-03-08", "2027-03-12"))
    dedi.maintenance.block_unit(AVANZA, span(5, 10), "Mesin mati", breakdown=True)
    ayu.bookings.cancel(booked.bookings[0].id)
    assert rows_of(world) == [(5, 7, "MAINTENANCE"), (8, 10, "MAINTENANCE")]
    with pytest.raises(Refusal):
        world.book(ayu, days("2027-03-09"))
    assert world.bits(AVANZA, "202703") == [5, 6, 7, 8, 9, 10]
    world.assert_sound()


def test_ending_a_breakdown_frees_the_rest_and_brings_the_unit_back_into_service(world: World) -> None:
    siti, dedi = world.counter("siti"), world.counter("dedi")
    world.open_shift(siti)
    world.settle(siti, world.book(siti, days("2027-03-03", "2027-03-04")))
    block = dedi.maintenance.block_unit(AVANZA, span(1, 10), "Aki", breakdown=True)
    world.after(days=1)  # the 2nd
    world.catch_up()
    ended = dedi.maintenance.end_block(block.row.id)
    assert (ended.row.state, ended.row.days) == (MaintenanceState.FINISHED, span(1, 1))
    assert rows_of(world) == [(1, 1, "MAINTENANCE"), (3, 4, "BOOKING")]
    assert [(item.days.first.day, item.days.last.day) for item in ended.freed] == [(2, 2), (5, 10)]
    assert world.rows("SELECT lower(days), upper(days) - 1, cause FROM sentra.freed_stretch ORDER BY 1") == [
        (dt.date(2027, 3, 2), dt.date(2027, 3, 2), "end_block"),
        (dt.date(2027, 3, 5), dt.date(2027, 3, 10), "end_block"),
    ]
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "IN_SERVICE"
    assert world.bits(AVANZA, "202703") == [1, 3, 4]
    world.assert_sound()


def test_a_unit_with_a_second_breakdown_stays_out_of_service(world: World) -> None:
    dedi = world.counter("dedi")
    first = dedi.maintenance.block_unit(AVANZA, span(1, 3), "Aki", breakdown=True)
    second = dedi.maintenance.block_unit(AVANZA, span(2, 5), "Rem", breakdown=True)
    dedi.maintenance.end_block(first.row.id)
    assert dedi.store.read.units([AVANZA])[0].unit.status is UnitStatus.MAINTENANCE
    dedi.maintenance.end_block(second.row.id)
    assert dedi.store.read.units([AVANZA])[0].unit.status is UnitStatus.IN_SERVICE
    assert rows_of(world) == []


def test_a_block_that_has_not_begun_is_cancelled_and_ending_it_again_changes_nothing(world: World) -> None:
    ayu = world.counter("ayu")
    block = ayu.maintenance.block_unit(AVANZA, BLOCK, "Servis")
    ended = ayu.maintenance.end_block(block.row.id)
    assert (ended.row.state, ended.row.days) == (MaintenanceState.CANCELLED, BLOCK)
    assert [item.days for item in ended.freed] == [BLOCK]
    again = ayu.maintenance.end_block(block.row.id)
    assert (again.row, again.freed) == (ended.row, ())
    assert ayu.maintenance.blocks(span(1, 31)) == ()
    assert world.value("SELECT count(*) FROM sentra.audit WHERE action = 'end_block'") == 1
    assert world.bits(AVANZA, "202703") == []
    world.assert_sound()


def test_a_block_can_be_shortened_to_a_last_day_and_goes_on_until_then(world: World) -> None:
    ayu = world.counter("ayu")
    block = ayu.maintenance.block_unit(AVANZA, span(1, 12), "Servis")
    world.after(days=2)  # the 3rd
    world.catch_up()
    shorter = ayu.maintenance.end_block(block.row.id, dt.date(2027, 3, 5))
    assert (shorter.row.state, shorter.row.days) == (MaintenanceState.RUNNING, span(1, 5))
    assert [item.days for item in shorter.freed] == [span(6, 12)]
    assert world.bits(AVANZA, "202703") == [1, 2, 3, 4, 5]
    for last, reason in ((dt.date(2027, 3, 2), "past"), (dt.date(2027, 3, 6), "too_late")):
        with pytest.raises(Refusal) as no:
            ayu.maintenance.end_block(block.row.id, last)
        assert refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == reason
    assert rows_of(world) == [(1, 5, "MAINTENANCE")]
    world.assert_sound()


def test_blocks_of_a_window_are_the_branchs_own_without_cancelled_ones(world: World) -> None:
    maya = world.counter("maya")
    kept = maya.maintenance.block_unit(AVANZAS[1], BLOCK, "Servis")
    broken = maya.maintenance.block_unit(AVANZA, span(12, 14), "Aki", breakdown=True)
    gone = maya.maintenance.block_unit(AVANZAS[2], BLOCK, "Salah unit")
    maya.maintenance.end_block(gone.row.id)
    world.counter("rahmat").maintenance.block_unit(FAR_AVANZA, BLOCK, "Servis")
    assert [row.id for row in maya.maintenance.blocks(span(12, 12))] == [broken.row.id, kept.row.id]
    assert maya.maintenance.blocks(span(15, 31)) == ()


def test_another_branchs_unit_or_block_looks_as_if_it_were_not_there(world: World) -> None:
    block = world.counter("ayu").maintenance.block_unit(AVANZA, BLOCK, "Servis")
    rahmat = world.counter("rahmat")
    asks = {
        "unit_id": partial(rahmat.maintenance.block_unit, AVANZAS[1], BLOCK, "Servis"),
        "block_id": partial(rahmat.maintenance.end_block, block.row.id),
    }
    for field, ask in asks.items():
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.NOT_FOUND, field)
    assert rows_of(world) == [(10, 12, "MAINTENANCE")]


def test_a_retired_unit_is_not_blocked(world: World) -> None:
    world.do("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = %s", AVANZA)
    with pytest.raises(Refusal) as no:
        world.counter("ayu").maintenance.block_unit(AVANZA, BLOCK, "Servis")
    refused(no.value, RefusalCode.UNIT_NOT_RENTABLE, "unit_id")


@pytest.mark.parametrize(
    ("login", "breakdown", "may"),
    [
        ("ayu", False, True),
        ("ayu", True, False),
        ("dedi", False, True),
        ("dedi", True, True),
        ("maya", True, True),
        ("budi", False, False),
        ("budi", True, False),
    ],
)
def test_who_may_block_a_unit(world: World, login: str, breakdown: bool, may: bool) -> None:
    ask = partial(world.counter(login).maintenance.block_unit, AVANZA, BLOCK, "Servis", breakdown)
    if may:
        assert ask().row.breakdown is breakdown
        return
    with pytest.raises(Refusal) as no:
        ask()
    refused(no.value, RefusalCode.NOT_ALLOWED)
    assert rows_of(world) == []


def test_an_agent_does_not_end_a_breakdown_and_a_cashier_ends_no_block(world: World) -> None:
    block = world.counter("dedi").maintenance.block_unit(AVANZA, BLOCK, "Aki", breakdown=True)
    for login in ("ayu", "budi"):
        with pytest.raises(Refusal) as no:
            world.counter(login).maintenance.end_block(block.row.id)
        refused(no.value, RefusalCode.NOT_ALLOWED)
    assert state_of(world, block) == "RUNNING"


LONG = Days(TODAY, TODAY + dt.timedelta(days=400))
BAD_BLOCKS: dict[str, tuple[dict[str, object], RefusalCode, str]] = {
    "unit-empty": ({"unit_id": ""}, RefusalCode.FIELD_INVALID, "unit_id"),
    "unit-long": ({"unit_id": "a" * 65}, RefusalCode.FIELD_INVALID, "unit_id"),
    "unit-control": ({"unit_id": "uuid\n001"}, RefusalCode.FIELD_INVALID, "unit_id"),
    "unit-emoji": ({"unit_id": "🚗"}, RefusalCode.FIELD_INVALID, "unit_id"),
    "unit-unknown": ({"unit_id": "no-such-unit"}, RefusalCode.NOT_FOUND, "unit_id"),
    "reason-empty": ({"reason": " \n "}, RefusalCode.FIELD_INVALID, "reason"),
    "reason-long": ({"reason": "a" * 201}, RefusalCode.FIELD_INVALID, "reason"),
    "reason-control": ({"reason": "Servis\x1b[2J"}, RefusalCode.FIELD_INVALID, "reason"),
    "reason-rtl": ({"reason": "Servis \u202eabc"}, RefusalCode.FIELD_INVALID, "reason"),
    "reason-emoji": ({"reason": "🔧🔧"}, RefusalCode.FIELD_INVALID, "reason"),
    "days-past": ({"days": Days(TODAY - dt.timedelta(days=1), TODAY)}, RefusalCode.PERIOD_INVALID, "first_day"),
    "days-far": ({"days": Days(dt.date(2029, 3, 1), dt.date(2029, 3, 2))}, RefusalCode.PERIOD_INVALID, "first_day"),
    "days-401": ({"days": LONG}, RefusalCode.PERIOD_INVALID, "last_day"),
    "id": ({"block_id": "not-an-id"}, RefusalCode.FIELD_INVALID, "block_id"),
    "id-empty": ({"block_id": ""}, RefusalCode.FIELD_INVALID, "block_id"),
}


@pytest.mark.parametrize("case", BAD_BLOCKS)
@pytest.mark.parametrize("breakdown", [False, True])
def test_a_bad_block_is_refused_naming_its_field_and_changes_nothing(
    shared_world: World, case: str, breakdown: bool
) -> None:
    change, code, field = BAD_BLOCKS[case]
    given: dict[str, object] = {"unit_id": AVANZA, "days": BLOCK, "reason": "Servis", "breakdown": breakdown, **change}
    with pytest.raises(Refusal) as no:
        shared_world.counter("maya").maintenance.block_unit(**given)  # type: ignore[arg-type]
    refused(no.value, code, field)
    assert shared_world.value("SELECT count(*) FROM sentra.maintenance") == 0
    assert rows_of(shared_world) == []


def test_a_block_of_400_days_is_the_longest(world: World) -> None:
    done = world.counter("ayu").maintenance.block_unit(AVANZA, Days(TODAY, TODAY + dt.timedelta(days=399)), "Servis")
    assert done.row.days.count == 400
    world.assert_sound()


@pytest.mark.parametrize("block_id", ["", "x", "🙂", "0" * 400])
def test_a_block_is_named_by_its_id(shared_world: World, block_id: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").maintenance.end_block(block_id)
    refused(no.value, RefusalCode.FIELD_INVALID, "block_id")


def test_without_redis_a_block_is_recorded_and_the_index_follows(world: World) -> None:
    world.counter("ayu", redis_url=None).maintenance.block_unit(AVANZA, BLOCK, "Servis")
    world.after(seconds=6)
    world.catch_up()
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    world.assert_sound()
