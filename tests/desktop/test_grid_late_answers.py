"""Hands that are faster than the answer, and a server that goes away between: one wish is done once or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.desktop.calendar_desk import SHIFT, Desk

ENTER = Qt.Key.Key_Return
FREE = ("B 1207 XYZ", 20)


def _awaits_days(desk: Desk) -> bool:
    """M was pressed and no days were chosen yet."""
    return desk.screen.hands.demand.is_armed


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    before = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(3_600_000)  # however slow this machine is, two keys in a row are fast
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()
    QApplication.setDoubleClickInterval(before)


def test_a_second_enter_after_a_move_opens_nothing_and_the_next_key_counts_again(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    desk.press(ENTER, times=2)
    assert len(desk.counter.changes_of_bookings.done) == 1
    assert not desk.screen.pointing.preview.isVisible()
    desk.press(Qt.Key.Key_Right)
    desk.press(ENTER)
    assert desk.screen.pointing.preview.isVisible()


def test_a_second_enter_after_a_reason_or_a_place_on_the_waitlist_opens_nothing(desk: Desk) -> None:
    desk.stand_on(*FREE)
    desk.screen.grid.choose_current()
    desk.shortcut("M")
    desk.press(ENTER, times=2)
    assert len(desk.counter.maintenance.blocked) == 1
    assert not desk.screen.pointing.preview.isVisible()
    desk.stand_on("B 1207 XYZ", 22)
    desk.shortcut("W")
    desk.type("081277776666")
    desk.press(ENTER)
    desk.type("Sinta")
    desk.press(ENTER, times=2)
    assert len(desk.counter.waitlist.places) == 1
    assert not desk.screen.drawer.is_open()


def test_days_for_maintenance_are_not_awaited_any_more_with_a_bar_in_the_hand_or_a_form(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("M")
    assert _awaits_days(desk)
    desk.shortcut("X")
    assert not _awaits_days(desk)
    desk.press(Qt.Key.Key_Escape)
    desk.screen.escape()
    desk.stand_on(*FREE)
    desk.shortcut("M")
    desk.shortcut("Ctrl+N")
    assert not _awaits_days(desk)
    assert desk.screen.drawer.is_open()


def test_a_bar_put_down_after_the_server_went_away_stays_where_it_was(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 9, release=False)
    desk.screen.connection_changed(False)
    assert desk.screen.grid.ghost() is not None, "nothing ends a drag"
    desk.let_go("B 1200 XYZ", 9)
    assert desk.counter.changes_of_bookings.done == []
    assert desk.screen.grid.ghost() is None
    assert desk.screen.pointing.blocked.isVisible()


def test_a_reason_chosen_after_the_server_went_away_is_not_sent_and_the_days_stay_chosen(desk: Desk) -> None:
    desk.stand_on(*FREE)
    desk.press(Qt.Key.Key_Right, SHIFT)
    desk.shortcut("M")
    desk.screen.connection_changed(False)
    desk.press(ENTER)
    assert desk.counter.maintenance.blocked == {}
    assert desk.screen.grid.stretch() is not None
    assert desk.screen.pointing.blocked.isVisible()


def test_an_undo_wanted_while_the_server_is_away_is_offered_again(desk: Desk) -> None:
    desk.stand_on(*FREE)
    desk.screen.grid.choose_current()
    desk.shortcut("M")
    desk.press(ENTER)
    desk.screen.connection_changed(False)
    assert desk.shell.undo is not None
    desk.shell.undo()
    assert desk.counter.maintenance.ended == {}
    assert desk.shell.toasts[-1] == "Koneksi terputus, jadi belum diurungkan."
    desk.screen.connection_changed(True)
    desk.shell.undo()
    assert len(desk.counter.maintenance.ended) == 1
