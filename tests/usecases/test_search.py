"""The search for free units: the same answer as the constraint's, in a number of trips that no fleet size changes."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import psycopg
import pytest

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.databases import url_of
from tests.support.waiting import eventually
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, HIACE, OTHER_SKU, SKU, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
MONTH = days("2027-03-01", "2027-03-31")
QUARTER = days("2027-03-20", "2027-05-25")


def stock(world: World, count: int) -> None:
    """So many units more in Jakarta, over four SKUs of two categories, two of them with a turnaround."""
    world.do(
        "INSERT INTO sentra.sku (id, name, category, daily_rate, deposit, turnaround_days, next_slot)"
        " SELECT 'KIND-' || kind, 'Jenis ' || kind, CASE WHEN kind < 2 THEN 'Mobil' ELSE 'Motor' END, 100000, 0,"
        "        kind %% 2, %s / 4 FROM generate_series(0, 3) AS kind"
        " ON CONFLICT (id) DO UPDATE SET next_slot = EXCLUDED.next_slot",
        count,
    )
    world.do(
        "INSERT INTO sentra.unit (id, sku_id, branch_id, slot, plate)"
        " SELECT 'kind-' || n, 'KIND-' || n %% 4, 'JKT', n / 4, 'X ' || n FROM generate_series(0, %s - 1) AS n"
        " ON CONFLICT (id) DO NOTHING",
        count,
    )
    world.do("ANALYZE sentra.unit")
    world.make_index_whole()


@dataclass(frozen=True, slots=True)
class Trips:
    """What the servers themselves counted: commands of Redis, statements of PostgreSQL (a read is a transaction)."""

    commands: int
    statements: int


def _commands(world: World) -> int:
    with world.redis() as client:
        stats = client.info("commandstats")
    assert isinstance(stats, dict)
    return sum(int(item["calls"]) for name, item in stats.items() if name not in {"cmdstat_info", "cmdstat_client"})


def _transactions(world: World) -> int:
    """Asked from the database beside, so that asking counts nothing; sessions that have ended have told theirs."""
    name = world.database.name
    with psycopg.connect(url_of(world.database.owner_url, database="postgres"), autocommit=True) as beside:
        people = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        eventually(lambda: beside.execute(people, (name,)).fetchone() == (0,), what="the counters' sessions have ended")
        found = beside.execute("SELECT xact_commit FROM pg_stat_database WHERE datname = %s", (name,)).fetchone()
    assert found is not None
    return int(found[0])


def trips_of(world: World, ask: Callable[[Counter], object]) -> Trips:
    """What one question costs a fresh counter, its log-in included. The database's own housekeeping only adds."""
    found = []
    for _ in range(3):
        before = _commands(world), _transactions(world)
        ayu = world.counter("ayu")
        assert ask(ayu)
        ayu.close()
        found.append((_commands(world) - before[0], _transactions(world) - before[1]))
    return Trips(commands=min(one for one, _ in found), statements=min(other for _, other in found))


QUESTIONS: dict[str, Callable[[Counter], object]] = {
    "a month": lambda ayu: ayu.calendar.calendar(MONTH).masks.from_index,
    "all": lambda ayu: ayu.calendar.free_now(QUARTER),
    "a SKU": lambda ayu: ayu.calendar.free_now(QUARTER, sku="KIND-1"),
    "a category": lambda ayu: ayu.calendar.free_units_of_category("Motor", QUARTER),
}


def test_c35_a_month_and_a_search_cost_as_many_trips_for_4000_units_as_for_40(world: World) -> None:
    stock(world, 40)
    world.close_counters()
    nothing = trips_of(world, lambda ayu: ayu.who)
    few = {name: trips_of(world, ask) for name, ask in QUESTIONS.items()}
    stock(world, 4_000)
    world.close_counters()
    assert {name: trips_of(world, ask) for name, ask in QUESTIONS.items()} == few
    assert len(world.counter("ayu").calendar.fleet()) == 4_000 + 4
    assert max(trips.commands - nothing.commands for trips in few.values()) <= 3, "log in, epoch, one MGET"
    assert max(trips.statements - nothing.statements for trips in few.values()) <= 8, "each prepared, then run"


@pytest.mark.parametrize("index", ["whole", "flushed", "one unknown", "away"])
def test_a_search_answers_what_postgresql_answers_whatever_the_index_knows(world: World, index: str) -> None:
    stock(world, 24)
    ayu = world.counter("ayu", redis_url="redis://127.0.0.1:1/0" if index == "away" else "")
    booker = world.counter("ayu")
    dice = random.Random(7)
    for unit in booker.calendar.fleet():
        for day in sorted(dice.sample(range(1, 28), 2)):
            first = f"2027-{dice.choice((3, 4)):02}-{day:02}"
            try:
                world.book(booker, days(first), unit.unit.id, sku=unit.sku.code)
            except Refusal as no:
                assert no.code is RefusalCode.DAYS_TAKEN
    with world.redis() as client:
        if index == "flushed":
            client.flushall()
        elif index == "one unknown":
            client.setrange(f"apack:{SKU}:202703", 4, b"\0\0\0\0")
    for period in (MARCH, QUARTER, days("2027-03-31", "2027-04-01"), days("2027-03-27")):
        for sku in (SKU, OTHER_SKU, "KIND-0", "KIND-1", "KIND-3"):
            told = [unit.unit.id for unit in ayu.calendar.free_now(period, sku=sku)]
            assert told == [unit.unit.id for unit in booker.calendar.free_units(sku, period)], (period, sku)
    for period in (MARCH, QUARTER):
        motors = [unit.unit.id for unit in ayu.calendar.free_units_of_category("Motor", period)]
        each = [booker.calendar.free_units(sku, period) for sku in ("KIND-2", "KIND-3")]
        assert motors == [unit.unit.id for units in each for unit in units]
    world.make_index_whole()
    world.assert_sound()


def test_what_the_index_did_not_know_it_has_learned(world: World) -> None:
    with world.redis() as client:
        client.flushall()
    assert len(world.counter("ayu").calendar.free_now(MARCH, sku=SKU)) == 3
    assert world.bits(AVANZA, "202703") == []


def test_months_the_index_does_not_keep_are_answered_by_postgresql_and_stay_out_of_it(world: World) -> None:
    far = days("2031-05-01", "2031-05-03")
    found = world.counter("ayu").calendar.free_now(far, sku=SKU)
    assert [unit.unit.id for unit in found] == list(AVANZAS)
    with world.redis() as client:
        assert not client.exists(f"apack:{SKU}:203105")


def test_a_search_in_a_fleet_the_caller_has_looks_at_nothing_else(world: World) -> None:
    ayu = world.counter("ayu")
    some = [unit for unit in ayu.calendar.fleet() if unit.unit.id in AVANZAS[1:]]
    world.book(ayu, MARCH, AVANZAS[1])
    for counter in (ayu, world.counter("ayu", redis_url=None)):
        assert [unit.unit.id for unit in counter.calendar.free_now(MARCH, fleet=some)] == [AVANZAS[2]]
    assert ayu.calendar.free_now(MARCH, fleet=()) == ()


def test_a_unit_that_is_out_of_service_without_a_known_end_is_not_offered(world: World) -> None:
    world.do("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = %s", AVANZA)
    ayu = world.counter("ayu")
    assert AVANZA not in {unit.unit.id for unit in ayu.calendar.free_now(MARCH)}
    assert AVANZA not in {unit.unit.id for unit in ayu.calendar.free_units(SKU, MARCH)}


def test_the_turnaround_counts_in_every_search(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-10"), HIACE, sku=OTHER_SKU)
    for period, free in (
        (days("2027-03-08"), True),
        (days("2027-03-09"), False),
        (days("2027-03-11"), False),
        (days("2027-03-12"), True),
    ):
        assert bool(ayu.calendar.free_now(period, sku=OTHER_SKU)) is free, period
        assert bool(ayu.calendar.free_units_of_category("Minibus", period)) is free, period


def test_other_branches_free_units_are_counted_without_any_name(world: World) -> None:
    ((branch, free, first),) = world.counter("ayu").calendar.free_elsewhere(SKU, MARCH)
    assert (branch.code, branch.name, free, first.unit.id) == ("MKS", "Makassar", 1, FAR_AVANZA)
    ((mine, three, slot_first),) = world.counter("rahmat").calendar.free_elsewhere(SKU, MARCH)
    assert (mine.code, three, slot_first.unit.id) == ("JKT", 3, AVANZA)
    world.book(world.counter("rahmat"), MARCH, FAR_AVANZA)
    assert world.counter("ayu").calendar.free_elsewhere(SKU, MARCH) == ()
    assert world.counter("ayu").calendar.free_elsewhere(OTHER_SKU, MARCH) == ()


def test_an_unknown_sku_or_category_is_not_found(shared_world: World) -> None:
    calendar = shared_world.counter("ayu").calendar
    with pytest.raises(Refusal) as no:
        calendar.free_elsewhere("NO-SUCH", MARCH)
    refused(no.value, RefusalCode.NOT_FOUND, "sku")
    with pytest.raises(Refusal) as no:
        calendar.free_units_of_category("Pesawat" * 50, MARCH)
    refused(no.value, RefusalCode.NOT_FOUND, "category")
    assert calendar.free_now(MARCH, sku="NO-SUCH") == ()


def test_a_search_over_years_of_no_calendar_is_refused(shared_world: World) -> None:
    day = MARCH.first.replace(year=9999)
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").calendar.free_now(RentalPeriod(day, day))
    refused(no.value, RefusalCode.PERIOD_INVALID, "first_day")
