"""Whether a booking is still as the person saw it who asks for a change of it."""

from __future__ import annotations

from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows_changes import ChangeBasis


def check_seen(basis: ChangeBasis, version: int | None) -> None:
    """Refuse a question about another version of the booking; None asks about whatever it is."""
    if version is None or version == basis.version:
        return
    raise Refusal(
        RefusalCode.BOOKING_STATE,
        field="booking_id",
        next=(),
        booking_id=basis.booking_id,
        reason="changed_meanwhile",
        number=basis.number,
        version=basis.version,
    )
