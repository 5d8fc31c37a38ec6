"""Below the card: what is wrong or not saved yet, and the keys that save or forget it."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout

from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import Label, Tone

NARROW = 700
"""Below this the message has a line of its own: beside three buttons a word or two would fit."""


class CardFoot(Surface):
    """The message stands beside the buttons, or above them where there is no room."""

    def __init__(self) -> None:
        super().__init__("surface", top_line=True)
        self.message = Label("")
        self.message.setWordWrap(True)
        self.other_button = Button(icon="booking")
        self.drop_button = Button()
        self.save_button = Button(primary=True)
        keys = QHBoxLayout()
        keys.setSpacing(4)
        keys.addStretch(1)
        for button in (self.other_button, self.drop_button, self.save_button):
            keys.addWidget(button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(16, 7, 13, 7)
        self._row.setSpacing(4)
        self._row.addWidget(self.message, 1)
        self._row.addLayout(keys)

    def tell(self, text: str, tone: Tone) -> None:
        self.message.setText(text)
        self.message.set_tone(tone)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_narrow = self.width() < NARROW
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)
        self.message.setVisible(not is_narrow or bool(self.message.text()))
