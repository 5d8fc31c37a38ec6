"""A booking in one line, `ava 30/11 3h 0812…`: item by the beginning of its name, day, length, customer. Pure."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.desktop.typed import MAX_LENGTH, typed_date, typed_days
from app.domain.catalogue import Sku
from app.domain.customer import MIN_DIGITS

_LENGTH = re.compile(r"\d{1,3}(?:h|hr|hari|d|day|days)", re.ASCII)
_NUMBER = re.compile(r"\+?[\d().-]{1,20}", re.ASCII)
_WORDS_OF_DAYS = frozenset({"hari", "day", "days"})
LONGEST = 4 * MAX_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingWish:
    """What was understood; a part that was not typed is None or empty. `customer` is a phone or a name as typed."""

    sku: Sku
    first_day: dt.date | None
    days: int | None
    customer: str


def typed_wish(text: str, skus: Sequence[Sku], today: dt.date) -> BookingWish | None:
    """None unless the first word is the beginning of an item and anything of a booking follows it.

    The day may be any that a date field understands, `3h` or `3 hari` is the length, a bare number after the day too;
    four digits and more begin a phone number. Whatever is left is the customer's name.
    """
    words = text.split()
    if len(words) < 2 or len(text) > LONGEST:
        return None
    sku = _sku_of(words[0], skus)
    if sku is None:
        return None
    first: dt.date | None = None
    days: int | None = None
    customer: list[str] = []
    for word in _joined(words[1:]):
        if days is None and _is_length(word, after_day=first is not None):
            days = typed_days(word)
        elif first is None and not customer and (day := typed_date(word, today)) is not None and day >= today:
            first = day
        else:
            customer.append(word)
    if first is None and days is None and not _is_customer(customer):
        return None
    if any(sign.isdigit() for word in customer for sign in word) and not all(map(_NUMBER.fullmatch, customer)):
        return None
    return BookingWish(sku=sku, first_day=first, days=days, customer=" ".join(customer))


def _joined(words: Sequence[str]) -> list[str]:
    """`3 hari` and `30 nov` are one word each."""
    found: list[str] = []
    for word in words:
        pair = f"{found[-1]} {word}" if found else ""
        is_length = word.casefold() in _WORDS_OF_DAYS and found and found[-1].isdecimal()
        is_named_day = found and found[-1].isdecimal() and len(found[-1]) <= 2 and word.isalpha() and len(word) <= 9
        if is_length or (is_named_day and typed_date(pair, dt.date(2000, 1, 1)) is not None):
            found[-1] = pair.replace(" ", "") if is_length else pair
        else:
            found.append(word)
    return found


def _is_length(word: str, *, after_day: bool) -> bool:
    is_bare = after_day and word.isdecimal() and word.isascii() and len(word) <= 3
    return (is_bare or _LENGTH.fullmatch(word.casefold()) is not None) and typed_days(word) is not None


def _is_customer(words: Sequence[str]) -> bool:
    """Enough to look somebody up: four digits; a name alone would make a booking of every command."""
    return sum(sign.isdigit() for word in words for sign in word) >= MIN_DIGITS


def _sku_of(word: str, skus: Sequence[Sku]) -> Sku | None:
    """By code, by the beginning of the name, by the beginning of one of its words; in the order given."""
    wanted = word.casefold()
    if len(wanted) < 2:
        return None
    for fits in (
        lambda sku: sku.code.casefold() == wanted,
        lambda sku: sku.name.casefold().startswith(wanted),
        lambda sku: any(part.casefold().startswith(wanted) for part in (*sku.name.split(), *sku.code.split("-"))),
    ):
        for sku in skus:
            if fits(sku):
                return sku
    return None
