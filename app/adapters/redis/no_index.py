"""What stands in where no Redis is configured: nothing is known, nothing is locked, nobody is told.

Not a fake: the counter shows its degraded-mode banner, PostgreSQL answers everything.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import NoReturn

from app.domain.days import Days, YearMonth
from app.usecases.index_port import (
    ClaimResult,
    IndexedMonth,
    IndexedUnit,
    IndexUnreachable,
    MonthMasks,
    News,
    OpenClaim,
    Projection,
    SlotsForPeriod,
)
from app.usecases.odd_keys import OddKey, SkuSlots
from app.usecases.rows_waitlist import MirroredPlace
from app.usecases.waitlist_mirror import Member


def _not_configured() -> NoReturn:
    raise IndexUnreachable("no Redis is configured")


class NoIndex:
    """AvailabilityIndex that is never there: every method raises IndexUnreachable."""

    def epoch(self) -> str:
        _not_configured()

    def epoch_is_sound(self) -> bool:
        _not_configured()

    def month(self, sku: str, month: YearMonth) -> MonthMasks:
        _not_configured()

    def months(self, wanted: Sequence[tuple[str, YearMonth]]) -> Sequence[MonthMasks]:
        _not_configured()

    def slots_of(self, wanted: Sequence[tuple[str, Days]]) -> Sequence[SlotsForPeriod]:
        _not_configured()

    @property
    def is_the_lock_node(self) -> bool:
        return False

    def claim(self, unit: IndexedUnit, days: Days, token: str, lock_token: str | None = None) -> ClaimResult:
        _not_configured()

    def project(self, epoch: str, projections: Sequence[Projection]) -> int:
        _not_configured()

    def rebuild(self, epoch: str, projections: Sequence[Projection]) -> int:
        _not_configured()

    def drop_claim(self, unit: IndexedUnit, token: str) -> None:
        _not_configured()

    def conclude(
        self,
        epoch: str | None,
        projections: Sequence[Projection],
        claims: Sequence[tuple[IndexedUnit, str]],
        news: Sequence[News],
        locks: Sequence[tuple[IndexedUnit, str]] = (),
    ) -> int:
        _not_configured()

    def open_claims(self) -> Sequence[OpenClaim]:
        _not_configured()

    def drop_claims(self, claims: Sequence[OpenClaim]) -> None:
        _not_configured()

    def forget_unit(self, unit: IndexedUnit, version: int, months: Sequence[YearMonth]) -> None:
        _not_configured()

    def raw_months(self, units: Sequence[IndexedUnit], months: Sequence[YearMonth]) -> Sequence[Sequence[IndexedMonth]]:
        _not_configured()

    def stored_keys(self) -> Sequence[bytes]:
        _not_configured()

    def drop_keys(self, names: Sequence[bytes]) -> None:
        _not_configured()

    def odd_keys(self, names: Sequence[bytes], slots: Mapping[str, SkuSlots]) -> Sequence[OddKey]:
        _not_configured()

    def mend_odd_keys(self, odd: Sequence[OddKey]) -> None:
        _not_configured()

    def run_id(self) -> str:
        _not_configured()


class NoLocks:
    """UnitLocks without a node: never acquired, never waited for, nobody else holds anything."""

    def acquire(self, unit: IndexedUnit, token: str) -> bool:
        return False

    def wait(self, unit: IndexedUnit, token: str, seconds: float) -> bool:
        return False

    def held_by_others(self, units: Sequence[IndexedUnit]) -> frozenset[str]:
        return frozenset()

    def release(self, unit: IndexedUnit, token: str) -> None:
        return None

    def release_leftovers(self, counter: str) -> int:
        return 0


class NoChanges:
    """Changes that reach nobody; counters poll what changed instead."""

    def publish(self, branch: str, what: str, id: str, by: str) -> None:
        return None


class NoWaitlist:
    """WaitlistMirror that is never there: the rows in PostgreSQL are all there is."""

    def join(self, place: MirroredPlace) -> None:
        _not_configured()

    def leave(self, sku: str, first_day: dt.date, customer_id: str) -> None:
        _not_configured()

    def members(self) -> Mapping[tuple[str, dt.date], Mapping[str, float]]:
        _not_configured()

    def amend(self, wrong: Sequence[MirroredPlace], extra: Sequence[Member]) -> None:
        _not_configured()
