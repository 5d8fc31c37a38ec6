"""Whether the database answers and how fast: a probe every three seconds, and the server's time between them."""

import datetime as dt
import time
from collections import deque
from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command
from app.desktop.viewmodel import Failure, ViewModel
from app.domain.errors import Refusal

PROBE_MS = 3000
SLOW_MS = 1500
LOST_PROBES = 2
KEPT_PROBES = 20


class Reach(StrEnum):
    """UNKNOWN until the first answer; SLOW when the slowest of the last probes took over 1.5 s or one was lost."""

    UNKNOWN = "unknown"
    ONLINE = "online"
    SLOW = "slow"
    OFFLINE = "offline"


class ConnectionViewModel(ViewModel):
    """Probes with `server_now`. Two lost probes in a row are OFFLINE; one good probe is enough to be back."""

    reach_changed = Signal()

    def __init__(
        self,
        server_now: Callable[[], dt.datetime],
        stopwatch: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._server_now = server_now
        self._stopwatch = stopwatch
        self._started = 0.0
        self._lost = 0
        self._times: deque[float] = deque(maxlen=KEPT_PROBES)
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
        """Ask the server for its time."""
        self._started = self._stopwatch()
        now = await call(self._server_now)
        ended = self._stopwatch()
        self.latency_ms = (ended - self._started) * 1000
        self._times.append(self.latency_ms)
        self._last_answer = (now, ended)
        self._lost = 0
        slow = self.latency_ms > SLOW_MS or (len(self._times) > 2 and sorted(self._times)[-2] > SLOW_MS)
        self._set(Reach.SLOW if slow else Reach.ONLINE)

    def now(self) -> dt.datetime | None:
        """The server's time now, carried on by this PC's steady clock; None before the first answer."""
        if self._last_answer is None:
            return None
        at, then = self._last_answer
        return at + dt.timedelta(seconds=self._stopwatch() - then)

    def last_answer_at(self) -> dt.datetime | None:
        """The server's time at the last good answer."""
        return self._last_answer[0] if self._last_answer else None

    @property
    def is_online(self) -> bool:
        return self.reach is not Reach.OFFLINE

    def _missed(self, why: Refusal | Failure) -> None:
        self._miss()

    def _miss(self) -> None:
        self._lost += 1
        self._set(Reach.OFFLINE if self._lost >= LOST_PROBES else Reach.SLOW)

    def _set(self, reach: Reach) -> None:
        changed, self.reach = reach is not self.reach, reach
        self.changed.emit()
        if changed:
            self.reach_changed.emit()
