"""What is typed of a customer besides name and phone: e-mail, address, nationality, birth, codes, each in one form."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata

from app.domain.errors import invalid
from app.domain.identity import LicenceClass
from app.domain.waitlist import Tier

ARREARS_CODE = "01"
"""What the screen says instead of "has not paid": the customer can see it. Codes of the blacklist are any other two
digits; what each means is the branch's own list."""
MOST_ADDRESS = 300
_EMAIL = re.compile(r"[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,180}[A-Za-z0-9])?\.[A-Za-z]{2,24}")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
FIRST_BIRTH = dt.date(1900, 1, 1)


def checked_email(text: str, field: str = "email") -> str:
    """`nama@contoh.id` in lower case, or empty."""
    mail = text.strip().lower()
    if mail and (len(mail) > 254 or ".." in mail or not _EMAIL.fullmatch(mail)):
        raise invalid(field, "not_an_email")
    return mail


def checked_address(text: str, field: str = "address") -> str:
    """At most 300 characters; line breaks stay, invisible signs are refused."""
    address = text.replace("\r\n", "\n").strip()
    if len(address) > MOST_ADDRESS:
        raise invalid(field, "too_long", length=len(address), most=MOST_ADDRESS)
    if any(unicodedata.category(sign) in _HIDDEN and sign not in "\n\t" for sign in address):
        raise invalid(field, "control_characters")
    return address


def checked_nationality(text: str) -> str:
    """Two letters of ISO 3166, capitals: `ID`."""
    country = text.strip().upper()
    if not re.fullmatch("[A-Z]{2}", country):
        raise invalid("nationality", "not_a_country")
    return country


def checked_birth(day: dt.date | None, today: dt.date) -> dt.date | None:
    """A day from 1900 on that is past."""
    if day is not None and not FIRST_BIRTH <= day < today:
        raise invalid("birth_on", "not_a_birth")
    return day


def checked_expiry(day: dt.date | None) -> dt.date | None:
    """A licence's last day: between 2000 and 2100. One that is past is a fact, not a mistake."""
    if day is not None and not 2000 <= day.year <= 2100:
        raise invalid("licence_expires_on", "not_a_day")
    return day


def checked_licence_class(text: str | None) -> LicenceClass | None:
    """`a umum` → A UMUM; None and empty are none."""
    plain = " ".join((text or "").upper().split())
    if not plain:
        return None
    try:
        return LicenceClass(plain)
    except ValueError:
        raise invalid("licence_class", "not_a_licence_class") from None


def checked_tier(text: str) -> Tier:
    try:
        return Tier(text)
    except ValueError:
        raise invalid("tier", "not_a_tier") from None


def checked_code(text: str | None) -> str | None:
    """Two digits of the branch's own list; 01 stands for arrears, which come and go by themselves."""
    code = (text or "").strip()
    if not code:
        return None
    if not re.fullmatch("[0-9]{2}", code) or code == ARREARS_CODE:
        raise invalid("blacklist_code", "not_a_code")
    return code
