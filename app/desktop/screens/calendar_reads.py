"""What the calendar asks of a counter, and where the days it shows come from."""

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from app.domain.days import Days, RentalPeriod
from app.domain.staff import StaffMember
from app.usecases.calendar import BranchRow, CalendarMasks
from app.usecases.rows import Bar, EndedBooking, FleetUnit


class CalendarReads(Protocol):
    def branches(self) -> tuple[BranchRow, ...]: ...

    def fleet(self, branch_id: str | None = None) -> tuple[FleetUnit, ...]: ...

    def masks(self, fleet: Sequence[FleetUnit], window: Days) -> CalendarMasks: ...

    def bars(self, window: Days, branch_id: str | None = None) -> tuple[Bar, ...]: ...

    def first_doubled(self, today: dt.date) -> tuple[str, Days] | None: ...

    def free_now(self, period: RentalPeriod, *, fleet: Sequence[FleetUnit] | None = None) -> tuple[FleetUnit, ...]: ...


class Canceller(Protocol):
    def cancel(self, booking_id: str, reason: str = "", *, version: int | None = None) -> EndedBooking: ...


class CalendarCounter(Protocol):
    """The part of a counter that the calendar needs."""

    @property
    def calendar(self) -> CalendarReads: ...

    @property
    def bookings(self) -> Canceller: ...

    @property
    def who(self) -> StaffMember: ...


class Source(StrEnum):
    """Where the days come from: the index, the database (index away), or what was read last (nothing answers)."""

    INDEX = "index"
    DATABASE = "database"
    STALE = "stale"
