"""The place "Tagihan": the invoice list, and in front of it the settlement of one invoice."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.bootstrap import Counter
from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.printers import Sent, SystemPrinters
from app.desktop.printing import Printing
from app.desktop.screen import Screen, Shell
from app.desktop.screens.invoices_aside import Aside
from app.desktop.screens.invoices_list import InvoiceListPage
from app.desktop.screens.invoices_viewmodel import InvoicesViewModel
from app.desktop.screens.settlement_kept import KeptTenders
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_tendering import METHODS
from app.desktop.screens.settlement_view import SettlementPage
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel, drawer_proposal
from app.desktop.viewmodel import Failure
from app.domain.errors import Refusal, RefusalCode
from app.settings import load_settings
from app.usecases.rows import InvoiceRow

UNLOCK_WITHIN = 1.5
CARD_CODES = (RefusalCode.LOCK_HELD, RefusalCode.LOCK_MINE_ELSEWHERE)


class InvoicesScreen(Screen):
    """`activate("<invoice id>")` opens that invoice at once; without an argument the list stands in front."""

    def __init__(
        self,
        invoices: InvoicesViewModel,
        settlement: SettlementViewModel,
        printing: Printing,
        make_shift: Callable[[], Screen],
        shell: Shell,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shell, parent)
        self.invoices = invoices
        self.settlement = settlement
        self.printing = printing
        for model in (invoices, settlement, printing):
            model.setParent(self)
        self._asked_to_leave = False
        self._next: tuple[str, Callable[[str], object]] | None = None
        self.list_page = InvoiceListPage(invoices)
        self.page = SettlementPage(settlement, shell, make_shift)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list_page)
        self._stack.addWidget(self.page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self._aside: Aside | None = None
        self._pay_key = self.add_key("F9", "", self._pay)
        self._print_key = self.add_key("Ctrl+P", "", self._reprint)
        self._way_keys = [
            self.add_key(f"Alt+{place}", "", partial(self.page.choose, place)) for place in range(1, len(METHODS) + 1)
        ]
        self._split_key = self.add_key("Ctrl+B", "", self.page.split)
        self._connect()
        self._retranslate()

    # --- Screen ---

    def title(self) -> str:
        return self.tr("Tagihan")

    def activate(self, argument: object = None) -> None:
        if isinstance(argument, str) and argument and argument != self.settlement.invoice_id:
            self.open_invoice(argument)
        elif self.is_settling():
            self.page.focus_amount()
        elif self._stack.currentWidget() is self._aside and self._aside is not None:
            self._aside.setFocus()
        else:
            self._show_list()

    def refresh(self) -> None:
        if not self.is_settling():
            self.invoices.refresh()

    def leave(self) -> bool:
        """Give the lock back first. While a payment is being saved the screen stays."""
        phase = self.settlement.phase
        if phase in (Phase.PAID, Phase.VIEWING):
            self.settlement.dismiss()
        if self.settlement.phase is Phase.CLOSED:
            return True
        if self.settlement.is_saving:
            self.shell.toast(self.tr("Pembayaran sedang disimpan. Tunggu sebentar."), seconds=4)
            return False
        self._asked_to_leave = True
        self.settlement.keep_received()
        self.settlement.release()
        return not self.is_settling()

    def shut(self) -> None:
        """Log-out or the end: a lock that is still held is given back, for 1.5 s at most; it ends by itself anyway."""
        give_back = threading.Thread(target=self.settlement.lock.let_go(), name="sentra-unlock", daemon=True)
        give_back.start()
        give_back.join(UNLOCK_WITHIN)
        self.page.end()
        super().shut()

    def escape(self) -> bool:
        if self._stack.currentWidget() is self._aside and self._aside is not None:
            self._aside.escape()
            return True
        return self.page.escape() if self.is_settling() else self.list_page.escape()

    def find_text(self, text: str) -> bool:
        if self.is_settling():
            return False
        self.list_page.search.set_text(text)
        self.invoices.filter(text)
        return bool(self.invoices.shown())

    def connection_changed(self, online: bool) -> None:
        self.list_page.set_online(online)
        self.settlement.set_online(online)
        if self._aside is not None:
            self._aside.connection_changed(online)

    def panes(self) -> tuple[QWidget, ...]:
        if self.is_settling():
            return (self.page.cards, self.page.pay_card)
        return (self.list_page.search, self.list_page.table)

    # --- what others call ---

    def is_settling(self) -> bool:
        """True while one invoice stands in front of the list."""
        return self._stack.currentWidget() is self.page

    def add_aside(self, page: Aside) -> None:
        """A page that may stand in the list's place."""
        self._aside = page
        self._stack.addWidget(page)
        page.left.connect(self._show_list)

    def show_aside(self) -> None:
        """Put it there; an invoice that is being settled is not left for it."""
        if self._aside is not None and not self.is_settling():
            self.invoices.hide()
            self._stack.setCurrentWidget(self._aside)
            self._aside.activate()
            self._show_keys()

    def open_invoice(self, invoice_id: str) -> None:
        """Settle this invoice; another one that is open is given back first."""
        self._then(invoice_id, self.settlement.open)

    def view_invoice(self, invoice_id: str) -> None:
        """Look at this invoice without its lock."""
        self._then(invoice_id, self.settlement.view)

    def move_invoice(self, invoice_id: str) -> None:
        """Take my own lock over from my other window."""
        self._then(invoice_id, lambda wanted: self.settlement.open(wanted, True))

    def hint(self, invoice_id: str = "") -> None:
        """A change hint: an invoice or a booking changed somewhere."""
        self.invoices.hint(invoice_id)

    # --- steps ---

    def _then(self, invoice_id: str, run: Callable[[str], object]) -> None:
        if self.settlement.phase is Phase.CLOSED:
            run(invoice_id)
            return
        self._next = (invoice_id, run)
        if self.settlement.phase in (Phase.PAID, Phase.VIEWING):
            self.settlement.dismiss()
        elif not self.settlement.is_saving:
            self.settlement.release()

    def _show_list(self) -> None:
        if self.is_settling():
            self.page.end()
        self._stack.setCurrentWidget(self.list_page)
        if self.isVisible():
            self.invoices.show()
        self.list_page.focus_list()
        self._show_keys()

    def _show_page(self) -> None:
        if not self.is_settling():
            self.invoices.hide()
            self._stack.setCurrentWidget(self.page)
            self.page.begin()
        self._show_keys()

    def _leave_page(self) -> None:
        """Esc, "Tagihan", any key after paying."""
        if self.settlement.phase is Phase.PAID:
            self.invoices.select_next_of(self.settlement.invoice_id)
        if self.settlement.phase in (Phase.PAID, Phase.VIEWING):
            self.settlement.dismiss()
        elif self.settlement.is_saving:
            self.shell.toast(self.tr("Pembayaran sedang disimpan. Tunggu sebentar."), seconds=4)
        else:
            if self.settlement.phase is Phase.UNKNOWN:
                self.shell.toast(self.tr("Status pembayaran belum pasti: periksa tagihannya di daftar."))
            self.settlement.release()

    def _released(self) -> None:
        if self._next is not None:
            (invoice_id, run), self._next = self._next, None
            run(invoice_id)
            return
        self._show_list()
        if self._asked_to_leave:
            self._asked_to_leave = False
            self.ready_to_leave.emit()

    def _not_opened(self, no: Refusal) -> None:
        self._show_list()
        self.invoices.refresh()
        if no.code in CARD_CODES:
            self.invoices.stop_at(no)
            self.list_page.focus_list()
            announce(self, self._sentence(no))
        else:
            self.shell.toast(self._sentence(no))

    def _changed(self) -> None:
        if self.settlement.phase is not Phase.CLOSED and not self.is_settling() and self.settlement.detail is not None:
            self._show_page()
        self._show_keys()

    def _paid(self) -> None:
        self.printing.write(self.settlement.invoice_id)

    def _freed(self, row: InvoiceRow) -> None:
        text = self.tr("{number} {customer} sudah tidak dikunci. F9 membukanya.")
        self.shell.toast(text.format(number=row.booking_number, customer=row.customer_name))

    def _pay(self) -> None:
        if self._stack.currentWidget() is self._aside and self._aside is not None:
            self._aside.pay()
        elif not self.is_settling():
            self.list_page.open_selected()
        elif self.page.shift is None:
            self.page.pay()

    def _reprint(self) -> None:
        if not self.is_settling():
            self.list_page.reprint()
        elif self.settlement.is_paid:
            self.printing.reprint(self.settlement.invoice_id)

    def _sentence(self, no: Refusal) -> str:
        row = next((row for row in self.invoices.rows if row.id == no.params.get("invoice_id")), None)
        told = Refusal(no.code, field=no.field, next=no.next)
        told.params.update(no.params, number=row.booking_number if row else "")
        return refusal_sentence(told, self.invoices.zone).whole

    def _refused(self, no: Refusal) -> None:
        self.shell.toast(self._sentence(no))

    def _failed(self, failure: Failure) -> None:
        self.shell.toast(failure_sentence(failure).whole)

    def _connect(self) -> None:
        self.list_page.pay_wanted.connect(self.open_invoice)
        self.list_page.view_wanted.connect(self.view_invoice)
        self.list_page.move_wanted.connect(self.move_invoice)
        self.list_page.reprint_wanted.connect(self.printing.reprint)
        self.page.leave_wanted.connect(self._leave_page)
        self.page.view_wanted.connect(self.view_invoice)
        self.page.reprint_wanted.connect(self.printing.reprint)
        self.settlement.changed.connect(self._changed)
        self.settlement.opened.connect(self._show_page)
        self.settlement.not_opened.connect(self._not_opened)
        self.settlement.released.connect(self._released)
        self.settlement.paid.connect(lambda _receipt: self._paid())
        self.invoices.freed.connect(self._freed)
        self.invoices.changed.connect(self._show_keys)
        for model in (self.invoices, self.settlement, self.printing):
            model.refused.connect(self._refused)
            model.failed.connect(self._failed)
        self.printing.written.connect(self._written)
        self.printing.copied.connect(self._copied)
        self.list_page.told.connect(self._promised)
        self.printing.unwritten.connect(self._unwritten)
        self.printing.sent.connect(self._sent)

    def _copied(self, path: Path, count: int) -> None:
        text = self.tr("SALINAN ke-{count} tersimpan: {file}")
        self.shell.toast(text.format(count=count, file=path.name), detail=self._place_of(path))

    def _written(self, path: Path) -> None:
        text = self.tr("Kwitansi tersimpan: {file}")
        self.shell.toast(text.format(file=path.name), detail=self._place_of(path))

    def _place_of(self, path: Path) -> str:
        """For the tooltip: a path is too long to be read in passing."""
        return self.tr("{file} tersimpan di folder dokumen: {folder}").format(file=path.name, folder=path.parent)

    def _promised(self) -> None:
        self.shell.toast(self.tr("Kami beri tahu saat kuncinya lepas."))

    def _unwritten(self, why: str) -> None:
        self.shell.toast(self.tr("Lunas. Kwitansi gagal ditulis ({why}). Ctrl+P mencoba lagi.").format(why=why))

    def _sent(self, path: Path, sent: Sent) -> None:
        """A jam is told as what it is: the payment stays done, the receipt is a file already."""
        if sent is Sent.REFUSED:
            said = self.tr(
                "Lunas. Struk gagal dicetak: printer tidak menjawab. {file} tersimpan; Ctrl+P mencetak ulang."
            )
            self.shell.toast(said.format(file=path.name), seconds=10, detail=self._place_of(path))

    def _show_keys(self) -> None:
        settling = self.is_settling()
        paid = self.settlement.is_paid
        looking = self.settlement.phase is Phase.VIEWING
        words = self.tr("Buka & bayar") if self.invoices.may_settle else self.tr("Lihat")
        self._pay_key.setText(self.tr("Bayar") if settling else words)
        may_open = self.list_page.may_open() or (not self.invoices.may_settle and self.invoices.selected() is not None)
        if self._stack.currentWidget() is self._aside and self._aside is not None:
            self._pay_key.setText(self.tr("Bayarkan"))
            may_open = True
        self._pay_key.setEnabled(not paid and not looking if settling else may_open)
        for key in (*self._way_keys, self._split_key):
            key.setEnabled(settling and self.settlement.phase is Phase.OPEN)
        self._print_key.setEnabled(paid if settling else self.list_page.reprint_button.isEnabled())

    def _retranslate(self) -> None:
        self._print_key.setText(self.tr("Cetak ulang"))
        ways = (self.tr("Tunai"), self.tr("EDC"), self.tr("QRIS"), self.tr("Transfer"))
        for key, way in zip(self._way_keys, ways, strict=True):
            key.setText(way)
        self._split_key.setText(self.tr("Bagi pembayaran"))
        self.list_page.retranslate()
        self.page.retranslate()
        self._show_keys()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.is_settling():
            self.invoices.show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.invoices.hide()


def make_invoices(counter: Counter, shell: Shell, data: Path) -> InvoicesScreen:
    """The screen over a logged-in counter."""

    def make_shift() -> Screen:
        model = ShiftViewModel(
            current_shift=counter.shifts.current_shift,
            open_shift=counter.shifts.open_shift,
            zone=counter.who.branch.zone,
            drawer=drawer_proposal(counter.counter_name, counter.who.name),
            roles=frozenset(role.value for role in counter.who.roles),
        )
        return ShiftScreen(model, shell)

    folder = load_settings().data_dir / "documents"
    return InvoicesScreen(
        InvoicesViewModel(counter),
        SettlementViewModel(
            counter,
            kept=KeptTenders(data / "drafts", counter.who.login),
            approve=counter.approvals.approve,
            gateway=counter.gateway,
        ),
        Printing(
            counter.settlement,
            counter.who.branch,
            counter.counter_name,
            folder,
            papers=counter.till.papers,
            new_id=counter.new_id,
            printers=SystemPrinters(),
        ),
        make_shift,
        shell,
    )
