"""The input box of every form: border and ring painted around a frameless edit, with prefix, suffix, key cap."""

from enum import Enum

from PySide6.QtCore import QEvent, QMargins, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

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


class FieldSize(Enum):
    """Height of the box, side padding, type role of what is typed."""

    SMALL = (28, 8, TextRole.BASE)
    NORMAL = (32, 9, TextRole.BASE)
    TALL = (40, 10, TextRole.BASE)
    AMOUNT = (48, 16, TextRole.AMOUNT)

    @property
    def height(self) -> int:
        return self.value[0]

    @property
    def padding(self) -> int:
        return self.value[1]

    @property
    def role(self) -> TextRole:
        return self.value[2]


class Field(QFrame):
    """One input. Focus goes to the edit inside; the ring is drawn around the whole box.

    `typed` on every change by the person, `committed` on Enter and on leaving the field with changed text. `noted` when
    what `echo` or `problem` say may be different: the line below the field reads them again.
    """

    typed = Signal(str)
    committed = Signal()
    noted = Signal()

    def __init__(
        self,
        name: str,
        *,
        placeholder: str = "",
        prefix: str = "",
        suffix: str = "",
        key: str = "",
        icon: str = "",
        size: FieldSize = FieldSize.NORMAL,
        align_right: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._prefix, self._suffix, self._key, self._icon = prefix, suffix, key, icon
        self._size = size
        self._wrong = False
        self._committed_text = ""
        self.edit = QLineEdit(self)
        self.edit.setFrame(False)
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        if align_right:
            self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.installEventFilter(self)
        self.edit.textEdited.connect(self.typed)
        self.edit.editingFinished.connect(self._finish)
        self.setFocusProxy(self.edit)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(8)
        self._row.addWidget(self.edit)
        self.set_name(name)
        theme_source().changed.connect(self._restyle)
        self._restyle()

    def set_name(self, name: str) -> None:
        """The label, for screen readers; the visible label is a widget of its own."""
        self.edit.setAccessibleName(name)

    def name(self) -> str:
        return self.edit.accessibleName()

    def set_description(self, text: str) -> None:
        """Unit, format or key, read after the name."""
        self.edit.setAccessibleDescription(text)

    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)
        self._committed_text = text

    def set_placeholder(self, text: str) -> None:
        self.edit.setPlaceholderText(text)

    def set_suffix(self, text: str) -> None:
        """The muted text at the right inside the box."""
        if text != self._suffix:
            self._suffix = text
            self._set_margins()

    def suffix(self) -> str:
        return self._suffix

    def set_prefix(self, text: str) -> None:
        self._prefix = text
        self._set_margins()

    def set_wrong(self, wrong: bool) -> None:
        """Draw the box in the error colour; the sentence stands below the field or in the message area."""
        self._wrong = wrong
        self.update()
        self.noted.emit()

    def echo(self) -> str:
        """How what was typed is understood, for the line below; empty when nothing needs to be said."""
        return ""

    def problem(self) -> str:
        """What is wrong with what was typed, naming the field; empty while it is right or still being typed."""
        return ""

    def is_wrong(self) -> bool:
        return self._wrong

    def set_reason(self, reason: str) -> None:
        """Make the field read-only and say why; what was typed keeps its full contrast. Empty makes it editable."""
        self.edit.setReadOnly(bool(reason))
        self.setToolTip(reason)
        self.edit.setToolTip(reason)
        self.update()

    def add_widget(self, widget: QWidget) -> None:
        """Put a small button at the right inside the box."""
        self._row.addWidget(widget)

    def box(self) -> QRectF:
        """The drawn box, in the widget's coordinates."""
        return QRectF(self.rect()).adjusted(RING_MARGIN, RING_MARGIN, -RING_MARGIN, -RING_MARGIN)

    def sizeHint(self) -> QSize:
        return QSize(280 if self._size is FieldSize.AMOUNT else 160, self._size.height + 2 * RING_MARGIN)

    def minimumSizeHint(self) -> QSize:
        return QSize(56, self._size.height + 2 * RING_MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Repaint the ring as the focus comes and goes; let a field take keys before the edit (`key_pressed`)."""
        kind = event.type()
        if kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        elif kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._has_nothing_to_undo(event):
            event.ignore()
            return True
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.key_pressed(event):
            return True
        return super().eventFilter(watched, event)

    def _has_nothing_to_undo(self, event: QKeyEvent) -> bool:
        """Ctrl+Z in an untouched field belongs to the window: it takes back the last action."""
        return event.matches(QKeySequence.StandardKey.Undo) and not self.edit.isUndoAvailable()

    def key_pressed(self, event: QKeyEvent) -> bool:
        """For subclasses: True takes the key away from the edit."""
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        look = theme()
        box = self.box()
        editable = self.isEnabled() and not self.edit.isReadOnly()
        line = look.error if self._wrong else look.control if self.isEnabled() else look.line
        paint_box(
            painter,
            box,
            BoxStyle(fill=look.surface if editable else look.head, line=line, radius=look.sizes.radius_control),
        )
        if self.edit.hasFocus():
            paint_ring(painter, box, look.sizes.radius_control)
        middle = box.center().y()
        left = box.left() + self._size.padding
        if self._icon:
            paint_icon(painter, QRectF(left, middle - 8, 16, 16), self._icon, look.muted)
            left += 24
        painter.setFont(self._affix_font())
        painter.setPen(look.muted)
        vertical = Qt.AlignmentFlag.AlignVCenter
        if self._prefix:
            place = QRectF(left, box.top(), box.width(), box.height())
            painter.drawText(place, vertical | Qt.AlignmentFlag.AlignLeft, self._prefix)
        right = box.right() - self._size.padding
        if self._key:
            text = key_text(self._key)
            right -= key_cap_width(text)
            paint_key_cap(painter, round(right), middle, text)
            right -= 6
        if self._suffix:
            painter.setFont(self._affix_font())
            painter.setPen(look.muted)
            place = QRectF(box.left(), box.top(), right - box.left(), box.height())
            painter.drawText(place, vertical | Qt.AlignmentFlag.AlignRight, self._suffix)

    def _affix_font(self) -> QFont:
        return theme().font(TextRole.SECTION if self._size is FieldSize.AMOUNT else TextRole.SECONDARY, 400)

    def _set_margins(self) -> None:
        metrics = QFontMetrics(self._affix_font())
        left = right = RING_MARGIN + self._size.padding
        if self._icon:
            left += 24
        if self._prefix:
            left += metrics.horizontalAdvance(self._prefix) + 6
        if self._key:
            right += key_cap_width(key_text(self._key)) + 6
        if self._suffix:
            right += metrics.horizontalAdvance(self._suffix) + 6
        self._row.setContentsMargins(QMargins(left, RING_MARGIN + 1, right, RING_MARGIN + 1))
        self.update()

    def _finish(self) -> None:
        if self.edit.hasFocus() or self.edit.text() != self._committed_text:
            self._committed_text = self.edit.text()
            self.committed.emit()

    def _restyle(self) -> None:
        look = theme()
        self.edit.setFont(look.font(self._size.role, 600 if self._size is FieldSize.AMOUNT else 400))
        palette = QPalette(look.palette())
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            palette.setBrush(role, Qt.GlobalColor.transparent)
            palette.setBrush(QPalette.ColorGroup.Disabled, role, Qt.GlobalColor.transparent)
        self.edit.setPalette(palette)
        self._set_margins()
