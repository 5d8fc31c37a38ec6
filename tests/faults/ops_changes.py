"""Operations: move a booking, give it another unit, hand it over, extend, shorten, and pay what a change costs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import psycopg

from app.domain.booking import Action
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows_changes import ChangedBooking
from tests.faults.desk import Broken, Desk, Held
from tests.faults.ops_booking import TAKEN
from tests.faults.ops_money import lock_here, not_paid, pay
from tests.faults.registry import BUSY, GONE, operation, refused
from tests.support.proxy import COMMIT

NOT_CHANGED = GONE | TAKEN | {RefusalCode.INVOICE_LOCKED, RefusalCode.UNIT_NOT_RENTABLE}
OF_A_PERIOD = frozenset({RefusalCode.PERIOD_INVALID})
"""Paid for already, or not longer: what an earlier change of this rental has left."""


@operation(weight=2)
def reschedule(desk: Desk) -> None:
    """To other days, now and then on another unit of the same SKU."""
    held = desk.one_of(lambda held: not held.is_out)
    if held is None:
        return
    period = desk.some_period()
    unit = _another_unit(desk, held) if desk.dice.random() < 0.4 else None
    _change(
        desk, "reschedule", held, lambda: desk.counter.changes_of_bookings.reschedule(held.booking_id, period, unit)
    )


@operation(weight=1)
def swap_unit(desk: Desk) -> None:
    held = desk.one_of(lambda held: not held.is_out or held.period.first <= desk.today)
    unit = None if held is None else _another_unit(desk, held)
    if held is None or unit is None:
        return
    _change(desk, "swap_unit", held, lambda: desk.counter.changes_of_bookings.swap_unit(held.booking_id, unit))


@operation(weight=1.5)
def hand_over(desk: Desk) -> None:
    """Out it goes. A booking whose step had no answer is left alone: nobody at this desk knows where it stands."""
    held = desk.one_of(lambda held: held.paid and not held.is_out)
    if held is None:
        return
    try:
        for step in (Action.CHECK_OUT, Action.HAND_OVER):
            desk.move(held.booking_id, step)
    except psycopg.OperationalError:
        desk.held.pop(held.booking_id)
        return
    held.is_out = True


@operation(weight=2)
def request_extension(desk: Desk) -> None:
    """The same extension asked for twice is held once."""
    held = desk.one_of(lambda held: held.is_out and held.asked_invoice is None)
    if held is None:
        return
    last = held.period.last + dt.timedelta(days=desk.dice.randrange(1, 5))
    changes = desk.counter.changes_of_bookings
    asked = _change(desk, "extend", held, lambda: changes.request_extension(held.booking_id, last), OF_A_PERIOD)
    if asked is None:
        return
    held.asked_invoice, held.asked_last = asked.invoice_id, last
    if asked.invoice_id is None:
        raise Broken("ANSWER", booking_id=held.booking_id, extended=str(asked))
    if desk.dice.random() < 0.2:
        try:
            again = desk.settled(lambda: changes.request_extension(held.booking_id, last))
        except Refusal as no:
            # Its hold ran out meanwhile, or another desk was paid for it.
            refused(desk, "extend", no, NOT_CHANGED | OF_A_PERIOD, booking_id=held.booking_id)
            return
        ran_out = again.version > asked.version + 1  # taken back by the service, and held anew
        if (again.invoice_id, again.version) != (asked.invoice_id, asked.version) and not ran_out:
            raise Broken("I13", booking_id=held.booking_id, first=str(asked), again=str(again))


@operation(weight=2)
def answer_extension(desk: Desk) -> None:
    """Paid, most of the time, or given up; or nobody does anything, and the service takes the days back."""
    held = desk.one_of(lambda held: held.is_out and held.asked_invoice is not None)
    if held is None or held.asked_invoice is None:
        return
    if desk.dice.random() < 0.3:
        changes = desk.counter.changes_of_bookings
        _change(desk, "reject", held, lambda: changes.reject_extension(held.booking_id), BUSY)
    elif _paid(desk, held.asked_invoice) and held.asked_last is not None:
        held.period = RentalPeriod(held.period.first, held.asked_last)
    held.asked_invoice, held.asked_last = None, None


@operation(weight=1)
def pay_a_balance(desk: Desk) -> None:
    """What a longer period costs a booking that was paid before it was moved."""
    held = desk.one_of(lambda held: held.paid and not held.is_out and held.asked_invoice is not None)
    if held is None or held.asked_invoice is None:
        return
    _paid(desk, held.asked_invoice)
    held.asked_invoice = None


@operation(weight=0.7)
def shorten(desk: Desk) -> None:
    """The rest is free for others at once."""
    held = desk.one_of(lambda held: held.is_out and held.asked_invoice is None and held.period.count > 1)
    if held is None:
        return
    last = held.period.last - dt.timedelta(days=1)
    changes = desk.counter.changes_of_bookings
    _change(desk, "shorten", held, lambda: changes.shorten(held.booking_id, last), OF_A_PERIOD)


@operation(weight=1)
def ask_what_a_change_costs(desk: Desk) -> None:
    """A quote writes nothing: the booking stands as it stood."""
    held = desk.one_of(lambda held: not held.is_out)
    if held is None:
        return
    period = desk.some_period()
    try:
        desk.settled(lambda: desk.counter.changes_of_bookings.quote_change(held.booking_id, period))
    except Refusal as no:
        refused(desk, "quote", no, GONE)


def _change(
    desk: Desk,
    op: str,
    held: Held,
    ask: Callable[[], ChangedBooking],
    also: frozenset[RefusalCode] = frozenset(),
) -> ChangedBooking | None:
    """Ask for a change until there is an answer, and remember the booking as it was told then."""
    desk.history.write("asked", op=op, booking_id=held.booking_id)
    if desk.dice.random() < 0.1:
        desk.lose_an_answer(COMMIT)
    try:
        changed = desk.settled(ask)
    except Refusal as no:
        refused(desk, op, no, NOT_CHANGED | also, booking_id=held.booking_id)
        if no.code in GONE and not held.paid:
            desk.forget(held.invoice_id)
        return None
    desk.history.write(
        "changed",
        op=op,
        booking_id=changed.booking_id,
        version=changed.version,
        unit_id=changed.unit_id,
        first=changed.period.first,
        last=changed.period.last,
    )
    held.unit_id, held.period = changed.unit_id, changed.period
    if held.paid and not held.is_out:
        held.asked_invoice = changed.invoice_id
    return changed


def _paid(desk: Desk, invoice_id: str) -> bool:
    attempt = desk.counter.new_id()
    try:
        lock = lock_here(desk, desk.counter, invoice_id)
        if desk.dice.random() < 0.1:
            desk.lose_an_answer(COMMIT)
        pay(desk, desk.counter, lock.handle, attempt)
    except Refusal as no:
        not_paid(desk, no, invoice_id, attempt)
        return False
    return True


def _another_unit(desk: Desk, held: Held) -> str | None:
    units = [unit.unit.id for unit in desk.fleet if unit.sku.code == held.sku and unit.unit.id != held.unit_id]
    return desk.dice.choice(units) if units else None
