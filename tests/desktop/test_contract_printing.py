"""Printing contracts: counted once, written before a printer is asked, and no trouble of it touches the booking."""

import datetime as dt
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.commands import use_runner
from app.desktop.contract_printing import ContractPrinting
from app.desktop.documents.contract import Contract, contract_document, contract_running
from app.desktop.documents.pages import A4, page_pictures, print_pages
from app.desktop.printers import Pages, Sent
from app.desktop.screens.calendar_contract import ContractKey
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows_contracts import ContractFacts, Printed
from tests.desktop.calendar_desk import CONTROL, SHIFT, Desk
from tests.desktop.contract_samples import facts, long_terms, quotation
from tests.desktop.runners import HeldRunner


@dataclass(kw_only=True)
class FakeContracts:
    """One order's contract; printings by their ids, as the database counts them."""

    printings: dict[str, Printed] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    no: Refusal | None = None
    lose_answer: bool = False

    def contract(self, order_id: str, language: str) -> ContractFacts:
        self.asked.append(order_id)
        if self.no is not None:
            raise self.no
        return facts(language=language)

    def count_printing(self, facts: ContractFacts, printing_id: str) -> Printed:
        printed = self.printings.setdefault(printing_id, Printed(revision=0, copy=len(self.printings)))
        if self.lose_answer:
            self.lose_answer = False
            raise Refusal(RefusalCode.UNREACHABLE, field=None, next=(), outcome="unknown")
        return printed

    def letterhead(self, language: str) -> str:
        return f"Jl. Melati 7 ({language})"


@dataclass(kw_only=True)
class FakePrinter:
    answer: Sent = Sent.PRINTED
    titles: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def send(self, pages: Pages) -> Sent:
        self.titles.append(pages.title)
        self.texts.append(pages.document().toPlainText())
        return self.answer


@dataclass(kw_only=True)
class Told:
    """What a ContractPrinting said, in order."""

    written: list[str] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)
    refused: list[RefusalCode] = field(default_factory=list)


def printing(folder: Path, contracts: FakeContracts, printer: FakePrinter) -> tuple[ContractPrinting, Told]:
    made, told = (
        ContractPrinting(contracts, lambda: str(uuid.uuid4()), "Siti", "Kasir 1", folder / "documents", printer),
        Told(),
    )
    made.written.connect(lambda paper: told.written.append(paper.path.name))
    made.sent.connect(lambda _paper, how: told.sent.append(how))
    made.unwritten.connect(told.unwritten.append)
    made.refused.connect(lambda no: told.refused.append(no.code))
    return made, told


def test_the_original_and_then_its_copies_are_written_and_sent_to_the_printer(tmp_path: Path) -> None:
    printer = FakePrinter()
    made, told = printing(tmp_path, FakeContracts(), printer)
    for _ in range(3):
        made.print_contract("o-1")
    assert told.written == [
        "KONTRAK-BK-10240.pdf",
        "KONTRAK-BK-10240-SALINAN-1.pdf",
        "KONTRAK-BK-10240-SALINAN-2.pdf",
    ]
    assert told.sent == [Sent.PRINTED] * 3
    assert printer.titles == ["Kontrak sewa BK-10240"] * 3


def test_a_printing_whose_file_could_not_be_written_is_the_same_one_at_the_next_press(tmp_path: Path) -> None:
    (tmp_path / "documents").write_text("a file where the folder should be")
    contracts = FakeContracts()
    made, told = printing(tmp_path, contracts, FakePrinter())
    made.print_contract("o-1")
    assert (told.written, len(told.unwritten), told.refused) == ([], 1, [])
    (tmp_path / "documents").unlink()
    made.print_contract("o-1")
    assert told.written == ["KONTRAK-BK-10240.pdf"]
    assert len(contracts.printings) == 1


def test_a_lost_answer_of_the_count_is_found_by_its_id_and_counted_once(tmp_path: Path) -> None:
    contracts = FakeContracts(lose_answer=True)
    made, told = printing(tmp_path, contracts, FakePrinter())
    made.print_contract("o-1")
    assert told.refused == [RefusalCode.UNREACHABLE]
    made.print_contract("o-1")
    assert told.written == ["KONTRAK-BK-10240.pdf"]
    assert len(contracts.printings) == 1


def test_a_printer_that_does_not_answer_holds_up_no_further_file(tmp_path: Path) -> None:
    held = HeldRunner()
    before = use_runner(held)
    try:
        made, told = printing(tmp_path, FakeContracts(), FakePrinter())
        for presses in range(2):
            made.print_contract("o-1")
            while made.is_busy("print_contract"):
                if presses:
                    held.pass_over()  # the jammed printer's answer
                held.go_on()
        assert told.written == ["KONTRAK-BK-10240.pdf", "KONTRAK-BK-10240-SALINAN-1.pdf"]
        assert told.sent == [Sent.REFUSED], "the second was not sent, the first has no answer yet"
    finally:
        use_runner(before)


def test_a_quotation_is_written_anew_and_counted_nowhere(tmp_path: Path) -> None:
    contracts = FakeContracts()
    printer = FakePrinter(answer=Sent.NO_PRINTER)
    made, told = printing(tmp_path, contracts, printer)
    made.print_quotation(quotation())
    made.print_quotation(quotation())
    assert told.written == ["PENAWARAN-3F2A9C1E.pdf"] * 2
    assert (told.sent, contracts.printings) == ([Sent.NO_PRINTER] * 2, {})
    assert "Jl. Melati 7 (id)" in printer.texts[-1]


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    qtbot.addWidget(made.screen)
    yield made
    made.screen.shut()


def keyed(desk: Desk, folder: Path, contracts: FakeContracts, printer: FakePrinter) -> ContractKey:
    made, _ = printing(folder, contracts, printer)
    return ContractKey(desk.screen, made, desk.shell)


def booked_cell(desk: Desk) -> str:
    """Put the cursor on some booking of the grid; its id."""
    content = desk.screen.grid.content
    assert content is not None
    bar = next(bar for bar in desk.counter.branch.rows if bar.booking_id and bar.days.first in content.days)
    desk.screen.grid.go_to(bar.unit_id, content.days.index(bar.days.first))
    assert bar.booking_id is not None
    return bar.booking_id


def test_ctrl_p_prints_the_contract_of_the_booking_under_the_cursor(desk: Desk, tmp_path: Path) -> None:
    contracts = FakeContracts()
    keyed(desk, tmp_path, contracts, FakePrinter())
    wanted = booked_cell(desk)
    desk.screen.grid.setFocus()
    desk.press(Qt.Key.Key_P, CONTROL)
    assert contracts.asked == [wanted]
    assert desk.shell.toasts[-1] == "Kontrak tersimpan: KONTRAK-BK-10240.pdf"
    desk.press(Qt.Key.Key_P, CONTROL)
    assert desk.shell.toasts[-1] == "Kontrak tersimpan, SALINAN ke-1: KONTRAK-BK-10240-SALINAN-1.pdf"


def test_ctrl_shift_p_prints_it_in_the_other_language(desk: Desk, tmp_path: Path) -> None:
    keyed(desk, tmp_path, FakeContracts(), FakePrinter())
    booked_cell(desk)
    desk.screen.grid.setFocus()
    desk.press(Qt.Key.Key_P, CONTROL | SHIFT)
    assert desk.shell.toasts[-1] == "Kontrak tersimpan: KONTRAK-BK-10240-en.pdf"


def test_on_a_free_day_ctrl_p_says_what_to_choose(desk: Desk, tmp_path: Path) -> None:
    contracts = FakeContracts()
    key = keyed(desk, tmp_path, contracts, FakePrinter())
    desk.screen.grid.clearSelection()
    desk.screen.grid.setCurrentIndex(desk.screen.grid.model().index(-1, -1))
    key.press()
    assert contracts.asked == []
    assert desk.shell.toasts[-1].startswith("Pilih booking")


def test_a_price_of_other_days_is_not_printed_as_that_of_the_form(desk: Desk, tmp_path: Path) -> None:
    contracts, printer = FakeContracts(), FakePrinter()
    key = keyed(desk, tmp_path, contracts, printer)
    booked_cell(desk)
    unit = desk.counter.branch.units[0]
    desk.walk_in.propose(unit, dt.date(2027, 2, 1), dt.date(2027, 2, 3))
    desk.screen.drawer.open_panel()
    desk.wait_for_price()
    desk.walk_in.set_days(5)
    key.press()
    assert not [text for text in printer.texts if "PENAWARAN" in text]


def test_a_form_without_a_price_says_what_its_quotation_lacks_and_prints_nobody_elses_contract(
    desk: Desk, tmp_path: Path
) -> None:
    contracts = FakeContracts()
    key = keyed(desk, tmp_path, contracts, FakePrinter())
    booked_cell(desk)
    assert key.wanted(), "there is somebody's bar under the cursor"
    desk.shortcut("F3")
    key.press()
    assert "perlu barang dan tanggal" in desk.shell.toasts[-1]
    desk.walk_in.set_sku("TOY-AVNZ-G")
    desk.walk_in._quote_wait.stop()
    desk.walk_in.set_online(False)
    key.press()
    assert "koneksi terputus" in desk.shell.toasts[-1]
    desk.walk_in.set_online(True)
    key.press()
    assert "sedang dihitung" in desk.shell.toasts[-1]
    assert contracts.asked == []
    assert not (tmp_path / "documents").exists()
    key.press()
    assert len(list((tmp_path / "documents").iterdir())) == 1


def test_from_a_form_that_has_a_price_ctrl_p_prints_its_quotation(desk: Desk, tmp_path: Path) -> None:
    contracts, printer = FakeContracts(), FakePrinter()
    key = keyed(desk, tmp_path, contracts, printer)
    booked_cell(desk)
    unit = desk.counter.branch.units[0]
    desk.walk_in.propose(unit, dt.date(2027, 2, 1), dt.date(2027, 2, 3))
    desk.screen.drawer.open_panel()
    desk.wait_for_price()
    QApplication.processEvents()
    key.press()
    assert contracts.asked == []
    assert desk.shell.toasts[-1].startswith("Penawaran tersimpan: PENAWARAN-")
    text = printer.texts[-1].replace("\u00a0", " ")
    assert f"{unit.sku.name} {unit.unit.plate}" in text
    assert "Sen 1 Feb 2027" in text
    assert "Berlaku sampai Kamis, 3 Desember 2026, 20.00 WIB" in text
    desk.screen.grid.setFocus()
    key.press()
    assert len(contracts.asked) == 1, "on the grid it is the booking under the cursor again"


def test_a_discount_that_nobody_agreed_to_is_on_no_quotation(desk: Desk, tmp_path: Path) -> None:
    contracts, printer = FakeContracts(), FakePrinter()
    key = keyed(desk, tmp_path, contracts, printer)
    desk.walk_in.discount_limit = 10
    desk.walk_in.propose(desk.counter.branch.units[0], dt.date(2027, 2, 1), dt.date(2027, 2, 3))
    desk.screen.drawer.open_panel()
    desk.walk_in.type_discount("25")
    desk.wait_for_price()
    QApplication.processEvents()
    key.press()
    assert desk.shell.toasts[-1].startswith("Penawaran dengan diskon di atas 10 % perlu kata manajer dulu")
    assert printer.texts == []
    desk.walk_in.type_discount("10")
    desk.wait_for_price()
    QApplication.processEvents()
    key.press()
    assert desk.shell.toasts[-1].startswith("Penawaran tersimpan")


def test_a_jam_and_a_full_disk_say_that_the_booking_is_safe(desk: Desk, tmp_path: Path) -> None:
    key = keyed(desk, tmp_path, FakeContracts(), FakePrinter(answer=Sent.REFUSED))
    booked_cell(desk)
    key.press()
    assert "Booking aman" in desk.shell.toasts[-1]
    (tmp_path / "documents" / "KONTRAK-BK-10240.pdf").unlink()
    (tmp_path / "documents").rmdir()
    (tmp_path / "documents").write_text("")
    key.press()
    assert "Booking aman" in desk.shell.toasts[-1]
    assert "Ctrl+P" in desk.shell.toasts[-1]


def test_an_order_without_contract_is_refused_in_words(desk: Desk, tmp_path: Path) -> None:
    no = Refusal(RefusalCode.NOT_FOUND, field="order_id", next=(), order_id="o")
    key = keyed(desk, tmp_path, FakeContracts(no=no), FakePrinter())
    booked_cell(desk)
    key.press()
    assert desk.shell.toasts[-1]
    assert not (tmp_path / "documents").exists()


def test_a_printer_takes_every_page(qtbot: QtBot, tmp_path: Path) -> None:
    """A real printer of Qt that prints into a file."""
    contract = Contract(
        facts=replace(facts(5), terms=long_terms()),
        printed=Printed(revision=0, copy=0),
        printed_by="Siti",
        counter="Kasir 1",
    )
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    assert print_pages(lambda: contract_document(contract), A4, contract_running(contract), printer)
    told = re.search(rb"/Count (\d+)", (tmp_path / "printed.pdf").read_bytes())
    pages = list(page_pictures(contract_document(contract), A4, contract_running(contract), 30))
    assert told is not None
    assert int(told[1]) == len(pages) >= 4
