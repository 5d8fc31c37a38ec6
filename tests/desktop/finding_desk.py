"""A window with the calendar of a fake branch, its search, scanner and palette, and the hands of a person."""

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.connection import ConnectionViewModel
from app.desktop.main_window import MainWindow
from app.desktop.screen import Screen, ScreenKey
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.calendar_idle_keys import idle_keys, plain_keys
from app.desktop.screens.calendar_view import CalendarScreen
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.calendar_work import GridWork
from app.desktop.screens.finding import Finding
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.shell_facts import SignedIn
from app.domain.days import Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.staff import StaffMember
from app.usecases.bookings import BookLine
from app.usecases.rows import FleetUnit
from app.usecases.rows_search import SearchHit, SearchKind
from tests.desktop.calendar_fakes import BUDI, FakeCounter, FakeCustomers
from tests.desktop.calendar_samples import BRANCH, HOLIDAYS

NO_KEY = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def unit_hit(unit: FleetUnit) -> SearchHit:
    return SearchHit(
        kind=SearchKind.UNIT,
        id=unit.unit.id,
        title=unit.unit.plate,
        is_exact=True,
        unit_id=unit.unit.id,
        plate=unit.unit.plate,
        sku_name=unit.sku.name,
        unit_status=unit.unit.status,
        branch_id=BRANCH.id,
    )


CUSTOMER_HIT = SearchHit(
    kind=SearchKind.CUSTOMER,
    id=BUDI.customer.id,
    title=BUDI.customer.name,
    is_exact=False,
    customer_id=BUDI.customer.id,
    customer_name=BUDI.customer.name,
    phone=BUDI.customer.phone,
)


@dataclass
class FakeSearch:
    """Answers what was laid down for a text; `asked` are the texts."""

    answers: dict[str, tuple[SearchHit, ...]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def search(self, text: str) -> tuple[SearchHit, ...]:
        self.asked.append(text)
        return self.answers.get(text, ())


@dataclass
class FakeScans:
    """Free unless the branch's bars say otherwise; `elsewhere` are units of another branch."""

    counter: FakeCounter
    elsewhere: set[str] = field(default_factory=set)

    def unit_for(self, unit_id: str, period: RentalPeriod) -> FleetUnit:
        unit = next((unit for unit in self.counter.branch.units if unit.unit.id == unit_id), None)
        if unit is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="unit_id", unit_id=unit_id)
        if unit_id in self.elsewhere:
            raise Refusal(
                RefusalCode.UNIT_NOT_RENTABLE,
                field="unit_id",
                next=(NextAction("any_unit", {"sku": unit.sku.code}),),
                reason="other_branch",
                plate=unit.unit.plate,
            )
        if self.counter.branch.blocking(unit_id, Days(period.first, period.last)):
            raise self.counter.bookings._taken(unit, BookLine(sku=unit.sku.code, period=period, unit_id=unit_id))
        return unit


@dataclass
class FindingParts:
    who: StaffMember
    search: FakeSearch
    customers: FakeCustomers
    scans: FakeScans


class Place(Screen):
    """Another screen; it remembers what it was opened with."""

    def __init__(self, shell: MainWindow) -> None:
        super().__init__(shell)
        self.arguments: list[object] = []

    def activate(self, argument: object = None) -> None:
        self.arguments.append(argument)


class FindingDesk:
    """`keys` counts every key that was pressed."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.counter = FakeCounter()
        branch = self.counter.branch
        who = SignedIn(
            person="Siti", roles=("cashier",), branch="Bandung", counter="Kasir 1", zone=ZoneInfo("Asia/Jakarta")
        )
        self.window = MainWindow(who, ConnectionViewModel(self.counter.server_now))
        clock = ServerClock(lambda: branch.clock.steady)
        model = CalendarViewModel(
            self.counter, self.counter.server_now, clock, holidays=lambda window, spoken: HOLIDAYS
        )
        walk_in = WalkInViewModel(
            self.counter,
            clock,
            folder,
            find_order=self.counter.bookings.find_order,
            find_booking=self.counter.bookings.find_booking,
        )
        self.screen = CalendarScreen(model, walk_in, GridWork.of(self.counter, clock), self.window)
        self.screen.idle_keys = lambda: idle_keys(self.screen)
        self.screen.plain_keys = lambda: plain_keys(self.screen)
        self.window.add_screen(ScreenKey.CALENDAR, lambda: self.screen)
        self.customers = Place(self.window)
        self.window.add_screen(ScreenKey.CUSTOMERS, lambda: self.customers)
        self.search, self.scans = FakeSearch(), FakeScans(self.counter)
        self.finding = Finding(
            self.window, FindingParts(self.counter.who, self.search, self.counter.customers, self.scans)
        )
        self.keys = 0
        self.window.resize(1366, 704)
        qtbot.addWidget(self.window)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.window.go(ScreenKey.CALENDAR)
        self.window.connection.tick()
        QApplication.processEvents()

    def close(self) -> None:
        self.finding.close()
        self.window.close_screens()

    def unit(self, plate: str) -> FleetUnit:
        return next(unit for unit in self.counter.branch.units if unit.unit.plate == plate)

    def knows(self, text: str, *hits: SearchHit) -> None:
        self.search.answers[text] = hits

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_KEY) -> None:
        self.keys += 1
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifier)

    def type(self, text: str) -> None:
        for sign in text:
            self.keys += 1
            QTest.keyClicks(QApplication.focusWidget() or self.window, sign)

    def pause(self) -> None:
        """The wait after the last key has passed."""
        self.finding.search.model.ask_now()

    def scan(self, code: str) -> None:
        self.finding.scans.take(code)

    def here(self) -> tuple[str, dt.date]:
        """Plate and day of the grid's current cell."""
        grid = self.screen.grid
        row, content = grid.current_row(), grid.content
        assert row is not None
        assert row.unit is not None
        assert content is not None
        return row.unit.unit.plate, content.days[grid.currentIndex().column()]
