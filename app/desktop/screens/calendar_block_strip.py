"""The line under the toolbar while M is pressed with nothing chosen: the next days are for maintenance."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.screens.calendar_bubbles import IconLabel
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import ElidedLabel

_HEIGHT = 34


class BlockStrip(Surface):
    """Stays as long as it is true; its button does what Esc does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("sunken", bottom_line=True, parent=parent)
        self.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 9, 1)
        row.setSpacing(8)
        self._words = ElidedLabel("", TextRole.SECONDARY)
        self.button = Button("", key="Esc", size=ButtonSize.ROW)
        row.addWidget(IconLabel("wrench", "text"))
        row.addWidget(self._words, 100)
        row.addWidget(self.button)
        self._retranslate()
        self.hide()

    def text(self) -> str:
        """What it says; also for announcing it."""
        return self._words.text()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._words.setText(self.tr("Perawatan: seret hari atau pilih dengan Shift+panah, lalu Enter."))
        self.button.setText(self.tr("Batal"))
        self.setAccessibleName(self._words.text())
