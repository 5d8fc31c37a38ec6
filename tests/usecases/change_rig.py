"""Bookings on their way for tests of changes: paid ones, ones that are out, and what is written of them."""

from app.bootstrap import Installation
from app.domain.booking import Action
from app.domain.days import RentalPeriod
from tests.support.world import AVANZA, World, cash

RATE, DEPOSIT = 350_000, 500_000


def paid(world: World, period: RentalPeriod, unit: str = AVANZA, **options: str) -> str:
    """A booking that is paid; its id."""
    siti = world.counter("siti")
    if siti.shifts.current_shift() is None:
        world.open_shift(siti)
    booked = world.book(siti, period, unit, **options)
    world.settle(siti, booked)
    return booked.bookings[0].id


def active(world: World, period: RentalPeriod, unit: str = AVANZA, **options: str) -> str:
    """A booking whose customer has the unit; its id."""
    booking_id = paid(world, period, unit, **options)
    place = Installation(world.settings())
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        place.move_booking(booking_id, action)
    return booking_id


def pay(world: World, invoice_id: str) -> None:
    """Settle an invoice in exact cash."""
    siti = world.counter("siti")
    if siti.shifts.current_shift() is None:
        world.open_shift(siti)
    held = siti.settlement.open_invoice(invoice_id)
    total = siti.settlement.invoice(invoice_id).row.total
    siti.settlement.settle(held.handle, siti.new_id(), [cash(total)])


def taken(world: World, unit: str) -> list[tuple[str, str]]:
    """Active stretches of a unit, both ends taken."""
    rows = world.rows(
        "SELECT lower(days)::text, (upper(days) - 1)::text FROM sentra.occupancy"
        " WHERE unit_id = %s AND active ORDER BY 1",
        unit,
    )
    return [(str(first), str(last)) for first, last in rows]


def invoices(world: World) -> list[tuple[object, ...]]:
    """Kind, state and total of each invoice: the RENTAL first, a BALANCE last."""
    return world.rows("SELECT kind, state, total FROM sentra.invoice ORDER BY kind DESC, total")
