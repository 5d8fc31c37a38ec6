"""Book, cancel and expire: orders to the database's functions and their answers back."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.errors import TAKEN_BY_FUNCTION, detail_of, sqlstate_of
from app.adapters.postgres.tx_call import (
    Call,
    Told,
    as_json,
    blocker_of,
    freed_of,
    moment_of,
    projection_of,
    projections_of,
)
from app.adapters.postgres.tx_rates import extra_json
from app.domain.booking import Action, BookingState
from app.domain.days import local_day
from app.domain.invoice import LineKind
from app.domain.money import Rupiah, ppn_inside, ppn_on_top, ppn_rate
from app.domain.pricing import QuoteLine
from app.domain.rates import RateCard
from app.usecases.rows import BookedOrder, BookedUnit, EndedBooking, NewBooking, NewOrder, Taken

_BOOK = "SELECT sentra.book_order(%s)"
_BOOK_IN_PARTS = "SELECT sentra.book_with_down_payment(%s)"

# The lines that stay when a booking leaves its unpaid order, and what prices them.
_REST = """
    SELECT i.created_at, b.zone, i.dpp > 0 AS has_ppn,
           EXISTS (SELECT FROM sentra.invoice_line AS x WHERE x.invoice_id = i.id AND x.kind = %s) AS on_top,
           coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0) AS taxable
    FROM sentra.booking AS k
    JOIN sentra.invoice AS i ON i.order_id = k.order_id AND i.state = 'OPEN'
    JOIN sentra.branch AS b ON b.id = i.branch_id
    JOIN sentra.invoice_line AS l ON l.invoice_id = i.id AND l.active AND l.booking_id IS DISTINCT FROM k.id
    WHERE k.id = %s AND l.kind <> %s
    GROUP BY i.id, b.id"""


def book(call: Call, order: NewOrder) -> BookedOrder | Taken:
    """One call writes everything or nothing; the same order id again answers with the first result."""
    try:
        told = call.ask(_BOOK if order.down_payment is None else _BOOK_IN_PARTS, as_json(order_json(order)))
    except DBAPIError as error:
        if sqlstate_of(error) != TAKEN_BY_FUNCTION:
            raise
        return Taken(blockers=tuple(blocker_of(item) for item in detail_of(error)["taken"]))
    if "taken" in told:
        return Taken(blockers=tuple(blocker_of(item) for item in told["taken"]))
    return BookedOrder(
        order_id=told["order_id"],
        bookings=tuple(
            BookedUnit(
                id=item["id"],
                number=item["number"],
                unit_id=item["unit_id"],
                state=BookingState(item["state"]),
                payment_deadline=moment_of(item["payment_deadline"]) if item["payment_deadline"] else None,
            )
            for item in told["bookings"]
        ),
        invoice_id=told["invoice_id"],
        total=Rupiah(told["total"]),
        repeat=told["repeat"],
        projections=tuple(projection_of(item) for item in told["projections"]),
        now=moment_of(told["now"]),
    )


def await_order(call: Call, order_id: str) -> None:
    """Wait for whoever is committing this order."""
    call.ask("SELECT sentra.await_order(%s)", order_id)


def end_booking(call: Call, booking_id: str, action: Action, reason: str, based_on: int | None = None) -> EndedBooking:
    """Cancel one booking; the rest of its order is priced here by the product's rules and checked there."""
    priced = _price_rest(call, booking_id)
    statement = "SELECT sentra.end_booking(%s, %s, %s, %s, %s, %s)"
    told = call.ask(statement, booking_id, action.value, reason, priced, call.again, based_on)
    return _ended(told)


def due_orders(call: Call, most: int, but_not: Sequence[str]) -> tuple[str, ...]:
    """Ids of orders past their deadline, oldest first, without those already looked at."""
    told = call.ask("SELECT sentra.due_orders(%s, %s::uuid[])", most, list(but_not))
    return tuple(str(item) for item in told)


def expire_order(call: Call, order_id: str) -> tuple[EndedBooking, ...]:
    """Expire this order; empty when it is not due or somebody holds it."""
    return tuple(_ended(item) for item in call.ask("SELECT sentra.expire_order(%s)", order_id) or ())


def expire_next(call: Call) -> tuple[EndedBooking, ...]:
    """Expire the oldest order past its deadline that nobody holds; empty when there is none."""
    told = call.ask("SELECT sentra.expire_next()")
    return tuple(_ended(item) for item in told or ())


def order_json(order: NewOrder) -> dict[str, object]:
    """What `book_order` is given; days and moments still to become texts."""
    new = order.new_customer
    return {
        "id": order.id,
        "customer_id": order.customer_id,
        "new_customer": None if new is None else {"id": new.id, "name": new.name, "phone": new.phone},
        "source": order.source.value,
        "note": order.note,
        "counter": order.counter,
        "invoice_id": order.invoice_id,
        "base": order.base,
        "dpp": order.dpp,
        "ppn": order.ppn,
        "total": order.total,
        "approval_id": order.approval_id,
        "down_payment": order.down_payment,
        "balance_id": order.balance_id,
        "bookings": [_booking_json(item) for item in order.bookings],
        "lines": [
            {
                "booking_id": line.booking_id,
                "kind": line.kind.value,
                "text": line.text,
                "quantity": line.quantity,
                "unit_price": line.unit_price,
                "amount": line.amount,
                "taxable": line.taxable,
            }
            for line in order.lines
        ],
    }


def _booking_json(item: NewBooking) -> dict[str, object]:
    """One booking of `order_json`; what it is priced by beside its days is left out where it is nothing."""
    priced = item.priced or QuoteLine(booking_id=item.id, sku=item.sku, period=item.period)
    terms = priced.terms
    special = {
        "agreed_deposit": item.agreed_deposit,
        "discount_percent": terms.discount_percent or None,
        "card": card_json(terms.card),
        "holidays": sorted(terms.holidays) or None,
        "extras": [{**extra_json(chosen.extra), "quantity": chosen.quantity} for chosen in terms.extras] or None,
        "day_offset": terms.day_offset or None,
        "min_days": terms.min_days if terms.min_days > 1 else None,
    }
    return {
        "id": item.id,
        "unit_id": item.unit_id,
        "given_unit": item.given_unit,
        "sku_id": item.sku.code,
        "first_day": item.period.first,
        "last_day": item.period.last,
        "taken_first": item.taken.first,
        "taken_last": item.taken.last,
        "pickup_at": item.pickup_at,
        "due_at": item.due_at,
        "daily_rate": terms.card.weekday,
        "deposit": priced.agreed_deposit,
        "turnaround_days": item.sku.turnaround_days,
        **{name: value for name, value in special.items() if value is not None},
    }


def card_json(card: RateCard) -> dict[str, int] | None:
    """The special rates of a card as a booking keeps them; None when every day costs the same."""
    rates = {"weekend": card.weekend, "holiday": card.holiday, "weekly": card.weekly, "monthly": card.monthly}
    return {name: rate for name, rate in rates.items() if rate is not None} or None


def _price_rest(call: Call, booking_id: str) -> object:
    """PPN of what stays of the order, as its invoice has it and by the rate of the day it was booked; None when nothing
    stays."""
    rest = call.rows(_REST, LineKind.PPN.value, booking_id, LineKind.PPN.value)
    if not rest:
        return None
    row = rest[0]
    taxable = Rupiah(int(row["taxable"]))
    base, dpp, tax = taxable, Rupiah(0), Rupiah(0)
    if row["has_ppn"]:
        rate = ppn_rate(local_day(row["created_at"], ZoneInfo(row["zone"])))
        ppn = ppn_on_top(taxable, rate) if row["on_top"] else ppn_inside(taxable, rate)
        base, dpp, tax = ppn.base, ppn.dpp, ppn.tax
    return as_json({"taxable": taxable, "base": base, "dpp": dpp, "ppn": tax})


def _ended(told: Told) -> EndedBooking:
    return EndedBooking(
        booking_id=told["booking_id"],
        number=told["number"],
        order_id=told["order_id"],
        invoice_id=told["invoice_id"],
        branch_id=told["branch_id"],
        state=BookingState(told["state"]),
        projections=projections_of(told),
        freed=freed_of(told),
    )
