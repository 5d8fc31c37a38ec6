"""Hand-written stand-ins for the index ports, in memory; the contract suite runs on them and on a real Redis."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.days import Days, YearMonth, mask_of, mask_to_bytes, taken_days
from app.usecases.index_port import (
    ClaimAnswer,
    ClaimResult,
    IndexedMonth,
    IndexedUnit,
    IndexUnreachable,
    MonthMasks,
    News,
    OpenClaim,
    Projection,
)
from app.usecases.odd_keys import OddKey, SkuSlots

CLAIM_LEASE = dt.timedelta(seconds=30)
START = dt.datetime(2026, 5, 1, 2, tzinfo=dt.UTC)


@dataclass(frozen=True, kw_only=True)
class FakeSlots:
    """SlotsForPeriod as plain sets."""

    free: frozenset[int]
    taken: frozenset[int]


@dataclass(kw_only=True)
class FakeIndex:
    """AvailabilityIndex in memory. `down` makes every call fail, `vanish()` is a FLUSHALL, `hints` is what was told."""

    now: Callable[[], dt.datetime] = lambda: START
    down: bool = False
    hints: list[tuple[str, YearMonth, int, int]] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    locks: FakeLocks | None = None
    run: str = "run-1"
    _epoch: str | None = None
    _epochs: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _keys: dict[tuple[str, str, YearMonth], int] = field(default_factory=dict)
    _packed: dict[tuple[str, YearMonth], dict[int, int]] = field(default_factory=dict)
    _versions: dict[tuple[str, int], int] = field(default_factory=dict)
    _claims: dict[tuple[str, str, str], dt.datetime] = field(default_factory=dict)

    def vanish(self) -> None:
        self._epoch = None
        for kept in (self._keys, self._packed, self._versions, self._claims):
            kept.clear()

    def _reach(self) -> None:
        if self.down:
            raise IndexUnreachable("the fake is down")

    def epoch(self) -> str:
        self._reach()
        if self._epoch is None:
            self._epoch = f"epoch-{next(self._epochs)}"
        return self._epoch

    def epoch_is_sound(self) -> bool:
        self._reach()
        return True

    def month(self, sku: str, month: YearMonth) -> MonthMasks:
        self._reach()
        return MonthMasks(sku=sku, month=month, masks=dict(self._packed.get((sku, month), {})))

    def months(self, wanted: Sequence[tuple[str, YearMonth]]) -> Sequence[MonthMasks]:
        self._reach()
        return [self.month(sku, month) for sku, month in wanted]

    def slots_of(self, wanted: Sequence[tuple[str, Days]]) -> Sequence[FakeSlots]:
        self._reach()
        return [self._slots(sku, days) for sku, days in wanted]

    def _slots(self, sku: str, days: Days) -> FakeSlots:
        months = [(days.mask(month), self._packed.get((sku, month), {})) for month in days.months()]
        known = {slot for _, masks in months for slot in masks}
        taken = {slot for slot in known if any(masks.get(slot, 0) & wanted for wanted, masks in months)}
        built = {slot for slot in known if all(slot in masks for _, masks in months)}
        return FakeSlots(free=frozenset(built - taken), taken=frozenset(taken))

    @property
    def is_the_lock_node(self) -> bool:
        return self.locks is not None

    def claim(self, unit: IndexedUnit, days: Days, token: str, lock_token: str | None = None) -> ClaimResult:
        self._reach()
        if self.locks is not None and lock_token is not None and not self.locks.acquire(unit, lock_token):
            return ClaimResult(answer=ClaimAnswer.LOCKED, epoch=self._epoch)
        member = (unit.sku, unit.unit_id, token)
        if member in self._claims:
            return ClaimResult(answer=ClaimAnswer.OK, epoch=self._epoch)
        held = {month: self._keys.get((unit.sku, unit.unit_id, month)) for month in days.months()}
        if self._epoch is None or any(mask is None for mask in held.values()):
            return ClaimResult(answer=ClaimAnswer.UNKNOWN, epoch=self._epoch)
        for month, mask in held.items():
            if clash := (mask or 0) & days.mask(month):
                return ClaimResult(answer=ClaimAnswer.BUSY, day=taken_days(clash, month)[0], epoch=self._epoch)
        for month, mask in held.items():
            self._write(unit, month, (mask or 0) | days.mask(month))
        self._claims[member] = self.now() + CLAIM_LEASE
        return ClaimResult(answer=ClaimAnswer.OK, epoch=self._epoch)

    def project(self, epoch: str, projections: Sequence[Projection]) -> int:
        return self._project(epoch, projections, always=False)

    def rebuild(self, epoch: str, projections: Sequence[Projection]) -> int:
        return self._project(epoch, projections, always=True)

    def _project(self, epoch: str, projections: Sequence[Projection], *, always: bool) -> int:
        self._reach()
        if epoch != self._epoch:
            return 0
        applied = 0
        for projection in projections:
            place = (projection.unit.sku, projection.unit.slot)
            if always or self._versions.get(place, 0) <= projection.version:
                self._versions[place] = projection.version
                for month in projection.months:
                    self._write(projection.unit, month, mask_of(projection.days, month))
                applied += 1
        return applied

    def _write(self, unit: IndexedUnit, month: YearMonth, mask: int) -> None:
        if self._keys.get((unit.sku, unit.unit_id, month)) != mask:
            self.hints.append((unit.sku, month, unit.slot, mask))
        self._keys[unit.sku, unit.unit_id, month] = mask
        self._packed.setdefault((unit.sku, month), {})[unit.slot] = mask

    def drop_claim(self, unit: IndexedUnit, token: str) -> None:
        self._reach()
        self._claims.pop((unit.sku, unit.unit_id, token), None)

    def conclude(
        self,
        epoch: str | None,
        projections: Sequence[Projection],
        claims: Sequence[tuple[IndexedUnit, str]],
        news: Sequence[News],
        locks: Sequence[tuple[IndexedUnit, str]] = (),
    ) -> int:
        self._reach()
        applied = 0 if epoch is None else self.project(epoch, projections)
        for unit, token in claims:
            self.drop_claim(unit, token)
        self.news += news
        for unit, token in locks:
            assert self.locks is not None, "Redlocks live elsewhere"
            self.locks.release(unit, token)
        return applied

    def open_claims(self) -> Sequence[OpenClaim]:
        self._reach()
        return [
            OpenClaim(
                sku=sku,
                unit_id=unit_id,
                token=token,
                expired=not dt.timedelta(0) < ends - self.now() <= CLAIM_LEASE,
                overlong=ends - self.now() > CLAIM_LEASE,
                member="|".join((sku, unit_id, token)).encode(),
            )
            for (sku, unit_id, token), ends in self._claims.items()
        ]

    def drop_claims(self, claims: Sequence[OpenClaim]) -> None:
        self._reach()
        for claim in claims:
            self._claims.pop((claim.sku, claim.unit_id, claim.token), None)

    def forget_unit(self, unit: IndexedUnit, version: int, months: Sequence[YearMonth]) -> None:
        self._reach()
        if self._versions.get((unit.sku, unit.slot), 0) <= version:
            self._versions[unit.sku, unit.slot] = version
            for month in months:
                self._keys.pop((unit.sku, unit.unit_id, month), None)
                self._packed.get((unit.sku, month), {}).pop(unit.slot, None)

    def raw_months(self, units: Sequence[IndexedUnit], months: Sequence[YearMonth]) -> Sequence[Sequence[IndexedMonth]]:
        self._reach()
        return [[self._raw_month(unit, month) for month in months] for unit in units]

    def _raw_month(self, unit: IndexedUnit, month: YearMonth) -> IndexedMonth:
        mask = self._keys.get((unit.sku, unit.unit_id, month))
        packed = self._packed.get((unit.sku, month), {}).get(unit.slot)
        return IndexedMonth(
            key=None if mask is None else mask_to_bytes(mask),
            packed=packed,
            packed_known=packed is not None,
            version=self._versions.get((unit.sku, unit.slot)),
        )

    def stored_keys(self) -> Sequence[bytes]:
        self._reach()
        return sorted(name.encode() for name in self._places())

    def drop_keys(self, names: Sequence[bytes]) -> None:
        self._reach()
        places = self._places()
        for name in names:
            for kept, place in places.get(name.decode(), ()):
                kept.pop(place, None)

    def _places(self) -> dict[str, list[tuple[dict[Any, Any], object]]]:
        """Where each key's content is kept."""
        found: dict[str, list[tuple[dict[Any, Any], object]]] = {}
        for sku, unit_id, month in self._keys:
            found[f"avail:{sku}:{unit_id}:{month}"] = [(self._keys, (sku, unit_id, month))]
        for sku, month in self._packed:
            found[f"apack:{sku}:{month}"] = [(self._packed, (sku, month))]
        for sku, slot in self._versions:
            found.setdefault(f"aver:{sku}", []).append((self._versions, (sku, slot)))
        return found

    def odd_keys(self, names: Sequence[bytes], slots: Mapping[str, SkuSlots]) -> Sequence[OddKey]:
        """Nobody but the product writes into this one."""
        self._reach()
        return []

    def mend_odd_keys(self, odd: Sequence[OddKey]) -> None:
        self._reach()

    def run_id(self) -> str:
        self._reach()
        return self.run


@dataclass(kw_only=True)
class FakeLocks:
    """UnitLocks in memory: one node that is up or `down`. Waiting takes no time; `held` may be filled by a test."""

    counter: str = "K1"
    down: bool = False
    held: dict[tuple[str, str], str] = field(default_factory=dict)

    def acquire(self, unit: IndexedUnit, token: str) -> bool:
        return not self.down and self.held.setdefault((unit.sku, unit.unit_id), token) == token

    def wait(self, unit: IndexedUnit, token: str, seconds: float) -> bool:
        return self.acquire(unit, token)

    def held_by_others(self, units: Sequence[IndexedUnit]) -> frozenset[str]:
        if self.down:
            return frozenset()
        tokens = {unit.unit_id: self.held.get((unit.sku, unit.unit_id)) for unit in units}
        return frozenset(id for id, token in tokens.items() if token and token.rpartition(":")[0] != self.counter)

    def release(self, unit: IndexedUnit, token: str) -> None:
        if not self.down and self.held.get((unit.sku, unit.unit_id)) == token:
            del self.held[unit.sku, unit.unit_id]

    def release_leftovers(self, counter: str) -> int:
        if self.down:
            return 0
        left = [place for place, token in self.held.items() if token.rpartition(":")[0] == counter]
        for place in left:
            del self.held[place]
        return len(left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    branch: str
    what: str
    id: str
    by: str


@dataclass(kw_only=True)
class FakeChanges:
    """Changes that remembers what was told."""

    told: list[Told] = field(default_factory=list)

    def publish(self, branch: str, what: str, id: str, by: str) -> None:
        self.told.append(Told(branch=branch, what=what, id=id, by=by))
