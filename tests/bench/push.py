"""`push`, up to the hint: days claimed at one counter until another counter's subscription hands them over."""

from __future__ import annotations

import datetime as dt
import queue
import statistics
import time
from collections.abc import Iterable

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import open_link
from app.adapters.redis.subscription import Subscription
from app.domain.days import Days
from app.usecases.index_port import ClaimAnswer, Projection
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context, percentile

BENCH = "push"


def run(small: bool) -> Iterable[Line]:
    rounds = 300 if small else 3_000
    unit, months = fleet.units(1)[0], fleet.months(1)
    day = Days(dt.date(2027, 1, 5), dt.date(2027, 1, 7))
    arrived: queue.SimpleQueue[float] = queue.SimpleQueue()
    own_ms, heard_ms = [], []
    with fleet.private_redis() as server:
        link = open_link(server.url)
        index = RedisAvailability(link)
        epoch = index.epoch()
        index.project(epoch, [Projection(unit=unit, version=1, months=months, days=())])
        ear = Subscription(
            server.url,
            on_availability=lambda *_: arrived.put(time.perf_counter()),
            on_change=lambda *_: None,
            on_lost=lambda: None,
            on_restored=lambda: None,
        )
        ear.follow(skus=[fleet.SKU], branches=[])
        ear.start()
        assert ear.wait_until_heard(5)
        for n in range(rounds):
            began = time.perf_counter()
            assert index.claim(unit, day, f"K1:{n}").answer is ClaimAnswer.OK
            own_ms.append((time.perf_counter() - began) * 1_000)
            heard_ms.append((arrived.get(timeout=5) - began) * 1_000)
            index.project(epoch, [Projection(unit=unit, version=n + 2, months=months, days=())])
            arrived.get(timeout=5)
        ear.close()
        link.close()
    ratio = statistics.median(heard_ms) / statistics.median(own_ms)
    yield Bar(bench=BENCH, bar="p50 to the hint heard / writer's round trip", value=ratio, limit=2.5).as_line()
    p99 = percentile(heard_ms, 0.99)
    yield Bar(bench=BENCH, bar="p99 ms to the hint heard", value=p99, limit=16.7).as_line()
    yield context(
        BENCH,
        rounds=rounds,
        writer_ms=statistics.median(own_ms),
        heard_ms=statistics.median(heard_ms),
        pixels="not part of it",
        processes="writer and listener share one",
    )
