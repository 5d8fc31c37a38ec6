"""Checks on what is typed at the till beside tenders."""

from __future__ import annotations

import re

from app.domain.errors import invalid
from app.domain.invoice import MAX_AMOUNT
from app.domain.money import Rupiah

MAX_TEXT = 100
_MONTH = re.compile(r"20[0-9]{2}(0[1-9]|1[0-2])")


def checked_text(text: str | None, field: str) -> str | None:
    """A text on one line, at most 100 characters; empty is none."""
    if text is None or not text.strip():
        return None
    said = " ".join(text.split())
    if len(said) > MAX_TEXT:
        raise invalid(field, "too_long", length=len(said), most=MAX_TEXT)
    if not said.isprintable():
        raise invalid(field, "control_characters")
    return said


def checked_amount(amount: int, field: str = "amount") -> Rupiah:
    """A whole number of Rupiah above 0."""
    if isinstance(amount, bool) or not 0 < amount <= MAX_AMOUNT:
        raise invalid(field, "not_an_amount", given=amount)
    return Rupiah(amount)


def checked_month(month: str) -> str:
    """A month as `YYYYMM`; `YYYY-MM` is understood."""
    plain = month.replace("-", "", 1)
    if not _MONTH.fullmatch(plain):
        raise invalid("month", "not_a_month", given=month[:20])
    return plain
