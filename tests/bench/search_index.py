"""`search`: free units of a SKU for a period, from the packed months against two ways to ask PostgreSQL.

Each side stops where its answer can be counted and its first fifty be shown; PostgreSQL has made all rows by then.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import psycopg

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import open_link
from app.domain.days import Days, masks_of
from app.usecases.index_port import IndexedUnit, Projection
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context, medians_ms
from tests.support import cluster

BENCH = "search"
OTHER_SKUS = 2  # so that the SKU is a condition that matters
PERIODS = {
    1: Days(dt.date(2027, 3, 10), dt.date(2027, 3, 12)),
    2: Days(dt.date(2027, 3, 30), dt.date(2027, 4, 2)),
    3: Days(dt.date(2027, 3, 31), dt.date(2027, 5, 1)),
}

TABLES = """
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TABLE unit (sku text, slot int, id text PRIMARY KEY);
CREATE TABLE bitmask (sku text, month int, slot int, mask bigint);
CREATE TABLE occupancy (sku text, unit_id text, days daterange);
"""
INDEXES = """
CREATE INDEX ON unit (sku, slot);
ALTER TABLE bitmask ADD PRIMARY KEY (sku, month, slot);
CREATE INDEX ON occupancy USING gist (sku, days);
CREATE INDEX ON occupancy (unit_id);
ANALYZE
"""
ANTI_JOIN = """
SELECT slot FROM unit WHERE sku = %s AND NOT EXISTS (
    SELECT FROM occupancy WHERE occupancy.sku = unit.sku AND unit_id = unit.id AND days && daterange(%s, %s, '[]'))
"""


@contextmanager
def scratch_database() -> Iterator[psycopg.Connection]:
    """A private PostgreSQL that ends, with its folder, when the benchmark does."""
    cluster.choose_folder()
    try:
        joined = cluster.join_cluster()
        try:
            with psycopg.connect(joined.database_url, autocommit=True) as connection:
                yield connection
        finally:
            joined.close()
    finally:
        cluster.remove_folder()


def fill(connection: psycopg.Connection, projections: Sequence[Projection]) -> None:
    connection.execute(TABLES)
    with connection.cursor() as cursor:
        with cursor.copy("COPY unit FROM STDIN") as rows:
            for item in projections:
                rows.write_row((item.unit.sku, item.unit.slot, item.unit.unit_id))
        with cursor.copy("COPY bitmask FROM STDIN") as rows:
            for item in projections:
                for month, mask in zip(item.months, masks_of(item.days, item.months), strict=True):
                    rows.write_row((item.unit.sku, int(str(month)), item.unit.slot, mask))
        with cursor.copy("COPY occupancy FROM STDIN") as rows:
            for item in projections:
                for days in item.days:
                    rows.write_row((item.unit.sku, item.unit.unit_id, f"[{days.first},{days.last}]"))
    connection.execute(INDEXES)


def by_anti_join(connection: psycopg.Connection, sku: str, days: Days) -> list[int]:
    return _slots(connection, ANTI_JOIN, [sku, days.first, days.last])


def by_bitmask_table(connection: psycopg.Connection, sku: str, days: Days) -> list[int]:
    """One pass over each month, the months joined by slot."""
    months = days.months()
    tables = " JOIN ".join(f"bitmask m{n}" + (" USING (sku, slot)" if n else "") for n in range(len(months)))
    free = " AND ".join(f"m{n}.month = %s AND m{n}.mask & %s = 0" for n in range(len(months)))
    arguments: list[object] = [sku]
    for month in months:
        arguments += [int(str(month)), days.mask(month)]
    return _slots(connection, f"SELECT slot FROM {tables} WHERE sku = %s AND {free}", arguments)


def _slots(connection: psycopg.Connection, question: str, arguments: Sequence[object]) -> list[int]:
    # The statements are put together from constants of this file only.
    found = connection.execute(question.encode(), arguments, prepare=True)
    return [row[0] for row in found.fetchall()]


def by_index(index: RedisAvailability, sku: str, days: Days) -> Sequence[int]:
    return index.slots_for(sku, days).free


def run(small: bool) -> Iterable[Line]:
    each = 500 if small else 10_000
    skus = [f"SKU-{n:02d}" for n in range(OTHER_SKUS + 1)]
    projections = [item for n, sku in enumerate(skus) for item in _fleet_of(sku, each, n * each)]
    with fleet.private_redis() as server, scratch_database() as connection:
        link = open_link(server.url)
        index = RedisAvailability(link)
        index.project(index.epoch(), projections)
        fill(connection, projections)
        free: dict[str, int] = {}
        raw: dict[str, dict[str, float]] = {}
        for count, days in PERIODS.items():
            sides: dict[str, Callable[[], Sequence[int]]] = {
                "packed": partial(by_index, index, skus[1], days),
                "bitmask_table": partial(by_bitmask_table, connection, skus[1], days),
                "anti_join": partial(by_anti_join, connection, skus[1], days),
            }
            answers = {name: sorted(ask()) for name, ask in sides.items()}
            assert answers["packed"] == answers["bitmask_table"] == answers["anti_join"]
            assert answers["packed"]
            free[f"{count} months"] = len(answers["packed"])
            raw[f"{count} months"] = medians_ms(sides, rounds=15, calls=10)
        with link.asking() as client:
            facts = fleet.server_facts(client)
        version = connection.info.server_version
        link.close()
    for name, found in raw.items():
        table, join = found["packed"] / found["bitmask_table"], found["packed"] / found["anti_join"]
        yield Bar(bench=BENCH, bar=f"packed / bitmask table, {name}", value=table, limit=0.25).as_line()
        yield Bar(bench=BENCH, bar=f"packed / anti-join, {name}", value=join, limit=0.05).as_line()
    yield context(BENCH, units_of_sku=each, skus=len(skus), free=free, median_ms=raw, postgresql=version, **facts)


def _fleet_of(sku: str, count: int, first: int) -> list[Projection]:
    """Three of four units as busy as usual, every fourth seldom rented: else nobody is free for a whole month."""
    units = [IndexedUnit(sku=sku, unit_id=f"uuid-unit-{first + n:05d}", slot=n) for n in range(count)]
    months = fleet.months()
    busy = [unit for unit in units if unit.slot % 4]
    seldom = [unit for unit in units if not unit.slot % 4]
    return [*fleet.projections(busy, months), *fleet.projections(seldom, months, longest_gap=120)]
