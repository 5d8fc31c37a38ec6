"""Frozen rows and answers of the database: what the ports speak with. Each is read or written in one statement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku, Unit
from app.domain.customer import Customer
from app.domain.days import Days, RentalPeriod
from app.domain.invoice import InvoiceKind, InvoiceLine, InvoiceState, TenderRow
from app.domain.money import ZERO, Rupiah
from app.domain.pricing import QuoteLine
from app.usecases.index_port import IndexedUnit, Projection
from app.usecases.rows_customers import CustomerHit as CustomerHit

# --- rows that screens read ------------------------------------------------------------------------------------------


class OccupancyKind(StrEnum):
    BOOKING = "BOOKING"
    MAINTENANCE = "MAINTENANCE"
    OVERDUE = "OVERDUE"


class PaidMark(StrEnum):
    """The mark on a bar: nothing paid, part of it (a down payment or deposit), everything."""

    UNPAID = "UNPAID"
    PART = "PART"
    FULL = "FULL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One occupancy row as the grid draws it. `days` includes turnaround; `rented` is the booking's own period,
    `version` the booking's. `extended_from` is the first extra day of an extension that is not paid yet: in `days`, not
    in `rented`. A unit that was swapped on the way is drawn COMPLETED for the days it was out, which are its `rented`.
    `customer_phone` comes while the unit is with the customer.
    """

    unit_id: str
    kind: OccupancyKind
    days: Days
    rented: Days | None
    booking_id: str | None
    number: str | None
    state: BookingState | None
    source: Source | None
    customer_name: str | None
    payment_deadline: dt.datetime | None
    due_at: dt.datetime | None
    paid: PaidMark
    note: str
    extended_from: dt.date | None = None
    version: int | None = None
    pickup_at: dt.datetime | None = None
    customer_phone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """What stands in the way of a period on one unit: named in every refusal. Booked at `counter`, if that is known."""

    unit_id: str
    kind: OccupancyKind
    days: Days
    booking_number: str | None
    state: BookingState | None
    customer_name: str | None
    since: dt.datetime
    by: str
    booking_id: str | None = None
    counter: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetUnit:
    """A unit with its SKU and branch, readable in all branches (no personal data)."""

    unit: Unit
    sku: Sku
    branch_id: str

    @property
    def indexed(self) -> IndexedUnit:
        return IndexedUnit(sku=self.sku.code, unit_id=self.unit.id, slot=self.unit.slot)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceRow:
    """A row of the invoice list. `remaining_ms` of the lock is the database's own subtraction, 0 when not locked."""

    id: str
    kind: InvoiceKind
    state: InvoiceState
    number: str | None
    order_id: str
    booking_id: str
    booking_number: str
    booking_state: BookingState
    source: Source
    customer_name: str
    unit_plate: str
    unit_count: int
    total: Rupiah
    paid: Rupiah
    due_at: dt.datetime | None
    settled_at: dt.datetime | None
    locked_by: str | None
    locked_by_name: str | None
    locked_counter: str | None
    locked_at: dt.datetime | None
    lock_remaining_ms: int
    locked_by_me: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingRow:
    id: str
    number: str
    order_id: str
    unit: FleetUnit
    customer: Customer
    period: RentalPeriod
    pickup_at: dt.datetime
    due_at: dt.datetime
    state: BookingState
    version: int
    payment_deadline: dt.datetime | None
    source: Source
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentRow:
    id: str
    attempt_id: str
    amount: Rupiah
    change: Rupiah
    paid_at: dt.datetime
    cashier: str
    tenders: tuple[TenderRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceDetail:
    """Everything the settlement screen and the documents show. `now` is the database's clock at the read."""

    row: InvoiceRow
    lines: tuple[InvoiceLine, ...]
    base: Rupiah
    dpp: Rupiah
    ppn: Rupiah
    bookings: tuple[BookingRow, ...]
    payments: tuple[PaymentRow, ...]
    settled_at: dt.datetime | None
    now: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftRow:
    id: str
    number: int
    drawer: str
    opening_float: Rupiah
    opened_at: dt.datetime


# --- booking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCustomer:
    """A customer written with the order; an existing one with the same phone is used instead (never a duplicate)."""

    id: str
    name: str
    phone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBooking:
    """`taken` is the period with its turnaround. Rates are frozen as given. `given_unit` is `unit_id` when the unit was
    asked for by name: the order sent again must name it again; None when any unit of the SKU would do. `priced` is what
    it is priced by, None for its days at the SKU's rate."""

    id: str
    unit_id: str
    given_unit: str | None = None
    sku: Sku
    period: RentalPeriod
    taken: Days
    pickup_at: dt.datetime
    due_at: dt.datetime
    agreed_deposit: Rupiah | None = None
    priced: QuoteLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrder:
    """All or nothing. `id` is the client's UUID: the same id again answers with the first result (retry-safe)."""

    id: str
    customer_id: str | None
    new_customer: NewCustomer | None
    bookings: tuple[NewBooking, ...]
    invoice_id: str
    lines: tuple[InvoiceLine, ...]
    base: Rupiah
    dpp: Rupiah
    ppn: Rupiah
    total: Rupiah
    source: Source
    note: str
    counter: str
    approval_id: str | None = None
    down_payment: Rupiah | None = None
    balance_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedUnit:
    id: str
    number: str
    unit_id: str
    state: BookingState
    payment_deadline: dt.datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedOrder:
    """What was written, with the projections of its units read under their locks. `repeat`: this id was here before."""

    order_id: str
    bookings: tuple[BookedUnit, ...]
    invoice_id: str
    total: Rupiah
    repeat: bool
    projections: tuple[Projection, ...]
    now: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Nothing was written: these stand in the way (one per unit at least). The transaction is to be rolled back."""

    blockers: tuple[Blocker, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FreedStretch:
    """Days of a SKU that became free; recorded in the freeing transaction, once per stretch."""

    id: str
    sku: str
    branch_id: str
    days: Days


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedBooking:
    """A booking that was cancelled or expired (or whose extension did), with what the index has to know."""

    booking_id: str
    number: str
    order_id: str
    invoice_id: str
    branch_id: str
    state: BookingState
    projections: tuple[Projection, ...]
    freed: tuple[FreedStretch, ...]


# --- invoice lock and settlement -------------------------------------------------------------------------------------


class LockOutcome(StrEnum):
    TAKEN = "TAKEN"
    SAME = "SAME"
    HELD = "HELD"
    MINE_ELSEWHERE = "MINE_ELSEWHERE"
    EXPIRED_BOOKING = "EXPIRED_BOOKING"
    NOT_OPEN = "NOT_OPEN"
    NOT_FOUND = "NOT_FOUND"
    LOST = "LOST"
    IDLE = "IDLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockAnswer:
    """The database's answer to acquire, renew and move. Holder fields are filled when somebody holds the lock."""

    outcome: LockOutcome
    epoch: int
    remaining_ms: int
    holder: str | None = None
    holder_name: str | None = None
    holder_counter: str | None = None
    held_since: dt.datetime | None = None
    invoice_state: InvoiceState | None = None


class SettleOutcome(StrEnum):
    PAID = "PAID"
    ALREADY = "ALREADY"
    """This attempt id was recorded before: the same receipt again, not an error."""
    LOCK_LOST = "LOCK_LOST"
    NOT_OPEN = "NOT_OPEN"
    NOT_FOUND = "NOT_FOUND"
    SHIFT_NEEDED = "SHIFT_NEEDED"
    AMOUNT_MISMATCH = "AMOUNT_MISMATCH"
    DAYS_TAKEN = "DAYS_TAKEN"
    BOOKING_STATE = "BOOKING_STATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPayment:
    """One attempt to settle an invoice in full, under the lock named by token and epoch."""

    id: str
    attempt_id: str
    invoice_id: str
    token: str
    epoch: int
    amount: Rupiah
    change: Rupiah
    tenders: tuple[TenderRow, ...]
    counter: str
    rounding: Rupiah = ZERO
    credited: Rupiah = ZERO


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleAnswer:
    """Anything but PAID and ALREADY means that nothing was written."""

    outcome: SettleOutcome
    payment_id: str | None = None
    number: str | None = None
    change: Rupiah = ZERO
    paid_at: dt.datetime | None = None
    booking_states: Mapping[str, BookingState] | None = None
    blockers: tuple[Blocker, ...] = ()
    due: Rupiah = ZERO


# --- fleet, doctor, outbox -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetRow:
    """One good row of a fleet file; `line` is its line in the file."""

    line: int
    branch_code: str
    sku: Sku
    unit_id: str
    plate: str
    colour: str
    odometer: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetOutcome:
    """What a row did: `added`, `changed`, `same`, or a refusal with column and reason."""

    line: int
    unit_id: str
    outcome: str
    column: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """One broken invariant as the doctor names it; `id` is the row's id, empty fields do not apply."""

    invariant: str
    unit_id: str = ""
    day: str = ""
    redis: str = ""
    postgres: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """An outside effect that this worker holds under a lease; `id` is the provider's idempotency key."""

    id: str
    kind: str
    payload: Mapping[str, object]
    attempts: int
