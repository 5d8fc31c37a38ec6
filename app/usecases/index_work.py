"""The index side of a booking: Redlock, claim, projection, hint. Costs speed when Redis is away, never a booking."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from app.domain.days import Days, YearMonth
from app.domain.errors import Refusal
from app.usecases.drift import possible_months
from app.usecases.index_port import (
    AvailabilityIndex,
    Changes,
    ClaimAnswer,
    ClaimResult,
    IndexedUnit,
    IndexUnreachable,
    News,
    Projection,
    UnitLocks,
)
from app.usecases.ports import Store
from app.usecases.rows import FleetUnit

log = logging.getLogger(__name__)
T = TypeVar("T")

LOCK_WAIT_SECONDS = 2.0
"""The longest a clerk waits for a foreign Redlock on a given unit; the transaction decides afterwards."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One unit whose Redlock and days this order holds in the index, as far as Redis answered."""

    unit: IndexedUnit
    claim_token: str
    lock_token: str
    answer: ClaimAnswer | None
    """None: the index did not answer."""
    epoch: str | None
    """The index's epoch when the claim was made."""


class IndexWork:
    """What booking, cancelling and sweeping ask of the index. No method raises when Redis is away."""

    def __init__(self, store: Store, index: AvailabilityIndex, locks: UnitLocks, changes: Changes, login: str) -> None:
        self._store = store
        self._index = index
        self._locks = locks
        self._changes = changes
        self._login = login

    def epoch(self) -> str | None:
        """Read before the transaction whose values are projected (a flush in between then shows)."""
        return self._quiet(self._index.epoch)

    def in_trying_order(self, units: Sequence[FleetUnit]) -> list[FleetUnit]:
        """Units nobody else is booking right now first, so that "any unit" never waits."""
        foreign = self._quiet(lambda: self._locks.held_by_others([unit.indexed for unit in units])) or frozenset()
        return sorted(units, key=lambda unit: unit.unit.id in foreign)

    def take(self, unit: FleetUnit, days: Days, claim_token: str, lock_token: str, *, wait: bool) -> Claim:
        """Redlock, then claim (steps 2 and 3). `wait`: a given unit waits at most 2 s for a foreign lock.

        Raises what PostgreSQL raises while a unit is learned; the Redlock is given back then.
        """
        try:
            return self._take(unit, days, claim_token, lock_token, wait=wait)
        except Exception:
            self._quiet(lambda: self._locks.release(unit.indexed, lock_token))
            raise

    def _take(self, unit: FleetUnit, days: Days, claim_token: str, lock_token: str, *, wait: bool) -> Claim:
        indexed = unit.indexed
        if self._index.is_the_lock_node:
            both = self._claim(unit, days, claim_token, lock_token)
            if both is None:
                log.info("booking unit %s without the index; the transaction decides", indexed.unit_id)
                return Claim(indexed, claim_token, lock_token, None, None)
            if both.answer is not ClaimAnswer.LOCKED:
                return Claim(indexed, claim_token, lock_token, both.answer, both.epoch)
        locked = self._quiet(
            lambda: (
                self._locks.wait(indexed, lock_token, LOCK_WAIT_SECONDS)
                if wait
                else self._locks.acquire(indexed, lock_token)
            )
        )
        if not locked:
            log.info("booking unit %s without its Redlock; the transaction decides", indexed.unit_id)
        found = self._claim(unit, days, claim_token)
        if found is None:
            return Claim(indexed, claim_token, lock_token, None, None)
        return Claim(indexed, claim_token, lock_token, found.answer, found.epoch)

    def settle_claim(self, claim: Claim) -> None:
        """Steps 6 and 7: drop the claim, release the Redlock."""
        if claim.answer is ClaimAnswer.OK:
            self._quiet(lambda: self._index.drop_claim(claim.unit, claim.claim_token))
        self._quiet(lambda: self._locks.release(claim.unit, claim.lock_token))

    def project(self, epoch: str | None, projections: Sequence[Projection]) -> None:
        """Step 5, from values read under the unit locks. With the index away the outbox does it later."""
        if epoch is None or not projections:
            return
        applied = self._quiet(lambda: self._index.project(epoch, projections))
        self._project_what_was_ignored(projections, applied)

    def conclude(
        self, epoch: str | None, projections: Sequence[Projection], claims: Sequence[Claim], news: Sequence[News]
    ) -> None:
        """Steps 5 to 7 after a commit: project, drop the claims, tell the other counters; then release the Redlocks."""
        open_claims = [(claim.unit, claim.claim_token) for claim in claims if claim.answer is ClaimAnswer.OK]
        if self._index.is_the_lock_node:
            locks = [(claim.unit, claim.lock_token) for claim in claims]
            applied = self._quiet(lambda: self._index.conclude(epoch, projections, open_claims, news, locks))
            self._project_what_was_ignored(projections, applied)
            return
        applied = self._quiet(lambda: self._index.conclude(epoch, projections, open_claims, news))
        self._project_what_was_ignored(projections, applied)
        self._release(claims)

    def _release(self, claims: Sequence[Claim]) -> None:
        for claim in claims:
            self._quiet(partial(self._locks.release, claim.unit, claim.lock_token))

    def news(self, branch_id: str, what: str, id: str) -> News:
        """A change hint of the person who works here."""
        return News(branch=branch_id, what=what, id=id, by=self._login)

    def give_back(self, claims: Sequence[Claim], days: Sequence[Days]) -> None:
        """Undo claims that came to nothing: the units are projected from PostgreSQL, then claim and Redlock go.

        With PostgreSQL away the claims stay registered: their expiry and the sweep project the units later.
        """
        claimed = [claim.unit for claim in claims if claim.answer is ClaimAnswer.OK]
        try:
            self.project_again(claimed, days)
        except Refusal as away:
            log.warning("claims on %s are left to their expiry: %s", [unit.unit_id for unit in claimed], away)
            self._release(claims)
            return
        except Exception:
            self._release(claims)
            raise
        for claim in claims:
            self.settle_claim(claim)

    def project_again(self, units: Sequence[IndexedUnit], days: Sequence[Days]) -> None:
        """Read units anew and project them: after a lost race or a claim that came to nothing."""
        epoch = self.epoch()
        if epoch is None or not units:
            return
        months = sorted({month for stretch in days for month in stretch.months()})
        self.project(epoch, self._store.read.projections([unit.unit_id for unit in units], months))

    def _project_what_was_ignored(self, projections: Sequence[Projection], applied: int | None) -> None:
        """Read again under the epoch that holds now what the index would not take: it was flushed meanwhile, and what
        others learned of the units in between may be older than this commit. None: the index is away."""
        if applied is None or applied == len(projections):
            return
        epoch = self.epoch()
        if epoch is None:
            return
        months = sorted({month for item in projections for month in item.months})
        try:
            again = self._store.read.projections([item.unit.unit_id for item in projections], months)
        except Refusal as away:
            log.warning("left to the outbox: %s: %s", [item.unit.unit_id for item in projections], away)
            return
        self._quiet(lambda: self._index.project(epoch, again))

    def forget(self, unit_ids: Sequence[str]) -> None:
        """Take retired units out of the index; what is missed here (Redis away) the service's sweep does later."""
        if not unit_ids:
            return
        today = self._store.read.now().date()
        for item in self._store.read.projections(unit_ids, [YearMonth.of(today)]):
            self._quiet(partial(self._index.forget_unit, item.unit, item.version, possible_months(today)))

    def announce(self, branch_id: str, what: str, id: str) -> None:
        """A change hint to the other counters of the branch."""
        self._quiet(lambda: self._changes.publish(branch_id, what, id, self._login))

    def _claim(self, unit: FleetUnit, days: Days, token: str, lock_token: str | None = None) -> ClaimResult | None:
        found = self._quiet(lambda: self._index.claim(unit.indexed, days, token, lock_token))
        if found is not None and found.answer is ClaimAnswer.UNKNOWN:
            self.project_again([unit.indexed], [days])
            found = self._quiet(lambda: self._index.claim(unit.indexed, days, token, lock_token))
        return found

    def _quiet(self, ask: Callable[[], T]) -> T | None:
        try:
            return ask()
        except IndexUnreachable as away:
            log.info("index away: %s", away)
            return None
