"""Draws a bar on its way (the ghost), the place it left, a parked bar, and the handles of the bar pointed at."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.desktop.theme import Theme
from app.desktop.widgets.month_grid_ghost import HANDLE_SEEN
from app.desktop.widgets.month_grid_names import fitting_name


class GhostPainting:
    """Draws in device pixels; `ratio` is how many of them are a logical one."""

    def __init__(self, look: Theme, ratio: float) -> None:
        self._look = look
        self._ratio = ratio

    def vacated(self, painter: QPainter, box: QRectF, text: str, font: QFont) -> None:
        """Where a bar on its way, or one that waits in the lane, still is on the server: its place is free to the eye,
        its days are not. Without its colour under a thin dash, its words readable.
        """
        self._washed(painter, box)
        painter.setPen(self._dash(self._look.control, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(self._inside(box, 1), self._px(4), self._px(4))
        self._words(painter, box, text, self._look.muted, font)

    def ghost(self, painter: QPainter, box: QRectF, text: str, font: QFont, *, checking: bool) -> None:
        """Solid while the place is allowed; thin and dashed while the server is asked."""
        look = self._look
        fill = QColor(look.soft)
        fill.setAlphaF(1.0 if not checking else 0.9)
        painter.setBrush(fill)
        painter.setPen(self._dash(look.accent, 2) if checking else QPen(look.accent, self._px(2)))
        painter.drawRoundedRect(self._inside(box, 2), self._px(4), self._px(4))
        self._words(painter, box, text, look.on_soft, font)

    def handles(self, painter: QPainter, box: QRectF, which: str) -> None:
        """A grip astride each end that can be dragged (the code stays readable): a pale strip, two short lines."""
        width = min(self._px(HANDLE_SEEN), box.width() / 3)
        for side, middle in (("start", box.left()), ("end", box.right())):
            if side not in which:
                continue
            strip = QRectF(middle - width / 2, box.top(), width, box.height()).adjusted(0, self._px(1), 0, -self._px(1))
            wash = QColor(self._look.surface)
            wash.setAlphaF(0.92)
            painter.setPen(QPen(self._look.control, self._px(1)))
            painter.setBrush(wash)
            painter.drawRoundedRect(strip, self._px(3), self._px(3))
            painter.setPen(QPen(self._look.text, self._px(1)))
            for offset in (-1.5, 1.5):
                x = strip.center().x() + offset * self._ratio
                painter.drawLine(
                    QRectF(x, strip.center().y() - self._px(4), 0, self._px(8)).topLeft(),
                    QRectF(x, strip.center().y() - self._px(4), 0, self._px(8)).bottomLeft(),
                )

    def _washed(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.surface)
        over = self._px(2)
        painter.drawRect(box.adjusted(-over / 2, 0, over / 2, 0))

    def _words(self, painter: QPainter, box: QRectF, text: str, ink: QColor, font: QFont) -> None:
        painter.setPen(ink)
        painter.setFont(font)
        room = box.adjusted(self._px(6), 0, -self._px(3), 0)
        shown = ghost_words(text, QFontMetricsF(font), room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _dash(self, colour: QColor, width: float) -> QPen:
        pen = QPen(colour, self._px(width))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([2.6, 1.8])
        return pen

    def _inside(self, box: QRectF, line: float) -> QRectF:
        half = self._px(line) / 2
        return box.adjusted(half, half, -half, -half)

    def _px(self, length: float) -> int:
        return round(length * self._ratio)


def ghost_words(text: str, metrics: QFontMetricsF, room: float) -> str:
    """A bar's words as on a bar: the code whole, the name as `Bagus P.` or `Bagus` before it is cut."""
    code, _, name = text.partition(" ")
    shown = fitting_name(name, metrics, room - metrics.horizontalAdvance(f"{code} ")) if name else ""
    return f"{code} {shown}".rstrip()
