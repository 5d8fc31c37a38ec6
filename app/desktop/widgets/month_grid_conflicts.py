"""Days of a unit that two active rows claim: it cannot happen while the database's constraint stands. Pure."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from app.desktop.widgets.month_grid_spans import takes_days
from app.domain.days import Days
from app.usecases.rows import Bar, OccupancyKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The days both bars claim."""

    days: Days
    one: Bar
    other: Bar


def conflicts_of(bars: Sequence[Bar]) -> tuple[Conflict, ...]:
    """Every pair of active rows of one unit that overlaps, by first day.

    Finished rentals take no days, and overdue days lie over the next booking on purpose (it is at risk, not doubled).
    """
    if _follow_each_other(bars):
        return ()
    rows = sorted(
        (bar for bar in bars if takes_days(bar) and bar.kind is not OccupancyKind.OVERDUE),
        key=lambda bar: (bar.days.first, bar.days.last),
    )
    found: list[Conflict] = []
    for at, one in enumerate(rows):
        for other in rows[at + 1 :]:
            if other.days.first > one.days.last:
                break
            both = Days(other.days.first, min(one.days.last, other.days.last))
            found.append(Conflict(days=both, one=one, other=other))
    return tuple(found)


def _follow_each_other(bars: Sequence[Bar]) -> bool:
    """Every bar begins after the one before it ended: nearly every row of a fleet, and cheap to see."""
    last = dt.date.min
    for bar in bars:
        if bar.days.first <= last:
            return False
        last = bar.days.last
    return True


def conflict_on(conflicts: Sequence[Conflict], day: dt.date) -> Conflict | None:
    """The first conflict that has this day."""
    return next((conflict for conflict in conflicts if day in conflict.days), None)
