"""Keep the index true to PostgreSQL: compare every unit, mend what differs, drop claims nobody finished.

Right while bookings go on: whole months are projected with the version they were read with, and a difference counts
as drift only when it is found again, unchanged on both sides.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.domain.catalogue import UnitStatus
from app.domain.days import YearMonth
from app.usecases.drift import UnitReading, built_months, differences, drift_of, possible_months, required_months
from app.usecases.engine_rows import FoundBy
from app.usecases.index_port import AvailabilityIndex, IndexedUnit, OpenClaim
from app.usecases.key_names import shown
from app.usecases.ports import Store
from app.usecases.rows import Break

log = logging.getLogger(__name__)

UNITS_AT_ONCE = 1_000
READ_AGAIN = 2
READ_AGAIN_AFTER_SECONDS = 0.5
"""A commit reaches the index within milliseconds; what stands unchanged for a whole second is drift."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcileResult:
    """Units compared, units written to the index (`built` of them because the index did not know them at all), claims
    dropped that had expired, and the confirmed differences. After a loss of Redis `drift` is empty: nothing was wrong.
    """

    compared: int
    repaired: int
    drift: tuple[Break, ...]
    built: int = 0
    claims_dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Units compared, units built on the way, and the confirmed differences by unit id."""

    compared: int
    built: int
    drift: Mapping[str, tuple[Break, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Suspect:
    """A unit that differed in one reading, still to be confirmed."""

    reading: UnitReading
    breaks: tuple[Break, ...]


class IndexCheck:
    """Compares and mends units. Every method raises IndexUnreachable when the index is away."""

    def __init__(self, store: Store, index: AvailabilityIndex, pause: Callable[[float], None] = time.sleep) -> None:
        self._store = store
        self._index = index
        self._pause = pause

    def compare(
        self, units: Sequence[IndexedUnit], months: Sequence[YearMonth], *, build_under: str | None = None
    ) -> Comparison:
        """Compare units over `months`, in chunks; differences are read again before they are told.

        With an epoch in `build_under`, units the index does not know at all are built at once instead of told.
        """
        required = required_months(self._store.read.now().date())
        suspects: dict[str, _Suspect] = {}
        compared = built = 0
        for chunk in _chunks(sorted(units, key=lambda unit: unit.unit_id), UNITS_AT_ONCE):
            readings = self.read(chunk, months)
            compared += len(readings)
            if build_under is not None:
                built += self.write(build_under, [reading for reading in readings if _is_missing(reading)])
                readings = [reading for reading in readings if not _is_missing(reading)]
            for reading in readings:
                if found := differences(reading, required):
                    suspects[reading.unit.unit_id] = _Suspect(reading=reading, breaks=found)
        return Comparison(compared=compared, built=built, drift=self._confirmed(suspects, months, required))

    def months_in_use(self, units: Sequence[IndexedUnit]) -> list[YearMonth]:
        """The months built for all, and those of the others in which the index knows any unit (one pipelined read)."""
        today = self._store.read.now().date()
        built = built_months(today)
        others = [month for month in possible_months(today) if month not in built]
        skus = sorted({unit.sku for unit in units})
        known = self._index.months([(sku, month) for sku in skus for month in others])
        return sorted({*built, *(item.month for item in known if item.masks)})

    def read(self, units: Sequence[IndexedUnit], months: Sequence[YearMonth]) -> list[UnitReading]:
        """The index first, then PostgreSQL in one statement, then the open claims; vanished units are left out."""
        stored = {
            unit.unit_id: (unit, raw) for unit, raw in zip(units, self._index.raw_months(units, months), strict=True)
        }
        projections = self._store.read.projections([unit.unit_id for unit in units], months)
        claimed = {claim.unit_id for claim in self._index.open_claims() if not claim.expired}
        return [
            UnitReading(projection=item, stored=stored[item.unit.unit_id][1], claimed=item.unit.unit_id in claimed)
            for item in projections
            if stored[item.unit.unit_id][0] == item.unit
        ]

    def mend(self, units: Sequence[IndexedUnit], months: Sequence[YearMonth], *, confirmed: bool = False) -> int:
        """Project units from a fresh read: the months every unit is built for, and any other that is stored.

        `confirmed`: their differences stood in every reading, so a version ahead of PostgreSQL's is no commit on its
        way, and it is reset.
        """
        written = 0
        for chunk in _chunks(units, UNITS_AT_ONCE):
            epoch = self._index.epoch()
            readings = self.read(chunk, months)
            ahead = [reading for reading in readings if confirmed and reading.is_ahead]
            written += self.write(epoch, [reading for reading in readings if reading not in ahead])
            if ahead:
                written += self._reset(epoch, ahead, months)
        return written

    def _reset(self, epoch: str, ahead: Sequence[UnitReading], months: Sequence[YearMonth]) -> int:
        """Overwrite, then read and project once more: what was committed before the overwriting was ignored by the
        index, what is committed after it will not be."""
        wanted = built_months(self._store.read.now().date())
        reset = self._index.rebuild(epoch, [reading.to_write(wanted) for reading in ahead])
        self.write(epoch, self.read([reading.unit for reading in ahead], months))
        return reset

    def project_known(self, units: Sequence[IndexedUnit]) -> int:
        """Project units over every month the index may have of them: those built for all, those it knows, and those
        with a taken day. Fewer months under a newer version would leave the others behind for good."""
        today = self._store.read.now().date()
        written = 0
        for chunk in _chunks(units, UNITS_AT_ONCE):
            epoch = self._index.epoch()
            readings = self.read(chunk, possible_months(today))
            built = frozenset(built_months(today))
            written += self._index.project(epoch, [item.to_write(built | item.touched()) for item in readings])
        return written

    def write(self, epoch: str, readings: Sequence[UnitReading]) -> int:
        """Project readings that were taken after `epoch` was read."""
        if not readings:
            return 0
        wanted = built_months(self._store.read.now().date())
        return self._index.project(epoch, [reading.to_write(wanted) for reading in readings])

    def _confirmed(
        self, suspects: dict[str, _Suspect], months: Sequence[YearMonth], required: frozenset[YearMonth]
    ) -> dict[str, tuple[Break, ...]]:
        """Those differences that stand in every further reading while neither side's version moved."""
        for _ in range(READ_AGAIN):
            if not suspects:
                break
            self._pause(READ_AGAIN_AFTER_SECONDS)
            kept: dict[str, _Suspect] = {}
            for chunk in _chunks([suspect.reading.unit for suspect in suspects.values()], UNITS_AT_ONCE):
                for again in self.read(chunk, months):
                    before = suspects[again.unit.unit_id]
                    still = set(differences(again, required))
                    standing = tuple(item for item in before.breaks if item in still)
                    if standing and not _moved(before.reading, again):
                        kept[again.unit.unit_id] = _Suspect(reading=again, breaks=standing)
            suspects = kept
        return {unit_id: suspect.breaks for unit_id, suspect in suspects.items()}


class Reconcile:
    """The service's work on the index: everything at start and every five minutes, losses within a second."""

    def __init__(self, store: Store, index: AvailabilityIndex, pause: Callable[[float], None] = time.sleep) -> None:
        self._store = store
        self._index = index
        self._check = IndexCheck(store, index, pause)
        self._seen: tuple[str, str] | None = None

    def run(self) -> ReconcileResult:
        """Compare every unit that is not retired, mend what differs, log each difference and put the drift on record.

        Raises IndexUnreachable when the index is away, Refusal(UNREACHABLE) when PostgreSQL is. Running it twice at
        once, or while bookings are made, does no harm: a projection never overwrites a newer one.
        """
        return self._run(self._index.epoch())

    def heal_if_needed(self) -> ReconcileResult | None:
        """Act at the first call, after a loss of the index (epoch or run id changed) and on expired claims.

        Otherwise None after three cheap reads; made to be called every second. Raises IndexUnreachable.
        """
        seen = (self._index.run_id(), self._index.epoch())
        if seen != self._seen:
            result = self._run(seen[1])
            # What was seen before the work: a flush in the middle of it shows at the next call.
            self._seen = seen
            return result
        dropped = self.drop_expired_claims()
        return ReconcileResult(compared=0, repaired=dropped, drift=(), claims_dropped=dropped) if dropped else None

    def drop_expired_claims(self) -> int:
        """Project the units of claims that nobody finished (a killed counter), then drop the claims; how many."""
        expired = [claim for claim in self._index.open_claims() if claim.expired]
        if expired:
            drop_claims(self._store, self._index, self._check, expired)
        return len(expired)

    def _run(self, epoch: str) -> ReconcileResult:
        compared_from = self._store.read.now()
        claims_dropped = self.drop_expired_claims()
        units = [unit.indexed for unit in self._store.read.fleet(None)]
        months = self._check.months_in_use(units)
        found = self._check.compare(units, months, build_under=epoch)
        drifting = [unit for unit in units if unit.unit_id in found.drift]
        mended = self._check.mend(drifting, months, confirmed=True)
        breaks = tuple(item for unit_id in sorted(found.drift) for item in found.drift[unit_id])
        log_drift(breaks)
        self._record(breaks, compared_from)
        log.info(
            "reconciled %d units: %d built, %d mended, %d claims", found.compared, found.built, mended, claims_dropped
        )
        return ReconcileResult(
            compared=found.compared,
            repaired=found.built + mended,
            drift=breaks,
            built=found.built,
            claims_dropped=claims_dropped,
        )

    def _record(self, breaks: Sequence[Break], compared_from: dt.datetime) -> None:
        """The drift goes on record; projections given up earlier are done by this comparison, or tried again when they
        name a retired unit: it was not compared."""
        if breaks:
            found = drift_of(FoundBy.RECONCILE, breaks, len(breaks))
            self._store.transact(lambda tx: tx.record_drift(found), one_call=True)
        if caught_up := self._store.transact(lambda tx: tx.finish_projections(compared_from), one_call=True):
            log.info("%d projections that were given up are done by this comparison", caught_up)


def drop_claims(store: Store, index: AvailabilityIndex, check: IndexCheck, claims: Sequence[OpenClaim]) -> None:
    """Project the units of these claims from PostgreSQL, then take the claims off the register.

    A crash in between leaves the claim: it is done again. Claims of units that do not exist are only taken off.
    """
    named = sorted({claim.unit_id for claim in claims})
    units = [unit.indexed for unit in store.read.units(named) if unit.unit.status is not UnitStatus.RETIRED]
    check.project_known(units)
    for claim in claims:
        if claim.is_malformed:
            log.warning("the claim register held something that is no claim: %s", shown(claim.member[:80]))
        else:
            log.info(
                "claim of unit %s %s", claim.unit_id, "was no counter's" if claim.overlong else "expired unfinished"
            )
    index.drop_claims(claims)


def log_drift(breaks: Sequence[Break]) -> None:
    """One line per difference, with ids and bits only."""
    for item in breaks:
        log.warning(
            "index drift %s unit=%s day=%s redis=%s postgres=%s key=%s",
            item.invariant,
            item.unit_id,
            item.day,
            item.redis,
            item.postgres,
            item.id,
        )


def _is_missing(reading: UnitReading) -> bool:
    """Whether the index never heard of the unit; one whose keys are gone but whose version is ahead is a fault."""
    return not reading.is_built and not reading.is_ahead


def _moved(before: UnitReading, again: UnitReading) -> bool:
    return before.projection.version != again.projection.version or before.stored_version != again.stored_version


def _chunks(units: Sequence[IndexedUnit], size: int) -> Iterator[Sequence[IndexedUnit]]:
    return (units[at : at + size] for at in range(0, len(units), size))
