"""A walk-in through the real counter, from F3 to a paid booking, within its budget of keys and without the pointer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screens.walk_in_form import Stage
from app.desktop.theme import Theme, load_fonts, use_theme
from tests.journeys.test_grid import Clerk
from tests.support.world import AVANZA, World, days, password_of

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)

PAID = "SELECT b.state, i.state FROM sentra.booking AS b JOIN sentra.invoice AS i USING (order_id) WHERE b.id = %s"


@pytest.fixture(autouse=True)
def _same_start(qapp: QApplication) -> Iterator[None]:
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    yield
    use_runner(before)


@pytest.fixture
def open_clerk(world: World, tmp_path: Path) -> Iterator[Callable[[], Clerk]]:
    opened: list[Clerk] = []

    def make() -> Clerk:
        clerk = Clerk(world, "siti", tmp_path, "Kasir 1")
        opened.append(clerk)
        return clerk

    yield make
    for clerk in opened:
        clerk.close()


def held(clerk: Clerk) -> str:
    walk_in = clerk.calendar.walk_in
    assert walk_in.stage is Stage.HELD, clerk.calendar.panel.form.message.text()
    assert walk_in.hold is not None
    return walk_in.hold.booking_id


def pay_cash(clerk: Clerk) -> None:
    """On to the settlement, the exact amount, paid."""
    clerk.press("F9")
    clerk.wait(300)
    clerk.press("+", "F9")
    clerk.wait(300)


def test_a_known_customer_is_booked_and_paid_within_30_keys_and_no_click(
    world: World, open_clerk: Callable[[], Clerk]
) -> None:
    other = world.counter("siti", "Kasir 9")
    world.book(other, days("2027-03-20", "2027-03-21"), AVANZA, name="Budi Santoso", phone="081234567890")
    world.open_shift(world.counter("siti", "Kasir 1"))
    clerk = open_clerk()
    clerk.counted()
    clerk.press("F3")
    clerk.type("081234567890")
    clerk.wait(350)
    clerk.press("Return")
    clerk.type("ava")
    clerk.press("Return", "Return")
    clerk.type("3")
    clerk.wait(250)
    clerk.press("Return", "Return")
    booking_id = held(clerk)
    pay_cash(clerk)
    keys, clicks = clerk.counted()
    assert world.rows(PAID, booking_id) == [("PAID_APPROVED", "PAID")]
    assert keys <= 30
    assert clicks == 0
    world.assert_sound()


def test_a_new_customer_with_papers_is_booked_and_paid_within_75_keys(
    world: World, open_clerk: Callable[[], Clerk]
) -> None:
    service = world.service()
    service.identity.publish()
    world.open_shift(world.counter("siti", "Kasir 1"))
    clerk = open_clerk()
    clerk.counted()
    clerk.press("F3")
    clerk.type("081399991234")
    clerk.wait(350)
    clerk.press("Return")
    clerk.type("Wahyu Adi")
    clerk.press("Return")
    clerk.type("3275013012900012")
    clerk.press("Return")
    clerk.type("30/11/28")
    clerk.press("Return")
    clerk.type("ava")
    clerk.press("Return", "Return")
    clerk.type("3")
    clerk.wait(250)
    clerk.press("Return", "Return")
    booking_id = held(clerk)
    pay_cash(clerk)
    keys, clicks = clerk.counted()
    assert world.rows(PAID, booking_id) == [("PAID_APPROVED", "PAID")]
    assert (keys <= 75, clicks) == (True, 0)
    assert world.rows("SELECT name, licence_class, licence_expires_on::text FROM sentra.customer") == [
        ("Wahyu Adi", "A", "2028-11-30")
    ]
    world.assert_sound()


def test_a_blocked_customer_is_booked_once_a_manager_gave_their_word_beside_the_form(
    world: World, open_clerk: Callable[[], Clerk]
) -> None:
    other = world.counter("siti", "Kasir 9")
    world.book(other, days("2027-03-20", "2027-03-21"), AVANZA, name="Budi Santoso", phone="081234567890")
    world.do("UPDATE sentra.customer SET blacklist_code = '07'")
    bookings = world.value("SELECT count(*) FROM sentra.booking")
    clerk = open_clerk()
    clerk.press("F3")
    clerk.type("081234567890")
    clerk.wait(350)
    clerk.press("Return")
    clerk.type("ava")
    clerk.press("Return", "Return")
    clerk.type("3")
    clerk.wait(250)
    clerk.press("F9")
    typed, panel = clerk.calendar.walk_in.form, clerk.calendar.panel
    assert panel.approval.accessibleName() == "Perlu persetujuan manajer (kode 07)."
    assert world.value("SELECT count(*) FROM sentra.booking") == bookings
    clerk.press("Escape")
    assert panel.form.isVisible()
    assert replace(clerk.calendar.walk_in.form, was_sent=typed.was_sent) == typed
    clerk.press("F9")
    for text in ("maya", password_of("maya"), "sudah bicara"):
        clerk.type(text)
        clerk.press("Return")
    booking_id = held(clerk)
    assert world.rows(
        "SELECT a.action, a.object = concat_ws(':', b.order_id, b.customer_id, '07'), a.used_at IS NOT NULL"
        " FROM sentra.approval AS a"
        " JOIN sentra.booking AS b ON b.order_id::text = split_part(a.object, ':', 1) WHERE b.id = %s",
        booking_id,
    ) == [("blocked_customer", True, True)]
    world.assert_sound()


def test_hours_typed_in_the_drawer_are_those_of_the_booking_and_of_its_price(
    world: World, open_clerk: Callable[[], Clerk]
) -> None:
    world.do("UPDATE sentra.branch SET counts_hours = true")
    clerk = open_clerk()
    clerk.press("F3")
    clerk.type("081399991234")
    clerk.wait(350)
    clerk.press("Return")
    clerk.type("Wahyu Adi")
    clerk.press("Return", "Return", "Return")
    clerk.type("ava")
    clerk.press("Return", "Return")
    clerk.type("2")
    clerk.press("Tab")
    clerk.type("0900")
    clerk.press("Return")
    clerk.type("18.00")
    clerk.press("Return")
    clerk.wait(250)
    shown = clerk.calendar.walk_in.quote
    clerk.press("Return")
    booking_id = held(clerk)
    assert world.rows(
        "SELECT to_char(b.pickup_at AT TIME ZONE br.zone, 'HH24:MI'),"
        " to_char(b.due_at AT TIME ZONE br.zone, 'HH24:MI'), b.last_day - b.first_day, b.day_offset, b.counts_hours"
        " FROM sentra.booking AS b JOIN sentra.branch AS br ON br.id = b.branch_id WHERE b.id = %s",
        booking_id,
    ) == [("09:00", "18:00", 2, 0, True)]
    assert shown is not None
    assert shown.days == (3,), "nine hours more than two days"
    assert world.value("SELECT total FROM sentra.invoice") == shown.total
    world.assert_sound()
