"""Choosing days in one unit's row: the stretch grows from its anchor and stops at the first day that is not free."""

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum

from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_spans import Span
from app.domain.days import MAX_RENTAL_DAYS
from app.usecases.rows import FleetUnit


class StopReason(StrEnum):
    TAKEN = "taken"
    UNKNOWN = "unknown"
    PAST = "past"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """The first day a stretch could not take, and what is there (None while its name is not known)."""

    column: int
    day: dt.date
    reason: StopReason
    span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayStretch:
    """Chosen days of one unit; `stopped` names what it ran into. All days were free when they were chosen.

    `lost` is the first of them that somebody took meanwhile: the stretch is red then, and cannot be settled.
    """

    unit: FleetUnit
    anchor: int
    first: int
    last: int
    first_day: dt.date
    last_day: dt.date
    stopped: Obstacle | None = None
    lost: Obstacle | None = None

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    @property
    def moving_end(self) -> int:
        """The end away from the anchor: where the next Shift+arrow goes on."""
        return self.last if self.anchor == self.first else self.first


def stretch(content: GridContent, unit: FleetUnit, anchor: int, towards: int) -> DayStretch | Obstacle:
    """All free days from `anchor` towards a column, the unit's turnaround free behind the last of them; an Obstacle
    when the anchor itself is not free."""
    stopped = end_at(content, unit, anchor)
    if stopped is not None:
        return stopped
    step = 1 if towards >= anchor else -1
    end = anchor
    while end != towards:
        stopped = (end_at if step > 0 else obstacle_at)(content, unit, end + step)
        if stopped is None and abs(end + step - anchor) >= MAX_RENTAL_DAYS:
            stopped = Obstacle(column=end + step, day=content.days[end + step], reason=StopReason.TOO_LONG, span=None)
        if stopped is not None:
            break
        end += step
    first, last = min(anchor, end), max(anchor, end)
    return DayStretch(
        unit=unit,
        anchor=anchor,
        first=first,
        last=last,
        first_day=content.days[first],
        last_day=content.days[last],
        stopped=stopped,
    )


def obstacle_at(content: GridContent, unit: FleetUnit, column: int) -> Obstacle | None:
    """Why a day cannot be rented; None when it can."""
    day = content.days[column]
    if day < content.today:
        return Obstacle(column=column, day=day, reason=StopReason.PAST, span=content.span_at(unit, column))
    if content.is_free(unit, column):
        return None
    reason = StopReason.TAKEN if content.is_known(unit, column) else StopReason.UNKNOWN
    return Obstacle(column=column, day=day, reason=reason, span=content.span_at(unit, column))


def end_at(content: GridContent, unit: FleetUnit, column: int) -> Obstacle | None:
    """Why a rental cannot end on a day: it is not free, or another rental begins before the unit is ready again."""
    if (here := obstacle_at(content, unit, column)) is not None:
        return here
    after = range(column + 1, min(column + 1 + unit.sku.turnaround_days, len(content.days)))
    found = (obstacle_at(content, unit, each) for each in after)
    return next((item for item in found if item is not None and item.reason is StopReason.TAKEN), None)


def looked_at_again(content: GridContent, chosen: DayStretch) -> DayStretch:
    """The same days over what the grid knows now: `lost` names the first that is not free any more."""
    found = (
        (end_at if column == chosen.last else obstacle_at)(content, chosen.unit, column)
        for column in range(chosen.first, chosen.last + 1)
    )
    return replace(chosen, lost=next((item for item in found if item is not None), None))


def carried_over(content: GridContent, chosen: DayStretch, anchor_day: dt.date, end_day: dt.date) -> DayStretch | None:
    """The same days in another window or another reading; None where the anchor is not shown any more."""
    unit = content.unit(chosen.unit.unit.id)
    anchor, end = content.column_of(anchor_day), content.column_of(end_day)
    if unit is None or anchor is None or end is None:
        return None
    first, last = min(anchor, end), max(anchor, end)
    return looked_at_again(
        content,
        replace(chosen, unit=unit, anchor=anchor, first=first, last=last, stopped=None),
    )


def next_free(content: GridContent, unit: FleetUnit, after: int) -> int | None:
    """The first free column after a column, going round to the row's beginning; None when the row has none."""
    count = len(content.days)
    order = [*range(after + 1, count), *range(min(after + 1, count))]
    return next((column for column in order if content.is_free(unit, column)), None)
