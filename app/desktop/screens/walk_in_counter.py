"""The part of a counter that a walk-in needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.pricing import Quote
from app.domain.staff import StaffMember
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder, CustomerHit, EndedBooking
from app.usecases.rows_customers import CustomerCard, CustomerForm


class WalkInBookings(Protocol):
    def quote(self, lines: Sequence[BookLine]) -> Quote: ...

    def book(self, request: BookRequest) -> BookedOrder: ...

    def cancel(self, booking_id: str, reason: str = "", *, version: int | None = None) -> EndedBooking: ...


class CustomerSearch(Protocol):
    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]: ...


class WalkInCounter(Protocol):
    @property
    def bookings(self) -> WalkInBookings: ...

    @property
    def customers(self) -> CustomerSearch: ...

    @property
    def who(self) -> StaffMember: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What a counter can do beside booking; what it cannot (None) has no fields in the drawer."""

    save_customer: Callable[[CustomerForm], CustomerCard] | None = None
