"""The names of the index's keys, read back: which SKU, unit and month a key speaks of, or that it is none of ours."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.days import YearMonth
from app.domain.errors import Refusal

KEY_YEARS = range(2000, 9999)
"""Years a month key may have; a month beyond them was written by a stranger."""


class KeyKind(StrEnum):
    UNIT_MONTH = "avail"
    PACKED_MONTH = "apack"
    VERSIONS = "aver"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyName:
    """`unit_id` only of a unit's month, `month` of both kinds of months."""

    kind: KeyKind
    sku: str
    unit_id: str = ""
    month: YearMonth | None = None


def key_of(name: bytes) -> KeyName | None:
    """What a key is named for; None for a name that no part of the product writes."""
    try:
        prefix, _, rest = name.decode("ascii").partition(":")
        kind = KeyKind(prefix)
    except ValueError:
        return None
    if kind is KeyKind.VERSIONS:
        return KeyName(kind=kind, sku=rest) if rest and ":" not in rest else None
    place, _, month = rest.rpartition(":")
    sku, _, unit_id = place.partition(":")
    try:
        found = YearMonth.parse(month)
    except Refusal:
        return None
    if not sku or found.year not in KEY_YEARS or (unit_id == "") is (kind is KeyKind.UNIT_MONTH) or ":" in unit_id:
        return None
    return KeyName(kind=kind, sku=sku, unit_id=unit_id, month=found)


def shown(name: bytes) -> str:
    """A name as it may stand in a report, whatever bytes it has."""
    text = name.decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
