"""`rebuild`, the index's side of it: every unit-month written from projections that are already in memory."""

from __future__ import annotations

import time
from collections.abc import Iterable

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import open_link
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context

BENCH = "rebuild"


def seconds_for(count: int) -> float:
    """From an empty server to every unit-month in place, checked on the last unit."""
    units, months = fleet.units(count), fleet.months()
    wanted = fleet.projections(units, months)
    with fleet.private_redis() as server:
        link = open_link(server.url)
        index = RedisAvailability(link)
        began = time.perf_counter()
        applied = index.project(index.epoch(), wanted)
        taken = time.perf_counter() - began
        (row,) = index.raw_months(units[-1:], months)
        assert applied == count
        assert all(stored.key is not None and stored.packed_known for stored in row)
        link.close()
    return taken


def run(small: bool) -> Iterable[Line]:
    sizes = (500, 5_000) if small else (10_000, 100_000)
    less, more = seconds_for(sizes[0]), seconds_for(sizes[1])
    yield Bar(bench=BENCH, bar=f"seconds for {sizes[0]} units x 12, index side", value=less, limit=5).as_line()
    growth = more / less / (sizes[1] / sizes[0])
    yield Bar(bench=BENCH, bar=f"time per unit at {sizes[1]} / at {sizes[0]}", value=growth, limit=1.3).as_line()
    yield context(BENCH, sizes=sizes, seconds=[round(less, 3), round(more, 3)], postgresql="not part of it")
