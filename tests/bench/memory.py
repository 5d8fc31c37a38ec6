"""`memory`: what the seed's keys cost in Redis, and what the packed mirror and the versions add."""

from __future__ import annotations

from collections.abc import Iterable

import redis

from app.adapters.redis.availability import RedisAvailability, unit_key
from app.adapters.redis.connection import connect, open_link
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context

BENCH = "memory"
_NAMES_AT_ONCE = 5_000


def used(client: redis.Redis) -> int:
    """Bytes in use, without the buffers of connections that just carried a lot."""
    client.client_kill_filter(_type="normal", skipme=True)
    client.connection_pool.disconnect()
    found: int = client.info("memory")["used_memory"]
    return found


def run(small: bool) -> Iterable[Line]:
    units, months = fleet.units(1_000 if small else 10_000), fleet.months()
    unit_months = len(units) * len(months)
    with fleet.private_redis() as ours, fleet.private_redis() as plain:
        link, our_client, plain_client = open_link(ours.url), connect(ours.url), connect(plain.url)
        index = RedisAvailability(link)
        empty_ours, empty_plain = used(our_client), used(plain_client)
        index.project(index.epoch(), fleet.projections(units, months))
        whole = used(our_client) - empty_ours
        pipe = plain_client.pipeline(transaction=False)
        names = [unit_key(unit.sku, unit.unit_id, month) for unit in units for month in months]
        for at in range(0, len(names), _NAMES_AT_ONCE):
            some = names[at : at + _NAMES_AT_ONCE]
            for name, value in zip(some, our_client.mget(some), strict=True):
                assert value is not None
                pipe.set(name, value)
            pipe.execute()
        beside = [*our_client.keys("apack:*"), *our_client.keys("aver:*"), *our_client.keys("aidx:*")]
        our_client.delete(*beside)
        seeds, floor = used(our_client) - empty_ours, used(plain_client) - empty_plain
        assert our_client.dbsize() == plain_client.dbsize() == unit_months
        facts = fleet.server_facts(our_client)
        for each in (our_client, plain_client, link):
            each.close()
    yield Bar(bench=BENCH, bar="seed keys / plain SET", value=seeds / floor, limit=1.05).as_line()
    yield Bar(bench=BENCH, bar="mirror and metadata / seed keys", value=(whole - seeds) / seeds, limit=0.15).as_line()
    yield context(
        BENCH,
        units=len(units),
        unit_months=unit_months,
        payload_bytes=4 * unit_months,
        seed_keys_bytes=seeds,
        whole_index_bytes=whole,
        bytes_per_unit_month=round(seeds / unit_months, 1),
        **facts,
    )
