"""The fleet: SKUs and units, and the rules for their names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import invalid
from app.domain.money import Rupiah

_SKU = re.compile(r"[A-Z0-9](?:[A-Z0-9.-]{0,28}[A-Z0-9])?")
_UNIT_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")


class UnitStatus(StrEnum):
    IN_SERVICE = "IN_SERVICE"
    MAINTENANCE = "MAINTENANCE"
    RETIRED = "RETIRED"


class MaintenanceState(StrEnum):
    """A block of maintenance: FINISHED and CANCELLED are final."""

    SCHEDULED = "SCHEDULED"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sku:
    """A kind of unit with its rates. `daily_rate` and `deposit` are whole Rupiah, `turnaround_days` follow a rental."""

    code: str
    name: str
    category: str
    daily_rate: Rupiah
    deposit: Rupiah
    turnaround_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One rentable thing; `id` is the seed's AssetID, `slot` its place in the SKU's packed month string."""

    id: str
    sku: str
    slot: int
    plate: str
    colour: str
    status: UnitStatus


def checked_sku(code: str, field: str = "sku") -> str:
    """A SKU code that may stand in a Redis key: capitals, digits, `-` and `.`; `:` and `|` would break the keys."""
    if not _SKU.fullmatch(code):
        raise invalid(field, "not_a_sku", given=code[:40])
    return code


def checked_unit_id(unit_id: str, field: str = "unit_id") -> str:
    """A unit id that may stand in a Redis key: letters, digits, `-`, `_` and `.`, at most 64."""
    if not _UNIT_ID.fullmatch(unit_id):
        raise invalid(field, "not_a_unit_id", given=unit_id[:80])
    return unit_id


def normalised_plate(text: str, field: str = "plate") -> str:
    """`b1234xyz` → `B 1234 XYZ`. Other identifications (equipment) are kept in capitals with single spaces."""
    plain = " ".join(text.upper().split())
    if not 1 <= len(plain) <= 20 or any(ord(sign) < 32 for sign in plain):
        raise invalid(field, "not_a_plate", given=text[:40])
    parts = re.fullmatch(r"([A-Z]{1,2}) ?(\d{1,4}) ?([A-Z]{0,3})", plain)
    return " ".join(part for part in parts.groups() if part) if parts else plain
