"""Calendar days and month masks: the seed's bits, month and year ends, and texts that are no day."""

from __future__ import annotations

import calendar
import datetime as dt
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.days import (
    Days,
    RentalPeriod,
    YearMonth,
    is_taken,
    local_day,
    mask_from_bytes,
    mask_of,
    mask_to_bytes,
    masks_of,
    parse_day,
    range_mask,
    runs,
    taken_days,
)
from app.domain.errors import Refusal, RefusalCode

MAY = YearMonth(2026, 5)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def days(first: str, last: str) -> Days:
    return Days(day(first), day(last))


months = st.builds(YearMonth, st.integers(1, 9999), st.integers(1, 12))
stretches = st.builds(
    lambda first, length: Days(first, first + dt.timedelta(days=length)),
    st.dates(dt.date(2020, 1, 1), dt.date(2040, 12, 31)),
    st.integers(0, 400),
)


# Masks


@pytest.mark.parametrize(
    ("first", "last", "written"),
    [
        ("2026-05-01", "2026-05-01", "80000000"),
        ("2026-05-10", "2026-05-12", "00700000"),
        ("2026-05-25", "2026-05-27", "000000e0"),
        ("2026-05-30", "2026-05-31", "00000006"),
        ("2026-05-01", "2026-05-31", "fffffffe"),
        ("2026-04-01", "2026-06-30", "fffffffe"),
        ("2026-04-30", "2026-05-01", "80000000"),
        ("2026-06-01", "2026-06-02", "00000000"),
        ("2026-04-01", "2026-04-30", "00000000"),
    ],
)
def test_a_mask_has_the_seeds_bits(first: str, last: str, written: str) -> None:
    assert mask_to_bytes(days(first, last).mask(MAY)).hex() == written


@pytest.mark.parametrize(
    ("year", "month", "written"),
    [
        (2026, 2, "fffffff0"),
        (2028, 2, "fffffff8"),
        (2026, 4, "fffffffc"),
        (2026, 12, "fffffffe"),
        (1900, 2, "fffffff0"),
    ],
)
def test_a_whole_month_sets_as_many_bits_as_it_has_days(year: int, month: int, written: str) -> None:
    whole = YearMonth(year, month)
    assert mask_to_bytes(Days(whole.first_day, whole.last_day).mask(whole)).hex() == written


def test_a_stretch_over_the_year_end_is_in_both_years() -> None:
    stretch = days("2026-12-31", "2027-01-01")
    assert stretch.months() == (YearMonth(2026, 12), YearMonth(2027, 1))
    assert (stretch.mask(YearMonth(2026, 12)), stretch.mask(YearMonth(2027, 1))) == (0x00000002, 0x80000000)


@given(stretches)
def test_the_months_of_a_stretch_hold_all_its_days_and_no_other(stretch: Days) -> None:
    found = [day for month in stretch.months() for day in taken_days(stretch.mask(month), month)]
    assert found == list(stretch)
    assert len(found) == stretch.count


@given(stretches, months)
def test_bit_31_is_never_set(stretch: Days, month: YearMonth) -> None:
    assert stretch.mask(month) & 1 == 0
    assert stretch.mask(month) < 1 << 32


@given(stretches)
def test_bits_are_numbered_as_setbit_numbers_them(stretch: Days) -> None:
    month = YearMonth.of(stretch.first)
    raw = bytearray(4)
    for taken in stretch:
        if YearMonth.of(taken) == month:
            raw[(taken.day - 1) // 8] |= 0x80 >> ((taken.day - 1) % 8)
    assert mask_to_bytes(stretch.mask(month)) == bytes(raw)


@given(st.lists(stretches, max_size=5), months)
def test_masks_of_several_stretches_are_joined(several: list[Days], month: YearMonth) -> None:
    expected = {day for stretch in several for day in stretch if YearMonth.of(day) == month}
    assert set(taken_days(mask_of(several, month), month)) == expected


near_months = st.builds(YearMonth, st.integers(2020, 2041), st.integers(1, 12))


@given(st.lists(stretches, max_size=5), st.lists(near_months, unique=True))
def test_masks_of_several_months_are_those_of_each(several: list[Days], some: list[YearMonth]) -> None:
    assert masks_of(several, some) == tuple(mask_of(several, month) for month in some)


@given(st.binary(min_size=4, max_size=4))
def test_any_four_bytes_are_a_mask_and_come_back(raw: bytes) -> None:
    assert mask_to_bytes(mask_from_bytes(raw)) == raw


@pytest.mark.parametrize("raw", [b"", b"\0\0\0", b"\0\0\0\0\0"])
def test_another_length_is_no_mask(raw: bytes) -> None:
    with pytest.raises(ValueError, match="4 bytes"):
        mask_from_bytes(raw)


@given(st.integers(1, 31), st.integers(1, 31))
def test_a_range_mask_takes_its_days_and_no_other(one: int, two: int) -> None:
    first, last = sorted((one, two))
    mask = range_mask(first, last)
    assert [n for n in range(1, 32) if is_taken(mask, n)] == list(range(first, last + 1))


def test_bits_beyond_the_end_of_the_month_are_no_days() -> None:
    assert taken_days(0xFFFFFFFF, YearMonth(2026, 2))[-1] == day("2026-02-28")


# Months


@given(months)
def test_a_month_is_written_as_in_the_keys_and_read_back(month: YearMonth) -> None:
    assert YearMonth.parse(str(month)) == month
    assert len(str(month)) == 6


@pytest.mark.parametrize(
    "text",
    ["", "2026", "2026-5", "202600", "202613", "000012", "20260５", "２０２６０５", " 20265", "+20265", "2026051"],
)
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        YearMonth.parse(text)
    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "month")


@pytest.mark.parametrize(("year", "month"), [(2026, 0), (2026, 13), (0, 1), (10_000, 1), (2026, -1)])
def test_a_month_that_is_on_no_calendar_cannot_be_made(year: int, month: int) -> None:
    with pytest.raises(ValueError, match="no month"):
        YearMonth(year, month)


@given(months)
def test_a_month_ends_where_the_calendar_says(month: YearMonth) -> None:
    count = calendar.monthrange(month.year, month.month)[1]
    assert (month.first_day.day, month.last_day.day, month.day_count) == (1, count, count)
    assert YearMonth.of(month.last_day) == YearMonth.of(month.first_day) == month


@given(st.builds(YearMonth, st.integers(1900, 2100), st.integers(1, 12)), st.integers(-600, 600))
def test_shifting_months_counts_over_years(month: YearMonth, steps: int) -> None:
    moved = month.shifted(steps)
    assert (moved.year - month.year) * 12 + moved.month - month.month == steps
    assert moved.shifted(-steps) == month
    assert month.next() == month.shifted(1) > month


def test_months_sort_by_time() -> None:
    assert sorted([YearMonth(2027, 1), YearMonth(2026, 12), YearMonth(2026, 2)]) == [
        YearMonth(2026, 2),
        YearMonth(2026, 12),
        YearMonth(2027, 1),
    ]


# Stretches


def test_a_stretch_of_one_day_has_one_day() -> None:
    one = days("2026-05-10", "2026-05-10")
    assert (one.count, list(one), one.months()) == (1, [day("2026-05-10")], (MAY,))


def test_a_reversed_stretch_is_refused_with_its_ends() -> None:
    with pytest.raises(Refusal) as refused:
        days("2026-05-12", "2026-05-10")
    assert (refused.value.code, refused.value.field) == (RefusalCode.PERIOD_INVALID, "last_day")
    assert refused.value.params == {"reason": "reversed", "first": day("2026-05-12"), "last": day("2026-05-10")}


@pytest.mark.parametrize(
    ("first", "last", "meets"),
    [
        ("2027-03-10", "2027-03-12", True),
        ("2027-03-13", "2027-03-15", True),
        ("2027-03-12", "2027-03-13", True),
        ("2027-03-10", "2027-03-15", True),
        ("2027-03-10", "2027-03-11", False),
        ("2027-03-14", "2027-03-15", False),
    ],
)
def test_c04_c13_every_shape_of_overlap_is_seen(first: str, last: str, meets: bool) -> None:
    existing = days("2027-03-12", "2027-03-13")
    assert existing.overlaps(days(first, last)) is days(first, last).overlaps(existing) is meets


@given(stretches, stretches)
def test_overlapping_means_sharing_a_day(one: Days, two: Days) -> None:
    assert one.overlaps(two) == bool(set(one) & set(two))


@given(stretches, st.dates(dt.date(2020, 1, 1), dt.date(2042, 12, 31)))
def test_a_day_is_in_a_stretch_or_not(stretch: Days, asked: dt.date) -> None:
    assert (asked in stretch) == (asked in set(stretch))


def test_a_moment_or_a_text_is_in_no_stretch() -> None:
    stretch = days("2026-05-01", "2026-05-31")
    assert dt.datetime(2026, 5, 10, tzinfo=dt.UTC) not in stretch
    assert "2026-05-10" not in stretch


@given(st.lists(st.dates(dt.date(2026, 1, 1), dt.date(2026, 3, 31)), max_size=60))
def test_runs_join_neighbours_and_keep_every_day(some: list[dt.date]) -> None:
    found = runs(some)
    assert [day for run in found for day in run] == sorted(set(some))
    assert all(later.first - earlier.last > dt.timedelta(days=1) for earlier, later in pairwise(found))


# Rental periods


def test_a_rental_lasts_at_most_365_days() -> None:
    first = day("2026-05-01")
    assert RentalPeriod(first, first + dt.timedelta(days=364)).count == 365
    with pytest.raises(Refusal) as refused:
        RentalPeriod(first, first + dt.timedelta(days=365))
    assert (refused.value.code, refused.value.field) == (RefusalCode.PERIOD_INVALID, "last_day")
    assert refused.value.params == {"reason": "too_long", "days": 366, "limit": 365}


def test_a_reversed_rental_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        RentalPeriod(day("2026-05-02"), day("2026-05-01"))
    assert refused.value.params["reason"] == "reversed"


def test_turnaround_days_are_taken_too_up_to_400_days() -> None:
    period = RentalPeriod(day("2026-05-30"), day("2026-05-31"))
    assert period.with_turnaround(0) == Days(period.first, period.last)
    assert period.with_turnaround(1) == days("2026-05-30", "2026-06-01")
    year = RentalPeriod(day("2026-01-01"), day("2026-12-31"))
    assert year.with_turnaround(35).count == 400
    with pytest.raises(Refusal) as refused:
        year.with_turnaround(36)
    assert refused.value.params == {"reason": "too_long", "days": 401, "limit": 400}


def test_days_past_the_end_of_the_calendar_are_refused() -> None:
    period = RentalPeriod(day("9999-12-30"), day("9999-12-31"))
    assert period.months() == (YearMonth(9999, 12),)
    assert period.mask(YearMonth(9999, 12)) == 0x00000006
    with pytest.raises(Refusal) as refused:
        period.with_turnaround(1)
    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "last_day")


# Texts and moments


@given(st.dates())
def test_a_written_day_is_read_back(some: dt.date) -> None:
    assert parse_day(some.isoformat(), "first_day") == some
    assert parse_day(some, "first_day") == some


NO_DAYS: tuple[object, ...] = (
    *("", "today", "2026-02-31", "2026-13-01", "2026-00-10", "0000-01-01", "26-05-10", "2026-5-10", "20260510"),
    *("10-05-2026", "2026/05/10", " 026-05-10", "2026-05-10 ", "2026-05-10T00:00", "2026-W19-7", "2026-05-1\n"),
    *("2026-05-1\uff10", "\u0661\u0662\u0663\u0664-05-10"),
    *(None, 20260510, 5.0, True, b"2026-05-10", ["2026-05-10"], dt.datetime(2026, 5, 10)),
)


@pytest.mark.parametrize("text", NO_DAYS)
def test_what_is_no_day_is_refused_naming_the_field(text: object) -> None:
    with pytest.raises(Refusal) as refused:
        parse_day(text, "first_day")
    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "first_day")
    assert refused.value.params["reason"] == "not_a_day"


@given(st.text(max_size=12))
def test_no_text_whatever_breaks_the_reading_of_a_day(text: str) -> None:
    try:
        found = parse_day(text, "first_day").isoformat()
    except Refusal as refused:
        found = str(refused.field)
    assert found in (text, "first_day")


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("Asia/Jakarta", "2027-03-10"), ("Asia/Makassar", "2027-03-11"), ("Asia/Jayapura", "2027-03-11")],
)
def test_c36_the_day_is_the_branchs_whatever_zone_the_moment_has(zone: str, expected: str) -> None:
    moment = dt.datetime(2027, 3, 10, 16, 30, tzinfo=dt.UTC)
    elsewhere = moment.astimezone(ZoneInfo("America/New_York"))
    assert local_day(moment, ZoneInfo(zone)) == local_day(elsewhere, ZoneInfo(zone)) == day(expected)


def test_a_moment_without_a_zone_has_no_day() -> None:
    with pytest.raises(ValueError, match="zone"):
        local_day(dt.datetime(2027, 3, 10, 16, 30), ZoneInfo("Asia/Jakarta"))
