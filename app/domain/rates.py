"""Rate cards and extras: what the days of a rental cost, and what comes along with it. All sums are whole Rupiah."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.money import Rupiah

WEEK, MONTH = 7, 30
"""Days of a block that has a price of its own."""


class RentKind(StrEnum):
    """What a rent line counts, in the order in which lines are printed."""

    MONTH = "MONTH"
    WEEK = "WEEK"
    WEEKDAY = "WEEKDAY"
    WEEKEND = "WEEKEND"
    HOLIDAY = "HOLIDAY"


RENT_WORDS: Mapping[RentKind, str] = {
    RentKind.MONTH: "bulanan (30 hari)",
    RentKind.WEEK: "mingguan (7 hari)",
    RentKind.WEEKDAY: "",
    RentKind.WEEKEND: "akhir pekan",
    RentKind.HOLIDAY: "hari libur",
}
"""What follows the SKU's name in a line's text, as it is frozen on the invoice; the database has the same words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCard:
    """What a SKU costs from some day on. A rate that is None is not a special one: that day, or block, costs what its
    days do."""

    weekday: Rupiah
    weekend: Rupiah | None = None
    holiday: Rupiah | None = None
    weekly: Rupiah | None = None
    monthly: Rupiah | None = None

    @property
    def is_plain(self) -> bool:
        """Whether every day costs the same, in whichever number."""
        return self.weekend is self.holiday is self.weekly is self.monthly is None


@dataclass(frozen=True, slots=True, kw_only=True)
class RentPart:
    """So many days or blocks of one kind at one rate."""

    kind: RentKind
    quantity: int
    rate: Rupiah

    @property
    def amount(self) -> int:
        return self.quantity * self.rate


def rent_parts(card: RateCard, first: dt.date, days: int, holidays: Collection[dt.date]) -> tuple[RentPart, ...]:
    """Rent of so many days from `first` on: whole months, then whole weeks, the rest day by day.

    A holiday goes before a weekend (Saturday, Sunday), that before a weekday. What is left over never costs more than
    the next bigger block, so that a longer rental is never cheaper than a shorter one from the same day.
    """
    if card.is_plain:
        return (RentPart(kind=RentKind.WEEKDAY, quantity=days, rate=card.weekday),)
    rates = {
        RentKind.MONTH: card.monthly,
        RentKind.WEEK: card.weekly,
        RentKind.WEEKDAY: card.weekday,
        RentKind.WEEKEND: card.weekend,
        RentKind.HOLIDAY: card.holiday,
    }
    months = 0 if card.monthly is None else days // MONTH
    weeks = 0 if card.weekly is None else (days - months * MONTH) // WEEK
    begun = months * MONTH + weeks * WEEK
    counts = Counter(_kind_of(card, first + dt.timedelta(days=n), holidays) for n in range(begun, days))
    if card.weekly is not None and _cost(counts, rates) > card.weekly:
        weeks, counts = weeks + 1, Counter()
    counts[RentKind.WEEK] = weeks
    if card.monthly is not None and _cost(counts, rates) > card.monthly:
        months, counts = months + 1, Counter()
    counts[RentKind.MONTH] = months
    return tuple(
        RentPart(kind=kind, quantity=counts[kind], rate=rate)
        for kind, rate in rates.items()
        if rate is not None and counts[kind]
    )


def _kind_of(card: RateCard, day: dt.date, holidays: Collection[dt.date]) -> RentKind:
    if card.holiday is not None and day in holidays:
        return RentKind.HOLIDAY
    if card.weekend is not None and day.isoweekday() > 5:
        return RentKind.WEEKEND
    return RentKind.WEEKDAY


def _cost(counts: Mapping[RentKind, int], rates: Mapping[RentKind, Rupiah | None]) -> int:
    return sum(count * (rates[kind] or 0) for kind, count in counts.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Something that a branch rents out or does along with a unit, for each day or once.

    One that is not taxable is charged once and takes no part in a discount. A driver needs no licence of the customer.
    """

    code: str
    name: str
    per_day: bool
    rate: Rupiah
    taxable: bool = True
    replaces_driver_licence: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraWish:
    """An extra as it is asked for."""

    code: str
    quantity: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenExtra:
    """An extra of a booking, with the name and rate that are frozen on it."""

    extra: Extra
    quantity: int = 1


def charged_days(count: int, day_offset: int, min_days: int) -> int:
    """Days that are paid for of a period that touches `count` dates."""
    return max(min_days, count + day_offset)


def day_offset(pickup: dt.datetime, due: dt.datetime, count: int, tolerance: dt.timedelta) -> int:
    """Day counting `24h`: how many days fewer than the dates it touches a rental is, by its times.

    Begun stretches of 24 hours count, a begun one within the tolerance does not. It depends on the two times of day
    alone, so that it stays what it is when days are added or given up.
    """
    return -(-(due - pickup - tolerance) // dt.timedelta(days=1)) - count
