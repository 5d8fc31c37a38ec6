"""Arriving on the grid: the branch, the day and the row are brought into view, then the bar's card is opened."""

import datetime as dt
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt

from app.desktop.screens.calendar_shown import EVERYTHING, CalendarFilter
from app.desktop.screens.calendar_view import CalendarScreen
from app.usecases.calendar import BranchRow
from app.usecases.rows_search import SearchHit, SearchKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A cell, and the booking whose card is opened there."""

    unit_id: str
    day: dt.date
    booking_id: str | None


class GridArrival(QObject):
    """Goes to a hit as soon as the grid has it. What is read meanwhile (another branch, another month) is waited for;
    once it was read the goal is given up, so that nobody is carried away later.
    """

    def __init__(self, screen: CalendarScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        self._goal: Goal | None = None
        screen.model.changed.connect(self._try)
        screen.model.content_replaced.connect(self._try)
        screen.model.rows_changed.connect(self._try)

    def show(self, hit: SearchHit) -> None:
        """A unit (today, or the day of the booking that has it) or a booking."""
        model = self._screen.model
        if hit.unit_id is None:
            return
        self._screen.escape()
        self._show_units_of(hit)
        today = model.today or model.clock.now().date()
        is_booking = hit.kind is not SearchKind.UNIT
        day = today
        if is_booking and hit.days is not None and today not in hit.days:
            day = hit.days.first
        self._goal = Goal(unit_id=hit.unit_id, day=day, booking_id=hit.booking_id if is_booking else None)
        model.show_day(day)
        self._try()

    def is_arriving(self) -> bool:
        return self._goal is not None

    def _show_units_of(self, hit: SearchHit) -> None:
        """No filter hides the unit; another branch's units are read only."""
        model = self._screen.model
        if hit.branch_id is None or hit.branch_id == model.who.branch.id:
            if not model.shown.wanted.is_plain:
                model.set_wanted(EVERYTHING)
        else:
            branch = BranchRow(id=hit.branch_id, code=hit.branch_id, name=hit.branch_name)
            model.set_wanted(CalendarFilter(branch=branch))

    def _try(self, *_news: object) -> None:
        goal, screen = self._goal, self._screen
        content = screen.grid.content
        if goal is None or content is None:
            return
        is_read = not screen.model.is_busy("load", "reread") and content.window == screen.model.window
        column = content.column_of(goal.day)
        if column is not None and content.unit(goal.unit_id) is not None:
            screen.grid.go_to(goal.unit_id, column)
            if not self._is_on(goal.booking_id) and not is_read:
                return
            self._goal = None
            screen.grid.setFocus(Qt.FocusReason.OtherFocusReason)
            found = screen.grid.current_span()
            if found is not None and goal.booking_id is not None and self._is_on(goal.booking_id):
                screen.pointing.open_bar(*found)
        elif is_read:
            self._goal = None

    def _is_on(self, booking_id: str | None) -> bool:
        """The wanted booking's bar is under the cursor; a unit alone needs none."""
        found = self._screen.grid.current_span()
        bar = found[1].bar if found is not None else None
        return booking_id is None or (bar is not None and bar.booking_id == booking_id)
