"""Customers: names and phone numbers as every part stores and compares them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import phonenumbers

from app.domain.errors import invalid

_HANGUL_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters to Unicode that show as nothing."""
MIN_DIGITS = 4
"""Digits of a phone number below which nobody is searched for by it."""
MIN_LETTERS = 2
"""Letters of a name below which nobody is searched for by it."""
MOST_NAME_SIGNS = 80
"""The longest name, spaces counted."""
_MAX_MARKS = 4
_MAX_FOLDED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """`phone` is E.164 (`+62…`)."""

    id: str
    name: str
    phone: str


def normalised_phone(text: str, field: str = "customer.phone") -> str:
    """`0812 3456 7890`, `62812…`, `0062812…`, `+62 812-…` and `8123…` → `+628123…` (cases C-78, C-79).

    A leading 00 is the international `+`, a bare 62 the country code, and a second 62 before a number of a mobile is
    that code once more: the phone library alone would double it. 8 to 13 digits after the country code; anything else
    is refused naming `field`.
    """
    if len(text) > 40:
        raise invalid(field, "not_a_phone", given=text[:40])
    digits = re.sub(r"[\s().\-/]", "", text)
    if not re.fullmatch(r"\+?[0-9]{6,19}", digits):
        raise invalid(field, "not_a_phone", given=text[:40])
    digits = re.sub(r"^\+?00(?=[1-9])", "+", digits)
    # The places whose area code begins with 62 have shorter numbers than a mobile, and none that begins with 1.
    digits = re.sub(r"^(?:\+?62|0)0?62(?=0?8\d{8,11}$|0?[2-6]1[2-9]\d{6,7}$)", "+62", digits)
    if re.fullmatch(r"62\d{8,12}", digits):
        digits = f"+{digits}"
    elif re.fullmatch(r"8\d{7,12}", digits):
        digits = f"0{digits}"
    try:
        number = phonenumbers.parse(digits, "ID")
    except phonenumbers.NumberParseException:
        raise invalid(field, "not_a_phone", given=text[:40]) from None
    national = str(number.national_number)
    if number.country_code == 62 and number.italian_leading_zero:
        raise invalid(field, "not_a_phone", given=text[:40])  # no Indonesian number has a zero behind the trunk's own
    if not phonenumbers.is_possible_number(number) or not 8 <= len(national) <= 13:
        raise invalid(field, "not_a_phone", given=text[:40])
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def checked_name(text: str, field: str = "customer.name") -> str:
    """A name of 2 to 80 characters with single spaces, as the database takes it.

    Refused: control and invisible signs, fewer than two letters or digits that show or no letter, a pile of accents.
    """
    name = " ".join(text.split())
    if not name:
        raise invalid(field, "empty")
    if not 2 <= len(name) <= MOST_NAME_SIGNS:
        raise invalid(field, "length", length=len(name), least=2, most=MOST_NAME_SIGNS)
    if any(unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn"} for sign in name):
        raise invalid(field, "control_characters")
    shown = [sign for sign in name if sign.isalnum() and sign not in _HANGUL_FILLERS]
    if len(shown) < 2 or not any(sign.isalpha() for sign in shown) or _has_pile(name):
        raise invalid(field, "not_a_name", given=name)
    if len(folded(name)) > _MAX_FOLDED:  # ligatures of many letters
        raise invalid(field, "length", length=len(folded(name)), least=2, most=80)
    return name


def _has_pile(name: str) -> bool:
    """More than four combining marks in a row: they grow over the lines above and below."""
    marks = 0
    for sign in name:
        marks = marks + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        if marks > _MAX_MARKS:
            return True
    return False


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are one but for case, accents and spaces."""
    return folded(one) == folded(other)


def folded(text: str) -> str:
    """The search form of a name: case and accents folded, single spaces."""
    plain = unicodedata.normalize("NFKD", text)
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).casefold().split())
