"""Ports of approvals and of the end of paid bookings: parts of `Tx` and `Reads`, with the same guarantees."""

from __future__ import annotations

from typing import Protocol

from app.domain.booking import Action
from app.domain.money import Rupiah
from app.usecases.rows_approvals import Approval, NewApproval
from app.usecases.rows_cancellations import CancellationBasis, CancelledBooking, EndingFacts, HeldLonger


class ApprovalTx(Protocol):
    """Writes."""

    def begin_approval_try(self, login: str) -> None:
        """Record that a password is about to be tried; one at a time for each person. Refuses NOT_ALLOWED, `paused`
        with `remaining_ms`, when too many were tried."""

    def note_wrong_approval(self, login: str) -> int:
        """Record a wrong password at an approval; how many more are tried before a pause."""

    def approve(self, wanted: NewApproval) -> Approval:
        """Over the manager's own connection. Refuses NOT_ALLOWED for whoever is no manager of the asker's branch."""

    def cancel_paid(
        self, booking_id: str, action: Action, reason: str, expected_back: Rupiah, based_on: int | None = None
    ) -> CancelledBooking:
        """`cancel_paid` or `no_show`. Refuses NOT_FOUND, BOOKING_STATE (`too_early`), NOT_ALLOWED, INVOICE_LOCKED
        naming the cashier, PRICE_CHANGED when another sum than `expected_back` would be given back now."""

    def hold_longer(
        self,
        booking_id: str,
        until_hours: int,
        reason: str,
        approval_id: str | None = None,
        based_on: int | None = None,
    ) -> HeldLonger:
        """A later deadline for an unpaid order. Refuses BOOKING_STATE, BOOKING_EXPIRED, APPROVAL_NEEDED."""


class ApprovalReads(Protocol):
    """Reads, each one statement and so one snapshot."""

    def cancellation_basis(self, booking_id: str) -> CancellationBasis | None:
        """What the end of a paid booking starts from; None when the person's branch has no such booking."""

    def ending_facts(self, booking_id: str) -> EndingFacts | None:
        """What is seen beside the money of an end; None when the person's branch has no such booking."""


class ApproverGate(Protocol):
    """A short second connection as somebody else, closed before it returns."""

    def __call__(self, login: str, password: str, wanted: NewApproval) -> Approval:
        """Write the approval as this person. Refuses NOT_ALLOWED, `action` `log_in`, for a wrong login or password."""
