"""The branch as plain Python sets: which days of which unit are taken, by what, and what each refusal must be.

Nothing here knows the product: no constraint, no bit, no query. A test drives both and compares.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.domain.booking import BookingState
from app.domain.days import Days, RentalPeriod, YearMonth
from app.usecases.bookings import BookRequest
from app.usecases.settlement import HeldLock

PENDING, PAID, CANCELLED = BookingState.PENDING_PAYMENT, BookingState.PAID_APPROVED, BookingState.CANCELLED
OUT, EXTENDING = BookingState.ACTIVE_RENTAL, BookingState.EXTENSION_PENDING
DEADLINE = dt.timedelta(minutes=15)
LOCK = dt.timedelta(seconds=60)
TOLD_AFTER = dt.timedelta(seconds=5)
MONTHS_TOLD = 14
"""How far ahead a counter writes every month of a unit it changed."""
LOCK_OVER_DEADLINE = dt.timedelta(minutes=5)
"""How long past a deadline a cashier's valid lock keeps a booking."""
FINAL = {BookingState.CANCELLED, BookingState.COMPLETED}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUnit:
    """A unit of the branch; `turnaround` days follow each rental."""

    id: str
    sku: str
    turnaround: int


@dataclass(slots=True, kw_only=True)
class Stay:
    """One booking and the stretch of days it takes."""

    booking_id: str
    number: str
    order_id: str
    unit: ModelUnit
    period: RentalPeriod
    state: BookingState
    deadline: dt.datetime | None
    expired: bool = False
    held_until: dt.date | None = None
    """The last day of an extension that is held and not paid yet; its deadline is `deadline`."""
    extension: str | None = None
    """The invoice of that extension."""

    @property
    def days(self) -> Days:
        """The rental, the extra days that are held for it, and its turnaround."""
        return RentalPeriod(self.period.first, self.held_until or self.period.last).with_turnaround(
            self.unit.turnaround
        )

    def let_go(self) -> None:
        """The extension that was held is over, unpaid."""
        self.state, self.deadline, self.held_until, self.extension = OUT, None, None, None

    @property
    def takes(self) -> set[dt.date]:
        """The days nobody else may have; none once it is final."""
        return set() if self.state in FINAL else set(self.days)

    def end(self, *, expired: bool = False) -> None:
        """Cancelled, by a person or by its deadline: its days are free."""
        self.state, self.deadline, self.expired = CANCELLED, None, expired


@dataclass(slots=True, kw_only=True)
class ModelLock:
    """Who holds an invoice until when; it counts for nothing afterwards."""

    cashier: str
    held: HeldLock
    until: dt.datetime


@dataclass(slots=True, kw_only=True)
class ModelOrder:
    """Bookings made together, their invoice, and the payment that settled it."""

    request: BookRequest
    invoice_id: str
    stays: list[Stay]
    lock: ModelLock | None = None
    paid_by: tuple[str, str, HeldLock] | None = None
    """Attempt id, receipt number and lock of the payment."""
    old_locks: list[ModelLock] = field(default_factory=list)

    @property
    def pending(self) -> list[Stay]:
        return [stay for stay in self.stays if stay.state is PENDING]

    @property
    def extending(self) -> list[Stay]:
        return [stay for stay in self.stays if stay.state is EXTENDING]

    @property
    def is_void(self) -> bool:
        """Nothing of it is left to pay for."""
        return self.paid_by is None and all(stay.state in FINAL for stay in self.stays)

    def is_locked(self, now: dt.datetime) -> bool:
        return self.lock is not None and self.lock.until > now

    def is_overdue(self, now: dt.datetime) -> bool:
        """Something of it is past its deadline, swept or not."""
        return any(stay.deadline is not None and stay.deadline <= now for stay in self.pending)

    def may_expire(self, now: dt.datetime) -> bool:
        """Past its deadline, and no cashier's lock, or the five minutes after the deadline are over too."""
        return any(
            stay.deadline is not None
            and stay.deadline <= now
            and (not self.is_locked(now) or stay.deadline + LOCK_OVER_DEADLINE <= now)
            for stay in self.pending
        )


@dataclass(slots=True, kw_only=True)
class Branch:
    """Everything the branch has promised. `stale` and `claimed` say what its index may get wrong, and how."""

    units: tuple[ModelUnit, ...]
    orders: dict[str, ModelOrder] = field(default_factory=dict)
    blocks: dict[str, tuple[ModelUnit, Days]] = field(default_factory=dict)
    """Maintenance, by its id."""
    stale: set[str] = field(default_factory=set)
    """Units whose last change the index was not told."""
    claimed: dict[str, set[dt.date]] = field(default_factory=dict)
    """Days that a counter which died has claimed in the index and never booked."""
    to_tell: list[tuple[dt.datetime, set[str]]] = field(default_factory=list)
    """Units that the service tells the index from a moment on."""
    is_damaged: bool = False
    """Somebody wrote into the index by hand; it is right again after the next comparison."""

    @property
    def stays(self) -> list[Stay]:
        return [stay for order in self.orders.values() for stay in order.stays]

    def of_sku(self, sku: str) -> list[ModelUnit]:
        return [unit for unit in self.units if unit.sku == sku]

    def taken(self, unit: ModelUnit, but_not: Stay | None = None) -> set[dt.date]:
        """The days of this unit that are taken."""
        found: set[dt.date] = set()
        for stay in self.stays:
            if stay.unit == unit and stay is not but_not:
                found |= stay.takes
        for blocked, days in self.blocks.values():
            if blocked == unit:
                found |= set(days)
        return found

    def is_free(self, unit: ModelUnit, period: RentalPeriod, but_not: Stay | None = None) -> bool:
        return not self.taken(unit, but_not) & set(period.with_turnaround(unit.turnaround))

    def free(self, sku: str, period: RentalPeriod) -> list[ModelUnit]:
        return [unit for unit in self.of_sku(sku) if self.is_free(unit, period)]

    def in_the_way(self, unit: ModelUnit, period: RentalPeriod) -> set[str]:
        """Numbers of the bookings that take one of the days."""
        wanted = set(period.with_turnaround(unit.turnaround))
        return {stay.number for stay in self.stays if stay.unit == unit and stay.takes & wanted}

    def owes(self, units: Iterable[ModelUnit], now: dt.datetime) -> None:
        """These units were changed: the service tells the index once more, a few seconds later."""
        self.to_tell.append((now + TOLD_AFTER, {unit.id for unit in units}))

    def told_by_a_counter(self, units: Iterable[ModelUnit], today: dt.date) -> None:
        """A counter projected these units: over the months next to this one and over those with taken days. What was
        wrong in a month far ahead may stand until the service has looked at it."""
        far = YearMonth.of(today).shifted(MONTHS_TOLD).last_day
        for unit in units:
            self.claimed[unit.id] = {day for day in self.claimed.get(unit.id, set()) if day > far}

    def told_by_the_service(self, unit_ids: Iterable[str]) -> None:
        """Every month of these units that the index knows was written anew: what it had wrong of them is gone."""
        for unit_id in unit_ids:
            self.stale.discard(unit_id)
            self.claimed.pop(unit_id, None)

    def told_what_was_owed(self, now: dt.datetime) -> None:
        """The service worked off what is due by now."""
        for due, unit_ids in self.to_tell:
            if due <= now:
                self.told_by_the_service(unit_ids)
        self.to_tell = [(due, unit_ids) for due, unit_ids in self.to_tell if due > now]
