"""Staff: who works at a branch, and the five roles of the product."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from zoneinfo import ZoneInfo

from app.domain.errors import Refusal, RefusalCode


class Role(StrEnum):
    """Group roles; a manager is a member of agent, inspector and cashier."""

    AGENT = "agent"
    INSPECTOR = "inspector"
    CASHIER = "cashier"
    MANAGER = "manager"
    SERVICE = "service"


COVERED_BY_MANAGER = frozenset({Role.AGENT, Role.INSPECTOR, Role.CASHIER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A branch and the settings that rules read. `zone` is one of the three Indonesian zones."""

    id: str
    code: str
    name: str
    zone: ZoneInfo
    has_ppn: bool
    prices_include_ppn: bool
    cash_rounding: int
    opens_at: str
    closes_at: str
    counts_hours: bool = False
    """Day counting `24h` instead of `calendar`, with so many minutes of tolerance."""
    tolerance_minutes: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffMember:
    """Somebody who is logged in. `roles` are the person's group memberships, a manager's covered ones included."""

    login: str
    name: str
    roles: frozenset[Role]
    branch: Branch


def require_role(who: StaffMember, allowed: frozenset[Role], action: str) -> None:
    """Refuse NOT_ALLOWED unless the person holds one of the roles (the database refuses the same, later)."""
    if not who.roles & allowed:
        raise Refusal(RefusalCode.NOT_ALLOWED, next=(), action=action, roles=sorted(allowed))
