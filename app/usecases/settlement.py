"""Settle an invoice under its token lock (second seed): open, renew, move, release, pay. The database decides."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import NextAction, Refusal, RefusalCode, invalid
from app.domain.invoice import InvoiceState, Tender, TenderKind
from app.domain.lock import IDLE_LIMIT_SECONDS, LockHandle
from app.domain.money import ZERO, Rupiah
from app.domain.staff import Role, StaffMember, require_role
from app.domain.tender import Tendered, tendered
from app.usecases.alternatives import blocker_params
from app.usecases.index_work import IndexWork
from app.usecases.ports import Ids, Store
from app.usecases.rows import (
    InvoiceDetail,
    InvoiceRow,
    LockAnswer,
    LockOutcome,
    NewPayment,
    SettleAnswer,
    SettleOutcome,
)
from app.usecases.rows_lost import SentAttempt

log = logging.getLogger(__name__)

CASHIER = frozenset({Role.CASHIER})
MAX_IDLE_MS = 7 * 24 * 3600 * 1000
MAX_TOKEN = 200
MAX_EPOCH = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLock:
    """A lock that this window holds. `remaining_ms` counts from when the question was SENT."""

    handle: LockHandle
    remaining_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a settlement answers; `already`: this attempt had been recorded before, the receipt is the same."""

    payment_id: str
    number: str
    change: Rupiah
    paid_at: dt.datetime
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What became of a lost attempt: its receipt, or nothing was written and nothing of it ever will be.

    `lock` is the lock as it goes on then, under another token; None when it no longer stands.
    """

    receipt: Receipt | None = None
    lock: HeldLock | None = None


class Settlement:
    """Invoice use cases of one logged-in person at one counter."""

    def __init__(
        self, store: Store, work: IndexWork, who: StaffMember, counter: str, ids: Ids, beats: Store | None = None
    ) -> None:
        """`beats`: a connection of the heartbeat's own, so that no hanging read of a screen delays a beat."""
        self._store = store
        self._beats = beats or store
        self._work = work
        self._who = who
        self._counter = counter
        self._ids = ids

    def invoices(
        self, states: Sequence[InvoiceState] = (InvoiceState.OPEN,), settled_since: dt.datetime | None = None
    ) -> tuple[InvoiceRow, ...]:
        """The branch's invoices with lock owners and the lock's remaining time by the database's clock."""
        return self._store.read.invoices(self._who.branch.id, states, settled_since)

    def invoice(self, invoice_id: str) -> InvoiceDetail:
        """One invoice with lines, bookings and payments; takes no lock."""
        found = self._store.read.invoice(_checked_id(invoice_id))
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="invoice_id", next=(), invoice_id=invoice_id)
        return found

    def open_invoice(self, invoice_id: str) -> HeldLock:
        """Take the lock for 60 s, or refuse: LOCK_HELD names holder, counter, since when and for how long."""
        require_role(self._who, CASHIER, "settle")
        wanted, token = _checked_id(invoice_id), self._ids.token()
        answer = self._store.transact(lambda tx: tx.take_lock(wanted, token, self._counter), one_call=True)
        return self._held(answer, wanted, token)

    def renew_lock(self, handle: LockHandle, idle_ms: int) -> int:
        """Push the lock's end to now + 60 s; the answer is what remains in ms.

        Refuses LOCK_LOST when it expired, moved or was taken, and after 15 minutes without any input.
        """
        if not 0 <= idle_ms <= MAX_IDLE_MS:
            raise invalid("idle_ms", "not_a_duration", given=idle_ms)
        invoice_id = _checked_handle(handle)
        answer = self._beats.transact(
            lambda tx: tx.renew_lock(invoice_id, handle.token, handle.epoch, idle_ms), one_call=True
        )
        if answer.outcome is not LockOutcome.SAME:
            raise _lost(answer)
        return answer.remaining_ms

    def move_lock(self, invoice_id: str) -> HeldLock:
        """Move my own lock from another window or PC to this one; the old token dies at once."""
        require_role(self._who, CASHIER, "settle")
        wanted, token = _checked_id(invoice_id), self._ids.token()
        answer = self._store.transact(lambda tx: tx.move_lock(wanted, token, self._counter), one_call=True)
        return self._held(answer, wanted, token)

    def release_lock(self, handle: LockHandle) -> bool:
        """Unlock at once. Quietly False when the lock is no longer this one: never frees somebody else's (C-65)."""
        invoice_id = _checked_handle(handle)
        released = self._store.transact(
            lambda tx: tx.release_lock(invoice_id, handle.token, handle.epoch), one_call=True
        )
        if released:
            self._work.announce(self._who.branch.id, "invoice", handle.invoice_id)
        return released

    def settle(
        self, handle: LockHandle, attempt_id: str, tenders: Sequence[Tender], *, to_credit: Rupiah = ZERO
    ) -> Receipt:
        """Pay the invoice in full. One attempt id is one payment, however often it is sent (cases C-61, R-09).

        Where the branch rounds cash, the part that is paid in cash is rounded. Of what is handed over beyond the sum,
        `to_credit` is kept as the customer's credit; the rest is change. Refuses AMOUNT_MISMATCH, SHIFT_NEEDED,
        LOCK_LOST, DAYS_TAKEN, BOOKING_STATE, APPROVAL_NEEDED (a QRIS by hand, a company's debt): then nothing was
        written.
        """
        require_role(self._who, CASHIER, "settle")
        attempt = _checked_id(attempt_id, "attempt_id")
        invoice_id = _checked_handle(handle)
        detail = self.invoice(invoice_id)
        due = Rupiah(detail.row.total)
        try:
            how = tendered(due, tenders, step=self._who.branch.cash_rounding, to_credit=to_credit)
        except Refusal:
            if detail.row.state is InvoiceState.OPEN:
                raise
            how = Tendered(rows=(), change=ZERO, credited=ZERO, rounding=ZERO)
        payment = NewPayment(
            id=self._ids.uuid(),
            attempt_id=attempt,
            invoice_id=invoice_id,
            token=handle.token,
            epoch=handle.epoch,
            amount=Rupiah(due + how.rounding),
            change=how.change,
            tenders=how.rows,
            counter=self._counter,
            rounding=how.rounding,
            credited=how.credited,
        )
        answer = self._store.transact(lambda tx: tx.settle(payment), one_call=True)
        if answer.outcome not in {SettleOutcome.PAID, SettleOutcome.ALREADY}:
            raise _not_settled(answer, detail, any(row.kind is TenderKind.CASH for row in how.rows))
        if answer.payment_id is None or answer.number is None or answer.paid_at is None:
            raise RuntimeError(f"a {answer.outcome} answer came without its receipt")
        self._work.announce(self._who.branch.id, "invoice", handle.invoice_id)
        for booking_id in answer.booking_states or {}:
            self._work.announce(self._who.branch.id, "booking", booking_id)
        log.info("invoice %s %s as %s", handle.invoice_id, answer.outcome.value, answer.number)
        return Receipt(
            payment_id=answer.payment_id,
            number=answer.number,
            change=answer.change,
            paid_at=answer.paid_at,
            already=answer.outcome is SettleOutcome.ALREADY,
        )

    def call_back(self, handle: LockHandle, attempt_id: str) -> Recalled:
        """Make certain what became of an attempt whose answer was lost.

        Refuses UNREACHABLE while that is open: also while a transaction of the attempt may still commit.
        """
        sent = SentAttempt(
            invoice_id=_checked_handle(handle),
            attempt_id=_checked_id(attempt_id, "attempt_id"),
            token=handle.token,
            epoch=handle.epoch,
            fresh_token=self._ids.token(),
            counter=self._counter,
        )
        answer = self._store.transact(lambda tx: tx.call_back_payment(sent), one_call=True)
        if answer.payment_id is not None and answer.number is not None and answer.paid_at is not None:
            return Recalled(
                receipt=Receipt(
                    payment_id=answer.payment_id,
                    number=answer.number,
                    change=answer.change,
                    paid_at=answer.paid_at,
                    already=True,
                )
            )
        if answer.lock.outcome not in {LockOutcome.TAKEN, LockOutcome.SAME}:
            return Recalled()
        return Recalled(lock=self._held(answer.lock, sent.invoice_id, sent.fresh_token))

    def outcome_of(self, invoice_id: str, attempt_id: str) -> Receipt | None:
        """The receipt of an attempt that is recorded; None proves nothing while the attempt may be under way."""
        detail = self.invoice(invoice_id)
        for payment in detail.payments:
            if payment.attempt_id == attempt_id and detail.row.number is not None:
                return Receipt(
                    payment_id=payment.id,
                    number=detail.row.number,
                    change=payment.change,
                    paid_at=payment.paid_at,
                    already=True,
                )
        return None

    def _held(self, answer: LockAnswer, invoice_id: str, token: str) -> HeldLock:
        if answer.outcome in {LockOutcome.TAKEN, LockOutcome.SAME}:
            self._work.announce(self._who.branch.id, "invoice", invoice_id)
            return HeldLock(
                handle=LockHandle(invoice_id=invoice_id, token=token, epoch=answer.epoch),
                remaining_ms=answer.remaining_ms,
            )
        raise _not_opened(answer, invoice_id)


def _checked_id(text: str, field: str = "invoice_id") -> str:
    try:
        return str(uuid.UUID(text))
    except (ValueError, AttributeError, TypeError):
        raise invalid(field, "not_a_uuid", given=str(text)[:60]) from None


def _checked_handle(handle: LockHandle) -> str:
    """The handle's invoice id; a token or an epoch that no lock can have is refused before it is asked for."""
    invoice_id = _checked_id(handle.invoice_id)
    if not (0 < len(handle.token) <= MAX_TOKEN and handle.token.isascii() and handle.token.isprintable()):
        raise invalid("token", "not_a_token")
    if not 0 <= handle.epoch <= MAX_EPOCH:
        raise invalid("epoch", "not_an_epoch", given=handle.epoch)
    return invoice_id


def _not_opened(answer: LockAnswer, invoice_id: str) -> Refusal:
    match answer.outcome:
        case LockOutcome.HELD | LockOutcome.MINE_ELSEWHERE:
            mine = answer.outcome is LockOutcome.MINE_ELSEWHERE
            actions = (NextAction("move_here", {"invoice_id": invoice_id}),) if mine else ()
            return Refusal(
                RefusalCode.LOCK_MINE_ELSEWHERE if mine else RefusalCode.LOCK_HELD,
                next=(
                    *actions,
                    NextAction("tell_me", {"invoice_id": invoice_id}),
                    NextAction("view_only", {"invoice_id": invoice_id}),
                ),
                invoice_id=invoice_id,
                holder=answer.holder,
                holder_name=answer.holder_name,
                counter=answer.holder_counter,
                since=answer.held_since,
                remaining_ms=answer.remaining_ms,
            )
        case LockOutcome.EXPIRED_BOOKING:
            return Refusal(RefusalCode.BOOKING_EXPIRED, next=(), invoice_id=invoice_id)
        case LockOutcome.NOT_OPEN:
            state = answer.invoice_state.value if answer.invoice_state else None
            return Refusal(RefusalCode.BOOKING_STATE, field="invoice_id", next=(), state=state, invoice_id=invoice_id)
        case LockOutcome.NOT_FOUND:
            return Refusal(RefusalCode.NOT_FOUND, field="invoice_id", next=(), invoice_id=invoice_id)
        case _:
            return _lost(answer)


def _lost(answer: LockAnswer) -> Refusal:
    return Refusal(
        RefusalCode.LOCK_LOST,
        next=(NextAction("lock_again"),),
        reason=answer.outcome.value.lower(),
        holder_name=answer.holder_name,
        counter=answer.holder_counter,
        idle_limit=IDLE_LIMIT_SECONDS,
    )


def _not_settled(answer: SettleAnswer, detail: InvoiceDetail, cash: bool) -> Refusal:
    match answer.outcome:
        case SettleOutcome.LOCK_LOST:
            return Refusal(RefusalCode.LOCK_LOST, next=(NextAction("lock_again"),), reason="lost")
        case SettleOutcome.SHIFT_NEEDED:
            return Refusal(RefusalCode.SHIFT_NEEDED, next=(NextAction("open_shift"),), cash=cash)
        case SettleOutcome.AMOUNT_MISMATCH:
            return Refusal(
                RefusalCode.AMOUNT_MISMATCH,
                field="tenders.amount",
                next=(NextAction("reload"),),
                due=answer.due,
                shown=detail.row.total,
            )
        case SettleOutcome.DAYS_TAKEN:
            return Refusal(RefusalCode.DAYS_TAKEN, next=(), blockers=[blocker_params(item) for item in answer.blockers])
        case SettleOutcome.NOT_FOUND:
            return Refusal(RefusalCode.NOT_FOUND, field="invoice_id", next=())
        case _:
            return Refusal(
                RefusalCode.BOOKING_STATE,
                field="invoice_id",
                next=(NextAction("reload"),),
                state=detail.row.state.value,
            )
