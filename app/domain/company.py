"""Companies that rent: tax number, credit limit and days until an invoice on credit is due."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.errors import invalid
from app.domain.money import Rupiah

MOST_CREDIT = 100_000_000_000
MOST_DUE_DAYS = 120
_SEPARATORS = re.compile(r"[\s.\-/]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """`npwp` is its 15 or 16 digits, or empty. Without a credit limit nothing is rented on account."""

    id: str
    version: int
    name: str
    npwp: str
    address: str
    email: str
    phone: str
    credit_limit: Rupiah
    due_days: int


def checked_npwp(text: str, field: str = "npwp") -> str:
    """15 digits (the old form) or 16 without dots and dashes; empty stays empty. Refuses the rest."""
    number = _SEPARATORS.sub("", text)
    if number and not re.fullmatch("[0-9]{15,16}", number):
        raise invalid(field, "not_an_npwp")
    return number


def shown_npwp(number: str) -> str:
    """`01.234.567.8-901.000` for the old form; 16 digits in groups of four."""
    if len(number) == 15:
        return f"{number[:2]}.{number[2:5]}.{number[5:8]}.{number[8]}-{number[9:12]}.{number[12:]}"
    return " ".join(number[place : place + 4] for place in range(0, len(number), 4))


def checked_credit_limit(amount: int) -> Rupiah:
    """0 to 100 billion whole Rupiah."""
    if isinstance(amount, bool) or not 0 <= amount <= MOST_CREDIT:
        raise invalid("credit_limit", "out_of_range", least=0, most=MOST_CREDIT)
    return Rupiah(amount)


def checked_due_days(days: int) -> int:
    """0 to 120 days."""
    if isinstance(days, bool) or not 0 <= days <= MOST_DUE_DAYS:
        raise invalid("due_days", "out_of_range", least=0, most=MOST_DUE_DAYS)
    return days
