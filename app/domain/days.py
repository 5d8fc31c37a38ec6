"""Calendar days: the rental period and the month masks of the availability index (seed 10.1).

Bit 0 is day 1 and is the top bit of byte 0, as Redis' SETBIT numbers them; a mask is 4 bytes, bit 31 unused (0).
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from app.domain.errors import Refusal, RefusalCode, invalid

MAX_RENTAL_DAYS = 365
MAX_OCCUPANCY_DAYS = 400
MASK_BYTES = 4
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TOP = 31  # the weight of bit 0 in a 32-bit big-endian number


@dataclass(frozen=True, slots=True, order=True)
class YearMonth:
    """A calendar month; its text form `YYYYMM` ends the seed's Redis keys."""

    year: int
    month: int

    def __post_init__(self) -> None:
        if not (dt.MINYEAR <= self.year <= dt.MAXYEAR and 1 <= self.month <= 12):
            raise ValueError(f"no month of the calendar: {self.year}-{self.month}")

    @classmethod
    def of(cls, day: dt.date) -> YearMonth:
        return cls(day.year, day.month)

    @classmethod
    def parse(cls, text: str) -> YearMonth:
        """A month written `YYYYMM`; anything else is refused."""
        if len(text) == 6 and text.isascii() and text.isdigit():
            try:
                return cls(int(text[:4]), int(text[4:]))
            except ValueError:
                raise invalid("month", "not_a_month", given=text) from None
        raise invalid("month", "not_a_month", given=text[:20])

    def next(self) -> YearMonth:
        return YearMonth(self.year + 1, 1) if self.month == 12 else YearMonth(self.year, self.month + 1)

    def shifted(self, months: int) -> YearMonth:
        count = self.year * 12 + self.month - 1 + months
        return YearMonth(count // 12, count % 12 + 1)

    @property
    def first_day(self) -> dt.date:
        return dt.date(self.year, self.month, 1)

    @property
    def last_day(self) -> dt.date:
        return dt.date(self.year, self.month, self.day_count)

    @property
    def day_count(self) -> int:
        return calendar.monthrange(self.year, self.month)[1]

    def __str__(self) -> str:
        return f"{self.year:04d}{self.month:02d}"


@dataclass(frozen=True, slots=True)
class Days:
    """A closed stretch of days, both ends taken. Never empty, never unbounded."""

    first: dt.date
    last: dt.date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise Refusal(
                RefusalCode.PERIOD_INVALID, field="last_day", reason="reversed", first=self.first, last=self.last
            )

    @property
    def count(self) -> int:
        return (self.last - self.first).days + 1

    def overlaps(self, other: Days) -> bool:
        return self.first <= other.last and other.first <= self.last

    def __contains__(self, day: object) -> bool:
        if isinstance(day, dt.datetime) or not isinstance(day, dt.date):
            return False  # a moment has no day before its zone is known
        return self.first <= day <= self.last

    def __iter__(self) -> Iterator[dt.date]:
        return (self.first + dt.timedelta(days=n) for n in range(self.count))

    def months(self) -> tuple[YearMonth, ...]:
        """Every month touched, in order."""
        found = [YearMonth.of(self.first)]
        while found[-1] < YearMonth.of(self.last):
            found.append(found[-1].next())
        return tuple(found)

    def mask(self, month: YearMonth) -> int:
        """The days of this stretch inside `month` as a 32-bit number (bit 0 = day 1 = top bit)."""
        first = max(self.first, month.first_day)
        last = min(self.last, month.last_day)
        return range_mask(first.day, last.day) if first <= last else 0


@dataclass(frozen=True, slots=True)
class RentalPeriod(Days):
    """The rented days, inclusive on both ends, branch-local; 1 to 365 days (product rule)."""

    def __post_init__(self) -> None:
        Days.__post_init__(self)
        if self.count > MAX_RENTAL_DAYS:
            raise _period_refused("too_long", days=self.count, limit=MAX_RENTAL_DAYS)

    def with_turnaround(self, days: int) -> Days:
        """The days the unit is taken: the period and its turnaround, at most 400 days."""
        try:
            taken = Days(self.first, self.last + dt.timedelta(days=days))
        except OverflowError:
            raise invalid("last_day", "not_a_day", given=self.last.isoformat()) from None
        if taken.count > MAX_OCCUPANCY_DAYS:
            raise Refusal(
                RefusalCode.PERIOD_INVALID,
                field="last_day",
                reason="too_long",
                days=taken.count,
                limit=MAX_OCCUPANCY_DAYS,
            )
        return taken


def _period_refused(reason: str, **params: object) -> Refusal:
    return Refusal(RefusalCode.PERIOD_INVALID, field="last_day", next=(), reason=reason, **params)


def parse_day(text: object, field: str) -> dt.date:
    """A day written `YYYY-MM-DD`; anything else, 31 February included, is refused naming `field`."""
    if isinstance(text, dt.date) and not isinstance(text, dt.datetime):
        return text
    # fromisoformat alone would also take a week date such as 2026-W19-7.
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        raise invalid(field, "not_a_day", given=str(text)[:40])
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise invalid(field, "not_a_day", given=text) from None


def local_day(moment: dt.datetime, zone: ZoneInfo) -> dt.date:
    """The branch's calendar day of an aware moment, whatever zone the PC or the server has (case C-36)."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs its zone")
    return moment.astimezone(zone).date()


def range_mask(first: int, last: int) -> int:
    """Days `first`..`last` of a month (1-based, inclusive) as a mask: 10..12 is 0x00700000."""
    return ((1 << (last - first + 1)) - 1) << (_TOP - (last - 1))


def mask_of(stretches: Iterable[Days], month: YearMonth) -> int:
    """The OR of all stretches in one month."""
    mask = 0
    for days in stretches:
        mask |= days.mask(month)
    return mask


def masks_of(stretches: Iterable[Days], months: Sequence[YearMonth]) -> tuple[int, ...]:
    """`mask_of` for several months in one walk over the stretches; a rebuild of a whole fleet lives on it."""
    places = {month.year * 12 + month.month: place for place, month in enumerate(months)}
    masks = [0] * len(months)
    for days in stretches:
        first, last = days.first, days.last
        opening, closing = first.year * 12 + first.month, last.year * 12 + last.month
        for count in range(opening, closing + 1):
            place = places.get(count)
            if place is not None:
                masks[place] |= range_mask(
                    first.day if count == opening else 1,
                    last.day if count == closing else months[place].day_count,
                )
    return tuple(masks)


def mask_to_bytes(mask: int) -> bytes:
    return mask.to_bytes(MASK_BYTES, "big")


def mask_from_bytes(raw: bytes) -> int:
    if len(raw) != MASK_BYTES:
        raise ValueError(f"a month mask has {MASK_BYTES} bytes, not {len(raw)}")
    return int.from_bytes(raw, "big")


def is_taken(mask: int, day: int) -> bool:
    return bool(mask >> (_TOP - (day - 1)) & 1)


def taken_days(mask: int, month: YearMonth) -> tuple[dt.date, ...]:
    return tuple(dt.date(month.year, month.month, d) for d in range(1, month.day_count + 1) if is_taken(mask, d))


def runs(days: Iterable[dt.date]) -> tuple[Days, ...]:
    """Neighbouring days joined into stretches, in order."""
    found: list[Days] = []
    for day in sorted(set(days)):
        if found and day - found[-1].last == dt.timedelta(days=1):
            found[-1] = Days(found[-1].first, day)
        else:
            found.append(Days(day, day))
    return tuple(found)
