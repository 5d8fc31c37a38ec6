"""The place of short messages in the main window: one at a time, at the left above the screen's footer."""

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.theme import theme
from app.desktop.widgets.toast import NOTE_SECONDS, UNDO_SECONDS, Toast

GAP = 8


class ToastPlace:
    """Shows a toast over `window`, never over totals, buttons or a legend. `undo` is enabled while it works."""

    def __init__(self, window: QWidget, undo: QAction) -> None:
        self._window = window
        self._undo = undo
        self._toast: Toast | None = None

    def show(
        self, text: str, undo_text: str, undo: Callable[[], object] | None, seconds: int, detail: str = ""
    ) -> None:
        """Replace the toast; `seconds` 0 is 5 s for a plain note and 10 s with undo. `detail` is its tooltip."""
        self.clear()
        lasts = seconds or (NOTE_SECONDS if undo is None else UNDO_SECONDS)
        toast = Toast(text, undo_text, undo, lasts, self._window)
        toast.setToolTip(detail)
        toast.setAccessibleDescription(detail)
        toast.closed.connect(lambda: self._drop(toast))
        self._toast = toast
        self._undo.setEnabled(undo is not None)
        self.place()
        toast.show()
        toast.raise_()
        announce(self._window, text)

    def shown(self) -> Toast | None:
        """The toast that is on the screen."""
        return self._toast

    def clear(self) -> None:
        """Another screen comes, or the screen is locked: what was said belongs to the one before."""
        if self._toast is not None:
            self._toast.finish()

    def take_back(self) -> None:
        """Ctrl+Z."""
        if self._toast is not None:
            self._toast.take_back()

    def place(self) -> None:
        """Right of the rail, above the status bar and the highest footer a screen has."""
        if self._toast is not None:
            sizes = theme().sizes
            self._toast.adjustSize()
            bottom = self._window.height() - sizes.status_bar - sizes.footer_totals - GAP
            self._toast.move(sizes.rail + GAP, bottom - self._toast.height())

    def _drop(self, toast: Toast) -> None:
        if self._toast is toast:
            self._toast = None
            self._undo.setEnabled(False)
        toast.deleteLater()
