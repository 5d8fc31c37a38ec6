"""Operations: open an invoice and pay it, alone, from two windows, beside a colleague, or after being called away."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState, Tender, TenderKind
from app.domain.lock import TTL_SECONDS, LockHandle
from app.usecases.settlement import HeldLock, Receipt
from tests.faults.desk import Broken, Desk, Window
from tests.faults.history import now_ns
from tests.faults.registry import BUSY, GONE, operation, refused
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT

NOT_PAID = GONE | BUSY | {RefusalCode.LOCK_MINE_ELSEWHERE, RefusalCode.AMOUNT_MISMATCH}
"""AMOUNT_MISMATCH: the lock ran out and the rest of the order was cancelled and priced anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """An acknowledged settlement, with what sends it again."""

    handle: LockHandle
    attempt_id: str
    tenders: tuple[Tender, ...]
    receipt: Receipt


@operation(weight=6)
def settle(desk: Desk) -> None:
    held = desk.unpaid()
    if held is None:
        return
    attempt = desk.counter.new_id()
    try:
        lock = lock_here(desk, desk.counter, held.invoice_id)
        if desk.dice.random() < 0.2:
            _step_out(desk, lock.handle)
        if desk.dice.random() < 0.15:
            desk.lose_an_answer(COMMIT)
        paid = pay(desk, desk.counter, lock.handle, attempt)
    except Refusal as no:
        not_paid(desk, no, held.invoice_id, attempt)
        return
    if desk.dice.random() < 0.3:
        send_again(desk, desk.counter, paid)


@operation(weight=1.5)
def move_the_lock_here(desk: Desk) -> None:
    """The same person at the next window: the old one cannot pay any more, the new one can."""
    held = desk.unpaid()
    if held is None:
        return
    attempt, late = desk.counter.new_id(), desk.counter.new_id()
    here = desk.window(Window.MINE)
    try:
        old = lock_here(desk, desk.counter, held.invoice_id)
        asked = now_ns()
        new = desk.settled(lambda: here.settlement.move_lock(held.invoice_id))
        _locked(desk, here, new, asked)
    except Refusal as no:
        not_paid(desk, no, held.invoice_id, attempt)
        return
    try:
        pay(desk, desk.counter, old.handle, late)
    except Refusal as no:
        not_paid(desk, no, held.invoice_id, late)
    else:
        raise Broken("LOCK", invoice_id=held.invoice_id, paid_under=old.handle.epoch, moved_to=new.handle.epoch)
    if held.invoice_id not in {other.invoice_id for other in desk.held.values()}:
        return
    try:
        pay(desk, here, new.handle, attempt)
    except Refusal as no:
        not_paid(desk, no, held.invoice_id, attempt)


@operation(weight=1.5)
def two_desks_settle_one_invoice(desk: Desk) -> None:
    """Two people take the same invoice at the same moment: at most one of them is paid."""
    held = desk.unpaid()
    if held is None:
        return
    said = at_once(
        *(
            lambda counter=counter: _open_and_pay(desk, counter, held.invoice_id)
            for counter in (desk.counter, desk.window(Window.COLLEAGUE))
        )
    )
    if len([paid for paid in said.results if paid is not None]) > 1:
        raise Broken("ONE_PAYER", invoice_id=held.invoice_id, receipts=str(said.results))


@operation(weight=1)
def settle_somebody_elses(desk: Desk) -> None:
    """Whatever invoice of the branch is open, another desk may be at it."""
    try:
        waiting = desk.settled(lambda: desk.counter.settlement.invoices((InvoiceState.OPEN,)))
    except Refusal as no:
        refused(desk, "invoices", no, frozenset())
        return
    if waiting:
        _open_and_pay(desk, desk.counter, desk.dice.choice(waiting).id)


@operation(weight=1.5)
def leave_an_invoice_open(desk: Desk) -> None:
    """A clerk who is called away: the lock is left to its end, or given back."""
    held = desk.unpaid()
    if held is None:
        return
    try:
        lock = lock_here(desk, desk.counter, held.invoice_id)
        if desk.dice.random() < 0.4:
            desk.settled(lambda: desk.counter.settlement.release_lock(lock.handle))
    except Refusal as no:
        not_paid(desk, no, held.invoice_id, None)


def lock_here(desk: Desk, counter: Counter, invoice_id: str) -> HeldLock:
    """Open the invoice; a lock that this clerk left somewhere is moved here. Not asked again by itself: each question
    has a token of its own, and the lock of a lost answer is the clerk's "elsewhere"."""
    asked = now_ns()
    try:
        lock = desk.settled(lambda: counter.settlement.open_invoice(invoice_id))
    except Refusal as no:
        if no.code is not RefusalCode.LOCK_MINE_ELSEWHERE:
            raise
        asked = now_ns()
        lock = desk.settled(lambda: counter.settlement.move_lock(invoice_id))
    _locked(desk, counter, lock, asked)
    return lock


def pay(desk: Desk, counter: Counter, handle: LockHandle, attempt: str) -> Paid:
    """Pay what is due in exact cash under this lock; raises the Refusal."""
    settlement = counter.settlement
    desk.history.write("asked", op="settle", invoice_id=handle.invoice_id, attempt_id=attempt)
    total = desk.settled(lambda: settlement.invoice(handle.invoice_id)).row.total
    tenders = (Tender(kind=TenderKind.CASH, amount=total),)
    receipt = desk.settled(lambda: settlement.settle(handle, attempt, tenders))
    desk.history.write(
        "paid",
        invoice_id=handle.invoice_id,
        payment_id=receipt.payment_id,
        number=receipt.number,
        attempt_id=attempt,
        amount=total,
        epoch=handle.epoch,
        paid_at=receipt.paid_at,
    )
    for other in desk.held.values():
        other.paid = other.paid or other.invoice_id == handle.invoice_id
    return Paid(handle=handle, attempt_id=attempt, tenders=tenders, receipt=receipt)


def send_again(desk: Desk, counter: Counter, paid: Paid) -> None:
    """The same attempt once more: its first answer, whatever the lock is by now."""
    try:
        again = desk.settled(lambda: counter.settlement.settle(paid.handle, paid.attempt_id, paid.tenders))
    except Refusal as no:
        if no.code is RefusalCode.UNREACHABLE:
            return
        raise Broken("I13", attempt_id=paid.attempt_id, first=paid.receipt.payment_id, again=str(no)) from no
    if (again.payment_id, again.number) != (paid.receipt.payment_id, paid.receipt.number):
        raise Broken("I13", attempt_id=paid.attempt_id, first=str(paid.receipt), again=str(again))


def not_paid(desk: Desk, no: Refusal, invoice_id: str, attempt_id: str | None) -> None:
    """Nothing was written under this attempt; a booking that is gone is not asked for again."""
    refused(desk, "settle", no, NOT_PAID, invoice_id=invoice_id, attempt_id=attempt_id)
    if no.code in GONE:
        desk.forget(invoice_id)


def _open_and_pay(desk: Desk, counter: Counter, invoice_id: str) -> Paid | None:
    attempt = counter.new_id()
    try:
        lock = lock_here(desk, counter, invoice_id)
        return pay(desk, counter, lock.handle, attempt)
    except Refusal as no:
        refused(desk, "settle", no, NOT_PAID, invoice_id=invoice_id, attempt_id=attempt)
        return None


def _step_out(desk: Desk, handle: LockHandle) -> None:
    """A while without a key pressed; the beat may go on meanwhile."""
    desk.history.write("stepped_out", invoice_id=handle.invoice_id, epoch=handle.epoch)
    desk.pause(0.1 + 0.4 * desk.dice.random())
    if desk.dice.random() < 0.5:
        desk.settled(lambda: desk.counter.settlement.renew_lock(handle, 400))
        _until(desk, desk.counter, handle, "renewed")


def _locked(desk: Desk, counter: Counter, lock: HeldLock, asked: int) -> None:
    if not 0 < lock.remaining_ms <= TTL_SECONDS * 1000:
        raise Broken("LOCK", invoice_id=lock.handle.invoice_id, remaining_ms=lock.remaining_ms)
    desk.history.write(
        "locked", invoice_id=lock.handle.invoice_id, epoch=lock.handle.epoch, login=counter.who.login, asked=asked
    )
    _until(desk, counter, lock.handle, "lock_ends")


def _until(desk: Desk, counter: Counter, handle: LockHandle, what: str) -> None:
    """The latest moment, by the database's clock, at which this lock can end."""
    latest = desk.settled(counter.store.read.now) + dt.timedelta(seconds=TTL_SECONDS)
    desk.history.write(what, invoice_id=handle.invoice_id, epoch=handle.epoch, latest=latest.isoformat())
