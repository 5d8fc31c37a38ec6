"""How old the days on the grid are while the database does not answer: one large figure over the calendar."""

import datetime as dt

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.desktop.connection import Reach
from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.main_window import MainWindow
from app.desktop.screen import ScreenKey
from app.desktop.theme import TextRole, theme

STEP_MS = 1000
MARGIN = 24
PADDING = 16


class AgePlate(QWidget):
    """A word and a large figure. The pointer goes through it: what lies under it can still be looked at."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._word = self._age = ""
        self.hide()

    def show_age(self, word: str, age: str) -> None:
        """Both at once; the size follows."""
        if (word, age) != (self._word, self._age):
            self._word, self._age = word, age
            self.setAccessibleName(f"{word} {age}")
            self.resize(self.sizeHint())
            self.update()

    def text(self) -> str:
        return f"{self._word} {self._age}"

    def sizeHint(self) -> QSize:
        word = QFontMetrics(theme().font(TextRole.SECONDARY)).horizontalAdvance(self._word)
        age = QFontMetrics(theme().font(TextRole.TOTAL)).horizontalAdvance(self._age)
        return QSize(max(word, age) + 2 * PADDING + 2, 72)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            look = theme()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.warning_mark, 1))
            painter.setBrush(look.surface)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            inside = self.rect().adjusted(PADDING, 8, -PADDING, -8)
            painter.setPen(look.muted)
            painter.setFont(look.font(TextRole.SECONDARY))
            painter.drawText(inside, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, self._word)
            painter.setPen(look.text)
            painter.setFont(look.font(TextRole.TOTAL))
            painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, self._age)
        finally:
            painter.end()


class OfflineAge(QObject):
    """Shows the plate over the calendar while the connection is OFFLINE, counting by the server's time carried on."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.plate = AgePlate(window.stack)
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self.show_now)
        window.connection.reach_changed.connect(self._reach_changed)
        window.stack.currentChanged.connect(self.show_now)
        window.stack.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LanguageChange):
            self.show_now()
        return super().eventFilter(watched, event)

    def show_now(self) -> None:
        """The age at this moment, in its corner; hidden where it says nothing."""
        connection, stack = self._window.connection, self._window.stack
        now, last = connection.now(), connection.last_answer_at()
        wanted = connection.reach is Reach.OFFLINE and self._window.current_key() is ScreenKey.CALENDAR
        if not wanted or now is None or last is None:
            self.plate.hide()
            return
        at = clock(last, self._window.who.zone, language(), seconds=True)
        self.plate.show_age(self.tr("Data dari {time}, umurnya").format(time=at), self._words(now - last))
        self.plate.move(stack.width() - self.plate.width() - MARGIN, stack.height() - self.plate.height() - 2 * MARGIN)
        self.plate.show()
        self.plate.raise_()

    def _reach_changed(self) -> None:
        offline = self._window.connection.reach is Reach.OFFLINE
        if offline:
            self._timer.start()
        else:
            self._timer.stop()
        self.show_now()

    def _words(self, age: dt.timedelta) -> str:
        seconds = max(0, int(age.total_seconds()))
        if seconds < 60:
            return self.tr("{seconds} dtk").format(seconds=seconds)
        if seconds < 3600:
            return self.tr("{minutes} mnt {seconds} dtk").format(minutes=seconds // 60, seconds=seconds % 60)
        return self.tr("{hours} jam {minutes} mnt").format(hours=seconds // 3600, minutes=seconds % 3600 // 60)
