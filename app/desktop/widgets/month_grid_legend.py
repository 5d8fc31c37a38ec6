"""The line under the grid that explains codes and payment marks."""

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.desktop.states import ShownState, state_label
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.month_grid_bars import paint_paid_mark
from app.desktop.widgets.month_grid_texts import paid_word
from app.desktop.widgets.paint import state_pen
from app.usecases.rows import PaidMark

_ORDER = (
    ShownState.PENDING_PAYMENT,
    ShownState.PAID_APPROVED,
    ShownState.DISPATCHED,
    ShownState.ACTIVE_RENTAL,
    ShownState.EXTENSION_PENDING,
    ShownState.OVERDUE,
    ShownState.RETURNED_PENDING_CHECK,
    ShownState.DISPUTED,
    ShownState.COMPLETED,
    ShownState.MAINTENANCE,
    ShownState.WAITLIST_HOLD,
)
_CHIP_HEIGHT = 15


class Legend(QWidget):
    """Code chips with their words at the left, payment marks at the right; what does not fit is left out whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(theme().sizes.legend)
        theme_source().changed.connect(self.update)
        self._describe()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._describe()
            self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        painter.fillRect(self.rect(), look.surface)
        painter.fillRect(0, 0, self.width(), 1, look.line_strong)
        end = self._marks(painter)
        font = look.font(TextRole.CAPTION)
        metrics = QFontMetrics(font)
        middle = self.height() / 2
        x = 12.0
        for state in _ORDER:
            word = state_label(state)
            chip = _chip_width(state)
            width = chip + 5 + metrics.horizontalAdvance(word) + 10
            if x + width > end:
                break
            _paint_chip(painter, QRectF(x, middle - _CHIP_HEIGHT / 2, chip, _CHIP_HEIGHT), state)
            painter.setFont(font)
            painter.setPen(look.muted)
            place = QRectF(x + chip + 5, 0, width, self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, word)
            x += width

    def _marks(self, painter: QPainter) -> float:
        """Draw the payment marks from the right; answers where they begin."""
        look = theme()
        font = look.font(TextRole.CAPTION)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        right = float(self.width() - 12)
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for paid in reversed(PaidMark):
            word = paid_word(paid)
            width = metrics.horizontalAdvance(word)
            right -= width
            painter.setPen(look.muted)
            painter.drawText(QRectF(right, 0, width + 2, self.height()), vertical, word)
            right -= 11
            paint_paid_mark(painter, QRectF(right, self.height() / 2 - 3.5, 7, 7), paid, look.text)
            right -= 8
        head = QCoreApplication.translate("MonthGrid", "Bayar:")
        width = metrics.horizontalAdvance(head)
        painter.setPen(look.muted)
        painter.drawText(QRectF(right - width, 0, width + 2, self.height()), vertical, head)
        return right - width - 12

    def _describe(self) -> None:
        words = ", ".join(f"{theme().state(state).code} {state_label(state)}" for state in _ORDER)
        self.setAccessibleName(f"{self.tr('Keterangan')}: {words}")


def _chip_width(state: ShownState) -> int:
    look = theme()
    width = QFontMetrics(look.font(TextRole.CAPTION, 700)).horizontalAdvance(look.state(state).code) + 8
    return width + (8 if look.state(state).dashed_tail else 0)


def _paint_chip(painter: QPainter, box: QRectF, state: ShownState) -> None:
    """A bar in small: fill, outline, code; an asked extension with its tail."""
    look = theme()
    style = look.state(state)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = 0 if style.square else 3
    shape = QPainterPath()
    shape.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.fillPath(shape, style.fill)
    painter.setClipPath(shape)
    if style.dashed_tail:
        tail = QRectF(box.right() - 9, box.top(), 9, box.height())
        painter.fillRect(tail, look.state(ShownState.PENDING_PAYMENT).fill)
    elif style.bottom_bar:
        painter.fillRect(QRectF(box.left(), box.bottom() - 3, box.width(), 2), style.border)
    painter.setClipping(False)
    painter.setPen(state_pen(style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(shape)
    painter.setFont(look.font(TextRole.CAPTION, 700))
    painter.setPen(style.text)
    place = box.adjusted(4, -0.5, 0, -0.5)
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, style.code)
    painter.restore()
