"""Frozen rows of a manager's word at somebody else's counter."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.money import Rupiah


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApproval:
    """What a manager is asked to agree to: one `action` on one `object` (an id), for at most `amount`, for the person
    `asked_by` (a login). `id` is the client's UUID: sent again, it answers the same."""

    id: str
    action: str
    object: str
    amount: Rupiah | None
    reason: str
    asked_by: str
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A manager's word: used once, by the person who asked for it, before `expires_at` of the database's clock."""

    id: str
    approved_by_name: str
    expires_at: dt.datetime
