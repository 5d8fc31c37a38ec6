"""The heartbeat: every 30 s, again after 5 s, one at a time, from a thread that does not wait for the window."""

import gc
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from app.desktop.heartbeat import Heartbeat, JumpWatch, Pulse
from app.domain.errors import Refusal, RefusalCode
from app.domain.lock import Deadline
from tests.desktop.settlement_fakes import VirtualClocks

ROOT = Path(__file__).resolve().parents[2]


class Answers:
    """Answers beats from a list, the last one again and again; remembers idle times and threads."""

    def __init__(self, *answers: int | Exception) -> None:
        self._answers = list(answers)
        self.idle: list[int] = []
        self.threads: list[int] = []

    def __call__(self, idle_ms: int) -> int:
        self.idle.append(idle_ms)
        self.threads.append(threading.get_ident())
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def clocks() -> VirtualClocks:
    return VirtualClocks()


_pulses: list[Pulse] = []
"""Kept to the end of the test: the thread of a beat must not be the last to hold one, its timer is this thread's."""


@pytest.fixture(autouse=True)
def _beats_end() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "sentra-beat":
            thread.join(60)
            assert not thread.is_alive()
    _pulses.clear()


def pulse_over(answers: Callable[[int], int], clocks: VirtualClocks) -> Pulse:
    pulse = Pulse(answers, lambda: clocks.boot)
    _pulses.append(pulse)
    pulse.begin()
    return pulse


def next_in(pulse: Pulse) -> int:
    """Milliseconds the timer was set to; 0 when it stands still."""
    return pulse.timer.interval() if pulse.timer.isActive() else 0


def test_the_first_beat_is_sent_after_30_seconds(clocks: VirtualClocks) -> None:
    assert next_in(pulse_over(Answers(60_000), clocks)) == 30_000


def test_a_beat_tells_how_long_nobody_touched_anything(qtbot: QtBot, clocks: VirtualClocks) -> None:
    answers = Answers(60_000)
    pulse = pulse_over(answers, clocks)
    clocks.advance(20)
    pulse.note_input()
    clocks.advance(7.5)
    with qtbot.waitSignal(pulse.renewed):
        pulse.beat()
    assert answers.idle == [7_500]


def test_the_new_deadline_is_counted_from_when_the_beat_was_sent(qtbot: QtBot, clocks: VirtualClocks) -> None:
    def slow(idle_ms: int) -> int:
        clocks.advance(4)
        return 60_000

    pulse = pulse_over(slow, clocks)
    with qtbot.waitSignal(pulse.renewed) as answered:
        pulse.beat()
    deadline = answered.args[0]
    assert deadline == Deadline(sent_at=1_000.0, remaining_ms=60_000)
    assert deadline.seconds_left(clocks.boot) == 56
    assert next_in(pulse) == 26_000


@pytest.mark.parametrize("fault", [Refusal(RefusalCode.UNREACHABLE), OSError("the line is cut")])
def test_c68_r44_a_failed_beat_is_tried_again_after_5_seconds(
    qtbot: QtBot, clocks: VirtualClocks, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    answers = Answers(fault, 60_000)
    pulse = pulse_over(answers, clocks)
    with qtbot.waitSignal(pulse.missed):
        pulse.beat()
    assert next_in(pulse) == 5_000
    with qtbot.waitSignal(pulse.renewed):
        pulse.beat()
    assert next_in(pulse) == 30_000


def test_after_the_lock_is_refused_no_beat_is_sent(qtbot: QtBot, clocks: VirtualClocks) -> None:
    pulse = pulse_over(Answers(Refusal(RefusalCode.LOCK_LOST, reason="lost")), clocks)
    pulse.timer.stop()
    with qtbot.waitSignal(pulse.lost) as answered:
        pulse.beat()
    assert answered.args[0].params["reason"] == "lost"
    assert next_in(pulse) == 0


def test_only_one_beat_is_in_flight(qtbot: QtBot, clocks: VirtualClocks) -> None:
    go_on, begun = threading.Event(), threading.Event()
    sent: list[int] = []

    def hanging(idle_ms: int) -> int:
        sent.append(idle_ms)
        begun.set()
        assert go_on.wait(10)
        return 60_000

    pulse = pulse_over(hanging, clocks)
    pulse.beat()
    assert begun.wait(10)
    pulse.beat()
    assert not pulse.wait_until_quiet(0)
    with qtbot.waitSignal(pulse.renewed):
        go_on.set()
    assert len(sent) == 1
    assert pulse.wait_until_quiet(0)


def test_a_window_silent_for_two_minutes_stops_the_beats_until_it_answers(qtbot: QtBot, clocks: VirtualClocks) -> None:
    answers = Answers(60_000)
    pulse = pulse_over(answers, clocks)
    clocks.advance(121)
    pulse.note_input()
    pulse.beat()
    assert answers.idle == []
    assert next_in(pulse) == 5_000
    pulse.note_window()
    with qtbot.waitSignal(pulse.renewed):
        pulse.beat()
    assert len(answers.idle) == 1


def test_after_15_minutes_without_input_nothing_is_renewed_until_somebody_is_back(
    qtbot: QtBot, clocks: VirtualClocks
) -> None:
    answers = Answers(60_000)
    pulse = pulse_over(answers, clocks)
    clocks.advance(15 * 60)
    pulse.note_window()
    pulse.beat()
    assert answers.idle == []
    pulse.note_input()
    with qtbot.waitSignal(pulse.renewed):
        pulse.beat()
    assert answers.idle == [0]


def test_an_answer_after_stopping_changes_nothing(qtbot: QtBot, clocks: VirtualClocks) -> None:
    go_on = threading.Event()

    def hanging(idle_ms: int) -> int:
        assert go_on.wait(10)
        return 60_000

    pulse = pulse_over(hanging, clocks)
    pulse.beat()
    pulse.stop()
    pulse.timer.stop()
    with qtbot.assertNotEmitted(pulse.renewed):
        with qtbot.waitSignal(pulse._answered):
            go_on.set()
    assert next_in(pulse) == 0


def test_beats_are_sent_from_a_thread_that_is_not_the_window_s(qtbot: QtBot, clocks: VirtualClocks) -> None:
    answers = Answers(60_000)
    heart = Heartbeat(answers, lambda: clocks.boot)
    heart.start()
    with qtbot.waitSignal(heart.renewed):
        heart.beat_now.emit()
    assert answers.threads != [threading.get_ident()]
    assert heart._pulse.thread() is not QThread.currentThread()
    heart.stop()
    assert not heart.is_running()


def test_a_forgotten_heartbeat_ends_with_its_last_reference(qtbot: QtBot, clocks: VirtualClocks) -> None:
    heart = Heartbeat(Answers(60_000), lambda: clocks.boot)
    heart.start()
    thread = heart._thread
    del heart
    gc.collect()
    assert not thread.isRunning()


# Something else asked first to be told of the end, as a database pool does: then the last calls come in this order.
FORGETFUL = """
import sys, weakref
class Pool: pass
pool = Pool()
weakref.finalize(pool, int)
from PySide6.QtCore import QCoreApplication
from app.desktop.heartbeat import Heartbeat
app = QCoreApplication([])
heart = Heartbeat(lambda idle: 60_000, lambda: 0.0)
if sys.argv[1] == "running":
    heart.start()
"""


@pytest.mark.parametrize("state", ["running", "never started"])
def test_a_program_that_ends_with_a_heartbeat_ends_quietly(state: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FORGETFUL, state], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_stopping_does_not_wait_for_a_hanging_beat(qtbot: QtBot, clocks: VirtualClocks) -> None:
    go_on, begun = threading.Event(), threading.Event()

    def hanging(idle_ms: int) -> int:
        begun.set()
        assert go_on.wait(10)
        return 60_000

    heart = Heartbeat(hanging, lambda: clocks.boot)
    heart.start()
    heart.beat_now.emit()
    assert begun.wait(10)
    heart.stop()
    assert not heart.is_running()
    assert not heart.wait_until_quiet(0)
    go_on.set()
    assert heart.wait_until_quiet(10)


def test_a_jump_of_the_wall_clock_is_told_once() -> None:
    clocks = VirtualClocks()
    watch = JumpWatch(clocks.as_clocks())
    clocks.advance(30)
    assert not watch.has_jumped()
    clocks.jump(-3_600)
    assert watch.has_jumped()
    assert not watch.has_jumped()


def test_a_sleeping_pc_is_a_jump_and_a_slow_correction_is_none() -> None:
    clocks = VirtualClocks()
    watch = JumpWatch(clocks.as_clocks())
    clocks.jump(0.2)
    assert not watch.has_jumped()
    clocks.sleep(40)
    assert watch.has_jumped()
