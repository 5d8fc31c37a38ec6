"""Frozen rows of the end of a paid booking and of holding an unpaid one longer."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from app.domain.booking import BookingState
from app.domain.cancellation import CancellationEffect, LadderStep, PaidPaper
from app.domain.invoice import TenderKind
from app.domain.money import Rupiah
from app.domain.pricing import Terms
from app.usecases.index_port import Projection
from app.usecases.rows import FreedStretch


class RefundKind(StrEnum):
    """What a refund gives back: rent by a change of days; rent, extras that are not taxable, a deposit by the end."""

    RESCHEDULE = "RESCHEDULE"
    RENT = "RENT"
    EXTRA = "EXTRA"
    DEPOSIT = "DEPOSIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class CancellationBasis:
    """What the end of a paid booking starts from, read in one statement. `now` is the database's clock.

    `papers` are its settled invoices, the newest first; `terms` what its days are priced by.
    """

    booking_id: str
    state: BookingState
    pickup_at: dt.datetime
    first_day: dt.date
    terms: Terms
    ladder: tuple[LadderStep, ...]
    papers: tuple[PaidPaper, ...]
    now: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingFacts:
    """What a person sees beside the money before a booking ends, and what became of it when an answer was lost.

    `unit_count` are the units of its order that are not cancelled, `paid_by` the ways in which its settled invoices
    were paid, in the order of the alphabet. `first_due_at` is when the first unit of an unpaid order is due: it is held
    no longer. `last_action` and `reason` of its last change tell whose end it was that is found.
    """

    booking_id: str
    state: BookingState
    version: int
    pickup_at: dt.datetime
    payment_deadline: dt.datetime | None
    unit_count: int
    paid_by: tuple[TenderKind, ...]
    first_due_at: dt.datetime | None = None
    last_action: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueRefund:
    """Money that is to be given back of one settled invoice."""

    id: str
    invoice_id: str
    kind: RefundKind
    amount: Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelledBooking:
    """A paid booking after its end. `invoices` were open and ask for nothing more of it: void, or for others only."""

    booking_id: str
    number: str
    order_id: str
    branch_id: str
    state: BookingState
    effect: CancellationEffect
    refunds: tuple[DueRefund, ...]
    invoices: tuple[str, ...]
    projections: tuple[Projection, ...]
    freed: tuple[FreedStretch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLonger:
    """An unpaid order with a later deadline; `bookings` and `invoices` are all that wait for it."""

    booking_id: str
    number: str
    order_id: str
    branch_id: str
    version: int
    payment_deadline: dt.datetime
    bookings: tuple[str, ...]
    invoices: tuple[str, ...]
