"""Case R-20: Enter twice on Pay, and the same payment sent again, are one payment."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.screens.settlement_phase import Phase
from tests.desktop.runners import HeldRunner
from tests.desktop.settlement_fakes import BUDI, Counterfoil


def test_r20_double_enter_on_pay_is_one_payment(qtbot: QtBot, tmp_path: Path) -> None:
    """The second Enter comes before the first one's answer, a third one after it."""
    desk = Counterfoil(tmp_path)
    qtbot.addWidget(desk.screen)
    with qtbot.waitExposed(desk.screen):
        desk.screen.show()
    desk.screen.activateWindow()
    desk.screen.activate()
    desk.screen.open_invoice(BUDI)
    desk.screen.page.pay_card.take_exact()
    runner = HeldRunner()
    use_runner(runner)
    button, edit = desk.screen.page.pay_card.pay_button, desk.screen.page.pay_card.field.edit
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert runner.waiting == 1
    while desk.screen.settlement.phase is not Phase.PAID:
        runner.go_on()
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    while runner.waiting:
        runner.go_on()
    assert [payment.amount for payment in desk.branch.payments] == [1_497_500]
    assert len(desk.branch.settled) == 1
    desk.screen.page.end()
