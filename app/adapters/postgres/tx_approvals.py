"""Approvals, the end of paid bookings and longer holds: calls of the database's functions and their answers."""

from __future__ import annotations

from app.adapters.postgres.tx_call import Call, Told, as_json, freed_of, moment_of, projections_of
from app.domain.booking import Action, BookingState
from app.domain.cancellation import CancellationEffect
from app.domain.money import Rupiah
from app.usecases.rows_approvals import Approval, NewApproval
from app.usecases.rows_cancellations import CancelledBooking, DueRefund, HeldLonger, RefundKind


class ApprovalCalls:
    """The part `ApprovalTx` of a transaction."""

    _call: Call

    def begin_approval_try(self, login: str) -> None:
        self._call.ask("SELECT sentra.begin_approval_try(%s)", login)

    def note_wrong_approval(self, login: str) -> int:
        return int(self._call.ask("SELECT sentra.note_wrong_approval(%s)", login))

    def approve(self, wanted: NewApproval) -> Approval:
        told = self._call.ask(
            "SELECT sentra.approve(%s)",
            as_json(
                {
                    "id": wanted.id,
                    "action": wanted.action,
                    "object": wanted.object,
                    "amount": wanted.amount,
                    "reason": wanted.reason,
                    "asked_by": wanted.asked_by,
                    "counter": wanted.counter,
                }
            ),
        )
        return Approval(
            id=told["id"], approved_by_name=told["approved_by_name"], expires_at=moment_of(told["expires_at"])
        )

    def cancel_paid(
        self, booking_id: str, action: Action, reason: str, expected_back: Rupiah, based_on: int | None = None
    ) -> CancelledBooking:
        statement = "SELECT sentra.cancel_paid(%s, %s, %s, %s, %s, %s)"
        told = self._call.ask(statement, booking_id, action.value, reason, expected_back, self._call.again, based_on)
        return _cancelled(told)

    def hold_longer(
        self,
        booking_id: str,
        until_hours: int,
        reason: str,
        approval_id: str | None = None,
        based_on: int | None = None,
    ) -> HeldLonger:
        statement = "SELECT sentra.hold_longer(%s, %s, %s, %s, %s, %s)"
        told = self._call.ask(statement, booking_id, until_hours, reason, approval_id, self._call.again, based_on)
        return HeldLonger(
            booking_id=told["booking_id"],
            number=told["number"],
            order_id=told["order_id"],
            branch_id=told["branch_id"],
            version=told["version"],
            payment_deadline=moment_of(told["payment_deadline"]),
            bookings=tuple(told["bookings"]),
            invoices=tuple(told["invoices"]),
        )


def _cancelled(told: Told) -> CancelledBooking:
    return CancelledBooking(
        booking_id=told["booking_id"],
        number=told["number"],
        order_id=told["order_id"],
        branch_id=told["branch_id"],
        state=BookingState(told["state"]),
        effect=CancellationEffect(
            rent_back=Rupiah(told["rent_back"]),
            deposit_back=Rupiah(told["deposit_back"]),
            fee=Rupiah(told["fee"]),
            percent=told["percent"],
            hours_before=told["hours_before"],
        ),
        refunds=tuple(
            DueRefund(
                id=item["id"],
                invoice_id=item["invoice_id"],
                kind=RefundKind(item["kind"]),
                amount=Rupiah(item["amount"]),
            )
            for item in told["refunds"]
        ),
        invoices=tuple(told["dropped"]),
        projections=projections_of(told),
        freed=freed_of(told),
    )
