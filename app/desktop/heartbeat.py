"""The heartbeat of an invoice lock: a QTimer every 30 s in a thread of its own, and the clocks it is counted on.

The second seed, step 2: renew every 30 s to now + 60 s. A beat that fails is tried again after 5 s, one at a time.
"""

import atexit
import logging
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal

from app.bootstrap import machine_clock
from app.domain.errors import Refusal, RefusalCode
from app.domain.lock import HEARTBEAT_SECONDS, IDLE_LIMIT_SECONDS, RETRY_SECONDS, Deadline

log = logging.getLogger(__name__)

WINDOW_SILENT_SECONDS = 120
JUMP_SECONDS = 1.5


class SuspendProofClock(Protocol):
    """Seconds that run on while the PC sleeps and are never set back."""

    def __call__(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """`boot` counts a lock down; `wall` and `steady` are compared, a difference that jumps distrusts both."""

    boot: SuspendProofClock
    wall: Callable[[], float]
    steady: Callable[[], float]


def system_clocks() -> Clocks:
    """The PC's clocks."""
    return Clocks(boot=machine_clock.boot, wall=machine_clock.wall, steady=time.monotonic)


class JumpWatch:
    """Tells whether wall and steady clock moved apart since the last look: the PC slept, or its time was set."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks
        self._apart = clocks.wall() - clocks.steady()

    def has_jumped(self) -> bool:
        """True once for each jump of more than 1.5 s; slow corrections of the wall clock are none."""
        apart = self._clocks.wall() - self._clocks.steady()
        jumped = abs(apart - self._apart) > JUMP_SECONDS
        self._apart = apart
        return jumped


class Pulse(QObject):
    """Decides when a beat is sent and what its answer means. It lives in the heartbeat's thread; tests drive it alone.

    `renew` blocks, so each beat has a thread of its own: this one always answers, and can be ended while a beat hangs.
    """

    renewed = Signal(object)
    missed = Signal()
    lost = Signal(object)
    _answered = Signal(float, object)

    def __init__(self, renew: Callable[[int], int], boot: SuspendProofClock) -> None:
        super().__init__()
        self._renew = renew
        self._boot = boot
        self._guard = threading.Lock()
        self._stopped = False
        self._quiet = threading.Event()
        self._quiet.set()
        self._input_at = self._window_at = boot()
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self.beat)
        self._answered.connect(self._take_answer)

    def begin(self) -> None:
        """Wait for the first beat."""
        self.timer.start(HEARTBEAT_SECONDS * 1000)

    def halt(self) -> None:
        """Runs as the last thing of the thread: a timer is stopped where it lives."""
        self.timer.stop()

    def stop(self) -> None:
        """From any thread: no beat starts after this; one in flight goes on."""
        with self._guard:
            self._stopped = True

    def wait_until_quiet(self, seconds: float) -> bool:
        """Wait for a beat in flight; False when it still is after `seconds`. Not for the GUI thread."""
        return self._quiet.wait(seconds)

    def note_input(self) -> None:
        """The person touched a key or the mouse."""
        self._input_at = self._boot()

    def note_window(self) -> None:
        """The window's event loop ran."""
        self._window_at = self._boot()

    def idle_seconds(self) -> float:
        return max(0.0, self._boot() - self._input_at)

    def beat(self) -> None:
        """Send one beat, unless one is in flight, nobody touched anything for 15 min, or the window hangs for 2 min."""
        with self._guard:
            if self._stopped or not self._quiet.is_set():
                return
            silent = self._boot() - self._window_at > WINDOW_SILENT_SECONDS
            if silent or self.idle_seconds() >= IDLE_LIMIT_SECONDS:
                self.timer.start(RETRY_SECONDS * 1000)
                return
            self._quiet.clear()
        threading.Thread(target=self._send, name="sentra-beat", daemon=True).start()

    def _send(self) -> None:
        sent_at = self._boot()
        answer: object
        try:
            answer = self._renew(round(self.idle_seconds() * 1000))
        except Refusal as no:
            answer = no
        except Exception as problem:
            log.exception("a heartbeat failed")
            answer = problem
        self._quiet.set()
        self._answered.emit(sent_at, answer)

    def _take_answer(self, sent_at: float, answer: object) -> None:
        with self._guard:
            if self._stopped:
                return
        if isinstance(answer, int):
            spent = round((self._boot() - sent_at) * 1000)
            self.timer.start(min(HEARTBEAT_SECONDS * 1000, max(0, HEARTBEAT_SECONDS * 1000 - spent)))
            self.renewed.emit(Deadline(sent_at=sent_at, remaining_ms=answer))
        elif isinstance(answer, Refusal) and answer.code is not RefusalCode.UNREACHABLE:
            self.lost.emit(answer)
        else:
            self.timer.start(RETRY_SECONDS * 1000)
            self.missed.emit()


def _end(thread: QThread, pulse: Pulse) -> None:
    pulse.stop()
    if thread.isRunning():
        thread.quit()
        thread.wait()


def _end_all() -> None:
    """At the program's end: what still beats ends while Qt is there.

    `weakref` keeps one last call for all its finalizers, in the order of whoever used it first; a database pool may be
    before Qt, and then Qt's objects would be gone by the time the threads are asked to end.
    """
    for heart in list(_hearts):
        heart._ending()


_hearts: "weakref.WeakSet[Heartbeat]" = weakref.WeakSet()
atexit.register(_end_all)  # last registered, first called: PySide6 was imported above


class Heartbeat(QObject):
    """Keeps one lock alive from `start` to `stop`. All signals arrive in the thread that made this object.

    `renewed` carries the new Deadline, counted from when that beat was SENT; `missed`: a beat failed and is tried
    again in 5 s; `lost` carries the database's refusal, after which no beat is sent.
    """

    renewed = Signal(object)
    missed = Signal()
    lost = Signal(object)
    beat_now = Signal()

    def __init__(self, renew: Callable[[int], int], boot: SuspendProofClock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread()
        self._thread.setObjectName("sentra-heartbeat")
        self._pulse = Pulse(renew, boot)
        self._pulse.moveToThread(self._thread)
        self._thread.started.connect(self._pulse.begin)
        self._thread.finished.connect(self._pulse.halt, Qt.ConnectionType.DirectConnection)
        self.beat_now.connect(self._pulse.beat)
        self._pulse.renewed.connect(self.renewed)
        self._pulse.missed.connect(self.missed)
        self._pulse.lost.connect(self.lost)
        # Whoever forgets to stop it must not take the program down: Qt aborts when a running thread is deleted.
        self._ending = weakref.finalize(self, _end, self._thread, self._pulse)
        self._ending.atexit = False  # _end_all does it, in time
        _hearts.add(self)

    def start(self) -> None:
        """The first beat is sent after 30 s, from a thread that does not wait for the window."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the timer at once; a beat in flight goes on (`wait_until_quiet`), its answer is dropped."""
        _end(self._thread, self._pulse)

    def is_running(self) -> bool:
        return self._thread.isRunning()

    def wait_until_quiet(self, seconds: float) -> bool:
        """Wait for a beat in flight; False when it still is after `seconds`. Call it outside the GUI thread."""
        return self._pulse.wait_until_quiet(seconds)

    def note_input(self) -> None:
        self._pulse.note_input()

    def note_window(self) -> None:
        self._pulse.note_window()

    def idle_seconds(self) -> float:
        """Seconds since the last key or mouse press."""
        return self._pulse.idle_seconds()
