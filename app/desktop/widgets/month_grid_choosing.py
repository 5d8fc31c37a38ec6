"""Choosing free days in the month grid: by arrows and by dragging, kept while the days around them change."""

import datetime as dt

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.widgets.month_grid_marks import GridMark, MarkKind
from app.desktop.widgets.month_grid_moving import MovingGrid
from app.desktop.widgets.month_grid_selection import (
    DayStretch,
    Obstacle,
    StopReason,
    carried_over,
    looked_at_again,
    stretch,
)
from app.desktop.widgets.month_grid_spans import Span
from app.usecases.rows import FleetUnit

_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class ChoosingGrid(MovingGrid):
    """Chosen days are the grid's own range (Qt's selection model stays empty).

    `stretch_changed` while days are being chosen (a DayStretch or None), `stretch_chosen` when they are settled (Enter,
    mouse release), `blocked` with (unit, Obstacle) when a day that is not free is tried, `bar_opened` with
    (unit, Span), `window_full` when arrows would choose a day so far on that the first one had to leave the window.
    """

    stretch_changed = Signal(object)
    stretch_chosen = Signal(object)
    blocked = Signal(object, object)
    bar_opened = Signal(object, object)
    window_full = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stretch: DayStretch | None = None
        self._carried: tuple[DayStretch, dt.date, dt.date] | None = None
        self._drag_unit: FleetUnit | None = None
        self._drag_anchor: dt.date | None = None
        self._steps_on = 0
        self._may_choose = True
        self._enter_rests = QTimer(self)
        self._enter_rests.setSingleShot(True)

    def set_may_choose(self, may: bool) -> None:
        """Whether days can be chosen now; when not, trying emits `blocked` with no obstacle."""
        self._may_choose = may

    def current_span(self) -> tuple[FleetUnit, Span] | None:
        """The bar under the current cell."""
        row, index = self.current_row(), self.currentIndex()
        if row is None or row.unit is None or self.content is None:
            return None
        span = self.content.span_at(row.unit, index.column())
        return (row.unit, span) if span is not None else None

    def stretch(self) -> DayStretch | None:
        """The days being chosen."""
        return self._stretch

    def clear_stretch(self) -> bool:
        """Give up choosing, also while the mouse is still held; True when something was chosen."""
        had = self._stretch is not None
        self._end_drag()
        self._clear_stretch()
        return had

    def rest_enter(self) -> None:
        """An answer was given: Enter again, as fast as a double click, is no other wish."""
        self._enter_rests.start(QApplication.doubleClickInterval())

    # --- keyboard -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        content, index = self.content, self.currentIndex()
        if content is None or not index.isValid() or control:
            event.ignore()
            return
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self.ghost_key(event):
            if is_enter:
                self.rest_enter()
            return
        if not is_enter:
            self._enter_rests.stop()
        if shift and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._grow(1 if key == Qt.Key.Key_Right else -1)
        elif key in _ARROWS:
            self._move(*_ARROWS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._clear_stretch()
            column = 0 if key == Qt.Key.Key_Home else self._model.columnCount() - 1
            self.setCurrentIndex(self._model.index(index.row(), column))
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._clear_stretch()
            super().keyPressEvent(event)
        elif is_enter:
            if not self._enter_rests.isActive():
                self.activate_current()
        else:
            event.ignore()

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the screen here, never a search."""

    def activate_current(self) -> None:
        """Enter: fold a SKU, open a bar, or settle the chosen days (one day when none were chosen)."""
        row, index, content = self.current_row(), self.currentIndex(), self.content
        if row is None or content is None:
            return
        if row.unit is None:
            self.toggle(row.group)
            return
        if self._stretch is not None:
            self._settle(self._stretch)
            return
        span = content.span_at(row.unit, index.column())
        if span is not None and span.bar is not None and not span.turnaround:
            self.bar_opened.emit(row.unit, span)
            return
        found = self._try_stretch(row.unit, index.column(), index.column())
        if found is not None:
            self.stretch_chosen.emit(found)

    def choose_current(self) -> None:
        """The day under the cursor becomes the chosen stretch, when it is free."""
        row, index = self.current_row(), self.currentIndex()
        if row is not None and row.unit is not None:
            self._try_stretch(row.unit, index.column(), index.column())

    def _move(self, rows: int, columns: int) -> None:
        self._clear_stretch()
        row, index = self.current_row(), self.currentIndex()
        if row is not None and row.unit is None and columns:
            folded = self._model.is_folded(row.group)
            if (columns > 0) == folded:
                self.toggle(row.group)
                return
        target_row = min(max(0, index.row() + rows), self._model.rowCount() - 1)
        target_column = min(max(0, index.column() + columns), self._model.columnCount() - 1)
        self.setCurrentIndex(self._model.index(target_row, target_column))

    def _grow(self, step: int) -> None:
        """Shift+arrow: the stretch grows or shrinks by a day and says so when it cannot."""
        row, index, content = self.current_row(), self.currentIndex(), self.content
        if row is None or row.unit is None or content is None:
            return
        anchor = self._stretch.anchor if self._stretch is not None else index.column()
        end = self._stretch.moving_end if self._stretch is not None else index.column()
        towards = end + step if self._stretch is not None else index.column() + step
        if 0 <= towards < len(content.days):
            self._steps_on = 0
            self._try_stretch(row.unit, anchor, towards)
        elif not self._stays_shown(anchor, step):
            self.window_full.emit()
        elif self._stretch is not None or self._try_stretch(row.unit, anchor, anchor) is not None:
            self._steps_on = step
            self.edge_pushed.emit(step)

    def _stays_shown(self, column: int, days: int) -> bool:
        """Whether a column's day is still in the window when that moves on by a day."""
        return self.content is not None and 0 < column + (0 if days > 0 else 1) < len(self.content.days)

    def _step_on(self) -> None:
        """The window went on for an arrow: so do the days; what is not known there yet is waited for."""
        chosen, content, step = self._stretch, self.content, self._steps_on
        if chosen is None or content is None or not step:
            self._steps_on = 0
            return
        towards = chosen.moving_end + step
        if not 0 <= towards < len(content.days):
            return
        found = self._try_stretch(chosen.unit, chosen.anchor, towards)
        if found is None or found.stopped is None or found.stopped.reason is not StopReason.UNKNOWN:
            self._steps_on = 0

    # --- dragging -----------------------------------------------------------------------------------------------------

    def is_dragging(self) -> bool:
        """Days are being chosen or a bar is being moved with the mouse: nothing may scroll or close now."""
        return (self._drag_unit is not None and self._stretch is not None) or super().is_busy_with_hand()

    def is_busy_with_hand(self) -> bool:
        return self.is_dragging()

    def stop_dragging(self) -> DayStretch | None:
        """The hand lets go of the days; they stay chosen."""
        chosen = self._stretch if self._drag_unit is not None else None
        self._end_drag()
        return chosen

    def follow(self, where: QPoint) -> None:
        if self._drag_unit is not None and self._drag_anchor is not None:
            self.drag_stretch(where)
        else:
            super().follow(where)

    def drag_stretch(self, where: QPoint) -> None:
        """The pointer that chooses days is here now."""
        content, unit = self.content, self._drag_unit
        anchor = content.column_of(self._drag_anchor) if content is not None and self._drag_anchor else None
        if unit is None or anchor is None:
            return
        column = self.column_near(where.x())
        is_lost = self._stretch is not None and self._stretch.lost is not None
        if not is_lost and (self._stretch is None or column != self._stretch.moving_end):
            self._try_stretch(unit, anchor, column)
        self._watch_edge(where)

    def _end_drag(self) -> None:
        self._drag_unit = None
        self._drag_anchor = None
        self._stop_edge()

    def _may_push(self, days: int) -> bool:
        """A stretch's first day stays in the window while the window moves on."""
        content = self.content
        if self._drag_unit is None or content is None or self._drag_anchor is None:
            return super()._may_push(days)
        anchor = content.column_of(self._drag_anchor)
        return anchor is not None and self._stays_shown(anchor, days)

    # --- stretches ----------------------------------------------------------------------------------------------------

    def _settle(self, chosen: DayStretch) -> None:
        """Enter or the mouse's release; days that somebody took meanwhile are named instead."""
        if chosen.lost is None:
            self.stretch_chosen.emit(chosen)
            return
        self._clear_stretch()
        self.blocked.emit(chosen.unit, chosen.lost)

    def _try_stretch(self, unit: FleetUnit, anchor: int, towards: int) -> DayStretch | None:
        if not self._may_choose:
            self.blocked.emit(unit, None)
            return None
        if self.content is None:
            return None
        found = stretch(self.content, unit, anchor, towards)
        if isinstance(found, Obstacle):
            self.blocked.emit(unit, found)
            return None
        self._show_stretch(found)
        return found

    def _show_stretch(self, found: DayStretch) -> None:
        self._stretch = self.grid_model().chosen = found
        self.show_head_line()
        self.viewport().update()
        self.stretch_changed.emit(found)

    def _clear_stretch(self) -> None:
        self._steps_on = 0
        if self._stretch is not None:
            self._stretch = self.grid_model().chosen = None
            self.show_head_line()
            self.viewport().update()
            self.stretch_changed.emit(None)

    def content_changing(self) -> None:
        chosen, content = self._stretch, self.content
        if chosen is not None and content is not None:
            self._carried = (chosen, content.days[chosen.anchor], content.days[chosen.moving_end])

    def content_changed(self) -> None:
        """Other days are shown: chosen ones stay chosen while all of them are still in sight."""
        carried, self._carried, content = self._carried, None, self.content
        if carried is not None and content is not None:
            found = carried_over(content, *carried)
            if found is None:
                self._end_drag()
                self._clear_stretch()
            else:
                self._show_stretch(found)
                self._step_on()
        super().content_changed()

    def days_changed(self) -> None:
        """Somebody else changed days: chosen ones turn red when they are taken, the drag goes on."""
        chosen, content = self._stretch, self.content
        if chosen is not None and content is not None:
            found = looked_at_again(content, chosen)
            if found != chosen:
                self._show_stretch(found)
            self._step_on()
        super().days_changed()

    def chosen_marks(self) -> list[GridMark]:
        chosen = self._stretch
        if chosen is None:
            return self.ghost_marks()
        unit_id = chosen.unit.unit.id
        kind = MarkKind.SELECTION if chosen.lost is None else MarkKind.CONFLICT
        marks = [*self.ghost_marks(), GridMark(kind=kind, unit_id=unit_id, first=chosen.first, last=chosen.last)]
        stopped = chosen.lost or chosen.stopped
        if stopped is not None and stopped.span is not None and stopped.reason is StopReason.TAKEN:
            after = "after" if stopped.column < chosen.first else ""
            marks.append(
                GridMark(
                    kind=MarkKind.STOPPED,
                    unit_id=unit_id,
                    first=stopped.span.first,
                    last=stopped.span.last,
                    text=after,
                )
            )
        return marks

    def show_head_line(self) -> None:
        if self._stretch is not None:
            lost = self._stretch.lost is not None
            self._days.show_chosen(self._stretch.first, self._stretch.last, conflict=lost)
        else:
            super().show_head_line()
