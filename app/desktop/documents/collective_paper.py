"""A company's collective invoice of a month on A4: each invoice it owes for, one sum, one due date."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from app.desktop.documents.markup import LINE_ROW, bold, gap, grey, muted, named_rows, rule, safe, side_by_side, table
from app.desktop.documents.paper import make_document
from app.desktop.documents.spoken import Spoken
from app.desktop.formats import Language, day_long, money, money_words
from app.domain.staff import Branch
from app.usecases.rows_companies import CollectiveInvoice, Receivable


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectivePaper:
    """One printing. `owed` are the debts that stand on this bill; they add up to its total. `copy` 0: the original."""

    bill: CollectiveInvoice
    company: str
    owed: Sequence[Receivable]
    branch: Branch
    letterhead: str
    language: Language
    copy: int = 0

    @property
    def number(self) -> str:
        return self.bill.number


def collective_title(paper: CollectivePaper) -> str:
    """For the PDF's own title."""
    return f"{_word(Spoken(paper.language))} {paper.number}"


def collective_document(paper: CollectivePaper) -> QTextDocument:
    """The page for A4."""
    words = Spoken(paper.language)
    return make_document(_head(paper, words) + _facts(paper, words) + _rows(paper, words) + _foot(paper, words), 9.5)


def _word(words: Spoken) -> str:
    return words.translate("CollectivePaper", "Tagihan gabungan")


def _head(paper: CollectivePaper, words: Spoken) -> str:
    letter = f"<br/>{grey(safe(paper.letterhead))}" if paper.letterhead else ""
    copy = ""
    if paper.copy:
        said = words.translate("Kwitansi", "SALINAN ke-{count}").format(count=paper.copy)
        copy = f"<br/>{bold(said, 11)}"
    return (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td>{bold('Sentra Rental', 16)}<br/>{safe(f'{paper.branch.name} ({paper.branch.code})')}{letter}</td>"
        f"<td align='right'>{bold(_word(words).upper(), 14)}{copy}<br/>{bold(paper.number)}</td></tr></table>{rule()}"
    )


def _facts(paper: CollectivePaper, words: Spoken) -> str:
    bill = paper.bill
    left = [
        (words.translate("CollectivePaper", "Kepada"), bold(paper.company)),
        (words.translate("CollectivePaper", "Bulan"), safe(f"{bill.month[:4]}-{bill.month[4:]}")),
    ]
    right = [
        (words.translate("CollectivePaper", "Tanggal"), safe(day_long(bill.issued_on, words.language))),
        (words.translate("CollectivePaper", "Jatuh tempo"), bold(day_long(bill.due_on, words.language))),
    ]
    return f"{side_by_side(named_rows(left), named_rows(right, 38))}{gap(6)}"


def _rows(paper: CollectivePaper, words: Spoken) -> str:
    heads = (
        (words.translate("OrderPaper", "No."), "left", 6),
        (words.translate("CollectivePaper", "Nomor tagihan"), "left", 30),
        (words.translate("CollectivePaper", "Penyewa"), "left", 36),
        (words.translate("OrderPaper", "Jumlah"), "right", 28),
    )
    rows = [
        f"<tr><td>{place}.</td><td>{safe(debt.invoice_number)}</td><td>{safe(debt.customer_name)}</td>"
        f"<td align='right'>{safe(money(debt.left, words.language))}</td></tr>"
        for place, debt in enumerate(paper.owed, 1)
    ]
    line = LINE_ROW.replace("colspan='2'", "colspan='4'")
    total = words.translate("CollectivePaper", "Total")
    rows.append(
        f"{line}<tr><td></td><td>{bold(total, 12)}</td><td></td>"
        f"<td align='right'>{bold(money(paper.bill.total, words.language), 12)}</td></tr>"
    )
    if may := sum(debt.withholdable for debt in paper.owed):
        name = words.translate("CollectivePaper", "PPh 23 yang boleh dipotong")
        amount = money(may, words.language)
        rows.append(f"<tr><td></td><td>{muted(name)}</td><td></td><td align='right'>{muted(amount)}</td></tr>")
    return table(heads, rows)


def _foot(paper: CollectivePaper, words: Spoken) -> str:
    said = money_words(paper.bill.total, words.language)
    note = words.translate(
        "CollectivePaper", "Bayar dengan satu transfer dan sebutkan nomor {number}; kirim bukti potong PPh 23 bila ada."
    )
    return (
        f"{gap(5)}<p style='margin:0'><i>{safe(said[:1].upper() + said[1:])}</i></p>{gap(4)}"
        f"<p style='margin:0'>{muted(note.format(number=paper.number))}</p>"
    )
