"""The same receipt for an 80 mm roll: one narrow column, no signature."""

import html

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextDocument

from app.desktop.documents.kwitansi import (
    Kwitansi,
    copy_words,
    in_words,
    money_rows,
    needs_meterai,
    paid_rows,
    period_words,
    remaining_row,
    tax_rows,
    unit_words,
)
from app.desktop.documents.paper import make_document
from app.desktop.formats import day_short, money, time_of_day


def receipt_document(receipt: Kwitansi) -> QTextDocument:
    """The strip for an 80 mm printer."""
    at = receipt.payment.paid_at.astimezone(receipt.branch.zone)
    when = f"{day_short(at.date(), receipt.language)} {time_of_day(at, receipt.branch.zone, receipt.language)}"
    copy = copy_words(receipt)
    centred = [
        "<b style='font-size:12pt;font-weight:600'>Sentra Rental</b>",
        _safe(f"{receipt.branch.name} ({receipt.branch.code})"),
        f"<b style='font-weight:600'>{_safe(receipt.number)}</b>",
        _safe(when),
    ]
    if copy:
        centred.append(f"<b style='font-weight:600'>{_safe(copy)}</b>")
    total = (QCoreApplication.translate("Kwitansi", "Jumlah dibayar"), money(receipt.payment.amount, receipt.language))
    body = [
        f"<p align='center' style='margin:0'>{'<br/>'.join(centred)}</p><hr/>",
        f"<p style='margin:0'>{_safe(receipt.detail.row.customer_name)}</p>",
        *(f"<p style='margin:0'>{words}</p>" for words in _bookings(receipt)),
        "<hr/>",
        _table(money_rows(receipt)),
        "<hr/>",
        _table((total,), bold=True),
        _table(tax_rows(receipt)),
        _table(paid_rows(receipt)),
        _table((rest,) if (rest := remaining_row(receipt)) else (), bold=True),
        "<hr/>",
        f"<p style='margin:0'><i>{_safe(in_words(receipt.payment.amount, receipt.language))}</i></p>",
    ]
    if needs_meterai(receipt.payment.amount):
        stamp = QCoreApplication.translate("Kwitansi", "Perlu meterai Rp 10.000: minta kwitansi A5.")
        body.append(f"<p style='margin:0'>{_safe(stamp)}</p>")
    cashier = QCoreApplication.translate("Kwitansi", "Kasir")
    body.append(
        f"<p align='center' style='margin-top:4pt'>{_safe(cashier)} {_safe(receipt.payment.cashier)}"
        f" · {_safe(receipt.counter)}</p>"
    )
    return make_document("".join(body), 8.5)


def _bookings(receipt: Kwitansi) -> list[str]:
    return [
        f"{_safe(unit_words(booking))}<br/>{_safe(period_words(booking, receipt.language))}"
        for booking in receipt.detail.bookings
    ]


def _table(rows: tuple[tuple[str, str], ...], *, bold: bool = False) -> str:
    weight = "font-weight:600;font-size:10pt" if bold else ""
    cells = "".join(
        f"<tr><td><span style='{weight}'>{_safe(name)}</span></td>"
        f"<td align='right'><span style='{weight}'>{_safe(amount)}</span></td></tr>"
        for name, amount in rows
    )
    return f"<table width='100%' cellspacing='0' cellpadding='1'>{cells}</table>" if cells else ""


def _safe(text: str) -> str:
    return html.escape(text)
