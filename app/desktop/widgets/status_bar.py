"""The line at the bottom: whether the server answers (word, colour and shape), then facts, only those that are true."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.connection import Reach
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.card import Surface


class StatusBar(Surface):
    """`set_fact(name, text)` keeps the order in which names first came; an empty text removes the fact."""

    keys_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", top_line=True, parent=parent)
        self.setFixedHeight(theme().sizes.status_bar)
        self._facts: dict[str, str] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 1, 12, 0)
        self._row.setSpacing(0)
        self.reach = ReachMark(self)
        self._row.addWidget(self.reach)
        self._paint_facts = _Facts(self)
        self._row.addWidget(self._paint_facts, 1)
        self._hint = _Hint(self)
        self._hint.pressed.connect(self.keys_wanted)
        self._row.addWidget(self._hint)

    def set_fact(self, name: str, text: str) -> None:
        if text:
            self._facts[name] = text
        else:
            self._facts.pop(name, None)
        self._paint_facts.show_facts(tuple(self._facts.values()))

    def facts(self) -> tuple[str, ...]:
        return tuple(self._facts.values())

    def set_hint(self, text: str) -> None:
        self._hint.set_text(text)


class ReachMark(QWidget):
    """Disc = online, triangle = slow, cross = offline, ring = not known yet; always with its word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reach = Reach.UNKNOWN
        self._text = ""

    def show_reach(self, reach: Reach, text: str) -> None:
        self._reach, self._text = reach, text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text

    def sizeHint(self) -> QSize:
        font = theme().font(TextRole.SECONDARY, 600 if self._reach is Reach.OFFLINE else 400)
        return QSize(14 + QFontMetrics(font).horizontalAdvance(self._text) + 2, theme().sizes.status_bar - 1)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        ink, weight = look.text, 400
        painter.setPen(Qt.PenStyle.NoPen)
        match self._reach:
            case Reach.ONLINE:
                painter.setBrush(look.online)
                painter.drawEllipse(QRectF(0, middle - 4, 8, 8))
            case Reach.SLOW:
                painter.setBrush(look.warning_mark)
                corners = [QPointF(4.5, middle - 4.5), QPointF(9, middle + 4), QPointF(0, middle + 4)]
                painter.drawPolygon(QPolygonF(corners))
            case Reach.OFFLINE:
                ink, weight = look.error, 600
                painter.setPen(QPen(look.error, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawLine(QPointF(1, middle - 3.5), QPointF(8, middle + 3.5))
                painter.drawLine(QPointF(8, middle - 3.5), QPointF(1, middle + 3.5))
            case Reach.UNKNOWN:
                painter.setPen(QPen(look.muted, 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(QRectF(0.75, middle - 3.5, 7, 7))
        painter.setFont(look.font(TextRole.SECONDARY, weight))
        painter.setPen(ink)
        place = QRectF(14, 0, self.width(), self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._text)


class _Facts(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._texts: tuple[str, ...] = ()

    def show_facts(self, texts: tuple[str, ...]) -> None:
        self._texts = texts
        self.setAccessibleName(", ".join(texts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            font = look.font(TextRole.SECONDARY)
            painter.setFont(font)
            left = 12
            for text in self._texts:
                painter.fillRect(left, 5, 1, self.height() - 10, look.line)
                painter.setPen(look.muted)
                width = QFontMetrics(font).horizontalAdvance(text)
                place = QRectF(left + 13, 0, width + 2, self.height())
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
                left += width + 25
        finally:
            painter.end()


class _Hint(QWidget):
    pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""

    def set_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(theme().font(TextRole.SECONDARY)).horizontalAdvance(self._text)
        return QSize(width + 2, theme().sizes.status_bar - 1)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setFont(theme().font(TextRole.SECONDARY))
            painter.setPen(theme().muted)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._text)
        finally:
            painter.end()
