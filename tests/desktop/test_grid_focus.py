"""Whatever stands over the calendar and however it goes: the next key is the grid's, never the bars' around it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.days import RentalPeriod
from tests.desktop.calendar_samples import TODAY
from tests.desktop.finding_desk import FindingDesk

LEFT = Qt.MouseButton.LeftButton
ESC, ENTER, SPACE = Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Space


class Over:
    """The calendar in its window, and the hands of a person."""

    def __init__(self, desk: FindingDesk) -> None:
        self.window, self.screen, self.grid = desk.window, desk.screen, desk.screen.grid
        self.hands, self.desk = desk.screen.hands, desk
        self.stand("B 1207 XYZ", 20)

    def stand(self, plate: str, day: int = 6) -> None:
        """On a cell of a plate (today and `day` more), with the keys in the grid."""
        content = self.grid.content
        assert content is not None
        column = content.column_of(TODAY) or 0
        assert self.grid.go_to(self.desk.unit(plate).unit.id, column + day)
        self.grid.setFocus()

    def press(self, *keys: Qt.Key) -> None:
        for key in keys:
            self.desk.press(key)

    def key(self, shortcut: str) -> None:
        """A key of the grid or the screen."""
        for owner in (self.screen, self.grid):
            for action in owner.actions():
                if action.shortcut().toString() == shortcut and action.isEnabled():
                    action.trigger()
                    return
        raise AssertionError(f"{shortcut} does not work now")

    def refuse(self) -> None:
        """Budi's bar is put on days that somebody has: the card of that opens."""
        self.stand("B 1211 XYZ")
        self.key("P")
        self.press(Qt.Key.Key_Up, ENTER)
        assert self.screen.refusals.is_open()

    def ask_branches(self) -> None:
        self.hands.demand.ask_elsewhere("UNIT-AVANZA-G", RentalPeriod(TODAY, TODAY))
        assert self.hands.demand.elsewhere.isVisible()

    def park(self) -> None:
        self.stand("B 1211 XYZ")
        self.key("Shift+P")
        assert self.hands.lane.take_focus()

    def block(self) -> None:
        self.grid.choose_current()
        self.key("M")
        assert self.hands.demand.reasons.isVisible()

    def blocked(self) -> None:
        self.block()
        self.press(Qt.Key.Key_1)

    def cancel(self) -> None:
        self.stand("B 1200 XYZ", 5)
        self.key("Del")

    def click(self, button: QWidget) -> None:
        assert button.isVisible()
        QTest.mouseClick(button, LEFT)

    def space(self, button: QWidget) -> None:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        assert button.hasFocus()
        QTest.keyClick(button, SPACE)

    def undo_button(self) -> QWidget:
        toast = self.window._toasts.undoing()
        assert toast is not None
        assert toast._button is not None
        return toast._button


@pytest.fixture
def over(qtbot: QtBot, tmp_path: Path) -> Iterator[Over]:
    desk = FindingDesk(tmp_path, qtbot)
    yield Over(desk)
    desk.close()


Hand = Callable[[Over], object]


def keys(*pressed: Qt.Key) -> Hand:
    return lambda over: over.press(*pressed)


def shortcut(name: str) -> Hand:
    return lambda over: over.key(name)


def on_bar(name: str) -> Hand:
    def run(over: Over) -> None:
        over.stand("B 1211 XYZ")
        over.key(name)

    return run


def open_bar(over: Over) -> None:
    over.stand("B 1211 XYZ")
    over.press(ENTER)
    assert over.screen.pointing.preview.isVisible()


OVERLAYS: dict[str, tuple[Hand, Hand]] = {
    "the card of a bar, Esc": (open_bar, keys(ESC)),
    "the menu, Esc": (on_bar("Shift+F10"), keys(ESC)),
    "the menu of the toolbar, Esc": (lambda over: over.screen.more.open(), keys(ESC)),
    "the reasons of M, Esc": (Over.block, keys(ESC)),
    "the reasons of M, a key": (Over.block, keys(Qt.Key.Key_1)),
    "the strip of M, Esc": (shortcut("M"), keys(ESC)),
    "the strip of M, its button": (shortcut("M"), lambda over: over.click(over.hands.demand.strip.button)),
    "the strip of M, Space": (shortcut("M"), lambda over: over.space(over.hands.demand.strip.button)),
    "the waitlist, Esc": (on_bar("W"), keys(ESC)),
    "other branches, Esc": (Over.ask_branches, keys(ESC)),
    "the day, Esc": (shortcut("Ctrl+G"), keys(ESC)),
    "the filters, Esc": (shortcut("F"), keys(ESC)),
    "the SKU filter, Esc": (shortcut("/"), keys(ESC)),
    "the legend, Esc": (shortcut("L"), keys(ESC)),
    "the form, Esc": (shortcut("Ctrl+N"), keys(ESC)),
    "the question before a booking ends, Esc": (Over.cancel, keys(ESC)),
    "a refusal, Esc": (Over.refuse, keys(ESC)),
    "a refusal, its first way": (Over.refuse, keys(Qt.Key.Key_1)),
    "a refusal, Enter": (Over.refuse, keys(ENTER)),
    "the lane, Esc": (Over.park, keys(ESC)),
    "the lane, Del": (Over.park, keys(Qt.Key.Key_Delete)),
    "the lane, all back": (Over.park, lambda over: over.click(over.hands.lane._back)),
    "the lane, all back by Space": (Over.park, lambda over: over.space(over.hands.lane._back)),
    "the undo of a toast": (Over.blocked, lambda over: over.click(over.undo_button())),
    "the undo of a toast by Space": (Over.blocked, lambda over: over.space(over.undo_button())),
}


@pytest.mark.parametrize("name", OVERLAYS)
def test_the_grid_has_the_next_key(over: Over, name: str) -> None:
    opens, closes = OVERLAYS[name]
    opens(over)
    closes(over)
    QApplication.processEvents()
    assert QApplication.focusWidget() is over.grid
