"""A whole counter over real servers that go away and come back: each mode is seen, and each heals by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.bootstrap import Counter
from app.desktop.connection import Reach
from app.desktop.engine_notes import SERVICE_BANNER
from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.calendar_viewmodel import Source
from app.desktop.screens.invoices_view import InvoicesScreen
from app.desktop.screens.settlement_phase import Phase
from app.desktop.session import Session
from app.service.beat import ServiceBeat
from tests.support.databases import Template
from tests.support.redis_nodes import RedisNode
from tests.support.wire import Wire
from tests.support.world import AVANZA, AVANZAS, World, days, open_world

pytest_plugins = ("tests.support.world_fixtures",)

CLOCK_LIMIT_MS = 15_000


class Desk:
    """One logged-in person with the whole shell; probes happen when the test says so, hints and polls by themselves."""

    def __init__(self, qtbot: QtBot, world: World, counter: Counter, folder: Path) -> None:
        self._qtbot = qtbot
        self.world = world
        self.counter = counter
        self.beat = ServiceBeat(world.service().store)
        self.beat.beat()
        self.session = Session(counter, folder)
        self.window = self.session.window
        qtbot.addWidget(self.window)
        self.window.resize(1366, 656)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.session.begin()
        self.window.connection._timer.stop()
        self.until(lambda: self.calendar.model.content is not None)

    @property
    def calendar(self) -> CalendarScreen:
        screen = self.window._screens[ScreenKey.CALENDAR]
        assert isinstance(screen, CalendarScreen)
        return screen

    @property
    def invoices(self) -> InvoicesScreen:
        screen = self.window._screens[ScreenKey.INVOICES]
        assert isinstance(screen, InvoicesScreen)
        return screen

    def said(self, banner: str) -> str:
        """What a banner says; empty while it is not there."""
        found = self.window.banners.shown(banner)
        return "" if found is None else found.accessibleName()

    def reach(self) -> Reach:
        return self.window.connection.reach

    def probe(self, times: int = 1) -> None:
        for _ in range(times):
            self.window.connection.tick()

    def until(self, is_so: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(is_so, timeout=CLOCK_LIMIT_MS)

    def shows(self, banner: str) -> bool:
        return self.window.banners.shown(banner) is not None

    def bars(self) -> set[str]:
        """Units with a bar on the grid."""
        content = self.calendar.model.content
        assert content is not None
        return {bar.unit_id for bar in content.all_bars() if bar.booking_id is not None}


@contextmanager
def desk_of(qtbot: QtBot, world: World, folder: Path, login: str = "siti", **more: str) -> Iterator[Desk]:
    desk = Desk(qtbot, world, world.counter(login, **more), folder)
    try:
        yield desk
    finally:
        desk.session.close()


@pytest.fixture
def wire(world: World, short_tmp: Path) -> Iterator[Wire]:
    with Wire(world.database.owner_url, short_tmp) as line:
        yield line


def test_redis_down_is_said_bookings_of_others_still_arrive_and_its_return_is_noticed(
    qtbot: QtBot, filled_template: Template, redis_node: RedisNode, tmp_path: Path
) -> None:
    with open_world(filled_template, redis_node.url) as world:
        service = world.service()
        service.reconcile.heal_if_needed()
        with desk_of(qtbot, world, tmp_path) as desk:
            model = desk.calendar.model
            assert (model.source, desk.shows("calendar-index")) == (Source.INDEX, False)

            redis_node.kill()
            desk.until(lambda: model.source is Source.DATABASE)
            assert desk.shows("calendar-index")
            desk.probe()
            assert desk.window.status.reach.text() == "Lambat · kalender dari basis data"
            assert model.may_hold, "booking goes on"
            mine = world.book(desk.counter, days("2027-03-05", "2027-03-06"), AVANZAS[1])
            world.book(world.counter("ayu", redis_url=None), days("2027-03-03", "2027-03-04"), AVANZA)
            desk.until(lambda: {AVANZA, AVANZAS[1]} <= desk.bars())  # asked again within 5 s, without any hint

            redis_node.start()
            desk.until(lambda: model.source is Source.INDEX)
            assert not desk.shows("calendar-index")
            service.reconcile.heal_if_needed()
            other = world.counter("ayu")
            world.book(other, days("2027-03-08"), AVANZAS[2])
            desk.until(lambda: AVANZAS[2] in desk.bars())  # by its hint
            assert world.bits(AVANZAS[1], "202703") == [5, 6]
            assert mine.bookings[0].unit_id == AVANZAS[1]


def test_a_service_that_stops_is_said_and_taken_back(qtbot: QtBot, world: World, tmp_path: Path) -> None:
    with desk_of(qtbot, world, tmp_path) as desk:
        desk.probe(2)
        assert not desk.shows(SERVICE_BANNER)
        world.after(minutes=2)
        desk.probe(2)
        assert desk.shows(SERVICE_BANNER)
        assert desk.window.status.reach.text() == "Lambat · layanan latar tidak bekerja"
        assert world.book(desk.counter, days("2027-03-05")).bookings, "counters go on"
        desk.beat.beat()
        desk.probe()
        assert not desk.shows(SERVICE_BANNER)


def test_a_database_that_is_away_leaves_the_grid_readable_and_refuses_before_anything_is_typed(
    qtbot: QtBot, world: World, wire: Wire, tmp_path: Path
) -> None:
    world.book(world.counter("ayu"), days("2027-03-03", "2027-03-04"), AVANZA)
    with desk_of(qtbot, world, tmp_path, url=wire.url) as desk:
        desk.window.go(ScreenKey.INVOICES)
        desk.window.go(ScreenKey.CALENDAR)
        desk.probe()
        model, grid = desk.calendar.model, desk.calendar.grid
        assert (model.may_hold, desk.shows("offline")) == (True, False)

        wire.cut()
        desk.probe()
        assert desk.reach() is Reach.SLOW
        assert desk.window.is_online(), "one lost probe is no outage"
        desk.probe()

        assert desk.reach() is Reach.OFFLINE
        assert desk.shows("offline")
        assert (model.source, model.may_hold, AVANZA in desk.bars()) == (Source.STALE, False, True)
        assert grid._stale, "hatched"
        assert re.search(r"Data dari 09\.00\.00, umur \d+ dtk\. Menahan unit", desk.said("offline"))
        assert not desk.invoices.list_page.may_open()
        assert "koneksi terputus" in desk.invoices.list_page.pay_button.reason()

        wire.join()
        desk.probe()

        assert desk.reach() is Reach.ONLINE
        desk.until(lambda: model.source is Source.INDEX)
        assert (model.may_hold, grid._stale, desk.shows("offline")) == (True, False, False)
        assert world.book(desk.counter, days("2027-03-08"), AVANZAS[1]).bookings, "its pools are whole again"
        desk.until(lambda: AVANZAS[1] in desk.bars())


def test_a_screen_that_is_first_shown_during_an_outage_knows_of_it(
    qtbot: QtBot, world: World, wire: Wire, tmp_path: Path
) -> None:
    with desk_of(qtbot, world, tmp_path, url=wire.url) as desk:
        desk.probe()
        wire.cut()
        desk.probe(2)
        desk.window.go(ScreenKey.INVOICES)
        assert "koneksi terputus" in desk.invoices.list_page.pay_button.reason()
        assert "umur" in desk.said("offline"), "its rows are as old as the grid's days"


def test_an_open_settlement_keeps_what_was_typed_and_pays_once_the_database_is_back(
    qtbot: QtBot, world: World, wire: Wire, tmp_path: Path
) -> None:
    booked = world.book(world.counter("ayu"), days("2027-03-03", "2027-03-04"))
    with desk_of(qtbot, world, tmp_path, url=wire.url) as desk:
        world.open_shift(desk.counter)
        desk.probe()
        desk.window.go(ScreenKey.INVOICES, booked.invoice_id)
        model = desk.invoices.settlement
        assert model.phase is Phase.OPEN
        model.set_received(booked.total)
        assert model.may_pay()

        wire.cut()
        desk.probe(2)
        assert not model.may_pay()
        assert "Koneksi terputus" in desk.invoices.page.pay_card.pay_button.reason()
        model.pay()
        assert model.phase is Phase.OPEN, "nothing was sent into the dark"
        assert model.received == booked.total

        wire.join()
        with qtbot.waitSignal(model.lock.renewed, timeout=CLOCK_LIMIT_MS):
            desk.probe()
        assert model.may_pay()
        model.pay()
        assert model.is_paid
    assert world.value("SELECT count(*) FROM sentra.payment") == 1
    world.assert_sound()


def test_everything_away_at_once_comes_back_at_once(
    qtbot: QtBot, filled_template: Template, redis_node: RedisNode, short_tmp: Path, tmp_path: Path
) -> None:
    with open_world(filled_template, redis_node.url) as world, Wire(world.database.owner_url, short_tmp) as wire:
        world.service().reconcile.heal_if_needed()
        with desk_of(qtbot, world, tmp_path, url=wire.url) as desk:
            desk.probe()
            redis_node.kill()
            wire.cut()
            desk.probe(2)
            assert desk.reach() is Reach.OFFLINE
            wire.join()
            desk.probe()
            desk.until(lambda: desk.calendar.model.source is Source.DATABASE)
            redis_node.start()
            desk.until(lambda: desk.calendar.model.source is Source.INDEX)
            assert world.book(desk.counter, days("2027-03-08")).bookings
            QTest.qWait(50)
            assert desk.calendar.model.may_hold
