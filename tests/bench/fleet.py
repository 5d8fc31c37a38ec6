"""A fleet of any size with the same days each time, and a private Redis to put it in."""

from __future__ import annotations

import datetime as dt
import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import redis

from app.domain.days import Days, YearMonth
from app.usecases.index_port import IndexedUnit, Projection
from tests.support.redis_nodes import RedisNode

FIRST = YearMonth(2027, 1)
SKU = "TOY-AVNZ-G"


def months(count: int = 12) -> tuple[YearMonth, ...]:
    return tuple(FIRST.shifted(n) for n in range(count))


def units(count: int, sku: str = SKU) -> list[IndexedUnit]:
    """Ids as long as the demo's (`uuid-avanza-00001`)."""
    return [IndexedUnit(sku=sku, unit_id=f"uuid-avanza-{n:05d}", slot=n) for n in range(count)]


def projections(of: Sequence[IndexedUnit], in_months: Sequence[YearMonth], longest_gap: int = 15) -> list[Projection]:
    """Rentals of 1 to 7 days that never overlap on a unit; with the usual gap about a third of all days is taken."""
    chance = random.Random(2027)
    last = in_months[-1].last_day
    found = []
    for unit in of:
        taken = []
        day = in_months[0].first_day + dt.timedelta(days=chance.randrange(12))
        while day <= last:
            end = min(last, day + dt.timedelta(days=chance.randrange(7)))
            taken.append(Days(day, end))
            day = end + dt.timedelta(days=chance.randrange(2, longest_gap + 1))
        found.append(Projection(unit=unit, version=1, months=tuple(in_months), days=tuple(taken)))
    return found


@contextmanager
def private_redis() -> Iterator[RedisNode]:
    """An empty Redis of its own, gone afterwards with its folder."""
    folder = Path(tempfile.mkdtemp(prefix="sb-"))
    folder.chmod(0o711)  # the servers' own user passes through
    node = RedisNode(folder / "redis")
    node.start()
    try:
        yield node
    finally:
        node.stop()
        shutil.rmtree(folder)


def server_facts(client: redis.Redis) -> dict[str, object]:
    info = client.info()
    return {"redis": info["redis_version"], "allocator": info["mem_allocator"], "redis_py": redis.__version__}
