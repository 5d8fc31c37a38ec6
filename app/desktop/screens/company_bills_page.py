"""What companies owe: bill a month, print the bill, record the one transfer that pays it, chase withholding slips."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import day_short, money, number
from app.desktop.language import language
from app.desktop.screens.company_bills_viewmodel import CompanyBillsViewModel, OpenDebt
from app.desktop.theme import TextRole
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.card import Card, Hairline
from app.desktop.widgets.field import Field, FieldSize
from app.desktop.widgets.label import ElidedLabel, Label, Tone
from app.desktop.widgets.scrolling import scrolling_column
from app.desktop.widgets.tick_box import TickBox
from app.domain.errors import Refusal
from app.usecases.rows_companies import CollectiveInvoice, WithholdingSlip

WIDTH = 760


class CompanyBillsPage(QWidget):
    """`print_wanted` carries a bill. One form at a time stands below what it speaks of."""

    print_wanted = Signal(object)

    def __init__(self, model: CompanyBillsViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        model.setParent(self)
        self._online = True
        self._asked: CollectiveInvoice | WithholdingSlip | None = None
        self._shown: object = None
        page = QVBoxLayout(self)
        page.setContentsMargins(24, 20, 24, 16)
        page.setSpacing(12)
        self._title, self._subtitle = Label("", TextRole.SECTION), Label("", TextRole.SECONDARY, Tone.MUTED)
        page.addWidget(self._title)
        page.addWidget(self._subtitle)
        area, self._column = scrolling_column(ground="app")
        self._column.setSpacing(12)
        self._cards = [Card(" ", dense=True) for _ in range(3)]
        self._rows: list[QVBoxLayout] = []
        for card in self._cards:
            card.setMaximumWidth(WIDTH)
            card.body.setSpacing(2)
            rows = QVBoxLayout()
            rows.setSpacing(0)
            card.body.addLayout(rows)
            self._rows.append(rows)
            self._column.addWidget(card)
        self._form = self._make_form()
        self._column.addWidget(self._form)
        self._column.addStretch(1)
        page.addWidget(area, 1)
        self._message = Label("")
        self._message.setWordWrap(True)
        self._message.setMinimumHeight(36)
        page.addWidget(self._message)
        model.changed.connect(self._show)
        model.issued.connect(self._issued)
        model.paid.connect(self._paid)
        model.noted.connect(lambda text: self._done(self.tr("Bukti potong {number} dicatat.").format(number=text)))
        model.refused.connect(self._refused)
        model.failed.connect(lambda failure: self.say(failure_sentence(failure).whole, Tone.ERROR))
        self.retranslate()

    def activate(self) -> None:
        self.model.load()
        self.setFocus()

    def connection_changed(self, online: bool) -> None:
        self._online = online
        self._shown = None
        self._show()

    def escape(self) -> bool:
        """Close the form; False when none stood open."""
        was_open = self._form.isVisibleTo(self)
        self._form.hide()
        return was_open

    def message(self) -> str:
        return self._message.text()

    def texts(self) -> tuple[str, ...]:
        """Each row as shown."""
        return tuple(label.text() for rows in self._cards for label in rows.findChildren(ElidedLabel))

    def press(self, named: str) -> None:
        """The button of that accessible name, as a screen reader presses it."""
        next(button for button in self.findChildren(Button) if button.accessibleName() == named).click()

    def ask_payment(self, bill: CollectiveInvoice) -> None:
        """Ask which transfer paid a bill."""
        tax = self.model.withholdable(bill)
        self._asked = bill
        self._asks.setText(
            self.tr("Transfer untuk {number}: {amount}").format(
                number=bill.number, amount=money(bill.total, language())
            )
        )
        self.withheld.setText(self.tr("PPh 23 {amount} dipotong").format(amount=money(tax, language())))
        self.withheld.setChecked(False)
        self.withheld.setVisible(tax > 0)
        self._name_first(self.tr("Nomor referensi transfer"))
        self.second.setVisible(tax > 0)
        self._open_form()

    def ask_slip(self, slip: WithholdingSlip) -> None:
        """Ask for the number of a slip that came."""
        self._asked = slip
        said = self.tr("Bukti potong {name}, {number}: {amount}")
        self._asks.setText(
            said.format(name=slip.company_name, number=slip.of_number, amount=money(slip.amount, language()))
        )
        self._name_first(self.tr("Nomor bukti potong"))
        self.withheld.hide()
        self.second.hide()
        self._open_form()

    def say(self, text: str, tone: Tone) -> None:
        self._message.setText(text)
        self._message.set_tone(tone)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Tagihan perusahaan"))
        self._title.setText(self.tr("Tagihan perusahaan"))
        self._subtitle.setText(self.tr("Satu tagihan gabungan sebulan untuk tiap perusahaan, dibayar satu transfer."))
        titles = (
            self.tr("Belum ditagih"),
            self.tr("Tagihan gabungan"),
            self.tr("Bukti potong PPh 23 yang belum datang"),
        )
        for card, title in zip(self._cards, titles, strict=True):
            card.set_title(title)
        self.second.set_name(self.tr("Nomor bukti potong (boleh menyusul)"))
        self.second.set_placeholder(self.tr("Nomor bukti potong (boleh menyusul)"))
        self.save_button.setText(self.tr("Simpan"))
        self.leave_button.setText(self.tr("Batal isi"))
        self._form.hide()
        self._shown = None
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # --- inside ---

    def _show(self) -> None:
        model = self.model
        wanted = (model.debts, model.bills, model.slips, model.month, self._reason(), language())
        if wanted == self._shown:
            return
        self._shown = wanted
        debts = [partial(self._debt_row, debt) for debt in model.open_debts()]
        bills = [partial(self._bill_row, bill) for bill in model.bills]
        slips = [partial(self._slip_row, slip) for slip in model.slips]
        empty = (
            self.tr("Tidak ada piutang yang belum ditagih."),
            self.tr("Belum ada tagihan gabungan."),
            self.tr("Semua bukti potong sudah datang."),
        )
        for rows, made, none in zip(self._rows, (debts, bills, slips), empty, strict=True):
            _clear(rows)
            if not made:
                rows.addWidget(Label(none, TextRole.SECONDARY, Tone.MUTED))
            for place, make in enumerate(made):
                if place:
                    rows.addWidget(Hairline())
                rows.addWidget(make())

    def _debt_row(self, debt: OpenDebt) -> QWidget:
        month = self.model.month
        facts = self.tr("{count} tagihan").format(count=number(debt.count, language()))
        issue = self.tr("Tagih s.d. {month}").format(month=f"{month[:4]}-{month[4:]}")
        press = partial(self.model.issue, debt.company_id, month)
        return self._row(debt.name, facts, debt.amount, [(issue, debt.name, press)])

    def _bill_row(self, bill: CollectiveInvoice) -> QWidget:
        name = self.model.name_of(bill)
        due = day_short(bill.due_on, language())
        if bill.paid_at is None:
            facts = self.tr("jatuh tempo {day}").format(day=due)
        else:
            day = day_short(bill.paid_at.astimezone(self.model.who.branch.zone).date(), language())
            facts = self.tr("lunas {day}").format(day=day)
        buttons: list[tuple[str, str, Callable[[], object]]] = [
            (self.tr("Cetak"), bill.number, partial(self.print_wanted.emit, bill))
        ]
        if bill.paid_at is None:
            buttons.append((self.tr("Catat transfer"), bill.number, partial(self.ask_payment, bill)))
        return self._row(f"{bill.number}  {name}", facts, bill.total, buttons)

    def _slip_row(self, slip: WithholdingSlip) -> QWidget:
        note = (self.tr("Catat nomor"), slip.of_number, partial(self.ask_slip, slip))
        return self._row(slip.company_name, slip.of_number, slip.amount, [note])

    def _row(self, name: str, facts: str, amount: int, buttons: list[tuple[str, str, Callable[[], object]]]) -> QWidget:
        place = QWidget()
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(6)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(ElidedLabel(name, weight=600))
        words.addWidget(ElidedLabel(facts, TextRole.CAPTION, Tone.MUTED))
        row.addLayout(words, 1)
        row.addWidget(Label(money(amount, language())))
        row.addSpacing(8)
        for text, of, press in buttons:
            button = Button(text, size=ButtonSize.ROW)
            button.set_reason(self._reason())
            button.setEnabled(not self._reason())
            button.setAccessibleName(f"{text}, {of}")
            button.clicked.connect(lambda *_, press=press: press())
            row.addWidget(button)
        return place

    def _reason(self) -> str:
        if not self.model.is_cashier:
            return self.tr("Perlu peran Kasir.")
        return "" if self._online else self.tr("Koneksi terputus.")

    def _make_form(self) -> Card:
        form = Card()
        form.setMaximumWidth(WIDTH)
        form.body.setSpacing(4)
        self._asks = Label("", weight=600)
        self.first, self.second = Field("", size=FieldSize.TALL), Field("", size=FieldSize.TALL)
        self.withheld = TickBox()
        self.save_button = Button("", primary=True, size=ButtonSize.PRIMARY)
        self.leave_button = Button("", size=ButtonSize.PRIMARY)
        for widget in (self._asks, self.first, self.withheld, self.second):
            form.body.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.leave_button)
        row.addWidget(self.save_button)
        form.body.addLayout(row)
        self.first.edit.returnPressed.connect(self._save)
        self.second.edit.returnPressed.connect(self._save)
        self.save_button.clicked.connect(lambda *_: self._save())
        self.leave_button.clicked.connect(lambda *_: self.escape())
        form.hide()
        return form

    def _name_first(self, name: str) -> None:
        self.first.set_name(name)
        self.first.set_placeholder(name)

    def _open_form(self) -> None:
        self.first.set_text("")
        self.second.set_text("")
        self.say("", Tone.MUTED)
        self._form.show()
        self.first.setFocus(Qt.FocusReason.TabFocusReason)

    def _save(self) -> None:
        text, asked = self.first.text().strip(), self._asked
        if not text:
            self.first.setFocus(Qt.FocusReason.TabFocusReason)
            return
        if isinstance(asked, CollectiveInvoice):
            withheld = self.withheld.isChecked()
            slip = self.second.text().strip() or None
            self.model.pay(asked.id, text, slip if withheld else None, withheld=withheld)
        elif isinstance(asked, WithholdingSlip):
            self.model.note_slip(asked.id, text)

    def _issued(self, bill: CollectiveInvoice) -> None:
        said = self.tr("{number} terbit: {amount}.").format(number=bill.number, amount=money(bill.total, language()))
        self._done(said)
        self.print_wanted.emit(bill)

    def _paid(self, bill: CollectiveInvoice) -> None:
        self._done(self.tr("{number} lunas.").format(number=bill.number))

    def _done(self, text: str) -> None:
        self._form.hide()
        self.say(text, Tone.SUCCESS)

    def _refused(self, no: Refusal) -> None:
        self.say(refusal_sentence(no, self.model.who.branch.zone).whole, Tone.ERROR)
        if self._form.isVisibleTo(self):
            self.first.setFocus(Qt.FocusReason.TabFocusReason)


def _clear(rows: QVBoxLayout) -> None:
    while (item := rows.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
