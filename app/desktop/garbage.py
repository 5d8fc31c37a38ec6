"""Cycles of Python objects are looked for in the window's thread only.

Python looks for them in whichever thread allocates next. A cycle with a widget in it would then be taken apart in the
thread of a use case, behind Qt's back, and the window crashes at its next event.
"""

import gc

from PySide6.QtCore import QObject, QTimer

from app.desktop.garbage_due import collect_what_is_due

LOOK_MS = 1_000


class WindowsOwnGarbage(QObject):
    """From here on nobody but this object's timer looks for cycles, as often as Python would; `close` gives it back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(collect_what_is_due)
        self._timer.start()

    def close(self) -> None:
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
