"""Frozen rows of a rental's way out and back: what a step starts from, what it became, what is known of the unit."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from app.domain.booking import BookingState
from app.domain.catalogue import UnitStatus
from app.domain.charges import Charge, ChargeKind, ChargeTerms, Outcome, Trip
from app.domain.deposit import DepositResult
from app.domain.gate import GateLine
from app.domain.inspection import DamageMark, Inspection, InspectionKind, PhotoPromise, Signature
from app.domain.invoice import InvoiceState
from app.domain.money import PpnPlace, Rupiah
from app.usecases.index_port import Projection
from app.usecases.rows import FreedStretch
from app.usecases.rows_cancellations import DueRefund


class CollateralKind(StrEnum):
    KTP = "KTP"
    SIM = "SIM"
    PASSPORT = "PASSPORT"
    STNK = "STNK"
    MOTORCYCLE = "MOTORCYCLE"
    OTHER = "OTHER"


class CollateralState(StrEnum):
    HELD = "HELD"
    RETURNED = "RETURNED"
    KEPT = "KEPT"


class Standing(StrEnum):
    """Of a charge: the customer accepts it, or does not; or a manager let it go."""

    ACCEPTED = "ACCEPTED"
    CONTESTED = "CONTESTED"
    WAIVED = "WAIVED"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOverride:
    """A manager's reason to let a unit out through an open gate; of somebody else with the manager's approval."""

    reason: str
    approval_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandingOver:
    """The customer takes the unit. `id` is the client's UUID; `at` the true time, None for now."""

    id: str
    signature: Signature
    at: dt.datetime | None = None
    photos: tuple[PhotoPromise, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRepair:
    """A breakdown that a unit goes to: the client's UUID of the block, its last day as estimated, and why."""

    id: str
    last_day: dt.date
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Another unit for a rental that is out: how the old one came `back`, how the new one went `out`."""

    unit_id: str
    back: Inspection
    out: Inspection
    handing_over: HandingOver
    repair: UnitRepair | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCharge:
    """A charge as the database is given it; `id` is made from the client's request, so that it is written once."""

    id: str
    charge: Charge


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyBooking:
    """A booking that waits for a unit which may not be there in time. `swap_unit_id` is a free unit it could have."""

    booking_id: str
    number: str
    unit_id: str
    branch_id: str
    state: BookingState
    first_day: dt.date
    last_day: dt.date
    swap_unit_id: str | None = None
    swap_plate: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFine:
    """An invoice of charges that is not paid; a contested one waits for a manager's word."""

    invoice_id: str
    total: Rupiah
    contested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedBooking:
    """A booking after a step of its way. `invoices` were written or voided by it, `at_risk` wait for its unit.

    After a step of its charges: the deposit `refunds` that are due, what is left of the deposit, what is `to_pay`.
    """

    booking_id: str
    number: str
    order_id: str
    branch_id: str
    unit_id: str
    state: BookingState
    version: int
    handed_at: dt.datetime | None
    returned_at: dt.datetime | None
    projections: tuple[Projection, ...]
    freed: tuple[FreedStretch, ...]
    invoices: tuple[str, ...]
    at_risk: tuple[RiskyBooking, ...]
    now: dt.datetime
    refunds: tuple[DueRefund, ...] = ()
    deposit_left: Rupiah | None = None
    to_pay: tuple[OpenFine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDamage:
    """A mark that a unit carries, locked: later inspections show it and add their own."""

    mark: DamageMark
    inspection_id: str
    found_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoRow:
    """A photo of an inspection; `stored`: its bytes have arrived."""

    promise: PhotoPromise
    stored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectionRow:
    """An inspection as it was recorded. Its damages are among the unit's; `photos` say which have arrived."""

    kind: InspectionKind
    unit_id: str
    inspection: Inspection
    photos: tuple[PhotoRow, ...]
    override: str
    recorded_at: dt.datetime
    recorded_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collateral:
    """What a customer left, and where it lies."""

    id: str
    booking_id: str
    kind: CollateralKind
    what: str
    place: str
    state: CollateralState
    taken_at: dt.datetime
    taken_by_name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeRow:
    """A charge as it stands. `found` is what it was written for, `asked` what is asked for now."""

    id: str
    kind: ChargeKind
    text: str
    quantity: int
    unit_price: Rupiah
    found: Rupiah
    taxable: bool
    standing: Standing
    reason: str
    outcome: Outcome | None
    invoice_id: str
    invoice_state: InvoiceState

    @property
    def asked(self) -> Rupiah:
        return Rupiah(0 if self.standing is Standing.WAIVED else self.quantity * self.unit_price)


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositHold:
    """A part of a deposit that is held back until a day; `ended_at` None while it is."""

    id: str
    booking_id: str
    amount: Rupiah
    until_on: dt.date
    reason: str
    ended_at: dt.datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverBasis:
    """What a hand-over or a return starts from, read in one statement. `now` is the database's clock.

    `gate` are the open lines of a paid booking. `damages` are the unit's marks that were not repaired. `elsewhere`: the
    unit or the person is at another branch than the booking. `terms` are those it went out with, once it did.
    """

    booking_id: str
    number: str
    order_id: str
    branch_id: str
    version: int
    state: BookingState
    unit_id: str
    plate: str
    sku: str
    sold_sku: str
    unit_odometer: int
    unit_status: UnitStatus
    customer_name: str
    first_day: dt.date
    last_day: dt.date
    pickup_at: dt.datetime
    due_at: dt.datetime
    late_due_at: dt.datetime
    handed_at: dt.datetime | None
    returned_at: dt.datetime | None
    last_step_at: dt.datetime
    day_rate: Rupiah
    paid_days: int
    elsewhere: bool
    terms: ChargeTerms
    taxed: frozenset[ChargeKind]
    ppn_place: PpnPlace
    gate: tuple[GateLine, ...]
    damages: tuple[KnownDamage, ...]
    inspections: tuple[InspectionRow, ...]
    trips: tuple[Trip, ...]
    collateral: tuple[Collateral, ...]
    charges: tuple[ChargeRow, ...]
    holds: tuple[DepositHold, ...]
    deposit_left: Rupiah
    refunds: tuple[DueRefund, ...]
    at_risk: tuple[RiskyBooking, ...]
    today: dt.date
    now: dt.datetime

    @property
    def went_out(self) -> InspectionRow | None:
        """The last look at the booking's present unit when it went out."""
        found = [row for row in self.inspections if row.kind is InspectionKind.OUT and row.unit_id == self.unit_id]
        return found[-1] if found else None

    @property
    def held_back(self) -> Rupiah:
        return Rupiah(sum(hold.amount for hold in self.holds if hold.ended_at is None))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargesQuote:
    """What a return would be charged and what becomes of the deposit, before it is agreed; nothing is written."""

    charges: tuple[Charge, ...]
    accepted: Rupiah
    contested: Rupiah
    deposit: DepositResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalAtLarge:
    """The rental that a scanned unit is out on, at whichever branch."""

    booking_id: str
    number: str
    branch_id: str
    state: BookingState
    version: int
    customer_name: str
    due_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRental:
    """A rental whose unit is not back after its due time, or back and not checked after its last day.

    `at_risk` are the next bookings of the unit up to tomorrow, each with a swap where one is free.
    """

    booking_id: str
    number: str
    unit_id: str
    plate: str
    sku: str
    state: BookingState
    customer_name: str
    customer_phone: str
    due_at: dt.datetime
    last_day: dt.date
    at_risk: tuple[RiskyBooking, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedPickup:
    """A paid booking whose customer has not come; from `possible_at` on it may be ended as a no-show."""

    booking_id: str
    number: str
    unit_id: str
    plate: str
    customer_name: str
    customer_phone: str
    pickup_at: dt.datetime
    possible_at: dt.datetime
