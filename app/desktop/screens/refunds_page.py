"""Refunds that are due: to whom, how much, why and since when; one is paid out in place, by the way it was paid."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.documents.tender_words import way_name
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import day_short, money
from app.desktop.language import language
from app.desktop.screens.invoices_aside import Aside
from app.desktop.screens.refunds_viewmodel import RefundsViewModel
from app.desktop.screens.shift_word import WordFields
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline, Surface
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.errors import Refusal
from app.domain.refund import DEPOSIT, RefundWay
from app.usecases.rows_till import RefundRow

WIDTH = 760
_WITH_REFERENCE = frozenset({RefundWay.EDC, RefundWay.TRANSFER})


class RefundsPage(Aside):
    """`slip_wanted` carries a RefundRow that was paid out, `shift_wanted` when cash needs an open shift."""

    slip_wanted = Signal(object)
    shift_wanted = Signal()

    def __init__(self, model: RefundsViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        model.setParent(self)
        self.refund: RefundRow | None = None
        self.way = RefundWay.CASH
        self._online = True
        self._shown: object = None
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        head = Surface("surface", bottom_line=True)
        head.setFixedHeight(48)
        top = QHBoxLayout(head)
        top.setContentsMargins(9, 0, 12, 1)
        self._back = Button(icon="chevron_left", flat=True)
        self._title, self._sum = Label("", TextRole.SECTION), Label("", TextRole.SECONDARY, Tone.MUTED)
        for widget in (self._back, self._title, self._sum):
            top.addWidget(widget)
        top.addStretch(1)
        page.addWidget(head)
        ground = Surface("app")
        body = QVBoxLayout(ground)
        body.setContentsMargins(12, 12, 12, 12)
        area, column = scrolling_column(ground="app")
        column.setSpacing(12)
        self._list = Card()
        self._list.setMaximumWidth(WIDTH)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._list.body.addLayout(self._rows)
        column.addWidget(self._list)
        self._form = self._make_form()
        column.addWidget(self._form)
        column.addStretch(1)
        body.addWidget(area, 1)
        self._message = Label("")
        self._message.setWordWrap(True)
        self._message.setMinimumHeight(36)
        body.addWidget(self._message)
        page.addWidget(ground, 1)
        self._back.clicked.connect(lambda *_: self.left.emit())
        model.changed.connect(self._show)
        model.paid_out.connect(self._paid_out)
        model.shift_needed.connect(self._shift_needed)
        model.refused.connect(self._refused)
        model.failed.connect(lambda failure: self.say(failure_sentence(failure).whole, Tone.ERROR))
        self.retranslate()

    def activate(self) -> None:
        """Read what is due; the first row's button has the keyboard."""
        self.say("", Tone.MUTED)
        self._form.hide()
        self.model.load()
        self.setFocus()

    def connection_changed(self, online: bool) -> None:
        self._online = online
        self._shown = None
        self._show()

    def escape(self) -> None:
        """Close the form, else go back to the invoices."""
        if self._form.isVisibleTo(self):
            self._form.hide()
            self.refund = None
        else:
            self.left.emit()

    def message(self) -> str:
        return self._message.text()

    def begin(self, refund: RefundRow) -> None:
        """Ask how this one is paid out."""
        self.refund = refund
        for field in (self.reference, self.bank, self.reason):
            field.set_text("")
        self.say("", Tone.MUTED)
        self._form.show()
        self.choose(self.model.usual_way(refund))

    def choose(self, way: RefundWay) -> None:
        """Another way; the fields it asks for stand there, and the focus is in the first empty one."""
        refund = self.refund
        if refund is None or way not in self.model.ways(refund):
            return
        self.way = way
        for kind, button in self.way_buttons.items():
            button.setVisible(kind in self.model.ways(refund))
            button.setChecked(kind is way)
        needs_word = self.model.needs_word(refund, way)
        for field in (self.reference, self.bank):
            field.setVisible(way in _WITH_REFERENCE)
        self.reason.setVisible(needs_word)
        self.word.setVisible(needs_word)
        words = self.tr("{name}: kembalikan {amount}")
        self._asks.setText(words.format(name=refund.customer_name, amount=money(refund.amount, language())))
        self.pay_button.setText(self.tr("Kembalikan {amount}").format(amount=money(refund.amount, language())))
        place = next((field for field in self._fields() if not field.text().strip()), None)
        (self.pay_button if place is None else place).setFocus(Qt.FocusReason.TabFocusReason)

    def pay(self) -> None:
        """F9 and Enter: pay it out, or go to the first field that is empty."""
        refund = self.refund
        if refund is None or not self._form.isVisibleTo(self) or self._reason():
            return
        place = next((field for field in self._fields() if not field.text().strip()), None)
        if place is not None:
            place.edit.setFocus(Qt.FocusReason.TabFocusReason)
            return
        word = self.word.take() if self.model.needs_word(refund, self.way) else None
        if word is None and self.model.needs_word(refund, self.way):
            return
        self.model.pay_out(
            refund,
            self.way,
            self.reference.text().strip() if self.way in _WITH_REFERENCE else "",
            self.bank.text().strip() if self.way in _WITH_REFERENCE else "",
            self.reason.text().strip() if word is not None else "",
            word,
        )

    def say(self, text: str, tone: Tone) -> None:
        self._message.setText(text)
        self._message.set_tone(tone)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Dana kembali"))
        self._back.setText(self.tr("Tagihan"))
        self._title.setText(self.tr("Dana kembali"))
        for way, button in self.way_buttons.items():
            button.setText(way_name(way.value))
        for field, text in (
            (self.reference, self.tr("Nomor referensi")),
            (self.bank, self.tr("Bank")),
            (self.reason, self.tr("Alasan")),
        ):
            field.set_name(text)
            field.set_placeholder(text)
        self.word.say_why(self.tr("Cara ini perlu persetujuan manajer."))
        self.leave_button.setText(self.tr("Batal isi"))
        self._shown = None
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _fields(self) -> tuple[Field, ...]:
        """What has to be filled in for the way chosen; the manager's own fields see to themselves."""
        if self.refund is None:
            return ()
        needed = (self.reference,) if self.way in _WITH_REFERENCE else ()
        return (*needed, self.reason) if self.model.needs_word(self.refund, self.way) else needed

    def _show(self) -> None:
        model = self.model
        wanted = (model.due, model.is_loaded, self._reason(), language())
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._sum.setText(self.tr("%n menunggu", "", len(model.due)) + f", {money(model.total(), language())}")
        if not model.due:
            empty = self.tr("Tidak ada dana yang harus dikembalikan.") if model.is_loaded else ""
            self._rows.addWidget(Label(empty, tone=Tone.MUTED))
        for place, refund in enumerate(model.due):
            if place:
                self._rows.addWidget(Hairline())
            self._rows.addWidget(self._row(refund))

    def _row(self, refund: RefundRow) -> QWidget:
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 3, 0, 3)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(0)
        number = refund.booking_number or refund.invoice_number or ""
        words.addWidget(ElidedLabel(f"{refund.customer_name}  {number}", weight=600))
        words.addWidget(ElidedLabel(self._facts(refund), TextRole.CAPTION, Tone.MUTED))
        row.addLayout(words, 1)
        row.addWidget(Label(money(refund.amount, language()), weight=600))
        button = Button(self.tr("Kembalikan"), size=ButtonSize.SMALL)
        button.set_reason(self._reason())
        button.setEnabled(not self._reason())
        button.setAccessibleName(f"{button.text()} {refund.customer_name} {money(refund.amount, language())}")
        button.clicked.connect(partial(self._begin, refund))
        row.addWidget(button)
        return place

    def _begin(self, refund: RefundRow, _checked: bool = False) -> None:
        self.begin(refund)

    def _facts(self, refund: RefundRow) -> str:
        day = refund.created_at.astimezone(self.model.who.branch.zone).date()
        since = self.tr("sejak {day}").format(day=day_short(day, language()))
        what = self.tr("deposit") if refund.kind == DEPOSIT else refund.reason
        came = ", ".join(way_name(way.value) for way, amount in refund.came_by.items() if amount > 0)
        paid = self.tr("dibayar lewat {ways}").format(ways=came) if came else ""
        return " · ".join(part for part in (what, since, paid) if part)

    def _reason(self) -> str:
        if not self.model.may_pay_out:
            return self.tr("Perlu peran Kasir.")
        return "" if self._online else self.tr("Koneksi terputus.")

    def _make_form(self) -> Card:
        form = Card()
        form.setMaximumWidth(WIDTH)
        form.body.setSpacing(6)
        self._asks = Label("", TextRole.SECTION)
        self._asks.setWordWrap(True)
        form.body.addWidget(self._asks)
        ways = QHBoxLayout()
        ways.setSpacing(2)
        self.way_buttons: dict[RefundWay, Button] = {}
        for way in RefundWay:
            button = Button(size=ButtonSize.NORMAL)
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, way=way: self.choose(way))
            ways.addWidget(button)
            self.way_buttons[way] = button
        ways.addStretch(1)
        form.body.addLayout(ways)
        self.reference, self.bank, self.reason = (Field("", size=FieldSize.TALL) for _ in range(3))
        paper = QHBoxLayout()
        paper.setSpacing(8)
        paper.addWidget(self.reference)
        paper.addWidget(self.bank)
        form.body.addLayout(paper)
        form.body.addWidget(self.reason)
        self.word = WordFields()
        form.body.addWidget(self.word)
        self.pay_button = Button("", primary=True, size=ButtonSize.PRIMARY, key="F9")
        self.leave_button = Button("", size=ButtonSize.PRIMARY, key="Esc")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.leave_button)
        row.addWidget(self.pay_button)
        form.body.addLayout(row)
        for field in (self.reference, self.bank, self.reason):
            field.edit.returnPressed.connect(self.pay)
        self.word.entered.connect(self.pay)
        self.pay_button.clicked.connect(lambda *_: self.pay())
        self.leave_button.clicked.connect(lambda *_: self.escape())
        form.hide()
        return form

    def _paid_out(self, refund: RefundRow) -> None:
        self._form.hide()
        self.refund = None
        said = self.tr("{amount} dikembalikan ke {name} ({way}), {number}.")
        way = "" if refund.way is None else way_name(refund.way.value)
        number = refund.number or ""
        self.say(
            said.format(amount=money(refund.amount, language()), name=refund.customer_name, way=way, number=number),
            Tone.SUCCESS,
        )
        self.slip_wanted.emit(refund)
        self.setFocus()

    def _shift_needed(self, _no: Refusal) -> None:
        self.say(self.tr("Uang tunai keluar dari laci Anda: buka shift dulu."), Tone.ERROR)
        self.shift_wanted.emit()

    def _refused(self, no: Refusal) -> None:
        self.say(refusal_sentence(no, self.model.who.branch.zone).whole, Tone.ERROR)
        if no.field == "password":
            self.word.password.edit.setFocus(Qt.FocusReason.TabFocusReason)
