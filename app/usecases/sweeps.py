"""The service's sweeps: expire what nobody paid, and repeat index work that a killed counter never did."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo

from app.domain.catalogue import UnitStatus
from app.domain.days import YearMonth, local_day
from app.usecases.drift import possible_months
from app.usecases.index_port import AvailabilityIndex, IndexUnreachable
from app.usecases.index_work import IndexWork
from app.usecases.key_names import KeyKind, key_of
from app.usecases.ports import Store, Tx
from app.usecases.reconcile import IndexCheck
from app.usecases.rows import FleetUnit, OutboxRow

log = logging.getLogger(__name__)

OUTBOX_BATCH = 200
LEASE_SECONDS = 30
PROJECT_UNITS = "project_units"
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
        """Project the named units over all their months, far ones included; an equal version is simply written again.

        A retired one leaves the index instead.
        """
        unit_ids: list[str] = []
        for row in rows:
            named = row.payload.get("unit_ids")
            if isinstance(named, list):
                unit_ids += [unit_id for unit_id in named if isinstance(unit_id, str)]
        units = self._store.read.units(sorted(set(unit_ids)))
        IndexCheck(self._store, self._index).project_known(
            [unit.indexed for unit in units if unit.unit.status is not UnitStatus.RETIRED]
        )
        self._forget([unit for unit in units if unit.unit.status is UnitStatus.RETIRED], possible_months(self._today()))

    def drop_past_months(self) -> JobResult:
        """Remove every month key more than two months past, however old, or farther ahead than any booking; month keys
        have no TTL. Keys of retired units go as well."""
        possible = possible_months(self._today())
        at_home = {(unit.sku.code, unit.unit.id) for unit in self._store.read.fleet(None)}
        past: list[bytes] = []
        others: dict[str, set[YearMonth]] = {}
        for name in self._index.stored_keys():
            key = key_of(name)
            if key is None or key.month is None:
                continue
            if not possible[0] <= key.month <= possible[-1]:
                past.append(name)
            elif key.kind is KeyKind.UNIT_MONTH and (key.sku, key.unit_id) not in at_home:
                others.setdefault(key.unit_id, set()).add(key.month)
        self._index.drop_keys(past)
        retired = [u for u in self._store.read.units(sorted(others)) if u.unit.status is UnitStatus.RETIRED]
        self._forget(retired, sorted({month for unit in retired for month in others[unit.unit.id]}))
        return JobResult(job="retention", done=len(past) + len(retired), failed=0)

    def _forget(self, retired: Sequence[FleetUnit], months: Sequence[YearMonth]) -> None:
        ids = [unit.unit.id for unit in retired]
        for item in self._store.read.projections(ids, [YearMonth.of(self._today())]) if ids else ():
            self._index.forget_unit(item.unit, item.version, months)

    def _today(self) -> dt.date:
        return local_day(self._store.read.now(), EARLIEST_ZONE)


def _retry_all(rows: tuple[OutboxRow, ...], error: str, tx: Tx) -> None:
    for row in rows:
        tx.retry_outbox(row.id, error)
