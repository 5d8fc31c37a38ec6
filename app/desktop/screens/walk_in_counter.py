"""The part of a counter that a walk-in needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.money import Rupiah
from app.domain.pricing import Extra, Quote
from app.domain.staff import StaffMember
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder, CustomerHit, EndedBooking
from app.usecases.rows_approvals import Approval
from app.usecases.rows_customers import CustomerCard, CustomerForm


class WalkInBookings(Protocol):
    def quote(self, lines: Sequence[BookLine], *, down_payment: Rupiah | None = None) -> Quote: ...

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


class Approve(Protocol):
    """A manager's word for one action on one thing, by password."""

    def __call__(
        self, login: str, password: str, action: str, object: str, reason: str, amount: Rupiah | None = None
    ) -> Approval: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What a counter can do beside booking; what it cannot (None) has no fields in the drawer."""

    save_customer: Callable[[CustomerForm], CustomerCard] | None = None
    extras: Callable[[], tuple[Extra, ...]] | None = None
    approve: Approve | None = None
    find_by_identity: Callable[[str], tuple[CustomerHit, ...]] | None = None
    """Whoever has exactly this number of a KTP, asked of the service."""

    discount_limit: Callable[[], int] | None = None
    """How many percent the person at the counter may give without a manager."""

    undriven: Callable[[], frozenset[str]] = frozenset
    """SKUs that nobody needs a licence for."""

    @property
    def has_terms(self) -> bool:
        """Extras, discount, deposit and down payment can be agreed on."""
        return self.extras is not None
