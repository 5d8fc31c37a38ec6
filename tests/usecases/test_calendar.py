"""The calendar of a branch: its own days in its own zone, booked days never shown free, whatever the index knows."""

import datetime as dt
import os
import time
from collections.abc import Iterator

import pytest

from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.calendar import CalendarView, taken_runs
from app.usecases.rows import PaidMark
from tests.support.world import AVANZA, AVANZAS, HIACE, OTHER_SKU, SKU, WIB, WIT, WITA, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
WINDOW = days("2027-03-01", "2027-03-31")


@pytest.fixture(params=["UTC", "Asia/Jayapura", "America/New_York"])
def machine_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The zone of the PC; nothing of the product may depend on it."""
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    if before is None:
        monkeypatch.delenv("TZ")
    else:
        monkeypatch.setenv("TZ", before)
    time.tzset()


def taken_in(view: CalendarView, unit_id: str) -> list[int]:
    (unit,) = [unit for unit in view.fleet if unit.unit.id == unit_id]
    return [day.day for day in view.window if view.masks.is_taken(unit, day)]


def test_c40_the_fifteenth_is_a_monday_in_every_zone_and_on_every_pc(world: World, machine_zone: str) -> None:
    for zone in (WIB, WITA, WIT):
        world.do("UPDATE sentra.branch SET zone = %s WHERE id = 'JKT'", zone.key)
        for clock in (dt.time(0, 5), dt.time(23, 55)):
            world.stand(dt.datetime.combine(dt.date(2027, 3, 15), clock, zone))
            view = world.counter("ayu").calendar.calendar(WINDOW)
            assert view.today == dt.date(2027, 3, 15), (zone, clock, machine_zone)
            assert view.today.weekday() == 0


def test_the_window_shows_fleet_masks_and_bars_of_the_branch(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    paid, unpaid = world.book(siti, MARCH), world.book(siti, MARCH, HIACE, sku=OTHER_SKU)
    world.settle(siti, paid)
    world.book(world.counter("rahmat"), MARCH, None)
    view = world.counter("dedi", "Kasir 7").calendar.calendar(WINDOW)
    assert [unit.unit.id for unit in view.fleet] == [*AVANZAS, HIACE]
    assert view.masks.from_index
    assert taken_in(view, AVANZA) == [10, 11, 12]
    assert taken_in(view, HIACE) == [10, 11, 12, 13]
    assert [view.masks.left_on(view.fleet[:3], dt.date(2027, 3, day)) for day in (9, 10)] == [3, 2]
    bars = {bar.booking_id: bar for bar in view.bars}
    assert set(bars) == {paid.bookings[0].id, unpaid.bookings[0].id}
    assert bars[paid.bookings[0].id].paid is PaidMark.FULL
    waiting = bars[unpaid.bookings[0].id]
    assert (waiting.paid, waiting.payment_deadline) == (PaidMark.UNPAID, world.now() + dt.timedelta(minutes=15))
    assert (waiting.days, waiting.rented) == (Days(MARCH.first, dt.date(2027, 3, 13)), Days(MARCH.first, MARCH.last))
    assert taken_runs(view.masks, view.fleet[0], WINDOW) == (Days(MARCH.first, MARCH.last),)


@pytest.mark.parametrize("loss", ["flush", "one key", "half a packed month", "away"])
def test_whatever_the_index_has_lost_a_booked_day_is_never_shown_free(world: World, loss: str) -> None:
    world.book(world.counter("ayu"), days("2027-03-30", "2027-04-02"))
    dedi = world.counter("dedi", redis_url="redis://127.0.0.1:1/0" if loss == "away" else "")
    with world.redis() as client:
        match loss:
            case "flush":
                client.flushall()
            case "one key":
                client.delete(f"apack:{SKU}:202704")
            case _:
                client.set(f"apack:{SKU}:202703", b"\0")
    view = dedi.calendar.calendar(days("2027-03-25", "2027-04-05"))
    assert taken_in(view, AVANZA) == [30, 31, 1, 2]
    assert taken_in(view, AVANZAS[1]) == []
    assert view.masks.from_index is (loss != "away")
    if loss == "flush":
        assert world.bits(AVANZA, "202703") == [30, 31], "what was asked for is built again"


def test_free_units_are_those_of_the_branch_with_room_for_the_turnaround_too(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, MARCH)
    assert [unit.unit.id for unit in ayu.calendar.free_units(SKU, MARCH)] == list(AVANZAS[1:])
    world.book(ayu, days("2027-03-20"), HIACE, sku=OTHER_SKU)
    for period, free in (("2027-03-18", 1), ("2027-03-19", 0), ("2027-03-21", 0), ("2027-03-22", 1)):
        assert len(ayu.calendar.free_units(OTHER_SKU, days(period))) == free, period
    with pytest.raises(Refusal) as no:
        ayu.calendar.free_units("NO-SUCH-1", MARCH)
    refused(no.value, RefusalCode.NOT_FOUND, "sku")


def test_the_nearest_free_dates_are_as_long_never_past_and_really_free(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-02", "2027-03-08"))
    (unit,) = ayu.store.read.units([AVANZA])
    assert ayu.calendar.nearest_free(unit, days("2027-03-03", "2027-03-04")) == (days("2027-03-09", "2027-03-10"),)
    assert ayu.calendar.nearest_free(unit, days("2027-03-05")) == (days("2027-03-09"), days("2027-03-01"))


def test_a_year_may_be_looked_at_in_one_window(world: World) -> None:
    first = dt.date(2027, 3, 1)
    view = world.counter("ayu").calendar.calendar(RentalPeriod(first, first + dt.timedelta(days=364)))
    assert len({month for _, month in view.masks.masks}) == 12


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [
        ("1999-12-31", "2000-01-02", "first_day"),
        ("0001-01-01", "0001-01-31", "first_day"),
        ("9998-12-31", "9999-01-01", "last_day"),
        ("9999-12-01", "9999-12-31", "first_day"),
        ("2027-01-01", "2028-02-05", "last_day"),
    ],
)
def test_a_window_of_absurd_years_or_length_is_refused_by_its_field(
    shared_world: World, first: str, last: str, field: str
) -> None:
    calendar = shared_world.counter("ayu").calendar
    window = Days(dt.date.fromisoformat(first), dt.date.fromisoformat(last))
    for ask in (lambda: calendar.calendar(window), lambda: calendar.masks([], window), lambda: calendar.bars(window)):
        with pytest.raises(Refusal) as no:
            ask()
        assert (no.value.code, no.value.field) == (RefusalCode.PERIOD_INVALID, field)


@pytest.mark.parametrize(
    ("first", "last"), [("2000-01-01", "2000-01-31"), ("2031-06-01", "2031-06-30"), ("9998-12-01", "9998-12-31")]
)
def test_months_that_no_booking_reaches_are_read_from_the_database_and_never_enter_the_index(
    world: World, first: str, last: str
) -> None:
    world.make_index_whole()
    with world.redis() as client:
        before = set(client.scan_iter("*"))
        view = world.counter("ayu").calendar.calendar(Days(dt.date.fromisoformat(first), dt.date.fromisoformat(last)))
        assert set(client.scan_iter("*")) == before
    assert all(view.masks.left_on(view.fleet, day) == len(view.fleet) for day in view.window)


def test_a_window_over_the_edge_of_what_is_kept_shows_old_days_as_the_database_has_them(world: World) -> None:
    world.book(world.counter("ayu"), days("2027-03-10"))
    world.make_index_whole()
    world.after(days=100)
    ayu = world.counter("ayu")
    view = ayu.calendar.calendar(days("2027-03-01", "2027-04-30"))
    assert taken_in(view, AVANZA) == [10]
    with world.redis() as client:
        client.delete(f"avail:{SKU}:{AVANZA}:202703", f"apack:{SKU}:202703")
        assert taken_in(ayu.calendar.calendar(days("2027-03-01", "2027-04-30")), AVANZA) == [10]
        assert client.exists(f"avail:{SKU}:{AVANZA}:202703", f"apack:{SKU}:202703") == 0
