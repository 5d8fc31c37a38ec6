"""The kwitansi of a settled invoice: everything a customer and a bookkeeper need, and the amount in words."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextDocument

from app.desktop.documents.line_words import line_words
from app.desktop.documents.paper import make_document
from app.desktop.documents.tender_words import payment_rows
from app.desktop.formats import Language, day_long, money, money_words, period_with_weekdays, time_of_day
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.staff import Branch
from app.usecases.rows import BookingRow, InvoiceDetail, PaymentRow

METERAI_ABOVE = 5_000_000
LINE = "#C6CDD6"
MUTED = "#57606A"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kwitansi:
    """One printing of a receipt. `copy` 0 is the original, 1 and up the count of its SALINAN.

    `remains` is what the order still has to pay beside this invoice, 0 when that is nothing.
    """

    detail: InvoiceDetail
    payment: PaymentRow
    branch: Branch
    counter: str
    language: Language
    copy: int = 0
    remains: int = 0

    @property
    def number(self) -> str:
        return self.detail.row.number or self.detail.row.booking_number

    @property
    def received(self) -> int:
        return sum(row.received for row in self.payment.tenders)


def needs_meterai(total: int) -> bool:
    """A receipt above Rp 5.000.000 carries a duty stamp."""
    return total > METERAI_ABOVE


def in_words(amount: int, language: Language) -> str:
    """`Satu juta lima ratus ribu rupiah`."""
    words = money_words(amount, language)
    return words[:1].upper() + words[1:]


def kwitansi_document(receipt: Kwitansi) -> QTextDocument:
    """The page for A5 paper."""
    parts = (
        _head(receipt),
        _facts(receipt),
        _lines(receipt),
        _words(receipt),
        _signature(receipt),
    )
    return make_document("".join(parts), 9.5)


def title_of(receipt: Kwitansi) -> str:
    """For the PDF's own title."""
    return f"{_tr_title()} {receipt.number}"


def _tr_title() -> str:
    return QCoreApplication.translate("Kwitansi", "Kwitansi")


def copy_words(receipt: Kwitansi) -> str:
    """`SALINAN ke-2`, empty on the original."""
    if not receipt.copy:
        return ""
    return QCoreApplication.translate("Kwitansi", "SALINAN ke-{count}").format(count=receipt.copy)


def _head(receipt: Kwitansi) -> str:
    copy = copy_words(receipt)
    mark = f"<br/><span style='font-size:11pt;font-weight:600'>{_safe(copy)}</span>" if copy else ""
    branch = QCoreApplication.translate("Kwitansi", "Cabang {name} ({code})")
    branch = branch.format(name=receipt.branch.name, code=receipt.branch.code)
    at = receipt.payment.paid_at.astimezone(receipt.branch.zone)
    when = f"{day_long(at.date(), receipt.language)}, {time_of_day(at, receipt.branch.zone, receipt.language)}"
    return (
        "<table width='100%' cellspacing='0' cellpadding='0'><tr>"
        f"<td><span style='font-size:15pt;font-weight:600'>Sentra Rental</span><br/>{_safe(branch)}</td>"
        f"<td align='right'><span style='font-size:15pt;font-weight:600'>{_safe(_tr_title().upper())}</span>{mark}"
        f"<br/><b style='font-weight:600'>{_safe(receipt.number)}</b><br/>{_muted(when)}</td></tr></table>{_rule()}"
    )


def _facts(receipt: Kwitansi) -> str:
    row = receipt.detail.row
    rows = [(QCoreApplication.translate("Kwitansi", "Terima dari"), row.customer_name)]
    for booking in receipt.detail.bookings:
        rows.append((QCoreApplication.translate("Kwitansi", "Untuk sewa"), unit_words(booking)))
        rows.append((QCoreApplication.translate("Kwitansi", "Masa sewa"), period_words(booking, receipt.language)))
    cells = "".join(f"<tr><td width='26%'>{_muted(name)}</td><td>{_safe(value)}</td></tr>" for name, value in rows)
    return f"<table width='100%' cellspacing='0' cellpadding='2'>{cells}</table>{_rule()}"


def unit_words(booking: BookingRow) -> str:
    """`BK-10240 · Avanza G B 1207 XYZ`."""
    return f"{booking.number} · {booking.unit.sku.name} {booking.unit.unit.plate}".strip()


def period_words(booking: BookingRow, language: Language) -> str:
    """`Sen 30 Nov – Rab 2 Des 2026`."""
    period = period_with_weekdays(booking.period.first, booking.period.last, language)
    return f"{period} {booking.period.last.year}"


def money_rows(receipt: Kwitansi) -> tuple[tuple[str, str], ...]:
    """Lines of the invoice: text and amount. They add up to what is paid."""
    return tuple((_words_of(receipt, line), money(line.amount, receipt.language)) for line in receipt.detail.lines)


def _words_of(receipt: Kwitansi, line: InvoiceLine) -> str:
    words = line_words(line, receipt.language, alone=len(receipt.detail.bookings) == 1)
    if line.kind is LineKind.DEPOSIT:
        back = QCoreApplication.translate("Kwitansi", "(dikembalikan saat selesai)")
        return f"{words} {back}"
    return words


def tax_rows(receipt: Kwitansi) -> tuple[tuple[str, str], ...]:
    """DPP and PPN; nothing for a branch that charges none."""
    detail = receipt.detail
    if not detail.ppn:
        return ()
    base = QCoreApplication.translate("Kwitansi", "DPP (11/12 dari harga tanpa PPN)")
    rows = [(base, money(detail.dpp, receipt.language))]
    if not any(line.kind is LineKind.PPN for line in detail.lines):
        inside = QCoreApplication.translate("Kwitansi", "termasuk PPN 12 % × DPP")
        rows.append((inside, money(detail.ppn, receipt.language)))
    return tuple(rows)


def paid_rows(receipt: Kwitansi) -> tuple[tuple[str, str], ...]:
    """What was handed over, by which way, and what went back."""
    return tuple(payment_rows(receipt.payment, receipt.language))


def remaining_row(receipt: Kwitansi) -> tuple[str, str] | None:
    """What is still to be paid after a down payment; None when that is nothing."""
    if not receipt.remains:
        return None
    name = QCoreApplication.translate("Kwitansi", "Uang muka; sisa yang harus dilunasi")
    return name, money(receipt.remains, receipt.language)


def _lines(receipt: Kwitansi) -> str:
    total = QCoreApplication.translate("Kwitansi", "Jumlah dibayar")
    amount = money(receipt.payment.amount, receipt.language)
    big = "font-size:13pt;font-weight:600"
    return (
        "<table width='100%' cellspacing='0' cellpadding='2'>"
        + _pairs(money_rows(receipt))
        + "</table>"
        + _rule()
        + "<table width='100%' cellspacing='0' cellpadding='2'>"
        + f"<tr><td><span style='{big}'>{_safe(total)}</span></td>"
        + f"<td align='right'><span style='{big}'>{_safe(amount)}</span></td></tr>"
        + _pairs(tax_rows(receipt), muted=True)
        + _pairs(paid_rows(receipt))
        + _rest(receipt)
        + "</table>"
    )


def _rest(receipt: Kwitansi) -> str:
    """A down payment is never read as the whole: what remains stands below it, as bold as it matters."""
    found = remaining_row(receipt)
    if found is None:
        return ""
    name, amount = (f"<b style='font-weight:600'>{_safe(text)}</b>" for text in found)
    return f"<tr><td>{name}</td><td align='right'>{amount}</td></tr>"


def _words(receipt: Kwitansi) -> str:
    name = QCoreApplication.translate("Kwitansi", "Terbilang")
    words = in_words(receipt.payment.amount, receipt.language)
    return (
        f"{_gap()}<table width='100%' cellspacing='0' cellpadding='6' bgcolor='#F3F5F8'><tr>"
        f"<td width='26%'>{_muted(name)}</td><td><i>{_safe(words)}</i></td></tr></table>"
    )


def _signature(receipt: Kwitansi) -> str:
    cashier = QCoreApplication.translate("Kwitansi", "Kasir")
    note = ""
    if needs_meterai(receipt.payment.amount):
        stamp = QCoreApplication.translate(
            "Kwitansi", "Meterai Rp 10.000: jumlah di atas Rp 5.000.000, bubuhkan meterai dan tanda tangani di atasnya."
        )
        note = f"<table cellspacing='0' cellpadding='6' border='1'><tr><td>{_safe(stamp)}</td></tr></table>"
    else:
        note = _muted(QCoreApplication.translate("Kwitansi", "Simpan kwitansi ini sampai deposit dikembalikan."))
    return (
        f"{_gap()}<table width='100%' cellspacing='0' cellpadding='2'><tr><td width='60%'>{note}</td>"
        f"<td align='center'>{_muted(cashier)}<br/><br/><br/>{_safe(receipt.payment.cashier)}"
        f"<br/>{_muted(receipt.counter)}</td></tr></table>"
    )


def _pairs(rows: Sequence[tuple[str, str]], *, muted: bool = False) -> str:
    shown = _muted if muted else _safe
    return "".join(f"<tr><td>{shown(name)}</td><td align='right'>{shown(amount)}</td></tr>" for name, amount in rows)


def _rule() -> str:
    bar = f"<table width='100%' cellspacing='0' cellpadding='0' bgcolor='{LINE}'><tr><td style='font-size:0.4pt'>"
    return f"{_gap(3)}{bar}&nbsp;</td></tr></table>{_gap(3)}"


def _gap(points: int = 5) -> str:
    return f"<p style='font-size:{points}pt;margin:0'>&nbsp;</p>"


def _muted(text: str) -> str:
    return f"<span style='color:{MUTED}'>{_safe(text)}</span>"


def _safe(text: str) -> str:
    return html.escape(text)
