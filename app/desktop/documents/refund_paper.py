"""The slip of a refund that was paid out: A5 for the file, the same on an 80 mm roll, to be signed by who took it."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from app.desktop.documents.markup import bold, gap, muted, rule, safe
from app.desktop.documents.paper import make_document
from app.desktop.documents.spoken import Spoken
from app.desktop.documents.tender_words import way_name
from app.desktop.formats import Language, moment, money, money_words
from app.domain.refund import DEPOSIT
from app.domain.staff import Branch
from app.usecases.rows_till import RefundRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundPaper:
    """One printing of a refund that is paid out. `copy` 0 is the original."""

    refund: RefundRow
    branch: Branch
    counter: str
    language: Language
    copy: int = 0

    @property
    def number(self) -> str:
        return self.refund.number or self.refund.id


def refund_title(paper: RefundPaper) -> str:
    """For the PDF's own title."""
    return f"{_word(Spoken(paper.language))} {paper.number}"


def refund_document(paper: RefundPaper) -> QTextDocument:
    """The page for A5."""
    words = Spoken(paper.language)
    head = (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td>{bold('Sentra Rental', 15)}<br/>{safe(_branch(paper))}</td>"
        f"<td align='right'>{bold(_word(words).upper(), 13)}{_copy(paper, words)}<br/>{bold(paper.number)}</td>"
        f"</tr></table>{rule()}"
    )
    return make_document(head + _body(paper, words, 13) + _signature(paper, words), 9.5)


def refund_strip(paper: RefundPaper) -> QTextDocument:
    """The strip for an 80 mm printer."""
    words = Spoken(paper.language)
    head = (
        f"<p align='center' style='margin:0'>{bold('Sentra Rental', 12)}<br/>{safe(_branch(paper))}<br/>"
        f"{bold(_word(words), 10)}{_copy(paper, words)}<br/>{bold(paper.number)}</p><hr/>"
    )
    return make_document(head + _body(paper, words, 10) + _signature(paper, words), 8.5)


def _word(words: Spoken) -> str:
    return words.translate("RefundPaper", "Bukti pengembalian uang")


def _branch(paper: RefundPaper) -> str:
    return f"{paper.branch.name} ({paper.branch.code})"


def _copy(paper: RefundPaper, words: Spoken) -> str:
    if not paper.copy:
        return ""
    said = words.translate("Kwitansi", "SALINAN ke-{count}").format(count=paper.copy)
    return f"<br/>{bold(said, 10)}"


def _body(paper: RefundPaper, words: Spoken, points: float) -> str:
    rows = "".join(
        f"<tr><td width='38%'>{muted(name)}</td><td align='right'>{safe(value)}</td></tr>"
        for name, value in refund_rows(paper, words)
    )
    amount = money(paper.refund.amount, words.language)
    said = money_words(paper.refund.amount, words.language)
    total = words.translate("RefundPaper", "Dikembalikan")
    return (
        f"<table width='100%' cellspacing='0' cellpadding='2'>{rows}"
        f"<tr><td>{bold(total, points)}</td><td align='right'>{bold(amount, points)}</td></tr></table>"
        f"<p style='margin-top:4pt;margin-bottom:0'><i>{safe(said[:1].upper() + said[1:])}</i></p>"
    )


def refund_rows(paper: RefundPaper, words: Spoken) -> Iterator[tuple[str, str]]:
    """Who got what back, of which invoice, by which way and when."""
    refund = paper.refund
    yield words.translate("RefundPaper", "Kepada"), refund.customer_name
    if refund.booking_number:
        yield words.translate("RefundPaper", "Booking"), refund.booking_number
    if refund.invoice_number:
        yield words.translate("RefundPaper", "Dari tagihan"), refund.invoice_number
    deposit = words.translate("RefundPaper", "Deposit")
    yield words.translate("RefundPaper", "Untuk"), deposit if refund.kind == DEPOSIT else refund.reason or refund.kind
    if refund.way is not None:
        way = way_name(refund.way.value, words)
        yield words.translate("RefundPaper", "Cara"), f"{way} {refund.reference or ''}".strip()
    if refund.done_at is not None:
        at = moment(refund.done_at, paper.branch.zone, words.language)
        yield words.translate("RefundPaper", "Dibayarkan"), at


def _signature(paper: RefundPaper, words: Spoken) -> str:
    names = (
        (words.translate("RefundPaper", "Kasir"), paper.refund.done_by_name or ""),
        (words.translate("RefundPaper", "Penerima"), paper.refund.customer_name),
    )
    cells = "".join(
        f"<td align='center' width='50%'>{muted(name)}<br/><br/><br/>{safe(value)}</td>" for name, value in names
    )
    return (
        f"{gap(6)}<table width='100%' cellspacing='0' cellpadding='2'><tr>{cells}</tr></table>"
        f"<p align='center' style='margin:0'>{muted(paper.counter)}</p>"
    )
