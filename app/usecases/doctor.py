"""The doctor: every bit of the index and every invariant of the database, with each finding named; mends the index.

In PostgreSQL it only puts on record that the index had drifted: what is broken there needs a person.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass

from app.domain.catalogue import UnitStatus
from app.domain.days import MASK_BYTES, YearMonth
from app.usecases.drift import INVARIANT, drift_of
from app.usecases.engine_rows import FoundBy
from app.usecases.index_port import AvailabilityIndex, IndexedUnit, IndexUnreachable, OpenClaim
from app.usecases.key_names import KeyKind, KeyName, key_of, shown
from app.usecases.odd_keys import Oddity, OddKey
from app.usecases.ports import Store
from app.usecases.reconcile import READ_AGAIN_AFTER_SECONDS, IndexCheck, drop_claims, log_drift
from app.usecases.rows import Break

log = logging.getLogger(__name__)

INDEX_AWAY = "INDEX"
"""The finding's name when Redis does not answer: the database was examined, the index was not."""

IN_DATABASE = (
    *("I1", "I3", "I4", "I5", "I6", "I7", "I9", "OUTBOX", "I10", "I11"),
    *("DEPOSITS", "NUMBERS", "TILL", "SLOTS", "LOCKS", "GUARDS"),
)
"""What `Reads.breaks` answers for; I2 is compared here."""


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
    """A key that has no business in the index: of nothing the fleet knows, or with a name that is none of ours.

    `unit` only of a retired unit, at its `version`: that is forgotten with a tombstone.
    """

    name: bytes
    key: KeyName | None
    why: str = ""
    unit: IndexedUnit | None = None
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexFindings:
    checked: Mapping[str, int]
    units: tuple[IndexedUnit, ...]
    months: tuple[YearMonth, ...]
    drift: Mapping[str, tuple[Break, ...]]
    strays: tuple[_StrayKey, ...]
    orphans: tuple[OpenClaim, ...]
    odd: tuple[OddKey, ...]
    epoch_is_sound: bool

    @property
    def breaks(self) -> tuple[Break, ...]:
        of_units = [item for unit_id in sorted(self.drift) for item in self.drift[unit_id]]
        epoch = () if self.epoch_is_sound else (_epoch_break(),)
        strays, orphans = map(_stray_break, self.strays), map(_orphan_break, self.orphans)
        return (*epoch, *of_units, *strays, *orphans, *map(_odd_break, self.odd))


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
        repaired = sum(item not in left for item in in_index)
        if in_index and in_index[0].invariant != INDEX_AWAY:
            found_drift = drift_of(FoundBy.DOCTOR, in_index, repaired)
            self._store.transact(lambda tx: tx.record_drift(found_drift))
        for item in in_database:
            log.warning("invariant %s is broken: unit=%s id=%s", item.invariant, item.unit_id, item.id)
        return DoctorReport(
            ok=not in_database and not left,
            checked={**checked, "invariants": len(IN_DATABASE)},
            breaks=(*in_database, *in_index),
            repaired=repaired,
        )

    def _examine_index(self) -> _IndexFindings:
        epoch_is_sound = self._index.epoch_is_sound()
        units = tuple(unit.indexed for unit in self._store.read.fleet(None))
        keys = [(name, key_of(name)) for name in self._index.stored_keys()]
        of_units = [key for _, key in keys if key is not None and key.kind is KeyKind.UNIT_MONTH]
        # Packed months, too: a screen believes one that has no unit keys beside it.
        in_keys = {key.month for _, key in keys if key is not None and key.month is not None}
        months = tuple(sorted({*self._check.months_in_use(units), *in_keys}))
        claims = self._index.open_claims()
        compared = self._check.compare(units, months)
        strays, orphans = self._strays(keys, units), self._orphans(claims, units)
        odd = self._odd([name for name, _ in keys])
        if strays or orphans or odd:
            # A unit may be retired or a claim be finished this very moment: what stands is a finding.
            self._pause(READ_AGAIN_AFTER_SECONDS)
            still_keys = set(self._index.stored_keys()) if strays else set()
            strays = self._strays([(stray.name, stray.key) for stray in strays if stray.name in still_keys], units)
            still_claims = {claim.member for claim in self._index.open_claims()}
            orphans = tuple(claim for claim in orphans if claim.member in still_claims)
            still_odd = set(self._odd([item.key for item in odd])) if odd else set()
            odd = tuple(item for item in odd if item in still_odd)
        return _IndexFindings(
            checked={
                "units": compared.compared,
                "unit_months": compared.compared * len(months),
                "keys": len(of_units),
                "claims": len(claims),
            },
            units=units,
            months=months,
            drift=compared.drift,
            strays=strays,
            orphans=orphans,
            odd=odd,
            epoch_is_sound=epoch_is_sound,
        )

    def _strays(
        self, keys: Sequence[tuple[bytes, KeyName | None]], units: Sequence[IndexedUnit]
    ) -> tuple[_StrayKey, ...]:
        """Keys of units that do not exist, are retired, or belong to another SKU now; of SKUs that do not exist; and
        names that are none of ours."""
        at_home = {(unit.sku, unit.unit_id) for unit in units}
        skus = {unit.sku for unit in units}
        odd = [(name, key) for name, key in keys if not _is_at_home(key, at_home, skus)]
        if not odd:
            return ()
        ids = sorted({key.unit_id for _, key in odd if key is not None and key.unit_id})
        here = {unit.unit.id: unit for unit in self._store.read.units(ids)}
        this_month = YearMonth.of(self._store.read.now().date())
        versions = {item.unit.unit_id: item.version for item in self._store.read.projections(ids, [this_month])}
        no_unit = {key.sku for _, key in odd if key is not None and key.kind is not KeyKind.UNIT_MONTH}
        known = {sku for sku in no_unit if self._store.read.sku(sku) is not None}
        found: list[_StrayKey] = []
        for name, key in odd:
            if key is None:
                found.append(_StrayKey(name=name, key=None))
            elif key.kind is not KeyKind.UNIT_MONTH:
                if key.sku not in known:  # else all its units are retired: tombstones
                    found.append(_StrayKey(name=name, key=key, why="no such SKU"))
            elif (unit := here.get(key.unit_id)) is None or unit.sku.code != key.sku:
                found.append(_StrayKey(name=name, key=key, why="no such unit"))
            elif unit.unit.status is UnitStatus.RETIRED:
                version = versions.get(key.unit_id, 0)
                found.append(_StrayKey(name=name, key=key, why="unit is retired", unit=unit.indexed, version=version))
        return tuple(found)

    def _odd(self, names: Sequence[bytes]) -> tuple[OddKey, ...]:
        """Oddities of these keys, with the slots as they are now: a unit may have been added meanwhile."""
        return tuple(self._index.odd_keys(names, self._store.read.sku_slots()))

    def _orphans(self, claims: Sequence[OpenClaim], units: Sequence[IndexedUnit]) -> tuple[OpenClaim, ...]:
        """Claims nobody finished in time, and claims of units that are not in the fleet."""
        at_home = {(unit.sku, unit.unit_id) for unit in units}
        return tuple(claim for claim in claims if claim.expired or (claim.sku, claim.unit_id) not in at_home)

    def _left_after_repair(self, found: _IndexFindings) -> tuple[Break, ...]:
        """Mend everything and examine again: what is still there."""
        self._index.epoch()
        drifting = [unit for unit in found.units if unit.unit_id in found.drift]
        self._check.mend(drifting, found.months, confirmed=True)
        retired: dict[tuple[IndexedUnit, int], list[YearMonth]] = {}
        for stray in found.strays:
            if stray.unit is not None and stray.key is not None and stray.key.month is not None:
                retired.setdefault((stray.unit, stray.version), []).append(stray.key.month)
        for (unit, version), months in retired.items():
            self._index.forget_unit(unit, version, months)
        self._index.drop_keys([stray.name for stray in found.strays])
        drop_claims(self._store, self._index, self._check, found.orphans)
        self._index.mend_odd_keys(found.odd)
        return self._examine_index().breaks


def _is_at_home(key: KeyName | None, units: Set[tuple[str, str]], skus: Set[str]) -> bool:
    if key is None:
        return False
    return (key.sku, key.unit_id) in units if key.kind is KeyKind.UNIT_MONTH else key.sku in skus


def _epoch_break() -> Break:
    return Break(invariant=INVARIANT, redis="no epoch of ours", id="aidx:epoch")


def _stray_break(stray: _StrayKey) -> Break:
    name = shown(stray.name)
    if stray.key is None:
        return Break(invariant=INVARIANT, redis="no key of ours", id=name)
    day = "" if stray.key.month is None else stray.key.month.first_day.isoformat()
    return Break(invariant=INVARIANT, unit_id=stray.key.unit_id, day=day, redis="key", postgres=stray.why, id=name)


def _orphan_break(claim: OpenClaim) -> Break:
    name = f"aidx:claims {shown(claim.member)}".rstrip()
    if claim.is_malformed:
        return Break(invariant=INVARIANT, redis="no claim" if claim.member else "no claim register", id=name)
    held = "claim beyond every lease" if claim.overlong else "claim expired" if claim.expired else "claim"
    told = "no booking in work" if claim.expired else "no such unit"
    return Break(invariant=INVARIANT, unit_id=claim.unit_id, redis=held, postgres=told, id=name)


def _odd_break(item: OddKey) -> Break:
    told, asked = {
        Oddity.EXPIRING: ("key would end by itself", "no time to live"),
        Oddity.TOO_LONG: ("packed month behind its last slot", f"{item.limit // MASK_BYTES} slots"),
        Oddity.SLOT_OF_NOBODY: ("packed slot", "no such unit"),
        Oddity.VERSION_OF_NOBODY: ("version", "no such slot"),
    }[item.oddity]
    name = shown(item.key) + (f"#{shown(item.slot)}" if item.slot else "")
    return Break(invariant=INVARIANT, redis=told, postgres=asked, id=name)
