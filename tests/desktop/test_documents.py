"""The kwitansi: what it says, in words and digits, that copies are counted, and that its pictures are not blank."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.desktop.documents.files import file_stem, write_copy, write_original
from app.desktop.documents.kwitansi import Kwitansi, in_words, kwitansi_document, needs_meterai
from app.desktop.documents.paper import A5, ROLL_80, pdf_bytes, picture
from app.desktop.documents.receipt import receipt_document
from app.desktop.formats import Language
from app.domain.invoice import InvoiceLine, LineKind, Tender, TenderKind
from app.domain.money import Rupiah
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.settlement_fakes import BUDI, fake_settlement


def paid(total: int = 1_497_500, received: int = 1_500_000, language: Language = Language.ID) -> Kwitansi:
    branch = fake_settlement()
    branch.set_total(BUDI, total)
    held = branch.open_invoice(BUDI)
    tender = Tender(kind=TenderKind.CASH, amount=Rupiah(received))
    branch.settle(held.handle, "00000000-0000-4000-8000-00000000aaaa", (tender,))
    detail = branch.invoice(BUDI)
    return Kwitansi(detail=detail, payment=detail.payments[-1], branch=BRANCH, counter="Kasir 1", language=language)


def text_of(receipt: Kwitansi) -> str:
    return kwitansi_document(receipt).toPlainText().replace("\u00a0", " ")


def ink(image: QImage) -> int:
    """How many pixels are not white."""
    white = 0xFFFFFFFF
    return sum(image.pixel(x, y) != white for x in range(0, image.width(), 2) for y in range(0, image.height(), 2))


def test_a_kwitansi_says_everything_a_customer_and_a_bookkeeper_need() -> None:
    text = text_of(paid())
    for wanted in (
        "KWITANSI",
        "INV/BDG/202611/00017",
        "Cabang Bandung (BDG)",
        "Senin, 30 November 2026, 14.05 WIB",
        "Budi Santoso",
        "BK-10240 · Avanza G B 1207 XYZ",
        "Sen 30 Nov – Rab 2 Des 2026",
        "Sewa 3 hari × Rp 350.000",
        "Rp 1.050.000",
        "-Rp 52.500",
        "Deposit (dikembalikan saat selesai)",
        "Rp 1.497.500",
        "Rp 823.762",
        "Rp 98.851",
        "Tunai diterima",
        "Rp 1.500.000",
        "Kembalian",
        "Rp 2.500",
        "Satu juta empat ratus sembilan puluh tujuh ribu lima ratus rupiah",
        "Dewi",
        "Kasir 1",
    ):
        assert wanted in text, wanted


def test_several_rentals_on_one_invoice_are_told_apart_by_name() -> None:
    receipt = paid()
    two = replace(receipt, detail=replace(receipt.detail, bookings=receipt.detail.bookings * 2))
    text = text_of(two)
    assert "Sewa Avanza G 3 hari × Rp 350.000" in text
    assert "Deposit Avanza G (dikembalikan saat selesai)" in text


def test_a_branch_without_ppn_prints_no_tax_line() -> None:
    receipt = paid()
    text = text_of(replace(receipt, detail=replace(receipt.detail, ppn=Rupiah(0), dpp=Rupiah(0))))
    assert "PPN" not in text
    assert "DPP" not in text


def test_ppn_on_top_of_the_prices_is_a_line_and_is_not_told_twice() -> None:
    receipt = paid()
    ppn = InvoiceLine(
        kind=LineKind.PPN, text="PPN", quantity=1, unit_price=Rupiah(110_000), amount=Rupiah(110_000), taxable=False
    )
    on_top = replace(receipt.detail, lines=(*receipt.detail.lines, ppn), ppn=Rupiah(110_000))
    text = text_of(replace(receipt, detail=on_top))
    assert text.count("Rp 110.000") == 1
    assert "termasuk PPN" not in text


@pytest.mark.parametrize(("total", "stamped"), [(5_000_000, False), (5_000_001, True)])
def test_above_five_million_a_meterai_is_asked_for(total: int, stamped: bool) -> None:
    assert needs_meterai(total) is stamped
    assert ("Meterai Rp 10.000" in text_of(paid(total, 10_000_000))) is stamped


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "Nol rupiah"),
        (11, "Sebelas rupiah"),
        (100, "Seratus rupiah"),
        (1_000, "Seribu rupiah"),
        (1_100, "Seribu seratus rupiah"),
        (2_500, "Dua ribu lima ratus rupiah"),
        (10_000, "Sepuluh ribu rupiah"),
        (11_000, "Sebelas ribu rupiah"),
        (100_000, "Seratus ribu rupiah"),
        (119_000, "Seratus sembilan belas ribu rupiah"),
        (997_500, "Sembilan ratus sembilan puluh tujuh ribu lima ratus rupiah"),
        (1_000_000, "Satu juta rupiah"),
        (1_250_000, "Satu juta dua ratus lima puluh ribu rupiah"),
        (21_111_111, "Dua puluh satu juta seratus sebelas ribu seratus sebelas rupiah"),
        (1_000_000_000, "Satu miliar rupiah"),
        (1_000_000_000_000, "Satu triliun rupiah"),
    ],
)
def test_terbilang(amount: int, words: str) -> None:
    assert in_words(amount, Language.ID) == words


def test_names_are_printed_as_typed_and_never_as_markup() -> None:
    receipt = paid()
    row = replace(receipt.detail.row, customer_name="<b>Budi</b> & Co")
    assert "<b>Budi</b> & Co" in text_of(replace(receipt, detail=replace(receipt.detail, row=row)))


def test_the_original_is_named_by_its_number_and_written_once(tmp_path: Path) -> None:
    first = write_original(paid(), tmp_path)
    assert first.name == "INV-BDG-202611-00017.pdf"
    before = first.stat().st_mtime_ns
    assert write_original(paid(), tmp_path) == first
    assert first.stat().st_mtime_ns == before
    assert (tmp_path / "INV-BDG-202611-00017-80mm.pdf").exists()
    assert not list(tmp_path.glob("*.part"))


def test_copies_say_salinan_and_are_counted(tmp_path: Path) -> None:
    write_original(paid(), tmp_path)
    names = [write_copy(paid(), tmp_path) for _ in range(3)]
    assert [(path.name, count) for path, count in names] == [
        (f"INV-BDG-202611-00017-SALINAN-{count}.pdf", count) for count in (1, 2, 3)
    ]
    assert "SALINAN ke-2" in text_of(replace(paid(), copy=2))
    assert "SALINAN" not in text_of(paid())


@pytest.mark.parametrize("number", ["INV/JKT/202611/00017", "../../etc/passwd", "a:b*c?", ""])
def test_file_names_are_safe_on_every_system(number: str) -> None:
    stem = file_stem(number)
    assert stem
    assert not set(stem) & set('/\\:*?"<>|')
    assert not stem.startswith(".")


def test_a_copy_looks_like_the_original_but_for_its_mark() -> None:
    original, copy = picture(kwitansi_document(paid()), A5), picture(kwitansi_document(replace(paid(), copy=1)), A5)
    assert original.size() == copy.size()
    assert ink(original) > 2_000
    assert ink(copy) > ink(original)


def test_the_same_receipt_is_the_same_picture() -> None:
    assert picture(kwitansi_document(paid()), A5) == picture(kwitansi_document(paid()), A5)


def test_a_roll_is_as_long_as_its_text_and_one_page() -> None:
    document = receipt_document(paid())
    image = picture(document, ROLL_80)
    assert image.width() < image.height() < 4 * image.width()
    blank = image.copy(0, image.height() - 8, image.width(), 8)
    assert ink(blank) == 0
    assert pdf_bytes(receipt_document(paid()), ROLL_80, "x").count(b"/Type /Page\n") <= 1


def test_a_long_order_goes_on_on_a_second_page() -> None:
    receipt = paid()
    lines = receipt.detail.lines * 30
    long = replace(receipt, detail=replace(receipt.detail, lines=lines))
    assert pdf_bytes(kwitansi_document(long), A5, "x").count(b"/Type /Page\n") >= 2


def test_a_pdf_is_written_outside_the_gui_thread(tmp_path: Path) -> None:
    receipt, written = paid(), []
    worker = threading.Thread(target=lambda: written.append(write_original(receipt, tmp_path)))
    worker.start()
    worker.join(30)
    assert written[0].read_bytes().startswith(b"%PDF-")


def test_english_receipts_speak_english_numbers() -> None:
    assert "one million" in in_words(1_000_000, Language.EN).lower()
    assert "Rp 1,497,500" in text_of(paid(language=Language.EN))
