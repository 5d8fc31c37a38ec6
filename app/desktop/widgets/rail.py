"""One place of the rail: icon, word, accent edge when active, a count badge."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.paint import key_text, paint_ring

LOWEST = 38


class RailItem(QToolButton):
    """Checkable; the key is shown in the tooltip and handled by the window."""

    def __init__(self, icon: str, text: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._key = key
        self._count = 0
        self._reason = ""
        self.setCheckable(True)
        self.setAutoExclusive(False)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
        self.set_word(text)

    def set_word(self, text: str) -> None:
        self.setText(text)
        self._describe()

    def set_count(self, count: int) -> None:
        """The badge; 0 hides it."""
        self._count = count
        self._describe()
        self.update()

    def count(self) -> int:
        return self._count

    def set_reason(self, reason: str) -> None:
        """Disable with a reason in the tooltip; empty enables."""
        self._reason = reason
        self.setEnabled(not reason)
        self._describe()

    def sizeHint(self) -> QSize:
        sizes = theme().sizes
        return QSize(sizes.rail - 1, sizes.rail_item)

    def minimumSizeHint(self) -> QSize:
        """Lower where the window is low (150 % on a small screen): icon and word still fit."""
        return QSize(theme().sizes.rail - 1, LOWEST)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        active = self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if active:
            painter.fillRect(self.rect(), look.soft)
            painter.fillRect(0, 0, 3, self.height(), look.accent)
        elif self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), look.head)
        ink = look.accent if active else look.muted if self.isEnabled() else look.disabled_text
        size = look.sizes.rail_icon
        top = (self.height() - LOWEST + 2) / 2
        icon_area = QRectF((self.width() - size) / 2, top, size, size)
        painter.setOpacity(1.0 if self.isEnabled() else 0.55)
        paint_icon(painter, icon_area, self._icon, look.accent if active else look.text if self.isEnabled() else ink)
        painter.setOpacity(1.0)
        font = look.font(TextRole.RAIL, 600 if active else 400)
        painter.setFont(font)
        painter.setPen(ink if active or not self.isEnabled() else look.text)
        painter.drawText(QRectF(-4, top + 22, self.width() + 8, 14), Qt.AlignmentFlag.AlignCenter, self.text())
        if self._count:
            self._paint_badge(painter)
        if self.hasFocus():
            paint_ring(painter, QRectF(self.rect()).adjusted(4, 4, -4, -4), 4)

    def _paint_badge(self, painter: QPainter) -> None:
        look = theme()
        text = str(self._count) if self._count < 100 else "99+"
        font = look.font(TextRole.RAIL, 600)
        width = max(look.sizes.badge, QFontMetricsF(font).horizontalAdvance(text) + 7)
        badge = QRectF(QPointF(self.width() - width - 3, 3), QPointF(self.width() - 3, 3 + look.sizes.badge))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.text)
        painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2)
        painter.setFont(font)
        painter.setPen(look.surface)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)

    def _describe(self) -> None:
        key = key_text(self._key)
        name = f"{self.text()}, {self._count}" if self._count else self.text()
        self.setAccessibleName(f"{name}, {key}")
        self.setAccessibleDescription(self._reason)
        self.setToolTip(f"{self.text()} ({key})" + (f"\n{self._reason}" if self._reason else ""))
