"""Cash put into the drawer or taken out of it, each time with a reason, and what was moved in this shift."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import clock, money
from app.desktop.language import language
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.money_field import MoneyField

SHOWN = 5


class CashPart(QWidget):
    """`wanted` carries the amount (None: not understood), the reason, whether it goes in; fields stay until then."""

    wanted = Signal(object, str, bool)

    def __init__(self, model: ShiftDeskViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._title = Label("", TextRole.SECTION)
        self.amount = MoneyField("")
        self.reason = Field("")
        self.reason.edit.setMaxLength(200)
        self.message = Label("", TextRole.SECONDARY)
        self.message.setWordWrap(True)
        self.in_button, self.out_button = Button(icon="plus"), Button(icon="minus")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.in_button, 1)
        row.addWidget(self.out_button, 1)
        column.addWidget(self._title)
        fields = QHBoxLayout()
        fields.setSpacing(8)
        fields.addWidget(self.amount, 2)
        fields.addWidget(self.reason, 3)
        column.addLayout(fields)
        column.addLayout(row)
        column.addWidget(self.message)
        self._moved = QVBoxLayout()
        self._moved.setSpacing(0)
        column.addLayout(self._moved)
        self._shown: tuple[object, ...] = ()
        self.amount.edit.returnPressed.connect(self.reason.setFocus)
        self.reason.edit.returnPressed.connect(self.out_button.setFocus)
        self.in_button.clicked.connect(lambda *_: self._press(into=True))
        self.out_button.clicked.connect(lambda *_: self._press(into=False))
        self.retranslate()

    def clear(self) -> None:
        """It is done: ready for the next one."""
        self.amount.set_amount(None)
        self.reason.set_text("")
        self.say("", Tone.MUTED)

    def say(self, text: str, tone: Tone) -> None:
        self.message.setText(text)
        self.message.set_tone(tone)
        self.message.setVisible(bool(text))

    def show_now(self, reason: str) -> None:
        """`reason`: why nothing can be moved now; what was typed stays."""
        busy = self._model.is_busy("move_cash")
        for button in (self.in_button, self.out_button):
            button.set_reason(reason)
            button.setEnabled(not reason and not busy)
        report = self._model.report
        moved = report.movements[-SHOWN:] if report is not None else ()
        wanted = (moved, language())
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._moved.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for one in reversed(moved):
            place = QWidget()
            row = QHBoxLayout(place)
            row.setContentsMargins(0, 3, 0, 3)
            at = clock(one.made_at, self._model.zone, language())
            row.addWidget(ElidedLabel(f"{at} · {one.reason}", TextRole.SECONDARY, Tone.MUTED), 1)
            row.addWidget(Label(money(one.amount, language()), TextRole.SECONDARY))
            self._moved.addWidget(place)

    def retranslate(self) -> None:
        self._title.setText(self.tr("Kas masuk / keluar"))
        self.setAccessibleName(self.tr("Kas masuk / keluar"))
        self.amount.set_name(self.tr("Jumlah kas"))
        self.reason.set_name(self.tr("Alasan"))
        self.reason.set_placeholder(self.tr("Alasan, misalnya setor ke brankas"))
        self.in_button.setText(self.tr("Masukkan"))
        self.out_button.setText(self.tr("Keluarkan"))
        self.message.setVisible(bool(self.message.text()))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _press(self, *, into: bool) -> None:
        self.say("", Tone.MUTED)
        if not self.reason.text().strip() and self.amount.amount():
            self.say(self.tr("Isi alasan kas masuk atau keluar."), Tone.ERROR)
            self.reason.setFocus()
            return
        self.wanted.emit(self.amount.amount(), self.reason.text(), into)
