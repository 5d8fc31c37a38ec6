"""20,000 random invoices: prints, the screen, the export and the report of a shift tell one sum, to the Rupiah.

Each is made with numbers of its own here; what the program prints is read back as digits and compared with those.
"""

import csv
import datetime as dt
import io
import random
import re
from collections import Counter as Tally
from dataclasses import replace
from decimal import Decimal
from xml.etree import ElementTree as Xml

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.desktop.documents.invoice_paper import InvoicePaper, invoice_document, invoice_tax_rows
from app.desktop.documents.kwitansi import Kwitansi, kwitansi_document, money_rows, paid_rows, tax_rows
from app.desktop.documents.receipt import receipt_document
from app.desktop.documents.shift_rows import report_parts
from app.desktop.documents.spoken import Spoken
from app.desktop.formats import Language
from app.desktop.screens.settlement_cards import SettlementCards
from app.domain.efaktur import TaxInvoice, coretax_csv, coretax_xml
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.money import Rupiah, ppn_inside, ppn_on_top, ppn_rate
from app.domain.tender import TenderKind, TenderRow
from app.usecases.rows import InvoiceDetail
from app.usecases.rows_till import WaySum
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.money_samples import a_shift
from tests.desktop.test_documents import paid

INVOICES, SHIFT = 20_000, 200
DAY = dt.date(2027, 3, 1)
RATE = ppn_rate(DAY)
NPWP, IDTKU = "0012345678901000", "0012345678901000000000"
SAMPLE = paid()
WORDS = Spoken(Language.ID)


def digits(text: str) -> int:
    """`-Rp 52.500` as -52500."""
    return int(re.sub(r"[^\d-]", "", text))


def line(kind: LineKind, amount: int, *, taxable: bool) -> InvoiceLine:
    return InvoiceLine(
        kind=kind, text="Avanza G", quantity=1, unit_price=Rupiah(abs(amount)), amount=Rupiah(amount), taxable=taxable
    )


def rupiah_half_up(value: Decimal) -> int:
    return int((value + Decimal("0.5")) // 1)


class Wanted:
    """One invoice by this file's own reckoning: total, DPP and PPN in decimals, how it is paid."""

    def __init__(self, rng: random.Random) -> None:
        rent = rng.randrange(1_000, 10 ** rng.randrange(4, 9))
        discount = rng.choice((0, 0, rent * rng.randrange(1, 30) // 100))
        extra = rng.choice((0, rng.randrange(1_000, 900_000)))
        self.deposit = rng.choice((0, 500_000, rng.randrange(1, 3_000_000)))
        self.taxed = rent - discount + extra
        self.inside = rng.random() < 0.5
        base = rupiah_half_up(Decimal(self.taxed) * 100 / 111) if self.inside else self.taxed
        self.dpp = rupiah_half_up(Decimal(base) * 11 / 12)
        self.ppn = rupiah_half_up(Decimal(self.dpp) * 12 / 100)
        self.base = self.taxed - self.ppn if self.inside else self.taxed
        self.total = self.taxed + self.deposit + (0 if self.inside else self.ppn)
        self.parts = [("RENT", rent), ("DISCOUNT", -discount), ("EXTRA", extra), ("DEPOSIT", self.deposit)]
        if not self.inside:
            self.parts.append(("PPN", self.ppn))
        card = rng.choice((0, self.total, rng.randrange(0, self.total)))
        self.change = rng.choice((0, 500, 47_500)) if card < self.total else 0
        self.ways = {"EDC": card, "CASH": self.total - card}

    def detail(self) -> InvoiceDetail:
        """The same as the program keeps it; its tax by the program's own rules."""
        ppn = (ppn_inside if self.inside else ppn_on_top)(Rupiah(self.taxed), RATE)
        lines = tuple(
            line(LineKind(kind), amount, taxable=kind in ("RENT", "DISCOUNT", "EXTRA"))
            for kind, amount in self.parts
            if amount
        )
        rows = tuple(
            TenderRow(
                kind=TenderKind(kind),
                amount=Rupiah(amount),
                received=Rupiah(amount + (self.change if kind == "CASH" else 0)),
                bank="BCA" if kind == "EDC" else None,
                last4="1234" if kind == "EDC" else None,
                approval_code="123456" if kind == "EDC" else None,
            )
            for kind, amount in self.ways.items()
            if amount
        )
        payment = replace(SAMPLE.payment, amount=Rupiah(self.total), change=Rupiah(self.change), tenders=rows)
        row = replace(SAMPLE.detail.row, total=Rupiah(self.total), paid=Rupiah(self.total))
        return replace(
            SAMPLE.detail, row=row, lines=lines, base=ppn.base, dpp=ppn.dpp, ppn=ppn.tax, payments=(payment,)
        )


def test_twenty_thousand_invoices_are_one_sum_in_print_screen_export_and_report() -> None:
    rng = random.Random(6)
    exported: list[TaxInvoice] = []
    wanted = [Wanted(rng) for _ in range(INVOICES)]
    for place, one in enumerate(wanted):
        detail = one.detail()
        receipt: Kwitansi = replace(SAMPLE, detail=detail, payment=detail.payments[0])
        printed = [digits(amount) for _, amount in money_rows(receipt)]
        assert printed == [amount for _, amount in one.parts if amount]
        assert sum(printed) == one.total
        on_invoice = [digits(amount) for _, amount in invoice_tax_rows(detail, WORDS)]
        told_tax = [digits(amount) for _, amount in tax_rows(receipt)]
        if one.ppn:
            assert told_tax == ([one.dpp, one.ppn] if one.inside else [one.dpp])
            assert on_invoice == [one.base, *told_tax]
        paid_in = [digits(amount) for _, amount in paid_rows(receipt)]
        back = paid_in.pop() if one.ways["CASH"] else 0
        assert (sum(paid_in) - back, back) == (one.total, one.change)
        exported.append(_tax_invoice(place, detail))
    _assert_export(exported, wanted)
    _assert_reports(wanted)


@pytest.mark.parametrize("seed", range(8))
def test_the_whole_papers_and_the_screen_say_the_sum_of_the_rows(qtbot: QtBot, seed: int) -> None:
    """The rows above are what is laid out: whole papers and the screen's cards, for some of them."""
    one = Wanted(random.Random(seed))
    detail = one.detail()
    receipt = replace(SAMPLE, detail=detail, payment=detail.payments[0])
    invoice = InvoicePaper(
        detail=detail, branch=BRANCH, letterhead="", counter="Kasir 1", language=Language.ID, remains=0
    )
    cards = SettlementCards(BRANCH)
    qtbot.addWidget(cards)
    cards.show_detail(detail)
    on_screen = " ".join(label.text() for label in cards.findChildren(QLabel))
    texts = [document.toPlainText() for document in (kwitansi_document(receipt), receipt_document(receipt))]
    texts += [invoice_document(invoice).toPlainText(), on_screen]
    for text in texts:
        amounts = {digits(found) for found in re.findall(r"-?Rp[\u00a0 ][\d.]+", text)}
        assert {one.total, one.ppn, *(amount for _, amount in one.parts if amount)} <= amounts


def _tax_invoice(place: int, detail: InvoiceDetail) -> TaxInvoice:
    return TaxInvoice(
        number=f"INV/JKT/202703/{place + 1:05}",
        issued_on=DAY,
        buyer_name="Rina",
        buyer_npwp="",
        buyer_address="",
        buyer_email="",
        said="Avanza G",
        base=detail.base,
        dpp=detail.dpp,
        ppn=detail.ppn,
        percent=12,
    )


def _assert_export(exported: list[TaxInvoice], wanted: list[Wanted]) -> None:
    rows = [(str(one.base), str(one.dpp), str(one.ppn)) for one in wanted]
    names = ("TaxBase", "OtherTaxBase", "VAT")
    table = csv.DictReader(io.StringIO(coretax_csv(IDTKU, exported).decode("utf-8-sig")), delimiter=";")
    assert [tuple(row[name] for name in names) for row in table] == rows
    xml = Xml.fromstring(coretax_xml(NPWP, IDTKU, exported))
    assert [tuple(one.findtext(name) for name in names) for one in xml.iter("GoodService")] == rows


def _assert_reports(wanted: list[Wanted]) -> None:
    """Each 200 of them are a shift."""
    for first in range(0, len(wanted), SHIFT):
        some = wanted[first : first + SHIFT]
        sums, often = Tally[str](), Tally[str]()
        for one in some:
            for kind, amount in one.ways.items():
                sums[kind] += amount
                often[kind] += bool(amount)
        report = a_shift(
            tenders=tuple(WaySum(kind=kind, count=often[kind], amount=Rupiah(sums[kind])) for kind in ("CASH", "EDC")),
            payments=len(some),
            change=Rupiah(sum(one.change for one in some)),
        )
        part = report_parts(report, BRANCH, WORDS)[1]
        told = [digits(row.value) for row in part.rows[:3]]
        assert told == [sums["CASH"], sums["EDC"], sum(one.total for one in some)]
