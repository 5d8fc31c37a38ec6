"""Whether the database answers and how fast, and how the engine behind it stands: a probe every three seconds."""

import datetime as dt
import time
from collections import deque
from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command
from app.desktop.viewmodel import Failure, ViewModel
from app.domain.errors import Refusal
from app.usecases.engine_rows import EngineState

PROBE_MS = 3000
SLOW_MS = 1500
LOST_PROBES = 2
KEPT_PROBES = 20
LOSS_WINDOW = 3
SILENT_PROBES = 2
"""A service that is just starting has not beaten yet: it counts as stopped when two probes in a row say so."""


class Reach(StrEnum):
    """UNKNOWN until the first answer; SLOW when one of the last three probes was lost, or the 95th of a hundred takes
    more than 1.5 s."""

    UNKNOWN = "unknown"
    ONLINE = "online"
    SLOW = "slow"
    OFFLINE = "offline"


class ConnectionViewModel(ViewModel):
    """Probes with `server_now`, or with `engine`, whose answer brings the time along.

    Two lost probes in a row are OFFLINE; one good probe is enough to be back. `engine_changed` when what is known of
    the service or of drift differs from before.
    """

    reach_changed = Signal()
    engine_changed = Signal()

    def __init__(
        self,
        server_now: Callable[[], dt.datetime],
        stopwatch: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
        *,
        engine: Callable[[], EngineState] | None = None,
    ) -> None:
        super().__init__(parent)
        self._server_now = server_now
        self._engine = engine
        self._unswept = 0
        self.engine: EngineState | None = None
        """As the last good probe told it; None before, and where it is not asked for."""
        self._stopwatch = stopwatch
        self._started = 0.0
        self._lost = 0
        self._times: deque[float] = deque(maxlen=KEPT_PROBES)
        self._losses: deque[bool] = deque(maxlen=LOSS_WINDOW)
        self._last_answer: tuple[dt.datetime, float] | None = None
        self.reach = Reach.UNKNOWN
        self.latency_ms = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(PROBE_MS)
        self._timer.timeout.connect(self.tick)
        self.refused.connect(self._missed)
        self.failed.connect(self._missed)

    def start(self) -> None:
        """Probe now and every three seconds."""
        self._timer.start()
        self.tick()

    def close(self) -> None:
        self._timer.stop()
        super().close()

    def tick(self) -> None:
        """One step of the timer: a probe still on its way counts as lost, else a new one starts."""
        if self.is_busy("probe"):
            self._miss()
            return
        self.probe()

    @command
    async def probe(self) -> None:
        """Ask the server for its time, and how the engine stands."""
        self._started = self._stopwatch()
        found = None if self._engine is None else await call(self._engine)
        now = await call(self._server_now) if found is None else found.now
        ended = self._stopwatch()
        self.latency_ms = (ended - self._started) * 1000
        self._times.append(self.latency_ms)
        self._last_answer = (now, ended)
        self._lost = 0
        if self.reach is Reach.OFFLINE:
            self._losses.clear()
        self._losses.append(False)
        self._set(Reach.SLOW if self._is_slow() or any(self._losses) else Reach.ONLINE)
        if found is not None:
            self._learn(found)

    def now(self) -> dt.datetime | None:
        """The server's time now, carried on by this PC's steady clock; None before the first answer."""
        if self._last_answer is None:
            return None
        at, then = self._last_answer
        return at + dt.timedelta(seconds=self._stopwatch() - then)

    def last_answer_at(self) -> dt.datetime | None:
        """The server's time at the last good answer."""
        return self._last_answer[0] if self._last_answer else None

    def next_probe_in(self) -> int | None:
        """Whole seconds until the server is asked again; None while it is being asked, or is not asked at all."""
        if not self._timer.isActive() or self.is_busy("probe"):
            return None
        return max(1, round(self._timer.remainingTime() / 1000))

    @property
    def is_online(self) -> bool:
        return self.reach is not Reach.OFFLINE

    @property
    def nobody_sweeps(self) -> bool:
        """Whether what is not paid is ended late: no service works, or its sweep does not get on."""
        return self._unswept >= SILENT_PROBES

    def _is_slow(self) -> bool:
        """p95 of the kept probes (the second slowest of twenty; of fewer than three only the last one counts)."""
        return self.latency_ms > SLOW_MS or (len(self._times) > 2 and sorted(self._times)[-2] > SLOW_MS)

    def _learn(self, found: EngineState) -> None:
        before = self._told()
        self.engine = found
        self._unswept = 0 if found.somebody_sweeps else self._unswept + 1
        if self._told() != before:
            self.engine_changed.emit()

    def _told(self) -> object:
        """What of the engine anybody shows; beats that go on are none of it."""
        found = self.engine
        return found and (self.nobody_sweeps, found.service_runs, found.service_beat_at is None, found.drift)

    def _missed(self, why: Refusal | Failure) -> None:
        self._miss()

    def _miss(self) -> None:
        self._lost += 1
        self._losses.append(True)
        self._set(Reach.OFFLINE if self._lost >= LOST_PROBES else Reach.SLOW)

    def _set(self, reach: Reach) -> None:
        changed, self.reach = reach is not self.reach, reach
        self.changed.emit()
        if changed:
            self.reach_changed.emit()
