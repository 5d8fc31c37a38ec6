"""What the grid's verbs work with: the parts of a counter they need, and the view models made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.desktop.screens.calendar_cancel_desk import EndsCounter, EndsWork
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.changes_viewmodel import ChangesViewModel, ChangeUseCases
from app.desktop.screens.demand_viewmodel import (
    BlockUseCases,
    DemandViewModel,
    Elsewhere,
    RefusalUseCases,
    WaitlistUseCases,
)
from app.desktop.screens.unanswered_viewmodel import UnansweredViewModel
from app.domain.days import Days, RentalPeriod
from app.usecases.rows import Bar, Blocker, CustomerHit, InvoiceRow


class _Days(Protocol):
    def free_elsewhere(self, sku: str, period: RentalPeriod) -> Elsewhere: ...

    def blockers(self, unit_id: str, days: Days) -> Sequence[Blocker]: ...

    def bars(self, window: Days) -> Sequence[Bar]: ...


class _Invoices(Protocol):
    def invoices(self) -> tuple[InvoiceRow, ...]: ...


class _Customers(Protocol):
    def find_customers(self, text: str, limit: int = 8) -> Sequence[CustomerHit]: ...


class HandsCounter(EndsCounter, Protocol):
    """The part of a counter that the grid's verbs need."""

    @property
    def changes_of_bookings(self) -> ChangeUseCases: ...

    @property
    def maintenance(self) -> BlockUseCases: ...

    @property
    def waitlist(self) -> WaitlistUseCases: ...

    @property
    def demand(self) -> RefusalUseCases: ...

    @property
    def calendar(self) -> _Days: ...

    @property
    def settlement(self) -> _Invoices: ...

    @property
    def customers(self) -> _Customers: ...


@dataclass(frozen=True, slots=True)
class GridWork:
    """The view models behind the grid's verbs."""

    changes: ChangesViewModel
    demand: DemandViewModel
    ends: EndsWork
    unanswered: UnansweredViewModel

    @classmethod
    def of(cls, counter: HandsCounter, clock: ServerClock) -> "GridWork":
        """For one logged-in person at one counter."""
        return cls(
            ends=EndsWork.of(counter, clock.steady),
            changes=ChangesViewModel(counter.changes_of_bookings, counter.settlement.invoices),
            demand=DemandViewModel(
                counter.maintenance,
                counter.waitlist,
                counter.calendar.free_elsewhere,
                counter.customers.find_customers,
                counter.calendar.blockers,
                counter.demand,
                clock.now,
            ),
            unanswered=UnansweredViewModel(
                counter.changes_of_bookings,
                counter.maintenance,
                counter.waitlist,
                counter.calendar.bars,
                clock.now,
            ),
        )
