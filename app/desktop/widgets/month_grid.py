"""The month grid: units by days as a real table, driven by keyboard and mouse."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QHideEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.desktop.widgets.month_grid_choosing import ChoosingGrid
from app.desktop.widgets.month_grid_ghost import HANDLE_SEEN, Grip, grip_at
from app.desktop.widgets.month_grid_marks import GridMark, MarkKind
from app.desktop.widgets.month_grid_model import Index
from app.desktop.widgets.month_grid_painting import Scene
from app.desktop.widgets.month_grid_pinned import Pinned, pinned_row
from app.desktop.widgets.month_grid_spans import Group, Span
from app.usecases.rows import FleetUnit

DRAG_THRESHOLD = 4
Grips = Callable[[FleetUnit, Span], frozenset[Grip]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Press:
    """The left button went down here; on a bar at this grip and day."""

    where: QPoint
    unit: FleetUnit
    span: Span | None
    grip: Grip
    day: dt.date


class MonthGrid(ChoosingGrid):
    """The mouse. `bar_pointed` with (unit, Span) under a resting pointer, `bar_stuck` with (unit, Span, Grip) when a
    bar is pulled that may not be changed, `menu_wanted` with a viewport point, `wheel_zoomed` and `wheel_panned` with
    +1 or -1, `days_pulled` with the days a middle drag moved the window by.
    """

    bar_pointed = Signal(object, object)
    bar_stuck = Signal(object, object, object)
    menu_wanted = Signal(object)
    wheel_zoomed = Signal(int)
    wheel_panned = Signal(int)
    days_pulled = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._press: _Press | None = None
        self._pan: QPoint | None = None
        self._hovered: tuple[str, Span, frozenset[Grip]] | None = None
        self._grips: Grips = lambda _unit, _span: frozenset()

    def set_grips(self, grips: Grips) -> None:
        """Answers where a bar may be held by whoever sits here; nowhere makes it stuck."""
        self._grips = grips

    # --- pressing, moving, letting go ---------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        index = self.indexAt(where)
        if self._press is not None and event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            event.accept()
            return  # the left button holds something: it is not let go for another one
        self._press = None
        if event.button() == Qt.MouseButton.RightButton and self.give_up():
            event.accept()
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = where
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or self.content is None:
            event.ignore()
            return
        if self.ghost() is not None:
            # By keys or waiting for its answer: a click elsewhere gives up the first, never the second.
            if self.is_moving():
                self.end_ghost()
            return
        self._clear_stretch()
        self.setCurrentIndex(index)
        row = self._model.row(index.row())
        if row.unit is None:
            return
        span = self.content.span_at(row.unit, index.column())
        grip = self._grip_of(row.unit, span, where.x()) if span is not None else Grip.BODY
        day = self.content.days[index.column()]
        self._press = _Press(where=where, unit=row.unit, span=span, grip=grip, day=day)
        if span is None:
            self._drag_unit, self._drag_anchor = row.unit, day

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        if self._pan is not None:
            self._pull(where)
        elif self.is_moving() and self._press is not None:
            self.drag_ghost(where)
        elif self._press is None:
            self._hover(where)
        elif self._stretch is None and (where - self._press.where).manhattanLength() < DRAG_THRESHOLD:
            return
        elif self._press.span is not None:
            self._pull_bar(self._press, where)
        elif self._drag_unit is not None:
            self.drag_stretch(where)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = None
            self.viewport().unsetCursor()
            return
        if event.button() != Qt.MouseButton.LeftButton:
            event.accept()
            return  # only what holds the bar puts it down
        was_pressed, self._press = self._press is not None, None
        chosen = self.stop_dragging()
        if self.is_moving() and was_pressed:
            self.drop_ghost()
        elif chosen is not None:
            self._settle(chosen)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and self.ghost() is None:
            self.setCurrentIndex(index)
            self.activate_current()

    def give_up(self) -> bool:
        """Esc or the right button: whatever is in the hand is let go, the mouse may still be held."""
        had_press = self._press is not None and (self.is_moving() or self._stretch is not None)
        self._press = None
        if self.is_moving():
            return self.end_ghost()
        return self.clear_stretch() or had_press

    def drop_ghost(self) -> None:
        self._press = None  # by Enter with the mouse still held: what was put down is not pulled again
        super().drop_ghost()

    def end_ghost(self) -> bool:
        """Whoever lets it go, the mouse that may still be held takes nothing again before its next press."""
        if self._ghost is not None:
            self._press = None
        return super().end_ghost()

    def hideEvent(self, event: QHideEvent) -> None:
        self._tick.stop()
        self._press = self._pan = None
        if self._drag_unit is not None:
            self.clear_stretch()
        self.viewport().unsetCursor()
        super().hideEvent(event)

    def _still_there(self, press: _Press) -> Span | None:
        """The pressed bar as it is read now; None when another place or another bar came meanwhile."""
        was, content = press.span, self.content
        column = content.column_of(press.day) if content is not None else None
        if was is None or was.bar is None or content is None or column is None:
            return None
        now = content.span_at(press.unit, column) if content.unit(press.unit.unit.id) is not None else None
        if now is None or now.bar is None:
            return None
        as_pressed = was.bar.booking_id, was.bar.kind, was.bar.days, was.bar.rented
        return now if (now.bar.booking_id, now.bar.kind, now.bar.days, now.bar.rented) == as_pressed else None

    def _pull_bar(self, press: _Press, where: QPoint) -> None:
        """The pointer left a bar's press point: take the bar along, or say once why it stays."""
        span = self._still_there(press)
        self._press = press if span is not None else None
        if span is None or span.bar is None:
            return
        allowed = self._grips(press.unit, span)
        grip = press.grip
        if grip is Grip.BODY and grip not in allowed and Grip.ROW in allowed:
            grip = Grip.ROW
        if not self._may_choose:
            self._press = None
            self.blocked.emit(press.unit, None)
        elif grip not in allowed:
            self._press = None
            self.bar_stuck.emit(press.unit, span, grip)
        else:
            self._show_handles(None)
            self.begin_ghost(press.unit, span.bar, grip, by_keys=False, held=press.day)
            self.drag_ghost(where)

    # --- pointing -----------------------------------------------------------------------------------------------------

    def _hover(self, where: QPoint) -> None:
        index = self.indexAt(where)
        unit = self._model.row(index.row()).unit if index.isValid() else None
        if not self._may_choose:
            self._show_handles(None)
            self.viewport().setCursor(Qt.CursorShape.ForbiddenCursor)
            return
        span = self.content.span_at(unit, index.column()) if unit is not None and self.content is not None else None
        if unit is None or span is None or span.bar is None:
            self._show_handles(None)
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
            return
        allowed = self._grips(unit, span)
        self._show_handles((unit.unit.id, span, allowed) if allowed else None)
        on_end = self._grip_of(unit, span, where.x()) in (Grip.START, Grip.END)
        if on_end and allowed:
            self.viewport().setCursor(Qt.CursorShape.SizeHorCursor)
        else:
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)

    def _grip_of(self, unit: FleetUnit, span: Span, x: int) -> Grip:
        """An end is a handle only where it may be pulled, so that a short bar can still be moved by its body."""
        allowed = self._grips(unit, span)
        box = self.cell_rect(unit.unit.id, span.first, span.last)
        return grip_at(
            box.left(),
            box.right() + 1,
            x,
            has_start=Grip.START in allowed and not span.opens_before,
            has_end=Grip.END in allowed and not span.ends_after,
        )

    def _show_handles(self, hovered: tuple[str, Span, frozenset[Grip]] | None) -> None:
        if hovered == self._hovered:
            return
        for each in (self._hovered, hovered):
            if each is not None:
                cells = self.cell_rect(each[0], each[1].first, each[1].last)
                self.viewport().update(cells.adjusted(-HANDLE_SEEN, 0, HANDLE_SEEN, 0))
        self._hovered = hovered

    def leaveEvent(self, event: QEvent) -> None:
        self._show_handles(None)
        super().leaveEvent(event)

    def content_changing(self) -> None:
        self._hovered = None
        super().content_changing()

    def chosen_marks(self) -> list[GridMark]:
        marks = super().chosen_marks()
        if self._hovered is None or self.ghost() is not None:
            return marks
        unit_id, span, allowed = self._hovered
        ends = [grip.value for grip, cut in ((Grip.START, span.opens_before), (Grip.END, span.ends_after)) if not cut]
        which = " ".join(end for end in ends if Grip(end) in allowed)
        if not which:
            return marks
        handles = GridMark(kind=MarkKind.HANDLES, unit_id=unit_id, first=span.first, last=span.last, text=which)
        return [*marks, handles]

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu key stands at the current cell, the mouse at its own place (which becomes current)."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            where = event.pos()
            index = self.indexAt(where)
            if index.isValid() and not self._is_chosen(index.row(), index.column()):
                self._clear_stretch()
                self.setCurrentIndex(index)
        else:
            where = self.visualRect(self.currentIndex()).center()
        self.menu_wanted.emit(where)
        event.accept()

    def _is_chosen(self, row: int, column: int) -> bool:
        chosen = self._stretch
        unit = self._model.row(row).unit
        return chosen is not None and unit == chosen.unit and chosen.first <= column <= chosen.last

    # --- moving the window --------------------------------------------------------------------------------------------

    def _pull(self, where: QPoint) -> None:
        """A middle drag takes the paper along: rows by pixels, days by whole columns."""
        if self._pan is None:
            return
        moved = where - self._pan
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() - moved.y())
        days = round(moved.x() / max(1, self.columnWidth(0)))
        self._pan = QPoint(where.x() if days else self._pan.x(), where.y())
        if days:
            self.days_pulled.emit(-days)

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

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dy:
            # The pinned row does not move along with what was copied.
            height = self._units.defaultSectionSize() + max(0, dy)
            for view in (self.viewport(), self._units.viewport()):
                view.update(0, 0, view.width(), height)
        if dx:
            self.viewport().update()  # Cut bars have their words at the edge: they do not move along.

    # --- the pinned row -----------------------------------------------------------------------------------------------

    def pinned(self) -> Pinned | None:
        """The SKU's row that stays under the head now."""
        return pinned_row(self._model, self.verticalOffset(), self._units.defaultSectionSize())

    def _scene(self, area: QRect) -> Scene:
        scene, pinned = super()._scene(area), self.pinned()
        scene.pinned = (pinned.row, pinned.y) if pinned is not None else None
        return scene

    def indexAt(self, where: QPoint) -> QModelIndex:
        """What is seen there: the pinned row lies over the others."""
        pinned = self.pinned()
        if pinned is not None and 0 <= where.y() < pinned.y + self._units.defaultSectionSize():
            return self._model.index(pinned.number, self.columnAt(where.x()))
        return super().indexAt(where)

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Into view, and out from under the pinned row."""
        super().scrollTo(index, hint)
        bar, height = self.verticalScrollBar(), self._units.defaultSectionSize()
        if cut := bar.value() % height:
            bar.setValue(bar.value() + height - cut)  # the uppermost row is whole, not half under the pinned one
        pinned = self.pinned()
        if pinned is not None and pinned.number != index.row():
            hidden = pinned.y + height - self.rowViewportPosition(index.row())
            if hidden > 0:
                bar.setValue(bar.value() - hidden)

    def toggle(self, group: Group) -> None:
        """Fold or unfold a SKU; its row is in view afterwards."""
        super().toggle(group)
        row = self._model.row_of_group(group.sku.code)
        if row is not None and self.rowViewportPosition(row) < 0:
            self.verticalScrollBar().setValue(row * self._units.defaultSectionSize())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._point(event.pos())
            return True
        return super().viewportEvent(event)

    def _point(self, where: QPoint) -> None:
        index = self.indexAt(where)
        if not index.isValid() or self.content is None or self.ghost() is not None:
            return
        row = self._model.row(index.row())
        span = self.content.span_at(row.unit, index.column()) if row.unit is not None else None
        if row.unit is not None and span is not None and span.bar is not None:
            self.bar_pointed.emit(row.unit, span)
