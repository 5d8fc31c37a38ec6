"""`sentra-admin do`: changes of a booking that stands, by their names, from JSON to JSON."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.domain.days import RentalPeriod, parse_day
from app.json_values import Fields, plain
from app.usecases.rows_changes import ChangedBooking


def _period(given: Fields) -> RentalPeriod:
    first = parse_day(given.text("first_day"), given.name("first_day"))
    return RentalPeriod(first, _last_day(given))


def _changed(done: ChangedBooking) -> dict[str, object]:
    return {
        "booking_id": done.booking_id,
        "number": done.number,
        "state": done.state.value,
        "version": done.version,
        "unit_id": done.unit_id,
        "first_day": done.period.first.isoformat(),
        "last_day": done.period.last.isoformat(),
        "invoice_id": done.invoice_id,
        "difference": done.difference,
        "payment_deadline": plain(done.payment_deadline),
        "freed": plain(done.freed),
    }


def _last_day(given: Fields) -> dt.date:
    return parse_day(given.text("last_day"), given.name("last_day"))


def _quote_change(counter: Counter, given: Fields) -> object:
    changes = counter.changes_of_bookings
    return plain(changes.quote_change(given.text("booking_id"), _period(given), given.text_or_none("unit_id")))


def _reschedule(counter: Counter, given: Fields) -> object:
    changes = counter.changes_of_bookings
    return _changed(changes.reschedule(given.text("booking_id"), _period(given), given.text_or_none("unit_id")))


def _swap_unit(counter: Counter, given: Fields) -> object:
    return _changed(counter.changes_of_bookings.swap_unit(given.text("booking_id"), given.text("unit_id")))


def _request_extension(counter: Counter, given: Fields) -> object:
    return _changed(counter.changes_of_bookings.request_extension(given.text("booking_id"), _last_day(given)))


def _reject_extension(counter: Counter, given: Fields) -> object:
    reason = given.text_or_none("reason") or ""
    return _changed(counter.changes_of_bookings.reject_extension(given.text("booking_id"), reason))


def _shorten(counter: Counter, given: Fields) -> object:
    reason = given.text_or_none("reason") or ""
    return _changed(counter.changes_of_bookings.shorten(given.text("booking_id"), _last_day(given), reason))


CHANGES: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "quote_change": (_quote_change, ("booking_id", "first_day", "last_day", "unit_id")),
    "reschedule": (_reschedule, ("booking_id", "first_day", "last_day", "unit_id")),
    "swap_unit": (_swap_unit, ("booking_id", "unit_id")),
    "request_extension": (_request_extension, ("booking_id", "last_day")),
    "reject_extension": (_reject_extension, ("booking_id", "reason")),
    "shorten": (_shorten, ("booking_id", "last_day", "reason")),
}
"""By name: what runs it and the fields it takes."""
