"""The grid over real servers: a day's work by keys alone, the same with drags, and two counters side by side."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.adapters.postgres.owner_steps import move_booking
from app.desktop.commands import InlineRunner, use_runner
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_cancel import CancelDialog
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.theme import Theme, load_fonts, use_theme
from app.domain.booking import Action
from app.domain.days import Days
from app.usecases.rows import BookedOrder
from tests.screenshots.actor import Actor
from tests.support.world import AVANZA, AVANZAS, World, days

pytest_plugins = ("tests.support.world_fixtures",)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)

TODAY = dt.date(2027, 3, 1)


@pytest.fixture(autouse=True)
def _same_start(qapp: QApplication) -> Iterator[None]:
    """Indonesian, the light theme, commands that run at once."""
    load_fonts()
    use_theme(Theme.light(), qapp)
    use_language(Language.ID)
    before = use_runner(InlineRunner())
    yield
    use_runner(before)


class Clerk(Actor):
    """A person at a counter whose keys and drags are counted."""

    def __init__(self, world: World, login: str, folder: Path, name: str = "Kasir 1") -> None:
        self.keys = 0
        self.drags = 0
        super().__init__(world.counter(login, name), folder, (1366, 704))
        self.wait_until(lambda: self.calendar.model.content is not None, "the grid")

    @property
    def calendar(self) -> CalendarScreen:
        screen = self.session.window._screens[ScreenKey.CALENDAR]
        assert isinstance(screen, CalendarScreen)
        return screen

    def press(self, *keys: str) -> None:
        self.keys += len(keys)
        super().press(*keys)

    def type(self, text: str) -> None:
        self.keys += len(text)
        super().type(text)

    def counted(self) -> tuple[int, int]:
        """Keys and drags since the last call."""
        found, self.keys, self.drags = (self.keys, self.drags), 0, 0
        return found

    def column(self, day: int) -> int:
        content = self.calendar.grid.content
        assert content is not None
        column = content.column_of(TODAY + dt.timedelta(days=day))
        assert column is not None
        return column

    def stand_on(self, unit: str, day: int) -> None:
        """By arrows: down the rows, then along the days."""
        grid = self.calendar.grid
        self.press("T")
        target = grid.grid_model().row_of_unit(unit)
        assert target is not None
        rows = target - grid.currentIndex().row()
        self.press(*["Down" if rows > 0 else "Up"] * abs(rows), *["Right" if day > 0 else "Left"] * abs(day))
        assert grid.current_cell() == (unit, self.column(day))

    def point(self, unit: str, day: int) -> QPoint:
        return self.calendar.grid.cell_rect(unit, self.column(day), self.column(day)).center()

    def drag(self, start: QPoint, goal: QPoint) -> None:
        """Press, go there cell by cell, release."""
        self.drags += 1
        viewport = self.calendar.grid.viewport()
        steps = max(2, (goal - start).manhattanLength() // 20)
        path = [start + (goal - start) * step / steps for step in range(1, steps + 1)]
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        self._mouse(viewport, QEvent.Type.MouseButtonPress, start, left, left)
        for at in path:
            self._mouse(viewport, QEvent.Type.MouseMove, at, none, left)
        self.settle()
        self._mouse(viewport, QEvent.Type.MouseButtonRelease, goal, left, none)
        self.settle()

    def _mouse(
        self, viewport: object, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Qt.MouseButton
    ) -> None:
        grid = self.calendar.grid
        where = QPointF(grid.viewport().mapToGlobal(at))
        event = QMouseEvent(kind, QPointF(at), where, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(grid.viewport(), event)

    def choose_in_menu(self, at: QPoint, name: str) -> None:
        """The right button, then a press on one line of what opens."""
        viewport = self.calendar.grid.viewport()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, viewport.mapToGlobal(at))
        QApplication.sendEvent(viewport, event)
        (line,) = [row for row in self.calendar.hands.menu.rows if row.line.name == name]
        QTest.mouseClick(line, Qt.MouseButton.LeftButton)
        self.settle()

    def edge(self, unit: str, day: int) -> QPoint:
        """The right end of a bar that ends on a day."""
        return self.point(unit, day) + QPoint(self.calendar.grid.columnWidth(0) // 2 - 4, 0)


@pytest.fixture
def open_clerk(world: World, tmp_path: Path) -> Iterator[Callable[..., Clerk]]:
    """Opens windows; they close with the test."""
    opened: list[Clerk] = []

    def make(login: str = "siti", name: str = "Kasir 1") -> Clerk:
        clerk = Clerk(world, login, tmp_path / name.replace(" ", ""), name)
        opened.append(clerk)
        return clerk

    yield make
    for clerk in opened:
        clerk.close()


def rented_out(world: World, first: int, last: int, unit: str = AVANZA) -> BookedOrder:
    """A paid booking whose customer has the unit."""
    agent = world.counter("siti", "Kasir 9")
    world.open_shift(agent)
    start = TODAY + dt.timedelta(days=first)
    booked = world.book(agent, days(str(start), str(TODAY + dt.timedelta(days=last))), unit)
    world.settle(agent, booked)
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        move_booking(world.database.owner_url, booked.bookings[0].id, action)
    return booked


def where(world: World, booking_id: str) -> tuple[object, ...]:
    (found,) = world.rows("SELECT unit_id, first_day, last_day, state FROM sentra.booking WHERE id = %s", booking_id)
    return found


def day(number: int) -> dt.date:
    return TODAY + dt.timedelta(days=number)


def fill_customer(clerk: Clerk, name: str, phone: str) -> None:
    """The drawer's first two fields, as a clerk types them."""
    clerk.type(phone)
    clerk.wait(350)
    clerk.press("Return")
    clerk.type(name)
    clerk.press("Return")


def newest_booking(world: World) -> str:
    return str(world.value("SELECT id FROM sentra.booking ORDER BY created_at DESC, number DESC LIMIT 1"))


def test_by_keys_alone_a_clerk_books_extends_moves_blocks_and_cancels(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    out = rented_out(world, 0, 2).bookings[0].id
    clerk = open_clerk()

    clerk.stand_on(AVANZAS[1], 3)
    clerk.press("Shift+Right", "Shift+Right", "Return")
    fill_customer(clerk, "Dian Lestari", "081211112222")
    clerk.press("F9")
    booked = newest_booking(world)
    assert where(world, booked) == (AVANZAS[1], day(3), day(5), "PENDING_PAYMENT")
    clerk.press("Escape")

    clerk.stand_on(AVANZA, 1)
    clerk.counted()
    clerk.press("X", "Right", "Right", "Return")
    assert where(world, out) == (AVANZA, day(0), day(2), "EXTENSION_PENDING")
    clerk.press("F9")
    clerk.wait_until(lambda: clerk.session.window.current_key() is ScreenKey.INVOICES, "the settlement")
    clerk.wait(100)
    clerk.press("+", "F9")
    clerk.wait_until(lambda: where(world, out)[3] == "ACTIVE_RENTAL", "the extension is paid")
    assert where(world, out) == (AVANZA, day(0), day(4), "ACTIVE_RENTAL")
    assert clerk.counted() == (7, 0)
    clerk.press("Escape")
    clerk.go(ScreenKey.CALENDAR)

    clerk.stand_on(AVANZAS[1], 4)
    clerk.counted()
    clerk.press("P", "Down", "Right", "Right", "Return")
    assert clerk.counted() == (5, 0)
    assert where(world, booked) == (AVANZAS[2], day(5), day(7), "PENDING_PAYMENT")

    clerk.stand_on(AVANZAS[1], 10)
    clerk.press("Shift+Right", "Shift+Right")
    clerk.counted()
    clerk.press("M", "Return")
    assert clerk.counted() == (2, 0)
    assert world.rows("SELECT unit_id, days, reason FROM sentra.maintenance")[0][2] == "Servis"

    clerk.stand_on(AVANZAS[2], 6)
    clerk.press("Delete")
    clerk.type("tidak jadi")
    clerk.press("Return", "Return")
    assert where(world, booked)[3] == "CANCELLED"
    assert clerk.drags == 0
    world.assert_sound()


def test_with_drags_a_clerk_books_extends_moves_blocks_and_cancels_and_undoes_it(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    out = rented_out(world, 0, 2).bookings[0].id
    known = world.counter("siti", "Kasir 8")
    world.book(known, days("2027-03-24"), AVANZAS[2], phone="0812 7777 8888", name="Budi Santoso")
    clerk = open_clerk()

    clerk.drag(clerk.point(AVANZAS[1], 3), clerk.point(AVANZAS[1], 5))
    clerk.counted()
    clerk.type("0812777")
    clerk.wait(350)
    clerk.press("Return", "F9")
    keys, _ = clerk.counted()
    assert keys <= 17
    booked = newest_booking(world)
    assert where(world, booked) == (AVANZAS[1], day(3), day(5), "PENDING_PAYMENT")
    clerk.press("Escape")
    clerk.counted()

    clerk.drag(clerk.edge(AVANZA, 2), clerk.point(AVANZA, 4))
    assert clerk.counted() == (0, 1)
    assert where(world, out) == (AVANZA, day(0), day(2), "EXTENSION_PENDING")
    clerk.press("Ctrl+Z")
    assert where(world, out) == (AVANZA, day(0), day(2), "ACTIVE_RENTAL")

    clerk.counted()
    clerk.drag(clerk.edge(AVANZA, 2), clerk.point(AVANZA, 4))
    clerk.press("F9")
    clerk.wait_until(lambda: clerk.session.window.current_key() is ScreenKey.INVOICES, "the settlement")
    clerk.wait(100)
    clerk.press("+", "F9")
    clerk.wait_until(lambda: where(world, out)[3] == "ACTIVE_RENTAL", "the extension is paid")
    assert where(world, out) == (AVANZA, day(0), day(4), "ACTIVE_RENTAL")
    assert clerk.counted() == (3, 1)
    clerk.press("Escape")
    clerk.go(ScreenKey.CALENDAR)

    clerk.drag(clerk.point(AVANZAS[1], 4), clerk.point(AVANZAS[2], 6))
    assert where(world, booked) == (AVANZAS[2], day(5), day(7), "PENDING_PAYMENT")
    clerk.press("Ctrl+Z")
    assert where(world, booked) == (AVANZAS[1], day(3), day(5), "PENDING_PAYMENT")

    clerk.calendar.grid.setFocus()
    clerk.counted()
    clerk.press("M")
    clerk.drag(clerk.point(AVANZAS[1], 10), clerk.point(AVANZAS[1], 12))
    clerk.press("Return")
    assert clerk.counted() == (2, 1)
    assert world.value("SELECT count(*) FROM sentra.maintenance WHERE state = 'SCHEDULED'") == 1
    clerk.press("Ctrl+Z")
    assert world.value("SELECT count(*) FROM sentra.maintenance WHERE state = 'SCHEDULED'") == 0

    clerk.choose_in_menu(clerk.point(AVANZAS[1], 4), "cancel")
    dialog = clerk.calendar.findChild(CancelDialog)
    assert dialog is not None
    dialog.reason.edit.insert("tidak jadi")
    dialog.reason.typed.emit(dialog.reason.text())
    QTest.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    assert where(world, booked)[3] == "CANCELLED"
    world.assert_sound()


def test_c14_and_c21_a_refused_move_frees_nothing_and_a_done_one_frees_its_old_days(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    agent = world.counter("siti", "Kasir 9")
    mine = world.book(agent, days("2027-03-02", "2027-03-03")).bookings[0].id
    world.book(agent, days("2027-03-05"), phone="0812 3333 4444")
    clerk = open_clerk()
    clerk.drag(clerk.point(AVANZA, 1), clerk.point(AVANZA, 3))
    assert where(world, mine) == (AVANZA, day(1), day(2), "PENDING_PAYMENT")
    facts = clerk.calendar.refusals.facts
    assert facts is not None
    assert "Tidak bisa diubah ke" in facts.title
    assert world.bits(AVANZA, "202703") == [2, 3, 5]
    clerk.press("Escape")
    clerk.drag(clerk.point(AVANZA, 1), clerk.point(AVANZA, 11))
    assert where(world, mine) == (AVANZA, day(11), day(12), "PENDING_PAYMENT")
    assert world.bits(AVANZA, "202703") == [5, 12, 13]
    world.book(agent, days("2027-03-02"), phone="0812 5555 6666")
    world.assert_sound()


def test_w_and_enter_after_a_refusal_put_the_customer_on_the_waitlist(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    clerk = open_clerk()
    clerk.stand_on(AVANZA, 3)
    clerk.press("Shift+Right", "Return")
    rival = world.counter("ayu", "Kasir 2")
    for number, unit in enumerate(AVANZAS):
        world.book(rival, days("2027-03-04", "2027-03-05"), unit, phone=f"0812 9999 000{number}", name="Rival Cepat")
    fill_customer(clerk, "Sari Wulandari", "081344445555")
    clerk.press("F9")
    facts = clerk.calendar.refusals.facts
    assert facts is not None
    assert facts.actions[-1].key == "W"
    assert "Baru saja diambil oleh Ayu" in facts.taken
    clerk.counted()
    clerk.press("W", "Return")
    assert clerk.counted() == (2, 0)
    assert world.rows(
        "SELECT c.name, w.sku_id, w.state FROM sentra.waitlist_entry AS w"
        " JOIN sentra.customer AS c ON c.id = w.customer_id"
    ) == [("Sari Wulandari", "TOY-AVNZ-G", "WAITING")]
    assert clerk.calendar.walk_in.form.new_name == "Sari Wulandari", "what was typed stays"
    assert world.value("SELECT count(*) FROM sentra.refused_demand") == 1


def test_two_counters_200_changes_at_one_are_painted_at_the_other_none_missed(
    world: World, open_clerk: Callable[..., Clerk]
) -> None:
    clerk = open_clerk("siti", "Kasir 1")
    other = world.counter("ayu", "Kasir 2")
    grid, model = clerk.calendar.grid, clerk.calendar.model
    painted = 0

    def is_painted(unit_id: str, number: int, free: bool) -> bool:
        content = grid.content
        unit = content.unit(unit_id) if content is not None else None
        return content is not None and unit is not None and content.is_free(unit, clerk.column(number)) is free

    def wait_for(unit_id: str, number: int, *, free: bool) -> None:
        clerk.wait_until(lambda: is_painted(unit_id, number, free), f"{unit_id} on day {number}")

    for turn in range(50):
        unit = AVANZAS[turn % 3]
        number = 1 + turn // 3
        wanted = days(str(day(number)))
        booked = world.book(other, wanted, unit, phone=f"0812 6000 {turn:04}").bookings[0].id
        wait_for(unit, number, free=False)
        moved = days(str(day(number + 1)))
        other.changes_of_bookings.reschedule(booked, moved)
        wait_for(unit, number, free=True)
        wait_for(unit, number + 1, free=False)
        other.changes_of_bookings.reschedule(booked, wanted)
        wait_for(unit, number, free=False)
        other.bookings.cancel(booked, "uji")
        wait_for(unit, number, free=True)
        painted += 4
    assert painted == 200
    kept = world.book(other, days(str(day(20)), str(day(22))), AVANZA, phone="0812 6100 0000", name="Nama Terbaca")
    clerk.wait_until(lambda: model.find_bar(kept.bookings[0].number) is not None, "its name")
    content = grid.content
    assert content is not None
    for unit in AVANZAS:
        row = content.unit(unit)
        assert row is not None
        taken = {clerk.column(number) for number in range(26) if not content.is_free(row, clerk.column(number))}
        expected = {clerk.column(number) for number in (20, 21, 22)} if unit == AVANZA else set()
        assert taken == expected
    assert Days(day(20), day(22)) == next(bar.days for bar in content.all_bars() if bar.unit_id == AVANZA)
