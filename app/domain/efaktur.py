"""A month's output tax for Coretax (e-Faktur): the XML that it imports, and the same rows as CSV. No decimals.

Documented (the tax office's public template and converter for "Faktur Pajak Keluaran", and programs that follow it):
root `TaxInvoiceBulk` with the seller's `TIN`, then `ListOfTaxInvoice/TaxInvoice` with the elements below in this order
and these spellings (`BuyerAdress` included), each with `ListOfGoodService/GoodService`; `TrxCode` 04 is a tax base
other than the price ("DPP nilai lain", 11/12 of it since 1 January 2025, at 12 %); `Opt` B is a service, `Code` 000000
a general one, `Unit` UM.0033 "other"; a 16-figure NPWP, and the place of business (IDTKU) as NPWP + six figures.

Assumed, to be confirmed with a tax adviser before the first upload: one service row per invoice, so that the invoice's
PPN, which is rounded once, is the row's to the Rupiah; a down payment is a tax invoice of its own like any other; a
buyer without NPWP is "Other ID" with `BuyerTin` 0000000000000000, IDTKU 000000 and the invoice's number as document,
because a counter cannot read identity numbers: such rows are `is_complete` false and are filled in by hand.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from app.domain.errors import invalid
from app.domain.money import Rupiah

TRANSACTION_CODE = "04"
NO_NPWP = "0" * 16
MAX_NAME = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxInvoice:
    """One numbered invoice with PPN as it was issued. `base`, `dpp` and `ppn` are those that it printed."""

    number: str
    issued_on: dt.date
    buyer_name: str
    buyer_npwp: str
    """15 or 16 figures, or empty."""
    buyer_address: str
    buyer_email: str
    said: str
    """What was sold, in one line."""
    base: Rupiah
    dpp: Rupiah
    ppn: Rupiah
    percent: int

    @property
    def is_complete(self) -> bool:
        """Whether nothing has to be filled in by hand."""
        return bool(self.buyer_npwp and self.buyer_address)


def sixteen(npwp: str) -> str:
    """The 16-figure form of an NPWP: the old 15-figure one has a 0 in front."""
    return npwp if len(npwp) == 16 else npwp.rjust(16, "0")


def _invoice_fields(invoice: TaxInvoice, idtku: str) -> tuple[tuple[str, str], ...]:
    known = bool(invoice.buyer_npwp)
    tin = sixteen(invoice.buyer_npwp) if known else NO_NPWP
    return (
        ("TaxInvoiceDate", invoice.issued_on.isoformat()),
        ("TaxInvoiceOpt", "Normal"),
        ("TrxCode", TRANSACTION_CODE),
        ("AddInfo", ""),
        ("CustomDoc", ""),
        ("RefDesc", invoice.number),
        ("FacilityStamp", ""),
        ("SellerIDTKU", idtku),
        ("BuyerTin", tin),
        ("BuyerDocument", "TIN" if known else "Other ID"),
        ("BuyerCountry", "IDN"),
        ("BuyerDocumentNumber", "" if known else invoice.number),
        ("BuyerName", invoice.buyer_name),
        ("BuyerAdress", invoice.buyer_address or "-"),
        ("BuyerEmail", invoice.buyer_email),
        ("BuyerIDTKU", f"{tin}000000" if known else "000000"),
    )


def _service_fields(invoice: TaxInvoice) -> tuple[tuple[str, str], ...]:
    return (
        ("Opt", "B"),
        ("Code", "000000"),
        ("Name", invoice.said[:MAX_NAME]),
        ("Unit", "UM.0033"),
        ("Price", str(invoice.base)),
        ("Qty", "1"),
        ("TotalDiscount", "0"),
        ("TaxBase", str(invoice.base)),
        ("OtherTaxBase", str(invoice.dpp)),
        ("VATRate", str(invoice.percent)),
        ("VAT", str(invoice.ppn)),
        ("STLGRate", "0"),
        ("STLG", "0"),
    )


def coretax_xml(npwp: str, idtku: str, invoices: Sequence[TaxInvoice]) -> bytes:
    """The file that Coretax imports, UTF-8. Refuses a seller without a 16-figure NPWP and 22-figure IDTKU."""
    check_seller(npwp, idtku)
    root = Xml.Element(
        "TaxInvoiceBulk",
        {
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            "xsi:noNamespaceSchemaLocation": "TaxInvoice.xsd",
        },
    )
    Xml.SubElement(root, "TIN").text = npwp
    every = Xml.SubElement(root, "ListOfTaxInvoice")
    for invoice in invoices:
        one = Xml.SubElement(every, "TaxInvoice")
        _fill(one, _invoice_fields(invoice, idtku))
        _fill(Xml.SubElement(Xml.SubElement(one, "ListOfGoodService"), "GoodService"), _service_fields(invoice))
    Xml.indent(root)
    return bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True))


def coretax_csv(idtku: str, invoices: Sequence[TaxInvoice]) -> bytes:
    """The same rows for a spreadsheet: UTF-8 with a mark, `;` between fields, one row per invoice, heads as in the XML.

    A text that a spreadsheet would take for a formula begins with a single quote.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    for place, invoice in enumerate(invoices):
        fields = (*_invoice_fields(invoice, idtku), *_service_fields(invoice))
        if place == 0:
            writer.writerow([name for name, _ in fields] + ["Complete"])
        writer.writerow([_plain(text) for _, text in fields] + ["1" if invoice.is_complete else "0"])
    return out.getvalue().encode("utf-8-sig")


def check_seller(npwp: str, idtku: str) -> None:
    """Refuse a seller that the tax office would not know."""
    if not (len(npwp) == 16 and npwp.isascii() and npwp.isdigit()):
        raise invalid("npwp", "not_an_npwp")
    if not (len(idtku) == 22 and idtku.isascii() and idtku.isdigit()):
        raise invalid("idtku", "not_an_idtku")


def _plain(text: str) -> str:
    return f"'{text}" if text[:1] in "=+@-\t" and text != "-" else text


def _fill(element: Xml.Element, fields: Sequence[tuple[str, str]]) -> None:
    for name, text in fields:
        Xml.SubElement(element, name).text = text
