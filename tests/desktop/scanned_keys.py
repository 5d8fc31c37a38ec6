"""Keys as a scanner sends them: the times in the events are given, so that a busy machine cannot pull them apart."""

import itertools

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication

GAP_MS = 10
_SHIFT, _NO_KEY = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
_KEYS = {"\n": Qt.Key.Key_Return, "-": Qt.Key.Key_Minus}
_STEPS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
_moments = itertools.count(1_000_000, 10_000)
"""Far from each other: one burst never goes on with another."""


def send_keys(window: QWindow, text: str, gap: int = GAP_MS) -> None:
    """Each sign pressed and let go, `gap` milliseconds after the one before, as the window system brings them."""
    start = next(_moments)
    for place, sign in enumerate(text):
        key = _KEYS.get(sign) or Qt.Key(ord(sign.upper()))
        written = "\r" if sign == "\n" else sign
        for step in _STEPS:
            event = QKeyEvent(step, key, _SHIFT if sign.isupper() else _NO_KEY, written)
            event.setTimestamp(start + place * gap)
            event.ignore()
            QApplication.sendEvent(window, event)
