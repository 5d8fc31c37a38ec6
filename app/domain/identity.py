"""Identity papers: numbers of KTP (NIK), passport and driving licence as they are checked, masked and compared."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from app.domain.errors import invalid

NIK_DIGITS = 16
HIDDEN = "••••••"
"""What a masked number shows for the digits between."""
_SEPARATORS = re.compile(r"[\s.\-/]")
_FIRST_PROVINCE, _LAST_PROVINCE = 11, 97
_WOMAN = 40
"""A woman's day of birth stands in her NIK with 40 added."""


class IdentityKind(StrEnum):
    """What a number was read from."""

    NIK = "NIK"
    PASSPORT = "PASSPORT"
    LICENCE = "LICENCE"


class NikWarning(StrEnum):
    """What looks odd in a NIK of 16 digits. None of them refuses it: a NIK stays when birth data are corrected."""

    ODD_DATE = "odd_date"
    """Day or month inside the number are none (days are 01 to 31, 41 to 71 for a woman)."""
    OTHER_BIRTH = "other_birth"
    """The date inside the number is not the customer's."""
    ODD_PROVINCE = "odd_province"


class LicenceClass(StrEnum):
    """Classes of the Indonesian licence; INT is an international permit with its own."""

    A = "A"
    A_PUBLIC = "A UMUM"
    B1 = "B1"
    B1_PUBLIC = "B1 UMUM"
    B2 = "B2"
    B2_PUBLIC = "B2 UMUM"
    C = "C"
    C1 = "C1"
    C2 = "C2"
    D = "D"
    INTERNATIONAL = "INT"


class LicenceProblem(StrEnum):
    """Why somebody may not drive until the last day."""

    MISSING = "missing"
    """No expiry day is on record."""
    EXPIRES = "expires"
    """It expires before the last day."""


class Licensed(Protocol):
    """Whoever a licence is asked of."""

    @property
    def licence_expires_on(self) -> dt.date | None: ...


class ReplacesLicence(Protocol):
    """An extra of a booking; with a driver the customer needs no licence."""

    @property
    def replaces_driver_licence(self) -> bool: ...


def bare_number(text: str) -> str:
    """The whole of what was typed of a number, without the spaces, points and dashes between."""
    return _SEPARATORS.sub("", text)


def checked_nik(text: str, birth_on: dt.date | None = None) -> tuple[str, tuple[NikWarning, ...]]:
    """The 16 digits without spaces, and what looks odd in them. Refuses any other length or sign, naming `nik`."""
    number = bare_number(text)
    if not re.fullmatch("[0-9]*", number):
        raise invalid("nik", "not_digits")
    if len(number) != NIK_DIGITS:
        raise invalid("nik", "digits", length=len(number), exactly=NIK_DIGITS)
    return number, nik_warnings(number, birth_on)


def nik_warnings(number: str, birth_on: dt.date | None = None) -> tuple[NikWarning, ...]:
    """What looks odd in 16 digits: province, and the date of birth in the places 7 to 12 (DDMMYY)."""
    found = []
    if not _FIRST_PROVINCE <= int(number[:2]) <= _LAST_PROVINCE:
        found.append(NikWarning.ODD_PROVINCE)
    day, month, year = int(number[6:8]), int(number[8:10]), int(number[10:12])
    day = day - _WOMAN if day > _WOMAN else day
    if not (1 <= day <= 31 and 1 <= month <= 12):
        found.append(NikWarning.ODD_DATE)
    elif birth_on is not None and (day, month, year) != (birth_on.day, birth_on.month, birth_on.year % 100):
        found.append(NikWarning.OTHER_BIRTH)
    return tuple(found)


def checked_passport(text: str) -> str:
    """6 to 9 capitals and digits, as a passport's machine line has them; refuses anything else naming `passport`."""
    number = bare_number(text).upper()
    if not re.fullmatch("[A-Z0-9]{6,9}", number) or not any(sign.isdigit() for sign in number):
        raise invalid("passport", "not_a_passport")
    return number


def checked_licence(text: str) -> str:
    """5 to 20 capitals and digits (an Indonesian licence has 12 to 16 digits); refuses the rest: `licence_number`."""
    number = bare_number(text).upper()
    if not re.fullmatch("[A-Z0-9]{5,20}", number) or not any(sign.isdigit() for sign in number):
        raise invalid("licence_number", "not_a_licence")
    return number


def wanted_number(text: str) -> str:
    """A number to look for exactly, of whichever kind: 5 to 20 capitals and digits. Refuses the rest: `number`."""
    number = bare_number(text).upper()
    if not re.fullmatch("[A-Z0-9]{5,20}", number):
        raise invalid("number", "not_an_identity")
    return number


def masked(kind: IdentityKind, number: str) -> str:
    """What is stored and shown in clear: `3275 01 •••••• 0012` of a NIK, of other papers the last three signs."""
    if kind is IdentityKind.NIK:
        return f"{number[:4]} {number[4:6]} {HIDDEN} {number[-4:]}"
    return f"{HIDDEN} {number[-3:]}"


def licence_problem(
    customer: Licensed, last_day: dt.date, extras: Iterable[ReplacesLicence] = ()
) -> LicenceProblem | None:
    """Whether the customer's licence is good to the last day of a rental; None when it is, or a driver comes along."""
    if any(extra.replaces_driver_licence for extra in extras):
        return None
    if customer.licence_expires_on is None:
        return LicenceProblem.MISSING
    return LicenceProblem.EXPIRES if customer.licence_expires_on < last_day else None
