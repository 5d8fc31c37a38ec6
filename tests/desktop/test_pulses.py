"""Pulses of changed cells: each ends by its own time."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QCommonStyle, QStyle
from pytestqt.qtbot import QtBot

from app.desktop.widgets.month_grid_pulses import PULSE_MS, Pulses


class SomeTime:
    def __init__(self) -> None:
        self.s = 0.0

    def pass_ms(self, ms: int) -> None:
        self.s += ms / 1000


def test_a_stream_of_changes_keeps_no_earlier_pulse_alive(qtbot: QtBot) -> None:
    time, owner, ended = SomeTime(), QObject(), []
    pulses = Pulses(owner, lambda: time.s)
    pulses.ended.connect(ended.extend)
    pulses.add("u-1", 3, 5)
    time.pass_ms(PULSE_MS - 1)
    pulses.add("u-2", 0, 0)
    time.pass_ms(1)
    pulses._end.timeout.emit()
    assert [mark.unit_id for mark in ended] == ["u-1"]
    assert [mark.unit_id for mark in pulses.marks()] == ["u-2"]


def test_the_same_cells_again_are_one_pulse_that_begins_anew(qtbot: QtBot) -> None:
    time, owner = SomeTime(), QObject()
    pulses = Pulses(owner, lambda: time.s)
    pulses.add("u-1", 3, 5)
    time.pass_ms(PULSE_MS - 1)
    pulses.add("u-1", 3, 5)
    time.pass_ms(1)
    pulses._end.timeout.emit()
    assert len(pulses.marks()) == 1
    time.pass_ms(PULSE_MS)
    pulses._end.timeout.emit()
    assert pulses.marks() == ()


def test_nothing_lights_up_where_animations_are_switched_off(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    class Still(QCommonStyle):
        def styleHint(self, hint: QStyle.StyleHint, *_more: object) -> int:
            return 0

    still = Still()
    monkeypatch.setattr(QApplication, "style", lambda: still)
    pulses = Pulses(QObject())
    pulses.add("u-1", 3, 5)
    assert pulses.marks() == ()
