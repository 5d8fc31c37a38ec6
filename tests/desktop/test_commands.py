"""Commands: one call for five presses, answers in the GUI thread, outcomes as signals, nothing after close."""

import asyncio
import gc
import logging
import sys
import threading
from collections.abc import Callable

import pytest
import qasync
from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.commands import LoopRunner, call, command, fault_code, reload_command, use_runner
from app.desktop.viewmodel import Failure, ViewModel
from app.domain.errors import Refusal, RefusalCode
from tests.desktop.runners import HeldRunner


class Till(ViewModel):
    """A view model with one of each kind of command."""

    paid = Signal(object)

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__()
        self._work = work
        self.answer: object = None
        self.answered_in: QThread | None = None
        self.loads: list[int] = []

    @command
    async def pay(self) -> None:
        self.answer = await call(self._work)
        self.answered_in = QThread.currentThread()
        self.paid.emit(self.answer)

    @reload_command
    async def load(self, month: int) -> None:
        await call(self._work)
        self.loads.append(month)


def test_five_presses_make_one_call(held_runner: HeldRunner) -> None:
    calls: list[int] = []
    till = Till(lambda: calls.append(1))
    assert [till.pay() for _ in range(5)] == [True, False, False, False, False]
    assert till.is_busy("pay")
    assert till.is_busy()
    held_runner.go_on()
    assert calls == [1]
    assert not till.is_busy()
    assert till.pay()


def test_a_reading_command_runs_again_with_the_newest_wish(held_runner: HeldRunner) -> None:
    till = Till(lambda: None)
    for month in (1, 2, 3):
        till.load(month)
    held_runner.go_on()
    held_runner.go_on()
    assert till.loads == [1, 3]
    assert held_runner.waiting == 0


def test_busy_is_told_before_and_after() -> None:
    till = Till(lambda: 7)
    seen: list[bool] = []
    till.changed.connect(lambda: seen.append(till.is_busy("pay")))
    till.pay()
    assert seen == [True, False]


def test_a_refusal_is_a_signal_and_frees_the_button() -> None:
    def refuse() -> None:
        raise Refusal(RefusalCode.SHIFT_NEEDED)

    till = Till(refuse)
    refused: list[Refusal] = []
    till.refused.connect(refused.append)
    till.pay()
    assert [no.code for no in refused] == [RefusalCode.SHIFT_NEEDED]
    assert not till.is_busy()


def test_a_failure_is_logged_and_its_signal_says_only_the_code(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise ValueError("secret detail")

    till = Till(fail)
    failures: list[Failure] = []
    till.failed.connect(failures.append)
    with caplog.at_level(logging.ERROR):
        till.pay()
    (failure,) = failures
    assert failure.command == "pay"
    assert failure.code.startswith("E-")
    assert "secret" not in repr(failure)
    assert failure.code in caplog.text


def test_the_same_fault_has_the_same_code() -> None:
    def code_of(number: int) -> str:
        try:
            raise ValueError(number)
        except ValueError as problem:
            return fault_code(problem)

    assert code_of(1) == code_of(2)


def test_nothing_starts_and_nothing_arrives_after_close(held_runner: HeldRunner) -> None:
    till = Till(lambda: 7)
    heard: list[object] = []
    till.paid.connect(heard.append)
    till.pay()
    till.close()
    assert held_runner.waiting == 0
    assert till.answer is None
    assert not till.pay()
    assert heard == []


@pytest.fixture
def loop(qapp: QApplication) -> qasync.QEventLoop:
    made = qasync.QEventLoop(qapp, already_running=False)
    before = use_runner(LoopRunner(made))
    yield made
    use_runner(before)
    made.close()


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def test_the_work_is_in_a_daemon_thread_and_the_answer_in_the_gui_thread(
    loop: qasync.QEventLoop, qapp: QApplication
) -> None:
    worked_in: list[threading.Thread] = []
    till = Till(lambda: worked_in.append(threading.current_thread()))
    till.pay()
    loop.run_until_complete(asyncio.wait_for(_until(lambda: till.answered_in is not None), 5))
    assert worked_in[0] is not threading.main_thread()
    assert worked_in[0].daemon
    assert till.answered_in is qapp.thread()


def test_refusals_cross_the_thread(loop: qasync.QEventLoop) -> None:
    def refuse() -> None:
        raise Refusal(RefusalCode.LOCK_LOST)

    till = Till(refuse)
    refused: list[Refusal] = []
    till.refused.connect(refused.append)
    till.pay()
    loop.run_until_complete(asyncio.wait_for(_until(lambda: bool(refused)), 5))
    assert refused[0].code is RefusalCode.LOCK_LOST


def test_a_late_answer_of_a_closed_screen_is_dropped(loop: qasync.QEventLoop) -> None:
    go_on, done = threading.Event(), threading.Event()

    def slow() -> int:
        go_on.wait(5)
        done.set()
        return 7

    till = Till(slow)
    till.pay()
    loop.run_until_complete(asyncio.sleep(0))
    till.close()
    go_on.set()
    loop.run_until_complete(asyncio.wait_for(_until(done.is_set), 5))
    loop.run_until_complete(asyncio.sleep(0.02))
    assert till.answer is None


class _Emitter(QObject):
    told = Signal(object)
    nodded = Signal(bool)


def test_signals_keep_the_reference_counts_of_none_and_true(qtbot: QtBot) -> None:
    """The canary for the binding that lost a reference on every emit and aborted after some hundred."""
    emitter = _Emitter()
    heard: list[object] = [None] * 2
    emitter.told.connect(lambda value: heard.__setitem__(0, value))
    emitter.nodded.connect(lambda value: heard.__setitem__(1, value))
    for _ in range(100):
        emitter.told.emit(None)
        emitter.nodded.emit(True)
    gc.collect()
    before = [sys.getrefcount(value) for value in (None, True, False)]
    for _ in range(5000):
        emitter.told.emit(None)
        emitter.told.emit(True)
        emitter.nodded.emit(True)
        emitter.nodded.emit(False)
    gc.collect()
    after = [sys.getrefcount(value) for value in (None, True, False)]
    assert all(abs(one - other) < 100 for one, other in zip(before, after, strict=True)), (before, after)
