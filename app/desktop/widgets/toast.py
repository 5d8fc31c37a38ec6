"""A short message over a lower corner of a screen, with Undo; it waits while pointed at or focused."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.theme import TextRole, theme
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.label import Label
from app.desktop.widgets.paint import BoxStyle, paint_box

LEAST_WIDTH, MOST_WIDTH = 280, 448
NOTE_SECONDS, UNDO_SECONDS = 5, 10
_MOST = 16777215
"""Qt's own largest size: no bound."""


class Toast(QWidget):
    """Closes itself after its time; `closed` tells so. The time starts anew when the pointer or the focus leaves."""

    closed = Signal()

    def __init__(
        self, text: str, undo_text: str, undo: Callable[[], object] | None, seconds: int, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._undo = undo
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(seconds * 1000)
        self._timer.timeout.connect(self.finish)
        self._button: Button | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 5, 7, 6)
        row.setSpacing(10)
        self._words = Label(_breakable(text), TextRole.BASE, weight=500)
        row.addWidget(self._words)
        if undo is not None:
            self._button = Button(undo_text, key="Ctrl+Z", size=ButtonSize.SMALL, parent=self)
            self._button.clicked.connect(self.take_back)
            self._button.installEventFilter(self)
            row.addWidget(self._button)
        else:
            row.setContentsMargins(16, 10, 16, 11)
        self.setAccessibleName(text)
        self._bound()
        self._timer.start()

    def text(self) -> str:
        """What it says."""
        return self.accessibleName()

    def say(self, text: str, undo_text: str) -> None:
        """The same in another language; the time goes on."""
        self._words.setText(_breakable(text))
        if self._button is not None:
            self._button.setText(undo_text)
        self.setAccessibleName(text)
        self._words.setWordWrap(False)
        self._words.setMinimumSize(0, 0)
        self._words.setMaximumSize(_MOST, _MOST)
        self._bound()

    def _bound(self) -> None:
        """One line where it fits into two fifths of the window, else as many lines as it needs."""
        most = max(LEAST_WIDTH, min(MOST_WIDTH, self.window().width() * 2 // 5))
        if self.sizeHint().width() > most:
            room = most - (self.sizeHint().width() - self._words.sizeHint().width())
            self._words.setWordWrap(True)
            self._words.setFixedWidth(room)
            self._words.setFixedHeight(self._words.heightForWidth(room))
        self.adjustSize()

    def remaining_ms(self) -> int:
        """Milliseconds until it goes; the full time while it waits."""
        return self._timer.remainingTime() if self._timer.isActive() else self._timer.interval()

    def is_waiting(self) -> bool:
        """True while pointed at or focused."""
        return not self._timer.isActive()

    def takes_back(self, undo: Callable[[], object]) -> bool:
        """Whether that is what its button does."""
        return self._undo is undo

    def take_back(self) -> None:
        """Undo once and close."""
        undo, self._undo = self._undo, None
        self.finish()
        if undo is not None:
            undo()

    def finish(self) -> None:
        self._timer.stop()
        self.hide()
        self.closed.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self._button is None or not self._button.hasFocus():
            self._timer.start()
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The undo button's focus holds the time as the pointer does."""
        if event.type() == QEvent.Type.FocusIn:
            self._timer.stop()
        elif event.type() == QEvent.Type.FocusOut and self.isVisible() and not self.underMouse():
            self._timer.start()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            style = BoxStyle(fill=look.surface, line=look.control, radius=look.sizes.radius_card)
            paint_box(painter, QRectF(self.rect()), style)
            painter.setPen(Qt.PenStyle.NoPen)
            # Accent is for what can be done: a message that only tells has a quiet edge, whatever it tells.
            painter.setBrush(look.accent if self._button is not None else look.control)
            painter.drawRoundedRect(QRectF(6, 9, 3, self.height() - 18), 1.5, 1.5)
        finally:
            painter.end()


def _breakable(text: str) -> str:
    """A folder's long path may go on to the next line after each of its signs."""
    return text.replace("/", "/\u200b").replace("\\", "\\\u200b")
