"""Frozen rows of changes to a booking that stands: what a change would be, what it rests on, what it became."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.booking import Action, BookingState
from app.domain.booking_change import Standing
from app.domain.change_pricing import Paper
from app.domain.days import Days, RentalPeriod
from app.domain.money import PpnPlace, Rupiah
from app.domain.pricing import Terms
from app.usecases.index_port import Projection
from app.usecases.rows import Blocker, FreedStretch


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeQuote:
    """What a change would be and cost; nothing is written or held. `before` and `after` are the rent as the customer
    pays it, without the deposit.

    `blockers` stand in the way of it, never the booking itself. `longest_last_day` is the last day that an extension
    with blockers could reach (the present one when not a single day is free), else None.
    """

    before: Rupiah
    after: Rupiah
    difference: Rupiah
    action: Action
    blockers: tuple[Blocker, ...]
    longest_last_day: dt.date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedBooking:
    """A booking as a change left it. `period` is its own: the days of an extension that is not paid are not in it.

    `difference` is what the change costs: positive to pay, negative to give back. `invoice_id` is the open invoice that
    now carries what is to be paid of this booking, None when nothing is. `invoices` were written by the change.
    """

    booking_id: str
    number: str
    order_id: str
    state: BookingState
    version: int
    unit_id: str
    period: RentalPeriod
    invoice_id: str | None
    difference: Rupiah
    payment_deadline: dt.datetime | None
    projections: tuple[Projection, ...]
    freed: tuple[FreedStretch, ...]
    now: dt.datetime
    invoices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeBasis:
    """What a change of one booking starts from, read in one statement. `now` is the database's clock.

    `terms` are what its days are priced by. `ppn_place` is where a new invoice has its PPN. `sold_rate` is what the SKU
    that was sold costs today: what "better" is measured by. `papers` are its invoices with rent of this booking, open
    ones first, then the newest settled.
    """

    booking_id: str
    number: str
    order_id: str
    version: int
    standing: Standing
    sold_sku: str
    sold_rate: Rupiah
    terms: Terms
    ppn_place: PpnPlace
    payment_deadline: dt.datetime | None
    papers: tuple[Paper, ...]
    now: dt.datetime

    @property
    def held(self) -> Days:
        """The days its unit is taken for it now, turnaround included."""
        return self.standing.held
