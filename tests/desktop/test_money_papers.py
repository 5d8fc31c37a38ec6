"""Papers of the till: what each says, in both languages, and that print, screen and slip tell one sum."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.desktop.documents.kwitansi import kwitansi_document
from app.desktop.documents.money_files import MoneyDocument, page_of, strip_of, write_money_paper
from app.desktop.documents.receipt import receipt_document
from app.desktop.documents.shift_paper import ShiftPaper
from app.desktop.formats import Language, money
from app.desktop.language import use_language
from app.desktop.money_printing import MoneyPrinting, WrittenMoneyPaper
from app.desktop.printers import Pages, Sent
from app.desktop.printing import Printing
from app.desktop.screens.invoices_paper_key import InvoicePaperKey
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.usecases.money_papers import MoneyPaper
from app.usecases.rows_till import ShiftReport
from app.usecases.settlement import Settlement
from tests.desktop.calendar_samples import BRANCH
from tests.desktop.money_samples import a_bill, a_refund, a_shift, money_papers, running_shift, split_kwitansi
from tests.desktop.settlement_fakes import BUDI, DEWI, Counterfoil, fake_settlement


def plain(document: QTextDocument) -> str:
    return document.toPlainText().replace("\u00a0", " ")


def text_of(paper: MoneyDocument) -> str:
    return plain(page_of(paper)[1]())


def test_a_split_payment_names_each_way_and_a_down_payment_says_what_remains() -> None:
    for document in (kwitansi_document(split_kwitansi()), receipt_document(split_kwitansi())):
        text = plain(document)
        for wanted in (
            "Kartu (EDC) BCA •••• 1234, kode 482913",
            "Rp 997.500",
            "Tunai diterima",
            "Rp 550.000",
            "Rp 50.000",
            "Uang muka; sisa yang harus dilunasi",
            "Rp 2.000.000",
        ):
            assert wanted in text, wanted
    assert "sisa" not in plain(kwitansi_document(replace(split_kwitansi(), remains=0)))


@pytest.mark.parametrize("language", list(Language), ids=str)
def test_every_paper_tells_its_sum_in_its_own_language(language: Language) -> None:
    papers = money_papers(language)
    sums = {"invoice": 1_497_500, "refund": 500_000, "z": 5_634_500, "collective": 3_750_500, "x": 500_000}
    for name, amount in sums.items():
        assert money(amount, language).replace("\u00a0", " ") in text_of(papers[name]), name
        strip = strip_of(papers[name])
        if strip is not None:
            assert money(amount, language).replace("\u00a0", " ") in plain(strip()), name
    said = {Language.ID: "Laporan Z shift #214", Language.EN: "Z report of shift #214"}[language]
    assert said in text_of(papers["z"])


def test_a_z_report_tells_the_difference_its_reason_and_every_count() -> None:
    text = text_of(money_papers(Language.ID)["z"])
    for wanted in (
        "Senin, 30 November 2026",
        "Harapan di laci",
        "Rp 1.887.000",
        "Selisih",
        "-Rp 12.500",
        "salah kembalian",
        "Hitungan ke-1",
        "100.000 × 12",
        "Slip EDC · 4×",
        "setor ke brankas",
        "INV/BDG/202611/00012",
        "Draf belum selesai",
    ):
        assert wanted in text, wanted


def test_an_x_report_before_the_count_tells_nothing_of_the_cash() -> None:
    text = text_of(money_papers(Language.ID)["x"])
    assert "tampil setelah dihitung" in text
    for hidden in ("Rp 1.687.000", "Rp 5.634.500", "Rp 1.887.000", "Rp 52.500"):
        assert hidden not in text, hidden
    told = running_shift(expected=Rupiah(1_887_000))
    paper = ShiftPaper(report=told, branch=BRANCH, counter="Kasir 1", printed_by="Maya", language=Language.ID)
    assert "Rp 1.687.000" in text_of(paper)


def test_copies_are_marked_and_are_files_of_their_own(tmp_path: Path) -> None:
    for paper in money_papers(Language.ID).values():
        first = write_money_paper(paper, tmp_path)
        second = write_money_paper(replace(paper, copy=2), tmp_path)
        assert first != second
        assert first.read_bytes().startswith(b"%PDF-")
        assert "SALINAN ke-2" in text_of(replace(paper, copy=2))
        assert "SALINAN" not in text_of(paper)


class Papers:
    """Counts as the branch does."""

    def __init__(self) -> None:
        self.prints: dict[str, tuple[MoneyPaper, str]] = {}

    def count_print(self, print_id: str, paper: MoneyPaper, subject_id: str) -> int:
        known = [name for name, what in self.prints.items() if what == (paper, subject_id)]
        if print_id in known:
            return known.index(print_id)
        self.prints[print_id] = (paper, subject_id)
        return len(known)


class Printer:
    """Says what it is told to say; keeps the titles it got."""

    def __init__(self) -> None:
        self.says = Sent.PRINTED
        self.titles: list[str] = []

    def send(self, pages: Pages) -> Sent:
        self.titles.append(pages.title)
        return self.says


@pytest.fixture
def ids() -> Iterator[str]:
    return (f"00000000-0000-4000-8000-{n:012}" for n in range(1, 999))


def printing(folder: Path, printer: Printer, ids: Iterator[str]) -> tuple[MoneyPrinting, list[object]]:
    model = MoneyPrinting(
        papers=Papers(),
        invoices=fake_settlement(),
        letterhead=lambda _language: "Jl. Contoh 12",
        new_id=lambda: next(ids),
        who=DEWI,
        counter="Kasir 1",
        folder=folder,
        printers=printer,
    )
    told: list[object] = []
    model.written.connect(told.append)
    model.sent.connect(lambda paper, sent: told.append(sent))
    model.unwritten.connect(told.append)
    return model, told


def copies(told: list[object]) -> list[int]:
    return [item.copy for item in told if isinstance(item, WrittenMoneyPaper)]


def test_a_jammed_printer_leaves_the_paper_written_and_counted_once(tmp_path: Path, ids: Iterator[str]) -> None:
    printer = Printer()
    printer.says = Sent.REFUSED
    model, told = printing(tmp_path, printer, ids)
    model.print_refund(a_refund())
    assert (copies(told), told[-1]) == ([0], Sent.REFUSED)
    model.print_refund(a_refund())
    assert copies(told) == [0, 1]


def test_a_full_disk_counts_no_second_copy(tmp_path: Path, ids: Iterator[str]) -> None:
    blocked = tmp_path / "documents"
    blocked.write_text("no folder")
    model, told = printing(blocked, Printer(), ids)
    model.print_refund(a_refund())
    assert len(told) == 1
    assert isinstance(told[0], str)
    blocked.unlink()
    model.print_refund(a_refund())
    assert copies(told) == [0], "the printing that was counted is the one that is written"


def test_an_x_report_is_never_a_copy_and_a_z_report_is_counted(tmp_path: Path, ids: Iterator[str]) -> None:
    model, told = printing(tmp_path, Printer(), ids)
    reports: list[ShiftReport] = [running_shift(), running_shift(), a_shift(), a_shift()]
    for report in reports:
        model.print_shift(report)
    assert copies(told) == [0, 0, 0, 1]
    model.print_shift(a_shift(), just_closed=True)
    model.print_shift(a_shift())
    assert copies(told)[-2:] == [0, 3], "a shift that was opened again and closed has a new original; all are counted"


def test_an_invoice_and_a_companys_bill_are_printed_in_the_language_of_the_screens(
    tmp_path: Path, ids: Iterator[str]
) -> None:
    use_language(Language.EN)
    printer = Printer()
    model, told = printing(tmp_path, printer, ids)
    model.print_invoice(BUDI)
    bill, debts = a_bill()
    model.print_collective(bill, "PT Contoh Maju", debts)
    assert [item.path.name for item in told if isinstance(item, WrittenMoneyPaper)] == [
        "FAKTUR-BK-10240-en.pdf",
        "TG-BDG-202611-00001-en.pdf",
    ]
    assert printer.titles == ["Invoice BK-10240", "Collective invoice TG/BDG/202611/00001"]


def test_a_jam_after_paying_leaves_the_receipt_written_and_is_told_as_a_jam(tmp_path: Path, ids: Iterator[str]) -> None:
    branch = fake_settlement()
    held = branch.open_invoice(BUDI)
    branch.settle(held.handle, next(ids), (Tender(kind=TenderKind.CASH, amount=Rupiah(1_497_500)),))
    printer = Printer()
    printer.says = Sent.REFUSED
    model = Printing(
        cast(Settlement, branch),
        BRANCH,
        "Kasir 1",
        tmp_path,
        papers=Papers(),
        new_id=lambda: next(ids),
        printers=printer,
    )
    told: list[object] = []
    model.written.connect(lambda path: told.append(path.name))
    model.copied.connect(lambda path, copy: told.append((path.name, copy)))
    model.sent.connect(lambda _path, sent: told.append(sent))
    model.write(BUDI)
    model.reprint(BUDI)
    assert told == [
        "INV-BDG-202611-00017.pdf",
        Sent.REFUSED,
        ("INV-BDG-202611-00017-SALINAN-1.pdf", 1),
        Sent.REFUSED,
    ]


def test_another_counters_printing_is_a_copy_although_this_pc_has_no_file(tmp_path: Path, ids: Iterator[str]) -> None:
    branch = fake_settlement()
    held = branch.open_invoice(BUDI)
    branch.settle(held.handle, next(ids), (Tender(kind=TenderKind.CASH, amount=Rupiah(1_497_500)),))
    papers, names = Papers(), []
    for counter in ("Kasir 1", "Kasir 2"):
        model = Printing(
            cast(Settlement, branch), BRANCH, counter, tmp_path / counter, papers=papers, new_id=lambda: next(ids)
        )
        model.written.connect(lambda path: names.append(path.name))
        model.copied.connect(lambda path, _copy: names.append(path.name))
        model.reprint(BUDI)
    assert names == ["INV-BDG-202611-00017.pdf", "INV-BDG-202611-00017-SALINAN-1.pdf"]


def test_the_invoice_in_front_is_printed_on_a4_by_its_key(qtbot: QtBot, tmp_path: Path, ids: Iterator[str]) -> None:
    desk = Counterfoil(tmp_path)
    qtbot.addWidget(desk.screen)
    model, told = printing(tmp_path / "documents", Printer(), ids)
    key = InvoicePaperKey(desk.screen, model, desk.shell)
    key.press()
    assert told == []
    assert desk.shell.toasts[-1].startswith("Pilih tagihan dulu")
    desk.screen.show()
    desk.screen.activate()
    desk.screen.open_invoice(BUDI)
    key.action.trigger()
    assert copies(told) == [0]
    assert desk.shell.toasts[-1] == "FAKTUR-BK-10240.pdf tersimpan"
    desk.screen.page.end()
