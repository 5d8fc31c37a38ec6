"""Finding things at the real counter: who has a unit on a day within ten keys, and a scanned unit that is promised."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screen import ScreenKey
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.theme import Theme, load_fonts, use_theme
from tests.desktop.scanned_keys import send_keys
from tests.journeys.test_grid import Clerk
from tests.support.world import AVANZA, AVANZAS, World, days

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)


@pytest.fixture(autouse=True)
def _same_start(qapp: QApplication) -> Iterator[None]:
    """Indonesian, the light theme, commands that run at once."""
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    yield
    use_runner(before)


def test_who_has_a_unit_on_a_day_is_seen_within_ten_keys_from_another_screen(world: World, tmp_path: Path) -> None:
    world.book(world.counter("ayu"), days("2027-03-12", "2027-03-14"), AVANZAS[1], name="Bagus Pratama")
    clerk = Clerk(world, "siti", tmp_path)
    try:
        clerk.go(ScreenKey.SHIFT)
        clerk.counted()
        clerk.press("F2")
        clerk.type("1201")
        clerk.press("Return", "Ctrl+G")
        clerk.type("13")
        clerk.press("Return")
        seen, _ = clerk.counted()
        assert clerk.calendar.grid.current_cell() == (AVANZAS[1], clerk.column(12))
        found = clerk.calendar.grid.current_span()
        assert found is not None
        assert found[1].bar is not None
        assert found[1].bar.customer_name == "Bagus Pratama"
        assert seen <= 10
    finally:
        clerk.close()


def test_a_booking_and_its_invoice_are_reached_by_the_number(world: World, tmp_path: Path) -> None:
    booked = world.book(world.counter("ayu"), days("2027-05-20"), name="Bagus Pratama")
    number = booked.bookings[0].number
    clerk = Clerk(world, "siti", tmp_path)
    try:
        clerk.press("F2")
        clerk.type(number.removeprefix("BK-"))
        clerk.press("Return")
        assert clerk.calendar.grid.current_cell() is not None
        assert number in clerk.calendar.pointing.preview.accessibleName()
        clerk.press("F2")
        clerk.type(number)
        clerk.session.finding.search.model.ask_now()
        clerk.press("Down", "Return")
        screen = clerk.session.window.current()
        assert isinstance(screen, InvoicesScreen)
        assert [row.id for row in screen.invoices.shown()] == [booked.invoice_id]
        assert not screen.is_settling(), "looking for an invoice takes no lock"
    finally:
        clerk.close()


def test_c05_a_scanner_cannot_give_a_promised_unit_to_another(world: World, tmp_path: Path) -> None:
    world.book(world.counter("ayu"), days("2027-03-02", "2027-03-03"), name="Bagus Pratama", phone="0813 0000 9999")
    world.after(minutes=5)
    clerk = Clerk(world, "siti", tmp_path)
    try:
        clerk.press("Ctrl+N")
        clerk.type("0812")
        walk_in = clerk.calendar.walk_in
        walk_in.set_sku("TOY-AVNZ-G")
        walk_in.set_days(5)
        send_keys(clerk.window.windowHandle(), f"u-{AVANZA}\n")
        clerk.settle()
        card = clerk.calendar.refusals.card
        assert card.isVisible()
        assert "Bagus Pratama" in card.accessibleName()
        assert walk_in.form.customer_text == "0812"
        assert walk_in.form.unit_id is None
        clerk.press("1")
        assert walk_in.form.unit_id in AVANZAS[1:]
    finally:
        clerk.close()
