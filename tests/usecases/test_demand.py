"""Refused demand: each wish once, whoever refuses it and however often it is sent; never in the way of the refusal."""

import uuid

import psycopg
import pytest

from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZA, AVANZAS, SKU, World, days, line, refused

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
