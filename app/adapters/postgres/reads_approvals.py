"""What the end of a paid booking starts from, out of the one JSON object in which the database answers it."""

from __future__ import annotations

from sqlalchemy import text

from app.adapters.postgres.reads_changes import terms_of
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.tx_call import Told, day_of, moment_of
from app.domain.booking import BookingState
from app.domain.cancellation import LadderStep, PaidPaper
from app.domain.money import PpnPlace, Rupiah
from app.usecases.rows_cancellations import CancellationBasis

_BASIS = text("SELECT sentra.cancellation_basis(CAST(:booking_id AS uuid)) AS basis")


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
