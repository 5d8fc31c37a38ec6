"""Ports of the payment gateway: the gateway itself, the database's part, and the counter's bell at the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.domain.gateway import AttemptKind
from app.domain.money import Rupiah
from app.usecases.away import EffectAway
from app.usecases.rows_gateway import (
    Attempt,
    AttemptNote,
    BookedMoney,
    EventSource,
    GatewayPlace,
    GatewayTold,
    LateAnswer,
    LateAnswered,
    LateMoneyRow,
    LateState,
    MadeAttempt,
    NewMoney,
    StoredEvent,
)


class GatewayAway(EffectAway):
    """The gateway did not answer, or not in its own words: what was asked for may have happened or not."""


class GatewayRefused(Exception):
    """The gateway answered no; asking the same again answers the same. `code` is its own."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


class NoticeMalformed(Exception):
    """It is no notification; the message names the field."""


class NoticeForged(Exception):
    """Its signature is not the gateway's."""


class GatewayNotices(Protocol):
    """The gateway's notifications."""

    def read(self, body: bytes) -> GatewayTold:
        """What is told, once its signature is right. Raises NoticeMalformed or NoticeForged."""


class GatewayPort(Protocol):
    """The payment provider. Every method raises GatewayAway or GatewayRefused; each waits a few seconds at most.

    `key` makes a repeated question one effect.
    """

    @property
    def place(self) -> GatewayPlace: ...

    def create_link(self, order_id: str, amount: Rupiah, seconds: int, key: str) -> MadeAttempt:
        """A page on which the order can be paid for so many seconds from now (whole minutes, rounded down), whenever
        the payer begins. Less than LEAST_LINK_SECONDS is GatewayRefused."""

    def create_qris(self, order_id: str, amount: Rupiah, seconds: int, key: str) -> MadeAttempt: ...

    def status(self, name: str) -> GatewayTold | None:
        """By order id or transaction id; None when the gateway knows no such transaction (a page not opened yet)."""

    def expire(self, order_id: str) -> bool:
        """End what is not paid; False when there is nothing that could be ended (paid, over, or never opened)."""

    def refund(self, order_id: str, key: str, amount: Rupiah, reason: str, payment_type: str) -> None:
        """Give so much of a settled order back; the same key again is the same refund."""


class GatewayTx(Protocol):
    """Writes. Lock order: invoice, its attempt, bookings by id, units by id, number counter."""

    def ask_attempt(self, invoice_id: str, kind: AttemptKind, counter: str) -> Attempt:
        """Refuses NOT_FOUND, BOOKING_STATE, BOOKING_EXPIRED, INVOICE_LOCKED, DUPLICATE `live_attempt`, UNREACHABLE
        `no_gateway`. The live attempt that is the same is answered again."""

    def end_attempt(self, invoice_id: str, counter: str) -> Attempt | None:
        """Ask for the end of the live attempt; None when there is none."""

    def answer_late_money(
        self, late_id: str, answer: LateAnswer, reason: str, approval_id: str | None, counter: str
    ) -> LateAnswered:
        """Once; the same person's retry is told what was done. Refuses NOT_FOUND, DUPLICATE `answered`, FIELD_INVALID
        `not_offered` and `given_back`, APPROVAL_NEEDED of `explain_late_money`."""

    def publish_gateway(self, place: GatewayPlace | None) -> bool:
        """Tell of the gateway, anew within a minute; None tells that there is none. Whether that holds: no service
        without a key takes away what another one still tells of. The service's, as is everything below."""

    def claim_attempt(self) -> Attempt | None:
        """One attempt that is to be asked about now, for half a minute this worker's."""

    def note_attempt(self, note: AttemptNote) -> Attempt:
        """Never back in state. The attempt as it stands then."""

    def record_gateway_event(self, event_id: str, told: GatewayTold, source: EventSource) -> StoredEvent: ...

    def book_gateway_money(self, money: NewMoney) -> BookedMoney:
        """Each money once, whoever tells it and how often."""


class GatewayReads(Protocol):
    """Plain SELECTs, each one statement and so one snapshot."""

    def gateway_place(self) -> GatewayPlace | None: ...

    def last_attempt(self, invoice_id: str) -> Attempt | None:
        """The newest attempt of an invoice of the person's branch."""

    def attempt(self, order_id: str) -> Attempt | None: ...

    def told_transactions(self, order_id: str) -> tuple[str, ...]:
        """Transactions of an order of which money was told that is not booked yet. The service's."""

    def late_money(self, branch_id: str, states: Sequence[LateState]) -> tuple[LateMoneyRow, ...]:
        """Oldest first."""


class GatewayBell(Protocol):
    """The counter's way to have the service work at once instead of at its next pass."""

    def ring(self) -> bool:
        """True when the service has worked; False when it did not answer: it works at its next pass all the same."""
