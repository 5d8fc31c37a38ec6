"""The drawer before anything was typed: no price, nothing to throw away."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.screens.walk_in_price import PriceLines
from app.desktop.theme import TextRole, theme
from app.domain.money import Rupiah
from tests.desktop.calendar_desk import Desk
from tests.desktop.calendar_fakes import BUDI


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def test_buang_comes_with_the_first_thing_that_was_typed(desk: Desk) -> None:
    desk.screen.drawer.open_panel()
    button = desk.screen.panel.clear_button
    assert not button.isVisible()
    desk.walk_in.pick(BUDI)
    assert button.isVisible()
    button.click()
    assert desk.walk_in.form.is_empty
    assert not button.isVisible()


def test_no_total_is_a_quiet_dash_and_a_total_is_large(qtbot: QtBot) -> None:
    lines = PriceLines()
    qtbot.addWidget(lines)
    look = theme()
    high = lines.sizeHint().height()
    assert lines.total.text() == "–"
    assert lines.total.font().pixelSize() == look.font(TextRole.BASE).pixelSize()
    assert lines.total.palette().windowText().color() == look.muted
    lines.show_quote(None, Rupiah(470_000))
    assert lines.total.font().pixelSize() == look.font(TextRole.TOTAL).pixelSize()
    assert lines.total.palette().windowText().color() == look.text
    assert lines.sizeHint().height() == high
