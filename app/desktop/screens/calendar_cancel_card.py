"""A question over the calendar that loses nothing: what is beside it goes on working, Esc keeps things as they are."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.popover import Popover

WIDTH = 388
MOST_REASON = 500
_MESSAGE_LINES = 2
_NOT_HERE = (Qt.Key.Key_F4, Qt.Key.Key_F7, Qt.Key.Key_F8, Qt.Key.Key_F9)
_NOT_HERE_WITH_CTRL = (Qt.Key.Key_D, Qt.Key.Key_U, Qt.Key.Key_P, Qt.Key.Key_H, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class QuestionCard(Popover):
    """Title, what it is about, a message area that is always there, and two buttons: the verb, and keeping it.

    `closed` follows Esc and the second button. Keys that book, pay, print or hand out rest while the focus is in here.
    """

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, notch=False)
        self.setFixedWidth(WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pad(13, 11)
        self.body.setSpacing(3)
        self.title = Label("", TextRole.SECTION)
        self.about = Label("", TextRole.SECONDARY, Tone.MUTED)
        for label in (self.title, self.about):
            label.setContentsMargins(3, 0, 3, 0)
            label.setWordWrap(True)
            self.body.addWidget(label)
        self.content = QVBoxLayout()
        self.content.setSpacing(3)
        self.body.addLayout(self.content)
        self.message = Label("", TextRole.SECONDARY, Tone.ERROR)
        self.message.setContentsMargins(3, 0, 3, 0)
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.message.setMinimumHeight(_MESSAGE_LINES * self.message.fontMetrics().lineSpacing() + 2)
        self.body.addWidget(self.message)
        row = QHBoxLayout()
        row.setSpacing(2)
        self.act = Button("", size=ButtonSize.NORMAL)
        self.keep = Button("", key="Esc", size=ButtonSize.NORMAL)
        self.keep.clicked.connect(self.close_card)
        self.foot = row
        row.addStretch(1)
        row.addWidget(self.act)
        row.addWidget(self.keep)
        self.body.addLayout(row)

    def add_field(self, field: Field) -> Label:
        """A field with its label above it."""
        label = Label("", TextRole.SECONDARY, Tone.MUTED)
        label.setContentsMargins(3, 3, 3, 0)
        self.content.addWidget(label)
        self.content.addWidget(field)
        return label

    def say(self, text: str, *, tone: Tone = Tone.ERROR) -> None:
        """The message area; what is new there is read aloud."""
        is_new = text != self.message.text()
        self.message.set_tone(tone)
        self.message.setText(text)
        if text and is_new and self.isVisible():
            announce(self, text, assertive=tone is Tone.ERROR)
        self.fit()

    def open_at(self, near: QRect, within: QRect) -> None:
        """Beside what it speaks of, as far as that can stay readable."""
        self.place(near, [near], within=within)
        self.fit()

    def fit(self) -> None:
        """As high as what it says; no part of it leaves the screen."""
        host = self.parentWidget()
        if self.isHidden() or host is None:
            return
        self._fit()
        room = host.size() - self.size()
        self.move(max(0, min(self.x(), room.width())), max(0, min(self.y(), room.height())))

    def take_focus(self) -> None:
        """Where typing begins."""
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_card(self) -> bool:
        """Close it; False when it was not open."""
        if not self.isVisible():
            return False
        self.hide()
        self.closed.emit()
        return True

    def focus(self) -> QWidget | None:
        """What of it has the focus."""
        found = self.window().focusWidget()
        return found if found is not None and (found is self or self.isAncestorOf(found)) else None

    def event(self, event: QEvent) -> bool:
        """The screen's money and print keys are not pressed past an open question."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            has_ctrl = event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if event.key() in _NOT_HERE or (has_ctrl and event.key() in _NOT_HERE_WITH_CTRL):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_card()
        # Nothing else reaches the grid underneath while the card has the focus.
        event.accept()
