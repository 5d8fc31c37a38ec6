"""Whatever goes away with the focus in it leaves the next key to the screen, never to the bars around it."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.focus_home import FocusHome


class Window(QWidget):
    """A bar with a button above a field, and over it a card with a button of its own."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__()
        self.bar, self.field = QWidget(), QLineEdit()
        self.person = QPushButton("Siti")
        QVBoxLayout(self.bar).addWidget(self.person)
        self.card = QWidget(self)
        self.button = QPushButton("Tutup")
        QVBoxLayout(self.card).addWidget(self.button)
        column = QVBoxLayout(self)
        for each in (self.field, self.card, self.bar):
            column.addWidget(each)
        self.setTabOrder(self.field, self.button)
        self.setTabOrder(self.button, self.person)
        self.home = FocusHome(self, (self.bar,), lambda: self.field)
        qtbot.addWidget(self)
        with qtbot.waitExposed(self):
            self.show()
        self.activateWindow()
        self.button.setFocus()


@pytest.mark.parametrize(
    "goes",
    [
        lambda window: window.card.hide(),
        lambda window: window.button.hide(),
        lambda window: window.button.setEnabled(False),
        lambda window: window.card.setEnabled(False),
    ],
    ids=["the card is closed", "the button goes", "the button goes pale", "the card goes pale"],
)
def test_the_screen_has_the_next_key(goes: Callable[[Window], None], qtbot: QtBot) -> None:
    window = Window(qtbot)
    assert window.button.hasFocus()
    goes(window)
    assert window.field.hasFocus()
    QTest.keyClicks(window.focusWidget(), "x")
    assert window.field.text() == "x"


def test_whoever_steps_into_the_bars_stays_there(qtbot: QtBot) -> None:
    window = Window(qtbot)
    QTest.keyClick(window.button, Qt.Key.Key_Tab)
    assert window.person.hasFocus()
    window.card.hide()
    assert window.person.hasFocus()


def test_a_place_that_is_not_seen_takes_nothing(qtbot: QtBot) -> None:
    window = Window(qtbot)
    window.field.hide()
    window.button.setFocus()
    window.card.hide()
    assert not window.field.hasFocus()
