"""Frozen rows of demand that was not met: places on the waitlist, and wishes that were refused."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.days import RentalPeriod
from app.domain.waitlist import Tier, WaitlistState
from app.usecases.rows import NewCustomer


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitlistRow:
    """One place on the waitlist. `position` is 1 for whoever is asked first among the waiting entries of the same
    branch and SKU that overlap the period; 0 for an entry that does not wait (any more)."""

    id: str
    customer_id: str
    customer_name: str
    customer_phone: str
    tier: Tier
    sku: str
    period: RentalPeriod
    joined_at: dt.datetime
    state: WaitlistState
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedWaitlist:
    """`already`: the customer had an open place for this SKU and first day; it is kept, and is the one shown.

    `mirrored` is what the mirror has to say of the customer now; None when no branch has the customer waiting.
    """

    entry: WaitlistRow
    already: bool
    mirrored: MirroredPlace | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWaitlistEntry:
    """An entry as the database is given it; an existing customer by id, or a typed one as with a booking."""

    id: str
    customer_id: str | None
    new_customer: NewCustomer | None
    sku: str
    period: RentalPeriod
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnEntry:
    """What the mirror has to forget. `mirrored`: the place that the same customer has under the same key in another
    branch; None when there is none."""

    id: str
    branch_id: str
    customer_id: str
    sku: str
    first_day: dt.date
    mirrored: MirroredPlace | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MirroredPlace:
    """A customer's best waiting entry of any branch, as the member of `waitlist:<SKU>:<YYYYMMDD>`."""

    sku: str
    first_day: dt.date
    customer_id: str
    tier_weight: int
    joined_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedWish:
    """A DAYS_TAKEN refusal to be recorded: sent again under its order id, it counts once."""

    order_id: str
    sku: str
    unit_id: str | None
    period: RentalPeriod
    code: str
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalRow:
    """A wish that was refused. `unit_id` when a unit was asked for by name; `booked_after_all`: the same order was
    booked later, on other days or another unit, so the demand was not lost."""

    id: str
    sku: str
    unit_id: str | None
    period: RentalPeriod
    code: str
    at: dt.datetime
    by_name: str
    order_id: str
    booked_after_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalCount:
    """How many refused wishes of a SKU wanted this day and were not booked after all."""

    sku: str
    day: dt.date
    count: int
