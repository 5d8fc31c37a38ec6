"""A bar on its way to other days or another unit: what it would become, and what stands in its way. Pure."""

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum

from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_selection import Obstacle, StopReason
from app.domain.days import MAX_RENTAL_DAYS, Days
from app.usecases.rows import Bar, FleetUnit

HANDLE_SEEN = 8
"""Width of a resize handle as it is drawn, in logical pixels."""
HANDLE_HIT = 12
"""Width of its pointer target; on short bars a third of the bar, never more."""

_DAY = dt.timedelta(days=1)


class Grip(StrEnum):
    """Where a bar is held: its ends change its length, its body moves it, ROW moves it to another unit only."""

    BODY = "body"
    ROW = "row"
    START = "start"
    END = "end"


class Verdict(StrEnum):
    """What is known about the place a ghost stands on."""

    HOME = "home"
    CHECKING = "checking"
    ALLOWED = "allowed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """`days` and `unit` are what the booking would have; the bar itself has not moved.

    `obstacle` is what lies on those days as far as this counter knows, `stopped` what kept an end from going further.
    `parks` means that it is held over the parking lane.
    """

    bar: Bar
    home: FleetUnit
    unit: FleetUnit
    days: Days
    grip: Grip
    by_keys: bool = False
    obstacle: Obstacle | None = None
    stopped: Obstacle | None = None
    parks: bool = False

    @property
    def before(self) -> Days:
        return rented(self.bar)

    @property
    def is_home(self) -> bool:
        return self.unit.unit.id == self.home.unit.id and self.days == self.before


def rented(bar: Bar) -> Days:
    """The booking's own days, without turnaround."""
    return bar.rented or bar.days


def grip_at(left: int, right: int, x: int, *, has_start: bool, has_end: bool) -> Grip:
    """What is held at `x` of a bar from `left` to `right` (logical pixels); an end outside the window is no handle."""
    zone = min(HANDLE_HIT, (right - left) / 3)
    if has_end and x > right - zone:
        return Grip.END
    if has_start and x < left + zone:
        return Grip.START
    return Grip.BODY


def moved_to(ghost: Ghost, content: GridContent, unit: FleetUnit, first: dt.date) -> Ghost:
    """The whole booking on another unit or other days; it never begins before today unless it did already."""
    before = ghost.before
    if ghost.grip is Grip.ROW:
        first = before.first
    elif first != before.first:
        first = max(first, content.today)
    days = Days(first, first + _DAY * (before.count - 1))
    placed = replace(ghost, unit=unit, days=days, stopped=None)
    return rechecked(placed, content)


def resized_to(ghost: Ghost, content: GridContent, day: dt.date) -> Ghost:
    """One end on another day, as far as the next taken day and the longest rental let it."""
    before = ghost.before
    if ghost.grip is Grip.START:
        wanted = min(day, before.last)
        first, stopped = _as_far(ghost, content, before.first, max(wanted, min(content.today, before.first)), -1)
        days = Days(first, before.last)
    else:
        wanted = max(day, before.first, min(content.today, before.last))
        last, stopped = _as_far(ghost, content, before.last, wanted, 1)
        days = Days(before.first, last)
    return rechecked(replace(ghost, days=days, stopped=stopped), content)


def rechecked(ghost: Ghost, content: GridContent) -> Ghost:
    """The same ghost over what the grid knows now."""
    return replace(ghost, obstacle=_first_obstacle(ghost, content))


def _as_far(
    ghost: Ghost, content: GridContent, start: dt.date, wanted: dt.date, step: int
) -> tuple[dt.date, Obstacle | None]:
    """The day nearest to `wanted` that an end can reach from where it is, and what stopped it."""
    if (wanted - start).days * step <= 0:
        return wanted, None
    reached = start
    while reached != wanted:
        following = reached + step * _DAY
        stopped = _taken_by_other(ghost, content, following + (_turnaround(ghost) if step > 0 else dt.timedelta()))
        other_end = ghost.before.first if step > 0 else ghost.before.last
        if abs((following - other_end).days) >= MAX_RENTAL_DAYS:
            stopped = Obstacle(column=-1, day=following, reason=StopReason.TOO_LONG, span=None)
        if stopped is not None:
            return reached, stopped
        reached = following
    return reached, None


def _turnaround(ghost: Ghost) -> dt.timedelta:
    return _DAY * ghost.unit.sku.turnaround_days


def _first_obstacle(ghost: Ghost, content: GridContent) -> Obstacle | None:
    for day in Days(ghost.days.first, ghost.days.last + _turnaround(ghost)):
        found = _taken_by_other(ghost, content, day)
        if found is not None:
            return found
    return None


def _taken_by_other(ghost: Ghost, content: GridContent, day: dt.date) -> Obstacle | None:
    """What takes a day besides the booking itself; what is not shown is the server's to judge."""
    column = content.column_of(day)
    if column is None or day < content.today:
        return None
    unit = ghost.unit
    if content.unit(unit.unit.id) is None:
        return None  # a row that is not shown
    if unit.unit.id == ghost.home.unit.id and day in ghost.bar.days:
        return None
    if content.is_free(unit, column):
        return None
    reason = StopReason.TAKEN if content.is_known(unit, column) else StopReason.UNKNOWN
    return Obstacle(column=column, day=day, reason=reason, span=content.span_at(unit, column))
