"""Getting around the calendar: today, a typed day, the next free day, the next bar that needs somebody, the zoom."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget

from app.desktop.screens.calendar_goto import GoToDay
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.calendar_window import Zoom
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_fit import fit
from app.desktop.widgets.month_grid_selection import next_free as next_free_column
from app.desktop.widgets.month_grid_spans import Span
from app.usecases.rows import FleetUnit

_ZOOMS = (Zoom.WEEK, Zoom.FORTNIGHT, Zoom.ROLLING, Zoom.TWO_MONTHS)


class Moves(QObject):
    """Moves the window and the current cell. The wanted zoom is kept while a narrow window cannot show it."""

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        host: QWidget,
        title: QWidget,
        grid_width: Callable[[], int],
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._host, self._title = grid, model, host, title
        self._grid_width = grid_width
        self._wanted_zoom = Zoom.ROLLING
        self.goto = GoToDay(lambda: model.today or dt.date.min, host)
        self.goto.chosen.connect(self.go_to_day)
        self.goto.closed.connect(self.close_goto)
        grid.wheel_zoomed.connect(self.zoom_by)
        grid.wheel_panned.connect(lambda step: model.pan(step * 7))

    def fits(self, zoom: Zoom) -> bool:
        """False where its columns would be narrower than 24 px; two months scroll sideways instead."""
        return zoom not in (Zoom.ROLLING, Zoom.MONTH) or fit(self._grid_width(), 31).fits

    def refit(self) -> None:
        """The width changed: show the wanted zoom, or 14 days where its columns would be too narrow."""
        fitting = self._fitting(self._wanted_zoom)
        if fitting is not self._model.zoom:
            self._model.set_zoom(fitting)

    def go_today(self) -> None:
        self._model.show_today()
        content = self._grid.content
        column = content.column_of(content.today) if content is not None else None
        if column is not None:
            self._grid.go_to(None, column)
        self._grid.setFocus()

    def come_back_from(self, *places: QWidget) -> bool:
        """Esc beside the grid: the grid has the keys again; False when they were in none of these places."""
        at = self._host.window().focusWidget()
        if at is None or at is self._grid or not any(place.isAncestorOf(at) for place in places):
            return False
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def find_text(self, text: str) -> bool:
        """Go to a plate, a unit's code, a booking number or the beginning of a customer's name; False when none is."""
        unit, content = self._model.find_unit(text), self._grid.content
        if content is None:
            return False
        if unit is not None:
            self.go_today()
            column = content.column_of(content.today)
            return self._arrived(unit.unit.id, column if column is not None else 0)
        bar = self._model.find_bar(text)
        column = content.column_of(max(bar.days.first, content.window.first)) if bar is not None else None
        return bar is not None and column is not None and self._arrived(bar.unit_id, column)

    def _arrived(self, unit_id: str, column: int) -> bool:
        if not self._grid.go_to(unit_id, column):
            return False
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def next_free(self) -> None:
        row, content = self._grid.current_row(), self._grid.content
        if row is None or row.unit is None or content is None:
            return
        column = next_free_column(content, row.unit, self._grid.currentIndex().column())
        if column is not None:
            self._grid.go_to(row.unit.unit.id, column)

    def next_action(self) -> None:
        """The next bar that needs somebody today (or is of the state shown alone), row by row, going round, folded SKUs
        too.
        """
        grid, content, row = self._grid, self._grid.content, self._grid.current_row()
        units = [unit for group in content.groups for unit in group.units] if content is not None else []
        if content is None or row is None or not units:
            return
        # A SKU's own row stands before its first unit; folded units count like any others.
        here = units.index(row.unit or row.group.units[0])
        column = grid.currentIndex().column() if row.unit is not None else -1
        for step in range(len(units) + 1):
            unit = units[(here + step) % len(units)]
            for span in sorted(content.spans(unit), key=lambda item: item.first):
                behind = step == 0 and span.first <= column
                if not behind and self._calls(unit, span):
                    grid.go_to(unit.unit.id, span.first)
                    return

    def _calls(self, unit: FleetUnit, span: Span) -> bool:
        only, content = self._model.only_state, self._grid.content
        if only is not None:
            return span.state is only
        doubled = content is not None and content.has_conflicts and content.conflict_at(unit, span.first) is not None
        return span.needs_action or doubled

    def ask_day(self) -> None:
        self.goto.ask()
        self.goto.place(QRect(self._title.mapTo(self._host, QPoint(0, 0)), self._title.size()))

    def go_to_day(self, day: object) -> None:
        self.goto.hide()
        if isinstance(day, dt.date):
            self._model.show_day(day)
            content = self._grid.content
            column = content.column_of(day) if content is not None else None
            if column is not None:
                self._grid.go_to(None, column)
        self._grid.setFocus()

    def close_goto(self) -> bool:
        """Close the field; False when it was not open."""
        if not self.goto.isVisible():
            return False
        self.goto.hide()
        self._grid.setFocus()
        return True

    def choose_zoom(self, key: str) -> None:
        self._wanted_zoom = Zoom(key)
        self._model.set_zoom(self._fitting(self._wanted_zoom))

    def zoom_by(self, step: int) -> None:
        at = _ZOOMS.index(self._wanted_zoom) if self._wanted_zoom in _ZOOMS else 2
        wanted = _ZOOMS[max(0, min(len(_ZOOMS) - 1, at + step))]
        if self._fitting(wanted) is wanted:
            self.choose_zoom(wanted.value)

    def _fitting(self, wanted: Zoom) -> Zoom:
        return wanted if self.fits(wanted) else Zoom.FORTNIGHT
