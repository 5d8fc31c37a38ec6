"""Why somebody wants to see a number: asked below the card, recorded before the number is shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.desktop.screens.customers_texts import kind_word
from app.desktop.widgets.button import Button
from app.desktop.widgets.card import Surface
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label
from app.domain.identity import IdentityKind

MOST_LETTERS = 200


class RevealBar(Surface):
    """`given` carries the kind of paper and the reason."""

    given = Signal(object, str)
    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__("head", top_line=True)
        self._kind = IdentityKind.NIK
        self._label = Label("", weight=600)
        self.reason = Field("")
        self.reason.edit.setMaxLength(MOST_LETTERS)
        self.show_button = Button(key="Enter")
        self.close_button = Button(key="Esc", flat=True)
        row = QHBoxLayout()
        row.addWidget(self.reason, 1)
        row.addWidget(self.show_button)
        row.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(13, 7, 13, 7)
        column.setSpacing(2)
        self._label.setContentsMargins(3, 0, 0, 0)
        column.addWidget(self._label)
        column.addLayout(row)
        self.reason.edit.returnPressed.connect(self._give)
        self.reason.typed.connect(lambda _text: self.reason.set_wrong(False))
        self.show_button.clicked.connect(lambda *_: self._give())
        self.close_button.clicked.connect(lambda *_: self.dismissed.emit())
        self.retranslate()

    def ask(self, kind: IdentityKind) -> None:
        """Begin a question; the reason of the one before is gone."""
        self._kind = kind
        self.reason.set_text("")
        self.reason.set_wrong(False)
        self.retranslate()
        self.show()
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        paper = kind_word(self._kind)
        self._label.setText(self.tr("Alasan melihat {paper}").format(paper=paper))
        self.reason.set_name(self._label.text())
        self.reason.set_placeholder(self.tr("Dicatat bersama nama Anda, contoh: cocokkan dengan KTP"))
        self.show_button.setText(self.tr("Tampilkan"))
        self.close_button.setText(self.tr("Tutup"))

    def _give(self) -> None:
        if not self.reason.text().strip():
            self.reason.set_wrong(True)
            return
        self.given.emit(self._kind, self.reason.text())
