"""Refused demand: each wish once, whoever refuses it and however often it is sent; never in the way of the refusal."""

import datetime as dt
import uuid

import psycopg
import pytest

from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZA, AVANZAS, SKU, WIB, World, days, line, refused
from tests.usecases.change_rig import active, paid, pay

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
WISHES = "SELECT sku_id, unit_id, first_day::text, last_day::text, code, branch_id, counter FROM sentra.refused_demand"


def refuse(world: World, login: str, period: RentalPeriod, unit: str | None, order_id: str | None = None) -> Refusal:
    with pytest.raises(Refusal) as no:
        world.book(world.counter(login, "Kasir 3"), period, unit, order_id=order_id, phone="0812 7777 0001")
    assert no.value.code is RefusalCode.DAYS_TAKEN
    return no.value


def test_a_refused_wish_is_recorded_once_however_often_it_is_sent(world: World) -> None:
    world.book(world.counter("siti"), MARCH)
    order_id = str(uuid.uuid4())
    for _ in range(3):
        refuse(world, "ayu", MARCH, AVANZA, order_id)
    refuse(world, "ayu", days("2027-03-11"), AVANZA, order_id.upper())
    assert world.rows(WISHES + " ORDER BY first_day") == [
        (SKU, AVANZA, "2027-03-10", "2027-03-12", "DAYS_TAKEN", "JKT", "Kasir 3"),
        (SKU, AVANZA, "2027-03-11", "2027-03-11", "DAYS_TAKEN", "JKT", "Kasir 3"),
    ]


def test_a_wish_for_any_unit_has_no_unit_and_counts_once_too(world: World) -> None:
    for unit in AVANZAS:
        world.book(world.counter("siti"), MARCH, unit)
    order_id = str(uuid.uuid4())
    for _ in range(2):
        refuse(world, "ayu", MARCH, None, order_id)
    assert world.rows(WISHES) == [(SKU, None, "2027-03-10", "2027-03-12", "DAYS_TAKEN", "JKT", "Kasir 3")]


def test_other_refusals_are_no_lost_demand(world: World) -> None:
    for period, unit in ((days("2027-02-10"), AVANZA), (MARCH, "no-such-unit")):
        with pytest.raises(Refusal):
            world.book(world.counter("ayu"), period, unit)
    with pytest.raises(Refusal):
        world.order(world.counter("ayu"), [line(MARCH), line(MARCH)])
    assert world.value("SELECT count(*) FROM sentra.refused_demand") == 0


def test_the_report_names_each_wish_and_counts_by_wanted_day_what_was_not_booked_after_all(world: World) -> None:
    world.book(world.counter("siti"), MARCH)
    lost = refuse(world, "ayu", days("2027-03-12", "2027-03-13"), AVANZA)
    world.after(minutes=1)
    order_id = str(uuid.uuid4())
    refuse(world, "siti", MARCH, AVANZA, order_id)
    world.after(minutes=1)
    world.book(world.counter("siti"), MARCH, AVANZAS[1], order_id=order_id, phone="0812 7777 0001")
    maya = world.counter("maya")
    found = maya.demand.refusals(days("2027-03-01"))
    assert [(row.by_name, row.unit_id, row.booked_after_all) for row in found] == [
        ("Ayu", AVANZA, False),
        ("Siti", AVANZA, True),
    ]
    assert (found[0].sku, found[0].period.first, found[0].code) == (SKU, lost.params["first_day"], "DAYS_TAKEN")
    assert found[1].order_id == order_id
    assert maya.demand.refusals(days("2027-03-02", "2027-03-31")) == ()
    counts = maya.demand.refusal_counts(days("2027-03-01", "2027-03-12"))
    assert [(item.sku, item.day.day, item.count) for item in counts] == [(SKU, 12, 1)]


def lost(world: World) -> list[int]:
    """Days of April 2027 that somebody wanted and did not get."""
    counts = world.counter("maya").demand.refusal_counts(days("2027-04-01", "2027-04-30"))
    return [item.day.day for item in counts for _ in range(item.count)]


def after_all(world: World) -> list[bool]:
    return [row.booked_after_all for row in world.counter("maya").demand.refusals(days("2027-03-01", "2027-04-30"))]


def test_days_that_a_booking_got_on_another_unit_are_not_lost(world: World) -> None:
    siti = world.counter("siti")
    mine = paid(world, days("2027-04-01", "2027-04-03"))
    world.book(siti, days("2027-04-05"), phone="0812 1111 0003")
    change = siti.changes_of_bookings
    with pytest.raises(Refusal):
        change.reschedule(mine, days("2027-04-03", "2027-04-05"))
    assert (lost(world), after_all(world)) == ([3, 4, 5], [False])
    world.after(minutes=1)
    change.swap_unit(mine, AVANZAS[1])
    assert (lost(world), after_all(world)) == ([3, 4, 5], [False]), "its days are the same as before"
    change.reschedule(mine, days("2027-04-03", "2027-04-05"))
    assert (lost(world), after_all(world)) == ([], [True])


def test_days_that_another_booking_has_all_along_do_not_make_up_for_a_wish(world: World) -> None:
    siti = world.counter("siti")
    order = world.order(
        siti, [line(days("2027-04-01"), AVANZAS[0]), line(days("2027-04-05", "2027-04-06"), AVANZAS[1])]
    )
    world.book(siti, days("2027-04-05"), phone="0812 1111 0003")
    change = siti.changes_of_bookings
    with pytest.raises(Refusal):
        change.reschedule(order.bookings[0].id, days("2027-04-05"))
    world.after(minutes=1)
    change.reschedule(order.bookings[1].id, days("2027-04-05", "2027-04-07"))
    assert (lost(world), after_all(world)) == ([5], [False])


def test_of_a_shorter_extension_only_the_days_that_nobody_could_give_are_lost(world: World) -> None:
    world.stand(dt.datetime(2027, 4, 1, 9, tzinfo=WIB))
    mine = active(world, days("2027-04-01", "2027-04-05"))
    siti = world.counter("siti")
    world.book(siti, days("2027-04-09"), phone="0812 1111 0003")
    change = siti.changes_of_bookings
    with pytest.raises(Refusal):
        change.request_extension(mine, dt.date(2027, 4, 10))
    world.after(minutes=1)
    asked = change.request_extension(mine, dt.date(2027, 4, 8))
    assert lost(world) == [6, 7, 8, 9, 10], "nobody has paid for it yet"
    assert asked.invoice_id is not None
    pay(world, asked.invoice_id)
    assert (lost(world), after_all(world)) == ([9, 10], [False])


def test_another_unit_for_days_that_a_booking_has_is_no_lost_demand(world: World) -> None:
    siti = world.counter("siti")
    mine = paid(world, days("2027-04-01", "2027-04-05"))
    world.book(siti, days("2027-04-03"), AVANZAS[1], phone="0812 1111 0003")
    for wanted in (days("2027-04-01", "2027-04-05"), days("2027-04-02", "2027-04-03")):
        with pytest.raises(Refusal) as no:
            siti.changes_of_bookings.reschedule(mine, wanted, AVANZAS[1])
        assert no.value.code is RefusalCode.DAYS_TAKEN
    assert after_all(world) == []


def test_a_wish_that_cannot_be_recorded_is_logged_and_the_refusal_answered_all_the_same(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.book(world.counter("siti"), MARCH)
    with psycopg.connect(world.database.owner_url) as blocked:
        blocked.execute("LOCK TABLE sentra.refused_demand IN ACCESS EXCLUSIVE MODE")
        no = refuse(world, "ayu", MARCH, AVANZA)
    assert no.params["blockers"]
    assert "was not recorded" in caplog.text
    assert world.value("SELECT count(*) FROM sentra.refused_demand") == 0


@pytest.mark.parametrize("login", ["ayu", "siti", "dedi", "budi"])
def test_only_a_manager_reads_the_report(shared_world: World, login: str) -> None:
    demand = shared_world.counter(login).demand
    for ask in (demand.refusals, demand.refusal_counts):
        with pytest.raises(Refusal) as no:
            ask(MARCH)
        refused(no.value, RefusalCode.NOT_ALLOWED)


def test_a_branch_sees_only_its_own_lost_demand(world: World) -> None:
    world.book(world.counter("siti"), MARCH)
    refuse(world, "ayu", MARCH, AVANZA)
    hasnah = world.counter("hasnah")
    assert hasnah.demand.refusals(days("2027-03-01")) == ()
    assert hasnah.demand.refusal_counts(MARCH) == ()


def test_one_customers_tries_are_one_wish_and_none_once_it_is_booked(world: World) -> None:
    for unit in AVANZAS[:2]:
        world.book(world.counter("siti"), MARCH, unit)
    order_id = str(uuid.uuid4())
    refuse(world, "ayu", MARCH, AVANZAS[0], order_id)
    refuse(world, "ayu", MARCH, AVANZAS[1], order_id)
    refuse(world, "ayu", days("2027-03-11", "2027-03-12"), AVANZAS[0], order_id)
    maya = world.counter("maya").demand
    counts = [(count.day.day, count.count) for count in maya.refusal_counts(MARCH)]
    assert counts == [(10, 1), (11, 1), (12, 1)]

    world.after(minutes=1)
    world.book(world.counter("ayu"), MARCH, AVANZAS[2], order_id=order_id, phone="0812 7777 0001")
    assert maya.refusal_counts(MARCH) == ()
    assert all(row.booked_after_all for row in maya.refusals(days("2027-02-01", "2027-03-30")))
