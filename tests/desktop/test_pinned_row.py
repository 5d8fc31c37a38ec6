"""The row of the SKU in view stays under the grid's head, and the scroll bar below covers no part of a row."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.screens.calendar_window import Zoom
from tests.desktop.calendar_desk import Desk


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def test_the_sku_of_the_uppermost_units_stays_under_the_head_with_its_numbers(desk: Desk) -> None:
    grid = desk.screen.grid
    grid.resize(900, 240)
    grid.show()
    scroll, height = grid.verticalScrollBar(), 28

    def strip() -> list[QImage]:
        """The row without its last line, on which the ring of a cell below may lie."""
        QApplication.processEvents()
        views = (grid.viewport(), grid.verticalHeader().viewport())
        return [view.grab().toImage().copy(0, 0, 800, height - 2) for view in views]

    own = strip()
    assert grid.pinned() is None
    for scrolled in (1, 4, 3 * height, 8 * height):
        scroll.setValue(scrolled)
        assert strip() == own, scrolled
    scroll.setValue(9 * height)
    assert grid.pinned() is None, "the next SKU's own row is the uppermost"
    scroll.setValue(8 * height + 12)
    pushed = grid.pinned()
    assert pushed is not None
    assert (pushed.row.group.sku.name, pushed.y) == ("Avanza G", -12)
    scroll.setValue(10 * height)
    following = grid.pinned()
    assert following is not None
    assert (following.row.group.sku.name, following.y) == ("Innova Zenix", 0)


def test_the_current_cell_never_lies_under_the_pinned_row(desk: Desk) -> None:
    grid = desk.screen.grid
    grid.resize(900, 240)
    grid.show()
    rows = grid.grid_model()
    for number in [*range(rows.rowCount()), *reversed(range(rows.rowCount()))]:
        grid.setCurrentIndex(rows.index(number, 4))
        pinned = grid.pinned()
        covered = 0 if pinned is None or pinned.number == number else pinned.y + 28
        assert grid.rowViewportPosition(number) >= covered, number
        assert grid.rowViewportPosition(number) + 28 <= grid.viewport().height(), number


@pytest.mark.parametrize("height", [240, 253, 301])
def test_the_uppermost_row_is_whole_wherever_the_keys_go(desk: Desk, height: int) -> None:
    grid = desk.screen.grid
    grid.resize(900, height)
    grid.show()
    bar = grid.verticalScrollBar()
    for key in (*[Qt.Key.Key_PageDown] * 6, *[Qt.Key.Key_Up] * 9, Qt.Key.Key_PageUp, *[Qt.Key.Key_Down] * 3):
        desk.press(key)
        assert bar.value() % 28 == 0
        assert grid.viewport().rect().contains(grid.visualRect(grid.currentIndex()))
    bar.setValue(bar.maximum())
    assert bar.value() % 28 == 0, "nor is the row at the end cut"


def test_scrolled_to_its_end_the_window_begins_with_a_whole_day(desk: Desk) -> None:
    grid = desk.screen.grid
    for width in (1000, 1101, 1310):
        desk.screen.resize(width, 632)
        desk.screen.moves.choose_zoom(Zoom.TWO_MONTHS.value)
        QApplication.processEvents()
        grid.horizontalScrollBar().setValue(grid.horizontalScrollBar().maximum())
        first = grid.columnAt(0)
        assert grid.columnViewportPosition(first) == 0, width


def test_a_press_on_the_pinned_row_folds_its_sku_and_shows_it(desk: Desk) -> None:
    grid = desk.screen.grid
    grid.resize(900, 240)
    grid.show()
    grid.verticalScrollBar().setValue(5 * 28)
    assert grid.indexAt(QPoint(100, 10)).row() == 0
    assert grid.indexAt(QPoint(100, 38)).row() == 6
    head = grid.verticalHeader().viewport()
    QTest.mouseClick(head, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 10))
    group = grid.grid_model().row(0).group
    assert grid.grid_model().is_folded(group)
    assert grid.rowViewportPosition(0) == 0


@pytest.mark.parametrize("height", [420, 433, 500, 511])
def test_the_days_scroll_bar_takes_the_room_of_the_row_it_would_cut(desk: Desk, height: int) -> None:
    grid = desk.screen.grid
    desk.screen.resize(1000, height)
    desk.screen.moves.choose_zoom(Zoom.TWO_MONTHS.value)
    QApplication.processEvents()
    assert grid.horizontalScrollBar().isVisible()
    assert grid.viewport().height() % 28 == 0
    assert 10 <= grid.horizontalScrollBar().height() < 38
    bar = grid.verticalScrollBar()
    bar.setValue(bar.maximum())
    last = grid.grid_model().rowCount() - 1
    assert grid.rowViewportPosition(last) + 28 == grid.viewport().height()
