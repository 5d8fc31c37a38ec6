"""Reschedule, swap, extend and shorten: calls of the database's functions and their answers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.errors import TAKEN_BY_FUNCTION, detail_of, sqlstate_of
from app.adapters.postgres.tx_call import Call, Told, as_json, blocker_of, day_of, freed_of, moment_of, projections_of
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.usecases.rows import Taken
from app.usecases.rows_changes import ChangedBooking


class ChangeCalls:
    """The part `ChangeTx` of a transaction."""

    _call: Call

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
        expected = _expected(version, difference, based_on, holidays)
        statement = "SELECT sentra.reschedule_booking(%s, %s, %s, %s, %s)"
        return _answer(self._call, statement, booking_id, period.first, period.last, unit_id, expected)

    def swap_unit(self, booking_id: str, unit_id: str, based_on: int | None = None) -> ChangedBooking | Taken:
        return _answer(self._call, "SELECT sentra.swap_unit(%s, %s, %s)", booking_id, unit_id, based_on)

    def request_extension(
        self,
        booking_id: str,
        last_day: dt.date,
        version: int,
        difference: Rupiah,
        based_on: int | None = None,
        holidays: Collection[dt.date] = (),
    ) -> ChangedBooking | Taken:
        expected = _expected(version, difference, based_on, holidays)
        return _answer(self._call, "SELECT sentra.request_extension(%s, %s, %s)", booking_id, last_day, expected)

    def reject_extension(self, booking_id: str, reason: str, based_on: int | None = None) -> ChangedBooking | Taken:
        statement = "SELECT sentra.reject_extension(%s, %s, %s, %s)"
        return _answer(self._call, statement, booking_id, reason, self._call.again, based_on)

    def shorten(
        self, booking_id: str, last_day: dt.date, reason: str, based_on: int | None = None
    ) -> ChangedBooking | Taken:
        statement = "SELECT sentra.shorten_booking(%s, %s, %s, %s)"
        return _answer(self._call, statement, booking_id, last_day, reason, based_on)


def _expected(version: int, difference: Rupiah, based_on: int | None, holidays: Collection[dt.date]) -> object:
    told = {"version": version, "difference": difference, "based_on": based_on}
    return as_json(told | ({"holidays": sorted(holidays)} if holidays else {}))


def _answer(call: Call, statement: str, *parameters: object) -> ChangedBooking | Taken:
    """The changed booking, or what is in the way; then nothing was written, or the transaction is to be rolled back."""
    try:
        told = call.ask(statement, *parameters)
    except DBAPIError as error:
        if sqlstate_of(error) != TAKEN_BY_FUNCTION:
            raise
        told = detail_of(error)
    if "taken" in told:
        return Taken(blockers=tuple(blocker_of(item) for item in told["taken"]))
    return _changed(told)


def _changed(told: Told) -> ChangedBooking:
    deadline = told["payment_deadline"]
    return ChangedBooking(
        booking_id=told["booking_id"],
        number=told["number"],
        order_id=told["order_id"],
        state=BookingState(told["state"]),
        version=told["version"],
        unit_id=told["unit_id"],
        period=RentalPeriod(day_of(told["first_day"]), day_of(told["last_day"])),
        invoice_id=told["invoice_id"],
        difference=Rupiah(told["difference"]),
        payment_deadline=None if deadline is None else moment_of(deadline),
        projections=projections_of(told),
        freed=freed_of(told),
        now=moment_of(told["now"]),
        invoices=tuple(told["invoices"]),
    )
