"""How many units are free, or in the state that is shown alone: one line where it fits, else two short ones."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.theme import TextRole, theme, theme_source

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class FreeCount(QWidget):
    """Takes the room it is given; the whole sentence is its accessible name, and its tooltip where it is short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = ""
        self._above, self._below, self._short = "", "", ""
        self._seen = 1 << 15
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme_source().changed.connect(self.update)

    def show_words(self, line: str, above: str, below: str, sentence: str = "", short: str = "") -> None:
        """The one line, and the two for where it does not fit; `short` stands above where something covers more."""
        self._line, self._above, self._below, self._short = line, above, below, short
        self.setAccessibleName(sentence or line)
        self.setToolTip(self.accessibleName())
        self.update()

    def text(self) -> str:
        """What is drawn now."""
        return self._line if self._is_one_line() else f"{self._above}\n{self._below}"

    def sentence(self) -> str:
        return self.accessibleName()

    def set_seen(self, width: int) -> None:
        """How much of the row is seen: words that something else would cut are left out."""
        if width != self._seen:
            self._seen = width
            self.update()

    def least_width(self, above: str, below: str) -> int:
        """The room that two such lines need."""
        plain = QFontMetrics(theme().font(TextRole.CAPTION))
        bold = QFontMetrics(theme().font(TextRole.CAPTION, 600))
        return max(plain.horizontalAdvance(above), bold.horizontalAdvance(below)) + 2

    def sizeHint(self) -> QSize:
        return QSize(24, theme().sizes.field)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _is_one_line(self) -> bool:
        return QFontMetrics(theme().font(TextRole.SECONDARY)).horizontalAdvance(self._line) <= self.width()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        words = (self._line, self._line) if self._is_one_line() else (self._above, self._below)
        is_cut = self.x() + self.least_width(*words) > self._seen
        above = self._short if is_cut else self._above
        if is_cut and (not self._short or self.x() + self.least_width(self._short, self._below) > self._seen):
            return
        painter = QPainter(self)
        try:
            painter.setPen(look.muted)
            if self._is_one_line() and not is_cut:
                painter.setFont(look.font(TextRole.SECONDARY))
                painter.drawText(self.rect(), _LEFT, self._line)
                return
            middle = self.height() / 2
            painter.setFont(look.font(TextRole.CAPTION))
            painter.drawText(QRectF(0, middle - 15, self.width() + 2, 15), _LEFT, above)
            painter.setFont(look.font(TextRole.CAPTION, 600))
            painter.drawText(QRectF(0, middle - 1, self.width() + 2, 15), _LEFT, self._below)
        finally:
            painter.end()
