"""Invoices: what is owed, of which kind and state, and the cash that a cashier counts out for one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.booking import Action
from app.domain.money import Rupiah
from app.domain.tender import MAX_AMOUNT as MAX_AMOUNT
from app.domain.tender import MAX_CHANGE as MAX_CHANGE
from app.domain.tender import SETTLED_HERE as SETTLED_HERE
from app.domain.tender import Tender as Tender
from app.domain.tender import TenderKind as TenderKind
from app.domain.tender import TenderRow as TenderRow
from app.domain.tender import checked_tenders as checked_tenders


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
