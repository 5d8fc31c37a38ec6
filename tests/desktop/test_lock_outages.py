"""The lock while its database is away, on virtual time: late, lost, taken again; the beats' own timing decides."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Signal
from pytestqt.qtbot import QtBot

from app.desktop.heartbeat import Heartbeat, Pulse, SuspendProofClock
from app.desktop.screens.settlement_phase import Phase
from app.desktop.screens.settlement_viewmodel import SettlementViewModel
from app.domain.errors import Refusal, RefusalCode
from app.domain.lock import Deadline, LockHandle, LockState
from tests.desktop.runners import HeldRunner
from tests.desktop.settlement_fakes import BUDI, FakeCounter, FakeSettlement, Hearts, VirtualClocks, fake_settlement
from tests.support.waiting import eventually


class VirtualHeart(QObject):
    """A heartbeat's own Pulse whose timer runs on the test's clock: every interval is the product's."""

    renewed = Signal(object)
    missed = Signal()
    lost = Signal(object)
    beat_now = Signal()

    def __init__(self, renew: Callable[[int], int], boot: SuspendProofClock) -> None:
        super().__init__()
        self._boot = boot
        self.pulse = Pulse(renew, boot)
        self.pulse.renewed.connect(self.renewed)
        self.pulse.missed.connect(self.missed)
        self.pulse.lost.connect(self.lost)
        self.beat_now.connect(self.pulse.beat)
        self.sent_at: list[float] = []
        self.answered = 0
        self.pulse._answered.connect(self._count)
        self._due = 0.0

    def start(self) -> None:
        self.pulse.begin()
        self._due = self._boot() + self._interval()

    def stop(self) -> None:
        self.pulse.stop()
        self.pulse.halt()

    def wait_until_quiet(self, seconds: float) -> bool:
        return self.pulse.wait_until_quiet(seconds)

    def note_input(self) -> None:
        self.pulse.note_input()

    def note_window(self) -> None:
        self.pulse.note_window()

    def idle_seconds(self) -> float:
        return self.pulse.idle_seconds()

    def step(self) -> None:
        """What the timer does when it is due; the beat's answer is in when this returns."""
        if not self.pulse.timer.isActive() or self._boot() < self._due:
            return
        self.pulse.timer.stop()
        self.sent_at.append(self._boot())
        before = self.answered
        self.pulse.beat()
        self.wait_for_answer(before)
        self._due = self._boot() + self._interval()

    def wait_for_answer(self, before: int) -> None:
        """Deliver what the beat's own thread has sent, once it has."""

        def is_in() -> bool:
            QCoreApplication.processEvents()
            return self.answered > before

        eventually(is_in, every=0.001)

    def _count(self) -> None:
        self.answered += 1

    def _interval(self) -> float:
        return self.pulse.timer.interval() / 1000


class Bench:
    """One settlement on virtual time: screen ticks and beats happen when they are due."""

    def __init__(self) -> None:
        self.clocks = VirtualClocks()
        self.began = self.clocks.boot
        self.branch: FakeSettlement = fake_settlement(self.clocks)
        self.hearts: list[VirtualHeart] = []
        self.states: list[LockState | None] = []
        self.model = SettlementViewModel(
            FakeCounter(self.branch).as_counter(), self.clocks.as_clocks(), make_heartbeat=self._make_heart
        )
        self.model.open(BUDI)
        self.model.set_received(1_500_000)

    def _make_heart(self, renew: Callable[[int], int], boot: SuspendProofClock) -> Heartbeat:
        self.hearts.append(VirtualHeart(renew, boot))
        return cast(Heartbeat, self.hearts[-1])

    def run_to(self, second: float) -> None:
        """Time passes until so many seconds after the opening."""
        while self.clocks.boot < self.began + second:
            self.clocks.advance(0.5)
            self.model.tick()
            self.hearts[-1].step()
            state = self.model.lock_state()
            if not self.states or self.states[-1] is not state:
                self.states.append(state)

    def beats(self) -> list[float]:
        return [round(at - self.began, 1) for heart in self.hearts for at in heart.sent_at]


@pytest.fixture
def bench(qapp: object) -> Bench:
    return Bench()


def away(bench: Bench, first: float, last: float) -> None:
    """The database does not answer between these seconds."""
    bench.run_to(first)
    bench.branch.unreachable = True
    bench.run_to(last)
    bench.branch.unreachable = False


def test_r49_a_healthy_lock_is_renewed_every_30_seconds_for_a_quarter_of_an_hour(bench: Bench) -> None:
    bench.run_to(890)
    assert bench.beats() == [30.0 * n for n in range(1, 30)]
    assert set(bench.states) == {LockState.HELD}


def test_r54_c68_a_database_away_for_5_seconds_costs_one_beat_and_the_next_is_sent_5_seconds_later(
    bench: Bench,
) -> None:
    away(bench, 29.5, 34.5)
    bench.run_to(70)
    assert bench.beats() == [30, 35, 65]
    assert bench.states == [LockState.HELD, LockState.RENEWING_LATE, LockState.HELD]
    assert bench.model.may_pay()


def test_r44_a_database_away_for_35_seconds_is_late_and_critical_but_never_lost(bench: Bench) -> None:
    away(bench, 19.5, 54.5)
    assert bench.model.lock_state() is LockState.CRITICAL
    assert not bench.model.may_pay()
    bench.run_to(56)
    assert bench.beats() == [30, 35, 40, 45, 50, 55]
    assert bench.states == [LockState.HELD, LockState.RENEWING_LATE, LockState.CRITICAL, LockState.HELD]
    assert bench.model.may_pay()
    assert bench.model.received == 1_500_000


def test_r52_after_70_seconds_away_the_lock_is_lost_and_a_new_one_is_renewed_again(bench: Bench) -> None:
    away(bench, 5, 75)
    assert bench.model.phase is Phase.LOST
    assert bench.states[-1] is LockState.LOST
    assert bench.branch.settled == [], "nothing was paid into the dark"
    bench.run_to(81)
    assert not bench.hearts[-1].pulse.timer.isActive(), "the database said that it is gone: no beat is sent any more"

    bench.model.lock_again()
    bench.run_to(150)

    assert len(bench.hearts) == 2
    assert [round(at - bench.began) for at in bench.hearts[-1].sent_at] == [111, 141]
    assert bench.model.lock_state() is LockState.HELD
    bench.model.pay()
    assert bench.model.is_paid
    assert len(bench.branch.payments) == 1


def test_r55_a_lock_whose_answer_took_its_whole_life_is_never_shown_as_held(
    qapp: object, held_runner: HeldRunner
) -> None:
    clocks = VirtualClocks()
    branch = fake_settlement(clocks)
    model = SettlementViewModel(FakeCounter(branch).as_counter(), clocks.as_clocks(), make_heartbeat=Hearts())
    seen: list[LockState | None] = []
    model.changed.connect(lambda: seen.append(model.lock_state()))
    model.open(BUDI)
    take = branch.open_invoice

    def slow(invoice_id: str) -> object:
        held = take(invoice_id)
        clocks.advance(70)
        return held

    branch.open_invoice = slow  # type: ignore[method-assign,assignment]
    held_runner.go_on()
    held_runner.go_on()

    assert model.phase is Phase.LOST
    assert LockState.HELD not in seen
    model.set_received(1_500_000)
    model.pay()
    assert branch.settled == []


def test_r51_a_window_that_hangs_for_90_seconds_is_renewed_by_the_heartbeats_own_thread(qtbot: QtBot) -> None:
    """The main loop runs nothing at all in between: the test holds it while the beats go out."""
    clocks, sent = VirtualClocks(), threading.Semaphore(0)

    def renew(idle_ms: int) -> int:
        sent.release()
        return 60_000

    heart = Heartbeat(renew, lambda: clocks.boot)
    deadlines: list[Deadline] = []
    heart.renewed.connect(deadlines.append)
    heart.start()
    try:
        for _ in range(3):
            clocks.advance(30)
            heart.beat_now.emit()
            assert sent.acquire(timeout=10), "no beat was sent while the window hung"
            assert heart.wait_until_quiet(10)
        assert deadlines == [], "the window itself has heard of nothing yet"
        qtbot.waitUntil(lambda: len(deadlines) >= 3)
        assert deadlines[-1].seconds_left(clocks.boot) == 60
    finally:
        heart.stop()


def test_r44_an_error_nobody_foresaw_in_a_beat_is_one_missed_beat(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = bench.branch.renew_lock
    answers = iter([RuntimeError("no sense"), None])

    def renew(handle: object, idle_ms: int) -> int:
        if (problem := next(answers, None)) is not None:
            raise problem
        return real(handle, idle_ms)  # type: ignore[arg-type]

    monkeypatch.setattr(bench.branch, "renew_lock", renew)
    bench.run_to(40)
    assert bench.beats() == [30, 35]
    assert bench.model.phase is Phase.OPEN
    assert "a heartbeat failed" in caplog.text


def test_a_lock_is_lost_at_once_when_somebody_else_has_it(bench: Bench) -> None:
    bench.run_to(10)
    bench.branch.lock_by(BUDI, "siti", "Siti", "Kasir 2")
    bench.run_to(31)
    assert bench.model.phase is Phase.LOST
    assert bench.beats() == [30]


def test_an_unknown_outcome_looks_every_3_seconds_by_the_attempts_id_and_pays_once(bench: Bench) -> None:
    bench.branch.lose_answer = True
    bench.model.pay()
    bench.branch.unreachable = True
    assert bench.model.phase is Phase.UNKNOWN
    looks: list[float] = []
    call_back = bench.branch.call_back

    def look(handle: LockHandle, attempt_id: str) -> object:
        looks.append(round(bench.clocks.boot - bench.began, 1))
        assert attempt_id == bench.model.attempt_id
        return call_back(handle, attempt_id)

    bench.branch.call_back = look  # type: ignore[method-assign,assignment]
    bench.run_to(20)
    assert looks == [3, 6, 9, 12, 15, 18]
    assert bench.model.phase is Phase.UNKNOWN
    bench.branch.unreachable = False
    bench.run_to(22)
    assert bench.model.phase is Phase.PAID  # type: ignore[comparison-overlap]
    assert len(bench.branch.payments) == 1  # type: ignore[unreachable]
    assert len(bench.branch.settled) == 1


def test_a_database_that_is_back_is_asked_at_once_when_the_connection_says_so(bench: Bench) -> None:
    away(bench, 29, 33)
    asked = len(bench.beats())
    bench.branch.unreachable = True
    bench.model.set_online(False)
    assert not bench.model.may_pay()
    bench.branch.unreachable = False
    heart = bench.hearts[-1]
    before = heart.answered
    bench.model.set_online(True)
    heart.wait_for_answer(before)
    assert bench.model.lock.seconds_left() == 60
    assert bench.model.may_pay()
    assert len(bench.beats()) == asked, "not by the timer"


def test_c61_a_refusal_that_comes_back_late_leaves_the_outcome_open(bench: Bench) -> None:
    """UNREACHABLE while paying is never told as "failed": the same attempt is looked for."""
    bench.branch.unreachable = True
    bench.model.pay()
    assert bench.model.phase is Phase.UNKNOWN
    assert bench.model.refusal is None or bench.model.refusal.code is not RefusalCode.LOCK_LOST
    bench.branch.unreachable = False
    bench.run_to(12)
    assert bench.model.phase is Phase.OPEN  # type: ignore[comparison-overlap]
    bench.model.pay()  # type: ignore[unreachable]
    assert len(bench.branch.payments) == 1


def test_every_refusal_of_a_beat_but_unreachable_ends_the_lock(qtbot: QtBot) -> None:
    clocks = VirtualClocks()
    for code in (RefusalCode.LOCK_LOST, RefusalCode.NOT_FOUND, RefusalCode.NOT_ALLOWED):

        def refuse(_idle_ms: int, code: RefusalCode = code) -> int:
            raise Refusal(code, next=())

        pulse = Pulse(refuse, lambda: clocks.boot)
        pulse.begin()
        pulse.timer.stop()
        with qtbot.waitSignal(pulse.lost):
            pulse.beat()
        assert not pulse.timer.isActive()
