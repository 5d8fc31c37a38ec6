"""Settling one invoice at this counter: its lock, what was typed, and the one payment."""

import logging
import uuid
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer

from app.desktop.commands import call, command
from app.desktop.heartbeat import Clocks, Heartbeat
from app.desktop.screens.settlement_gateway import GatewayUse, SettlementGateway
from app.desktop.screens.settlement_kept import KeptTenders
from app.desktop.screens.settlement_lock import MakeHeartbeat
from app.desktop.screens.settlement_phase import Notice, Phase, SettlementCounter, TotalChange
from app.desktop.screens.walk_in_counter import Approve
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from app.domain.lock import TTL_SECONDS
from app.domain.money import Rupiah
from app.usecases.rows import InvoiceDetail
from app.usecases.settlement import HeldLock, Recalled, Receipt

log = logging.getLogger(__name__)

TICK_MS = 250
CHECK_SECONDS = 3
CONFIRM_SECONDS = 1.0


class SettlementViewModel(SettlementGateway):
    """One screen, one invoice, one attempt id: however often Bayar is pressed or retried, one payment (case C-61).

    The attempt id is made when the invoice is opened and kept until it is paid or left, also over a lost lock; with a
    card that was charged it is kept on the disk (`kept`) until it is recorded.
    """

    def __init__(
        self,
        counter: SettlementCounter,
        clocks: Clocks | None = None,
        *,
        make_heartbeat: MakeHeartbeat = Heartbeat,
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
        kept: KeptTenders | None = None,
        approve: Approve | None = None,
        gateway: GatewayUse | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(counter, clocks, make_heartbeat, new_id, kept, approve, gateway, parent)
        self.lock.changed.connect(self.changed)
        self.lock.renewed.connect(self._renewed)
        self.lock.refused.connect(self._lock_refused)
        self.lock.clock_jumped.connect(self._clock_jumped)
        self._ticks = QTimer(self)
        self._ticks.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticks.setInterval(TICK_MS)
        self._ticks.timeout.connect(self.tick)

    # --- typing ------------------------------------------------------------------------------------------------------

    def note_input(self) -> None:
        """A key or the mouse was used."""
        self.lock.note_input()

    def set_online(self, online: bool) -> None:
        """The database stopped or began to answer: nothing is sent into the dark, and the lock is renewed at once."""
        came_back = online and not self.is_online
        self.is_online = online
        if came_back and self.phase is Phase.OPEN:
            self.lock.beat_now()
        if came_back and self.phase is Phase.UNKNOWN:
            self.check_outcome()
        self.changed.emit()

    def note_shift_opened(self) -> None:
        """The shift that was missing is open. Nothing is paid by itself: Bayar is pressed again."""
        self.refusal = None
        self.notice = Notice.SHIFT_OPENED
        self.changed.emit()

    # --- opening and giving back -------------------------------------------------------------------------------------

    @command
    async def open(self, invoice_id: str, move: bool = False) -> None:
        """Take the lock and read the invoice. A refusal goes to `not_opened`: nothing opens without the lock (R-41)."""
        self._forget()
        self.invoice_id = invoice_id
        self._begin_tendering()
        await self._acquire(move)

    @command
    async def lock_again(self) -> None:
        """Take the lock again after it was lost. What was typed stays; a changed total is shown."""
        if self.phase is Phase.LOST:
            await self._acquire(False)

    @command
    async def view(self, invoice_id: str) -> None:
        """Read one invoice without its lock; nothing can be paid from there."""
        self._forget()
        self.invoice_id = invoice_id
        self._show(await call(self._settlement.invoice, invoice_id))
        self.phase = Phase.VIEWING
        self.opened.emit()

    @command
    async def release(self) -> None:
        """Give the lock back at once and close: `released` follows, whatever the database answers."""
        self._leaving = True
        self._drop_empty()
        if self.phase is Phase.ACQUIRING:
            return  # the answer to taking the lock is still out; it is given back as soon as it is in
        give_back = self.lock.let_go()
        try:
            await call(give_back)
        finally:
            self._finish_leaving()

    def dismiss(self) -> None:
        """Close at once what holds no lock: a paid invoice, a read-only view."""
        if self.lock.handle is None and self.phase in (Phase.PAID, Phase.VIEWING):
            self._finish_leaving()

    # --- paying ------------------------------------------------------------------------------------------------------

    @command
    async def pay(self) -> None:
        """Settle in full with everything tendered, under the lock, with this screen's attempt id."""
        self.lock.look_at_clocks()
        handle, tenders = self.lock.handle, self.tendering.tenders(self.due, self.step)
        if handle is None or not self.may_pay() or not self._is_confirmed():
            return
        if not await self._ended_before_paying():
            self.changed.emit()
            return
        self.phase = Phase.COMMITTING
        self.notice, self.refusal, self.total_change = Notice.NONE, None, None
        self.changed.emit()
        try:
            receipt = await call(self._settlement.settle, handle, self.attempt_id, tenders)
        except Refusal as no:
            await self._not_paid(no)
        except Exception:
            # Whether it was written is not known: a state of its own, never "failed" and never a new attempt.
            log.exception("the answer to paying %s was lost", self.invoice_id)
            self._enter_unknown()
        else:
            await self._enter_paid(receipt)

    @command
    async def check_outcome(self) -> None:
        """Ask the database whether this attempt was written. Asked by itself every 3 s while the outcome is unknown.

        "Not there" is told only when no transaction of the attempt can commit any more: while one is under way the
        outcome stays unknown. The lock goes on under another token, and a retry carries the same attempt id.
        """
        handle = self.lock.handle
        if self.phase is not Phase.UNKNOWN or handle is None:
            return
        self._last_check_at = sent_at = self._clocks.boot()
        try:
            found = await call(self._settlement.call_back, handle, self.attempt_id)
        except Refusal as no:
            log.info("outcome of %s still unknown: %s", handle.invoice_id, no.code)
            return
        if self.phase is not Phase.UNKNOWN or self.lock.handle != handle:
            await self._give_back(found)  # left meanwhile
            return
        if found.receipt is not None:
            await self._enter_paid(found.receipt)
            return
        self.notice = Notice.NOT_WRITTEN
        if found.lock is None:
            self._enter_lost("lost")
            return
        self.lock.keep(found.lock, sent_at)
        self._resume()

    # --- time --------------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Four times a second: the lock's seconds, the clocks, the person's silence."""
        self.lock.look_at_clocks()
        if self.phase is Phase.OPEN and self.lock.seconds_left() <= 0:
            self._enter_lost("idle" if self.lock.is_idle() else "expired")
        self._watch_code()
        if self.phase is Phase.UNKNOWN and self._clocks.boot() - self._last_check_at >= CHECK_SECONDS:
            self.check_outcome()
        self.ticked.emit()

    def close(self) -> None:
        """Stop the heartbeat for good; the lock of a window that was torn down ends by itself within 60 s."""
        self._ticks.stop()
        self.lock.forget()
        super().close()

    # --- steps -------------------------------------------------------------------------------------------------------

    async def _acquire(self, move: bool) -> None:
        self.phase = Phase.ACQUIRING
        self.changed.emit()
        sent_at = self._clocks.boot()
        try:
            held = await call(self._take, move)
            self.lock.keep(held, sent_at)
            detail = await call(self._settlement.invoice, self.invoice_id)
            await self._find_attempt()
        except Exception as problem:
            await call(self.lock.let_go())
            if self._leaving:
                self._finish_leaving()
                return
            if not isinstance(problem, Refusal):
                self._not_locked()
                raise
            await self._not_acquired(problem)
            return
        if self._leaving:
            await call(self.lock.let_go())
            self._finish_leaving()
            return
        before = self.detail
        self._show(detail)
        self._tell_change(before.row.total if before else detail.row.total, detail.row.total)
        self.phase = Phase.OPEN
        self.refusal = None
        self._tell_kept()
        self._ticks.start()
        if self.lock.seconds_left() <= 0:
            self._enter_lost("expired")  # the answer took the lock's whole life: nobody is told that it is held
        self.opened.emit()
        self.changed.emit()

    def _is_confirmed(self) -> bool:
        """An unusual amount is asked again; a second press counts after 1 s."""
        if not self.is_unusual():
            return True
        if self.notice is Notice.CONFIRM:
            return self._clocks.boot() - self._asked_at >= CONFIRM_SECONDS
        self.notice, self._asked_at = Notice.CONFIRM, self._clocks.boot()
        self.changed.emit()
        return False

    async def _give_back(self, found: Recalled) -> None:
        """Nobody is there any more for the lock that came with an answer."""
        if found.lock is None:
            return
        try:
            await call(self._settlement.release_lock, found.lock.handle)
        except Refusal as no:
            log.info("a lock that nobody waits for ends by itself within 60 s: %s", no.code)

    def _take(self, move: bool) -> HeldLock:
        return self._settlement.move_lock(self.invoice_id) if move else self._settlement.open_invoice(self.invoice_id)

    async def _not_acquired(self, no: Refusal) -> None:
        again = self.detail is not None
        if again and no.code is RefusalCode.BOOKING_STATE and no.params.get("state") == InvoiceState.PAID.value:
            receipt = await call(self._settlement.outcome_of, self.invoice_id, self.attempt_id)
            if receipt is not None:
                await self._enter_paid(receipt)
                return
            self.notice = Notice.PAID_ELSEWHERE
        if not again:
            await self._look_for_card(no)
        self.refusal = no if again else None
        self._not_locked()
        if not again:
            self.not_opened.emit(no)

    async def _look_for_card(self, no: Refusal) -> None:
        """A charge that was kept for this invoice, which cannot be opened any more: recorded after all, or told."""
        if no.code is not RefusalCode.BOOKING_STATE or not self.tendering.is_for_the_disk:
            return
        if await call(self._settlement.outcome_of, self.invoice_id, self.attempt_id) is not None:
            self._discard()
        elif self.tendering.charged:
            self.card_unrecorded.emit(self.tendering.charged)

    def _not_locked(self) -> None:
        self.phase = Phase.LOST if self.detail is not None else Phase.CLOSED
        self.changed.emit()

    async def _not_paid(self, no: Refusal) -> None:
        if no.code is RefusalCode.UNREACHABLE:
            self._enter_unknown()
            return
        if no.code is RefusalCode.LOCK_LOST:
            self._enter_lost(str(no.params.get("reason", "lost")))
            return
        self.refusal = no
        self._resume()
        if no.code is RefusalCode.AMOUNT_MISMATCH:
            before = self.due
            self._show(await call(self._settlement.invoice, self.invoice_id))
            self._tell_change(before, self.due)
            self.changed.emit()
        if no.code is RefusalCode.SHIFT_NEEDED:
            self.shift_needed.emit(no)

    async def _enter_paid(self, receipt: Receipt) -> None:
        self._ticks.stop()
        self.lock.forget()
        self._discard()
        self.receipt = receipt
        self._paid_at = self._clocks.boot()
        self.phase = Phase.PAID
        self.notice, self.refusal = Notice.NONE, None
        self.changed.emit()
        try:
            self._show(await call(self._settlement.invoice, self.invoice_id))
        except Refusal as no:
            log.info("paid invoice %s not read again: %s", self.invoice_id, no.code)
        self.changed.emit()
        self.paid.emit(receipt)

    def _enter_unknown(self) -> None:
        self.phase = Phase.UNKNOWN
        self._last_check_at = self._clocks.boot()
        self.changed.emit()
        self.outcome_unknown.emit()

    def _enter_lost(self, reason: str) -> None:
        self.lost_reason = reason
        now = self._clocks.boot()
        self.lost_at = min(now, self.lock.beat_at + TTL_SECONDS) if reason == "expired" else now
        self.phase = Phase.LOST
        self.changed.emit()
        self.lock_lost.emit()

    def _resume(self) -> None:
        """Back to typing, or to "lost" when the lock ended meanwhile."""
        self.phase = Phase.OPEN
        if self.lock.handle is None or self.lock.seconds_left() <= 0:
            self._enter_lost("expired")
        self.changed.emit()

    def _renewed(self) -> None:
        if self.notice is Notice.CLOCK_JUMPED:
            self.notice = Notice.NONE
        if self.phase is Phase.LOST:
            self.phase = Phase.OPEN  # that beat's answer was late; the database had renewed in time

    def _lock_refused(self, reason: str) -> None:
        """The lock is gone. While paying that may be our own payment: its answer decides, not the beat's."""
        if self.phase is Phase.UNKNOWN:
            self.check_outcome()
        elif self.phase is Phase.OPEN and self.attempt is not None:
            self.look_whether_paid(reason)
        elif self.phase is Phase.OPEN:
            self._enter_lost(reason)

    def _clock_jumped(self) -> None:
        if self.phase is Phase.OPEN:
            self.notice = Notice.CLOCK_JUMPED
            self.changed.emit()

    def _tell_change(self, before: Rupiah, after: Rupiah) -> None:
        if before != after:
            self.total_change = TotalChange(before=before, after=after)
            self.notice = Notice.TOTAL_CHANGED

    def _show(self, detail: InvoiceDetail) -> None:
        self.detail = detail
        self._read_at = self._clocks.boot()

    def _finish_leaving(self) -> None:
        self._forget()
        self.changed.emit()
        self.released.emit()

    def _forget(self) -> None:
        self._ticks.stop()
        self.lock.forget()
        self._reset()
