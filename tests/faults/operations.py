"""The registry of what desks do at random. Each part of the product adds its own operations here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.settlement import HeldLock
from tests.faults.desk import Broken, Desk, Held
from tests.support.proxy import COMMIT, EVALSHA

GONE = frozenset({RefusalCode.BOOKING_EXPIRED, RefusalCode.BOOKING_STATE, RefusalCode.NOT_FOUND})
"""The service ended it meanwhile: not paid, past its deadline."""
BUSY = frozenset({RefusalCode.LOCK_HELD, RefusalCode.LOCK_LOST, RefusalCode.INVOICE_LOCKED})

LOOKS = 40

Run = Callable[[Desk], None]


@dataclass(frozen=True, slots=True)
class Operation:
    """`weight` is how often it is done among the others."""

    name: str
    weight: int
    run: Run


OPERATIONS: list[Operation] = []


def operation(weight: int) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        OPERATIONS.append(Operation(run.__name__, weight, run))
        return run

    return register


@operation(weight=8)
def book_unit(desk: Desk) -> None:
    unit = desk.some_unit()
    _book(desk, (BookLine(sku=unit.sku.code, unit_id=unit.unit.id, period=desk.some_period()),))


@operation(weight=5)
def book_any_unit(desk: Desk) -> None:
    _book(desk, (BookLine(sku=desk.some_unit().sku.code, period=desk.some_period()),))


@operation(weight=2)
def book_order(desk: Desk) -> None:
    period = desk.some_period()
    units = {unit.unit.id: unit for unit in (desk.some_unit() for _ in range(3))}
    _book(desk, tuple(BookLine(sku=u.sku.code, unit_id=u.unit.id, period=period) for u in units.values()))


@operation(weight=3)
def cancel(desk: Desk) -> None:
    held = desk.unpaid()
    if held is None:
        return
    desk.history.write("asked", op="cancel", booking_id=held.booking_id)
    try:
        desk.settled(lambda: desk.counter.bookings.cancel(held.booking_id))
    except Refusal as no:
        _refused(desk, "cancel", no, GONE | BUSY, held)
        return
    desk.history.write("cancelled", booking_id=held.booking_id)
    if held.units == 1:
        desk.forget(held.invoice_id)
    else:
        desk.held.pop(held.booking_id, None)


@operation(weight=6)
def settle(desk: Desk) -> None:
    held = desk.unpaid()
    if held is None:
        return
    attempt = desk.counter.new_id()
    settlement = desk.counter.settlement
    desk.history.write("asked", op="settle", invoice_id=held.invoice_id, attempt_id=attempt)
    try:
        lock = _lock(desk, held)
        if desk.dice.random() < 0.2:
            desk.history.write("stepped_out", invoice_id=held.invoice_id)
            desk.pause(0.3)  # a good moment to be stopped past the lock's end
        total = settlement.invoice(held.invoice_id).row.total
        tender = [Tender(kind=TenderKind.CASH, amount=total)]
        if desk.dice.random() < 0.1:
            desk.lose_an_answer(COMMIT)
        receipt = desk.settled(lambda: settlement.settle(lock.handle, attempt, tender))
    except Refusal as no:
        _refused(desk, "settle", no, GONE | BUSY, held)
        return
    desk.history.write(
        "paid",
        invoice_id=held.invoice_id,
        payment_id=receipt.payment_id,
        number=receipt.number,
        attempt_id=attempt,
        amount=total,
        epoch=lock.handle.epoch,
    )
    for other in desk.held.values():
        other.paid = other.paid or other.invoice_id == held.invoice_id
    if desk.dice.random() < 0.3:
        again = desk.settled(lambda: settlement.settle(lock.handle, attempt, tender))
        if (again.payment_id, again.number) != (receipt.payment_id, receipt.number):
            raise Broken("I13", first=str(receipt), again=str(again))


@operation(weight=2)
def send_an_order_again(desk: Desk) -> None:
    """The same id, the same answer, whatever became of it meanwhile."""
    held = desk.dice.choice(list(desk.held.values())) if desk.held else None
    if held is None:
        return
    again = desk.settled(lambda: desk.counter.bookings.book(held.request))
    if held.booking_id not in {item.id for item in again.bookings}:
        raise Broken("I13", order_id=held.request.order_id, again=str(again))


@operation(weight=2)
def leave_an_invoice_open(desk: Desk) -> None:
    """A clerk who is called away: the lock is left to its end."""
    held = desk.unpaid()
    if held is None:
        return
    try:
        _lock(desk, held)
    except Refusal as no:
        _refused(desk, "open", no, GONE | BUSY, held)


@operation(weight=4)
def look_at_the_calendar(desk: Desk) -> None:
    """What was paid here is offered to nobody, and shown taken whatever the index has lost.

    While Redis itself comes and goes a counter may miss telling it: the service does within ten seconds.
    """
    paid = [held for held in desk.held.values() if held.paid]
    if not paid:
        return
    held = desk.dice.choice(paid)
    shown_free: list[str] = []
    for looked_again in range(LOOKS):
        try:
            view = desk.counter.calendar.calendar(held.period)
            free = desk.counter.calendar.free_units(held.sku, held.period)
        except Refusal as no:
            _refused(desk, "calendar", no, frozenset(), held)
            return
        if held.unit_id in {unit.unit.id for unit in free}:
            raise Broken("OFFERED", unit_id=held.unit_id, booking_id=held.booking_id)
        units = {unit.unit.id: unit for unit in view.fleet}
        shown_free = [str(day) for day in held.period if not view.masks.is_taken(units[held.unit_id], day)]
        if not shown_free or desk.is_closing():
            if looked_again:
                desk.history.write("shown_late", unit_id=held.unit_id, looks=looked_again)
            return
        desk.pause(10 / LOOKS)
    raise Broken("SHOWN_FREE", unit_id=held.unit_id, days=shown_free, booking_id=held.booking_id)


def _lock(desk: Desk, held: Held) -> HeldLock:
    """Open the invoice; a lock that this clerk left somewhere is moved here."""
    settlement = desk.counter.settlement
    try:
        return settlement.open_invoice(held.invoice_id)
    except Refusal as no:
        if no.code is not RefusalCode.LOCK_MINE_ELSEWHERE:
            raise
    return settlement.move_lock(held.invoice_id)


def _book(desk: Desk, lines: tuple[BookLine, ...]) -> None:
    request = BookRequest(
        order_id=desk.counter.new_id(),
        lines=lines,
        customer_name="Rina Maharani",
        customer_phone=f"0812{desk.dice.randrange(10**4):08}",
    )
    desk.history.write("asked", op="book", order_id=request.order_id)
    if desk.dice.random() < 0.05:
        desk.lose_an_answer(COMMIT if desk.dice.random() < 0.5 else EVALSHA)
    try:
        booked = desk.settled(lambda: desk.counter.bookings.book(request))
    except Refusal as no:
        _refused(desk, "book", no, frozenset({RefusalCode.DAYS_TAKEN}), None)
        return
    for item, line in zip(booked.bookings, lines, strict=True):
        desk.history.write(
            "booked",
            order_id=booked.order_id,
            booking_id=item.id,
            unit_id=item.unit_id,
            first=line.period.first,
            last=line.period.last,
            invoice_id=booked.invoice_id,
            number=item.number,
        )
    desk.remember(request, booked)


def _refused(desk: Desk, op: str, no: Refusal, expected: frozenset[RefusalCode], held: Held | None) -> None:
    """An expected "no" is part of the work; another one is not."""
    if no.code not in expected | {RefusalCode.UNREACHABLE}:
        raise Broken("UNEXPECTED", op=op, refusal=str(no))
    desk.history.write("refused", op=op, code=no.code.value)
    if held is not None and no.code in GONE:
        desk.forget(held.invoice_id)
