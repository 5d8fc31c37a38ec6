"""Real servers, keys alone: a paid booking cancelled, a no-show recorded, an unpaid one held longer in place."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.theme import Theme, load_fonts, use_theme
from tests.journeys.test_grid import Clerk, where
from tests.support.world import AVANZA, AVANZAS, START, World, days, password_of
from tests.usecases.change_rig import DEPOSIT, RATE, paid

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)


@pytest.fixture
def clerk(world: World, tmp_path: Path, qapp: QApplication) -> Iterator[Callable[[], Clerk]]:
    """Opens a window of Siti, agent and cashier; commands run at once."""
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    opened: list[Clerk] = []

    def make() -> Clerk:
        opened.append(Clerk(world, "siti", tmp_path))
        return opened[-1]

    yield make
    for each in opened:
        each.close()
    use_runner(before)


def test_bookings_end_and_wait_longer_by_keys_alone(world: World, clerk: Callable[[], Clerk]) -> None:
    cancelled = paid(world, days("2027-03-03", "2027-03-05"), AVANZAS[1])
    late = paid(world, days("2027-03-01", "2027-03-02"), AVANZA, phone="0812 5555 6666", name="Sri Wahyuni")
    unpaid = world.book(
        world.counter("siti", "Kasir 9"), days("2027-03-08"), AVANZAS[2], phone="0812 7777 8888", name="Hadi"
    )
    waiting = unpaid.bookings[0].id
    siti = clerk()
    ends = siti.calendar.hands.ends

    siti.stand_on(AVANZAS[2], 7)
    siti.counted()
    siti.press("Ctrl+H")
    siti.type("3")
    siti.press("Return")
    siti.type("transfer")
    siti.press("Return", "Return")
    assert siti.counted() == (len("3transfer") + 4, 0)
    siti.type("maya")
    siti.press("Return")
    siti.type(password_of("maya"))
    siti.press("Return")
    assert world.value("SELECT payment_deadline FROM sentra.booking WHERE id = %s", waiting) == (
        world.now() + dt.timedelta(hours=3)
    )
    assert world.rows("SELECT approved_by, used_by IS NOT NULL FROM sentra.approval") == [
        (f"{world.database.prefix}_maya", True)
    ]

    siti.stand_on(AVANZAS[1], 3)
    siti.counted()
    siti.press("Delete")
    assert ends.paid.rows()[1][1].endswith("525.000"), "the ladder's half: 47 hours before pick-up"
    siti.type("sakit")
    siti.press("Return", "Return")
    assert siti.counted() == (len("sakit") + 3, 0)
    assert where(world, cancelled)[3] == "CANCELLED"

    siti.stand_on(AVANZA, 0)
    siti.press("Shift+Delete")
    assert not ends.paid.isVisible(), "two hours have not passed"
    world.stand(START + dt.timedelta(hours=2))
    siti.calendar.model.clock.learn(world.now(), siti.calendar.model.clock.steady())
    siti.press("Shift+Delete")
    siti.type("tidak datang")
    siti.press("Return", "Return")
    assert where(world, late)[3] == "CANCELLED"
    assert world.rows(
        "SELECT r.kind, r.amount, b.last_action FROM sentra.refund r JOIN sentra.booking b ON b.id = r.booking_id"
        " ORDER BY b.last_action, r.kind"
    ) == [
        ("DEPOSIT", DEPOSIT, "cancel_paid"),
        ("RENT", 3 * RATE // 2, "cancel_paid"),
        ("DEPOSIT", DEPOSIT, "no_show"),
        ("RENT", RATE, "no_show"),
    ]
    world.catch_up()
    world.assert_sound()
