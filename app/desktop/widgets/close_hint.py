"""The word and the key that close a card, at the right of its title."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.desktop.theme import TextRole
from app.desktop.widgets.label import KeyCap, Label, Tone


class CloseHint(QWidget):
    """`tutup` and the cap of Esc; it speaks the language in use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.word = Label("", TextRole.CAPTION, Tone.MUTED)
        row.addWidget(self.word)
        row.addWidget(KeyCap("Esc"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.word.setText(self.tr("tutup"))
