"""Where the focus goes when what had it goes away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget


class FocusHome(QObject):
    """Nobody's next key lands in the bars around the screen because a card was closed or a button went pale.

    Qt passes the focus of whatever is hidden or disabled on to the next one in the order of Tab. Where that is one of
    `bars`, or nobody at all, the screen's own place (`home`) takes it. Who steps there with Tab or the mouse stays.
    """

    def __init__(self, window: QWidget, bars: Sequence[QWidget], home: Callable[[], QWidget | None]) -> None:
        super().__init__(window)
        self._window, self._bars, self._home = window, tuple(bars), home
        QApplication.instance().focusChanged.connect(self._moved)  # type: ignore[union-attr]

    def _moved(self, old: object, new: object) -> None:
        if not isinstance(old, QWidget) or not self._window.isAncestorOf(old) or (old.isVisible() and old.isEnabled()):
            return
        if isinstance(new, QWidget) and not any(bar.isAncestorOf(new) for bar in self._bars):
            return
        home = self._home()
        if home is not None and home.isVisible() and self._window.isActiveWindow():
            home.setFocus(Qt.FocusReason.OtherFocusReason)
