"""The connection: slow by p95 or a lost probe, offline after two, and what is known of the service behind it."""

import datetime as dt
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.connection import ConnectionViewModel, Reach
from app.desktop.engine_notes import SERVICE_BANNER, EngineNotes
from app.desktop.formats import Language
from app.desktop.language import use_language
from app.desktop.main_window import MainWindow
from app.desktop.shell_facts import SignedIn
from app.domain.errors import Refusal, RefusalCode
from app.usecases.engine_rows import DriftRecord, EngineState, FoundBy

NOW = dt.datetime(2026, 11, 30, 7, 5, 10, tzinfo=dt.UTC)
BEAT = NOW - dt.timedelta(seconds=1)
DRIFT = DriftRecord(
    found_at=NOW - dt.timedelta(hours=3), found_by=FoundBy.RECONCILE, units=3, findings=5, kinds={"key": 5}, repaired=5
)


@dataclass
class Server:
    """Answers probes after `takes` seconds of the stopwatch, or not at all."""

    takes: float = 0.04
    is_down: bool = False
    seconds: float = 0.0
    state: EngineState = field(default_factory=lambda: EngineState(now=NOW, service_beat_at=BEAT))

    def stopwatch(self) -> float:
        return self.seconds

    def engine(self) -> EngineState:
        self.seconds += self.takes
        if self.is_down:
            raise Refusal(RefusalCode.UNREACHABLE, next=(), reason="database")
        return self.state

    def now(self) -> dt.datetime:
        return self.engine().now


def connection_to(server: Server) -> ConnectionViewModel:
    return ConnectionViewModel(server.now, server.stopwatch, engine=server.engine)


def after(server: Server, *probes: float | None) -> Reach:
    """What stands after probes that took so long; None is a lost one."""
    connection = connection_to(server)
    for takes in probes:
        server.is_down, server.takes = takes is None, takes or 0.0
        connection.tick()
    return connection.reach


@pytest.mark.parametrize(
    ("probes", "reach"),
    [
        ([0.04], Reach.ONLINE),
        ([1.6], Reach.SLOW),
        ([0.04] * 5 + [1.6], Reach.SLOW),
        ([0.04] * 5 + [1.6, 0.04], Reach.ONLINE),
        ([0.04] * 18 + [1.6, 1.6], Reach.SLOW),
        ([0.04] * 17 + [1.6, 1.6, 0.04], Reach.SLOW),
        ([1.6, 1.6] + [0.04] * 20, Reach.ONLINE),
        ([0.04, None], Reach.SLOW),
        ([0.04, None, 0.04], Reach.SLOW),
        ([0.04, None, 0.04, 0.04], Reach.SLOW),
        ([0.04, None, 0.04, 0.04, 0.04], Reach.ONLINE),
        ([0.04, None, None], Reach.OFFLINE),
        ([0.04, None, None, None, None], Reach.OFFLINE),
        ([0.04, None, None, 0.04], Reach.ONLINE),
        ([None, 0.04], Reach.SLOW),
    ],
)
def test_p95_over_one_and_a_half_seconds_or_one_lost_of_three_is_slow(
    probes: list[float | None], reach: Reach, qtbot: QtBot
) -> None:
    assert after(Server(), *probes) is reach


def test_the_server_s_time_comes_with_the_engine_s_state(qtbot: QtBot) -> None:
    server = Server()
    connection = connection_to(server)
    connection.tick()
    server.seconds += 5
    assert connection.now() == NOW + dt.timedelta(seconds=5)
    assert connection.engine == server.state


@dataclass
class Desk:
    server: Server
    window: MainWindow

    def probe(self, times: int = 1) -> None:
        for _ in range(times):
            self.window.connection.tick()

    def banner(self) -> str | None:
        shown = self.window.banners.shown(SERVICE_BANNER)
        return None if shown is None else shown.accessibleName()


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    who = SignedIn(
        person="Siti", roles=("cashier",), branch="Cabang Jakarta", counter="Kasir 1", zone=ZoneInfo("Asia/Jakarta")
    )
    server = Server()
    window = MainWindow(who, connection_to(server))
    qtbot.addWidget(window)
    EngineNotes(window)
    return Desk(server, window)


def silent(server: Server, **step: float) -> None:
    server.state = replace(server.state, service_beat_at=NOW - dt.timedelta(**step))


def test_a_service_that_stopped_is_said_with_its_last_beat_and_taken_back_when_it_beats_again(desk: Desk) -> None:
    desk.probe(3)
    assert desk.banner() is None
    silent(desk.server, minutes=4)
    desk.probe()
    assert desk.banner() is None, "one reading may be a service that is just starting"
    desk.probe()
    assert desk.banner() == (
        "Layanan latar berhenti 14.01. Batas bayar terlambat diproses. Menahan unit dan pembayaran tetap jalan."
    )
    silent(desk.server, seconds=1)
    desk.probe()
    assert desk.banner() is None


def test_a_service_that_never_ran_and_one_whose_sweep_hangs_are_said_too(desk: Desk) -> None:
    desk.server.state = replace(desk.server.state, service_beat_at=None)
    desk.probe(2)
    assert (desk.banner() or "").startswith("Layanan latar tidak berjalan.")
    desk.server.state = replace(desk.server.state, service_beat_at=BEAT, service_trouble="expire, outbox")
    desk.probe()
    assert (desk.banner() or "").startswith("Layanan latar bermasalah. Batas bayar terlambat")
    desk.server.state = replace(desk.server.state, service_trouble="heal, outbox")
    desk.probe()
    assert desk.banner() is None, "Redis away is said by the calendar, not as unpaid bookings that stay"


def test_while_the_database_is_away_nothing_is_said_of_the_service(desk: Desk) -> None:
    silent(desk.server, minutes=4)
    desk.probe(2)
    assert desk.banner() is not None
    desk.server.is_down = True
    desk.probe(2)
    assert desk.banner() is None
    assert desk.window.banners.shown("offline") is not None
    desk.server.is_down = False
    desk.probe()
    assert desk.banner() is not None
    assert desk.window.banners.shown("offline") is None


def test_the_last_drift_is_told_on_hover_and_to_a_screen_reader(desk: Desk) -> None:
    desk.probe()
    mark = desk.window.status.reach
    assert mark.toolTip() == ""
    desk.server.state = replace(desk.server.state, drift=DRIFT)
    desk.probe()
    assert mark.toolTip() == "Indeks berbeda 30 Nov 2026 11.05: 3 unit, sudah dibetulkan."
    assert mark.accessibleDescription() == mark.toolTip()
    desk.server.state = replace(desk.server.state, drift=replace(DRIFT, repaired=2))
    desk.probe()
    assert mark.toolTip() == "Indeks berbeda 30 Nov 2026 11.05: 3 unit, belum dibetulkan."


def test_the_words_follow_the_language(desk: Desk) -> None:
    desk.server.state = replace(desk.server.state, service_beat_at=None, drift=replace(DRIFT, units=1))
    desk.probe(2)
    use_language(Language.EN)
    QApplication.processEvents()
    assert desk.banner() == (
        "The background service is not running. Unpaid bookings end late. Holding and paying go on."
    )
    assert desk.window.status.reach.toolTip() == "Index differed 30 Nov 2026 11:05: 1 unit, repaired."
