"""What was let go stays let go: a held mouse button never takes a bar, or days, into the hand again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from pytestqt.qtbot import QtBot

from app.domain.days import RentalPeriod
from app.usecases.rows import Bar
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import FakeCounter
from tests.desktop.test_grid_changes import days, of


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def moved_elsewhere(desk: Desk, found: Bar, first: int, last: int) -> None:
    """Another counter gives a booking other days, and this one reads it."""
    assert found.booking_id is not None
    other = FakeCounter(branch=desk.counter.branch).changes_of_bookings
    other.reschedule(found.booking_id, RentalPeriod(days(first, last).first, days(first, last).last))
    desk.model.reread()


def go_on(desk: Desk, plate: str, day: int) -> None:
    """The pointer moves on with the button held, and lets go."""
    desk._mouse(QEvent.Type.MouseMove, desk.point(plate, day))
    assert desk.screen.grid.ghost() is None
    desk.let_go(plate, day)
    assert desk.screen.grid.ghost() is None
    assert desk.counter.changes_of_bookings.done == []


def test_a_dragged_bar_whose_row_a_filter_hid_is_not_taken_again_by_the_held_mouse(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    desk.model.set_filter("hiace")
    assert desk.screen.grid.ghost() is None
    desk.model.set_filter("")
    go_on(desk, "B 1200 XYZ", 9)
    assert of(desk, "Budi Santoso").days == days(5, 8)


def test_a_dragged_bar_that_another_counter_moved_is_not_taken_again_by_the_held_mouse(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    moved_elsewhere(desk, of(desk, "Budi Santoso"), 9, 12)
    assert desk.screen.grid.ghost() is None
    go_on(desk, "B 1200 XYZ", 9)
    assert of(desk, "Budi Santoso").days == days(9, 12)


def test_a_bar_that_went_between_the_press_and_the_pull_is_not_taken(desk: Desk) -> None:
    desk._mouse(QEvent.Type.MouseButtonPress, desk.point("B 1211 XYZ", 6))
    moved_elsewhere(desk, of(desk, "Budi Santoso"), 9, 12)
    go_on(desk, "B 1200 XYZ", 8)
    assert of(desk, "Budi Santoso").days == days(9, 12)


def test_enter_with_the_mouse_still_held_puts_the_bar_down_once(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    desk.press(Qt.Key.Key_Return)
    moved = of(desk, "Budi Santoso")
    assert (moved.unit_id, moved.days) == (desk.unit("B 1200 XYZ"), days(7, 10))
    desk._mouse(QEvent.Type.MouseMove, desk.point("B 1200 XYZ", 11))
    assert desk.screen.grid.ghost() is None
    desk.let_go("B 1200 XYZ", 11)
    assert of(desk, "Budi Santoso") == moved
    assert len(desk.counter.changes_of_bookings.done) == 1
    assert desk.shell.toasts[-1] == "BK-10119 pindah ke 7–10 Des, B 1200 XYZ."


def test_a_drag_is_over_when_another_screen_comes(desk: Desk) -> None:
    desk.grab("B 1211 XYZ", 6, "B 1200 XYZ", 8, release=False)
    desk.screen.hide()
    desk.screen.show()
    go_on(desk, "B 1200 XYZ", 9)


def test_choosing_days_is_over_when_another_screen_comes(desk: Desk) -> None:
    desk.drag("B 1200 XYZ", 8, 10, release=False)
    assert desk.screen.grid.stretch() is not None
    desk.screen.hide()
    desk.screen.show()
    assert desk.screen.grid.stretch() is None
    desk._mouse(QEvent.Type.MouseMove, desk.point("B 1200 XYZ", 11))
    assert desk.screen.grid.stretch() is None
    desk.let_go("B 1200 XYZ", 11)
    assert not desk.screen.drawer.is_open()


def test_a_bar_in_the_hand_by_keys_is_let_go_when_the_form_opens(desk: Desk) -> None:
    desk.stand_on("B 1211 XYZ", 6)
    desk.shortcut("P")
    desk.press(Qt.Key.Key_Right)
    assert desk.screen.grid.ghost() is not None
    desk.shortcut("Ctrl+N")
    assert desk.screen.drawer.is_open()
    assert desk.screen.grid.ghost() is None
    assert desk.counter.changes_of_bookings.done == []
