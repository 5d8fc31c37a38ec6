"""The years that the calendar answers for: other days are refused in the field, title and grid never part."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.screens.calendar_window import FIRST_DAY, LAST_DAY, Zoom, within_calendar
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from tests.desktop.calendar_desk import Desk


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def shown(desk: Desk) -> Days:
    assert desk.model.content is not None
    return desk.model.content.window


def test_ctrl_g_refuses_a_year_the_calendar_does_not_have_naming_field_and_years(desk: Desk) -> None:
    before = shown(desk)
    goto = desk.screen.moves.goto
    desk.shortcut("Ctrl+G")
    desk.type("1/1/1900")
    desk.press(Qt.Key.Key_Return)
    assert goto.isVisible()
    assert goto.field.is_wrong()
    assert goto.says() == "Ke tanggal: kalender hanya punya tahun 2000-9998."
    assert desk.model.window == shown(desk) == before
    desk.press(Qt.Key.Key_Backspace)
    assert goto.says() == "Ke tanggal: 30/11, besok, +7"


def test_ctrl_g_says_why_what_was_typed_is_no_day(desk: Desk) -> None:
    desk.shortcut("Ctrl+G")
    desk.type("31/2")
    desk.press(Qt.Key.Key_Return)
    assert desk.screen.moves.goto.says() == "Ke tanggal: bukan tanggal. Contoh 30/11, besok, sen, +3."


def test_the_first_day_of_the_calendar_is_reached_and_nothing_before_it(desk: Desk) -> None:
    desk.shortcut("Ctrl+G")
    desk.type("1/1/2000")
    desk.press(Qt.Key.Key_Return)
    assert shown(desk).first == FIRST_DAY
    desk.model.pan(-7)
    desk.model.step_month(-1)
    assert desk.model.window == shown(desk) == Days(FIRST_DAY, dt.date(2000, 1, 31))


@pytest.mark.parametrize("days", [7, 31, 62])
def test_a_window_at_either_end_keeps_its_length(days: int) -> None:
    more = dt.timedelta(days=days - 1)
    assert within_calendar(Days(dt.date(1999, 12, 30), dt.date(1999, 12, 30) + more)) == Days(
        FIRST_DAY, FIRST_DAY + more
    )
    late = within_calendar(Days(LAST_DAY, LAST_DAY + more))
    assert (late.last, late.count) == (LAST_DAY, days)


@pytest.mark.parametrize("code", [RefusalCode.PERIOD_INVALID, RefusalCode.UNREACHABLE])
def test_a_window_that_could_not_be_read_leaves_title_zoom_and_grid_together(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, code: RefusalCode
) -> None:
    before = shown(desk)

    def refuse(*_: object) -> object:
        raise Refusal(code, field="first_day")

    monkeypatch.setattr(desk.model.reads, "masks", refuse)
    desk.model.step_month(3)
    assert desk.model.window == shown(desk) == before
    desk.model.set_zoom(Zoom.WEEK)
    assert (desk.model.window, desk.model.zoom) == (before, Zoom.ROLLING)
