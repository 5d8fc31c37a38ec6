"""The push button of every screen: box, icon, label and key cap in one painted widget."""

from enum import Enum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.desktop.icons import paint_icon
from app.desktop.theme import TextRole, theme, theme_source
from app.desktop.widgets.paint import (
    RING_MARGIN,
    BoxStyle,
    key_cap_width,
    key_text,
    paint_box,
    paint_key_cap,
    paint_ring,
)


class ButtonSize(Enum):
    """Height of the box in pixels, padding, and the label's type role."""

    ROW = (24, 8, TextRole.SECONDARY)
    SMALL = (28, 11, TextRole.SECONDARY)
    NORMAL = (32, 12, TextRole.BASE)
    PRIMARY = (40, 16, TextRole.BASE)
    TIGHT = (40, 9, TextRole.BASE)
    PAY = (48, 20, TextRole.SECTION)

    @property
    def height(self) -> int:
        return self.value[0]

    @property
    def padding(self) -> int:
        return self.value[1]

    @property
    def role(self) -> TextRole:
        return self.value[2]


class Button(QPushButton):
    """A button whose key is drawn on it. The key itself is a QAction of the screen (see `follow`), never the button's.

    The box is drawn RING_MARGIN px inside the widget, for the focus ring; subtract that from layout margins.
    """

    GAP = 8

    def __init__(
        self,
        text: str = "",
        *,
        key: str = "",
        icon: str = "",
        primary: bool = False,
        size: ButtonSize = ButtonSize.NORMAL,
        flat: bool = False,
        trailing_icon: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._key = key
        self._icon = icon
        self._trailing = trailing_icon
        self._primary = primary
        self._size = size
        self._second = ""
        self._quiet = False
        self._reason = ""
        self._hint = ""
        self.setFlat(flat)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        theme_source().changed.connect(self._restyle)
        self._restyle()
        self._describe()

    def follow(self, action: QAction) -> None:
        """Show an action's key, be enabled with it and trigger it: one source for key, menu and button."""
        self._key = action.shortcut().toString(QKeySequence.SequenceFormat.PortableText)
        self.setEnabled(action.isEnabled())
        action.enabledChanged.connect(self.setEnabled)
        self.clicked.connect(lambda *_: action.trigger())
        self._describe()
        self.updateGeometry()

    def set_primary(self, primary: bool) -> None:
        """The one filled button of a view; an open drawer or panel owns it, the toolbar's becomes normal."""
        if primary != self._primary:
            self._primary = primary
            self._restyle()

    def is_primary(self) -> bool:
        return self._primary

    def set_size(self, size: ButtonSize) -> None:
        """Higher or lower, where a small window asks for it."""
        if size is not self._size:
            self._size = size
            self._restyle()
            self.updateGeometry()

    def set_key(self, key: str) -> None:
        self._key = key
        self._describe()
        self.updateGeometry()
        self.update()

    def set_icon_name(self, name: str) -> None:
        self._icon = name
        self.updateGeometry()
        self.update()

    def set_second(self, text: str) -> None:
        """Muted words after the label, such as a role after a name."""
        self._second = text
        self.updateGeometry()
        self.update()

    def set_quiet(self, quiet: bool) -> None:
        """A muted label of normal weight, for a hint that can be pressed."""
        self._quiet = quiet
        self._restyle()

    def set_reason(self, reason: str) -> None:
        """Disable the button and say why in the tooltip; an empty reason enables it."""
        self._reason = reason
        self.setEnabled(not reason)
        self._describe()

    def reason(self) -> str:
        """Why it is disabled, for the message area; empty when nobody said."""
        return self._reason

    def set_hint(self, hint: str) -> None:
        """The tooltip while the button is enabled."""
        self._hint = hint
        self._describe()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._describe()
        self.updateGeometry()

    def box(self) -> QRectF:
        """The drawn box, in the widget's coordinates."""
        return QRectF(self.rect()).adjusted(RING_MARGIN, RING_MARGIN, -RING_MARGIN, -RING_MARGIN)

    def sizeHint(self) -> QSize:
        width = self._content_width() + 2 * self._size.padding
        if not self.text():
            width = max(width, self._size.height)
        return QSize(width + 2 * RING_MARGIN, self._size.height + 2 * RING_MARGIN)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the focused button, as Space does; a held key presses once."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.click()
            event.accept()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        box = self.box()
        style, ink = self._style()
        if not self.isFlat() or self.underMouse() or self.isChecked():
            paint_box(painter, box, style)
        if self.hasFocus():
            paint_ring(painter, box, style.radius)
        left = box.left() + (box.width() - self._content_width()) / 2
        middle = box.center().y()
        icon_size = self._icon_size()
        if self._icon:
            paint_icon(painter, QRectF(left, middle - icon_size / 2, icon_size, icon_size), self._icon, ink)
            left += icon_size + (self.GAP if self.text() or self._key else 0)
        if self.text():
            painter.setFont(self.font())
            painter.setPen(ink)
            width = self._text_width()
            place = QRectF(left, box.top(), width + 1, box.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
            left += width + (self.GAP if self._second or self._key or self._trailing else 0)
        if self._second:
            painter.setFont(look.font(self._size.role, 400))
            painter.setPen(look.muted)
            width = painter.fontMetrics().horizontalAdvance(self._second)
            place = QRectF(left, box.top(), width + 1, box.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._second)
            left += width + (self.GAP if self._key or self._trailing else 0)
        if self._key:
            cap = ink if self._primary and self.isEnabled() else None
            left += paint_key_cap(painter, round(left), middle, key_text(self._key), cap)
            left += self.GAP if self._trailing else 0
        if self._trailing:
            paint_icon(painter, QRectF(left, middle - 8, 16, 16), self._trailing, look.muted)

    def _style(self) -> tuple[BoxStyle, QColor]:
        look = theme()
        radius = look.sizes.radius_control
        if not self.isEnabled() and self.isChecked():
            return BoxStyle(fill=look.head, line=look.control, radius=radius), look.muted
        if not self.isEnabled():
            return BoxStyle(fill=look.head, line=look.line, radius=radius), look.disabled_text
        if self._primary:
            fill = QColor(look.accent)
            if self.isDown():
                fill = fill.darker(118)
            elif self.underMouse():
                fill = fill.darker(107)
            return BoxStyle(fill=fill, line=fill, radius=radius), look.on_accent
        if self.isChecked():
            return BoxStyle(fill=look.soft, line=look.accent, radius=radius), look.on_soft
        fill = look.head if self.isDown() or self.underMouse() else look.surface
        ink = look.muted if self._quiet else look.text
        return BoxStyle(fill=fill, line=look.line_strong, bottom=look.control, radius=radius), ink

    def _content_width(self) -> int:
        parts = []
        if self._icon:
            parts.append(self._icon_size())
        if self.text():
            parts.append(self._text_width())
        if self._second:
            parts.append(QFontMetrics(theme().font(self._size.role, 400)).horizontalAdvance(self._second))
        if self._key:
            parts.append(key_cap_width(key_text(self._key)))
        if self._trailing:
            parts.append(16)
        return sum(parts) + self.GAP * max(0, len(parts) - 1)

    def _text_width(self) -> int:
        return QFontMetrics(self.font()).horizontalAdvance(self.text())

    def _icon_size(self) -> int:
        return 16 if self._size in (ButtonSize.ROW, ButtonSize.SMALL, ButtonSize.NORMAL) else 18

    def _restyle(self) -> None:
        weight = QFont.Weight.Normal if self._quiet else QFont.Weight.Medium
        if self._primary or self._size is ButtonSize.PAY:
            weight = QFont.Weight.DemiBold
        self.setFont(theme().font(self._size.role, int(weight)))
        self.updateGeometry()
        self.update()

    def _describe(self) -> None:
        key = key_text(self._key) if self._key else ""
        name = self.text() or self._hint
        self.setAccessibleName(f"{name}, {key}" if key else name)
        self.setAccessibleDescription(self._reason)
        self.setToolTip(self._reason or self._hint)
