"""Double claims far from the window are asked for when a window has been read, and not with every word of the grid."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.states import ShownState
from app.domain.days import YearMonth
from tests.desktop.calendar_desk import Desk


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    QApplication.processEvents()
    yield made
    made.screen.shut()


def asked(desk: Desk) -> int:
    QApplication.processEvents()
    return desk.counter.branch.doubled_reads


def test_a_window_that_was_read_asks_once(desk: Desk) -> None:
    assert asked(desk) == 1
    desk.model.pan(30)
    assert asked(desk) == 2


def test_what_shows_the_same_rows_otherwise_asks_nothing(desk: Desk) -> None:
    before = asked(desk)
    desk.model.set_only(ShownState.RETURNED_PENDING_CHECK)
    desk.model.reread()
    assert asked(desk) == before


def test_a_hint_asks_when_its_reading_has_ended_and_not_before(desk: Desk) -> None:
    before = asked(desk)
    content = desk.screen.grid.content
    assert content is not None
    unit = content.unit(desk.unit("B 1200 XYZ"))
    assert unit is not None
    desk.feed.on_availability(unit.sku.code, YearMonth.of(content.today), unit.unit.slot, 1 << 20)
    assert asked(desk) == before
    desk.model.reread()
    assert asked(desk) == before + 1
