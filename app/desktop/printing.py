"""Receipts of settled invoices, written by a worker thread. A failure here never makes a payment look failed."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command
from app.desktop.documents.files import write_next, write_original
from app.desktop.documents.kwitansi import Kwitansi
from app.desktop.language import language
from app.desktop.viewmodel import ViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Branch
from app.usecases.rows import InvoiceDetail
from app.usecases.settlement import Settlement


class Printing(ViewModel):
    """`written` carries the file; `copied` the file and which SALINAN it is; `unwritten` why there is no file."""

    written = Signal(object)
    copied = Signal(object, int)
    unwritten = Signal(str)

    def __init__(
        self, settlement: Settlement, branch: Branch, counter: str, folder: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settlement = settlement
        self._branch = branch
        self._counter = counter
        self.folder = folder

    @command
    async def write(self, invoice_id: str) -> None:
        """The original, right after paying."""
        try:
            receipt = self._receipt(await call(self._settlement.invoice, invoice_id))
            path = await call(write_original, receipt, self.folder)
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
        else:
            self.written.emit(path)

    @command
    async def reprint(self, invoice_id: str) -> None:
        """A copy that says SALINAN and its count; the original itself when none was ever written here."""
        try:
            receipt = self._receipt(await call(self._settlement.invoice, invoice_id))
            path, count = await call(write_next, receipt, self.folder)
        except OSError as problem:
            self.unwritten.emit(problem.strerror or str(problem))
        else:
            self._tell(path, count)

    def _tell(self, path: Path, count: int) -> None:
        if count:
            self.copied.emit(path, count)
        else:
            self.written.emit(path)

    def _receipt(self, detail: InvoiceDetail) -> Kwitansi:
        if not detail.payments:
            raise Refusal(RefusalCode.BOOKING_STATE, field="invoice_id", next=(), state=detail.row.state.value)
        return Kwitansi(
            detail=detail,
            payment=detail.payments[-1],
            branch=self._branch,
            counter=self._counter,
            language=language(),
        )
