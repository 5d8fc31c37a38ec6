"""The service's sweeps: expire what nobody paid, and repeat index work that a killed counter never did."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo

from app.domain.days import YearMonth, local_day
from app.usecases.index_port import AvailabilityIndex, IndexUnreachable
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store, Tx
from app.usecases.rows import OutboxRow

log = logging.getLogger(__name__)

OUTBOX_BATCH = 200
LEASE_SECONDS = 30
PROJECT_UNITS = "project_units"
MONTHS_BACK, MONTHS_AHEAD = 2, 13
PAST_MONTHS_DROPPED = 3
EARLIEST_ZONE = ZoneInfo("Asia/Jakarta")
"""The westernmost branch zone: its month is never ahead of another branch's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What one pass of a job did; `failed` counts what is tried again."""

    job: str
    done: int
    failed: int


class Sweeps:
    """Jobs of the service. Each may run in two services at once: rows are taken with SKIP LOCKED or a lease."""

    def __init__(self, store: Store, index: AvailabilityIndex, work: IndexWork) -> None:
        self._store = store
        self._index = index
        self._work = work

    def expire(self, stop: Callable[[], bool] = lambda: False) -> JobResult:
        """Cancel every booking past its deadline, oldest first, until none is left (case C-53).

        One transaction per order, so that a backlog never holds locks; the days are free on every counter at once.
        """
        done = 0
        while not stop():
            epoch = self._work.epoch()
            ended = self._store.transact(lambda tx: tx.expire_next())
            if not ended:
                break
            self._work.project(epoch, [item for booking in ended for item in booking.projections])
            for booking in ended:
                self._work.announce(booking.branch_id, "booking", booking.booking_id)
                log.info("expired booking %s", booking.number)
            self._work.announce(ended[0].branch_id, "invoice", ended[0].invoice_id)
            done += len(ended)
        return JobResult(job="expire", done=done, failed=0)

    def outbox(self) -> JobResult:
        """Carry out due outside effects under a lease. Known kinds only; the others wait for their worker."""
        rows = self._store.transact(lambda tx: tx.claim_outbox([PROJECT_UNITS], OUTBOX_BATCH, LEASE_SECONDS))
        if not rows:
            return JobResult(job="outbox", done=0, failed=0)
        try:
            self._project_units(rows)
        except IndexUnreachable as away:
            self._store.transact(partial(_retry_all, rows, str(away)))
            return JobResult(job="outbox", done=0, failed=len(rows))
        self._store.transact(lambda tx: tx.finish_outbox([row.id for row in rows]))
        return JobResult(job="outbox", done=len(rows), failed=0)

    def _project_units(self, rows: tuple[OutboxRow, ...]) -> None:
        """Project the named units for the months around today; an equal version is simply written again."""
        unit_ids: list[str] = []
        for row in rows:
            named = row.payload.get("unit_ids")
            if isinstance(named, list):
                unit_ids += [unit_id for unit_id in named if isinstance(unit_id, str)]
        wanted = sorted(set(unit_ids))
        epoch = self._index.epoch()
        self._index.project(epoch, self._store.read.projections(wanted, self.months()))

    def drop_past_months(self) -> JobResult:
        """Remove month keys more than two months past; month keys have no TTL."""
        by_sku: dict[str, list[str]] = {}
        for unit in self._store.read.fleet(None):
            by_sku.setdefault(unit.sku.code, []).append(unit.unit.id)
        oldest = self.months()[0]
        for sku, unit_ids in by_sku.items():
            for back in range(1, PAST_MONTHS_DROPPED + 1):
                self._index.drop_month(sku, oldest.shifted(-back), unit_ids)
        return JobResult(job="retention", done=0, failed=0)

    def months(self) -> tuple[YearMonth, ...]:
        """The months the index keeps: two past ones to thirteen ahead."""
        here = YearMonth.of(local_day(self._store.read.now(), EARLIEST_ZONE))
        return tuple(here.shifted(step) for step in range(-MONTHS_BACK, MONTHS_AHEAD + 1))


def _retry_all(rows: tuple[OutboxRow, ...], error: str, tx: Tx) -> None:
    for row in rows:
        tx.retry_outbox(row.id, error)
