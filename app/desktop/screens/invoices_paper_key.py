"""Ctrl+Shift+I in the invoices: the invoice itself on A4, of the row that is chosen or the one in front."""

from PySide6.QtCore import QEvent, QObject

from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.money_printing import MoneyPrinting, WrittenMoneyPaper
from app.desktop.printers import Sent
from app.desktop.screen import Shell
from app.desktop.screens.invoices_view import InvoicesScreen
from app.domain.errors import Refusal


class InvoicePaperKey(QObject):
    """Belongs to its screen, and ends with it. `printing` prints refund slips too."""

    def __init__(self, screen: InvoicesScreen, printing: MoneyPrinting, shell: Shell) -> None:
        super().__init__(screen)
        self._screen, self._shell = screen, shell
        self.printing = printing
        printing.setParent(self)
        self.action = screen.add_key("Ctrl+Shift+I", "", self.press)
        printing.written.connect(self._written)
        printing.sent.connect(self._sent)
        printing.unwritten.connect(self._unwritten)
        printing.refused.connect(self._refused)
        printing.failed.connect(lambda failure: shell.toast(failure_sentence(failure).whole))
        screen.installEventFilter(self)
        self._retranslate()

    def wanted(self) -> str:
        """The id of the invoice at hand; empty when there is none."""
        if self._screen.is_settling():
            return self._screen.settlement.invoice_id or ""
        row = self._screen.invoices.selected()
        return "" if row is None else row.id

    def press(self) -> None:
        """Print, or say what is missing."""
        wanted = self.wanted()
        if wanted:
            self.printing.print_invoice(wanted)
        else:
            self._shell.toast(self.tr("Pilih tagihan dulu, lalu Ctrl+Shift+I mencetak fakturnya."))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        return super().eventFilter(watched, event)

    def _written(self, paper: WrittenMoneyPaper) -> None:
        text = self.tr("{file} tersimpan")
        if paper.copy:
            text = self.tr("SALINAN ke-{count} tersimpan: {file}")
        self._shell.toast(text.format(file=paper.path.name, count=paper.copy), detail=str(paper.path.parent))

    def _sent(self, paper: WrittenMoneyPaper, sent: Sent) -> None:
        if sent is Sent.REFUSED:
            said = self.tr("{file} tersimpan, tetapi belum tercetak: printer tidak menjawab.")
            self._shell.toast(said.format(file=paper.path.name), seconds=10, detail=str(paper.path.parent))

    def _unwritten(self, problem: str) -> None:
        said = self.tr("Berkas tidak bisa ditulis ({problem}). Coba lagi dengan Ctrl+Shift+I.")
        self._shell.toast(said.format(problem=problem), seconds=10)

    def _refused(self, no: Refusal) -> None:
        if no.field == "subject_id":
            self._shell.toast(self.tr("Faktur dicetak setelah tagihan lunas dan bernomor."))
        else:
            self._shell.toast(refusal_sentence(no).whole)

    def _retranslate(self) -> None:
        self.action.setText(self.tr("Cetak faktur A4"))
