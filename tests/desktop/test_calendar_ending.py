"""Del on maintenance ends the block the question was about, and no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.days import Days
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_samples import days_around as days

CHANGED = "Perawatan ini baru saja berubah, jadi tidak ada yang diakhiri."


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def block(desk: Desk, reason: str, where: Days) -> str:
    return desk.counter.maintenance.block_unit(desk.unit("B 7109 UAA"), where, reason).row.id


def reasons(desk: Desk) -> list[str]:
    return [row.reason for row in desk.counter.maintenance.blocked.values()]


def ask(desk: Desk) -> None:
    desk.model.load()
    desk.stand_on("B 7109 UAA", 6)
    desk.shortcut("Del")
    assert desk.screen.hands.demand.ending.isVisible()


def test_another_block_on_the_same_days_is_never_ended_in_its_place(desk: Desk) -> None:
    first = block(desk, "Servis", days(6, 7))
    ask(desk)
    desk.counter.maintenance.end_block(first)
    block(desk, "Kecelakaan", days(6, 7))
    desk.press(Qt.Key.Key_A)
    assert reasons(desk) == ["Kecelakaan"]


def test_a_question_whose_block_another_counter_ended_goes_and_says_so(desk: Desk) -> None:
    first = block(desk, "Servis", days(6, 7))
    ask(desk)
    desk.counter.maintenance.end_block(first)
    block(desk, "Kecelakaan", days(6, 7))
    desk.model.reread()
    assert not desk.screen.hands.demand.ending.isVisible()
    assert desk.screen.grid.hasFocus()
    assert desk.shell.toasts[-1] == CHANGED
    assert reasons(desk) == ["Kecelakaan"]


def test_a_bar_that_is_another_block_by_now_is_not_asked_about(desk: Desk) -> None:
    first = block(desk, "Servis", days(6, 7))
    desk.model.load()
    desk.stand_on("B 7109 UAA", 6)
    desk.counter.maintenance.end_block(first)
    block(desk, "Kecelakaan", days(6, 7))
    desk.shortcut("Del")
    assert not desk.screen.hands.demand.ending.isVisible()
    assert desk.shell.toasts[-1] == CHANGED


def test_the_block_that_was_asked_about_ends(desk: Desk) -> None:
    block(desk, "Servis", days(6, 7))
    ask(desk)
    desk.press(Qt.Key.Key_A)
    assert reasons(desk) == []
    assert desk.shell.toasts[-1] == "Perawatan B 7109 UAA berakhir."


def test_a_question_that_is_declined_ends_nothing_and_stays_silent(desk: Desk) -> None:
    first = block(desk, "Servis", days(6, 7))
    ask(desk)
    desk.press(Qt.Key.Key_B)
    desk.counter.maintenance.end_block(first)
    desk.model.reread()
    assert CHANGED not in desk.shell.toasts
