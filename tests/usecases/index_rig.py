"""A small installation on real servers for reconcile and doctor: units, bookings, and a hand on every Redis key."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import redis

from app.adapters.postgres.store import PostgresStore
from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import Link, connect
from app.domain.days import Days, YearMonth
from app.usecases.index_port import IndexedUnit
from app.usecases.reconcile import Reconcile
from tests.adapters.postgres.reads_rig import Rig, open_rig
from tests.support.databases import ScratchDatabase

NOW = dt.datetime(2027, 3, 10, 3, tzinfo=dt.UTC)
MAR, APR = YearMonth(2027, 3), YearMonth(2027, 4)


def days(first: str, last: str) -> Days:
    return Days(dt.date.fromisoformat(first), dt.date.fromisoformat(last))


@dataclass(slots=True)
class IndexRig:
    """Rows by `rig` (nothing of it reaches the index by itself), keys by `redis`, the product by the rest."""

    rig: Rig
    redis: redis.Redis
    store: PostgresStore
    index: RedisAvailability
    customer: str
    link: Link

    def reconcile(self) -> Reconcile:
        """One that does not wait between its readings."""
        return Reconcile(self.store, self.index, pause=lambda _: None)

    def project(self, *unit_ids: str, months: tuple[YearMonth, ...] = (MAR, APR)) -> int:
        """What a counter does after its commit."""
        epoch = self.index.epoch()
        return self.index.project(epoch, self.store.read.projections(unit_ids, months))

    def unit(self, unit_id: str) -> IndexedUnit:
        return self.store.read.units([unit_id])[0].indexed

    def key(self, unit_id: str, month: YearMonth = MAR, sku: str = "AVZ") -> str:
        return f"avail:{sku}:{unit_id}:{month}"

    def bits(self, unit_id: str, month: YearMonth = MAR, sku: str = "AVZ") -> str | None:
        raw = self.redis.get(self.key(unit_id, month, sku))
        return None if raw is None else bytes(raw).hex()  # type: ignore[arg-type]

    def packed(self, slot: int, month: YearMonth = MAR, sku: str = "AVZ") -> str:
        raw = self.redis.getrange(f"apack:{sku}:{month}", 4 * slot, 4 * slot + 3)
        return bytes(raw).hex()  # type: ignore[arg-type]

    def version(self, slot: int, sku: str = "AVZ") -> int:
        return int(self.redis.hget(f"aver:{sku}", str(slot)) or -1)  # type: ignore[arg-type]


@contextmanager
def open_index_rig(database: ScratchDatabase, redis_url: str) -> Iterator[IndexRig]:
    """A branch with four units of AVZ, avz-001 booked from 12 to 14 March 2027; nothing is indexed yet."""
    database.clock.stand(NOW)
    with open_rig(database) as rig:
        rig.branch("JKT")
        rig.staff("rd_svc", "JKT", "service")
        rig.sku("AVZ")
        rig.units("AVZ", "JKT", 4)
        customer = rig.customer("Hadi Wijaya", "+628121111111")
        rig.book("avz-001", "2027-03-12", "2027-03-14", customer=customer)
        store = PostgresStore(database.url_for("rd_svc"), counter="service")
        link = Link(connect(redis_url), known_down_s=0)
        with redis.Redis.from_url(redis_url) as client:
            yield IndexRig(rig, client, store, RedisAvailability(link), customer, link)
        link.close()
        store.close()
