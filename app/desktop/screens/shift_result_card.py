"""What a locked count told: what should be there, the difference, why, and who agrees when it is beyond the limit."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.formats import money, number
from app.desktop.language import language
from app.desktop.screens.shift_desk_viewmodel import ShiftDeskViewModel
from app.desktop.screens.shift_word import WordFields
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label, Tone


class ResultCard(Card):
    """`entered`: Enter in the last field. The reason and a manager's word are asked for only where they are needed."""

    entered = Signal()

    def __init__(self, model: ShiftDeskViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model = model
        self.body.setSpacing(6)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # without a difference there is nothing to type in it
        self._names: list[Label] = []
        self._values: list[Label] = []
        for place in range(3):
            big = place == 2
            name = Label("", TextRole.SECTION if big else TextRole.BASE, Tone.TEXT if big else Tone.MUTED)
            value = Label("", TextRole.TOTAL if big else TextRole.BASE)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row = QHBoxLayout()
            row.addWidget(name)
            row.addStretch(1)
            row.addWidget(value)
            self.body.addLayout(row)
            if place == 1:
                self.body.addWidget(Hairline())
            self._names.append(name)
            self._values.append(value)
        self._said = Label("")
        self._said.setWordWrap(True)
        self._cards = Label("", TextRole.SECONDARY, Tone.MUTED)
        self._cards.setWordWrap(True)
        self.reason = Field("", size=FieldSize.TALL)
        self.reason.edit.setMaxLength(200)
        self.word = WordFields()
        self._reason_name = Label("", TextRole.SECONDARY, Tone.MUTED)
        for widget in (self._said, self._cards, self._reason_name, self.reason, self.word):
            self.body.addWidget(widget)
        self.body.addStretch(1)
        self.reason.edit.returnPressed.connect(self._after_reason)
        self.word.entered.connect(self.entered)
        self.retranslate()

    def show_now(self) -> None:
        """Bring the card in line with the view model."""
        model, count = self._model, self._model.count
        if count is None:
            return
        shown = (count.counted, count.expected, count.difference)
        for value, amount in zip(self._values, shown, strict=True):
            value.setText(money(amount, language()))
        self._values[2].set_tone(Tone.TEXT if count.difference == 0 else Tone.ERROR)
        self._said.setText(self.sentence())
        self._said.set_tone(Tone.SUCCESS if count.difference == 0 else Tone.TEXT)
        self._cards.setText(self._slips())
        self._cards.set_tone(Tone.MUTED if self._slips_agree() else Tone.WARNING)
        self._reason_name.setVisible(model.needs_reason())
        self.reason.setVisible(model.needs_reason())
        self.word.setVisible(model.needs_word())
        limit = money(count.limit, language())
        self.word.say_why(self.tr("Selisih di atas {limit}: perlu persetujuan manajer.").format(limit=limit))

    def take_focus(self) -> None:
        """Where the next key belongs."""
        if self._model.needs_reason() and not self.reason.text().strip():
            self.reason.setFocus(Qt.FocusReason.TabFocusReason)
        elif self._model.needs_word():
            self.word.login.setFocus(Qt.FocusReason.TabFocusReason)

    def sentence(self) -> str:
        """Short, over, or even; and what is needed now."""
        count = self._model.count
        if count is None:
            return ""
        amount = money(abs(count.difference), language())
        if count.difference < 0:
            return self.tr("Selisih kurang {amount}. Isi alasan.").format(amount=amount)
        if count.difference > 0:
            return self.tr("Selisih lebih {amount}. Isi alasan.").format(amount=amount)
        return self.tr("Tidak ada selisih. Tutup dengan Ctrl+Enter.")

    def retranslate(self) -> None:
        names = (self.tr("Dihitung"), self.tr("Harapan"), self.tr("Selisih"))
        for label, name in zip(self._names, names, strict=True):
            label.setText(name)
        self.setAccessibleName(self.tr("Hasil hitungan"))
        self.reason.set_name(self.tr("Alasan selisih"))
        self._reason_name.setText(self.tr("Alasan selisih"))
        self.show_now()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _after_reason(self) -> None:
        if self._model.needs_word():
            self.word.login.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.entered.emit()

    def _slips_agree(self) -> bool:
        count = self._model.count
        return count is None or (count.edc_slips, count.edc_total) == (count.edc_expected_slips, count.edc_expected)

    def _slips(self) -> str:
        count = self._model.count
        if count is None:
            return ""
        own = (number(count.edc_slips, language()), money(count.edc_total, language()))
        if self._slips_agree():
            return self.tr("Slip EDC cocok: {count} slip, {amount}.").format(count=own[0], amount=own[1])
        text = self.tr(
            "Slip EDC {count} slip {amount}; tercatat {recorded} slip {sum}. Cari slip yang kurang atau lebih."
        )
        return text.format(
            count=own[0],
            amount=own[1],
            recorded=number(count.edc_expected_slips, language()),
            sum=money(count.edc_expected, language()),
        )
