"""What is typed of a card, a QRIS or a transfer: two rows of fields in the place of Diterima and its change."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import number
from app.desktop.language import language
from app.desktop.screens.settlement_tendering import BANKS, CODE_DIGITS, LAST4_DIGITS, Slip
from app.desktop.screens.shift_word import WordFields
from app.desktop.theme import TextRole
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import Label
from app.desktop.widgets.money_field import MoneyField
from app.desktop.widgets.paint import RING_MARGIN
from app.desktop.widgets.pick_field import Pick, PickField
from app.desktop.widgets.tick_box import TickBox
from app.domain.money import Rupiah

MOST_SIGNS = 60


class DigitsField(Field):
    """So many digits; `full` when the last one is typed, so that the next field is gone to by itself."""

    full = Signal()

    def __init__(self, digits: int) -> None:
        super().__init__("", size=FieldSize.TALL)
        self._digits = digits
        self.edit.setMaxLength(digits)
        self.edit.setValidator(QIntValidator(0, 10**digits - 1, self.edit))
        self.typed.connect(self._count)

    def _count(self, text: str) -> None:
        if len(text) == self._digits:
            self.full.emit()


class SlipForm(QWidget):
    """`typed` with the name of a Slip's field and its value; `entered` after Enter in any field."""

    typed = Signal(str, object)
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.amount = MoneyField("", size=FieldSize.TALL)
        self._names: list[Label] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        for part in (0, 1):
            self._grid.setColumnStretch(part, 1)
        column.addLayout(self._grid)
        self.body = column
        self.amount.typed.connect(lambda _text: self._amount_typed())

    def fields(self) -> tuple[Field, ...]:
        raise NotImplementedError

    def place(self) -> Field:
        """Where the typing goes on: the first field that is not filled in."""
        return next((field for field in self.fields() if not field.text().strip()), self.fields()[-1])

    def show_slip(self, slip: Slip, left: Rupiah, reason: str) -> None:
        """What stands in the draft; a field the person types in is left alone. `reason` why nothing may be typed."""
        if not self.amount.edit.hasFocus() and self.amount.amount() != slip.amount:
            self.amount.set_amount(None if slip.amount is None else int(slip.amount))
        self.amount.set_placeholder(number(left, language()))
        for field in (self.amount, *self.fields()):
            field.set_reason(reason)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        for label, (field, text) in zip(self._names, self._texts(), strict=True):
            label.setText(text)
            field.set_name(text)

    # --- for the forms ------------------------------------------------------------------------------------------------

    def _texts(self) -> tuple[tuple[Field, str], ...]:
        raise NotImplementedError

    def _lay(self, *rows: tuple[Field, Field]) -> None:
        """Two fields a row, each under its name."""
        for line, row in enumerate(rows):
            for column, field in enumerate(row):
                name = Label("", TextRole.SECONDARY)
                name.setContentsMargins(RING_MARGIN, 2 if line == 0 else 6, RING_MARGIN, 0)
                self._names.append(name)
                self._grid.addWidget(name, 2 * line, column)
                self._grid.addWidget(field, 2 * line + 1, column)
        for field in (field for row in rows for field in row):
            if isinstance(field, PickField):
                field.entered.connect(self.entered)
            else:
                field.edit.returnPressed.connect(self.entered)

    def _text_field(self, name: str) -> Field:
        field = Field("", size=FieldSize.TALL)
        field.edit.setMaxLength(MOST_SIGNS)
        field.typed.connect(lambda text: self.typed.emit(name, text.strip()))
        return field

    def _bank_field(self) -> PickField:
        field = PickField("", size=FieldSize.TALL)
        field.set_picks([Pick(key=bank, text=bank) for bank in BANKS])
        field.picked.connect(partial(self.typed.emit, "bank"))
        return field

    def _amount_typed(self) -> None:
        amount = self.amount.amount()
        self.typed.emit("amount", None if amount is None else Rupiah(amount))


def _show(field: Field, text: str) -> None:
    if not field.edit.hasFocus() and field.text() != text:
        field.set_text(text)


class CardForm(SlipForm):
    """EDC: bank, amount, the card's last four digits and the terminal's approval code, which follow each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bank = self._bank_field()
        self.last4, self.code = DigitsField(LAST4_DIGITS), DigitsField(CODE_DIGITS)
        self._lay((self.last4, self.code), (self.bank, self.amount))
        self.last4.typed.connect(partial(self.typed.emit, "last4"))
        self.code.typed.connect(partial(self.typed.emit, "code"))
        self.last4.full.connect(lambda: self.code.edit.setFocus(Qt.FocusReason.TabFocusReason))
        self.retranslate()

    def fields(self) -> tuple[Field, ...]:
        return self.last4, self.code

    def show_slip(self, slip: Slip, left: Rupiah, reason: str) -> None:
        super().show_slip(slip, left, reason)
        self.bank.set_reason(reason)
        if self.bank.current() != slip.bank and not self.bank.edit.hasFocus():
            self.bank.choose(slip.bank)
        _show(self.last4, slip.last4)
        _show(self.code, slip.code)

    def _texts(self) -> tuple[tuple[Field, str], ...]:
        return (
            (self.last4, self.tr("4 angka terakhir kartu")),
            (self.code, self.tr("Kode persetujuan (6 angka)")),
            (self.bank, self.tr("Bank mesin EDC")),
            (self.amount, self.tr("Jumlah")),
        )


class TransferForm(SlipForm):
    """A transfer: who sent it from which bank, its reference, and that the money was seen in the account."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reference, self.payer = self._text_field("reference"), self._text_field("sender")
        self.bank = self._bank_field()
        self.seen = TickBox("")
        self._lay((self.reference, self.payer), (self.bank, self.amount))
        self.body.addSpacing(4)
        row = QHBoxLayout()
        row.setContentsMargins(RING_MARGIN - 1, 0, 0, 0)  # the box is drawn 1 px inside its widget
        row.addWidget(self.seen)
        self.body.addLayout(row)
        self.seen.toggled.connect(partial(self.typed.emit, "is_seen"))
        self.retranslate()

    def fields(self) -> tuple[Field, ...]:
        return self.reference, self.payer

    def show_slip(self, slip: Slip, left: Rupiah, reason: str) -> None:
        super().show_slip(slip, left, reason)
        self.bank.set_reason(reason)
        if self.bank.current() != slip.bank and not self.bank.edit.hasFocus():
            self.bank.choose(slip.bank)
        _show(self.reference, slip.reference)
        _show(self.payer, slip.sender)
        self.seen.blockSignals(True)
        self.seen.setChecked(slip.is_seen)
        self.seen.blockSignals(False)
        self.seen.setEnabled(not reason)

    def retranslate(self) -> None:
        super().retranslate()
        self.seen.setText(self.tr("Uang sudah terlihat di rekening (Spasi)"))

    def _texts(self) -> tuple[tuple[Field, str], ...]:
        return (
            (self.reference, self.tr("Nomor referensi")),
            (self.payer, self.tr("Nama pengirim")),
            (self.bank, self.tr("Bank pengirim")),
            (self.amount, self.tr("Jumlah")),
        )


class QrisForm(SlipForm):
    """A QRIS whose money was seen elsewhere: its reference by hand, with a manager's word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reference = self._text_field("reference")
        self.word = WordFields()
        self._lay((self.reference, self.amount))
        self.body.addSpacing(8)
        self.body.addWidget(self.word)
        self.word.entered.connect(self.entered)
        self.retranslate()

    def fields(self) -> tuple[Field, ...]:
        return (self.reference,)

    def show_slip(self, slip: Slip, left: Rupiah, reason: str) -> None:
        super().show_slip(slip, left, reason)
        _show(self.reference, slip.reference)
        for field in (self.word.login, self.word.password):
            field.set_reason(reason)

    def retranslate(self) -> None:
        super().retranslate()
        self.word.say_why(self.tr("QRIS yang dicatat tangan perlu persetujuan manajer."))

    def _texts(self) -> tuple[tuple[Field, str], ...]:
        return (self.reference, self.tr("Nomor referensi (RRN)")), (self.amount, self.tr("Jumlah"))
