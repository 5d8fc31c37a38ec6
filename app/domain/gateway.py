"""Money through a payment gateway: attempts, what the gateway's words mean, and when it is asked next."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from app.domain.money import Rupiah

MAX_QRIS = Rupiah(10_000_000)
"""One QRIS payment is at most this much (Bank Indonesia). The database refuses the same."""

LEAST_SECONDS = 60
"""A code that can be paid for less than this is not begun. The database refuses the same."""

LEAST_LINK_SECONDS = 300
"""The gateway makes no page that ends sooner: a link with less time left would outlive its invoice's deadline. The
database refuses the same."""

ENDS_ANYWAY_SECONDS = 600
"""So long after its end an attempt is over for us, whatever the gateway says or does not say of it."""


class AttemptKind(StrEnum):
    LINK = "LINK"
    QRIS = "QRIS"


class AttemptState(StrEnum):
    """ASKED: to be made at the gateway. Money that comes after the end is booked all the same: PAID follows any."""

    ASKED = "ASKED"
    LIVE = "LIVE"
    ENDED = "ENDED"
    FAILED = "FAILED"
    PAID = "PAID"


LIVE_STATES = frozenset({AttemptState.ASKED, AttemptState.LIVE})


class GatewayStatus(StrEnum):
    """What the gateway says of a transaction, in our words."""

    NOT_OPENED = "NOT_OPENED"
    """Nobody chose a way to pay on the page yet: the gateway knows no transaction. It is pending, not failed."""
    PENDING = "PENDING"
    CHALLENGED = "CHALLENGED"
    """Taken from a card, and held back until somebody judged it: not paid."""
    PAID = "PAID"
    DENIED = "DENIED"
    """This way to pay failed: on a page the payer may choose another one."""
    OVER = "OVER"
    """Expired or cancelled: nothing was paid, and nothing can be."""
    REFUNDED = "REFUNDED"
    """It was paid, and given back there since, in whole or in part."""
    HELD = "HELD"
    """Taken from a card, and judged in a word that nobody here knows: neither paid nor refused. Somebody must look."""
    UNKNOWN = "UNKNOWN"

    @property
    def brought_money(self) -> bool:
        """Whether the payer's money came in, also when it went back since."""
        return self in (GatewayStatus.PAID, GatewayStatus.REFUNDED)


_WORDS = {
    "authorize": GatewayStatus.PENDING,
    "pending": GatewayStatus.PENDING,
    "capture": GatewayStatus.PAID,
    "settlement": GatewayStatus.PAID,
    "expire": GatewayStatus.OVER,
    "cancel": GatewayStatus.OVER,
    "deny": GatewayStatus.DENIED,
    "failure": GatewayStatus.DENIED,
    "refund": GatewayStatus.REFUNDED,
    "partial_refund": GatewayStatus.REFUNDED,
    "chargeback": GatewayStatus.REFUNDED,
    "partial_chargeback": GatewayStatus.REFUNDED,
}
_CARD_WORDS = frozenset({"capture", "settlement"})


def status_of(word: str, fraud: str) -> GatewayStatus:
    """The meaning of `transaction_status` with `fraud_status`. A challenged or denied payment is not paid."""
    found = _WORDS.get(word, GatewayStatus.UNKNOWN)
    if word in _CARD_WORDS and fraud == "challenge":
        return GatewayStatus.CHALLENGED
    if word in _CARD_WORDS and fraud == "deny":
        return GatewayStatus.DENIED
    if word in _CARD_WORDS and fraud not in ("", "accept"):
        return GatewayStatus.HELD
    return found


def given_back(word: str, gross: Rupiah, told: Rupiah | None) -> Rupiah:
    """How much of a payment went back at the gateway, at most all of it. A whole refund or chargeback may tell no
    amount. Of a part without an amount one Rupiah is sure: somebody is told to look."""
    if status_of(word, "") is not GatewayStatus.REFUNDED:
        return Rupiah(0)
    if told is not None and told > 0:
        return min(told, gross)
    return min(Rupiah(1), gross) if word.startswith("partial_") else gross


def after_status(kind: AttemptKind, state: AttemptState, status: GatewayStatus) -> AttemptState:
    """Where a confirmed status leads. Never back: the end comes from what is open only, PAID from anything. A page
    lives on after a way to pay on it was denied."""
    if status is GatewayStatus.PAID:
        return AttemptState.PAID
    is_over = status in (GatewayStatus.OVER, GatewayStatus.REFUNDED)
    is_over = is_over or (status is GatewayStatus.DENIED and kind is AttemptKind.QRIS)
    if is_over and state in LIVE_STATES:
        return AttemptState.ENDED
    is_open = status in (GatewayStatus.PENDING, GatewayStatus.CHALLENGED, GatewayStatus.HELD, GatewayStatus.DENIED)
    return AttemptState.LIVE if is_open and state is AttemptState.ASKED else state


_ORDER_ID = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([1-9][0-9]{0,2})")


def gateway_order_id(invoice_id: str, number: int) -> str:
    """The gateway's name of an invoice's attempt."""
    return f"{invoice_id}-{number}"


def attempt_named(order_id: str) -> tuple[str, int] | None:
    """The invoice and the number in such a name; None for a name that is none of ours."""
    found = _ORDER_ID.fullmatch(order_id)
    return None if found is None else (found[1], int(found[2]))


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayAmount:
    """What was paid in all, and the part of it that the gateway charged the payer on top. The rest is ours.

    `is_exact`: without it a part of a Rupiah was cut off, and our part is no whole amount.
    """

    gross: Rupiah
    fee: Rupiah
    is_exact: bool = True

    @property
    def net(self) -> Rupiah:
        return Rupiah(self.gross - self.fee)


_AMOUNT = re.compile(r"([0-9]{1,13})(?:\.([0-9]{1,2}))?")


def amount_of(text: str) -> Rupiah | None:
    """`275000.00` as whole Rupiah, exactly; None for anything else, cents included."""
    found = _AMOUNT.fullmatch(text)
    return None if found is None or int(found[2] or 0) else Rupiah(int(found[1]))


def rounded_down(text: str) -> Rupiah | None:
    """`275000.50` as 275000; None for what is no amount at all."""
    found = _AMOUNT.fullmatch(text)
    return None if found is None else Rupiah(int(found[1]))


def gateway_amount(gross: str, original: str | None) -> GatewayAmount | None:
    """The amount of a transaction. `original` is what was asked for when the gateway put a fee on top of it; one that
    is more than the gross amount, or no whole amount, is not believed: then nothing is a fee. The fee may be uneven."""
    whole = rounded_down(gross)
    if whole is None:
        return None
    asked = None if original is None else amount_of(original)
    if asked is None or not 0 < asked <= whole:
        return GatewayAmount(gross=whole, fee=Rupiah(0), is_exact=amount_of(gross) is not None)
    return GatewayAmount(gross=whole, fee=Rupiah(whole - asked))


_PAUSES = ((60, 10), (300, 20))
_LONG_PAUSE = 45
_LATE_PAUSES = (60, 600, 3600, 6 * 3600, 24 * 3600)


def seconds_to_next_ask(age: float) -> int:
    """Pause before an open attempt of this age in seconds is asked about again: money is seen within a minute as long
    as it can be paid, though every notification be lost."""
    return next((pause for limit, pause in _PAUSES if age < limit), _LONG_PAUSE)


def seconds_to_late_ask(since_end: float) -> int | None:
    """Pause before an attempt that is over is asked about again: some codes are paid after their end. None: never."""
    return next((pause for pause in _LATE_PAUSES if since_end < pause), None)


def retry_seconds(tries: int) -> int:
    """Pause after the gateway did not answer: short at first, since a deadline waits for it, then longer."""
    return min(3 << max(0, min(tries - 1, 6)), 120)
