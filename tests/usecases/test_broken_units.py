"""Days of a broken-down unit: what leaves them is blocked in the same breath, and nobody is told otherwise."""

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import FreedStretch
from tests.support.world import AVANZA, AVANZAS, WIB, World, days, refused
from tests.usecases.change_rig import active, paid

pytest_plugins = ("tests.support.world_fixtures",)

BROKEN = Days(dt.date(2027, 3, 1), dt.date(2027, 3, 10))
"""The breakdown. Bookings here go on to the 12th, so that two of their days become free when they leave."""
STRETCHES = "SELECT (upper(days) - 1)::text, lower(days)::text, cause FROM sentra.freed_stretch ORDER BY 2"

Way = Callable[[], Sequence[FreedStretch]]


def breaks_down(world: World, when: Days = BROKEN) -> str:
    """The unit breaks down; the block's id."""
    return world.counter("dedi").maintenance.block_unit(AVANZA, when, "Mesin mati", breakdown=True).row.id


def _cancelled(world: World) -> Way:
    booking_id = world.book(world.counter("siti"), days("2027-03-03", "2027-03-12")).bookings[0].id
    breaks_down(world)
    return lambda: world.counter("siti").bookings.cancel(booking_id).freed


def _expired(world: World) -> Way:
    world.book(world.counter("siti"), days("2027-03-03", "2027-03-12"))
    breaks_down(world)
    world.after(minutes=16)
    return partial(_after_the_sweep, world)


def _after_the_sweep(world: World) -> Sequence[FreedStretch]:
    assert world.service().sweeps.expire().done == 1
    return ()


def _swapped(world: World) -> Way:
    booking_id = paid(world, days("2027-03-03", "2027-03-12"))
    breaks_down(world)
    return lambda: world.counter("siti").changes_of_bookings.swap_unit(booking_id, AVANZAS[1]).freed


def _swapped_while_out(world: World) -> Way:
    booking_id = active(world, days("2027-03-01", "2027-03-12"))
    world.after(days=2)
    breaks_down(world, Days(dt.date(2027, 3, 3), BROKEN.last))
    return lambda: world.counter("dedi").changes_of_bookings.swap_unit(booking_id, AVANZAS[1]).freed


def _moved_to_another_unit(world: World) -> Way:
    booking_id = paid(world, days("2027-03-03", "2027-03-12"))
    breaks_down(world)
    period = days("2027-03-04", "2027-03-13")
    return lambda: world.counter("siti").changes_of_bookings.reschedule(booking_id, period, AVANZAS[1]).freed


def _moved_on_the_unit(world: World) -> Way:
    booking_id = paid(world, days("2027-03-03", "2027-03-12"))
    breaks_down(world)
    period = days("2027-03-13", "2027-03-22")
    return lambda: world.counter("siti").changes_of_bookings.reschedule(booking_id, period).freed


def _shortened(world: World) -> Way:
    booking_id = active(world, days("2027-03-01", "2027-03-12"))
    breaks_down(world)
    return lambda: world.counter("siti").changes_of_bookings.shorten(booking_id, dt.date(2027, 3, 2)).freed


def _extended(world: World) -> str:
    booking_id = active(world, days("2027-03-01", "2027-03-02"))
    world.counter("siti").changes_of_bookings.request_extension(booking_id, dt.date(2027, 3, 12))
    breaks_down(world)
    return booking_id


def _extension_rejected(world: World) -> Way:
    booking_id = _extended(world)
    return lambda: world.counter("siti").changes_of_bookings.reject_extension(booking_id).freed


def _extension_expired(world: World) -> Way:
    _extended(world)
    world.after(minutes=16)
    return partial(_after_the_sweep, world)


def _planned_work_ended(world: World) -> Way:
    planned = world.counter("ayu").maintenance.block_unit(
        AVANZA, Days(dt.date(2027, 3, 3), dt.date(2027, 3, 12)), "Servis"
    )
    breaks_down(world)
    return lambda: world.counter("ayu").maintenance.end_block(planned.row.id).freed


def _other_breakdown_ended(world: World) -> Way:
    first = breaks_down(world, Days(dt.date(2027, 3, 3), dt.date(2027, 3, 12)))
    breaks_down(world)
    return lambda: world.counter("dedi").maintenance.end_block(first).freed


WAYS: Sequence[Callable[[World], Way]] = (
    _cancelled,
    _expired,
    _swapped,
    _swapped_while_out,
    _moved_to_another_unit,
    _moved_on_the_unit,
    _shortened,
    _extension_rejected,
    _extension_expired,
    _planned_work_ended,
    _other_breakdown_ended,
)


@pytest.mark.parametrize("arranged", WAYS)
def test_days_that_are_left_on_a_broken_unit_are_blocked_at_once_and_only_the_free_ones_are_told(
    world: World, arranged: Callable[[World], Way]
) -> None:
    leave = arranged(world)
    world.catch_up()
    told = leave()
    today = world.now().astimezone(WIB).date()
    ahead = [day for day in world.bits(AVANZA, "202703") if today.day <= day <= 12]
    assert ahead == list(range(today.day, 11)), "before any repair"
    stretches = world.rows(STRETCHES)
    assert [(first, last) for last, first, _ in stretches] == [("2027-03-11", "2027-03-12")]
    assert [item.days for item in told] in ([], [Days(dt.date(2027, 3, 11), dt.date(2027, 3, 12))])
    assert bool(told) is (stretches[0][2] != "expire")
    view = world.counter("ayu").calendar.calendar(Days(today, dt.date(2027, 3, 12)))
    (unit,) = [item for item in view.fleet if item.unit.id == AVANZA]
    shown = {day for bar in view.bars if bar.unit_id == AVANZA for day in view.window if day in bar.days}
    assert {day for day in view.window if view.masks.is_taken(unit, day)} == shown, "what bars and masks say is one"
    with pytest.raises(Refusal) as no:
        world.book(world.counter("siti"), days("2027-03-10"), phone="0812 7777 0001")
    refused(no.value, RefusalCode.DAYS_TAKEN, "lines[0]")
    world.assert_sound()


def test_a_row_of_a_broken_unit_that_ends_by_another_way_leaves_it_blocked_all_the_same(world: World) -> None:
    ayu = world.counter("ayu")
    ayu.maintenance.block_unit(AVANZA, Days(dt.date(2027, 3, 3), dt.date(2027, 3, 12)), "Servis")
    breaks_down(world)
    world.do("UPDATE sentra.occupancy SET active = false WHERE lower(days) = '2027-03-03'")
    world.after(seconds=6)
    world.make_index_whole()
    assert world.bits(AVANZA, "202703") == list(range(1, 11))
    assert world.value("SELECT count(*) FROM sentra.freed_stretch") == 0
