"""What PostgreSQL says of a unit against what the index stores (invariant I2): which months, and every difference.

Pure comparison. Redis is read before PostgreSQL, so a stored version that is ahead is never a booking in flight.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.domain.days import MASK_BYTES, YearMonth, mask_from_bytes, range_mask
from app.usecases.engine_rows import FoundBy, NewDrift
from app.usecases.index_port import IndexedMonth, IndexedUnit, Projection
from app.usecases.rows import Break

INVARIANT = "I2"
_KINDS = {"avail": "key", "apack": "packed", "aver": "version", "aidx": "register"}

BUILT_AHEAD = 12
KEPT_PAST = 2
FARTHEST_AHEAD = 38
"""Months after the current one in which a booking may have days: 730 days ahead and 400 days long."""


def built_months(today: dt.date) -> tuple[YearMonth, ...]:
    """The months every unit is built for: the one before the current one to 12 after it.

    One month of room on either side of what screens ask first, so that no zone and no month's end finds a gap.
    """
    return _span(today, -1, BUILT_AHEAD)


def required_months(today: dt.date) -> frozenset[YearMonth]:
    """The months whose absence is a finding: the current one to 11 after it.

    A day less than what is built, so that the first minutes of a month are not a fault.
    """
    return frozenset(_span(today, 0, BUILT_AHEAD - 1))


def possible_months(today: dt.date) -> tuple[YearMonth, ...]:
    """Every month that may be in the index: from the last one kept to the farthest one bookable."""
    return _span(today, -KEPT_PAST, FARTHEST_AHEAD)


def _span(today: dt.date, first: int, last: int) -> tuple[YearMonth, ...]:
    now = YearMonth.of(today)
    return tuple(now.shifted(n) for n in range(first, last + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReading:
    """One unit as both sides tell it. `claimed`: a claim that has not expired is open on it."""

    projection: Projection
    stored: Sequence[IndexedMonth]
    claimed: bool

    @property
    def unit(self) -> IndexedUnit:
        return self.projection.unit

    @property
    def stored_version(self) -> int | None:
        return self.stored[0].version if self.stored else None

    @property
    def is_built(self) -> bool:
        """Whether anything of the unit is in the index: after a loss of Redis nothing is, and that is no drift."""
        return any(month.key is not None or month.packed_known for month in self.stored)

    @property
    def is_ahead(self) -> bool:
        """Whether the index holds a version that PostgreSQL has not reached: every projection is ignored then."""
        return self.stored_version is not None and self.stored_version > self.projection.version

    def touched(self) -> frozenset[YearMonth]:
        """The months with any taken day."""
        return frozenset(month for days in self.projection.days for month in days.months())

    def to_write(self, wanted: Iterable[YearMonth]) -> Projection:
        """The projection cut to the `wanted` months and to those that are stored already."""
        keep = set(wanted)
        months = tuple(
            month
            for month, stored in zip(self.projection.months, self.stored, strict=True)
            if month in keep or stored.key is not None or stored.packed_known
        )
        return replace(self.projection, months=months)


def differences(reading: UnitReading, required: frozenset[YearMonth]) -> tuple[Break, ...]:
    """Every difference of one unit, named by key; days of an open claim and a commit on its way are none."""
    if not reading.is_built:
        return (_not_built(reading),) if required & set(reading.projection.months) else ()
    version, stored_version = reading.projection.version, reading.stored_version
    in_flight = reading.claimed and (stored_version is None or stored_version < version)
    found: list[Break] = []
    if stored_version != version and not in_flight:
        found.append(_stale_version(reading))
    masks = _masks(reading.projection)
    for month, stored in zip(reading.projection.months, reading.stored, strict=True):
        expected = masks.get(month, 0)
        if _agrees(stored, expected):
            continue
        if stored.key is None and not stored.packed_known:
            if month in required:
                found.append(_whole(reading.unit, month, "no key", expected))
            continue
        found += _of_key(reading, month, stored, expected, in_flight)
        found += _of_packed(reading, month, stored, expected, in_flight)
    return tuple(found)


def _masks(projection: Projection) -> dict[YearMonth, int]:
    """The months with any taken day. By stretch and not by month: most months of most units are empty."""
    masks: dict[YearMonth, int] = {}
    for days in projection.days:
        for month in days.months():
            masks[month] = masks.get(month, 0) | days.mask(month)
    return masks


def key_name(unit: IndexedUnit, month: YearMonth) -> str:
    return f"avail:{unit.sku}:{unit.unit_id}:{month}"


def packed_name(unit: IndexedUnit, month: YearMonth) -> str:
    """The packed month and the slot in it."""
    return f"apack:{unit.sku}:{month}#{unit.slot}"


def _agrees(stored: IndexedMonth, expected: int) -> bool:
    return stored.packed_known and stored.packed == expected and stored.key == expected.to_bytes(MASK_BYTES, "big")


def _of_key(
    reading: UnitReading, month: YearMonth, stored: IndexedMonth, expected: int, in_flight: bool
) -> Iterator[Break]:
    name = key_name(reading.unit, month)
    if stored.key is None:
        yield _whole(reading.unit, month, "no key", expected)
    elif len(stored.key) != MASK_BYTES:
        held = stored.key[:16].hex() or "nothing"
        yield _whole(reading.unit, month, f"key of {len(stored.key)} bytes: {held}", expected)
    elif not in_flight:
        yield from _of_days(reading, month, mask_from_bytes(stored.key), expected, "key", name)


def _of_packed(
    reading: UnitReading, month: YearMonth, stored: IndexedMonth, expected: int, in_flight: bool
) -> Iterator[Break]:
    name = packed_name(reading.unit, month)
    if not stored.packed_known or stored.packed is None:
        yield replace(_whole(reading.unit, month, "packed slot unknown", expected), id=name)
    elif not in_flight:
        yield from _of_days(reading, month, stored.packed, expected, "packed", name)


def _of_days(
    reading: UnitReading, month: YearMonth, held: int, expected: int, where: str, name: str
) -> Iterator[Break]:
    """One break per day; bits beyond the month's last day are one more (SETBIT takes 31 February too)."""
    differing = (expected & ~held) if reading.claimed else (expected ^ held)
    for day in range(1, month.day_count + 1):
        bit = range_mask(day, day)
        if differing & bit:
            yield Break(
                invariant=INVARIANT,
                unit_id=reading.unit.unit_id,
                day=dt.date(month.year, month.month, day).isoformat(),
                redis=f"{where} {int(bool(held & bit))}",
                postgres=str(int(bool(expected & bit))),
                id=name,
            )
    if differing & ~range_mask(1, month.day_count):
        yield replace(_whole(reading.unit, month, f"{where} {held:08x}, bits that are no day", expected), id=name)


def _whole(unit: IndexedUnit, month: YearMonth, redis: str, expected: int) -> Break:
    return Break(
        invariant=INVARIANT,
        unit_id=unit.unit_id,
        day=month.first_day.isoformat(),
        redis=redis,
        postgres=f"{expected:08x}",
        id=key_name(unit, month),
    )


def _stale_version(reading: UnitReading) -> Break:
    held = reading.stored_version
    return Break(
        invariant=INVARIANT,
        unit_id=reading.unit.unit_id,
        redis="no version" if held is None else f"version {held}",
        postgres=f"version {reading.projection.version}",
        id=f"aver:{reading.unit.sku}#{reading.unit.slot}",
    )


def _not_built(reading: UnitReading) -> Break:
    return Break(
        invariant=INVARIANT,
        unit_id=reading.unit.unit_id,
        redis="not built",
        postgres=f"version {reading.projection.version}",
        id=f"avail:{reading.unit.sku}:{reading.unit.unit_id}",
    )


def drift_of(found_by: FoundBy, breaks: Sequence[Break], repaired: int) -> NewDrift:
    """A comparison's findings as they go on record: how many units, and how many findings of each kind."""
    kinds = Counter(_KINDS.get(item.id.partition(":")[0], "other") for item in breaks)
    return NewDrift(
        found_by=found_by,
        units=len({item.unit_id for item in breaks if item.unit_id}),
        findings=len(breaks),
        kinds=dict(sorted(kinds.items())),
        repaired=repaired,
    )
