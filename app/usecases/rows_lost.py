"""Rows of an attempt to pay whose answer was lost."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.money import ZERO, Rupiah
from app.usecases.rows import LockAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class SentAttempt:
    """An attempt that was sent under a lock; `fresh_token` is the lock's next one when nothing of it was written."""

    invoice_id: str
    attempt_id: str
    token: str
    epoch: int
    fresh_token: str
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledBack:
    """The attempt's payment, or none: then no transaction of it can commit any more, and `lock` says who holds what."""

    lock: LockAnswer
    payment_id: str | None = None
    number: str | None = None
    change: Rupiah = ZERO
    paid_at: dt.datetime | None = None
