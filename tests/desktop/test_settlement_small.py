"""The settlement at 150 % on a small screen: what a lost lock leaves in sight."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from app.desktop.screens.settlement_phase import Phase
from app.domain.tender import TenderKind
from tests.desktop.settlement_fakes import BUDI, Counterfoil

SAFE = "Yang Anda isi tetap ada. Jangan menagih ulang sebelum terkunci."


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Counterfoil]:
    made = Counterfoil(tmp_path)
    qtbot.addWidget(made.screen)
    made.screen.setMinimumSize(400, 200)
    made.screen.show()
    made.screen.activate()
    yield made
    made.screen.page.end()


def lose(desk: Counterfoil, width: int, height: int) -> None:
    """1.500.000 is typed, then the lock runs out."""
    desk.screen.resize(width, height)
    desk.screen.open_invoice(BUDI)
    desk.screen.page.pay_card.field.set_amount(1_500_000)
    desk.pass_time(61)
    for _ in range(6):  # heights follow one another through the layouts
        QApplication.processEvents()
    assert desk.screen.settlement.phase is Phase.LOST


def test_the_change_stays_in_sight_and_the_row_that_cannot_be_pressed_goes(desk: Counterfoil) -> None:
    lose(desk, 855, 349)
    card = desk.screen.page.pay_card
    area = card.findChild(QScrollArea)
    assert area is not None
    box = QRect(card.change_box.mapTo(area.viewport(), QPoint()), card.change_box.size())
    assert area.viewport().rect().contains(box)
    assert not card.exact_button.isVisible()
    desk.screen.page._lock_again()
    QApplication.processEvents()
    assert card.exact_button.isVisible()


def test_the_banner_leaves_the_times_out_where_there_is_no_width_for_them(desk: Counterfoil) -> None:
    lose(desk, 863, 335)
    assert desk.shell.banners["settlement"].text == SAFE
    desk.screen.resize(1294, 647)
    QApplication.processEvents()
    assert desk.shell.banners["settlement"].text.startswith(f"{SAFE} Perpanjangan terakhir")


def test_in_a_lost_lock_cash_stays_chosen_and_cannot_be_pressed(desk: Counterfoil) -> None:
    lose(desk, 1294, 647)
    card = desk.screen.page.pay_card
    assert card.methods.buttons[TenderKind.CASH].isChecked()
    assert not card.methods.buttons[TenderKind.CASH].isEnabled()
    chosen = [button for button in card.cash.quick if button.isChecked()]
    assert [button.property("amount") for button in chosen] == [1_500_000]
    look, plain = chosen[0]._style()[0], card.exact_button._style()[0]
    assert not chosen[0].isEnabled()
    assert look != plain
