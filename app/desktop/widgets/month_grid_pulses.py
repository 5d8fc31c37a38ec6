"""Cells that light up once for a moment: another counter changed them."""

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.widgets.month_grid_marks import GridMark, MarkKind

PULSE_MS = 400


class Pulses(QObject):
    """`ended` carries the marks that are to be painted over; a new pulse prolongs the ones before it."""

    ended = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._marks: list[GridMark] = []
        self._end = QTimer(self)
        self._end.setSingleShot(True)
        self._end.setInterval(PULSE_MS)
        self._end.timeout.connect(self._finish)

    def add(self, unit_id: str, first: int, last: int) -> None:
        self._marks.append(GridMark(kind=MarkKind.PULSE, unit_id=unit_id, first=first, last=last))
        self._end.start()

    def marks(self) -> tuple[GridMark, ...]:
        return tuple(self._marks)

    def _finish(self) -> None:
        ended, self._marks = tuple(self._marks), []
        self.ended.emit(ended)
