"""Bars that show time or a share: the 6 px countdown bar, the thin moving line under a toolbar, skeleton rows."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.theme import theme


class CountdownBar(QWidget):
    """A 6 px bar, full at 1.0. It changes only when told (once a second) and never animates."""

    def __init__(self, colour: str = "accent", *, width: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 1.0
        self._colour = colour
        if width is not None:
            self.setFixedWidth(width)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def share(self) -> float:
        return self._share

    def set_share(self, share: float) -> None:
        """0.0 to 1.0; anything outside is cut."""
        self._share = min(1.0, max(0.0, share))
        self.update()

    def set_colour(self, token: str) -> None:
        """A colour token of the theme: `muted`, `accent`, `warning`, `error`."""
        self._colour = token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(64, theme().sizes.progress)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, theme().sizes.progress)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            height = look.sizes.progress
            track = QRectF(0, (self.height() - height) / 2, self.width(), height)
            painter.setBrush(look.line_strong)
            painter.drawRoundedRect(track, 3, 3)
            if self._share > 0:
                track.setWidth(max(height, track.width() * self._share))
                painter.setBrush(getattr(look, self._colour))
                painter.drawRoundedRect(track, 3, 3)
        finally:
            painter.end()


class ProgressLine(QWidget):
    """The 2 px moving line for work between 300 ms and a second. Takes its height always, so nothing jumps."""

    DELAY_MS = 300
    STEP_MS = 40

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(2)
        self._at = 0
        self._moving = False
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(self.DELAY_MS)
        self._wait.timeout.connect(self._begin)
        self._tick = QTimer(self)
        self._tick.setInterval(self.STEP_MS)
        self._tick.timeout.connect(self._step)

    def set_running(self, running: bool) -> None:
        """Start (seen after 300 ms) or stop at once."""
        if running:
            if not self._moving and not self._wait.isActive():
                self._wait.start()
            return
        self._wait.stop()
        self._tick.stop()
        self._moving = False
        self.update()

    def is_moving(self) -> bool:
        return self._moving

    def hideEvent(self, event: QHideEvent) -> None:
        self._tick.stop()
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        if self._moving:
            self._tick.start()
        super().showEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._moving:
            return
        painter = QPainter(self)
        try:
            width = self.width() // 4
            painter.fillRect(self._at % (self.width() + width) - width, 0, width, 2, theme().accent)
        finally:
            painter.end()

    def _begin(self) -> None:
        self._moving = True
        self._tick.start()
        self.update()

    def _step(self) -> None:
        self._at += max(8, self.width() // 40)
        self.update()


class Skeleton(QWidget):
    """Grey bars in the place of rows that are being read for the first time."""

    def __init__(self, rows: int, row_height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows, self._height = rows, row_height

    def sizeHint(self) -> QSize:
        return QSize(200, self._rows * self._height)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row in range(self._rows):
                top = row * self._height
                painter.fillRect(0, top + self._height - 1, self.width(), 1, look.line)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.line)
                width = self.width() * (0.35 + 0.12 * (row * 7 % 4))
                painter.drawRoundedRect(QRectF(16, top + self._height / 2 - 5, width - 32, 10), 4, 4)
        finally:
            painter.end()
