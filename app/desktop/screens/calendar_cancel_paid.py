"""The question before a paid booking ends: what goes back and why, a reason; keeping it is the default."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from app.desktop.formats import Zone, money, period_with_weekdays
from app.desktop.language import language
from app.desktop.screens.calendar_cancel_card import MOST_REASON, QuestionCard
from app.desktop.screens.calendar_cancel_paid_words import effect_rows, question, verb, why_words
from app.desktop.screens.calendar_cancel_refused import refused_words
from app.desktop.screens.calendar_cancel_viewmodel import EndingViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.card import Hairline
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.domain.errors import RefusalCode

_ROWS = 4


class CancelPaidCard(QuestionCard):
    """Shows an EndingViewModel. Enter goes from the reason to the verb; only Enter there ends the booking."""

    def __init__(self, model: EndingViewModel, zone: Zone, parent: QWidget) -> None:
        super().__init__(parent)
        self._model, self._zone = model, zone
        self._rows: list[tuple[Label, Label]] = []
        self._make_money()
        self.reason = Field("")
        self.reason.edit.setMaxLength(MOST_REASON)
        self._reason_label = self.add_field(self.reason)
        self.reason.typed.connect(model.type_reason)
        self.reason.edit.returnPressed.connect(self._to_button)
        self.act.clicked.connect(self._press)
        model.changed.connect(self.show_model)
        model.price_changed.connect(self._price_changed)
        model.not_written.connect(self._not_written)
        self._was_not_written = False

    def _make_money(self) -> None:
        line = Hairline()
        self.content.addSpacing(3)
        self.content.addWidget(line)
        grid = QGridLayout()
        grid.setContentsMargins(3, 4, 3, 0)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(0, 1)
        for row in range(_ROWS):
            name = Label("", TextRole.BASE, Tone.TEXT if row in (1, 2) else Tone.MUTED)
            amount = Label("", TextRole.BASE, Tone.TEXT if row in (1, 2) else Tone.MUTED)
            amount.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(name, row, 0)
            grid.addWidget(amount, row, 1)
            self._rows.append((name, amount))
        self.content.addLayout(grid)
        total = QHBoxLayout()
        total.setContentsMargins(3, 2, 3, 0)
        self._total_name = Label("", TextRole.BASE, weight=600)
        self.total = Label("", TextRole.TOTAL)
        total.addWidget(self._total_name, 1)
        total.addWidget(self.total)
        self.content.addLayout(total)
        self.why = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.why.setContentsMargins(3, 0, 3, 2)
        self.why.setWordWrap(True)
        self.content.addWidget(self.why)

    def begin(self) -> None:
        """Another booking is asked about: what was typed for it before is there again."""
        self._was_not_written = False
        self.reason.set_text(self._model.reason)
        self.show_model()

    def take_focus(self) -> None:
        self.reason.edit.setFocus(Qt.FocusReason.PopupFocusReason)

    def rows(self) -> tuple[tuple[str, str], ...]:
        """The money as it is shown."""
        return tuple((name.text(), amount.text()) for name, amount in self._rows)

    def show_model(self) -> None:
        """Bring everything up to date; what is being typed is left alone."""
        ending = self._model.ending
        if ending is None:
            return
        self.title.setText(question(ending))
        period = period_with_weekdays(ending.rented.first, ending.rented.last, language())
        self.about.setText(" · ".join(part for part in (ending.customer, ending.plate, period) if part))
        self._show_money()
        self._reason_label.setText(self.tr("Alasan"))
        self.reason.set_name(self.tr("Alasan"))
        self.keep.setText(self.tr("Biarkan"))
        self._show_button()
        text, tone = self._said()
        self.say(text, tone=tone)
        spoken = [self.title.text(), self.about.text(), f"{self._total_name.text()} {self.total.text()}"]
        self.setAccessibleName(". ".join(spoken))

    def _show_money(self) -> None:
        effect, facts = self._model.effect, self._model.facts
        self._total_name.setText(self.tr("Kembali ke pelanggan"))
        if effect is None or facts is None:
            for name, amount in self._rows:
                name.setText("")
                amount.setText("")
            self._rows[0][0].setText(self.tr("Menghitung uangnya…") if self._model.is_busy("read") else "")
            self.total.setText("–")
            self.why.setText("")
            return
        for (name, amount), (label, value) in zip(self._rows, effect_rows(effect), strict=True):
            name.setText(label)
            amount.setText(value)
        self.total.setText(money(effect.back, language()))
        self.why.setText(why_words(effect, facts, self._zone))

    def _show_button(self) -> None:
        model, ending = self._model, self._model.ending
        if ending is None:
            return
        if self._must_read_again():
            self.act.setText(self.tr("Hitung lagi"))
            self.act.set_reason("")
            return
        self.act.setText(self.tr("Menyimpan…") if model.is_busy("send") else verb(ending))
        had_focus = self.act.hasFocus()
        self.act.set_reason(self._reason_not())
        if had_focus and not self.act.isEnabled():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.hasFocus() and self.act.isEnabled():
            self.take_focus()

    def _must_read_again(self) -> bool:
        model = self._model
        return (
            model.effect is None
            and model.refusal is not None
            and model.refusal.code is RefusalCode.UNREACHABLE
            and not model.is_busy("read")
        )

    def _reason_not(self) -> str:
        """Why it cannot be ended now; empty when it can."""
        model = self._model
        if model.unsure is not None or model.is_busy("send"):
            return self.tr("Menunggu jawaban server.")
        if model.effect is None:
            return self.tr("Uangnya belum bisa dihitung.")
        return "" if model.is_ready else self.tr("Isi alasan dulu.")

    def _said(self) -> tuple[str, Tone]:
        model = self._model
        if model.unsure is not None:
            number = model.ending.number if model.ending is not None else ""
            text = self.tr("Belum pasti apakah sudah tersimpan. {0} ditanyakan lagi setiap 3 detik; jangan diulang.")
            return text.format(number), Tone.WARNING
        if model.old_back is not None and model.effect is not None:
            text = self.tr("Berubah dari {0} menjadi {1} sejak ditampilkan. Periksa, lalu tekan lagi bila setuju.")
            shown = (money(model.old_back, language()), money(model.effect.back, language()))
            return text.format(*shown), Tone.WARNING
        if model.refusal is not None:
            return refused_words(model.refusal, self._zone), Tone.ERROR
        if self._was_not_written:
            return self.tr("Sudah diperiksa: belum ada yang berubah. Alasannya tetap ada, tekan lagi."), Tone.WARNING
        return "", Tone.ERROR

    def _to_button(self) -> None:
        if self.act.isEnabled():
            self.act.setFocus(Qt.FocusReason.TabFocusReason)
        elif not self.message.text():
            self.say(self.act.reason())

    def _press(self) -> None:
        self._was_not_written = False
        if self._must_read_again():
            self._model.read()
        else:
            self._model.send()

    def _price_changed(self) -> None:
        """The next Enter must not agree to a sum that nobody has read."""
        if self.focus() is not None:
            self.take_focus()

    def _not_written(self) -> None:
        self._was_not_written = True
        self.show_model()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.show_model()
        super().changeEvent(event)
