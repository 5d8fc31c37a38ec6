"""Ports of a rental's way out and back: parts of `Tx` and `Reads`, and where photos are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.domain.charges import ChargeTerms, Outcome
from app.domain.inspection import Inspection
from app.domain.money import Rupiah
from app.usecases.rows import Taken
from app.usecases.rows_handovers import (
    Collateral,
    CollateralKind,
    DepositHold,
    GateOverride,
    HandedBooking,
    HandingOver,
    HandoverBasis,
    LateRental,
    MissedPickup,
    NewCharge,
    RentalAtLarge,
    Replacement,
    UnitRepair,
)


class HandoverTx(Protocol):
    """Writes. Each carries the client's id or is idempotent by what it leads to: sent again, it answers the same.

    All refuse NOT_FOUND, BOOKING_STATE, NOT_ALLOWED and FIELD_INVALID naming the field; `based_on` as for changes.
    """

    def check_out(
        self, booking_id: str, inspection: Inspection, override: GateOverride | None, based_on: int | None = None
    ) -> HandedBooking:
        """Refuses GATE_OPEN naming the lines, APPROVAL_NEEDED; BOOKING_STATE `period_past` or `too_early`."""

    def hand_over(self, booking_id: str, handing: HandingOver, based_on: int | None = None) -> HandedBooking: ...

    def recall(self, booking_id: str, reason: str, based_on: int | None = None) -> HandedBooking: ...

    def check_in(self, booking_id: str, inspection: Inspection, based_on: int | None = None) -> HandedBooking:
        """Of any branch's rental. An unpaid extension is taken back: INVOICE_LOCKED while a cashier holds it."""

    def replace_unit(self, booking_id: str, wanted: Replacement, based_on: int | None = None) -> HandedBooking | Taken:
        """All of it or nothing. `Taken`: the transaction is to be rolled back. UNIT_NOT_RENTABLE as for a swap."""

    def clear(self, booking_id: str, based_on: int | None = None) -> HandedBooking:
        """BOOKING_STATE `charges_due` when a rule asks for something; GATE_OPEN while collateral is held."""

    def dispute(self, booking_id: str, charges: Sequence[NewCharge], based_on: int | None = None) -> HandedBooking:
        """PRICE_CHANGED when its rule charges are not the ones the database computes."""

    def not_returned(
        self,
        booking_id: str,
        reason: str,
        charges: Sequence[NewCharge],
        approval_id: str | None,
        based_on: int | None = None,
    ) -> HandedBooking: ...

    def add_charges(self, booking_id: str, charges: Sequence[NewCharge]) -> HandedBooking: ...

    def contest_charge(self, charge_id: str, reason: str) -> HandedBooking: ...

    def close_charge(
        self, charge_id: str, outcome: Outcome, amount: Rupiah | None, reason: str, approval_id: str | None
    ) -> HandedBooking: ...

    def settle_charges(self, booking_id: str, counter: str, based_on: int | None = None) -> HandedBooking:
        """Whole invoices from the deposit; INVOICE_LOCKED while a cashier holds one of them."""

    def settle_from_deposit(self, invoice_id: str, counter: str) -> HandedBooking: ...

    def release_unit(
        self, booking_id: str, repair: UnitRepair | None, based_on: int | None = None
    ) -> HandedBooking: ...

    def take_collateral(self, id: str, booking_id: str, kind: CollateralKind, what: str, place: str) -> Collateral: ...

    def end_collateral(self, collateral_id: str, *, kept: bool, reason: str) -> Collateral: ...

    def hold_back(
        self, id: str, booking_id: str, amount: Rupiah, days: int, reason: str, approval_id: str | None
    ) -> DepositHold: ...

    def release_hold(self, hold_id: str) -> DepositHold: ...

    def post_rental_fine(self, id: str, booking_id: str, text: str, amount: Rupiah, reason: str) -> HandedBooking: ...

    def repair_damage(self, damage_id: str) -> bool: ...

    def save_photo(self, photo_id: str, content: bytes) -> bool:
        """True when the bytes were there before. NOT_FOUND until the inspection that promises the photo is recorded."""

    def set_charge_terms(self, sku: str, terms: ChargeTerms) -> ChargeTerms: ...

    def overdue_bookings(self, most: int, but_not: Sequence[str]) -> tuple[str, ...]:
        """Bookings whose overdue days are not as they should be now, longest overdue first. The service's."""

    def mark_overdue(self, booking_id: str) -> HandedBooking | None:
        """None when nothing is to be done, or somebody holds a row of it this moment. The service's."""

    def end_due_holds(self, most: int) -> int:
        """End deposit holds whose day is past; how many. The service's."""


class HandoverReads(Protocol):
    """Reads, each one statement and so one snapshot."""

    def handover_basis(self, booking_id: str) -> HandoverBasis | None:
        """None for a booking that is neither this branch's nor stands here to be checked."""

    def rental_of(self, unit_id: str) -> RentalAtLarge | None:
        """The rental that a unit of any branch is out on. Inspectors only."""

    def photo_content(self, photo_id: str) -> bytes | None:
        """None until its bytes are stored."""

    def charge_terms(self, sku: str) -> ChargeTerms:
        """What the SKU's returns are charged by from the next check-out on."""

    def late_rentals(self, branch_id: str) -> tuple[LateRental, ...]:
        """Longest overdue first; no swaps are proposed here."""

    def missed_pickups(self, branch_id: str) -> tuple[MissedPickup, ...]: ...


class PhotoStore(Protocol):
    """Where the bytes of photos are kept: the database, or later an object store. Safe to send a photo again."""

    def save(self, photo_id: str, content: bytes) -> bool:
        """True when the bytes were there before. Refuses NOT_FOUND, FIELD_INVALID (other bytes, too large)."""

    def content(self, photo_id: str) -> bytes | None:
        """The bytes; None until they have arrived."""
