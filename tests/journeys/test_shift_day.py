"""A cashier's day at the real counter: opened, paid, looked at, counted blind and closed, by keys alone."""

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
from app.desktop.screens.shift_desk_view import ShiftDeskScreen
from app.desktop.theme import Theme, load_fonts, use_theme
from tests.journeys.test_grid import Clerk
from tests.support.world import AVANZAS, World, days, password_of

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)

TOTAL = 850_000


@pytest.fixture(autouse=True)
def _same_start(qapp: QApplication) -> Iterator[None]:
    """Indonesian, the light theme, commands that run at once."""
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    yield
    use_runner(before)


def shift_screen(clerk: Clerk) -> ShiftDeskScreen:
    found = clerk.session.window.current()
    assert isinstance(found, ShiftDeskScreen)
    return found


def test_a_shift_is_opened_looked_at_counted_and_closed_by_keys_and_opened_again_by_a_manager(
    world: World, tmp_path: Path
) -> None:
    clerk = Clerk(world, "siti", tmp_path)
    siti = world.counter("siti", "Kasir 2")
    try:
        clerk.go(ScreenKey.SHIFT)
        clerk.counted()
        clerk.type("500rb")
        clerk.press("Return")
        opening, _ = clerk.counted()
        assert opening <= 10
        for n in range(2):
            world.settle(siti, world.book(siti, days(f"2027-03-{10 + n}"), AVANZAS[0]))

        clerk.go(ScreenKey.CALENDAR)
        clerk.press("Ctrl+Shift+X")
        report = dict(shift_screen(clerk).report.card.texts())
        assert report["Tunai · 2×"] == "tampil setelah dihitung"
        clerk.press("Escape")

        should = 500_000 + 2 * TOTAL
        clerk.counted()
        for many in "22", "0", "0", "0", "0", "0", "0", "0", "0", "0":
            clerk.type(many if many != "0" else "")
            clerk.press("Return")
        clerk.press("Ctrl+Return", "Ctrl+Return")
        closing, clicks = clerk.counted()
        assert (closing <= 35, clicks) == (True, 0)
        assert world.rows("SELECT counted, expected, closed_by IS NOT NULL FROM sentra.shift") == [
            (should, should, True)
        ]
        zed = dict(shift_screen(clerk).report.card.texts())
        assert (zed["Tunai · 2×"], zed["Selisih"]) == ("Rp\u00a01.700.000", "Rp\u00a00")
        assert len(list(tmp_path.rglob("SHIFT-Z-JKT-1-1*.pdf"))) == 2
        assert world.rows("SELECT kind, copy FROM sentra.printed_money") == [("SHIFT_REPORT", 0)]

        clerk.press("Escape")
        screen = shift_screen(clerk)
        screen.past.ask_again(screen.model.lines[0])
        clerk.type("lupa satu slip")
        clerk.press("Return")
        clerk.type("maya")
        clerk.press("Return")
        clerk.type(password_of("maya"))
        clerk.press("Return")
        assert world.value("SELECT count(*) FROM sentra.shift WHERE closed_at IS NULL AND round = 2") == 1
        assert screen.page.isVisible()
    finally:
        clerk.close()
    world.assert_sound()
