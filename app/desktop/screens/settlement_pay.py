"""The pay card: what is owed, what the customer hands over, what goes back, and Bayar. Nothing in it ever moves."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.formats import money
from app.desktop.language import language
from app.desktop.screens.settlement_cash import FIELD_LEFT as FIELD_LEFT
from app.desktop.screens.settlement_cash import CashPart
from app.desktop.screens.settlement_code import CodePanel
from app.desktop.screens.settlement_message import MessageArea
from app.desktop.screens.settlement_methods import MethodStrip
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_slips import CardForm, QrisForm, SlipForm, TransferForm
from app.desktop.screens.settlement_tendering import Slip
from app.desktop.screens.settlement_texts import SettlementTexts
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.field import Field
from app.desktop.widgets.label import Label, Tone
from app.desktop.widgets.paint import RING_MARGIN
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.lock import LockState
from app.domain.staff import Role
from app.domain.tender import TenderKind

PADDING = 24
PAY_WIDTH, COMPACT_PAY_WIDTH = 306, 270


class PayCard(Card):
    """Bound to one view model. `pay_pressed`, `leave_pressed` and `again_pressed` are the only ways out."""

    pay_pressed = Signal()
    leave_pressed = Signal()
    check_pressed = Signal()
    reprint_pressed = Signal()

    def __init__(self, model: SettlementViewModel, texts: SettlementTexts, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model = model
        self._texts = texts
        self._is_compact = False
        self._due_name = Label("", TextRole.SECTION)
        self._due = Label("", TextRole.TOTAL)
        self.methods = MethodStrip()
        self.cash = CashPart()
        self.field, self.exact_button, self.change_box = self.cash.field, self.cash.exact_button, self.cash.change_box
        self.card_form, self.qris_form, self.transfer_form = CardForm(), QrisForm(), TransferForm()
        self.code_panel = CodePanel()
        self._forms: dict[TenderKind, SlipForm] = {
            TenderKind.EDC: self.card_form,
            TenderKind.QRIS: self.qris_form,
            TenderKind.TRANSFER: self.transfer_form,
        }
        self.message = MessageArea()
        self.leave_button = Button(key="Esc", size=ButtonSize.PRIMARY)
        self._hint = Label("", TextRole.SECONDARY, Tone.MUTED)
        self.pay_button = Button(primary=True, size=ButtonSize.PAY, key="F9")
        self._lay_out()
        self._connect()
        self.retranslate()

    def set_compact(self, compact: bool) -> None:
        """Without the height for all of it (150 % on a small screen): no tiles, no hint, no keys' caps on the ways."""
        self._is_compact = compact
        self.change_box.set_compact(compact)
        top, bottom = (6, 5) if compact else (16, 13)
        self.body.setContentsMargins(PADDING - RING_MARGIN, top, PADDING - RING_MARGIN, bottom)
        self.pay_button.setMinimumWidth(COMPACT_PAY_WIDTH if compact else PAY_WIDTH)
        self.methods.set_compact(compact)
        self.code_panel.set_compact(compact)
        self._rule.setVisible(not compact)
        self._hint.setVisible(not compact)
        self._show_quick_row()

    def focus_place(self) -> None:
        """Ready to type: Diterima, or the first field of the way chosen that is not filled in."""
        form = self._form()
        if self._model.shows_code:
            self.code_panel.setFocus()
        else:
            (self.field if form is None else form.place()).setFocus()

    def type_digit(self, text: str) -> None:
        """A digit typed anywhere in the screen goes to Diterima, or to the field where the typing goes on."""
        if self._model.shows_code:
            return
        form = self._form()
        field: Field = self.field if form is None else form.place()
        if field.edit.isReadOnly():
            return
        field.setFocus()
        field.edit.end(False)
        field.edit.insert(text)
        field.typed.emit(field.text())

    def take_exact(self) -> None:
        """`+`: exactly what is owed."""
        if self._form() is not None or self.field.edit.isReadOnly():
            return
        self.field.set_amount(int(self._model.left))
        self.field.setFocus()

    def go_on(self) -> None:
        """Enter: the next field that is empty, else Bayar."""
        form = None if self._model.shows_code else self._form()
        place = None if form is None else form.place()
        if place is not None and not place.text().strip() and not place.edit.hasFocus():
            place.edit.setFocus(Qt.FocusReason.TabFocusReason)
        elif form is self.qris_form and self._model.wants_word():
            word = self.qris_form.word.take()
            if word is not None:
                self._model.give_word(word.login, word.password)
        else:
            self.pay_pressed.emit()

    def show_now(self) -> None:
        """Bring the card in line with the view model."""
        model = self._model
        shown = model.handed_over
        if self.field.amount() != shown and not self.field.edit.hasFocus():
            self.field.set_amount(shown)
        self._due_name.setText(self.tr("Sudah dibayar") if model.is_paid else self.tr("Sisa tagihan"))
        self._due.setText(money(model.left, language()))
        self.cash.show_quick(model.left)
        may_type = model.phase is Phase.OPEN
        reason = "" if may_type else self._closed_reason()
        self.field.set_reason(reason)
        self.methods.set_open(may_type)
        self.methods.show_method(model.tendering.method)
        for kind, form in self._forms.items():
            form.show_slip(model.tendering.slips.get(kind, Slip()), model.left, reason)
        chosen = self.code_panel if model.shows_code else self._form() or self.cash
        for way in (self.cash, *self._forms.values(), self.code_panel):
            way.setVisible(way is chosen)
        self._show_quick_row()
        self.cash.show_received(model.received, may_type=may_type)
        pale = model.phase in (Phase.LOST, Phase.VIEWING, Phase.UNKNOWN, Phase.ACQUIRING)
        self.change_box.set_change(int(model.change), model.notes(), pale=pale)
        self.show_seconds()

    def show_seconds(self) -> None:
        """What depends on the lock's seconds: the message and whether Bayar may be pressed."""
        self.message.show_message(self._texts.message())
        if self._model.shows_code:
            self.code_panel.show_attempt(self._model)
        self._show_pay_button()
        self._show_leave_button()

    def retranslate(self) -> None:
        self.show_now()

    # --- inside ---

    def _show_quick_row(self) -> None:
        """Where height is short, what cannot be pressed (lost lock, paid invoice) leaves its place to the change."""
        lost = self._is_compact and self._model.phase is Phase.LOST
        self.methods.setVisible(not (self._is_compact and self._model.phase in (Phase.LOST, Phase.PAID, Phase.VIEWING)))
        self.cash.set_quick_shown(not lost)
        self.message.set_compact(self._is_compact)
        self._above_message.setContentsMargins(RING_MARGIN, 8 if lost else 0, RING_MARGIN, 0)

    def _form(self) -> SlipForm | None:
        """Of the way chosen now; None for cash."""
        return self._forms.get(self._model.tendering.method)

    def _take(self, amount: object) -> None:
        self.field.set_amount(amount if isinstance(amount, int) else None)
        self.field.setFocus()

    def _choose(self, kind: object) -> None:
        if isinstance(kind, TenderKind):
            self._model.choose(kind)
            self.focus_place()

    def _closed_reason(self) -> str:
        if self._model.phase is Phase.VIEWING:
            return self.tr("Hanya dilihat.")
        return self.tr("Tidak bisa diubah sekarang.")

    def _show_pay_button(self) -> None:
        model, button = self._model, self.pay_button
        key = "F9"
        match model.phase:
            case Phase.COMMITTING:
                text, reason = self.tr("Menyimpan…"), self.tr("Pembayaran sedang disimpan.")
            case Phase.LOST:
                text, reason = self.tr("Kunci hilang"), self.tr("Kunci lagi dulu, baru bayar.")
            case Phase.UNKNOWN:
                text, reason = self.tr("Periksa sekarang"), ""
            case Phase.PAID:
                text, reason, key = self.tr("Cetak ulang"), "", "Ctrl+P"
            case Phase.VIEWING if model.is_paid:
                text, reason, key = self.tr("Cetak ulang"), "", "Ctrl+P"
            case Phase.VIEWING if Role.CASHIER not in model.who.roles:
                text, reason = self.tr("Hanya kasir"), self.tr("Membayar perlu peran Kasir. Minta kasir atau manajer.")
            case Phase.VIEWING | Phase.CLOSED:
                text, reason = self.tr("Hanya dilihat"), self.tr("Buka dengan F9 dari daftar untuk membayar.")
            case Phase.ACQUIRING:
                text, reason = self.tr("Mengunci…"), self.tr("Kunci sedang diambil.")
            case _:
                text = self.tr("Bayar {amount}").format(amount=money(model.due, language()))
                reason = "" if model.may_pay() else self._unpayable_reason()
        if button.text() != text:
            button.setText(text)
        button.set_key(key)
        button.set_primary(not model.is_paid)
        self._hint.setText("" if model.is_paid else self.tr("Kwitansi PDF tersimpan setelah lunas"))
        if button.reason() != reason or button.isEnabled() is bool(reason):
            button.set_reason(reason)

    def _unpayable_reason(self) -> str:
        model = self._model
        if not model.is_online:
            return self.tr("Koneksi terputus: bayar lagi setelah terhubung. Yang Anda isi tetap ada.")
        if not model.lock.clock_trusted or model.lock_state() in (LockState.CRITICAL, LockState.LOST):
            return self.tr("Tunggu sampai kunci diperpanjang.")
        if self._form() is None:
            return self.tr("Isi jumlah yang diterima, paling sedikit sebesar sisa tagihan.")
        return self._texts.incomplete()

    def _show_leave_button(self) -> None:
        phase = self._model.phase
        text = self.tr("Lepas kunci") if phase in (Phase.OPEN, Phase.ACQUIRING) else self.tr("Kembali ke daftar")
        if self.leave_button.text() != text:
            self.leave_button.setText(text)
        self.leave_button.set_reason(self.tr("Pembayaran sedang disimpan.") if phase is Phase.COMMITTING else "")

    def _press(self) -> None:
        match self._model.phase:
            case Phase.UNKNOWN:
                self.check_pressed.emit()
            case Phase.PAID | Phase.VIEWING if self._model.is_paid:
                self.reprint_pressed.emit()
            case _:
                self.pay_pressed.emit()

    def _lay_out(self) -> None:
        outside = self.body
        # Boxes are drawn RING_MARGIN inside their widgets; what has no ring is moved in by as much.
        outside.setContentsMargins(PADDING - RING_MARGIN, 16, PADDING - RING_MARGIN, 13)
        outside.setSpacing(0)
        area, body = scrolling_column()
        outside.addWidget(area, 1)
        top = QHBoxLayout()
        top.setContentsMargins(RING_MARGIN, 0, RING_MARGIN, 0)
        top.addWidget(self._due_name)
        top.addStretch(1)
        top.addWidget(self._due)
        body.addLayout(top)
        self._rule = QWidget()
        rule = QVBoxLayout(self._rule)
        rule.setContentsMargins(RING_MARGIN, 12, RING_MARGIN, 12 - RING_MARGIN)
        rule.addWidget(Hairline())
        body.addWidget(self._rule)
        body.addWidget(self.methods)
        body.addSpacing(14 - 2 * RING_MARGIN)
        for way in (self.cash, *self._forms.values(), self.code_panel):
            body.addWidget(way)
        body.addStretch(1)
        self._above_message = _moved_in(self.message)
        outside.addLayout(self._above_message)
        outside.addSpacing(8)
        bottom = QHBoxLayout()
        bottom.setSpacing(8)
        bottom.addWidget(self.leave_button)
        bottom.addWidget(self._hint)
        bottom.addStretch(1)
        self.pay_button.setMinimumWidth(PAY_WIDTH)
        bottom.addWidget(self.pay_button)
        outside.addLayout(bottom)

    def _connect(self) -> None:
        self.field.amount_changed.connect(self._model.set_received)
        self.field.exact_wanted.connect(self.take_exact)
        self.field.entered.connect(self.pay_pressed)
        self.cash.taken.connect(self._take)
        self.methods.chosen.connect(self._choose)
        for kind, form in self._forms.items():
            form.typed.connect(partial(self._typed, kind))
            form.entered.connect(self.go_on)
        self.code_panel.by_hand.connect(self._by_hand)
        self.code_panel.again.connect(self._model.show_code)
        self._model.word_given.connect(self.pay_pressed)
        self.pay_button.clicked.connect(lambda *_: self._press())
        self.leave_button.clicked.connect(lambda *_: self.leave_pressed.emit())

    def _by_hand(self) -> None:
        self._model.write_by_hand()
        self.focus_place()

    def _typed(self, kind: TenderKind, name: str, value: object) -> None:
        if kind is self._model.tendering.method:
            self._model.type_slip(**{name: value})


def _moved_in(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(RING_MARGIN, 0, RING_MARGIN, 0)
    row.addWidget(widget)
    return row
