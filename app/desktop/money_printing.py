"""Papers of the till, counted before they are printed, by worker threads. A printer's trouble is never a payment's."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.bootstrap import Counter
from app.desktop.commands import call, command
from app.desktop.documents.collective_paper import CollectivePaper
from app.desktop.documents.invoice_paper import InvoicePaper
from app.desktop.documents.money_files import MoneyDocument, page_of, strip_of, write_money_paper
from app.desktop.documents.paper import ROLL_80
from app.desktop.documents.refund_paper import RefundPaper
from app.desktop.documents.shift_paper import ShiftPaper
from app.desktop.documents.shift_rows import is_z
from app.desktop.language import language
from app.desktop.printers import Pages, Printers, Sent
from app.desktop.viewmodel import ViewModel
from app.domain.invoice import InvoiceKind
from app.domain.staff import StaffMember
from app.usecases.money_papers import MoneyPaper
from app.usecases.rows import InvoiceDetail, InvoiceRow
from app.usecases.rows_companies import CollectiveInvoice, Receivable
from app.usecases.rows_till import RefundRow, ShiftReport


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMoneyPaper:
    """A file on this PC; `copy` is which SALINAN it is, 0 for the original."""

    paper: MoneyPaper
    path: Path
    copy: int


class CountsPrints(Protocol):
    """The part of `MoneyPapers` that printing needs."""

    def count_print(self, print_id: str, paper: MoneyPaper, subject_id: str) -> int: ...


class TellsInvoices(Protocol):
    """The part of `Settlement` that printing needs."""

    def invoice(self, invoice_id: str) -> InvoiceDetail: ...

    def invoices(self) -> tuple[InvoiceRow, ...]: ...


def still_to_pay(detail: InvoiceDetail, open_rows: tuple[InvoiceRow, ...]) -> int:
    """What the order of a down payment still has to pay beside it; 0 for every other invoice."""
    if detail.row.kind is not InvoiceKind.DOWN_PAYMENT:
        return 0
    return sum(
        row.total - row.paid for row in open_rows if row.order_id == detail.row.order_id and row.id != detail.row.id
    )


class MoneyPrinting(ViewModel):
    """`written` carries a WrittenMoneyPaper, before any printer is asked; `sent` it again and what the printer did;
    `unwritten` why there is no file. A printing that was counted and not written is the same one at the next press."""

    written = Signal(object)
    sent = Signal(object, object)
    unwritten = Signal(str)

    def __init__(
        self,
        *,
        papers: CountsPrints,
        invoices: TellsInvoices,
        letterhead: Callable[[str], str],
        new_id: Callable[[], str],
        who: StaffMember,
        counter: str,
        folder: Path,
        printers: Printers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._papers = papers
        self._invoices = invoices
        self._letterhead = letterhead
        self._new_id = new_id
        self._who = who
        self._counter = counter
        self.folder = folder
        self._printers = printers
        self._unfinished: dict[tuple[MoneyPaper, str], str] = {}

    @command
    async def print_shift(self, report: ShiftReport, *, just_closed: bool = False) -> None:
        """A Z report is counted; an X report tells its own moment and is not.

        The one that closing itself prints is an original, also where the shift was closed before and opened again.
        """
        counted = await self._count(MoneyPaper.SHIFT_REPORT, report.id) if is_z(report) else 0
        copy = 0 if just_closed else counted
        paper = ShiftPaper(
            report=report,
            branch=self._who.branch,
            counter=self._counter,
            printed_by=self._who.name,
            language=language(),
            copy=copy,
        )
        await self._write(MoneyPaper.SHIFT_REPORT, report.id, paper, copy)

    @command
    async def print_invoice(self, invoice_id: str) -> None:
        """The invoice on A4, once it has its number."""
        detail = await call(self._invoices.invoice, invoice_id)
        remains = still_to_pay(detail, await call(self._invoices.invoices))
        letterhead = await call(self._letterhead, language().value)
        copy = await self._count(MoneyPaper.INVOICE, invoice_id)
        paper = InvoicePaper(
            detail=detail,
            branch=self._who.branch,
            letterhead=letterhead,
            counter=self._counter,
            language=language(),
            copy=copy,
            remains=remains,
        )
        await self._write(MoneyPaper.INVOICE, invoice_id, paper, copy)

    @command
    async def print_refund(self, refund: RefundRow) -> None:
        """The slip of a refund that is paid out."""
        copy = await self._count(MoneyPaper.REFUND_SLIP, refund.id)
        paper = RefundPaper(
            refund=refund, branch=self._who.branch, counter=self._counter, language=language(), copy=copy
        )
        await self._write(MoneyPaper.REFUND_SLIP, refund.id, paper, copy)

    @command
    async def print_collective(self, bill: CollectiveInvoice, company: str, owed: tuple[Receivable, ...]) -> None:
        """A company's bill of a month with the debts that stand on it."""
        letterhead = await call(self._letterhead, language().value)
        copy = await self._count(MoneyPaper.COLLECTIVE, bill.id)
        paper = CollectivePaper(
            bill=bill,
            company=company,
            owed=tuple(debt for debt in owed if debt.collective_number == bill.number),
            branch=self._who.branch,
            letterhead=letterhead,
            language=language(),
            copy=copy,
        )
        await self._write(MoneyPaper.COLLECTIVE, bill.id, paper, copy)

    @command
    async def send(self, written: WrittenMoneyPaper, pages: Pages) -> None:
        """Ask the printer; as long as it does not answer, further pages stay files."""
        self.sent.emit(written, await call(self._printers.send, pages))

    # --- inside -------------------------------------------------------------------------------------------------------

    async def _count(self, paper: MoneyPaper, subject: str) -> int:
        print_id = self._unfinished.setdefault((paper, subject), self._new_id())
        return await call(self._papers.count_print, print_id, paper, subject)

    async def _write(self, kind: MoneyPaper, subject: str, paper: MoneyDocument, copy: int) -> None:
        try:
            path = await call(write_money_paper, paper, self.folder)
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
            return
        self._unfinished.pop((kind, subject), None)
        written = WrittenMoneyPaper(paper=kind, path=path, copy=copy)
        self.written.emit(written)
        title, make, size = page_of(paper)
        strip = strip_of(paper)
        pages = Pages(title=title, document=make, running=None, paper=size)
        if strip is not None:
            pages = Pages(title=title, document=strip, running=None, paper=ROLL_80)
        if not self.send(written, pages) and not self.is_closed:
            self.sent.emit(written, Sent.REFUSED)


def money_printing(counter: Counter, folder: Path, printers: Printers) -> MoneyPrinting:
    """For a logged-in person; files lie in `documents` of the data folder."""
    return MoneyPrinting(
        papers=counter.till.papers,
        invoices=counter.settlement,
        letterhead=counter.contracts.letterhead,
        new_id=counter.new_id,
        who=counter.who,
        counter=counter.counter_name,
        folder=folder / "documents",
        printers=printers,
    )
