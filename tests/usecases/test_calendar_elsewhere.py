"""Another branch seen from here: its units, its days and what is free there, and nobody's name."""

import datetime as dt

from app.domain.days import RentalPeriod
from tests.support.world import FAR_AVANZA, World, days

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
WINDOW = days("2027-03-01", "2027-03-31")


def test_every_branch_is_named_and_the_own_fleet_stays_the_default(world: World) -> None:
    calendar = world.counter("siti").calendar
    assert {(branch.code, branch.name) for branch in calendar.branches()} == {
        ("JKT", "Jakarta Pusat"),
        ("MKS", "Makassar"),
    }
    (there,) = [branch for branch in calendar.branches() if branch.code == "MKS"]
    assert [unit.unit.id for unit in calendar.fleet(there.id)] == [FAR_AVANZA]
    assert FAR_AVANZA not in {unit.unit.id for unit in calendar.fleet()}


def test_a_booking_of_another_branch_shows_its_days_and_kind_and_no_person(world: World) -> None:
    world.book(world.counter("rahmat"), MARCH, FAR_AVANZA)
    calendar = world.counter("siti").calendar
    (there,) = [branch for branch in calendar.branches() if branch.code == "MKS"]
    (bar,) = calendar.bars(WINDOW, there.id)
    assert (bar.unit_id, bar.days.first, bar.days.last) == (FAR_AVANZA, MARCH.first, MARCH.last)
    assert (bar.booking_id, bar.number, bar.state, bar.source, bar.customer_name) == (None,) * 5
    assert (bar.payment_deadline, bar.due_at, bar.note) == (None, None, "")
    fleet = calendar.fleet(there.id)
    masks = calendar.masks(fleet, WINDOW)
    assert [day for day in WINDOW if masks.is_taken(fleet[0], day)] == list(MARCH)


def test_what_is_free_elsewhere_is_answered_with_and_without_the_index(world: World) -> None:
    world.book(world.counter("rahmat"), MARCH, FAR_AVANZA)
    after = RentalPeriod(MARCH.last + dt.timedelta(days=1), MARCH.last + dt.timedelta(days=3))
    for redis_url in ("", None):
        calendar = world.counter("siti", redis_url=redis_url).calendar
        (there,) = [branch for branch in calendar.branches() if branch.code == "MKS"]
        fleet = calendar.fleet(there.id)
        assert calendar.free_now(MARCH, fleet=fleet) == ()
        assert [unit.unit.id for unit in calendar.free_now(after, fleet=fleet)] == [FAR_AVANZA]
