"""A SKU's row shows what is left of it wherever it is drawn: under the head, and while the SKU is folded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.days import YearMonth
from tests.desktop.calendar_desk import Desk

ROW = 28


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    made.screen.grid.resize(900, 240)
    made.screen.grid.show()
    QApplication.processEvents()
    yield made
    made.screen.shut()


class Painted(QObject):
    """Records what of a view is painted from now on."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        QApplication.processEvents()
        self.region = QRegion()
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


def test_bars_read_anew_repaint_the_pinned_row_of_their_sku(desk: Desk) -> None:
    grid = desk.screen.grid
    grid.verticalScrollBar().setValue(3 * ROW)
    assert grid.pinned() is not None
    cells, heads = Painted(grid.viewport()), Painted(grid.verticalHeader().viewport())
    grid.bars_changed(frozenset({desk.unit("B 1200 XYZ")}))
    QApplication.processEvents()
    assert cells.region.contains(QPoint(400, 10))
    assert heads.region.contains(QPoint(20, 10))


def test_another_counters_change_repaints_its_day_in_the_pinned_row(desk: Desk) -> None:
    grid, content = desk.screen.grid, desk.screen.grid.content
    assert content is not None
    unit = content.unit(desk.unit("B 1200 XYZ"))
    assert unit is not None
    grid.verticalScrollBar().setValue(3 * ROW)
    column = desk.column(10)
    cells = Painted(grid.viewport())
    grid.apply_hint(unit.sku.code, YearMonth(2026, 12), unit.unit.slot, (1 << 31) - 1)
    QApplication.processEvents()
    assert cells.region.contains(QPoint(grid.columnViewportPosition(column) + 5, 10))


def test_bars_read_anew_repaint_the_row_of_a_folded_sku(desk: Desk) -> None:
    grid = desk.screen.grid
    group = grid.grid_model().row(0).group
    grid.toggle(group)
    cells, heads = Painted(grid.viewport()), Painted(grid.verticalHeader().viewport())
    grid.bars_changed(frozenset({desk.unit("B 1200 XYZ")}))
    QApplication.processEvents()
    assert cells.region.contains(QPoint(400, 10))
    assert heads.region.contains(QPoint(20, 10))
