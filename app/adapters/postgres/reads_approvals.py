"""What the end of a booking starts from: its money out of the database's one JSON object, and the facts beside it."""

from __future__ import annotations

from sqlalchemy import text

from app.adapters.postgres.reads_changes import terms_of
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import moment, moment_or_none
from app.adapters.postgres.tx_call import Told, day_of, moment_of
from app.domain.booking import BookingState
from app.domain.cancellation import LadderStep, PaidPaper
from app.domain.invoice import TenderKind
from app.domain.money import PpnPlace, Rupiah
from app.usecases.rows_cancellations import CancellationBasis, EndingFacts

_BASIS = text("SELECT sentra.cancellation_basis(CAST(:booking_id AS uuid)) AS basis")
_FACTS = text("""
    SELECT b.id AS booking_id, b.state, b.version, b.pickup_at, b.payment_deadline, b.last_action, b.reason,
           (SELECT min(o.due_at) FROM sentra.booking o
            WHERE o.order_id = b.order_id AND o.state = 'PENDING_PAYMENT') AS first_due_at,
           (SELECT count(*) FROM sentra.booking o
            WHERE o.order_id = b.order_id AND o.state <> 'CANCELLED') AS unit_count,
           (SELECT coalesce(array_agg(DISTINCT t.kind ORDER BY t.kind), '{}')
            FROM sentra.invoice i
            JOIN sentra.payment p ON p.invoice_id = i.id
            JOIN sentra.tender t ON t.payment_id = p.id
            WHERE i.order_id = b.order_id AND i.state = 'PAID' AND EXISTS (
                SELECT FROM sentra.invoice_line l
                WHERE l.invoice_id = i.id AND l.booking_id = b.id AND l.active)) AS paid_by
    FROM sentra.booking b
    WHERE b.id = CAST(:booking_id AS uuid)""")


class ApprovalReads:
    """The part `ApprovalReads` of the reads."""

    _ask: Ask

    def cancellation_basis(self, booking_id: str) -> CancellationBasis | None:
        """Pick-up, ladder and settled invoices of a booking in one snapshot; None when the branch has no such one."""
        row = self._ask.row(_BASIS, booking_id=booking_id) if is_uuid(booking_id) else None
        if row is None or row["basis"] is None:
            return None
        told = row["basis"]
        return CancellationBasis(
            booking_id=told["booking_id"],
            state=BookingState(told["state"]),
            pickup_at=moment_of(told["pickup_at"]),
            first_day=day_of(told["first_day"]),
            terms=terms_of(told["daily_rate"], told["terms"]),
            ladder=tuple(
                LadderStep(hours_before=int(hours), percent=int(percent)) for hours, percent in told["ladder"]
            ),
            papers=tuple(_paper(item) for item in told["papers"]),
            now=moment_of(told["now"]),
        )

    def ending_facts(self, booking_id: str) -> EndingFacts | None:
        """State, pick-up, order and ways of payment in one snapshot; None when the branch has no such booking."""
        row = self._ask.row(_FACTS, booking_id=booking_id) if is_uuid(booking_id) else None
        if row is None:
            return None
        return EndingFacts(
            booking_id=str(row["booking_id"]),
            state=BookingState(row["state"]),
            version=row["version"],
            pickup_at=moment(row["pickup_at"]),
            payment_deadline=moment_or_none(row["payment_deadline"]),
            unit_count=row["unit_count"],
            paid_by=tuple(map(TenderKind, row["paid_by"])),
            first_due_at=moment_or_none(row["first_due_at"]),
            last_action=row["last_action"] or "",
            reason=row["reason"] or "",
        )


def _paper(told: Told) -> PaidPaper:
    return PaidPaper(
        made_on=day_of(told["made_on"]),
        ppn_place=PpnPlace(told["ppn_place"]),
        taxable=Rupiah(told["taxable"]),
        given_back=Rupiah(told["given_back"]),
        refunded=Rupiah(told["refunded"]),
        rent=Rupiah(told["rent"]),
        deposit=Rupiah(told["deposit"]),
        untaxed=Rupiah(told["untaxed"]),
    )
