"""Which days the calendar shows: the rolling window, calendar months, zoom. Pure."""

import datetime as dt
from enum import StrEnum

from app.domain.days import Days, YearMonth
from app.usecases.key_names import KEY_YEARS

DAYS_BEFORE_TODAY = 4
FIRST_DAY, LAST_DAY = dt.date(KEY_YEARS.start, 1, 1), dt.date(KEY_YEARS.stop - 1, 12, 31)
"""The days that the calendar answers for."""


class Zoom(StrEnum):
    WEEK = "7"
    FORTNIGHT = "14"
    ROLLING = "31"
    TWO_MONTHS = "62"
    MONTH = "month"


def length_of(zoom: Zoom) -> int:
    """Days of a window; a calendar month's is its own."""
    return 31 if zoom is Zoom.MONTH else int(zoom.value)


def month_of(day: dt.date) -> Days:
    month = YearMonth.of(day)
    return Days(month.first_day, month.last_day)


def rolling(day: dt.date, zoom: Zoom) -> Days:
    """The window that begins four days before a day (one in a week's view), or that day's calendar month."""
    if zoom is Zoom.MONTH:
        return month_of(day)
    before = DAYS_BEFORE_TODAY if length_of(zoom) > 7 else 1
    first = day - dt.timedelta(days=before)
    return Days(first, first + dt.timedelta(days=length_of(zoom) - 1))


def stepped(window: Days, zoom: Zoom, months: int) -> Days:
    """The next (1) or previous (-1) calendar month; its first days where the zoom is shorter or longer."""
    month = YearMonth.of(window.first)
    in_month = window.first == month.first_day
    target = month.shifted(months if months > 0 or in_month else months + 1)
    if zoom in (Zoom.ROLLING, Zoom.MONTH):
        return Days(target.first_day, target.last_day)
    return Days(target.first_day, target.first_day + dt.timedelta(days=length_of(zoom) - 1))


def zoomed(window: Days, zoom: Zoom, today: dt.date | None) -> Days:
    """The same beginning with another length; around today when a whole month that has it is left."""
    has_today = today is not None and today in window
    if zoom is Zoom.MONTH:
        return month_of(today if has_today and today is not None else window.first)
    first = window.first
    if has_today and today is not None and first.day == 1 and window.count <= 31:
        first = today - dt.timedelta(days=DAYS_BEFORE_TODAY)
    return Days(first, first + dt.timedelta(days=length_of(zoom) - 1))


def within_calendar(window: Days) -> Days:
    """The same length, moved so far that the calendar answers for every day of it."""
    shift = max(FIRST_DAY - window.first, dt.timedelta()) or min(LAST_DAY - window.last, dt.timedelta())
    return Days(window.first + shift, window.last + shift) if shift else window
