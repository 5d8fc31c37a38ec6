"""The place of short messages in the main window: at the left above the screen's footer, what can be undone lowest."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.screen import Words
from app.desktop.shell_keys import IDLE
from app.desktop.theme import theme
from app.desktop.widgets.toast import NOTE_SECONDS, UNDO_SECONDS, Toast

GAP = 8


class ToastPlace:
    """Shows toasts over `window`, never over totals, buttons, a legend or the first `inset()` pixels of a screen.

    There is one toast that undoes (`undo` is idle while there is none) and one plain note above it: a note never takes
    anybody's time to undo away.
    """

    def __init__(self, window: QWidget, undo: QAction, inset: Callable[[], int] = lambda: 0) -> None:
        self._window = window
        self._undo = undo
        undo.setProperty(IDLE, True)
        self._inset = inset
        self._undoing: Toast | None = None
        self._note: Toast | None = None
        self._words: dict[Toast, Callable[[], str]] = {}

    def show(
        self, words: Words, undo_text: str, undo: Callable[[], object] | None, seconds: int, detail: str = ""
    ) -> None:
        """Replace the toast of its kind; `seconds` 0 is 5 s for a plain note and 10 s with undo. `detail` is its
        tooltip.
        """
        lasts = seconds or (NOTE_SECONDS if undo is None else UNDO_SECONDS)
        if self._note is not None:
            self._note.finish()
        if undo is not None and self._undoing is not None:
            self._undoing.finish()
        text = words if isinstance(words, str) else words()
        toast = Toast(text, undo_text, undo, lasts, self._window)
        if not isinstance(words, str):
            self._words[toast] = words
        toast.setToolTip(detail)
        toast.setAccessibleDescription(detail)
        toast.closed.connect(lambda: self._drop(toast))
        if undo is None:
            self._note = toast
        else:
            self._undoing = toast
            self._undo.setProperty(IDLE, False)
        self.place()
        toast.show()
        toast.raise_()
        announce(self._window, text)

    def retranslate(self, undo_text: str) -> None:
        """Another language: a toast that can say itself anew does, with its time going on; any other one goes."""
        for toast in (self._note, self._undoing):
            if toast is not None and toast in self._words:
                toast.say(self._words[toast](), undo_text)
            elif toast is not None:
                toast.finish()
        self.place()

    def shown(self) -> Toast | None:
        """The newest toast on the screen."""
        return self._note or self._undoing

    def undoing(self) -> Toast | None:
        """The toast that Ctrl+Z takes back."""
        return self._undoing

    def clear(self) -> None:
        """Another screen comes, or the screen is locked: what was said belongs to the one before."""
        for toast in (self._note, self._undoing):
            if toast is not None:
                toast.finish()

    def take_back(self) -> None:
        """Ctrl+Z; it says so when there is nothing to undo any more."""
        if self._undoing is not None:
            self._undoing.take_back()
        else:
            text = QCoreApplication.translate("MainWindow", "Tidak ada lagi yang bisa diurungkan.")
            self.show(text, "", None, 0)

    def withdraw(self, undo: Callable[[], object]) -> None:
        """What this one would take back is over."""
        if self._undoing is not None and self._undoing.takes_back(undo):
            self._undoing.finish()

    def place(self) -> None:
        """Right of the rail and the screen's own head column, above the status bar and the highest footer a screen has;
        the note above the undo.
        """
        sizes = theme().sizes
        left = sizes.rail + self._inset() + GAP
        bottom = self._window.height() - sizes.status_bar - sizes.footer_totals - GAP
        for toast in (self._undoing, self._note):
            if toast is not None:
                toast.adjustSize()
                toast.move(left, bottom - toast.height())
                bottom -= toast.height() + GAP

    def _drop(self, toast: Toast) -> None:
        if self._undoing is toast:
            self._undoing = None
            self._undo.setProperty(IDLE, True)
        if self._note is toast:
            self._note = None
        self._words.pop(toast, None)
        toast.deleteLater()
        self.place()
