"""Ports of changing a booking that stands: parts of `Tx` and `Reads`, with the same guarantees."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Protocol

from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.usecases.rows import Taken
from app.usecases.rows_changes import ChangeBasis, ChangedBooking


class ChangeTx(Protocol):
    """Writes. `Taken`: these rows are in the way; the transaction is to be rolled back. A change to what stands already
    is answered and writes nothing, so that one whose answer was lost can be sent again.

    All refuse NOT_FOUND, BOOKING_STATE, BOOKING_EXPIRED, NOT_ALLOWED and PERIOD_INVALID naming the field. `based_on` is
    the version that the person saw: another one is BOOKING_STATE, `changed_meanwhile`, naming who changed it.
    """

    def reschedule(
        self,
        booking_id: str,
        period: RentalPeriod,
        unit_id: str,
        version: int,
        difference: Rupiah,
        based_on: int | None = None,
        holidays: Collection[dt.date] = (),
    ) -> ChangedBooking | Taken:
        """Move a booking that is not out yet. `version` and `difference` are what was priced: another version
        or price is PRICE_CHANGED, to be priced again. `holidays` are those of the new days where they have a rate of
        their own. Refuses INVOICE_LOCKED naming the cashier, UNIT_NOT_RENTABLE."""

    def swap_unit(self, booking_id: str, unit_id: str, based_on: int | None = None) -> ChangedBooking | Taken:
        """Another unit for the days that remain; from today on when the booking is out. UNIT_NOT_RENTABLE."""

    def request_extension(
        self,
        booking_id: str,
        last_day: dt.date,
        version: int,
        difference: Rupiah,
        based_on: int | None = None,
        holidays: Collection[dt.date] = (),
    ) -> ChangedBooking | Taken:
        """Hold extra days for 15 minutes with an EXTENSION invoice; priced like a reschedule."""

    def reject_extension(self, booking_id: str, reason: str, based_on: int | None = None) -> ChangedBooking | Taken:
        """Free the extra days of an unpaid extension and void its invoice; INVOICE_LOCKED naming the cashier."""

    def shorten(
        self, booking_id: str, last_day: dt.date, reason: str, based_on: int | None = None
    ) -> ChangedBooking | Taken:
        """End earlier, today at the earliest; or later again within the paid days."""


class ChangeReads(Protocol):
    """Reads, each one statement and so one snapshot."""

    def change_basis(self, booking_id: str) -> ChangeBasis | None:
        """What a change starts from; None when the person's branch has no such booking."""
