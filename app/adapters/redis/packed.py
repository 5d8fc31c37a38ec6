"""The packed month: 4 bytes per slot of a SKU, the seed's bits and bit 31 = known; read without touching each unit."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.days import MASK_BYTES, Days, YearMonth

KNOWN = 1
_WORD = np.dtype(">u4")

Words = NDArray[np.uint32]


def words_of(raw: bytes | None) -> Words:
    """One big-endian 32-bit number per slot; a missing string has none, a torn last slot is left out."""
    raw = raw or b""
    return np.frombuffer(raw, _WORD, len(raw) // MASK_BYTES)


class PackedMasks(Mapping[int, int]):
    """Slot → mask of the known units of one packed month, decoded where it is looked at.

    A grid asks for the forty rows it shows, a search for all of them: neither pays for the other.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes | None) -> None:
        self._raw = raw or b""

    def __getitem__(self, slot: int) -> int:
        if slot >= 0:
            four = self._raw[slot * MASK_BYTES : (slot + 1) * MASK_BYTES]
            if len(four) == MASK_BYTES and four[-1] & KNOWN:
                return int.from_bytes(four, "big") - KNOWN
        raise KeyError(slot)

    def __iter__(self) -> Iterator[int]:
        words = words_of(self._raw)
        return iter(np.flatnonzero(words & KNOWN).tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(words_of(self._raw) & KNOWN))

    def items(self) -> ItemsView[int, int]:
        words = words_of(self._raw)
        slots = np.flatnonzero(words & KNOWN)
        return dict(zip(slots.tolist(), (words[slots] - KNOWN).tolist(), strict=True)).items()

    def __repr__(self) -> str:
        return f"PackedMasks({dict(self.items())!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotsForPeriod:
    """Slots of a SKU by what the index says of a period. A slot in neither is UNKNOWN."""

    free: tuple[int, ...]
    taken: tuple[int, ...]


def slots_for(days: Days, packed: Sequence[tuple[YearMonth, bytes | None]]) -> SlotsForPeriod:
    """Compare each month with that month's own range mask; months are never combined with each other.

    Free needs every month known; one taken day in a known month is enough for taken.
    """
    words = [(words_of(raw), np.uint32(days.mask(month))) for month, raw in packed]
    longest = max((len(month_words) for month_words, _ in words), default=0)
    free = np.ones(longest, dtype=bool)
    taken = np.zeros(longest, dtype=bool)
    for month_words, wanted in words:
        count = len(month_words)
        known = (month_words & KNOWN) != 0
        clash = (month_words & wanted) != 0
        free[:count] &= known & ~clash
        free[count:] = False
        taken[:count] |= known & clash
    return SlotsForPeriod(free=tuple(np.flatnonzero(free).tolist()), taken=tuple(np.flatnonzero(taken).tolist()))
