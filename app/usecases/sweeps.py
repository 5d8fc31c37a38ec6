"""The service's sweeps: expire what nobody paid, and repeat index work that a killed counter never did."""

from __future__ import annotations

import datetime as dt
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from app.domain.catalogue import UnitStatus
from app.domain.days import YearMonth, local_day
from app.domain.errors import Refusal
from app.usecases.drift import possible_months
from app.usecases.index_port import AvailabilityIndex
from app.usecases.index_work import IndexWork
from app.usecases.key_names import KeyKind, key_of
from app.usecases.outbox import Effect, Outbox
from app.usecases.ports import Store
from app.usecases.reconcile import IndexCheck
from app.usecases.rows import FleetUnit, OutboxRow

log = logging.getLogger(__name__)

ORDERS_BATCH = 100
MOST_PASSES_LEFT_OUT = 32
PROJECT_UNITS = "project_units"
EARLIEST_ZONE = ZoneInfo("Asia/Jakarta")
"""The westernmost branch zone: its month is never ahead of another branch's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What one pass of a job did; `failed` counts what is tried again.

    `problem` tells of single rows that are in trouble: the pass went on with all others, and its pace stays.
    """

    job: str
    done: int
    failed: int
    problem: str = ""


@dataclass(slots=True)
class _Trouble:
    """An order that could not be expired: why, and for how many passes it is left out before the next try."""

    error: str
    pause: int = 1
    left_out: int = 1


class Sweeps:
    """Jobs of the service. Each may run in two services at once: rows are taken with SKIP LOCKED or a lease."""

    def __init__(self, store: Store, index: AvailabilityIndex, work: IndexWork, effects: Sequence[Effect] = ()) -> None:
        """`effects`: further kinds of outside effects that this service carries out."""
        self._outbox = Outbox(
            store, [Effect(kind=PROJECT_UNITS, carry_out=self._project_units, together=True), *effects]
        )
        self._store = store
        self._index = index
        self._work = work
        self._troubled: dict[str, _Trouble] = {}

    def expire(self, stop: Callable[[], bool] = lambda: False) -> JobResult:
        """Cancel every booking past its deadline, oldest first, until none is left (case C-53); an unpaid extension is
        taken back instead, and its rental goes on.

        One transaction per order, so that a backlog never holds locks; the days are free on every counter at once. An
        order in somebody's hands is passed over until the next pass; one that fails stops no other, is logged once and
        tried again later and later.
        """
        seen = self._left_out()
        retried = {order_id for order_id in self._troubled if order_id not in seen}
        done = failed = 0
        passed: list[str] = []
        moved = False
        waiting = deque(self._due(seen))
        while waiting and not stop():
            order_id = waiting.popleft()
            seen.append(order_id)
            ended = self._expire_order(order_id)
            if ended is None:
                failed += 1
            elif ended == 0:
                passed.append(order_id)
            else:
                done += ended
                moved = True
            if not waiting:
                waiting.extend(self._due(seen))
            if not waiting and moved:  # two services may each have passed over what the other held for a moment
                waiting.extend(passed)
                passed, moved = [], False
        if not waiting:
            for order_id in retried.difference(seen):  # paid or cancelled meanwhile
                del self._troubled[order_id]
        return JobResult(job="expire", done=done, failed=failed, problem=self._problem())

    def _due(self, seen: Sequence[str]) -> tuple[str, ...]:
        return self._store.transact(lambda tx: tx.due_orders(ORDERS_BATCH, seen), one_call=True)

    def _expire_order(self, order_id: str) -> int | None:
        """How many bookings ended; None when the order is in trouble."""
        epoch = self._work.epoch()
        try:
            ended = self._store.transact(lambda tx: tx.expire_order(order_id), one_call=True)
        except Exception as problem:
            if isinstance(problem, Refusal) and problem.params.get("reason") == "database":
                raise  # no server answers: no order is to blame
            self._note_trouble(order_id, problem)
            return None
        self._troubled.pop(order_id, None)
        if not ended:
            return 0
        self._work.project(epoch, [item for booking in ended for item in booking.projections])
        for booking in ended:
            self._work.announce(booking.branch_id, "booking", booking.booking_id)
            log.info("deadline of booking %s: now %s", booking.number, booking.state.value)
        for invoice_id in dict.fromkeys(booking.invoice_id for booking in ended):
            self._work.announce(ended[0].branch_id, "invoice", invoice_id)
        return len(ended)

    def _note_trouble(self, order_id: str, problem: Exception) -> None:
        """Log an error of an order once, and double the pause before it is tried again."""
        error = f"{type(problem).__name__}: {problem}"
        known = self._troubled.get(order_id)
        if known is None or known.error != error:
            log.error("order %s cannot expire; the others go on", order_id, exc_info=problem)
        pause = 1 if known is None else min(2 * known.pause, MOST_PASSES_LEFT_OUT)
        self._troubled[order_id] = _Trouble(error=error, pause=pause, left_out=pause)

    def _left_out(self) -> list[str]:
        """Orders in trouble that this pass leaves out."""
        found = []
        for order_id, trouble in self._troubled.items():
            if trouble.left_out > 0:
                trouble.left_out -= 1
                found.append(order_id)
        return found

    def _problem(self) -> str:
        if not self._troubled:
            return ""
        order_id, trouble = next(iter(self._troubled.items()))
        return f"{len(self._troubled)} orders cannot expire, {order_id}: {trouble.error}"

    def outbox(self, stop: Callable[[], bool] = lambda: False) -> JobResult:
        """Carry out due outside effects under a lease. Known kinds only; the others wait for their worker."""
        told = self._outbox.run(stop)
        return JobResult(job="outbox", done=told.done, failed=told.failed)

    def _project_units(self, rows: Sequence[OutboxRow]) -> None:
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
