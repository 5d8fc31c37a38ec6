"""Operations: book, book again under the same id, from two windows at once, and cancel."""

from __future__ import annotations

from functools import partial

from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder
from tests.faults.desk import Broken, Desk, Window
from tests.faults.registry import BUSY, GONE, operation, refused
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT, EVALSHA

TAKEN = frozenset({RefusalCode.DAYS_TAKEN})


@operation(weight=8)
def book_unit(desk: Desk) -> None:
    book(desk, _request(desk, one_line(desk)))


@operation(weight=5)
def book_any_unit(desk: Desk) -> None:
    book(desk, _request(desk, BookLine(sku=desk.some_unit().sku.code, period=desk.some_period())))


@operation(weight=2)
def book_order(desk: Desk) -> None:
    period = desk.some_period()
    units = {unit.unit.id: unit for unit in (desk.some_unit() for _ in range(3))}
    book(desk, _request(desk, *(BookLine(sku=u.sku.code, unit_id=u.unit.id, period=period) for u in units.values())))


@operation(weight=3)
def cancel(desk: Desk) -> None:
    held = desk.unpaid()
    if held is None:
        return
    desk.history.write("asked", op="cancel", booking_id=held.booking_id)
    if desk.dice.random() < 0.1:
        desk.lose_an_answer(COMMIT)
    try:
        ended = desk.settled(lambda: desk.counter.bookings.cancel(held.booking_id))
    except Refusal as no:
        refused(desk, "cancel", no, GONE | BUSY, booking_id=held.booking_id)
        if no.code in GONE:
            desk.forget(held.invoice_id)
        return
    desk.history.write("cancelled", booking_id=held.booking_id)
    if ended.booking_id != held.booking_id:
        raise Broken("ANSWER", asked=held.booking_id, answered=ended.booking_id)
    if held.units == 1:
        desk.forget(held.invoice_id)
    else:
        desk.held.pop(held.booking_id, None)


@operation(weight=2)
def send_an_order_again(desk: Desk) -> None:
    """The same id, the same answer, whatever became of it meanwhile and whichever window it is sent from."""
    held = desk.one_of(lambda _: True)
    if held is None:
        return
    counter = desk.window(Window.MINE) if desk.dice.random() < 0.3 else desk.counter
    again = desk.settled(lambda: counter.bookings.book(held.request))
    if (held.booking_id, held.number, held.invoice_id) not in _names(again):
        raise Broken("I13", order_id=held.request.order_id, first=held.booking_id, again=str(_names(again)))


@operation(weight=1)
def same_order_from_two_windows(desk: Desk) -> None:
    """A second press of the key in another window: one order, one answer."""
    request = _request(desk, one_line(desk))
    counters = (desk.counter, desk.window(Window.MINE))
    desk.history.write("asked", op="book", order_id=request.order_id)
    said = at_once(*(partial(desk.settled, partial(counter.bookings.book, request)) for counter in counters))
    for no in said.refusals:
        if no.code not in TAKEN | {RefusalCode.UNREACHABLE}:
            raise Broken("UNEXPECTED", op="book", refusal=str(no), order_id=request.order_id)
    if not said.results:
        if all(no.code in TAKEN for no in said.refusals):
            desk.history.write("refused", op="book", code="DAYS_TAKEN", order_id=request.order_id)
        return
    first = said.results[0]
    _booked(desk, request, first)
    again = said.results[1:] or [desk.settled(lambda: desk.counter.bookings.book(request))]
    if _names(again[0]) != _names(first):
        raise Broken("I13", order_id=request.order_id, first=str(_names(first)), again=str(_names(again[0])))


def one_line(desk: Desk) -> BookLine:
    """A unit that is given by name."""
    unit = desk.some_unit()
    return BookLine(sku=unit.sku.code, unit_id=unit.unit.id, period=desk.some_period())


def book(desk: Desk, request: BookRequest) -> BookedOrder | None:
    """Book it, asking until there is an answer; None when that is "taken"."""
    desk.history.write("asked", op="book", order_id=request.order_id)
    if desk.dice.random() < 0.06:
        desk.lose_an_answer(COMMIT if desk.dice.random() < 0.5 else EVALSHA)
    try:
        booked = desk.settled(lambda: desk.counter.bookings.book(request))
    except Refusal as no:
        refused(desk, "book", no, TAKEN, order_id=request.order_id)
        return None
    _booked(desk, request, booked)
    return booked


def book_something(desk: Desk) -> BookedOrder | None:
    """One unit for a new customer."""
    return book(desk, _request(desk, one_line(desk)))


def _request(desk: Desk, *lines: BookLine) -> BookRequest:
    return BookRequest(
        order_id=desk.counter.new_id(),
        lines=lines,
        customer_name="Rina Maharani",
        customer_phone=f"0812{desk.dice.randrange(10**4):08}",
    )


def _booked(desk: Desk, request: BookRequest, booked: BookedOrder) -> None:
    for item, line in zip(booked.bookings, request.lines, strict=True):
        desk.history.write(
            "booked",
            order_id=booked.order_id,
            booking_id=item.id,
            version=1,
            unit_id=item.unit_id,
            first=line.period.first,
            last=line.period.last,
            invoice_id=booked.invoice_id,
            number=item.number,
        )
    desk.remember(request, booked)


def _names(booked: BookedOrder) -> set[tuple[str, str, str]]:
    return {(item.id, item.number, booked.invoice_id) for item in booked.bookings}
