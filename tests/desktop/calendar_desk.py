"""A calendar screen over a fake branch, with the hands of a person: keys, mouse, and the passing of time."""

import datetime as dt
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.changes import ChangeFeed
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.calendar_work import GridWork
from app.desktop.screens.walk_in_counter import Offers
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.calendar_samples import HOLIDAYS, TODAY
from tests.desktop.shells import QuietShell

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
NO_KEY = Qt.KeyboardModifier.NoModifier


class Desk:
    """One counter. `keys` counts every key that was pressed."""

    def __init__(
        self,
        folder: Path,
        counter: FakeCounter | None = None,
        size: tuple[int, int] = (1310, 632),
        *,
        offers: Offers | None = None,
    ) -> None:
        self.counter = counter or FakeCounter()
        branch = self.counter.branch
        self.clock = ServerClock(lambda: branch.clock.steady)
        self.model = CalendarViewModel(
            self.counter, self.counter.server_now, self.clock, holidays=lambda window, spoken: HOLIDAYS
        )
        self.walk_in = WalkInViewModel(
            self.counter,
            self.clock,
            folder,
            find_order=self.counter.bookings.find_order,
            find_booking=self.counter.bookings.find_booking,
            offers=offers,
        )
        self.shell = QuietShell()
        self.screen = CalendarScreen(self.model, self.walk_in, GridWork.of(self.counter, self.clock), self.shell)
        self.feed = ChangeFeed(self.screen)
        self.model.follow(self.feed)
        self.keys = 0
        self.screen.resize(*size)
        self.screen.show()
        self.screen.activate()
        QApplication.processEvents()

    def die(self) -> None:
        """The program is killed: what the operating system held for it is free, nothing else happens."""
        self.walk_in._slot.release()

    def wait_for_asking(self) -> None:
        """The pause after which an order with a missing answer is asked for again has passed."""
        self.counter.branch.clock.pass_seconds(3)
        self.walk_in._ask_wait.stop()
        self.walk_in._ask_again()

    @property
    def grid(self) -> QWidget:
        return self.screen.grid

    def unit(self, plate: str) -> str:
        found = self.model.find_unit(plate)
        assert found is not None
        return found.unit.id

    def column(self, day: int) -> int:
        """The column of a day counted from today."""
        content = self.screen.grid.content
        assert content is not None
        column = content.column_of(TODAY + dt.timedelta(days=day))
        assert column is not None
        return column

    def stand_on(self, plate: str, day: int) -> None:
        """Make a cell current and give the grid the focus."""
        assert self.screen.grid.go_to(self.unit(plate), self.column(day))
        self.screen.grid.setFocus()

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEY, times: int = 1) -> None:
        """A key goes to whatever has the focus."""
        for _ in range(times):
            self.keys += 1
            QTest.keyClick(self.screen.focusWidget() or self.screen, key, modifiers)

    def type(self, text: str) -> None:
        for sign in text:
            self.keys += 1
            QTest.keyClicks(self.screen.focusWidget() or self.screen, sign)

    def shortcut(self, key: str) -> None:
        """A key of the screen: its action, when it works now."""
        self.keys += 1
        for owner in (self.screen, self.screen.grid):
            for action in owner.actions():
                if action.shortcut() == QKeySequence(key) and action.isEnabled():
                    action.trigger()
                    return
        raise AssertionError(f"{key} does not work now")

    def wait_for_search(self) -> None:
        """The pause after which a search starts has passed."""
        self.walk_in._search_wait.stop()
        self.walk_in._search_now()

    def wait_for_price(self) -> None:
        self.walk_in._quote_wait.stop()
        self.walk_in._quote_now()

    def pass_seconds(self, seconds: float) -> None:
        """Time goes by on the server and on this PC; the second's tick comes once."""
        self.counter.branch.clock.pass_seconds(seconds)
        self.walk_in.tick()

    def point(self, plate: str, day: int) -> QPoint:
        """The middle of a cell in the viewport."""
        return self.screen.grid.cell_rect(self.unit(plate), self.column(day), self.column(day)).center()

    def drag(self, plate: str, first: int, last: int, *, release: bool = True) -> None:
        """Press, move through every column between, release."""
        viewport = self.screen.grid.viewport()
        start = self.point(plate, first)
        self._mouse(QEvent.Type.MouseButtonPress, start)
        step = 1 if last >= first else -1
        for day in range(first, last + step, step):
            self._mouse(QEvent.Type.MouseMove, self.point(plate, day) + QPoint(5, 0))
        if release:
            self._mouse(QEvent.Type.MouseButtonRelease, self.point(plate, last))
        viewport.update()

    def grab(self, plate: str, day: int, to_plate: str, to_day: int, *, edge: str = "", release: bool = True) -> None:
        """Take hold of a bar at a day (or at its `start` or `end`) and carry it to another cell, cell by cell."""
        start = self.point(plate, day)
        width = self.screen.grid.columnWidth(0)
        if edge:
            start += QPoint(width // 2 - 3 if edge == "end" else 3 - width // 2, 0)
        self._mouse(QEvent.Type.MouseButtonPress, start)
        goal = self.point(to_plate, to_day)
        steps = max(1, max(abs(goal.x() - start.x()) // width, abs(goal.y() - start.y()) // 28))
        for step in range(1, steps + 1):
            self._mouse(QEvent.Type.MouseMove, start + (goal - start) * step / steps)
        if release:
            self._mouse(QEvent.Type.MouseButtonRelease, goal)

    def let_go(self, plate: str, day: int) -> None:
        """The left button comes up over a cell."""
        self._mouse(QEvent.Type.MouseButtonRelease, self.point(plate, day))

    def wait_for_quote(self) -> None:
        """The pause after which a bar in the hand is asked about has passed."""
        self.screen.hands.changes.ask_now()

    def _mouse(self, kind: QEvent.Type, at: QPoint) -> None:
        viewport = self.screen.grid.viewport()
        left = Qt.MouseButton.LeftButton
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else left
        where = QPointF(at)
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
        event = QMouseEvent(kind, where, QPointF(viewport.mapToGlobal(at)), button, held, NO_KEY)
        QApplication.sendEvent(viewport, event)
