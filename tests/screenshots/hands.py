"""Scenes of the grid's verbs: bars in the hand, the lane, the menu, the cards; each stands still to be looked at."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_spans import Span
from app.usecases.rows import FleetUnit
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Size, acting, book, sign_in
from tests.screenshots.stage import MOMENT, Stage

TODAY = MOMENT.date()


class Hand:
    """The pointer over the grid of an actor's window."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        screen = actor.session.window._screens[ScreenKey.CALENDAR]
        if not isinstance(screen, CalendarScreen):
            raise TypeError("the calendar is not there")
        self.screen = screen
        self.grid = screen.grid

    def find(self, state: ShownState, wanted: Callable[[Span], bool] = lambda _span: True) -> tuple[FleetUnit, Span]:
        """The first bar in a state that lies whole in the window, on a row that is seen."""
        content = self.grid.content
        if content is None:
            raise LookupError("the grid is empty")
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
        content = self.grid.content
        if content is None:
            raise LookupError("the grid is empty")
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


@contextmanager
def dragging(stage: Stage, size: Size) -> Iterator[Actor]:
    """Free days dragged until somebody's booking stops them; the button is held."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 9)
        start = max(span.first - 3, 4)
        hand.press(hand.cell(unit, start))
        hand.carry(hand.cell(unit, start), hand.cell(unit, span.first + 1))
        yield actor
        hand.screen.escape()


@contextmanager
def ghost(stage: Stage, size: Size) -> Iterator[Actor]:
    """A booking over another unit, allowed, its price difference known."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        row = hand.free_row(unit, span.first, span.last)
        hand.press(hand.cell(unit, span.first))
        hand.carry(hand.cell(unit, span.first), hand.cell(row, span.first))
        hand.screen.hands.changes.ask_now()
        actor.settle()
        yield actor
        hand.screen.escape()


@contextmanager
def checking(stage: Stage, size: Size) -> Iterator[Actor]:
    """The same place while the server is asked."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        row = hand.free_row(unit, span.first, span.last)
        hand.press(hand.cell(unit, span.first))
        hand.carry(hand.cell(unit, span.first), hand.cell(row, span.first))
        hand.screen.hands.changes._wait.stop()
        yield actor
        hand.screen.escape()


@contextmanager
def ghost_refused(stage: Stage, size: Size) -> Iterator[Actor]:
    """A booking over somebody else's."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        content = hand.grid.content
        others = content.fleet.units if content is not None else ()
        row = next(
            other
            for other in others
            if other.sku == unit.sku
            and other != unit
            and content is not None
            and not content.is_free(other, span.first)
            and content.span_at(other, span.first) is not None
        )
        hand.press(hand.cell(unit, span.first))
        hand.carry(hand.cell(unit, span.first), hand.cell(row, span.first))
        yield actor
        hand.screen.escape()


@contextmanager
def extending(stage: Stage, size: Size) -> Iterator[Actor]:
    """X on a rental that is out, two days on, the server's price beside it."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.ACTIVE_RENTAL)
        hand.grid.go_to(unit.unit.id, span.first)
        hand.grid.setFocus()
        actor.press("X", "Right", "Right")
        hand.screen.hands.changes.ask_now()
        actor.settle()
        yield actor
        hand.screen.escape()


@contextmanager
def move_mode(stage: Stage, size: Size) -> Iterator[Actor]:
    """P and arrows: a booking in the hand by keys."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        hand.grid.go_to(unit.unit.id, span.first)
        hand.grid.setFocus()
        actor.press("P", "Down", "Right")
        hand.screen.hands.changes.ask_now()
        actor.settle()
        yield actor
        hand.screen.escape()


@contextmanager
def handles(stage: Stage, size: Size) -> Iterator[Actor]:
    """The handles of the bar under the pointer."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        hand._send(QEvent.Type.MouseMove, hand.cell(unit, span.first))
        actor.settle()
        yield actor


@contextmanager
def parking(stage: Stage, size: Size) -> Iterator[Actor]:
    """One booking in the lane, another one held over it."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        hand.grid.go_to(unit.unit.id, span.first)
        hand.grid.setFocus()
        actor.press("Shift+P")
        other, second = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5 and found.bar != span.bar)
        hand.press(hand.cell(other, second.first))
        lane = hand.screen.hands.lane
        goal = hand.grid.viewport().mapFromGlobal(lane.mapToGlobal(QPoint(lane.width() // 2, lane.height() // 2)))
        hand.carry(hand.cell(other, second.first), goal)
        yield actor
        hand.screen.escape()
        lane.return_all()


@contextmanager
def leaving(stage: Stage, size: Size) -> Iterator[Actor]:
    """The question before the calendar is left with something parked."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        hand.grid.go_to(unit.unit.id, span.first)
        hand.grid.setFocus()
        actor.press("Shift+P")
        actor.session.window.go(ScreenKey.INVOICES)
        actor.settle()
        yield actor
        hand.screen.hands.parked.question.close_menu()
        hand.screen.hands.lane.return_all()


@contextmanager
def menu(stage: Stage, size: Size) -> Iterator[Actor]:
    """The context menu of a paid booking."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        hand.grid.go_to(unit.unit.id, span.first)
        hand.grid.setFocus()
        actor.press("Shift+F10")
        yield actor


@contextmanager
def block_card(stage: Stage, size: Size) -> Iterator[Actor]:
    """M on chosen days: the reasons."""
    with acting(stage, size) as actor:
        actor.press("T", *["Down"] * 3, *["Right"] * 4, "Shift+Right", "Shift+Right", "M")
        yield actor


@contextmanager
def waitlist_card(stage: Stage, size: Size) -> Iterator[Actor]:
    """W on a booked bar: the card, a phone being typed."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 5)
        hand.grid.go_to(unit.unit.id, span.first)
        hand.grid.setFocus()
        actor.press("W")
        actor.type("0812-3456")
        yield actor


@contextmanager
def change_refused(stage: Stage, size: Size) -> Iterator[Actor]:
    """A move onto somebody else's days, let go: the card with the ways on."""
    with ghost_refused(stage, size) as actor:
        hand = Hand(actor)
        rect = hand.grid.ghost_rect()
        hand.let_go(rect.center())
        actor.wait(120)
        yield actor


@contextmanager
def lost(stage: Stage, size: Size) -> Iterator[Actor]:
    """Days that another counter took under a drag."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        content = hand.grid.content
        unit = content.fleet.units[0] if content is not None else None
        if content is None or unit is None:
            raise LookupError("the grid is empty")
        start = content.column_of(TODAY + dt.timedelta(days=4))
        if start is None:
            raise LookupError("the day is not shown")
        hand.press(hand.cell(unit, start))
        hand.carry(hand.cell(unit, start), hand.cell(unit, start + 3))
        other = sign_in(stage, "ayu", "Kasir 2")
        try:
            book(other, unit.unit.id, TODAY + dt.timedelta(days=6), 2, "Andi Pratama", "081211112222")
        finally:
            other.close()
        actor.wait_until(lambda: _is_lost(hand), "the hint")
        actor.wait(500)
        yield actor
        hand.screen.escape()


def _is_lost(hand: Hand) -> bool:
    chosen = hand.grid.stretch()
    return chosen is not None and chosen.lost is not None and hand.grid.is_dragging()


@contextmanager
def stuck(stage: Stage, size: Size) -> Iterator[Actor]:
    """A rental that is out, pulled by an agent to another unit."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        unit, span = hand.find(ShownState.ACTIVE_RENTAL)
        hand.press(hand.cell(unit, span.first))
        hand.carry(hand.cell(unit, span.first), hand.cell(unit, span.first) + QPoint(0, 60))
        yield actor


HANDS: Mapping[str, Callable[[Stage, Size], AbstractContextManager[Actor]]] = {
    "calendar-hand-dragging": dragging,
    "calendar-hand-ghost": ghost,
    "calendar-hand-checking": checking,
    "calendar-hand-ghost-refused": ghost_refused,
    "calendar-hand-extending": extending,
    "calendar-hand-move-mode": move_mode,
    "calendar-hand-handles": handles,
    "calendar-hand-parking": parking,
    "calendar-hand-leaving": leaving,
    "calendar-hand-menu": menu,
    "calendar-hand-block": block_card,
    "calendar-hand-waitlist": waitlist_card,
    "calendar-hand-change-refused": change_refused,
    "calendar-hand-lost": lost,
    "calendar-hand-stuck": stuck,
}
"""`<screen>-<state>` → how it comes about."""
