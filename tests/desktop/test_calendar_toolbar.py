"""The row above the grid: what it is called, what it switches off, and whose the one filled button is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.formats import Language
from app.desktop.language import use_language
from tests.desktop.calendar_desk import Desk


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()
    use_language(Language.ID)


def test_while_the_connection_is_lost_a_draft_is_offered_in_every_language(desk: Desk) -> None:
    toolbar = desk.screen.toolbar
    assert toolbar.booking.text() == "Booking baru"
    desk.screen.connection_changed(False)
    assert toolbar.booking.text() == "Draf baru"
    use_language(Language.EN)
    QApplication.processEvents()
    assert toolbar.booking.text() == "New draft"


def test_maintenance_is_off_with_the_reason_while_nothing_can_be_written(desk: Desk) -> None:
    maintenance = desk.screen.toolbar.maintenance
    assert maintenance.isEnabled()
    desk.screen.connection_changed(False)
    assert (maintenance.isEnabled(), maintenance.reason()) == (False, "Koneksi terputus.")
    desk.screen.connection_changed(True)
    QApplication.processEvents()
    assert maintenance.isEnabled()


@pytest.mark.parametrize("key", ["F", "W"])
def test_a_card_that_asks_has_the_one_filled_button(desk: Desk, key: str) -> None:
    booking = desk.screen.toolbar.booking
    desk.stand_on("B 1207 XYZ", 1)
    assert booking._primary
    desk.shortcut(key)
    assert not booking._primary
    desk.press(Qt.Key.Key_Escape)
    desk.screen.escape()
    assert booking._primary
