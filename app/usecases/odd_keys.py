"""What no comparison of units can see in the index: keys that would end by themselves, and slots of nobody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Oddity(StrEnum):
    EXPIRING = "expiring"
    """A key with a time to live: its months would become unknown by themselves."""
    TOO_LONG = "too long"
    """A packed month that goes on behind the last slot its SKU ever gave out."""
    SLOT_OF_NOBODY = "slot of nobody"
    """A packed slot that is known although no unit has it."""
    VERSION_OF_NOBODY = "version of nobody"
    """A version under a slot that its SKU never gave out, or under something that is no slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkuSlots:
    """`next_slot` was never given out; `at_home` are slots of units, retired ones too. Tombstones lie in between."""

    next_slot: int
    at_home: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OddKey:
    """One finding. `slot` is the packed slot or the version's field, `limit` the bytes a packed month may have."""

    key: bytes
    oddity: Oddity
    slot: bytes = b""
    limit: int = 0
