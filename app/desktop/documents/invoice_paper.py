"""The invoice itself on A4: what was sold line by line, its tax, what was paid by which way, and what is left."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QTextDocument

from app.desktop.documents.kwitansi import period_words, unit_words
from app.desktop.documents.line_words import line_words
from app.desktop.documents.markup import LINE_ROW, bold, gap, grey, muted, named_rows, rule, safe, side_by_side, table
from app.desktop.documents.paper import make_document
from app.desktop.documents.spoken import Spoken
from app.desktop.documents.tender_words import payment_rows
from app.desktop.formats import Language, day_long, money, money_words
from app.domain.invoice import InvoiceKind, InvoiceState, LineKind
from app.domain.staff import Branch
from app.usecases.rows import InvoiceDetail


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoicePaper:
    """One printing of an invoice. `copy` 0 is the original. Without a number yet it is called by its booking's."""

    detail: InvoiceDetail
    branch: Branch
    letterhead: str
    counter: str
    language: Language
    copy: int = 0
    remains: int = 0

    @property
    def number(self) -> str:
        return self.detail.row.number or self.detail.row.booking_number


def invoice_title(paper: InvoicePaper) -> str:
    """For the PDF's own title."""
    return f"{_word(Spoken(paper.language))} {paper.number}"


def invoice_document(paper: InvoicePaper) -> QTextDocument:
    """The page for A4."""
    words = Spoken(paper.language)
    parts = (_head(paper, words), _facts(paper, words), _lines(paper, words), _words(paper, words), _paid(paper, words))
    return make_document("".join(parts), 9.5)


def _word(words: Spoken) -> str:
    return words.translate("InvoicePaper", "Faktur")


def _head(paper: InvoicePaper, words: Spoken) -> str:
    branch = words.translate("Kwitansi", "Cabang {name} ({code})")
    branch = branch.format(name=paper.branch.name, code=paper.branch.code)
    letter = f"<br/>{grey(safe(paper.letterhead))}" if paper.letterhead else ""
    copy = ""
    if paper.copy:
        said = words.translate("Kwitansi", "SALINAN ke-{count}").format(count=paper.copy)
        copy = f"<br/>{bold(said, 11)}"
    return (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td>{bold('Sentra Rental', 16)}<br/>{safe(branch)}{letter}</td>"
        f"<td align='right'>{bold(_word(words).upper(), 16)}{copy}<br/>{bold(paper.number)}"
        f"<br/>{bold(_state(paper, words))}</td></tr></table>{rule()}"
    )


def _state(paper: InvoicePaper, words: Spoken) -> str:
    row = paper.detail.row
    if row.state is InvoiceState.VOID:
        return words.translate("InvoicePaper", "BATAL")
    if row.state is not InvoiceState.PAID:
        return words.translate("InvoicePaper", "Belum dibayar")
    if row.kind is InvoiceKind.DOWN_PAYMENT and paper.remains:
        left = words.translate("InvoicePaper", "Uang muka dibayar; sisa {amount}")
        return left.format(amount=money(paper.remains, words.language))
    return words.translate("InvoicePaper", "Lunas")


def _facts(paper: InvoicePaper, words: Spoken) -> str:
    detail = paper.detail
    left = [(words.translate("InvoicePaper", "Kepada"), bold(detail.row.customer_name))]
    for booking in detail.bookings:
        left.append((words.translate("Kwitansi", "Untuk sewa"), safe(unit_words(booking))))
        left.append((words.translate("Kwitansi", "Masa sewa"), safe(period_words(booking, words.language))))
    right = [(words.translate("InvoicePaper", "Nomor booking"), safe(detail.row.booking_number))]
    if detail.settled_at is not None:
        day = detail.settled_at.astimezone(paper.branch.zone).date()
        right.append((words.translate("InvoicePaper", "Tanggal"), safe(day_long(day, words.language))))
    elif detail.row.due_at is not None:
        day = detail.row.due_at.astimezone(paper.branch.zone).date()
        right.append((words.translate("InvoicePaper", "Jatuh tempo"), safe(day_long(day, words.language))))
    return f"{side_by_side(named_rows(left), named_rows(right, 42))}{gap(6)}"


def _lines(paper: InvoicePaper, words: Spoken) -> str:
    detail = paper.detail
    alone = len(detail.bookings) == 1
    heads = (
        (words.translate("OrderPaper", "No."), "left", 6),
        (words.translate("OrderPaper", "Uraian"), "left", 66),
        (words.translate("OrderPaper", "Jumlah"), "right", 28),
    )
    rows = []
    for place, line in enumerate(detail.lines, 1):
        said = line_words(line, words.language, alone=alone, speaker=words)
        amount = money(line.amount, words.language)
        rows.append(f"<tr><td>{place}.</td><td>{safe(said)}</td><td align='right'>{safe(amount)}</td></tr>")
    total = words.translate("InvoicePaper", "Total")
    ruled = LINE_ROW.replace("colspan='2'", "colspan='3'")
    rows.append(
        f"{ruled}<tr><td></td><td>{bold(total, 12)}</td>"
        f"<td align='right'>{bold(money(detail.row.total, words.language), 12)}</td></tr>"
    )
    rows += [
        f"<tr><td></td><td>{muted(name)}</td><td align='right'>{muted(amount)}</td></tr>"
        for name, amount in invoice_tax_rows(detail, words)
    ]
    return table(heads, rows)


def invoice_tax_rows(detail: InvoiceDetail, words: Spoken) -> tuple[tuple[str, str], ...]:
    """The tax base, DPP and PPN; nothing for a branch that charges none."""
    if not detail.ppn:
        return ()
    rows = [
        (words.translate("InvoicePaper", "Harga kena pajak tanpa PPN"), money(detail.base, words.language)),
        (words.translate("InvoicePaper", "DPP nilai lain (11/12)"), money(detail.dpp, words.language)),
    ]
    if not any(line.kind is LineKind.PPN for line in detail.lines):
        inside = words.translate("Kwitansi", "termasuk PPN 12 % × DPP")
        rows.append((inside, money(detail.ppn, words.language)))
    return tuple(rows)


def _words(paper: InvoicePaper, words: Spoken) -> str:
    said = money_words(paper.detail.row.total, words.language)
    name = words.translate("Kwitansi", "Terbilang")
    return (
        f"{gap(5)}<table width='100%' cellspacing='0' cellpadding='6' bgcolor='#F3F5F8'><tr>"
        f"<td width='18%'>{muted(name)}</td><td><i>{safe(said[:1].upper() + said[1:])}</i></td></tr></table>"
    )


def _paid(paper: InvoicePaper, words: Spoken) -> str:
    rows = [
        f"<tr><td>{safe(name)}</td><td align='right'>{safe(amount)}</td></tr>" for name, amount in _ways(paper, words)
    ]
    if not rows:
        return ""
    title = words.translate("InvoicePaper", "Pembayaran")
    return (
        f"{gap(6)}<p style='margin:0'>{bold(title)}</p>"
        f"<table width='100%' cellspacing='0' cellpadding='2'>{''.join(rows)}</table>"
        f"{gap(8)}<p align='right' style='margin:0'>{muted(_cashier(paper, words))}</p>"
    )


def _ways(paper: InvoicePaper, words: Spoken) -> Iterator[tuple[str, str]]:
    for payment in paper.detail.payments:
        yield from payment_rows(payment, words.language, words)
    if paper.remains:
        yield words.translate("Kwitansi", "Uang muka; sisa yang harus dilunasi"), money(paper.remains, words.language)


def _cashier(paper: InvoicePaper, words: Spoken) -> str:
    name = paper.detail.payments[-1].cashier
    return words.translate("InvoicePaper", "Kasir {name} · {counter}").format(name=name, counter=paper.counter)
