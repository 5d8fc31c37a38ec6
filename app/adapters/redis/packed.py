"""The packed month: 4 bytes per slot of a SKU, the seed's bits and bit 31 = known; read without touching each unit."""

from __future__ import annotations

import sys
from collections.abc import ItemsView, Iterator, Mapping, Sequence
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


class SlotsForPeriod:
    """Slots of a SKU by what the index says of a period. A slot in neither is UNKNOWN.

    Months are compared with their own range masks and never combined with each other. Free needs every month known;
    one taken day in a known month is enough for taken, which is worked out only for somebody who asks.
    """

    __slots__ = ("_asked", "free")

    def __init__(self, asked: Sequence[tuple[Words, np.uint32]]) -> None:
        self._asked = asked
        self.free = Slots(self._only_known())

    @property
    def taken(self) -> Slots:
        longest = max((len(words) for words, _ in self._asked), default=0)
        taken = np.zeros(longest, dtype=bool)
        for words, bits in self._asked:
            found = words & bits
            taken[: len(words)] |= ((found & _KNOWN_AS_STORED) != 0) & (found != _KNOWN_AS_STORED)
        return Slots(taken)

    def _only_known(self) -> NDArray[np.bool_]:
        """Where each month has its mark of being known and none of the wanted days."""
        shortest = min((len(words) for words, _ in self._asked), default=0)
        free: NDArray[np.bool_] | None = None
        for words, bits in self._asked:
            fits = (words[:shortest] & bits) == _KNOWN_AS_STORED
            free = fits if free is None else np.logical_and(free, fits, out=free)
        return np.zeros(0, dtype=bool) if free is None else free


def slots_for(days: Days, packed: Sequence[tuple[YearMonth, bytes | None]]) -> SlotsForPeriod:
    """Compare each month with that month's own range mask."""
    # Only bits are compared, so both sides stay in the machine's byte order: half the time of turning the bytes.
    return SlotsForPeriod([(_stored_words(raw), _as_stored(days.mask(month) | KNOWN)) for month, raw in packed])


def _stored_words(raw: bytes | None) -> NDArray[np.uint32]:
    return words_of(raw).view(np.uint32)


def _as_stored(mask: int) -> np.uint32:
    return np.uint32(int.from_bytes(mask_to_bytes(mask), sys.byteorder))


_KNOWN_AS_STORED = _as_stored(KNOWN)
