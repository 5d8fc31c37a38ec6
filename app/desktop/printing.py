"""Receipts of settled invoices, written by a worker thread. A failure here never makes a payment look failed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command
from app.desktop.documents.files import write_counted, write_next, write_original
from app.desktop.documents.kwitansi import Kwitansi, title_of
from app.desktop.documents.paper import ROLL_80
from app.desktop.documents.receipt import receipt_document
from app.desktop.language import language
from app.desktop.money_printing import CountsPrints, still_to_pay
from app.desktop.printers import Pages, Printers, Sent
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceKind
from app.domain.staff import Branch
from app.usecases.money_papers import MoneyPaper
from app.usecases.rows import InvoiceDetail
from app.usecases.settlement import Settlement


class Printing(ViewModel):
    """`written` carries the file; `copied` the file and which SALINAN it is; `unwritten` why there is no file.

    With `papers` every printing is counted by the branch before it is written, so that two counters never print two
    originals; without it this PC counts its own files. `sent` tells what the printer made of the 80 mm strip, after the
    file is there: a jam is never a payment that failed.
    """

    written = Signal(object)
    copied = Signal(object, int)
    unwritten = Signal(str)
    sent = Signal(object, object)

    def __init__(
        self,
        settlement: Settlement,
        branch: Branch,
        counter: str,
        folder: Path,
        parent: QObject | None = None,
        *,
        papers: CountsPrints | None = None,
        new_id: Callable[[], str] | None = None,
        printers: Printers | None = None,
    ) -> None:
        super().__init__(parent)
        self._settlement = settlement
        self._branch = branch
        self._counter = counter
        self.folder = folder
        self._papers = papers
        self._new_id = new_id
        self._printers = printers
        self._unfinished: dict[str, str] = {}

    @command
    async def write(self, invoice_id: str) -> None:
        """The original, right after paying."""
        try:
            receipt = await self._receipt(invoice_id)
            if (counted := await self._counted(invoice_id)) is None:
                path, copy = await call(write_original, receipt, self.folder), 0
            else:
                path, copy = await call(write_counted, receipt, self.folder, counted), counted
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
        else:
            self._unfinished.pop(invoice_id, None)
            self._tell(path, copy)
            self._hand_over(path, replace(receipt, copy=copy))

    @command
    async def reprint(self, invoice_id: str) -> None:
        """A copy that says SALINAN and its count; the original itself when none was ever written here."""
        try:
            receipt = await self._receipt(invoice_id)
            if (counted := await self._counted(invoice_id)) is None:
                path, copy = await call(write_next, receipt, self.folder)
            else:
                path, copy = await call(write_counted, receipt, self.folder, counted), counted
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
        else:
            self._unfinished.pop(invoice_id, None)
            self._tell(path, copy)
            self._hand_over(path, replace(receipt, copy=copy))

    @command
    async def send(self, path: Path, pages: Pages) -> None:
        """Ask the printer; as long as it does not answer, further receipts stay files."""
        if self._printers is not None:
            self.sent.emit(path, await call(self._printers.send, pages))

    def _hand_over(self, path: Path, receipt: Kwitansi) -> None:
        if self._printers is None:
            return
        pages = Pages(title=title_of(receipt), document=lambda: receipt_document(receipt), running=None, paper=ROLL_80)
        if not self.send(path, pages) and not self.is_closed:
            self.sent.emit(path, Sent.REFUSED)

    def _tell(self, path: Path, count: int) -> None:
        if count:
            self.copied.emit(path, count)
        else:
            self.written.emit(path)

    async def _counted(self, invoice_id: str) -> int | None:
        """Which copy this printing is; one that was counted and not written is the same one at the next press."""
        if self._papers is None or self._new_id is None:
            return None
        print_id = self._unfinished.setdefault(invoice_id, self._new_id())
        return await call(self._papers.count_print, print_id, MoneyPaper.KWITANSI, invoice_id)

    async def _receipt(self, invoice_id: str) -> Kwitansi:
        detail: InvoiceDetail = await call(self._settlement.invoice, invoice_id)
        if not detail.payments:
            raise Refusal(RefusalCode.BOOKING_STATE, field="invoice_id", next=(), state=detail.row.state.value)
        return Kwitansi(
            detail=detail,
            payment=detail.payments[-1],
            branch=self._branch,
            counter=self._counter,
            language=language(),
            remains=await self._remains(detail),
        )

    async def _remains(self, detail: InvoiceDetail) -> int:
        if detail.row.kind is not InvoiceKind.DOWN_PAYMENT:
            return 0
        return still_to_pay(detail, await call(self._settlement.invoices))
