"""The till over real servers by keys alone: a card, a payment in parts, and a QRIS that is paid without a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screen import ScreenKey
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.settlement_phase import Phase
from app.desktop.theme import Theme, load_fonts, use_theme
from app.domain.money import Rupiah
from tests.journeys.test_grid import Clerk
from tests.support.gateway import gateway_of
from tests.support.world import AVANZA, AVANZAS, World, days

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)

TEN = days("2027-03-10", "2027-03-12")


@pytest.fixture
def clerk(world: World, tmp_path: Path, qapp: QApplication) -> Iterator[Callable[[], Clerk]]:
    """Opens a window of Siti, agent and cashier, with her shift; commands run at once."""
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    opened: list[Clerk] = []

    def make() -> Clerk:
        siti = Clerk(world, "siti", tmp_path / "siti")
        opened.append(siti)
        if siti.counter.shifts.current_shift() is None:
            siti.counter.shifts.open_shift("Laci siti", Rupiah(500_000))
        return siti

    yield make
    for each in opened:
        each.close()
    use_runner(before)


def till(clerk: Clerk, invoice_id: str) -> InvoicesScreen:
    """The invoice is open, under its lock."""
    clerk.session.window.go(ScreenKey.INVOICES, invoice_id)
    screen = clerk.session.window._screens[ScreenKey.INVOICES]
    assert isinstance(screen, InvoicesScreen)
    clerk.wait_until(lambda: screen.settlement.phase is Phase.OPEN, "the lock")
    clerk.counted()
    return screen


def tenders(world: World, invoice_id: str) -> list[tuple[object, ...]]:
    return world.rows(
        "SELECT t.kind, t.amount, t.bank, t.last4, t.approval_code FROM sentra.tender t"
        " JOIN sentra.payment p ON p.id = t.payment_id WHERE p.invoice_id = %s ORDER BY t.kind",
        invoice_id,
    )


def test_a_card_and_a_payment_in_parts_are_recorded_as_typed(world: World, clerk: Callable[[], Clerk]) -> None:
    siti = clerk()
    by_card = world.book(siti.counter, TEN, AVANZA)
    in_parts = world.book(siti.counter, TEN, AVANZAS[1], phone="0812 0000 5678", name="Budi Santoso")

    screen = till(siti, by_card.invoice_id)
    siti.press("Alt+2")
    siti.type("0012")
    siti.type("482913")
    siti.press("Return")
    assert screen.settlement.phase is Phase.PAID
    assert siti.counted() == (12, 0)
    assert tenders(world, by_card.invoice_id) == [("EDC", by_card.total, "BCA", "0012", "482913")]

    siti.wait(800)
    screen = till(siti, in_parts.invoice_id)
    siti.type("500rb")
    siti.press("Ctrl+B", "Alt+2")
    siti.type("0077")
    siti.type("110077")
    siti.press("F9")
    assert screen.settlement.phase is Phase.PAID
    assert tenders(world, in_parts.invoice_id) == [
        ("CASH", 500_000, None, None, None),
        ("EDC", in_parts.total - 500_000, "BCA", "0077", "110077"),
    ]
    assert list((siti.session._folder / "drafts").glob("settlement-*")) == [], "nothing is left to record"
    world.assert_sound()


def test_a_qris_is_shown_by_one_key_and_paid_by_none_under_the_cashiers_lock(
    world: World, clerk: Callable[[], Clerk], tmp_path: Path
) -> None:
    with gateway_of(world, tmp_path) as rig:
        siti = clerk()
        booked = world.book(siti.counter, TEN)
        screen = till(siti, booked.invoice_id)
        siti.press("Alt+3")
        rig.desk.work_now()
        panel = screen.page.pay_card.code_panel
        siti.wait_until(lambda: "SIMULASI" in panel.code.text(), "the code")
        assert panel.isVisible()
        attempt = screen.settlement.attempt
        assert attempt is not None
        rig.book.move(attempt.order_id, "settlement")
        world.after(seconds=25)
        rig.desk.pass_once()
        siti.wait_until(lambda: screen.settlement.phase is Phase.PAID, "it is paid by itself")
        assert siti.counted() == (1, 0)
        assert tenders(world, booked.invoice_id) == [("QRIS", booked.total, None, None, None)]
        rig.catch_up()
        world.assert_sound()
