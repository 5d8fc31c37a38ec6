"""The gate before a unit goes out: money, contract, licence, collateral, and the unit itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.money import ZERO, Rupiah


class GateName(StrEnum):
    """Each line has its fixing step. UNIT is closed for everybody: what is not there cannot go out."""

    MONEY = "MONEY"
    CONTRACT = "CONTRACT"
    LICENCE = "LICENCE"
    COLLATERAL = "COLLATERAL"
    UNIT = "UNIT"


_FIXES = {
    GateName.MONEY: "open_invoice",
    GateName.CONTRACT: "print_contract",
    GateName.LICENCE: "edit_customer",
    GateName.COLLATERAL: "take_collateral",
    GateName.UNIT: "swap_unit",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLine:
    """One line that is open. `reason` is a stable word (`unpaid`, `not_printed`, `missing`, `expired`, `maintenance`,
    `still_out`); `amount` is what is unpaid, `invoice_id` where."""

    name: GateName
    reason: str
    amount: Rupiah = ZERO
    invoice_id: str | None = None

    @property
    def may_be_overridden(self) -> bool:
        """Whether a manager's word with a reason opens it."""
        return self.name is not GateName.UNIT


def gate_open(lines: Sequence[GateLine], booking_id: str) -> Refusal:
    """GATE_OPEN naming each open line, with the step that closes it."""
    return Refusal(
        RefusalCode.GATE_OPEN,
        field="booking_id",
        next=tuple(NextAction(_FIXES[line.name], _fix_params(line, booking_id)) for line in lines),
        booking_id=booking_id,
        lines=[
            {
                "line": line.name.value,
                "reason": line.reason,
                "amount": line.amount,
                "may_be_overridden": line.may_be_overridden,
            }
            for line in lines
        ],
    )


def licence_reason(*, needed: bool, on_file: bool, expires_on: dt.date | None, last_day: dt.date) -> str | None:
    """Why a driver's licence does not do: not on file, or over before the rental is. None when it does."""
    if not needed:
        return None
    if not on_file or expires_on is None:
        return "missing"
    return "expired" if expires_on < last_day else None


def _fix_params(line: GateLine, booking_id: str) -> dict[str, object]:
    return {"invoice_id": line.invoice_id} if line.invoice_id else {"booking_id": booking_id}
