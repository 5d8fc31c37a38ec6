"""Rows of the payment gateway: attempts, what it tells, what became of money, and money that came too late."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from app.domain.gateway import LIVE_STATES, AttemptKind, AttemptState, GatewayAmount, GatewayStatus
from app.domain.money import Rupiah
from app.usecases.index_port import Projection

NOTHING = Rupiah(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to pay an invoice at the gateway. `seconds_left` and `now` are the database's; `qr` is the text of a QR
    code, `link` the page to pay on; `is_simulated`: its money is none, and everything that shows it must say so.

    `still_payable_until`: an ended link of this invoice can be paid on so long all the same, because the gateway ends
    no page on which nothing was begun; None when there is none. Money that comes on it is late money.
    """

    order_id: str
    invoice_id: str
    number: int
    branch_id: str
    kind: AttemptKind
    amount: Rupiah
    state: AttemptState
    expires_at: dt.datetime
    seconds_left: int
    now: dt.datetime
    created_at: dt.datetime
    ended_at: dt.datetime | None
    asked_count: int
    is_end_asked: bool
    is_simulated: bool
    link: str | None = None
    qr: str | None = None
    transaction_id: str | None = None
    error: str = ""
    still_payable_until: dt.datetime | None = None

    @property
    def is_live(self) -> bool:
        return self.state in LIVE_STATES

    @property
    def seconds_over(self) -> float:
        """How long ago it ended at the gateway by itself; below 0 while it can be paid."""
        return (self.now - self.expires_at).total_seconds()

    @property
    def seconds_since_end(self) -> float:
        """How long it is over for us."""
        return (self.now - (self.ended_at or self.created_at)).total_seconds()


class AttemptNews(StrEnum):
    """What became of an attempt at the gateway."""

    MADE = "MADE"
    FAILED = "FAILED"
    ENDED = "ENDED"
    SEEN = "SEEN"
    LATER = "LATER"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptNote:
    """`seconds`: when it is asked about next; None for never."""

    order_id: str
    news: AttemptNews
    seconds: int | None = None
    link: str | None = None
    qr: str | None = None
    transaction_id: str | None = None
    seen: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayTold:
    """A transaction as the gateway tells it. `word`, `code` and `said`, the amount, are its own; `amount` is None when
    that is none. `given_back` went back to the payer there. `body` is what was said, for the record.
    """

    order_id: str
    transaction_id: str
    status: GatewayStatus
    word: str
    code: str
    amount: GatewayAmount | None
    payment_type: str
    body: str
    said: str = ""
    given_back: Rupiah = NOTHING


class EventSource(StrEnum):
    NOTIFICATION = "NOTIFICATION"
    STATUS = "STATUS"


class Verdict(StrEnum):
    """Anything but OK is kept aside and moves nothing."""

    OK = "OK"
    UNKNOWN_ORDER = "UNKNOWN_ORDER"
    WRONG_AMOUNT = "WRONG_AMOUNT"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """`is_booked`: the money of this transaction is explained already."""

    id: str
    fresh: bool
    verdict: Verdict
    attempt: Attempt | None
    is_booked: bool


class MoneyOutcome(StrEnum):
    PAID = "PAID"
    REINSTATED = "REINSTATED"
    LATE = "LATE"
    HELD = "HELD"
    GIVEN_BACK = "GIVEN_BACK"
    ALREADY = "ALREADY"
    UNKNOWN = "UNKNOWN"


class LateReason(StrEnum):
    """GIVEN_BACK: the gateway gave it back to the payer; it stands beside what was booked. HELD_BACK: the gateway took
    it and has not said that it is ours: not paid, and somebody must look there."""

    LATE = "LATE"
    UNIT_TAKEN = "UNIT_TAKEN"
    PICKUP_PAST = "PICKUP_PAST"
    NOT_A_BOOKING = "NOT_A_BOOKING"
    SECOND_PAYMENT = "SECOND_PAYMENT"
    WRONG_AMOUNT = "WRONG_AMOUNT"
    OVERPAID = "OVERPAID"
    BOOKING_STATE = "BOOKING_STATE"
    GIVEN_BACK = "GIVEN_BACK"
    HELD_BACK = "HELD_BACK"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMoney:
    """Money to book, told by a stored event; the ids are made once and sent again on every retry."""

    event_id: str
    payment_id: str
    late_id: str
    payment_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedMoney:
    """`invoice_id` is the invoice that was settled: a new one after REINSTATED. `reason` is told with late money."""

    outcome: MoneyOutcome
    branch_id: str = ""
    invoice_id: str = ""
    asked_invoice_id: str = ""
    number: str | None = None
    late_id: str | None = None
    reason: LateReason | None = None
    bookings: tuple[str, ...] = ()
    projections: tuple[Projection, ...] = ()


class LateState(StrEnum):
    """CLOSED: a person answered it, or what was held back was booked or refused at the gateway since."""

    OPEN = "OPEN"
    REINSTATED = "REINSTATED"
    REFUNDED = "REFUNDED"
    CLOSED = "CLOSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateMoneyRow:
    """Money that could not settle its invoice: a task while OPEN. `booking_number` is the booking it was meant for,
    `reinstated_numbers` those made once more for it."""

    id: str
    invoice_id: str
    order_id: str
    booking_number: str
    customer_name: str
    unit_plate: str
    amount: Rupiah
    state: LateState
    reason: LateReason
    came_at: dt.datetime
    closed_at: dt.datetime | None
    reinstated_numbers: tuple[str, ...]


class LateAnswer(StrEnum):
    """CREDIT keeps the money for its customer; EXPLAINED says what became of money that is not here."""

    CREDIT = "CREDIT"
    EXPLAINED = "EXPLAINED"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateAnswered:
    """`kept` became the customer's credit: the money less what the gateway gave back. `already`: answered before."""

    late_id: str
    kept: Rupiah
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayPlace:
    """The gateway that a service of this installation speaks to."""

    mode: str
    is_simulated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeAttempt:
    """What the gateway answers to a new attempt: a page to pay on, or the text of a QR code."""

    link: str | None = None
    qr: str | None = None
    transaction_id: str | None = None
