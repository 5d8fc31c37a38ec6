"""The card that refuses days: the reason, what is kept, and up to three ways on with one key each."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.icons import paint_icon
from app.desktop.screens.calendar_bubbles import IconLabel
from app.desktop.screens.refusal_facts import RefusalAction, RefusalFacts
from app.desktop.states import ShownState
from app.desktop.theme import TextRole, theme
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.close_hint import CloseHint
from app.desktop.widgets.label import Label, StateChip, Tone
from app.desktop.widgets.paint import paint_key_cap, paint_ring
from app.desktop.widgets.popover import NOTCH, Popover

CARD_WIDTH = 436 + 2 * NOTCH
LEAST_WIDTH = 360
"""On a small screen the card is narrower rather than cut or over what it speaks of."""
LOW_GRID = 330
"""Below this height of the grid its lines stand closer."""
_ACTION_HEIGHT = 48
_FACTS_ROOM = 16 + 62 + 8 + 14
"""What margins and names take beside the facts."""
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class RefusalCard(Popover):
    """`chosen` carries the RefusalAction, `closed` follows Esc. Keys 1, 2, 3 and W act from anywhere in the card."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.facts: RefusalFacts | None = None
        self.setFixedWidth(CARD_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pad(0, 10)
        self.body.setSpacing(0)
        self._rows: list[tuple[Label, Label]] = []
        top = QWidget()
        self._column = column = QVBoxLayout(top)
        head = QHBoxLayout()
        head.setSpacing(8)
        top_edge = Qt.AlignmentFlag.AlignTop
        head.addWidget(IconLabel("warning", "error", 18), 0, top_edge)
        self.title = Label("", TextRole.SECTION, Tone.ERROR)
        self.title.setWordWrap(True)
        head.addWidget(self.title, 1)
        head.addWidget(CloseHint(), 0, top_edge)
        column.addLayout(head)
        for index in range(3):
            row = QHBoxLayout()
            row.setSpacing(8)
            name, value = Label("", TextRole.SECONDARY, Tone.MUTED), Label("")
            name.setFixedWidth(62)
            value.setWordWrap(True)
            row.addWidget(name, 0, top_edge)
            if index == 0:
                self._taken = QGridLayout()
                self._taken.setHorizontalSpacing(8)
                self._taken.setVerticalSpacing(3)
                self._taken.setColumnStretch(2, 1)
                row.addLayout(self._taken, 1)
            else:
                row.addWidget(value, 1)
            self._rows.append((name, value))
            column.addLayout(row)
        self._chip = StateChip(ShownState.PAID_APPROVED)
        self._number = Label("")
        self._taken.addWidget(self._rows[0][1], 0, 0)
        self._taken.addWidget(self._chip, 0, 1, top_edge)
        self._taken.addWidget(self._number, 1, 0, top_edge)
        self.body.addWidget(top)
        self.body.addWidget(Hairline())
        self._actions = QVBoxLayout()
        self._actions.setContentsMargins(5, 5, 5, 0)
        self._actions.setSpacing(0)
        self.body.addLayout(self._actions)
        self.buttons: list[ActionRow] = []

    def show_facts(self, facts: RefusalFacts, room: int = CARD_WIDTH) -> None:
        """Fill the card in; place it afterwards, call `take_focus`. `room` is what it has beside the refused days."""
        self.facts = facts
        self._space_out()
        self.setFixedWidth(room if LEAST_WIDTH <= room < CARD_WIDTH else CARD_WIDTH)
        self.title.setText(_tied(facts))
        names = (self.tr("Terpakai"), self.tr("Unit lain"), self.tr("Booking") if facts.is_change else self.tr("Isian"))
        for (name, value), label, text in zip(self._rows, names, (facts.taken, facts.others, facts.kept), strict=True):
            name.setText(label)
            value.setText(text)
            name.setVisible(bool(text))
            value.setVisible(bool(text))
        self._chip.setVisible(facts.taken_state is not None)
        if facts.taken_state is not None:
            self._chip.set_state(facts.taken_state)
        self._place_chip()
        for old in self.buttons:
            self._actions.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.buttons = [ActionRow(action, self.width(), self) for action in facts.actions]
        for button in self.buttons:
            button.clicked.connect(lambda _checked=False, action=button.action: self.chosen.emit(action))
            self._actions.addWidget(button)
            # A card that is open already shows a new child only later, too late for the focus.
            button.setVisible(True)
        self.setAccessibleName(". ".join(part for part in (facts.title, facts.taken, facts.others, facts.kept) if part))

    def _space_out(self) -> None:
        """A low grid (a small screen, or 150 %) gets the lines closer, so that the last way is not below its edge."""
        grid = self.parentWidget()
        is_low = grid is not None and grid.height() < LOW_GRID
        self.pad(0, 4 if is_low else 10)
        self._column.setContentsMargins(16, 0, 14, 4 if is_low else 8)
        self._column.setSpacing(2 if is_low else 5)

    def _place_chip(self) -> None:
        """Right behind the words where both fit in one line, else below them, behind the number when there is one: the
        sentence is never parted by it."""
        words, number = self._rows[0][1], self._number
        room = self.width() - 2 * NOTCH - 2 - _FACTS_ROOM
        measure = words.fontMetrics().horizontalAdvance
        beside = measure(words.text()) + 10 + self._chip.sizeHint().width() <= room
        for widget in (words, number, self._chip):
            self._taken.removeWidget(widget)
        left_top = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        sentence, _, last = words.text().rpartition(" · ")
        number.setVisible(bool(sentence) and not beside and self._chip.isVisibleTo(self))
        if beside:
            self._taken.addWidget(words, 0, 0)
            self._taken.addWidget(self._chip, 0, 1, left_top)
            return
        self._taken.addWidget(words, 0, 0, 1, 3)
        if number.isVisibleTo(self):
            words.setText(sentence)
            number.setText(last)
            self._taken.addWidget(number, 1, 0, left_top)
        self._taken.addWidget(self._chip, 1, int(number.isVisibleTo(self)), 1, 2, left_top)

    def take_focus(self) -> None:
        """The first action is ready for Enter."""
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self.setFocus(Qt.FocusReason.PopupFocusReason)

    def press(self, key: str) -> bool:
        """Act on a key of the card; False when no action has it."""
        for button in self.buttons:
            if button.action.key == key.upper():
                button.click()
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif not self.press(event.text()):
            # Nothing else reaches the grid underneath while the card asks.
            event.accept()

    def _step(self, by: int) -> None:
        at = next((index for index, button in enumerate(self.buttons) if button.hasFocus()), 0)
        if self.buttons:
            self.buttons[(at + by) % len(self.buttons)].setFocus(Qt.FocusReason.TabFocusReason)


class ActionRow(QAbstractButton):
    """Key cap, bold verb, muted consequence, chevron."""

    def __init__(self, action: RefusalAction, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.action = action
        self.setText(action.verb)
        self.setAccessibleName(f"{action.verb}, {action.key}")
        self.setAccessibleDescription(action.consequence)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(self._height_for(width - 2 * NOTCH - 12))

    def sizeHint(self) -> QSize:
        return QSize(300, self.height())

    def _height_for(self, width: int) -> int:
        """Two lines, or as many as verb and consequence need at this width."""
        room = width - 6 - 48 - 30
        return max(_ACTION_HEIGHT, sum(_text_height(*part, room) for part in self._parts()) + 14)

    def _parts(self) -> tuple[tuple[QFont, str], tuple[QFont, str]]:
        look = theme()
        return (
            (look.font(TextRole.BASE, 600), self.action.verb),
            (look.font(TextRole.SECONDARY), self.action.consequence),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.click()
            return
        if event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
            return
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme()
        painter = QPainter(self)
        try:
            box = QRectF(self.rect()).adjusted(3, 3, -3, -3)
            if self.underMouse() or self.isDown():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.soft)
                painter.drawRoundedRect(box, look.sizes.radius_control, look.sizes.radius_control)
            if self.hasFocus():
                paint_ring(painter, box.adjusted(1, 1, -1, -1), 5)
            paint_key_cap(painter, box.left() + 14, box.center().y(), self.action.key)
            x = box.left() + 48
            room = int(box.right() - 30 - x)
            heights = [_text_height(*part, room) for part in self._parts()]
            y = box.center().y() - sum(heights) / 2
            for (font, text), height, ink in zip(self._parts(), heights, (look.text, look.muted), strict=True):
                painter.setFont(font)
                painter.setPen(ink)
                painter.drawText(QRectF(x, y, room, height), _WRAPPED, text)
                y += height
            chevron = QRectF(box.right() - 24, box.center().y() - 7, 14, 14)
            paint_icon(painter, chevron, "chevron_right", look.muted)
        finally:
            painter.end()


def _text_height(font: QFont, text: str, room: int) -> int:
    """The height of a text that is wrapped at this width."""
    return QFontMetrics(font).boundingRect(QRect(0, 0, room, 1000), int(_WRAPPED), text).height() + 1


def _tied(facts: RefusalFacts) -> str:
    """The title; its plate and its days each stay on one line."""
    found = facts.title
    for part in (facts.plate, facts.when):
        found = found.replace(part, part.replace(" ", "\u00a0")) if part else found
    return found
