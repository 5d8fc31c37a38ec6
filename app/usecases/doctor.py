"""The doctor: every bit of the index and every invariant of the database, with each finding named; mends the index.

It changes nothing in PostgreSQL: what is broken there needs a person.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from app.domain.catalogue import UnitStatus
from app.domain.days import YearMonth
from app.domain.errors import Refusal
from app.usecases.drift import INVARIANT
from app.usecases.index_port import AvailabilityIndex, IndexedUnit, IndexUnreachable, OpenClaim
from app.usecases.ports import Store
from app.usecases.reconcile import NO_SLOT, READ_AGAIN_AFTER_SECONDS, IndexCheck, drop_claims, log_drift
from app.usecases.rows import Break

log = logging.getLogger(__name__)

INDEX_AWAY = "INDEX"
"""The finding's name when Redis does not answer: the database was examined, the index was not."""

IN_DATABASE = ("I1", "I3", "I4", "I5", "I6", "I9", "I10", "I11", "SLOTS", "LOCKS", "GUARDS")
"""What `Reads.breaks` answers for; I2 is compared here."""

_YEARS = range(2000, 9999)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """`breaks` is everything that was found, `repaired` how many of them are mended; `ok` when none is left."""

    ok: bool
    checked: Mapping[str, int]
    breaks: tuple[Break, ...]
    repaired: int

    def as_json(self) -> dict[str, object]:
        """The shape that scripts rely on; the values are plain."""
        return {
            "ok": self.ok,
            "checked": dict(self.checked),
            "breaks": [asdict(item) for item in self.breaks],
            "repaired": self.repaired,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _StrayKey:
    """A key of a unit that has no business in this SKU; `month` is None when the name is none of ours."""

    name: str
    unit: IndexedUnit
    version: int
    month: YearMonth | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexFindings:
    checked: Mapping[str, int]
    units: tuple[IndexedUnit, ...]
    months: tuple[YearMonth, ...]
    drift: Mapping[str, tuple[Break, ...]]
    strays: tuple[_StrayKey, ...]
    orphans: tuple[OpenClaim, ...]

    @property
    def breaks(self) -> tuple[Break, ...]:
        of_units = [item for unit_id in sorted(self.drift) for item in self.drift[unit_id]]
        return (*of_units, *map(_stray_break, self.strays), *map(_orphan_break, self.orphans))


class Doctor:
    """Examines one installation as somebody who may read all of it (the owner, the service)."""

    def __init__(self, store: Store, index: AvailabilityIndex, pause: Callable[[float], None] = time.sleep) -> None:
        self._store = store
        self._index = index
        self._pause = pause
        self._check = IndexCheck(store, index, pause)

    def examine(self, repair: bool = False) -> DoctorReport:
        """Compare and report. `repair` mends what is only the index'; `ok` then means that nothing is left broken.

        With the index away the database is examined all the same and the finding INDEX says so. Raises
        Refusal(UNREACHABLE) when PostgreSQL is away.
        """
        in_database = self._store.read.breaks()
        try:
            found = self._examine_index()
            in_index, checked = found.breaks, found.checked
            left = self._left_after_repair(found) if repair and in_index else in_index
        except IndexUnreachable as away:
            in_index = left = (Break(invariant=INDEX_AWAY, redis=f"unreachable: {away}"),)
            checked = {"units": 0, "unit_months": 0, "keys": 0, "claims": 0}
        log_drift(in_index)
        for item in in_database:
            log.warning("invariant %s is broken: unit=%s id=%s", item.invariant, item.unit_id, item.id)
        return DoctorReport(
            ok=not in_database and not left,
            checked={**checked, "invariants": len(IN_DATABASE)},
            breaks=(*in_database, *in_index),
            repaired=sum(item not in left for item in in_index),
        )

    def _examine_index(self) -> _IndexFindings:
        units = tuple(unit.indexed for unit in self._store.read.fleet(None))
        skus = sorted({unit.sku for unit in units})
        keys = [key for sku in skus for key in self._index.known_keys(sku)]
        in_keys = {month for key in keys if (month := _parsed(key)[2]) is not None}
        months = tuple(sorted({*self._check.months_in_use(units), *in_keys}))
        claims = self._index.open_claims()
        compared = self._check.compare(units, months)
        strays, orphans = self._strays(keys, units), self._orphans(claims, units)
        if strays or orphans:
            # A unit may be retired or a claim be finished this very moment: what stands is a finding.
            self._pause(READ_AGAIN_AFTER_SECONDS)
            still_keys = {key for sku in {stray.unit.sku for stray in strays} for key in self._index.known_keys(sku)}
            strays = self._strays([stray.name for stray in strays if stray.name in still_keys], units)
            still_claims = {(claim.unit_id, claim.token) for claim in self._index.open_claims()}
            orphans = tuple(claim for claim in orphans if (claim.unit_id, claim.token) in still_claims)
        return _IndexFindings(
            checked={
                "units": compared.compared,
                "unit_months": compared.compared * len(months),
                "keys": len(keys),
                "claims": len(claims),
            },
            units=units,
            months=months,
            drift=compared.drift,
            strays=strays,
            orphans=orphans,
        )

    def _strays(self, keys: Sequence[str], units: Sequence[IndexedUnit]) -> tuple[_StrayKey, ...]:
        """Keys of units that do not exist, are retired, or belong to another SKU now; and names that are no month."""
        at_home = {(unit.sku, unit.unit_id) for unit in units}
        odd = [(key, *_parsed(key)) for key in keys]
        odd = [item for item in odd if item[3] is None or (item[1], item[2]) not in at_home]
        if not odd:
            return ()
        ids = sorted({unit_id for _, _, unit_id, _ in odd})
        here = {unit.unit.id: unit for unit in self._store.read.units(ids)}
        this_month = YearMonth.of(self._store.read.now().date())
        versions = {item.unit.unit_id: item.version for item in self._store.read.projections(ids, [this_month])}
        found = []
        for name, sku, unit_id, month in odd:
            unit = here.get(unit_id)
            its_own = unit is not None and unit.sku.code == sku
            if month is not None and unit is not None and its_own and unit.unit.status is not UnitStatus.RETIRED:
                continue  # added since the fleet was read
            slot = unit.unit.slot if unit is not None and its_own else NO_SLOT
            version = versions.get(unit_id, 0) if its_own else 0
            indexed = IndexedUnit(sku=sku, unit_id=unit_id, slot=slot)
            found.append(_StrayKey(name=name, unit=indexed, version=version, month=month))
        return tuple(found)

    def _orphans(self, claims: Sequence[OpenClaim], units: Sequence[IndexedUnit]) -> tuple[OpenClaim, ...]:
        """Claims nobody finished in time, and claims of units that are not in the fleet."""
        at_home = {(unit.sku, unit.unit_id) for unit in units}
        return tuple(claim for claim in claims if claim.expired or (claim.sku, claim.unit_id) not in at_home)

    def _left_after_repair(self, found: _IndexFindings) -> tuple[Break, ...]:
        """Mend everything and examine again: what is still there."""
        self._check.mend([unit for unit in found.units if unit.unit_id in found.drift], found.months)
        strays: dict[tuple[IndexedUnit, int], list[YearMonth]] = {}
        for stray in found.strays:
            if stray.month is not None:
                strays.setdefault((stray.unit, stray.version), []).append(stray.month)
        for (unit, version), months in strays.items():
            self._index.forget_unit(unit, version, months)
        drop_claims(self._store, self._index, self._check, found.orphans)
        return self._examine_index().breaks


def _parsed(key: str) -> tuple[str, str, YearMonth | None]:
    """SKU, unit and month of `avail:<SKU>:<UnitID>:<YYYYMM>`; no month when the name is none of ours."""
    sku, _, rest = key.removeprefix("avail:").partition(":")
    unit_id, _, month = rest.rpartition(":")
    try:
        found = YearMonth.parse(month)
    except Refusal:
        return sku, rest, None
    return (sku, unit_id, found) if unit_id and found.year in _YEARS else (sku, rest, None)


def _stray_break(stray: _StrayKey) -> Break:
    if stray.month is None:
        return Break(invariant=INVARIANT, unit_id=stray.unit.unit_id, redis="no month's key", id=stray.name)
    why = "no such unit" if stray.unit.slot == NO_SLOT else "unit is retired"
    day = stray.month.first_day.isoformat()
    return Break(invariant=INVARIANT, unit_id=stray.unit.unit_id, day=day, redis="key", postgres=why, id=stray.name)


def _orphan_break(claim: OpenClaim) -> Break:
    return Break(
        invariant=INVARIANT,
        unit_id=claim.unit_id,
        redis="claim expired" if claim.expired else "claim",
        postgres="no booking in work" if claim.expired else "no such unit",
        id=f"aidx:claims {claim.sku}|{claim.unit_id}|{claim.token}",
    )
