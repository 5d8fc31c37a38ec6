"""Case R-13: however paying is asked for, and by how many ways at the same moment, it is asked of the branch once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.screens.settlement_phase import Phase
from tests.desktop.runners import HeldRunner
from tests.desktop.settlement_fakes import BUDI, Counterfoil


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Counterfoil]:
    made = Counterfoil(tmp_path)
    qtbot.addWidget(made.screen)
    made.screen.resize(1310, 632)
    made.screen.show()
    made.screen.activate()
    made.screen.open_invoice(BUDI)
    made.screen.page.pay_card.take_exact()
    yield made
    made.screen.page.end()


def by_shortcut(desk: Counterfoil) -> None:
    """F9 as the window's shortcut gives it."""
    desk.screen._pay_key.trigger()


def by_button(desk: Counterfoil) -> None:
    """The button, by mouse."""
    desk.screen.page.pay_card.pay_button.click()


def by_enter(desk: Counterfoil) -> None:
    """Enter in the amount field, pressed and released."""
    field = desk.screen.page.pay_card.field
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(field, QKeyEvent(kind, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r"))


def by_page(desk: Counterfoil) -> None:
    """What a menu or an accessibility action would call."""
    desk.screen.page.pay()


WAYS = (by_shortcut, by_button, by_enter, by_page)


@pytest.mark.parametrize("first", range(len(WAYS)))
def test_r13_shortcut_button_enter_and_menu_at_once_are_one_payment(desk: Counterfoil, first: int) -> None:
    """All of them while the first is still under way, whichever that is, and again before its answer is in."""
    runner = HeldRunner()
    use_runner(runner)
    for way in (*WAYS[first:], *WAYS[:first], *WAYS):
        way(desk)
    assert runner.waiting == 1, "one call is under way"
    while runner.waiting:
        runner.go_on()
        for way in WAYS:
            if desk.screen.page.model.phase is not Phase.PAID:
                way(desk)
    assert len(desk.branch.settled) == 1
    assert len(desk.branch.payments) == 1
    assert desk.screen.page.model.phase is Phase.PAID


def test_r13_every_way_by_itself_does_pay(qtbot: QtBot, tmp_path: Path) -> None:
    """So that none of the four is only silent."""
    for number, way in enumerate(WAYS):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = Counterfoil(folder)
        qtbot.addWidget(made.screen)
        made.screen.show()
        made.screen.activate()
        made.screen.open_invoice(BUDI)
        made.screen.page.pay_card.take_exact()
        way(made)
        assert [payment.amount for payment in made.branch.payments] == [1_497_500], way.__name__
        made.screen.page.end()
