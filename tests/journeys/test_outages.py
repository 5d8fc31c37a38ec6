"""A counter stays open while its private servers are killed one after the other: nothing is restarted by hand."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bootstrap import Counter
from app.desktop.connection import Reach
from app.desktop.screen import ScreenKey
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.calendar_viewmodel import Source
from app.desktop.session import Session
from app.desktop.theme import Theme, load_fonts, use_theme
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookLine, BookRequest
from tests.journeys.place import SKU, Place
from tests.support.waiting import eventually

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True)

LIMIT_MS = 30_000


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication, place: Place, tmp_path: Path) -> Iterator[Session]:
    load_fonts()
    use_theme(Theme.light(), qapp)
    opened = Session(place.counter("siti", "Kasir 5"), tmp_path)
    qtbot.addWidget(opened.window)
    opened.window.resize(1366, 656)
    with qtbot.waitExposed(opened.window):
        opened.window.show()
    opened.begin()
    yield opened
    opened.close()


def book_some_free_unit(counter: Counter, day: dt.date) -> str:
    line = BookLine(sku=SKU, unit_id=None, period=RentalPeriod(day, day))
    request = BookRequest(
        order_id=counter.new_id(), lines=(line,), customer_name="Rina Maharani", customer_phone="0812 0000 9090"
    )
    return counter.bookings.book(request).bookings[0].unit_id


def try_to_book(counter: Counter, day: dt.date) -> str:
    """As a clerk would: again after "not reachable"."""
    try:
        return book_some_free_unit(counter, day)
    except Refusal as no:
        assert no.code is RefusalCode.UNREACHABLE, str(no)
        return ""


def test_postgres_redis_and_the_service_are_killed_and_the_open_counter_works_on(
    qtbot: QtBot, place: Place, session: Session
) -> None:
    window, counter = session.window, session._counter
    calendar = window._screens[ScreenKey.CALENDAR]
    assert isinstance(calendar, CalendarScreen)
    model = calendar.model

    def until(is_so: Callable[[], bool]) -> None:
        qtbot.waitUntil(is_so, timeout=LIMIT_MS)

    def all_is_well() -> bool:
        connection = window.connection
        well = connection.reach in (Reach.ONLINE, Reach.SLOW) and not connection.nobody_sweeps
        return well and model.source is Source.INDEX and model.may_hold

    until(all_is_well)
    day = place.today() + dt.timedelta(days=100)
    for step, server in enumerate(("redis-server", "app.service.main", "bin/postgres")):
        killed = place.kill(server)
        wanted = day + dt.timedelta(days=step)
        unit = eventually(partial(try_to_book, counter, wanted), within=20)
        until(all_is_well)
        # A backend outlives its killed postmaster by a statement: the booking may have been that one.
        eventually(partial(place.is_replaced, server, killed), within=30)
        until(all_is_well)
        bars = counter.calendar.bars(RentalPeriod(wanted, wanted))
        assert unit in {bar.unit_id for bar in bars if bar.booking_id is not None}
    eventually(place.is_whole, within=30)
