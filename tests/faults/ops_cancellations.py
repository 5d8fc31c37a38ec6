"""Operations: end a booking that is paid, as the person at the desk was shown its money effect."""

from __future__ import annotations

from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from tests.faults.desk import Broken, Desk, Held
from tests.faults.registry import BUSY, GONE, operation, refused
from tests.support.proxy import COMMIT

NOT_ENDED = GONE | BUSY | {RefusalCode.PRICE_CHANGED}
"""PRICE_CHANGED: a step of the ladder has passed, or a balance was paid, since it was shown."""


@operation(weight=0.8)
def cancel_paid(desk: Desk) -> None:
    _end(desk, desk.one_of(lambda held: held.paid and not held.is_out), no_show=False)


@operation(weight=0.2)
def no_show(desk: Desk) -> None:
    """Nearly always too early: nothing of it may be written then."""
    _end(desk, desk.one_of(lambda held: held.paid and not held.is_out), no_show=True)


def _end(desk: Desk, held: Held | None, *, no_show: bool) -> None:
    if held is None:
        return
    op, bookings = "no_show" if no_show else "cancel_paid", desk.counter.bookings
    desk.history.write("asked", op=op, booking_id=held.booking_id)
    if desk.dice.random() < 0.15:
        desk.lose_an_answer(COMMIT)
    try:
        shown = desk.settled(lambda: bookings.cancellation_effect(held.booking_id, no_show))
        ask = bookings.no_show if no_show else bookings.cancel_paid
        ended = desk.settled(lambda: ask(held.booking_id, "pelanggan batal", shown.back))
    except Refusal as no:
        refused(desk, op, no, NOT_ENDED, booking_id=held.booking_id)
        if no.code in GONE:
            _forget_if_ended(desk, held)
        return
    desk.history.write("cancelled", booking_id=held.booking_id)
    desk.history.write(
        "given_back", booking_id=held.booking_id, rent=ended.effect.rent_back, deposit=ended.effect.deposit_back
    )
    if ended.effect.back != shown.back or sum(item.amount for item in ended.refunds) != shown.back:
        raise Broken("ANSWER", booking_id=held.booking_id, shown=str(shown), ended=str(ended))
    desk.held.pop(held.booking_id, None)


def _forget_if_ended(desk: Desk, held: Held) -> None:
    """Its end may have been written while every answer to it was lost: asked once more, it is not paid any more."""
    try:
        found = desk.settled(lambda: desk.counter.store.read.booking(held.booking_id))
    except Refusal as no:
        refused(desk, "booking", no, GONE)
        return
    if found is None or found.state is BookingState.CANCELLED:
        desk.held.pop(held.booking_id, None)
