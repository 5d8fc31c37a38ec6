"""Refusals: the expected "no" of a rule: code, parameters, next actions. Sentences live with the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class RefusalCode(StrEnum):
    """Every reason for which the product says no. Scripts and translations rely on these names."""

    DAYS_TAKEN = "DAYS_TAKEN"
    UNIT_NOT_RENTABLE = "UNIT_NOT_RENTABLE"
    PERIOD_INVALID = "PERIOD_INVALID"
    BOOKING_STATE = "BOOKING_STATE"
    BOOKING_EXPIRED = "BOOKING_EXPIRED"
    LOCK_HELD = "LOCK_HELD"
    LOCK_MINE_ELSEWHERE = "LOCK_MINE_ELSEWHERE"
    LOCK_LOST = "LOCK_LOST"
    INVOICE_LOCKED = "INVOICE_LOCKED"
    NOT_ALLOWED = "NOT_ALLOWED"
    APPROVAL_NEEDED = "APPROVAL_NEEDED"
    FIELD_INVALID = "FIELD_INVALID"
    AMOUNT_MISMATCH = "AMOUNT_MISMATCH"
    SHIFT_NEEDED = "SHIFT_NEEDED"
    DUPLICATE = "DUPLICATE"
    PRICE_CHANGED = "PRICE_CHANGED"
    GATE_OPEN = "GATE_OPEN"
    UNREACHABLE = "UNREACHABLE"
    NOT_FOUND = "NOT_FOUND"


@dataclass(frozen=True, slots=True)
class NextAction:
    """One thing the person can do now, e.g. `NextAction("use_unit", {"unit_id": …})`."""

    action: str
    params: Mapping[str, object] = field(default_factory=dict)


class Refusal(Exception):
    """An expected "no". Raising one means that nothing was changed.

    `params` hold what a sentence or a script needs (plain JSON values, dates as `datetime.date`), `field` names the
    input that is wrong, `next` what can be done instead.
    """

    def __init__(
        self,
        code: RefusalCode,
        *,
        field: str | None = None,
        next: tuple[NextAction, ...] = (),
        **params: object,
    ) -> None:
        super().__init__(code, field, params)
        self.code = code
        self.field = field
        self.next = next
        self.params: dict[str, object] = params

    def __str__(self) -> str:
        where = f" ({self.field})" if self.field else ""
        return f"{self.code}{where} {self.params}"


def invalid(field: str, reason: str, **params: object) -> Refusal:
    """FIELD_INVALID for one input; `reason` is a stable word such as `empty`, `too_long`, `not_a_number`."""
    return Refusal(RefusalCode.FIELD_INVALID, field=field, next=(), reason=reason, **params)
