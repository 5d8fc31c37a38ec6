"""Operations that only look: the calendar, the free units, an invoice; and a second service's pass."""

from __future__ import annotations

from app.domain.errors import Refusal
from app.domain.invoice import InvoiceState
from tests.faults.desk import Broken, Desk
from tests.faults.registry import operation, refused

LOOKS = 40


@operation(weight=3)
def look_at_the_calendar(desk: Desk) -> None:
    """What was paid here is offered to nobody, and shown taken whatever the index has lost.

    While Redis itself comes and goes a counter may miss telling it: the service does within ten seconds.
    """
    held = desk.one_of(lambda held: held.paid)
    if held is None:
        return
    shown_free: list[str] = []
    for looked_again in range(LOOKS):
        try:
            view = desk.counter.calendar.calendar(held.period)
            free = desk.counter.calendar.free_units(held.sku, held.period)
        except Refusal as no:
            refused(desk, "calendar", no, frozenset())
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


@operation(weight=2)
def view_an_invoice(desk: Desk) -> None:
    """To look needs no lock; what this desk was told is paid is shown paid."""
    held = desk.one_of(lambda _: True)
    if held is None:
        return
    try:
        seen = desk.counter.settlement.invoice(held.invoice_id)
    except Refusal as no:
        refused(desk, "invoice", no, frozenset())
        return
    if held.paid and (seen.row.state is not InvoiceState.PAID or seen.row.number is None):
        raise Broken("PAID_SHOWN_OPEN", invoice_id=held.invoice_id, state=seen.row.state.value)


@operation(weight=0.5)
def tick(desk: Desk) -> None:
    """A second service beside the first one: expires what is due and works off the outbox, in turns with it."""
    try:
        sweeps = desk.service().sweeps
        sweeps.expire(desk.is_closing)
        sweeps.outbox(desk.is_closing)
    except Refusal as no:
        refused(desk, "tick", no, frozenset())
