"""The pointer over the grid of an actor's window: finds bars and free rows, presses, carries and lets go."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_spans import Span
from app.usecases.rows import FleetUnit
from tests.screenshots.actor import Actor


class Hand:
    """The pointer over the grid of an actor's window."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        screen = actor.session.window._screens[ScreenKey.CALENDAR]
        if not isinstance(screen, CalendarScreen):
            raise TypeError("the calendar is not there")
        self.screen = screen
        self.grid = screen.grid

    def content(self) -> GridContent:
        """What the grid shows."""
        if self.grid.content is None:
            raise LookupError("the grid is empty")
        return self.grid.content

    def booked(self, but: Span | None = None) -> tuple[FleetUnit, Span]:
        """A paid booking that begins after today."""
        others = but.bar if but is not None else None
        return self.find(
            ShownState.PAID_APPROVED, lambda found: found.first > 5 and (but is None or found.bar != others)
        )

    def stand_on(self, unit: FleetUnit, span: Span) -> None:
        """The cursor on a bar, the focus in the grid."""
        self.grid.go_to(unit.unit.id, span.first)
        self.grid.setFocus()

    def pull(self, unit: FleetUnit, column: int, goal: QPoint) -> None:
        """Press on a cell and carry what lies there; the button stays down."""
        self.press(self.cell(unit, column))
        self.carry(self.cell(unit, column), goal)

    def point_at(self, unit: FleetUnit, column: int) -> None:
        """The pointer over a cell, no button held."""
        self._send(QEvent.Type.MouseMove, self.cell(unit, column))
        self.actor.settle()

    def ask_price(self) -> None:
        """The server's answer to what is in the hand, without waiting for the pause."""
        self.screen.hands.changes.ask_now()
        self.actor.settle()

    def find(self, state: ShownState, wanted: Callable[[Span], bool] = lambda _span: True) -> tuple[FleetUnit, Span]:
        """The first bar in a state that lies whole in the window, on a row that is seen."""
        content = self.content()
        for unit in content.fleet.units:
            if self.grid.cell_rect(unit.unit.id, 0, 0).bottom() > self.grid.viewport().height() - 60:
                continue
            for span in content.spans(unit):
                whole = not (span.opens_before or span.ends_after or span.tail or span.turnaround)
                if span.state is state and whole and wanted(span):
                    return unit, span
        raise LookupError(f"no bar in {state}")

    def free_row(self, unit: FleetUnit, first: int, last: int) -> FleetUnit:
        """Another unit of the SKU that is free on these columns."""
        content = self.content()
        for other in content.fleet.units:
            is_other = other.sku == unit.sku and other.unit.id != unit.unit.id
            if is_other and all(content.is_free(other, column) for column in range(first, last + 1)):
                return other
        raise LookupError("no free row")

    def cell(self, unit: FleetUnit, column: int) -> QPoint:
        return self.grid.cell_rect(unit.unit.id, column, column).center()

    def press(self, at: QPoint) -> None:
        self._send(QEvent.Type.MouseButtonPress, at)

    def carry(self, start: QPoint, goal: QPoint) -> None:
        """From here to there, the button held."""
        steps = max(2, (goal - start).manhattanLength() // 24)
        for step in range(1, steps + 1):
            self._send(QEvent.Type.MouseMove, start + (goal - start) * step / steps)
        self.actor.settle()

    def let_go(self, at: QPoint) -> None:
        self._send(QEvent.Type.MouseButtonRelease, at)
        self.actor.settle()

    def _send(self, kind: QEvent.Type, at: QPoint) -> None:
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        button = none if kind == QEvent.Type.MouseMove else left
        held = none if kind == QEvent.Type.MouseButtonRelease else left
        viewport = self.grid.viewport()
        where = QPointF(viewport.mapToGlobal(at))
        event = QMouseEvent(kind, QPointF(at), where, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(viewport, event)
