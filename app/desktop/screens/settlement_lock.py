"""One invoice lock as this window holds it: its deadline, its heartbeat, and whether the PC's clocks can be trusted."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.desktop.heartbeat import Clocks, Heartbeat, JumpWatch, SuspendProofClock
from app.domain.errors import Refusal
from app.domain.lock import IDLE_LIMIT_SECONDS, Deadline, LockHandle
from app.usecases.settlement import HeldLock, Settlement

log = logging.getLogger(__name__)

BEAT_GRACE_SECONDS = 10
MakeHeartbeat = Callable[[Callable[[int], int], SuspendProofClock], Heartbeat]


class KeptLock(QObject):
    """Holds at most one lock. `refused` carries the reason when the database says that it is gone."""

    changed = Signal()
    renewed = Signal()
    refused = Signal(str)
    clock_jumped = Signal()

    def __init__(self, settlement: Settlement, clocks: Clocks, make_heartbeat: MakeHeartbeat, parent: QObject) -> None:
        super().__init__(parent)
        self._settlement = settlement
        self._clocks = clocks
        self._make_heartbeat = make_heartbeat
        self._jumps = JumpWatch(clocks)
        self._deadline: Deadline | None = None
        self._heart: Heartbeat | None = None
        self.handle: LockHandle | None = None
        self.clock_trusted = True
        self.beat_at = 0.0
        """When the last successful beat was sent, on the suspend-proof clock."""

    def keep(self, held: HeldLock, sent_at: float) -> None:
        """Hold a lock that was asked for at `sent_at`, and beat from now on."""
        self._stop_heart()
        handle = held.handle
        self.handle = handle
        self._trust(Deadline(sent_at=sent_at, remaining_ms=held.remaining_ms))
        heart = self._make_heartbeat(lambda idle_ms: self._settlement.renew_lock(handle, idle_ms), self._clocks.boot)
        # A beat of an earlier lock may answer late: only the heart in use speaks for this one.
        heart.renewed.connect(lambda deadline: self._beat_answered(deadline) if heart is self._heart else None)
        heart.missed.connect(self.changed)
        heart.lost.connect(lambda no: self._beat_refused(no) if heart is self._heart else None)
        self._heart = heart
        heart.start()

    def forget(self) -> None:
        """Stop beating and hold nothing; the lock itself is not touched (it was paid, or somebody else has it)."""
        self._stop_heart()
        self.handle = None
        self._deadline = None
        self.clock_trusted = True

    def let_go(self) -> Callable[[], None]:
        """Stop beating and hold nothing; the answer gives the lock back and is to be called outside the GUI thread.

        It waits for a beat in flight first, so that no beat outlives the lock.
        """
        heart, handle = self._heart, self.handle
        self.forget()

        def give_back() -> None:
            if handle is None:
                return
            if heart is not None and not heart.wait_until_quiet(BEAT_GRACE_SECONDS):
                log.info("a beat of %s still hangs; its lock is given back all the same", handle.invoice_id)
            try:
                self._settlement.release_lock(handle)
            except Refusal as no:
                log.info("lock of %s not given back (%s): it ends by itself within 60 s", handle.invoice_id, no.code)

        return give_back

    def seconds_left(self) -> float:
        """On the suspend-proof clock, counted from when the last successful beat was sent."""
        return self._deadline.seconds_left(self._clocks.boot()) if self._deadline else 0.0

    def idle_seconds(self) -> float:
        return self._heart.idle_seconds() if self._heart is not None else 0.0

    def is_idle(self) -> bool:
        """True when renewing stopped because nobody touched anything for 15 minutes."""
        return self.idle_seconds() >= IDLE_LIMIT_SECONDS

    def note_input(self) -> None:
        if self._heart is not None:
            self._heart.note_input()

    def look_at_clocks(self) -> None:
        """Tell the heartbeat that the window answers; distrust the clocks when they moved apart since the last look."""
        if self._heart is not None:
            self._heart.note_window()
        if self._jumps.has_jumped() and self.handle is not None:
            self.clock_trusted = False
            self.beat_now()
            self.clock_jumped.emit()

    def beat_now(self) -> None:
        """Ask the database at once instead of at the next turn of the heartbeat."""
        if self._heart is not None:
            self._heart.beat_now.emit()

    def _beat_answered(self, deadline: Deadline) -> None:
        self._trust(deadline)
        self.renewed.emit()
        self.changed.emit()

    def _beat_refused(self, no: Refusal) -> None:
        self._stop_heart()
        self._deadline = None
        self.refused.emit(str(no.params.get("reason", "lost")))

    def _trust(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self.beat_at = deadline.sent_at
        self._jumps.has_jumped()
        self.clock_trusted = True

    def _stop_heart(self) -> None:
        heart, self._heart = self._heart, None
        if heart is not None:
            heart.stop()
