"""The questions before something unpaid is cancelled: verbs on the buttons, a reason, keeping it is the default."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone

MOST_REASON = 500


class CancelDialog(QDialog):
    """`confirmed` carries the reason; it cannot be pressed without one."""

    confirmed = Signal(str)

    def __init__(self, number: str, customer: str, parent: QWidget) -> None:
        super().__init__(parent)
        verb, question, effect = self._words()
        self.setWindowTitle(verb)
        self.setModal(True)
        self.setFixedWidth(420)
        page = QVBoxLayout(self)
        page.setContentsMargins(17, 16, 17, 13)
        page.setSpacing(6)
        head = Label(question.format(number, customer), TextRole.SECTION)
        head.setWordWrap(True)
        text = Label(effect, TextRole.BASE, Tone.MUTED)
        text.setWordWrap(True)
        page.addWidget(head)
        page.addWidget(text)
        page.addSpacing(4)
        page.addWidget(Label(self.tr("Alasan"), TextRole.SECONDARY, Tone.MUTED))
        self.reason = Field(self.tr("Alasan"))
        self.reason.edit.setMaxLength(MOST_REASON)
        self.reason.typed.connect(self._typed)
        page.addWidget(self.reason)
        page.addSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(2)
        self.keep_button = Button(self.tr("Biarkan"), key="Esc", size=ButtonSize.NORMAL)
        self.keep_button.clicked.connect(self.reject)
        self.cancel_button = Button(verb, size=ButtonSize.NORMAL)
        self.cancel_button.clicked.connect(self._confirm)
        self.reason.edit.returnPressed.connect(self._to_button)
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.keep_button)
        page.addLayout(row)
        self._typed("")
        self.reason.setFocus()

    def _words(self) -> tuple[str, str, str]:
        """The verb on the button, the question ({0} number, {1} customer), what it does."""
        return (
            self.tr("Batalkan booking"),
            self.tr("Batalkan {0} ({1})?"),
            self.tr("Belum dibayar. Unit langsung kosong dan tagihannya dibatalkan."),
        )

    def _typed(self, text: str) -> None:
        self.cancel_button.set_reason("" if text.strip() else self.tr("Isi alasan dulu."))

    def _to_button(self) -> None:
        self.cancel_button.setFocus(Qt.FocusReason.TabFocusReason)

    def _confirm(self) -> None:
        reason = self.reason.text().strip()
        if reason:
            self.confirmed.emit(reason)
            self.accept()


class RejectDialog(CancelDialog):
    """The same question before an extension that was not paid is refused."""

    def _words(self) -> tuple[str, str, str]:
        return (
            self.tr("Tolak perpanjangan"),
            self.tr("Tolak perpanjangan {0} ({1})?"),
            self.tr("Belum dibayar. Hari tambahannya langsung kosong, sewanya jalan seperti semula."),
        )
