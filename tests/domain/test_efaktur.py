"""The tax office's rows: code 04, no decimals, and to the Rupiah what the invoice, its print and the screen say."""

import csv
import datetime as dt
import io
import random
import re
from decimal import Decimal
from xml.etree import ElementTree as Xml

import pytest

from app.domain.efaktur import TaxInvoice, coretax_csv, coretax_xml, sixteen
from app.domain.errors import Refusal
from app.domain.money import Rupiah, ppn_inside, ppn_on_top, ppn_rate

NPWP, IDTKU = "0012345678901000", "0012345678901000000000"
DAY = dt.date(2027, 3, 1)


def taxed(number: int, base: int, dpp: int, ppn: int, **said: str) -> TaxInvoice:
    found = {
        "buyer_name": "Rina Maharani",
        "buyer_npwp": "",
        "buyer_address": "",
        "buyer_email": "",
        "said": "Avanza G",
    }
    return TaxInvoice(
        number=f"INV/JKT/202703/{number:05}",
        issued_on=DAY,
        base=Rupiah(base),
        dpp=Rupiah(dpp),
        ppn=Rupiah(ppn),
        percent=12,
        **{**found, **said},
    )


def rows_of(xml: bytes) -> list[dict[str, str]]:
    return [
        {element.tag: element.text or "" for element in one.iter() if len(element) == 0}
        for one in Xml.fromstring(xml).iter("TaxInvoice")
    ]


def test_a_companys_invoice_is_told_with_code_04_and_its_places_in_the_published_order() -> None:
    invoice = taxed(
        1, 898_649, 823_762, 98_851, buyer_name="PT Contoh & Rekan", buyer_npwp="012345678901000", buyer_address="Jl. X"
    )
    xml = coretax_xml(NPWP, IDTKU, [invoice])
    (row,) = rows_of(xml)
    assert list(row) == [
        *("TaxInvoiceDate", "TaxInvoiceOpt", "TrxCode", "AddInfo", "CustomDoc", "RefDesc", "FacilityStamp"),
        *("SellerIDTKU", "BuyerTin", "BuyerDocument", "BuyerCountry", "BuyerDocumentNumber", "BuyerName"),
        *("BuyerAdress", "BuyerEmail", "BuyerIDTKU"),
        *("Opt", "Code", "Name", "Unit", "Price", "Qty", "TotalDiscount", "TaxBase", "OtherTaxBase", "VATRate", "VAT"),
        *("STLGRate", "STLG"),
    ]
    assert (row["TrxCode"], row["TaxInvoiceDate"], row["BuyerTin"], row["BuyerIDTKU"]) == (
        "04",
        "2027-03-01",
        "0012345678901000",
        "0012345678901000000000",
    )
    assert (row["TaxBase"], row["OtherTaxBase"], row["VATRate"], row["VAT"]) == ("898649", "823762", "12", "98851")
    assert row["BuyerName"] == "PT Contoh & Rekan"
    assert (Xml.fromstring(xml).findtext("TIN"), invoice.is_complete) == (NPWP, True)


def test_a_buyer_without_a_tax_number_is_marked_to_be_filled_in() -> None:
    invoice = taxed(2, 1_000_000, 916_667, 110_000)
    (row,) = rows_of(coretax_xml(NPWP, IDTKU, [invoice]))
    assert (row["BuyerTin"], row["BuyerDocument"], row["BuyerDocumentNumber"], row["BuyerIDTKU"]) == (
        "0" * 16,
        "Other ID",
        invoice.number,
        "000000",
    )
    assert not invoice.is_complete
    assert sixteen("012345678901000") == "0012345678901000"


@pytest.mark.parametrize(("npwp", "idtku", "field"), [("123", IDTKU, "npwp"), (NPWP, NPWP, "idtku")])
def test_a_seller_whom_the_tax_office_does_not_know_exports_nothing(npwp: str, idtku: str, field: str) -> None:
    with pytest.raises(Refusal) as no:
        coretax_xml(npwp, idtku, [])
    assert no.value.field == field


def test_a_text_that_a_spreadsheet_would_run_is_told_as_a_text() -> None:
    found = coretax_csv(IDTKU, [taxed(3, 10, 9, 1, buyer_name="=HYPERLINK(1)", buyer_address="-2+3")])
    (_, row) = csv.reader(io.StringIO(found.decode("utf-8-sig")), delimiter=";")
    assert "'=HYPERLINK(1)" in row
    assert "'-2+3" in row


def test_twenty_thousand_invoices_are_the_same_to_the_rupiah_in_books_print_and_both_files() -> None:
    """Prices with PPN inside and on top; reckoned here once more in decimals, with nothing of the program's."""
    rng = random.Random(4)
    rate = ppn_rate(DAY)
    invoices, printed = [], []
    for number in range(20_000):
        price = rng.randrange(1, 10 ** rng.randrange(2, 10))
        inside = rng.random() < 0.5
        ppn = ppn_inside(Rupiah(price), rate) if inside else ppn_on_top(Rupiah(price), rate)
        total = price if inside else price + ppn.tax
        assert ppn.base + ppn.tax == total, "paying the printed total leaves nothing open"
        first = (Decimal(price) * 100 / 111 + Decimal("0.5")) // 1 if inside else Decimal(price)
        dpp = (first * 11 / 12 + Decimal("0.5")) // 1
        assert (ppn.dpp, ppn.tax) == (dpp, (dpp * 12 / 100 + Decimal("0.5")) // 1)
        printed.append((f"{ppn.base}", f"{ppn.dpp}", f"{ppn.tax}"))
        invoices.append(taxed(number, ppn.base, ppn.dpp, ppn.tax))
    xml = rows_of(coretax_xml(NPWP, IDTKU, invoices))
    table = list(csv.DictReader(io.StringIO(coretax_csv(IDTKU, invoices).decode("utf-8-sig")), delimiter=";"))
    for rows in (xml, table):
        assert [(row["TaxBase"], row["OtherTaxBase"], row["VAT"]) for row in rows] == printed
    assert not re.search(
        rb"<(Price|TaxBase|OtherTaxBase|VAT|STLG)>[0-9]*[.,]", coretax_xml(NPWP, IDTKU, invoices[:500])
    )
