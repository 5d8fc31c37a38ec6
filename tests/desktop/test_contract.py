"""The rental contract and the quotation on paper: what they say, in both languages, on as many pages as it takes."""

import datetime as dt
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.desktop.documents.contract import Contract, contract_document, contract_pdf, contract_running
from app.desktop.documents.markup import BLANK
from app.desktop.documents.order_files import write_contract, write_quotation
from app.desktop.documents.pages import A4, page_pictures
from app.desktop.documents.quotation import price_holds_until, quotation_document, quotation_pdf
from app.domain.invoice import InvoiceKind, InvoiceLine, InvoiceState, LineKind
from app.domain.money import Rupiah
from app.domain.pricing import QuoteLine, RateCard, quote
from app.usecases.rows_contracts import ContractFacts, Printed
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.contract_samples import JAYAPURA, LONG_NAME, NOW, PERIOD, facts, long_terms, quotation


def contract(told: ContractFacts | None = None, *, revision: int = 0, copy: int = 0) -> Contract:
    printed = Printed(revision=revision, copy=copy)
    return Contract(facts=told or facts(), printed=printed, printed_by="Siti", counter="Kasir 1")


def text_of(printing: Contract) -> str:
    return contract_document(printing).toPlainText().replace("\u00a0", " ")


def pages_of(printing: Contract, dpi: int = 60) -> list[QImage]:
    return list(page_pictures(contract_document(printing), A4, contract_running(printing), dpi))


def ink(image: QImage, top: float = 0, bottom: float = 1) -> int:
    """How many pixels between these parts of the height are not white."""
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    rows = pixels[int(top * image.height()) : int(bottom * image.height()), : image.width()]
    return int(np.count_nonzero(rows != 0xFFFFFFFF))


def test_a_contract_says_who_rents_what_when_and_for_how_much() -> None:
    text = text_of(contract())
    for wanted in (
        "KONTRAK SEWA",
        "BK-10240",
        "Cabang Bandung (BDG)",
        "Dibuat Senin, 30 November 2026, 14.05 WIB",
        "Budi Santoso",
        "0812-3456-7890",
        "Avanza G B 1207 XYZ",
        "TOY-AVNZ-G · putih",
        "Sel 1 Des 2026",
        "09.00 WIB",
        "Kam 3 Des 2026",
        "20.00 WIB",
        "45.210 km",
        "Sewa 3 hari × Rp 350.000",
        "Rp 1.050.000",
        "Jumlah dengan deposit",
        "Rp 1.550.000",
        "Belum dibayar",
        "Rp 867.117",
        "Rp 104.054",
        "Deposit Rp 500.000 dikembalikan",
        "Jaminan",
        "Syarat sewa",
        "Perselisihan.",
        "Bandung, tanggal",
    ):
        assert wanted in text, wanted
    assert "SALINAN" not in text
    assert "Perubahan" not in text


@pytest.mark.parametrize(
    ("zone", "label"), [("Asia/Jakarta", "WIB"), ("Asia/Makassar", "WITA"), ("Asia/Jayapura", "WIT")]
)
def test_times_are_those_of_the_branchs_own_zone(zone: str, label: str) -> None:
    branch = replace(JAYAPURA, zone=ZoneInfo(zone))
    text = text_of(contract(facts(branch=branch)))
    assert f"09.00 {label}" in text
    assert f"20.00 {label}" in text


def test_an_identity_number_is_printed_masked_and_an_unknown_one_is_a_line_to_fill_in() -> None:
    told = facts()
    assert text_of(contract(told)).count(BLANK) == 3 + 4 + 2, "address, identity, licence; collateral; signatures"
    known = replace(
        told.customer,
        nik="3275 01 •••••• 0012",
        licence="•••••• 0012",
        licence_class="A",
        licence_expires_on=dt.date(2029, 5, 3),
        address="Jl. Mawar 3",
        company="PT Melati",
    )
    text = text_of(contract(replace(told, customer=known)))
    assert "KTP 3275 01 •••••• 0012" in text
    assert "A · •••••• 0012 · sampai 3 Mei 2029" in text
    assert "PT Melati" in text
    assert text.count(BLANK) == 4 + 2
    assert "Cocok dengan kartu asli" in text


def test_every_unit_is_named_with_its_own_lines_and_the_sums_are_those_of_the_order() -> None:
    told = facts(5)
    text = text_of(contract(told))
    for place, unit in enumerate(told.units, 1):
        assert f"{place}. {unit.booking.unit.sku.name} {unit.booking.unit.unit.plate}" in text
    assert "BK-10240, BK-10241 dan 3 lainnya" in text
    assert told.total == 12_950_000
    assert "Rp 12.950.000" in text


def test_the_invoices_of_one_order_are_told_apart_and_what_is_paid_is_taken_off() -> None:
    told = facts()
    (rental,) = told.invoices
    rent, deposit = rental.lines
    down = replace(
        rental, kind=InvoiceKind.DOWN_PAYMENT, state=InvoiceState.PAID, number="INV/BDG/202611/00003", lines=(rent,)
    )
    down = replace(down, total=Rupiah(1_050_000), paid=Rupiah(1_050_000))
    rest = replace(rental, id="i-2", kind=InvoiceKind.BALANCE, lines=(deposit,), total=Rupiah(500_000), ppn=Rupiah(0))
    text = text_of(contract(replace(told, invoices=(down, rest))))
    assert "Uang muka · INV/BDG/202611/00003" in text
    assert "Pelunasan" in text
    assert "Sudah dibayar" in text
    assert text.index("Rp 1.550.000") < text.index("Belum dibayar") < text.rindex("Rp 500.000")


def test_what_a_change_gives_back_of_a_paid_rental_is_said() -> None:
    told = facts()
    assert "Dikembalikan" not in text_of(contract(told))
    (rental,) = told.invoices
    paid = replace(rental, state=InvoiceState.PAID, paid=rental.total)
    text = text_of(contract(replace(told, invoices=(paid,), given_back=Rupiah(350_000))))
    assert "Dikembalikan karena perubahan sewa\nRp 350.000" in text
    assert "Belum dibayar\nRp 0" in text


@pytest.mark.parametrize(("total", "stamped"), [(5_000_000, False), (5_000_001, True)])
def test_above_five_million_a_meterai_has_its_place(total: int, stamped: bool) -> None:
    told = facts()
    (rental,) = told.invoices
    rent, deposit = rental.lines
    lines = (replace(rent, amount=Rupiah(total - deposit.amount)), deposit)
    text = text_of(contract(replace(told, invoices=(replace(rental, lines=lines),))))
    assert ("Meterai Rp 10.000" in text) is stamped


def test_a_branch_without_ppn_prints_no_tax_line() -> None:
    told = facts()
    (rental,) = told.invoices
    text = text_of(contract(replace(told, invoices=(replace(rental, ppn=Rupiah(0), dpp=Rupiah(0)),))))
    assert "PPN" not in text


def test_ppn_on_top_is_a_line_and_is_not_told_twice() -> None:
    told = facts()
    (rental,) = told.invoices
    line = InvoiceLine(
        kind=LineKind.PPN, text="PPN", quantity=1, unit_price=Rupiah(115_500), amount=Rupiah(115_500), taxable=False
    )
    on_top = replace(rental, lines=(*rental.lines, line), ppn=Rupiah(115_500))
    text = text_of(contract(replace(told, invoices=(on_top,))))
    assert text.count("Rp 115.500") == 1
    assert "termasuk PPN" not in text


def test_copies_and_revisions_are_named_on_the_first_page_and_above_the_others() -> None:
    printing = contract(revision=1, copy=2)
    assert "Perubahan ke-1" in text_of(printing)
    assert "SALINAN ke-2" in text_of(printing)
    assert "SALINAN ke-2" in contract_running(printing).above


def test_an_english_contract_is_english_while_the_screens_speak_indonesian() -> None:
    text = text_of(contract(facts(2, language="en"), revision=1, copy=1))
    for wanted in (
        "RENTAL CONTRACT",
        "COPY no. 1",
        "Tue 1 Dec 2026",
        "09:00 WIB",
        "3 days",
        "Rp 1,050,000",
        "Disputes.",
    ):
        assert wanted in text, wanted
    for unwanted in ("Sewa ", "Biaya", "Penyewa", "Jaminan", "hari ×", "SALINAN", "Diambil"):
        assert unwanted not in text, unwanted


def test_names_terms_and_letterheads_are_printed_as_typed_and_never_as_markup() -> None:
    told = facts(name="<b>Budi</b> & Co")
    told = replace(told, letterhead="<i>Jl. A</i>\n& B", terms=replace(told.terms, said="1. <u>Satu</u>: dua & tiga."))
    text = text_of(contract(told))
    for wanted in ("<b>Budi</b> & Co", "<i>Jl. A</i>", "& B", "<u>Satu</u>: dua & tiga."):
        assert wanted in text, wanted


def test_long_terms_go_on_over_several_numbered_pages_with_a_head_on_each() -> None:
    told = replace(facts(5, branch=JAYAPURA, name=LONG_NAME), terms=long_terms())
    pages = pages_of(contract(told))
    assert len(pages) >= 4
    assert contract_pdf(contract(told)).startswith(b"%PDF-")
    for number, page in enumerate(pages):
        assert (ink(page, 0.04, 0.07) > 0) is (number > 0), "the running head begins on the second page"
        assert ink(page, 0.93, 0.96) > 0, "the page's number"
        assert ink(page, 0, 0.04) == ink(page, 0.96, 1) == 0, "nothing in the margins"


def test_every_line_of_the_terms_is_on_exactly_one_page() -> None:
    told = replace(facts(), terms=long_terms(150))
    whole = text_of(contract(told))
    assert [number for number in range(1, 151) if f"Pasal {number}." not in whole] == []


@pytest.mark.parametrize("lines", range(8, 30, 3))
def test_signatures_are_never_torn_apart_between_two_pages(lines: int) -> None:
    """Whatever the length above them, both names and the duty stamp stand on the last page together."""
    told = replace(facts(5), terms=long_terms(lines + 20))
    last = pages_of(contract(told))[-1]
    bands = [ink(last, at / 50, (at + 1) / 50) for at in range(4, 46)]
    filled = [number for number, amount in enumerate(bands) if amount]
    assert filled[-1] - filled[0] >= 6, "the signatures' whole height is on this page"


def test_the_same_contract_is_the_same_picture_and_a_copy_is_not() -> None:
    assert pages_of(contract()) == pages_of(contract())
    assert pages_of(contract())[0] != pages_of(contract(copy=1))[0]


def test_files_are_named_by_number_language_revision_and_copy_and_written_by_a_worker(
    tmp_path: Path,
) -> None:
    wanted = [contract(), contract(copy=2), contract(facts(language="en"), revision=1)]
    paths: list[Path] = []
    worker = threading.Thread(target=lambda: paths.extend(write_contract(item, tmp_path / "a") for item in wanted))
    worker.start()
    worker.join(60)
    assert [path.name for path in paths] == [
        "KONTRAK-BK-10240.pdf",
        "KONTRAK-BK-10240-SALINAN-2.pdf",
        "KONTRAK-BK-10240-en-PERUBAHAN-1.pdf",
    ]
    assert all(path.read_bytes().startswith(b"%PDF-") for path in paths)
    assert not list(tmp_path.rglob("*.part"))


def test_a_quotation_says_its_price_and_until_when_and_that_nothing_is_held(tmp_path: Path) -> None:
    asked = quotation(2)
    text = quotation_document(asked).toPlainText().replace("\u00a0", " ")
    for wanted in (
        "PENAWARAN HARGA",
        "3F2A9C1E",
        "Berlaku sampai Kamis, 3 Desember 2026, 14.05 WIB",
        "Avanza G B 1207 XYZ",
        "unit dipilih saat booking",
        "Sewa 3 hari × Rp 1.150.000",
        "Rp 6.500.000",
        "di antaranya deposit",
        "unit belum ditahan",
    ):
        assert wanted in text, wanted
    for unwanted in ("INV/", "BK-", "Syarat sewa", "Meterai"):
        assert unwanted not in text, unwanted
    assert quotation_pdf(asked).startswith(b"%PDF-")
    assert write_quotation(asked, tmp_path).name == "PENAWARAN-3F2A9C1E.pdf"


def test_an_english_quotation_for_somebody_without_a_name() -> None:
    text = quotation_document(quotation(1, language="en", name="")).toPlainText().replace("\u00a0", " ")
    assert "QUOTATION" in text
    assert "Valid until Thursday, 3 December 2026, 14:05 WIB" in text
    assert "Budi" not in text


def test_a_price_holds_until_the_branch_closes_three_days_on() -> None:
    late = dt.datetime(2026, 11, 30, 20, 30, tzinfo=dt.UTC)  # already 1 December in Jayapura
    until = price_holds_until(late, JAYAPURA, dt.date(2027, 1, 1))
    assert until.isoformat() == "2026-12-04T20:00:00+09:00"


def test_a_price_holds_no_longer_than_until_the_rental_begins() -> None:
    late = dt.datetime(2026, 11, 30, 20, 30, tzinfo=dt.UTC)
    until = price_holds_until(late, JAYAPURA, dt.date(2026, 12, 2))
    assert until.isoformat() == "2026-12-02T20:00:00+09:00"
    closed = dt.datetime(2026, 12, 2, 12, 0, tzinfo=dt.UTC)  # 21.00 in Jayapura
    assert price_holds_until(closed, JAYAPURA, dt.date(2026, 12, 2)).isoformat() == "2026-12-02T21:15:00+09:00"


def rent(text: str, quantity: int, price: int, kind: LineKind = LineKind.RENT) -> InvoiceLine:
    amount = Rupiah(quantity * price)
    return InvoiceLine(
        kind=kind, text=text, quantity=quantity, unit_price=Rupiah(price), amount=amount, taxable=True, booking_id="b-0"
    )


LINES = (
    (rent("Avanza G · bulanan (30 hari)", 1, 7_500_000), "Sewa bulanan (30 hari) 1 × Rp 7.500.000", "Monthly rental"),
    (rent("Avanza G · mingguan (7 hari)", 2, 2_000_000), "Sewa mingguan (7 hari) 2 × Rp 2.000.000", "Weekly rental"),
    (rent("Avanza G · akhir pekan", 2, 400_000), "Sewa akhir pekan 2 hari × Rp 400.000", "Weekend rental 2 days"),
    (rent("Avanza G · hari libur", 1, 450_000), "Sewa hari libur 1 hari × Rp 450.000", "Holiday rental 1 day"),
    (rent("Sopir", 3, 150_000, LineKind.EXTRA), "Sopir 3 × Rp 150.000", "Sopir 3 × Rp 150,000"),
    (rent("Kursi bayi", 1, 50_000, LineKind.EXTRA), "Kursi bayi", "Kursi bayi"),
    (rent("Diskon 10 %", 1, -105_000, LineKind.DISCOUNT), "Diskon 10 %", "Discount 10 %"),
)


@pytest.mark.parametrize(("line", "indonesian", "english"), LINES)
def test_dated_rates_extras_and_discounts_are_told_by_kind(line: InvoiceLine, indonesian: str, english: str) -> None:
    for language, wanted in (("id", indonesian), ("en", english)):
        told = facts(language=language)
        (rental,) = told.invoices
        text = text_of(contract(replace(told, invoices=(replace(rental, lines=(line,)),))))
        assert wanted in text


@pytest.mark.parametrize("days", [2, 4])
def test_a_contract_prints_the_days_that_are_paid_for(days: int) -> None:
    (unit,) = facts().units
    text = text_of(contract(replace(facts(), units=(replace(unit, days=days),))))
    assert f"20.00 WIB\n{days} hari" in text


@pytest.mark.parametrize(
    ("terms", "wanted"),
    [
        ({"day_offset": -1}, "2 hari"),
        ({"min_days": 5}, "5 hari"),
        ({"min_days": 6, "card": RateCard(weekday=Rupiah(100), weekly=Rupiah(500))}, "6 hari"),
    ],
)
def test_a_quotation_prints_the_days_that_are_paid_for(terms: dict[str, Any], wanted: str) -> None:
    asked = quotation(1)
    (unit,) = facts().units
    line = QuoteLine(booking_id="0", sku=unit.booking.unit.sku, period=PERIOD, **terms)
    priced = replace(asked, quote=quote(BRANCH, [line], NOW.date()))
    text = quotation_document(priced).toPlainText().replace("\u00a0", " ")
    assert f"Kam 3 Des 2026\n{wanted}" in text


def test_a_quotation_with_a_down_payment_tells_the_whole_price_and_both_parts() -> None:
    asked = quotation(1)
    parted = replace(asked.quote, total=Rupiah(400_000), balance=Rupiah(1_150_000))
    text = quotation_document(replace(asked, quote=parted)).toPlainText().replace("\u00a0", " ")
    assert "Jumlah dengan deposit\nRp 1.550.000" in text
    assert "Uang muka saat booking\nRp 400.000" in text
    assert "Sisa sampai waktu ambil\nRp 1.150.000" in text
    assert "Harga Rp 1.550.000 berlaku" in text


def places(printing: Contract) -> list[tuple[str, int, int]]:
    """Every line of the contract with the pages its first and its last sign are on."""
    document = contract_document(printing)
    assert list(page_pictures(document, A4, contract_running(printing), 60))
    layout, height = document.documentLayout(), document.pageSize().height()
    found = []
    block = document.begin()
    while block.isValid():
        place = layout.blockBoundingRect(block)
        text = block.text().replace("\u2028", "\n").replace("\u00a0", " ")
        found.append((text, int(place.top() // height), int((place.bottom() - 1) // height)))
        block = block.next()
    return found


@pytest.mark.parametrize("count", range(3, 9))
def test_a_price_is_on_the_page_of_the_name_above_it(count: int) -> None:
    told = facts(count, name=LONG_NAME)
    (rental,) = told.invoices
    down = replace(rental, kind=InvoiceKind.DOWN_PAYMENT, lines=tuple(line for line in rental.lines if line.taxable))
    rest = replace(rental, id="i-2", kind=InvoiceKind.BALANCE, lines=rental.lines[count:])
    lines = places(contract(replace(told, invoices=(down, rest))))
    named = [(text, first, last) for text, first, last in lines if "Sewa 3 hari" in text or "     Deposit" in text]
    assert len(named) == 2 * count
    for text, first, last in named:
        assert any(unit.booking.unit.unit.plate in text for unit in told.units), "the name is part of its line"
        assert first == last, text


@pytest.mark.parametrize("clauses", range(10, 34, 3))
def test_names_are_never_signed_on_a_page_without_a_word_of_the_contract(clauses: int) -> None:
    told = replace(facts(5), terms=long_terms(clauses))
    lines = places(contract(told))
    (last,) = (first for text, first, _ in lines if text.startswith(f"Pasal {clauses}."))
    (signed,) = (first for text, first, _ in lines if "Penyewa telah membaca" in text)
    assert last == signed
