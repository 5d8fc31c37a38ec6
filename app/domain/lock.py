"""The invoice lock (second seed): its times, and what a counter may show and do with the seconds it has left."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TTL_SECONDS = 60
HEARTBEAT_SECONDS = 30
RETRY_SECONDS = 5
LATE_BELOW_SECONDS = 28
CRITICAL_BELOW_SECONDS = 10
IDLE_LIMIT_SECONDS = 15 * 60
IDLE_WARNING_SECONDS = 13 * 60
GRACE_AFTER_DEADLINE_SECONDS = 5 * 60
"""How long `expire` waits past the deadline for a valid lock (the customer is standing there)."""


class LockState(StrEnum):
    """What the lock chip shows. The server's word is in the invoice row; this is the counter's cautious view of it."""

    ACQUIRING = "ACQUIRING"
    HELD = "HELD"
    RENEWING_LATE = "RENEWING_LATE"
    CRITICAL = "CRITICAL"
    LOST = "LOST"
    COMMITTING = "COMMITTING"
    UNKNOWN_OUTCOME = "UNKNOWN_OUTCOME"
    PAID = "PAID"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockHandle:
    """Proof of one lock: immutable, so that a stale handle stays stale (case R-45)."""

    invoice_id: str
    token: str
    epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """A lock's end on the counter's suspend-proof clock.

    Counted from when the last successful beat was SENT, so that the counter is never more optimistic than the server.
    """

    sent_at: float
    remaining_ms: int

    def seconds_left(self, now: float) -> float:
        return max(0.0, self.sent_at + self.remaining_ms / 1000 - now)


def state_of(seconds_left: float) -> LockState:
    """HELD above 28 s, RENEWING_LATE to 10 s, CRITICAL below, LOST at 0."""
    if seconds_left <= 0:
        return LockState.LOST
    if seconds_left <= CRITICAL_BELOW_SECONDS:
        return LockState.CRITICAL
    if seconds_left <= LATE_BELOW_SECONDS:
        return LockState.RENEWING_LATE
    return LockState.HELD


def may_pay(state: LockState) -> bool:
    """Not in CRITICAL: a commit could outlive the lock."""
    return state in {LockState.HELD, LockState.RENEWING_LATE}
