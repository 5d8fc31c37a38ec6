"""What stands in the grid's place when there is nothing to show: one sentence and the one useful action."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import Label, Tone


class EmptyCalendar(Surface):
    """`pressed` carries the filter text to use instead."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self._instead = ""
        page = QVBoxLayout(self)
        page.setSpacing(8)
        page.addStretch(2)
        self.text = Label("", TextRole.BASE, Tone.MUTED)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = Button("")
        self.button.clicked.connect(lambda: self.pressed.emit(self._instead))
        page.addWidget(self.text)
        page.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        page.addStretch(3)

    def show_empty(self, filter_text: str, suggestion: tuple[str, int] | None) -> None:
        """Say what was not found, and offer the nearest name or all SKUs."""
        if not filter_text:
            self.text.setText(self.tr("Belum ada unit di cabang ini."))
            self.button.hide()
            return
        self.button.show()
        if suggestion is None:
            self.text.setText(self.tr("Tidak ditemukan '{0}'.").format(filter_text))
            self.button.setText(self.tr("Tampilkan semua SKU"))
            self._instead = ""
            return
        name, count = suggestion
        text = self.tr("Tidak ditemukan '{0}'. Maksud Anda {1} ({2} unit)?")
        self.text.setText(text.format(filter_text, name, count))
        self.button.setText(self.tr("Tampilkan {0}").format(name))
        self._instead = name
