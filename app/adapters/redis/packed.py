"""The packed month: 4 bytes per slot of a SKU, the seed's bits and bit 31 = known; read without touching each unit."""

from __future__ import annotations

import sys
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from app.domain.days import MASK_BYTES, Days, YearMonth, mask_to_bytes

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


class Slots(Sequence[int]):
    """Slot numbers in order. A list of them is made only where somebody walks over them: a screen shows fifty."""

    __slots__ = ("_found",)

    def __init__(self, marked: NDArray[np.bool_]) -> None:
        self._found = np.flatnonzero(marked)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        return self._found[place].tolist()  # type: ignore[no-any-return]  # numpy: of an int an int, of a slice a list

    def __iter__(self) -> Iterator[int]:
        return iter(self._found.tolist())

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"Slots({list(self)!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotsForPeriod:
    """Slots of a SKU by what the index says of a period. A slot in neither is UNKNOWN."""

    free: Slots
    taken: Slots


def slots_for(days: Days, packed: Sequence[tuple[YearMonth, bytes | None]]) -> SlotsForPeriod:
    """Compare each month with that month's own range mask; months are never combined with each other.

    Free needs every month known; one taken day in a known month is enough for taken.
    """
    # Only bits are compared, so both sides stay in the machine's byte order: half the time of turning the bytes.
    known = _as_stored(KNOWN)
    asked = [(words_of(raw).view(np.uint32), _as_stored(days.mask(month) | KNOWN)) for month, raw in packed]
    longest = max((len(words) for words, _ in asked), default=0)
    free = np.ones(longest, dtype=bool)
    taken = np.zeros(longest, dtype=bool)
    for words, bits in asked:
        count = len(words)
        found = words & bits
        only_known = found == known
        free[:count] &= only_known
        free[count:] = False
        taken[:count] |= ((found & known) != 0) & ~only_known
    return SlotsForPeriod(free=Slots(free), taken=Slots(taken))


def _as_stored(mask: int) -> np.uint32:
    return np.uint32(int.from_bytes(mask_to_bytes(mask), sys.byteorder))
