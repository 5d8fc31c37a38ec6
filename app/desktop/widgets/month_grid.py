"""The month grid: units by days as a real table, driven by keyboard and mouse."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.desktop.widgets.month_grid_marks import GridMark, MarkKind
from app.desktop.widgets.month_grid_selection import DayStretch, Obstacle, StopReason, stretch
from app.desktop.widgets.month_grid_spans import Span
from app.desktop.widgets.month_grid_table import GridTable
from app.usecases.rows import FleetUnit

DRAG_THRESHOLD = 4
_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class MonthGrid(GridTable):
    """Chosen days are the grid's own range (Qt's selection model stays empty).

    `stretch_changed` while days are being chosen (a DayStretch or None), `stretch_chosen` when they are settled (Enter,
    mouse release), `blocked` with (unit, Obstacle) when a day that is not free is tried, `bar_opened` and
    `bar_pointed` with (unit, Span), `wheel_zoomed` and `wheel_panned` with +1 or -1.
    """

    stretch_changed = Signal(object)
    stretch_chosen = Signal(object)
    blocked = Signal(object, object)
    bar_opened = Signal(object, object)
    bar_pointed = Signal(object, object)
    wheel_zoomed = Signal(int)
    wheel_panned = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stretch: DayStretch | None = None
        self._press: QPoint | None = None
        self._drag_unit: FleetUnit | None = None
        self._drag_anchor = 0
        self._may_choose = True

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
        """Give up choosing; True when something was chosen."""
        had = self._stretch is not None
        self._clear_stretch()
        return had

    # --- keyboard -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        content, index = self.content, self.currentIndex()
        if content is None or not index.isValid() or control:
            event.ignore()
            return
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
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
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
            self.stretch_chosen.emit(self._stretch)
            return
        span = content.span_at(row.unit, index.column())
        if span is not None and span.bar is not None and not span.turnaround:
            self.bar_opened.emit(row.unit, span)
            return
        found = self._try_stretch(row.unit, index.column(), index.column())
        if found is not None:
            self.stretch_chosen.emit(found)

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
        if not 0 <= towards < len(content.days):
            return
        self._try_stretch(row.unit, anchor, towards)

    # --- mouse --------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        index = self.indexAt(where)
        self._press = None
        if event.button() == Qt.MouseButton.RightButton and self._drag_unit is not None:
            self._end_drag()
            self._clear_stretch()
            return
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or self.content is None:
            event.ignore()
            return
        self._clear_stretch()
        self.setCurrentIndex(index)
        row = self._model.row(index.row())
        if row.unit is None:
            return
        self._press = where
        if self.content.span_at(row.unit, index.column()) is None:
            self._drag_unit, self._drag_anchor = row.unit, index.column()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        if self._drag_unit is None or self._press is None:
            index = self.indexAt(where)
            free = index.isValid() and self._model.row(index.row()).unit is not None and self._may_choose
            self.viewport().setCursor(
                Qt.CursorShape.ArrowCursor if free or self._may_choose else Qt.CursorShape.ForbiddenCursor
            )
            return
        if self._stretch is None and (where - self._press).manhattanLength() < DRAG_THRESHOLD:
            return
        column = self._column_at(where.x())
        if self._stretch is None or column != self._stretch.moving_end:
            self._try_stretch(self._drag_unit, self._drag_anchor, column)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        chosen = self._stretch if self._drag_unit is not None else None
        self._end_drag()
        if chosen is not None:
            self.stretch_chosen.emit(chosen)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.setCurrentIndex(index)
            self.activate_current()

    def is_dragging(self) -> bool:
        """Days are being chosen with the mouse: nothing may scroll or close now."""
        return self._drag_unit is not None and self._stretch is not None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Plain: scroll rows. Shift: move the window. Ctrl: zoom."""
        delta = event.angleDelta().y() or event.angleDelta().x()
        step = -1 if delta > 0 else 1
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if delta:
                self.wheel_zoomed.emit(step)
            event.accept()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if delta:
                self.wheel_panned.emit(step)
            event.accept()
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._point(event.pos())
            return True
        return super().viewportEvent(event)

    def _point(self, where: QPoint) -> None:
        index = self.indexAt(where)
        if not index.isValid() or self.content is None:
            return
        row = self._model.row(index.row())
        span = self.content.span_at(row.unit, index.column()) if row.unit is not None else None
        if row.unit is not None and span is not None and span.bar is not None:
            self.bar_pointed.emit(row.unit, span)

    def _end_drag(self) -> None:
        self._drag_unit = None
        self._press = None

    def _column_at(self, x: int) -> int:
        column = self.columnAt(x)
        if column >= 0:
            return column
        return 0 if x < self.columnViewportPosition(0) else self._model.columnCount() - 1

    # --- stretches ----------------------------------------------------------------------------------------------------

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
        self._stretch = found
        self.show_head_line()
        self.viewport().update()
        self.stretch_changed.emit(found)
        return found

    def _clear_stretch(self) -> None:
        if self._stretch is not None:
            self._stretch = None
            self.show_head_line()
            self.viewport().update()
            self.stretch_changed.emit(None)

    def content_changing(self) -> None:
        self._clear_stretch()

    def chosen_marks(self) -> list[GridMark]:
        chosen = self._stretch
        if chosen is None:
            return []
        unit_id = chosen.unit.unit.id
        marks = [GridMark(kind=MarkKind.SELECTION, unit_id=unit_id, first=chosen.first, last=chosen.last)]
        stopped = chosen.stopped
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
            self._days.show_chosen(self._stretch.first, self._stretch.last)
        else:
            super().show_head_line()
