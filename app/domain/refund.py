"""Refunds: how money that is due goes back, and who may pay it out alone.

A deposit goes back by the way it was paid with the cashier's word alone; one that was paid by card also by transfer, up
to a limit, because many terminals reverse no charge of an earlier day. Another way, and every other refund, is a
manager's, with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from app.domain.money import ZERO, Rupiah

EDC_REFUND_LIMIT = Rupiah(2_000_000)
"""The most of a deposit paid by card that a cashier transfers back alone, unless the branch says otherwise."""

DEPOSIT = "DEPOSIT"
"""The kind of a refund that gives a deposit back."""


class RefundWay(StrEnum):
    CASH = "CASH"
    EDC = "EDC"
    TRANSFER = "TRANSFER"
    CREDIT = "CREDIT"
    RECEIVABLE = "RECEIVABLE"
    """Off what a company owes for the invoice: it has not paid it yet."""


class RefundState(StrEnum):
    DUE = "DUE"
    DONE = "DONE"
    VOID = "VOID"


WAY_OF_TENDER: Mapping[str, RefundWay] = {
    "CASH": RefundWay.CASH,
    "EDC": RefundWay.EDC,
    "TRANSFER": RefundWay.TRANSFER,
    "QRIS": RefundWay.TRANSFER,
    "GATEWAY": RefundWay.TRANSFER,
    "CREDIT": RefundWay.CREDIT,
    "RECEIVABLE": RefundWay.RECEIVABLE,
}
"""By tender kind, the way that counts as the one it was paid by; PPh 23 and a deposit have none."""


def is_cashiers_refund(
    kind: str, way: RefundWay, amount: Rupiah, came_by: Mapping[RefundWay, Rupiah], edc_limit: Rupiah
) -> bool:
    """Whether a cashier pays this refund out alone. `came_by`: what is left there of each way it was paid by."""
    if kind != DEPOSIT:
        return False
    if came_by.get(way, ZERO) >= amount:
        return True
    return way is RefundWay.TRANSFER and came_by.get(RefundWay.EDC, ZERO) >= amount and amount <= edc_limit
