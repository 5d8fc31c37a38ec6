"""A unit that leaves the fleet under a menu, under chosen days or under the cursor: no other unit is booked for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.changes import SomethingChanged
from tests.desktop.calendar_desk import SHIFT, Desk

PLATE, DAY = "B 7106 UAA", 2
GONE = "B 7106 UAA tidak ada lagi di kalender. Pilih unit lain dulu."


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def retire(desk: Desk, plate: str = PLATE) -> None:
    """An import takes the unit out of the fleet while the grid shows it."""
    branch = desk.counter.branch
    branch.units = tuple(unit for unit in branch.units if unit.unit.plate != plate)
    branch.rows = [row for row in branch.rows if row.unit_id in {unit.unit.id for unit in branch.units}]
    desk.model._something_changed(SomethingChanged(what="unit", id="u", branch="b-1", by=""))
    desk.model._settle.stop()
    desk.model._reread_settled()


def chosen_unit(desk: Desk) -> str | None:
    return desk.walk_in.form.unit_id


def test_the_menu_of_a_free_day_books_no_other_unit_when_its_own_is_gone(desk: Desk) -> None:
    desk.stand_on(PLATE, DAY)
    desk.screen.hands.open_menu()
    retire(desk)
    desk.press(Qt.Key.Key_Return)
    assert not desk.screen.drawer.is_open()
    assert chosen_unit(desk) is None


def test_the_menu_of_a_free_day_books_that_day_wherever_the_cursor_went(desk: Desk) -> None:
    desk.stand_on(PLATE, DAY)
    unit = desk.unit(PLATE)
    desk.screen.hands.open_menu()
    assert desk.screen.grid.go_to(desk.unit("B 1200 XYZ"), desk.column(1))
    desk.screen.hands._run("book")
    assert chosen_unit(desk) == unit


def test_chosen_days_whose_unit_is_gone_are_told_of_and_enter_books_no_neighbour(desk: Desk) -> None:
    desk.stand_on(PLATE, DAY)
    desk.press(Qt.Key.Key_Right, SHIFT)
    assert desk.screen.grid.stretch() is not None
    retire(desk)
    assert desk.shell.toasts[-1] == GONE
    assert desk.screen.grid.stretch() is None
    desk.shell.toasts.clear()
    desk.model.load()
    desk.press(Qt.Key.Key_Return)
    assert not desk.screen.drawer.is_open()
    assert chosen_unit(desk) is None


def test_after_moving_the_cursor_enter_books_again(desk: Desk) -> None:
    desk.stand_on(PLATE, DAY)
    retire(desk)
    desk.stand_on("B 7109 UAA", 5)
    desk.press(Qt.Key.Key_Return)
    assert chosen_unit(desk) == desk.unit("B 7109 UAA")


def test_a_unit_that_a_filter_hides_is_not_told_of(desk: Desk) -> None:
    desk.stand_on(PLATE, DAY)
    desk.model.set_filter("Avanza")
    assert GONE not in desk.shell.toasts
    desk.stand_on("B 1200 XYZ", 1)
    desk.press(Qt.Key.Key_Return)
    assert chosen_unit(desk) == desk.unit("B 1200 XYZ")
