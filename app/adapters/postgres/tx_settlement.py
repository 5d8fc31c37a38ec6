"""The invoice lock, settling under it, and cash shifts: calls and answers."""

from __future__ import annotations

from app.adapters.postgres.tx_call import Call, Told, as_json, blocker_of, moment_of
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from app.domain.money import Rupiah
from app.usecases.rows import LockAnswer, LockOutcome, NewPayment, SettleAnswer, SettleOutcome, ShiftRow
from app.usecases.rows_lost import CalledBack, SentAttempt


def take_lock(call: Call, invoice_id: str, token: str, counter: str) -> LockAnswer:
    """Take the lock for 60 s, or say who holds it."""
    return _answer(call.ask("SELECT sentra.take_lock(%s, %s, %s)", invoice_id, token, counter))


def renew_lock(call: Call, invoice_id: str, token: str, epoch: int, idle_ms: int) -> LockAnswer:
    """SAME with 60 s again, LOST, or IDLE."""
    return _answer(call.ask("SELECT sentra.renew_lock(%s, %s, %s, %s)", invoice_id, token, epoch, idle_ms))


def move_lock(call: Call, invoice_id: str, token: str, counter: str) -> LockAnswer:
    """My own lock under a new token; the old one dies."""
    return _answer(call.ask("SELECT sentra.move_lock(%s, %s, %s)", invoice_id, token, counter))


def call_back_payment(call: Call, sent: SentAttempt) -> CalledBack:
    """The payment of this attempt, or a lock under whose answer no transaction of it can commit any more."""
    told = call.ask(
        "SELECT sentra.call_back_payment(%s, %s, %s, %s, %s, %s)",
        sent.invoice_id,
        sent.attempt_id,
        sent.token,
        sent.epoch,
        sent.fresh_token,
        sent.counter,
    )
    return CalledBack(
        lock=_answer(told),
        payment_id=told.get("payment_id"),
        number=told.get("number"),
        change=Rupiah(told.get("change") or 0),
        paid_at=moment_of(told["paid_at"]) if told.get("paid_at") else None,
    )


def release_lock(call: Call, invoice_id: str, token: str, epoch: int) -> bool:
    """True when this very lock was released."""
    return bool(call.ask("SELECT sentra.release_lock(%s, %s, %s)", invoice_id, token, epoch))


def settle(call: Call, payment: NewPayment) -> SettleAnswer:
    """Pay in full. PAID and ALREADY carry the receipt; with anything else nothing was written."""
    try:
        told = call.ask("SELECT sentra.settle_invoice(%s)", as_json(payment_json(payment)))
    except Refusal as no:
        # The lock ran out while the function waited for rows. Its error undid what it had written, and the transaction
        # can only roll back.
        if no.code is not RefusalCode.LOCK_LOST:
            raise
        return SettleAnswer(outcome=SettleOutcome.LOCK_LOST)
    states = told.get("booking_states")
    return SettleAnswer(
        outcome=SettleOutcome(told["outcome"]),
        payment_id=told.get("payment_id"),
        number=told.get("number"),
        change=Rupiah(told.get("change") or 0),
        paid_at=moment_of(told["paid_at"]) if told.get("paid_at") else None,
        booking_states=None if states is None else {key: BookingState(value) for key, value in states.items()},
        blockers=tuple(blocker_of(item) for item in told.get("blockers", ())),
        due=Rupiah(told.get("due") or 0),
    )


def open_shift(call: Call, drawer: str, opening_float: Rupiah, counter: str) -> ShiftRow:
    """Open a shift; DUPLICATE when this cashier or this drawer has one."""
    told = call.ask("SELECT sentra.open_shift(%s, %s, %s, %s)", drawer, opening_float, counter, call.again)
    return ShiftRow(
        id=told["id"],
        number=told["number"],
        drawer=told["drawer"],
        opening_float=Rupiah(told["opening_float"]),
        opened_at=moment_of(told["opened_at"]),
    )


def payment_json(payment: NewPayment) -> dict[str, object]:
    """What `settle_invoice` is given."""
    return {
        "id": payment.id,
        "attempt_id": payment.attempt_id,
        "invoice_id": payment.invoice_id,
        "token": payment.token,
        "epoch": payment.epoch,
        "amount": payment.amount,
        "change": payment.change,
        "counter": payment.counter,
        "rounding": payment.rounding,
        "credited": payment.credited,
        "tenders": [
            {
                "kind": tender.kind.value,
                "amount": tender.amount,
                "received": tender.received,
                "reference": tender.reference,
                "bank": tender.bank,
                "last4": tender.last4,
                "approval_code": tender.approval_code,
                "sender": tender.sender,
                "paid_on": tender.paid_on,
                "approval_id": tender.approval_id,
            }
            for tender in payment.tenders
        ],
    }


def _answer(told: Told) -> LockAnswer:
    state = told.get("invoice_state")
    since = told.get("held_since")
    return LockAnswer(
        outcome=LockOutcome(told["outcome"]),
        epoch=told["epoch"],
        remaining_ms=told["remaining_ms"],
        holder=told.get("holder"),
        holder_name=told.get("holder_name"),
        holder_counter=told.get("holder_counter"),
        held_since=moment_of(since) if since else None,
        invoice_state=InvoiceState(state) if state else None,
    )
