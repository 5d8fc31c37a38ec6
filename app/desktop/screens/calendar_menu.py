"""A short list of verbs beside a cell: the context menu, and every question that one key answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.theme import TextRole, theme
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.close_hint import CloseHint
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.paint import key_cap_width, key_text, paint_key_cap, paint_ring
from app.desktop.widgets.popover import Popover

MENU_WIDTH = 300
_LINE, _WITH_REASON, _LEAST_LINE = 28, 42, 24
_HEAD = 76
"""Title, line and edges around the lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuLine:
    """`name` comes back when it is chosen; a `reason` disables it and is read under the words."""

    name: str
    text: str
    key: str
    reason: str = ""


class VerbMenu(Popover):
    """`chosen` carries a line's name; `closed` follows Esc (nothing was chosen).

    Each line's key works from anywhere in the menu.
    """

    chosen = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, notch=False)
        self.setFixedWidth(MENU_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pad(0, 6)
        self.body.setSpacing(0)
        self._head = QWidget()
        column = QVBoxLayout(self._head)
        column.setContentsMargins(13, 2, 13, 6)
        column.setSpacing(1)
        self._title = Label("", TextRole.BASE, weight=600)
        self._title.setWordWrap(True)
        self._close = CloseHint()
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self._title, 1)
        first.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._text = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._text.setWordWrap(True)
        column.addLayout(first)
        column.addWidget(self._text)
        self.body.addWidget(self._head)
        self._rule = Hairline()
        self.body.addWidget(self._rule)
        self._list = QVBoxLayout()
        self._list.setContentsMargins(4, 4, 4, 0)
        self._list.setSpacing(0)
        self.body.addLayout(self._list)
        self.rows: list[VerbRow] = []

    def show_lines(self, title: str, text: str, lines: Sequence[MenuLine], *, room: int = 10_000) -> None:
        """Fill in; place it afterwards and call `take_focus`. Where `room` pixels of height are too little for reasons
        on lines of their own they stand beside the words, and the lines move closer together as far as that helps.
        """
        needed = _HEAD + sum(_WITH_REASON if line.reason else _LINE for line in lines)
        height = max(_LEAST_LINE, min(_LINE, (room - _HEAD) // max(1, len(lines))))
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        for old in self.rows:
            self._list.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.rows = [VerbRow(line, self, beside=needed > room, height=height) for line in lines]
        for row in self.rows:
            row.clicked.connect(lambda _checked=False, name=row.line.name: self._choose(name))
            self._list.addWidget(row)
            row.setVisible(True)
        self.setAccessibleName(f"{title}. {text}".strip(". "))

    def take_focus(self) -> None:
        """The first line that works is ready for Enter."""
        first = next((row for row in self.rows if row.isEnabled()), None)
        (first or self).setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.close_menu()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = next((row for row in self.rows if row.hasFocus()), None)
            if focused is not None:
                focused.click()
        else:
            pressed = QKeySequence(event.keyCombination())
            named = next((row for row in self.rows if row.isEnabled() and QKeySequence(row.line.key) == pressed), None)
            if named is not None:
                named.click()
        # Nothing else reaches the grid underneath while the menu is open.
        event.accept()

    def close_menu(self) -> bool:
        """Close it; False when it was not open."""
        if not self.isVisible():
            return False
        self.hide()
        self.closed.emit()
        return True

    def _choose(self, name: str) -> None:
        self.hide()
        self.chosen.emit(name)

    def _step(self, by: int) -> None:
        usable = [row for row in self.rows if row.isEnabled()]
        if usable:
            at = next((number for number, row in enumerate(usable) if row.hasFocus()), -1 if by > 0 else 0)
            usable[(at + by) % len(usable)].setFocus(Qt.FocusReason.TabFocusReason)


class VerbRow(QAbstractButton):
    """Words at the left, key cap at the right; disabled with its reason below, or beside the words."""

    def __init__(self, line: MenuLine, parent: QWidget, *, beside: bool = False, height: int = _LINE) -> None:
        super().__init__(parent)
        self.line = line
        self.setText(line.text)
        self.setEnabled(not line.reason)
        key = key_text(line.key)
        self.setAccessibleName(f"{line.text}, {key}")
        self.setAccessibleDescription(line.reason)
        self.setToolTip(line.reason)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._beside = beside
        self._line_height = height
        self.setFixedHeight(_WITH_REASON if line.reason and not beside else height)

    def sizeHint(self) -> QSize:
        return QSize(MENU_WIDTH - 20, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            if self.isEnabled() and (self.underMouse() or self.hasFocus()):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.soft)
                painter.drawRoundedRect(box, look.sizes.radius_bar, look.sizes.radius_bar)
            if self.hasFocus():
                paint_ring(painter, box.adjusted(2, 2, -2, -2), 3)
            words = key_text(self.line.key)
            cap = key_cap_width(words)
            room = QRectF(box.left() + 10, box.top(), box.width() - cap - 28, self._line_height - 2)
            painter.setFont(look.font(TextRole.BASE))
            painter.setPen(look.text if self.isEnabled() else look.disabled_text)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.line.text)
            used = painter.fontMetrics().horizontalAdvance(self.line.text) + 10
            paint_key_cap(painter, box.right() - 10 - cap, box.top() + (self._line_height - 2) / 2, words)
            if self.line.reason:
                font = look.font(TextRole.CAPTION)
                painter.setFont(font)
                painter.setPen(look.muted)
                below = QRectF(room.left(), room.bottom() - 6, box.width() - 20, 18)
                if self._beside:
                    below = room.adjusted(used, 0, 0, 0)
                reason = QFontMetrics(font).elidedText(
                    self.line.reason, Qt.TextElideMode.ElideRight, int(below.width())
                )
                painter.drawText(below, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, reason)
        finally:
            painter.end()
