"""A box to tick, in the theme's colours: the style's own cannot be seen on a dark ground."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox

from app.desktop.icons import paint_icon
from app.desktop.theme import theme
from app.desktop.widgets.paint import BoxStyle, paint_box, paint_ring

_BOX = 16


class TickBox(QCheckBox):
    """A box of 16 px; its whole area can be pressed."""

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            box = QRectF(1, (self.height() - _BOX) / 2, _BOX, _BOX)
            fill = look.accent if self.isChecked() else look.surface
            line = look.accent if self.isChecked() else look.control if self.isEnabled() else look.line
            paint_box(painter, box, BoxStyle(fill=fill, line=line, radius=4))
            if self.isChecked():
                paint_icon(painter, box.adjusted(2, 2, -2, -2), "check", look.surface)
            if self.hasFocus():
                paint_ring(painter, box, 4)
            painter.setFont(self.font())
            painter.setPen(look.text if self.isEnabled() else look.muted)
            place = QRectF(box.right() + 7, 0, self.width() - box.right() - 7, self.height())
            text = QFontMetricsF(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        finally:
            painter.end()

    def sizeHint(self) -> QSize:
        return QSize(_BOX + 10 + int(QFontMetricsF(self.font()).horizontalAdvance(self.text())), 26)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)
