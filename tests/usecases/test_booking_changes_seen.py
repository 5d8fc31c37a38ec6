"""A change based on what a person saw: refused when somebody changed the booking since, naming who."""

from collections.abc import Callable

import pytest

from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZA, AVANZAS, World, days
from tests.usecases.change_rig import active

pytest_plugins = ("tests.support.world_fixtures",)

SEEN, MOVED = days("2027-03-09", "2027-03-10"), days("2027-03-20", "2027-03-23")


def refused(no: Refusal) -> tuple[object, ...]:
    return no.code, no.params["reason"], no.params.get("by"), no.params.get("counter")


CHANGED = (RefusalCode.BOOKING_STATE, "changed_meanwhile", "Ayu", "Kasir 2")


def where(world: World, booking: str) -> tuple[object, ...]:
    (found,) = world.rows("SELECT unit_id, first_day, last_day, state FROM sentra.booking WHERE id = %s", booking)
    return found


def name_of(world: World, login: str) -> str:
    return world.counter(login).who.name


def version_of(world: World, booking: str) -> int:
    found = world.value("SELECT version FROM sentra.booking WHERE id = %s", booking)
    assert isinstance(found, int)
    return found


def test_what_another_counter_moved_is_not_moved_back_by_an_old_view(world: World) -> None:
    siti, ayu = world.counter("siti"), world.counter("ayu", "Kasir 2")
    mine = world.book(siti, days("2027-03-04", "2027-03-05")).bookings[0].id
    seen = siti.changes_of_bookings.reschedule(mine, SEEN).version
    ayu.changes_of_bookings.reschedule(mine, MOVED, AVANZAS[1])
    stands = where(world, mine)
    later: tuple[Callable[[], object], ...] = (
        lambda: siti.changes_of_bookings.reschedule(mine, days("2027-03-04", "2027-03-05"), version=seen),
        lambda: siti.changes_of_bookings.swap_unit(mine, AVANZA, version=seen),
        lambda: siti.bookings.cancel(mine, "x", version=seen),
    )
    for late in later:
        with pytest.raises(Refusal) as no:
            late()
        assert refused(no.value) == (*CHANGED[:2], name_of(world, "ayu"), "Kasir 2")
        assert where(world, mine) == stands
    with pytest.raises(Refusal) as asked:
        siti.changes_of_bookings.quote_change(mine, RentalPeriod(MOVED.first, MOVED.first), version=seen)
    assert refused(asked.value)[:2] == CHANGED[:2]


def test_what_is_as_it_was_seen_is_changed(world: World) -> None:
    siti = world.counter("siti")
    mine = world.book(siti, days("2027-03-04", "2027-03-05")).bookings[0].id
    (bar,) = [bar for bar in siti.calendar.bars(days("2027-03-01", "2027-03-31")) if bar.booking_id == mine]
    moved = siti.changes_of_bookings.reschedule(mine, MOVED, version=bar.version)
    swapped = siti.changes_of_bookings.swap_unit(mine, AVANZAS[1], version=moved.version)
    again = siti.changes_of_bookings.swap_unit(mine, AVANZAS[1], version=moved.version)  # its answer was lost
    assert (again.version, again.unit_id) == (swapped.version, AVANZAS[1])
    siti.bookings.cancel(mine, "batal", version=swapped.version)
    assert where(world, mine)[3] == "CANCELLED"


def test_an_extension_and_an_earlier_end_are_not_taken_back_by_an_old_view(world: World) -> None:
    siti, ayu = world.counter("siti"), world.counter("ayu", "Kasir 2")
    mine = active(world, days("2027-03-01", "2027-03-04"))
    changes = siti.changes_of_bookings
    seen = version_of(world, mine)
    mine_asked = changes.request_extension(mine, days("2027-03-01", "2027-03-06").last, version=seen)
    left = mine_asked.version
    found = changes.request_extension(mine, days("2027-03-01", "2027-03-06").last, version=left)  # its answer was lost
    assert (found.version, found.invoice_id) == (left, mine_asked.invoice_id)
    with pytest.raises(Refusal):
        changes.request_extension(mine, days("2027-03-01", "2027-03-07").last, version=left)
    ayu.changes_of_bookings.reject_extension(mine, "salah")
    ayu.changes_of_bookings.request_extension(mine, days("2027-03-01", "2027-03-08").last)
    stands = where(world, mine)
    with pytest.raises(Refusal) as no:
        changes.reject_extension(mine, version=mine_asked.version)
    assert refused(no.value) == (*CHANGED[:2], name_of(world, "ayu"), "Kasir 2")
    assert where(world, mine) == stands
    ayu.changes_of_bookings.reject_extension(mine, "salah")
    later: tuple[Callable[[], object], ...] = (
        lambda: changes.shorten(mine, days("2027-03-01", "2027-03-02").last, version=seen),
        lambda: changes.request_extension(mine, days("2027-03-01", "2027-03-09").last, version=seen),
    )
    for late in later:
        with pytest.raises(Refusal) as no:
            late()
        assert refused(no.value)[:2] == CHANGED[:2]
    assert where(world, mine)[3] == "ACTIVE_RENTAL"
