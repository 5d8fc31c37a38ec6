"""Pulses of changed cells: each ends by its own time."""

from PySide6.QtCore import QObject
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
