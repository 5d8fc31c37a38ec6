"""What the drawer shows of a booking that is held, and what it becomes when somebody moves it. Pure."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.typed import typed_phone
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.domain.pricing import Quote
from app.usecases.rows import BookedOrder, BookingRow

HOLD_SECONDS = 15 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldUnit:
    """One booking of the order: its number, unit and days."""

    booking_id: str
    number: str
    unit_id: str
    period: RentalPeriod


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What was booked, as the drawer shows it. `quote` is None where its lines are not known here."""

    order_id: str
    invoice_id: str
    booking_id: str
    number: str
    sku: str
    unit_id: str
    period: RentalPeriod
    customer_name: str
    customer_phone: str
    customer_rentals: int
    quote: Quote | None
    total: Rupiah
    deadline: dt.datetime | None
    pickup_at: dt.datetime | None = None
    due_at: dt.datetime | None = None
    """Pick-up and due of the first unit, as far as they are known."""
    others: tuple[HeldUnit, ...] = ()
    """The other units of the order."""

    @property
    def units(self) -> tuple[HeldUnit, ...]:
        """Every unit of the order, its first one first."""
        first = HeldUnit(booking_id=self.booking_id, number=self.number, unit_id=self.unit_id, period=self.period)
        return (first, *self.others)

    @property
    def booking_ids(self) -> tuple[str, ...]:
        return tuple(unit.booking_id for unit in self.units)


def hold_of(
    booked: BookedOrder,
    row: BookingRow | None,
    form: WalkInForm,
    quote: Quote | None,
    times: tuple[dt.datetime, dt.datetime] | None = None,
) -> Hold | None:
    """The order that was written for this form; None when its days are known from nowhere. `row` is one of its bookings
    as the server has it now: that one is shown first. `times` are pick-up and due of the first one as asked for.
    """
    first = next((at for at, each in enumerate(booked.bookings) if row is not None and each.id == row.id), 0)
    item = booked.bookings[first]
    lines = form.order_lines
    period = row.period if row is not None else lines[0].period if lines else form.period
    if period is None:
        return None
    name = form.new_name.strip() if form.is_new else form.customer_name
    phone = (typed_phone(form.customer_text) or "") if form.is_new else form.customer_phone
    return Hold(
        order_id=booked.order_id,
        invoice_id=booked.invoice_id,
        booking_id=item.id,
        number=item.number,
        sku=row.unit.sku.code if row is not None else (lines[0].sku if lines else form.sku),
        unit_id=row.unit.unit.id if row is not None else item.unit_id,
        period=period,
        customer_name=row.customer.name if row is not None else name,
        customer_phone=row.customer.phone if row is not None else phone,
        customer_rentals=form.customer_rentals,
        quote=quote if quote is not None and quote.total == booked.total else None,
        total=booked.total,
        deadline=item.payment_deadline,
        pickup_at=row.pickup_at if row is not None else times[0] if times is not None else None,
        due_at=row.due_at if row is not None else times[1] if times is not None else None,
        others=tuple(
            HeldUnit(
                booking_id=other.id,
                number=other.number,
                unit_id=other.unit_id,
                period=lines[at].period if lines and at < len(lines) else period,
            )
            for at, other in enumerate(booked.bookings)
            if at != first
        ),
    )


def live_rows(found: Sequence[BookingRow | None]) -> tuple[BookingRow, ...]:
    """The bookings of an order that still stand; every one that is known when none does."""
    rows = tuple(row for row in found if row is not None)
    return tuple(row for row in rows if row.state is not BookingState.CANCELLED) or rows


def is_moved(hold: Hold, rows: Sequence[BookingRow]) -> bool:
    """Whether a booking of the order has other days or another unit than the drawer shows, or is gone.

    `rows` are those of the order that stand, as the server has them.
    """
    return (_held(rows[0]), *_others(rows)) != hold.units


def moved(hold: Hold, rows: Sequence[BookingRow], total: Rupiah, quote: Quote | None) -> Hold:
    """The hold as the server has it now; price lines only when they add up to what is asked for."""
    first = rows[0]
    return replace(
        hold,
        booking_id=first.id,
        number=first.number,
        sku=first.unit.sku.code,
        unit_id=first.unit.unit.id,
        period=first.period,
        pickup_at=first.pickup_at,
        due_at=first.due_at,
        total=total,
        quote=quote if quote is not None and quote.total == total else None,
        others=_others(rows),
    )


def _held(row: BookingRow) -> HeldUnit:
    return HeldUnit(booking_id=row.id, number=row.number, unit_id=row.unit.unit.id, period=row.period)


def _others(rows: Sequence[BookingRow]) -> tuple[HeldUnit, ...]:
    """Beside the first one; one that was let go is not held any more."""
    return tuple(_held(row) for row in rows[1:] if row.state is not BookingState.CANCELLED)
