"""Cells that light up once for a moment: another counter changed them."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QStyle

from app.desktop.widgets.month_grid_marks import GridMark, MarkKind

PULSE_MS = 400


class Pulses(QObject):
    """`ended` carries the marks that are to be painted over.

    Each pulse lasts 400 ms by itself: a stream of changes keeps no earlier one alive. The same cells once more begin
    anew. Where the system's animations are switched off nothing lights up.
    """

    ended = Signal(object)

    def __init__(self, parent: QObject, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._now_s = now_s
        self._until: dict[GridMark, float] = {}
        self._end = QTimer(self)
        self._end.setSingleShot(True)
        self._end.timeout.connect(self._finish)

    def add(self, unit_id: str, first: int, last: int) -> None:
        if not QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration):
            return
        mark = GridMark(kind=MarkKind.PULSE, unit_id=unit_id, first=first, last=last)
        self._until.pop(mark, None)  # the oldest stay first
        self._until[mark] = self._now_s() + PULSE_MS / 1000
        if not self._end.isActive():
            self._end.start(PULSE_MS)

    def marks(self) -> tuple[GridMark, ...]:
        return tuple(self._until)

    def _finish(self) -> None:
        now = self._now_s()
        ended = tuple(mark for mark, until in self._until.items() if until <= now)
        for mark in ended:
            del self._until[mark]
        if self._until:
            self._end.start(max(1, round((min(self._until.values()) - now) * 1000)))
        if ended:
            self.ended.emit(ended)
