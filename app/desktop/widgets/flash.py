"""A frame around the window that is seen for a moment: a code was taken, or refused. The words come in a note."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.desktop.theme import theme

SHOWN_MS = 450
WIDTH = 4


class Flash(QWidget):
    """Once per call and well below three a second; it takes no clicks and no focus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.is_good = True
        self._end = QTimer(self)
        self._end.setSingleShot(True)
        self._end.setInterval(SHOWN_MS)
        self._end.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    def show_answer(self, *, is_good: bool) -> None:
        """Green for taken, red for refused."""
        parent = self.parentWidget()
        self.is_good = is_good
        if parent is not None:
            self.setGeometry(parent.rect())
        self.show()
        self.raise_()
        self.update()
        self._end.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            look = theme()
            pen = QPen(look.success if self.is_good else look.error, WIDTH)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            half = WIDTH // 2
            painter.drawRect(self.rect().adjusted(half, half, -half, -half))
        finally:
            painter.end()
