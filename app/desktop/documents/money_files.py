"""Where papers of the till lie on this PC: a page of A4 or A5, and an 80 mm strip beside it where there is one."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QTextDocument

from app.desktop.documents.collective_paper import CollectivePaper, collective_document, collective_title
from app.desktop.documents.files import file_stem, write_whole
from app.desktop.documents.invoice_paper import InvoicePaper, invoice_document, invoice_title
from app.desktop.documents.pages import A4
from app.desktop.documents.paper import A5, ROLL_80, Paper, pdf_bytes
from app.desktop.documents.refund_paper import RefundPaper, refund_document, refund_strip, refund_title
from app.desktop.documents.shift_paper import ShiftPaper, shift_document, shift_strip, shift_title
from app.desktop.formats import Language

MoneyDocument = InvoicePaper | RefundPaper | ShiftPaper | CollectivePaper
Make = Callable[[], QTextDocument]


def page_of(paper: MoneyDocument) -> tuple[str, Make, Paper]:
    """Title, document and size of the page."""
    match paper:
        case InvoicePaper():
            return invoice_title(paper), lambda: invoice_document(paper), A4
        case CollectivePaper():
            return collective_title(paper), lambda: collective_document(paper), A4
        case RefundPaper():
            return refund_title(paper), lambda: refund_document(paper), A5
        case ShiftPaper():
            return shift_title(paper), lambda: shift_document(paper), A4


def strip_of(paper: MoneyDocument) -> Make | None:
    """The 80 mm strip; None for what needs a whole page."""
    match paper:
        case RefundPaper():
            return lambda: refund_strip(paper)
        case ShiftPaper():
            return lambda: shift_strip(paper)
        case _:
            return None


def write_money_paper(paper: MoneyDocument, folder: Path) -> Path:
    """Write the page (answered) and its strip; the same printing again replaces its own files and no other."""
    title, make, size = page_of(paper)
    stem = f"{_stem(paper)}{_marks(paper)}"
    if (strip := strip_of(paper)) is not None:
        write_whole(folder / f"{stem}-80mm.pdf", pdf_bytes(strip(), ROLL_80, title))
    path = folder / f"{stem}.pdf"
    write_whole(path, pdf_bytes(make(), size, title))
    return path


def _stem(paper: MoneyDocument) -> str:
    match paper:
        case InvoicePaper():
            return f"FAKTUR-{file_stem(paper.number)}"
        case ShiftPaper():
            return f"SHIFT-{file_stem(paper.stem)}"
        case _:
            return file_stem(paper.number)


def _marks(paper: MoneyDocument) -> str:
    language = "" if paper.language is Language.ID else f"-{paper.language.value}"
    return f"{language}-SALINAN-{paper.copy}" if paper.copy else language
