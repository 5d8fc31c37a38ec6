"""What becomes of a deposit at the end: what it pays of the charges, what comes back, what is still to be paid."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.money import ZERO, Rupiah

HOLD_DAYS = 30
"""So long a part is held back for traffic fines that may still come, unless a manager says otherwise."""
MAX_HOLD_DAYS = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class DepositResult:
    """`used` pays charges that the customer accepts; `frozen` waits for contested ones, `held` for traffic fines.

    `refund` goes back now and `bill` is to be paid: refund + used + frozen + held = deposit, used + bill = accepted.
    """

    deposit: Rupiah
    used: Rupiah
    frozen: Rupiah
    held: Rupiah
    refund: Rupiah
    bill: Rupiah


def deposit_result(deposit: Rupiah, accepted: Rupiah, contested: Rupiah = ZERO, held: Rupiah = ZERO) -> DepositResult:
    """Accepted charges go first, then contested ones freeze no more than themselves, then a part is held back.

    Without contested lines and holds: refund = max(0, deposit - charges), bill = max(0, charges - deposit).
    """
    used = min(deposit, accepted)
    frozen = min(deposit - used, contested)
    kept = min(deposit - used - frozen, held)
    return DepositResult(
        deposit=deposit,
        used=Rupiah(used),
        frozen=Rupiah(frozen),
        held=Rupiah(kept),
        refund=Rupiah(deposit - used - frozen - kept),
        bill=Rupiah(accepted - used),
    )
