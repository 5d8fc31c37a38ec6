"""A contract from a real branch to paper: booked, printed, moved, printed again, by two people."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.desktop.contract_printing import WrittenPaper, contract_printing
from app.desktop.printers import Pages, Sent
from app.usecases.rows_contracts import Printed
from tests.support.world import AVANZAS, World, days, line

pytest_plugins = ("tests.support.world_fixtures",)


class Desk:
    """Keeps what was printed on it."""

    def __init__(self) -> None:
        self.papers: list[WrittenPaper] = []
        self.texts: list[str] = []

    def send(self, pages: Pages) -> Sent:
        self.texts.append(pages.document().toPlainText().replace("\u00a0", " "))
        return Sent.PRINTED


def test_a_contract_is_printed_copied_and_made_anew_after_a_change(
    world: World, tmp_path: Path, qapp: QApplication
) -> None:
    siti, maya, desk = world.counter("siti"), world.counter("maya"), Desk()
    maya.contracts.set_letterhead("Jl. Melati 7, Jakarta")
    order = world.order(siti, [line(days("2027-03-10", "2027-03-12"), unit) for unit in AVANZAS[:2]])
    printings = [contract_printing(who, tmp_path, desk) for who in (siti, maya)]
    for printing in printings:
        printing.written.connect(desk.papers.append)
        printing.print_contract(order.bookings[1].id, "id")
    siti.changes_of_bookings.reschedule(order.bookings[0].id, days("2027-03-11", "2027-03-14"))
    printings[0].print_contract(order.order_id, "id")

    assert [paper.printed for paper in desk.papers] == [
        Printed(revision=0, copy=0),
        Printed(revision=0, copy=1),
        Printed(revision=1, copy=0),
    ]
    first, copy, changed = desk.texts
    number = order.bookings[0].number
    assert [paper.path.name for paper in desk.papers] == [
        f"KONTRAK-{number}.pdf",
        f"KONTRAK-{number}-SALINAN-1.pdf",
        f"KONTRAK-{number}-PERUBAHAN-1.pdf",
    ]
    assert "Rab 10 Mar 2027" in first
    assert "Jl. Melati 7, Jakarta" in first
    assert "Sewa 3 hari × Rp 350.000" in first
    assert "SALINAN ke-1" in copy
    assert "Perubahan ke-1" in changed
    assert "Sewa 4 hari × Rp 350.000" in changed
    assert all(paper.path.read_bytes().startswith(b"%PDF-") for paper in desk.papers)
