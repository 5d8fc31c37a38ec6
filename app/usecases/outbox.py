"""Outside effects: each is a row under a lease, done once that is recorded, retried with back-off, given up visibly."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from app.domain.errors import Refusal, RefusalCode
from app.usecases.away import EffectAway
from app.usecases.index_port import IndexUnreachable
from app.usecases.ports import Store, Tx
from app.usecases.rows import OutboxRow

log = logging.getLogger(__name__)

LEASE_SECONDS = 30
"""Longer than any effect may take: a worker that was killed is taken over after it."""

ROWS_AT_ONCE = 200
ROWS_ONE_BY_ONE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A kind of outside effect. `carry_out` raises when it did not happen; the row's id is the idempotency key.

    `together`: all due rows in one call, which may be repeated without harm. Else each row has a lease of its own and
    is recorded before the next one begins.
    """

    kind: str
    carry_out: Callable[[Sequence[OutboxRow]], None]
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxPass:
    """`failed` ones are tried again later; `problem` tells the last error."""

    done: int = 0
    failed: int = 0
    problem: str = ""

    def plus(self, other: OutboxPass) -> OutboxPass:
        return OutboxPass(
            done=self.done + other.done, failed=self.failed + other.failed, problem=other.problem or self.problem
        )


class Outbox:
    """Works due effects off. Several services may do so at once: no row is in two hands while its lease runs."""

    def __init__(self, store: Store, effects: Sequence[Effect]) -> None:
        self._store = store
        self._effects = {effect.kind: effect for effect in effects}

    def run(self, stop: Callable[[], bool] = lambda: False) -> OutboxPass:
        """One pass over every kind known here; rows of other kinds wait for their own worker.

        One bad row stops no other. Raises Refusal(UNREACHABLE) when PostgreSQL is away: leases end by themselves.
        """
        told = OutboxPass()
        for effect in self._effects.values():
            told = told.plus(self._together(effect) if effect.together else self._one_by_one(effect, stop))
        return told

    def _together(self, effect: Effect) -> OutboxPass:
        rows = self._claim(effect, ROWS_AT_ONCE)
        if not rows:
            return OutboxPass()
        try:
            effect.carry_out(rows)
        except IndexUnreachable as away:
            return self._not_done(rows, away)
        except Exception as problem:
            if _database_is_away(problem):
                raise
            log.exception("%d effects %s failed together; each is tried alone", len(rows), effect.kind)
            told = OutboxPass()
            for row in rows:
                told = told.plus(self._one(effect, row))
            return told
        self._finish(rows)
        return OutboxPass(done=len(rows))

    def _one_by_one(self, effect: Effect, stop: Callable[[], bool]) -> OutboxPass:
        told = OutboxPass()
        for _ in range(ROWS_ONE_BY_ONE):
            rows = () if stop() else self._claim(effect, 1)
            if not rows:
                break
            told = told.plus(self._one(effect, rows[0]))
        return told

    def _one(self, effect: Effect, row: OutboxRow) -> OutboxPass:
        try:
            effect.carry_out([row])
        except Exception as problem:
            if _database_is_away(problem):
                raise
            if not isinstance(problem, IndexUnreachable | EffectAway | Refusal):
                log.exception("effect %s %s failed", effect.kind, row.id)
            return self._not_done([row], problem)
        self._finish([row])
        return OutboxPass(done=1)

    def _claim(self, effect: Effect, most: int) -> tuple[OutboxRow, ...]:
        return self._store.transact(lambda tx: tx.claim_outbox([effect.kind], most, LEASE_SECONDS), one_call=True)

    def _finish(self, rows: Sequence[OutboxRow]) -> None:
        ids = [row.id for row in rows]
        self._store.transact(lambda tx: tx.finish_outbox(ids), one_call=True)

    def _not_done(self, rows: Sequence[OutboxRow], problem: Exception) -> OutboxPass:
        error = (
            str(problem)
            if isinstance(problem, IndexUnreachable | EffectAway)
            else f"{type(problem).__name__}: {problem}"
        )
        for row in rows:
            if not self._store.transact(partial(_retry, row, error), one_call=True):
                log.info("effect %s was taken over by another worker", row.id)
        return OutboxPass(failed=len(rows), problem=error)


def _retry(row: OutboxRow, error: str, tx: Tx) -> bool:
    return tx.retry_outbox(row, error)


def _database_is_away(problem: Exception) -> bool:
    return isinstance(problem, Refusal) and problem.code is RefusalCode.UNREACHABLE
