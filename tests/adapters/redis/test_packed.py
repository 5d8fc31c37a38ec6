"""The packed month against a plain reading of the same bytes, whatever bytes they are."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.redis.packed import PackedMasks, slots_for
from app.domain.days import Days, YearMonth

MAY = YearMonth(2026, 5)
JUNE = YearMonth(2026, 6)

strings = st.none() | st.binary(max_size=41)
# Mostly known slots, few taken days: a random word would nearly never be free.
slots = st.sampled_from([b"\0\0\0\1", b"\0\0\0\0", b"\0\0\0\3", b"\x80\0\0\1", b"\0\0\x80\1", b"\xff\xff\xff\xff"])
packed_strings = st.none() | st.lists(slots, max_size=8).map(b"".join)


def plainly(raw: bytes | None) -> dict[int, int]:
    words = [(raw or b"")[at : at + 4] for at in range(0, len(raw or b""), 4)]
    return {n: int.from_bytes(word, "big") - 1 for n, word in enumerate(words) if len(word) == 4 and word[3] & 1}


@given(strings)
def test_any_bytes_read_as_slots_of_four_and_only_known_ones_count(raw: bytes | None) -> None:
    masks = PackedMasks(raw)
    expected = plainly(raw)
    assert masks == expected
    assert (dict(masks.items()), list(masks), len(masks)) == (expected, list(expected), len(expected))
    assert [masks.get(slot) for slot in range(-2, 14)] == [expected.get(slot) for slot in range(-2, 14)]


@pytest.mark.parametrize("slot", [-1, 1, 2, 10**9])
def test_a_slot_beyond_the_string_or_before_it_is_unknown(slot: int) -> None:
    masks = PackedMasks(b"\0\0\0\1")
    with pytest.raises(KeyError):
        masks[slot]
    assert slot not in masks


@given(packed_strings, packed_strings, st.integers(0, 60), st.integers(0, 60))
def test_free_and_taken_slots_are_those_of_a_plain_reading(
    may: bytes | None, june: bytes | None, start: int, end: int
) -> None:
    first, last = sorted((start, end))
    days = Days(MAY.first_day + dt.timedelta(days=first), MAY.first_day + dt.timedelta(days=last))
    read = {MAY: plainly(may), JUNE: plainly(june)}
    months = days.months()
    free = [
        slot
        for slot in range(8)
        if all(slot in read[month] and not read[month][slot] & days.mask(month) for month in months)
    ]
    taken = [
        slot
        for slot in range(8)
        if any(slot in read[month] and read[month][slot] & days.mask(month) for month in months)
    ]
    raw = {MAY: may, JUNE: june}
    found = slots_for(days, [(month, raw[month]) for month in months])
    assert (list(found.free), list(found.taken)) == (free, taken)


def test_31_may_taken_beside_a_free_june_is_not_free() -> None:
    over = Days(dt.date(2026, 5, 31), dt.date(2026, 6, 1))
    found = slots_for(over, [(MAY, b"\0\0\0\3"), (JUNE, b"\0\0\0\1")])
    assert (list(found.free), list(found.taken)) == ([], [0])
