"""What a search answers: units, bookings, invoices and customers as one list of hits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.booking import BookingState
from app.domain.catalogue import UnitStatus
from app.domain.days import Days
from app.domain.invoice import InvoiceState
from app.domain.money import Rupiah


class SearchKind(StrEnum):
    """What a hit is. Its `id` is that thing's own id."""

    UNIT = "unit"
    BOOKING = "booking"
    INVOICE = "invoice"
    CUSTOMER = "customer"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One thing that matches. `title` is the plate, the number or the name that is shown first.

    A unit brings the booking that has it today; a booking and an invoice bring their customer and unit. Of another
    branch only units are found, without bookings. `is_exact`: what was typed is this thing's whole number or plate.
    `is_late`: the unit is out and its due time is past.
    """

    kind: SearchKind
    id: str
    title: str
    is_exact: bool
    unit_id: str | None = None
    plate: str = ""
    sku_name: str = ""
    unit_status: UnitStatus | None = None
    branch_id: str | None = None
    branch_name: str = ""
    booking_id: str | None = None
    number: str = ""
    state: BookingState | None = None
    is_late: bool = False
    days: Days | None = None
    customer_id: str | None = None
    customer_name: str = ""
    phone: str = ""
    invoice_state: InvoiceState | None = None
    total: Rupiah | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWish:
    """What was typed, taken apart by kind; an empty part looks for nothing.

    `unit_id` and `plate` are beginnings (lower case; the plate without spaces), `plate_digits` the beginning of its
    figures. `booking` and `invoice` are whole numbers, `invoice_place` the counted part of an invoice's number in this
    or the last month. `customer` is searched as names and phone digits. `branch_id` is whose bookings are looked at.
    """

    branch_id: str
    limit: int
    unit_id: str = ""
    plate: str = ""
    plate_digits: str = ""
    booking: str = ""
    invoice: str = ""
    invoice_place: str = ""
    customer: str = ""
