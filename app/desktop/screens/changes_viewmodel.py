"""Changes to bookings from the grid: ask what one would be, make it, take it back; and find the bill of one."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.viewmodel import ViewModel
from app.domain.booking import Action
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from app.usecases.rows import Bar, InvoiceRow
from app.usecases.rows_changes import ChangedBooking, ChangeQuote


class ChangeUseCases(Protocol):
    def quote_change(
        self, booking_id: str, period: RentalPeriod, unit_id: str | None = None, *, version: int | None = None
    ) -> ChangeQuote: ...

    def reschedule(
        self, booking_id: str, period: RentalPeriod, unit_id: str | None = None, *, version: int | None = None
    ) -> ChangedBooking: ...

    def swap_unit(self, booking_id: str, unit_id: str, *, version: int | None = None) -> ChangedBooking: ...

    def request_extension(
        self, booking_id: str, last_day: dt.date, *, version: int | None = None
    ) -> ChangedBooking: ...

    def reject_extension(self, booking_id: str, reason: str = "", *, version: int | None = None) -> ChangedBooking: ...

    def shorten(
        self, booking_id: str, last_day: dt.date, reason: str = "", *, version: int | None = None
    ) -> ChangedBooking: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One booking from where it is to where it is wanted. `version` is the booking's as the grid shows it: what another
    counter made of it meanwhile is not overwritten.
    """

    booking_id: str
    number: str
    customer: str
    home_id: str
    before: Days
    unit_id: str
    plate: str
    days: Days
    version: int | None = None

    @property
    def period(self) -> RentalPeriod:
        return RentalPeriod(self.days.first, self.days.last)

    @property
    def other_unit(self) -> str | None:
        return self.unit_id if self.unit_id != self.home_id else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneChange:
    """A change the server made."""

    change: Change
    action: Action
    booking: ChangedBooking

    @property
    def back(self) -> Change:
        """The way back from it, from the version that it left."""
        done = self.change
        return replace(
            done,
            home_id=done.unit_id,
            before=done.days,
            unit_id=done.home_id,
            days=done.before,
            version=self.booking.version,
        )


class ChangesViewModel(ViewModel):
    """`quoted` with (Change, ChangeQuote) and `quote_refused` with (Change, Refusal) answer `quote`; `applied` with a
    DoneChange and `apply_refused` with (Change, Refusal) answer `apply`, also where an undo was refused: then with the
    Change that would have led back, and `answer_lost` with (Change, Action) a change that may be written or not.
    `taken_back` and `rejected` carry a ChangedBooking, `bill_found` an invoice's id.
    """

    quoted = Signal(object, object)
    quote_refused = Signal(object, object)
    applied = Signal(object)
    apply_refused = Signal(object, object)
    answer_lost = Signal(object, object)
    taken_back = Signal(object)
    rejected = Signal(object)
    bill_found = Signal(str)

    def __init__(
        self,
        use_cases: ChangeUseCases,
        open_invoices: Callable[[], Sequence[InvoiceRow]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._use_cases = use_cases
        self._open_invoices = open_invoices

    @reload_command
    async def quote(self, change: Change) -> None:
        """What this change would be; of several asked in a row the last one is answered."""
        try:
            found = await call(partial(self._ask, change))
        except Refusal as no:
            self.quote_refused.emit(change, no)
        else:
            self.quoted.emit(change, found)

    @command
    async def apply(self, change: Change, action: Action) -> None:
        """Make the change; the bar stays where it is until this is answered."""
        try:
            booking = await call(self._make, change, action)
        except Refusal as no:
            if no.code is RefusalCode.UNREACHABLE:
                self.answer_lost.emit(change, action)
            else:
                self.apply_refused.emit(change, no)
        else:
            self.applied.emit(DoneChange(change=change, action=action, booking=booking))

    @command
    async def take_back(self, done: DoneChange) -> None:
        """Undo: the booking goes back to its days and unit, if they are still free and nobody changed it since."""
        try:
            booking = await call(self._unmake, done)
        except Refusal as no:
            self.apply_refused.emit(done.back, no)
        else:
            self.taken_back.emit(booking)

    @command
    async def reject(self, booking_id: str, reason: str, version: int | None = None) -> None:
        """Refuse an extension that was not paid: its extra days are free at once."""
        self.rejected.emit(await call(partial(self._use_cases.reject_extension, booking_id, reason, version=version)))

    @command
    async def find_bill(self, booking_id: str) -> None:
        """The open invoice of a booking, for the settlement screen."""
        rows = await call(self._open_invoices)
        mine = [row for row in rows if row.booking_id == booking_id and row.state is InvoiceState.OPEN]
        if not mine:
            raise Refusal(RefusalCode.NOT_FOUND, field="invoice_id", booking_id=booking_id)
        self.bill_found.emit(mine[-1].id)

    def _ask(self, change: Change) -> ChangeQuote:
        return self._use_cases.quote_change(change.booking_id, change.period, change.other_unit, version=change.version)

    def _make(self, change: Change, action: Action) -> ChangedBooking:
        seen = change.version
        match action:
            case Action.SWAP_UNIT:
                return self._use_cases.swap_unit(change.booking_id, change.unit_id, version=seen)
            case Action.REQUEST_EXTENSION:
                return self._use_cases.request_extension(change.booking_id, change.days.last, version=seen)
            case Action.SHORTEN:
                return self._use_cases.shorten(change.booking_id, change.days.last, version=seen)
            case _:
                return self._use_cases.reschedule(change.booking_id, change.period, change.other_unit, version=seen)

    def _unmake(self, done: DoneChange) -> ChangedBooking:
        change, left = done.change, done.booking.version
        before = RentalPeriod(change.before.first, change.before.last)
        match done.action:
            case Action.SWAP_UNIT:
                return self._use_cases.swap_unit(change.booking_id, change.home_id, version=left)
            case Action.REQUEST_EXTENSION:
                return self._use_cases.reject_extension(change.booking_id, version=left)
            case Action.SHORTEN:
                return self._use_cases.shorten(change.booking_id, change.before.last, version=left)
            case _:
                home = change.home_id if change.other_unit is not None else None
                return self._use_cases.reschedule(change.booking_id, before, home, version=left)


def change_of(bar: Bar, home_id: str, unit_id: str, plate: str, before: Days, days: Days) -> Change | None:
    """The change a bar's new place asks for; None for a bar without a booking."""
    if bar.booking_id is None:
        return None
    return Change(
        booking_id=bar.booking_id,
        number=bar.number or "",
        customer=bar.customer_name or "",
        home_id=home_id,
        before=before,
        unit_id=unit_id,
        plate=plate,
        days=days,
        version=bar.version,
    )
