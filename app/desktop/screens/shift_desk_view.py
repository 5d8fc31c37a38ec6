"""The place "Shift": opening, cash in and out, the blind count beside what is left open, the result, the reports."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import money
from app.desktop.language import language
from app.desktop.money_printing import MoneyPrinting, WrittenMoneyPaper
from app.desktop.printers import Sent
from app.desktop.screen import Screen, ScreenKey, Shell
from app.desktop.screens.company_bills_page import CompanyBillsPage
from app.desktop.screens.shift_cash_card import CashPart
from app.desktop.screens.shift_count_page import CountPage
from app.desktop.screens.shift_desk_viewmodel import ManagersWord, ShiftDeskViewModel
from app.desktop.screens.shift_opening_page import OpeningPage
from app.desktop.screens.shift_past_part import PastPart
from app.desktop.screens.shift_report_page import ReportPage
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.tax_month_page import TaxMonthPage
from app.desktop.viewmodel import Failure
from app.desktop.widgets.card import Surface
from app.desktop.widgets.label import Tone
from app.desktop.widgets.scrolling import scrolling_column
from app.domain.errors import Refusal
from app.usecases.rows_companies import CollectiveInvoice
from app.usecases.rows_till import ShiftReport

SIDE = 400
NARROW = 1100
X_REPORT, TAX_MONTHS, COMPANY_BILLS = "x", "tax", "bills"
"""What `activate` understands beside nothing: the X report, the months and their export, what companies owe."""


class ShiftDeskScreen(Screen):
    """At the left cash in and out and the shifts before; at the right what is to be done now."""

    def __init__(
        self,
        model: ShiftDeskViewModel,
        printing: MoneyPrinting,
        opening: ShiftScreen,
        tax: TaxMonthPage,
        bills: CompanyBillsPage,
        shell: Shell,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shell, parent)
        self.model = model
        self.printing = printing
        for part in (model, printing):
            part.setParent(self)
        self.opening = opening
        self.opening_page = OpeningPage(opening)
        self.tax = tax
        self.bills = bills
        self.cash = CashPart(model)
        self.past = PastPart(model)
        self.page = CountPage(model, self._open_invoice, self._open_drafts)
        self.report = ReportPage(model.who.branch)
        self._wants_side = False
        self._lay_out()
        self._keys = {
            "Ctrl+Return": self.add_key("Ctrl+Return", "", self._primary),
            "Ctrl+M": self.add_key("Ctrl+M", "", self._show_cash),
            "Ctrl+P": self.add_key("Ctrl+P", "", self._print),
        }
        self._connect()
        self._retranslate()
        self._show()

    # --- Screen ---

    def title(self) -> str:
        return self.tr("Shift")

    def activate(self, argument: object = None) -> None:
        self.model.load()
        if argument == TAX_MONTHS:
            self._right.setCurrentWidget(self.tax)
            self.tax.activate()
        elif argument == COMPANY_BILLS:
            self._right.setCurrentWidget(self.bills)
            self.bills.activate()
        elif argument == X_REPORT:
            self.model.read_report(None)
        else:
            self._to_work()

    def refresh(self) -> None:
        self.model.load()

    def connection_changed(self, online: bool) -> None:
        self.opening.connection_changed(online)
        self.tax.connection_changed(online)
        self.bills.connection_changed(online)
        self._show()

    def escape(self) -> bool:
        if self.past.leave():
            return True
        if self._right.currentWidget() is self.bills and self.bills.escape():
            return True
        if self._right.currentWidget() in self._aside():
            self._to_work()
            return True
        if self._wants_side:
            self._wants_side = False
            self._show()
            return True
        if self.model.report is not None and self.model.count is None and self.model.typed.pieces:
            self._save_and_go()
            return True
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._show()
        super().changeEvent(event)

    def panes(self) -> tuple[QWidget, ...]:
        return (self._side, self._right)

    # --- what is shown ---

    def _show(self) -> None:
        model = self.model
        offline = "" if self.shell.is_online() else self._offline_words()
        self.cash.setVisible(model.report is not None and model.is_mine())
        self.cash.show_now(offline)
        self.past.show_now()
        self.page.show_now(offline)
        if self._right.currentWidget() not in (*self._aside(), self._work()):
            self._right.setCurrentWidget(self._work())
            if self.isVisible():
                self._focus_work()
        in_front = self._right.currentWidget()
        self._keys["Ctrl+Return"].setEnabled(in_front is self.page)
        may_look = in_front is self.opening_page and self.width() < NARROW
        self._keys["Ctrl+M"].setEnabled(may_look or (in_front is self.page and model.is_mine()))
        self._keys["Ctrl+P"].setEnabled(in_front is self.report)
        self._keys["Ctrl+Return"].setText(self.page.primary_words())
        self._fit()

    def _offline_words(self) -> str:
        return self.tr("Koneksi terputus: hitungan tersimpan di PC ini. Kunci dan tutup setelah terhubung.")

    def _fit(self) -> None:
        """In a narrow window one of the two: the work, or cash and the shifts before."""
        narrow = self.width() < NARROW
        self._side.setVisible(not narrow or self._wants_side)
        self._right.setVisible(not narrow or not self._wants_side)
        self._side.setMaximumWidth(SIDE if not narrow else 16_777_215)
        self.page.set_narrow(narrow)

    def _aside(self) -> tuple[QWidget, ...]:
        """Pages that are looked at on the way; Esc goes back to work."""
        return (self.report, self.tax, self.bills)

    def _work(self) -> QWidget:
        """What is to be done: nothing yet while nobody knows, else open a shift, or count the one that is open."""
        if not self.model.is_loaded:
            return self._blank
        return self.page if self.model.report is not None else self.opening_page

    def _to_work(self) -> None:
        self._right.setCurrentWidget(self._work())
        self._show()
        self._focus_work()

    def _focus_work(self) -> None:
        if self._right.currentWidget() is self.page:
            self.page.take_focus()
        elif self._right.currentWidget() is self.opening_page:
            self.opening.activate()
        else:
            self.setFocus()

    def _show_cash(self) -> None:
        self._wants_side = self.width() < NARROW
        self._show()
        self.cash.amount.setFocus(Qt.FocusReason.TabFocusReason)

    # --- what happens ---

    def _primary(self) -> None:
        if not self.shell.is_online():
            self.page.say(self._offline_words(), Tone.ERROR)
        else:
            self.page.press()

    def _save_and_go(self) -> None:
        self.shell.toast(self.tr("Hitungan sementara disimpan di PC ini"))
        self.shell.go(ScreenKey.CALENDAR)

    def _open_invoice(self, invoice_id: str) -> None:
        self.shell.go(ScreenKey.INVOICES, invoice_id)

    def _open_drafts(self) -> None:
        self.shell.go(ScreenKey.CALENDAR)

    def _print(self) -> None:
        if self.report.report is not None:
            self.printing.print_shift(self.report.report)

    def _moved(self, amount: int) -> None:
        self.cash.clear()
        said = self.tr("Kas masuk {amount}") if amount > 0 else self.tr("Kas keluar {amount}")
        self.shell.toast(said.format(amount=money(abs(amount), language())))

    def _locked_in(self) -> None:
        self._show()
        self.page.take_focus()
        announce(self, self.page.result.sentence(), assertive=True)

    def _closed(self, zed: ShiftReport) -> None:
        self.page.clear()
        self.shell.refresh_shift()
        self.shell.toast(self.tr("Shift #{number} ditutup").format(number=zed.number))
        self.opening.model.load()
        self._show_report(zed)
        self.printing.print_shift(zed, just_closed=True)

    def _reopened(self, again: ShiftReport) -> None:
        self.past.leave()
        self.shell.refresh_shift()
        self.opening.model.load()
        self.shell.toast(self.tr("Shift #{number} dibuka lagi").format(number=again.number))

    def _show_report(self, report: ShiftReport) -> None:
        self.report.show_report(report)
        self._right.setCurrentWidget(self.report)
        self._wants_side = False
        self._show()
        self.report.print_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _written(self, paper: WrittenMoneyPaper) -> None:
        said = self.tr("{file} tersimpan di {folder}")
        self._told(said.format(file=paper.path.name, folder=paper.path.parent), Tone.MUTED)

    def _sent(self, paper: WrittenMoneyPaper, sent: Sent) -> None:
        """A printer's trouble is told beside the file that is there anyway."""
        if sent is Sent.REFUSED:
            said = self.tr("{file} tersimpan, tetapi belum tercetak: printer tidak menjawab.")
            self._told(said.format(file=paper.path.name), Tone.WARNING)
        elif sent is Sent.PRINTED:
            self._told(self.tr("{file} tersimpan dan dicetak").format(file=paper.path.name), Tone.MUTED)

    def _unwritten(self, problem: str) -> None:
        said = self.tr("Semua sudah tersimpan, hanya kertasnya gagal ditulis: {problem}. Cetak lagi.")
        self._told(said.format(problem=problem), Tone.WARNING)

    def _told(self, text: str, tone: Tone) -> None:
        """Of a paper, where it was asked for."""
        (self.bills if self._right.currentWidget() is self.bills else self.report).say(text, tone)

    def _print_bill(self, bill: CollectiveInvoice) -> None:
        model = self.bills.model
        self.printing.print_collective(bill, model.name_of(bill), model.owed_of(bill))

    def _refused(self, no: Refusal) -> None:
        said = refusal_sentence(no, self.model.zone).whole
        announce(self, said, assertive=True)
        if self.past.reason.isVisibleTo(self) or self._right.currentWidget() is self.opening_page:
            self.shell.toast(said, seconds=10)
        elif no.field in ("amount", "movement_id") and self.cash.isVisibleTo(self):
            self.cash.say(said, Tone.ERROR)
            self.cash.amount.setFocus()
        else:
            self.page.show_refusal(no, said)
        self._show()

    def _failed(self, failure: Failure) -> None:
        said = failure_sentence(failure).whole
        if self._right.currentWidget() is self.page:
            self.page.say(said, Tone.ERROR)
        else:
            self.shell.toast(said, seconds=10)

    def _opened(self) -> None:
        self.model.load()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.title())
        self._keys["Ctrl+M"].setText(self.tr("Kas masuk / keluar"))
        self._keys["Ctrl+P"].setText(self.tr("Cetak laporan"))

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self._show)
        model.refused.connect(self._refused)
        model.failed.connect(self._failed)
        model.moved.connect(self._moved)
        model.locked_in.connect(self._locked_in)
        model.closed.connect(self._closed)
        model.reopened.connect(self._reopened)
        model.report_read.connect(self._show_report)
        self.opening.model.opened.connect(self._opened)
        self.cash.wanted.connect(lambda amount, reason, into: model.move_cash(amount, reason, into))
        self.past.report_wanted.connect(lambda shift_id: model.read_report(shift_id))
        self.past.count_wanted.connect(model.take_up)
        self.past.reopen_wanted.connect(self._reopen)
        self.page.primary.clicked.connect(lambda *_: self._primary())
        self.page.entered.connect(self._primary)
        self.page.x_button.clicked.connect(lambda *_: model.read_report(None))
        self.page.cash_button.clicked.connect(lambda *_: self._show_cash())
        self.page.save_button.clicked.connect(lambda *_: self._save_and_go())
        self.report.print_button.clicked.connect(lambda *_: self._print())
        self.report.close_button.clicked.connect(lambda *_: self.escape())
        self.printing.written.connect(self._written)
        self.printing.sent.connect(self._sent)
        self.printing.unwritten.connect(self._unwritten)
        self.printing.refused.connect(lambda no: self._told(refusal_sentence(no).whole, Tone.ERROR))
        self.printing.failed.connect(lambda failure: self._told(failure_sentence(failure).whole, Tone.ERROR))
        self.bills.print_wanted.connect(self._print_bill)

    def _reopen(self, shift_id: str, reason: str, word: ManagersWord | None) -> None:
        self.model.reopen_shift(shift_id, reason, word)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._side = Surface("surface", right_line=True)
        self._side.setMinimumWidth(SIDE)
        inside = QVBoxLayout(self._side)
        inside.setContentsMargins(24, 20, 21, 16)
        area, column = scrolling_column()
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(20)
        column.addWidget(self.cash)
        column.addWidget(self.past)
        column.addStretch(1)
        inside.addWidget(area)
        row.addWidget(self._side)
        self._right = QStackedWidget()
        self._blank = QWidget()
        for page in (self._blank, self.opening_page, self.page, *self._aside()):
            self._right.addWidget(page)
        row.addWidget(self._right, 1)
