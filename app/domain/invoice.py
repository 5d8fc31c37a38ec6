"""Invoices, tenders and payments: what is owed, how it is paid, and when a set of tenders settles it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.booking import Action
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.money import Rupiah


class InvoiceKind(StrEnum):
    RENTAL = "RENTAL"
    DOWN_PAYMENT = "DOWN_PAYMENT"
    BALANCE = "BALANCE"
    EXTENSION = "EXTENSION"
    FINE = "FINE"
    POST_RENTAL = "POST_RENTAL"


class InvoiceState(StrEnum):
    OPEN = "OPEN"
    PAID = "PAID"
    VOID = "VOID"


class TenderKind(StrEnum):
    CASH = "CASH"
    EDC = "EDC"
    QRIS = "QRIS"
    TRANSFER = "TRANSFER"
    GATEWAY = "GATEWAY"
    CREDIT = "CREDIT"
    PPH23 = "PPH23"
    RECEIVABLE = "RECEIVABLE"
    DEPOSIT = "DEPOSIT"


ACTION_OF_KIND = {
    InvoiceKind.RENTAL: Action.PAY,
    InvoiceKind.DOWN_PAYMENT: Action.PAY,
    InvoiceKind.EXTENSION: Action.APPROVE_EXTENSION,
    InvoiceKind.FINE: Action.SETTLE_CHARGES,
}
"""The booking action a settlement fires; BALANCE and POST_RENTAL fire none."""


class LineKind(StrEnum):
    RENT = "RENT"
    EXTRA = "EXTRA"
    DISCOUNT = "DISCOUNT"
    DOWN_PAYMENT = "DOWN_PAYMENT"
    DEPOSIT = "DEPOSIT"
    FINE = "FINE"
    PPN = "PPN"
    ROUNDING = "ROUNDING"


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceLine:
    """`amount` may be negative for a discount; `taxable` lines are the base of the invoice's one PPN."""

    kind: LineKind
    text: str
    quantity: int
    unit_price: Rupiah
    amount: Rupiah
    taxable: bool
    booking_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tender:
    """What the customer hands over in one way. Only cash may exceed what is due; the excess is change."""

    kind: TenderKind
    amount: Rupiah
    reference: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TenderRow:
    """One stored row of a payment: `amount` pays the invoice, `received` was handed over, the difference is change."""

    kind: TenderKind
    amount: Rupiah
    received: Rupiah
    reference: str | None = None


SETTLED_HERE = frozenset({TenderKind.CASH})
"""Tender kinds that a counter can take today; others are refused by name until their screens exist."""

MAX_AMOUNT = Rupiah(9_999_999_999_999)

MAX_CHANGE = Rupiah(100_000_000)
"""A drawer never holds more, so that a greater excess is a mistyped amount. The database refuses the same."""


def checked_tenders(total: Rupiah, tenders: Sequence[Tender]) -> tuple[Rupiah, tuple[TenderRow, ...]]:
    """The change to hand back and the rows to store, or a refusal naming the field.

    The stored amounts add up to `total` exactly. An excess that cash cannot explain is refused: never silent.
    """
    if not tenders and total:  # days that cost nothing more are settled with nothing
        raise invalid("tenders", "empty")
    for tender in tenders:
        if tender.kind not in SETTLED_HERE:
            raise invalid("tenders.kind", "not_offered", given=tender.kind.value)
        if not 0 < tender.amount <= MAX_AMOUNT:
            raise invalid("tenders.amount", "not_an_amount", given=tender.amount)
    given = sum(tender.amount for tender in tenders)
    if given < total:
        raise _mismatch(due=total, given=given, missing=total - given)
    over = given - total
    rows: list[TenderRow] = []
    for tender in reversed(tenders):
        back = min(over, tender.amount) if tender.kind is TenderKind.CASH else 0
        if back == tender.amount:
            raise invalid("tenders.amount", "not_needed", given=tender.amount)
        over -= back
        rows.append(
            TenderRow(
                kind=tender.kind,
                amount=Rupiah(tender.amount - back),
                received=tender.amount,
                reference=tender.reference,
            )
        )
    if over:
        raise _mismatch(due=total, given=given, excess=over)
    change = Rupiah(given - total)
    if change > MAX_CHANGE:
        raise invalid("tenders.amount", "too_much", change=change, most=MAX_CHANGE)
    return change, tuple(reversed(rows))


def _mismatch(**params: object) -> Refusal:
    return Refusal(RefusalCode.AMOUNT_MISMATCH, field="tenders.amount", next=(), **params)


NOTES = (50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500)


def notes_to_return(change: Rupiah) -> dict[int, int]:
    """Notes and coins of the change box, greedy, fixed order; what is under 500 is left to the coins."""
    left = int(change)
    found: dict[int, int] = {}
    for note in NOTES:
        found[note], left = divmod(left, note)
    return found


def quick_amounts(due: Rupiah) -> tuple[Rupiah, ...]:
    """Next 10.000, 50.000 and 100.000 at or above the due amount, without duplicates and without the exact one."""
    found: list[Rupiah] = []
    for step in (10_000, 50_000, 100_000):
        amount = Rupiah(-(-due // step) * step)
        if amount != due and amount not in found:
            found.append(amount)
    return tuple(found)
