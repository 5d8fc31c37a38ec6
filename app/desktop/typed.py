"""How typed money, dates, times, days and phones are understood. Pure; `None` means "not understood", never a guess.

The keypad's comma and its dot mean the same everywhere: which of them a keypad has depends on the PC, not on the clerk.
"""

import calendar
import datetime as dt
import re
from collections.abc import Iterator

from app.desktop.formats import MONTHS_LONG, MONTHS_SHORT, WEEKDAYS_LONG, WEEKDAYS_SHORT, Language
from app.domain.customer import normalised_phone
from app.domain.errors import Refusal

MAX_AMOUNT = 999_999_999_999
MAX_DAYS = 365
MAX_LENGTH = 40  # nothing longer is typed on purpose
_UNITS = {"rb": 1000, "ribu": 1000, "k": 1000, "jt": 1_000_000, "juta": 1_000_000}
_MONEY = re.compile(r"(?:rp\.?)?(\d[\d.,]*-?)([a-z]*)", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*", re.ASCII)
_MIXED = re.compile(r"(\d{1,3}(?:([.,])\d{3})+)(?!\2)[.,](\d+)", re.ASCII)
_CENTS = re.compile(r"(.*\d)([.,])(?:00|-)", re.ASCII)
_DATE = re.compile(r"(\d{1,2})[/., -](\d{1,2})(?:[/., -](\d{4}|\d{2}))?", re.ASCII)
_NAMED_DATE = re.compile(r"(\d{1,2})[ -]?([a-z]{3,9})(?:[ -]?(\d{4}|\d{2}))?", re.ASCII)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_TIME = re.compile(r"(\d{1,2})[.,:](\d{2})", re.ASCII)
_DAYS = re.compile(r"(\d{1,4})\s*(?:h|hr|hari|d|day|days)?", re.ASCII)
_OFFSETS = {"hari ini": 0, "today": 0, "besok": 1, "tomorrow": 1, "lusa": 2, "kemarin": -1, "yesterday": -1}
_WEEKDAYS = {
    name.lower(): index
    for table in (WEEKDAYS_SHORT, WEEKDAYS_LONG)
    for names in table.values()
    for index, name in enumerate(names)
}
_MONTHS = {
    name.lower(): index + 1
    for table in (MONTHS_SHORT, MONTHS_LONG)
    for names in table.values()
    for index, name in enumerate(names)
}


def typed_money(text: str, language: Language = Language.ID) -> int | None:
    """Whole rupiah from `1250000`, `1.250.000`, `1,25jt`, `500rb`, `1.250,5jt`; in English also `1.25m`.

    Dot and comma both group, and both begin the fraction of a thousand or a million.

    A result that is no whole rupiah, negative, or above 999,999,999,999 is not understood.
    """
    match = _MONEY.fullmatch("".join(text.lower().split()))
    if match is None or len(text) > MAX_LENGTH:
        return None
    digits, unit = match.groups()
    factor = 1 if not unit else _UNITS.get(unit, 1_000_000 if unit == "m" and language is Language.EN else 0)
    if factor == 0:
        return None
    amount = _whole(digits) if factor == 1 else _scaled(digits, factor)
    return amount if amount is not None and amount <= MAX_AMOUNT else None


def _whole(digits: str) -> int | None:
    cents = _CENTS.fullmatch(digits)
    if cents and cents.group(2) not in cents.group(1):
        digits = cents.group(1)
    if digits.isdigit():
        return int(digits)
    return int(re.sub(r"[.,]", "", digits)) if _GROUPED.fullmatch(digits) else None


def _scaled(digits: str, factor: int) -> int | None:
    whole = _whole(digits)
    if whole is not None:
        return whole * factor
    mixed = _MIXED.fullmatch(digits)
    if mixed is not None:
        digits = f"{re.sub('[.,]', '', mixed.group(1))},{mixed.group(3)}"
    head, separator, tail = re.match(r"(\d+)([.,]?)(\d*)", digits).groups()  # type: ignore[union-attr]
    if f"{head}{separator}{tail}" != digits or not tail:
        return None
    amount, rest = divmod(int(head + tail) * factor, 10 ** len(tail))
    return amount if rest == 0 else None


def typed_date(text: str, today: dt.date) -> dt.date | None:
    """A day from `30`, `30/11`, `30-11-26`, `30 nov`, `2026-11-30`, `besok`, `lusa`, `sen`, `tomorrow`, `mon`, `+3`.

    Day before month, always. Without month or year it is the first such day from `today` on; a weekday is the next one
    after today. Days that do not exist (31/2) are not understood.
    """
    plain = " ".join(text.lower().split())
    if plain in _OFFSETS:
        return _shifted(today, _OFFSETS[plain])
    if plain in _WEEKDAYS:
        return _shifted(today, (_WEEKDAYS[plain] - today.weekday() - 1) % 7 + 1)
    if re.fullmatch(r"[+-]\d{1,4}", plain, re.ASCII):
        return _shifted(today, int(plain))
    if match := re.fullmatch(_ISO, plain):
        year, month, day = (int(part) for part in match.groups())
        return _real(year, month, day)
    if re.fullmatch(r"\d{1,2}", plain, re.ASCII):
        return _first_real(((at.year, at.month, int(plain)) for at in _months_from(today)), today)
    if match := _DATE.fullmatch(plain):
        return _day_and_month(int(match.group(1)), int(match.group(2)), match.group(3), today)
    if (match := _NAMED_DATE.fullmatch(plain)) and match.group(2) in _MONTHS:
        return _day_and_month(int(match.group(1)), _MONTHS[match.group(2)], match.group(3), today)
    return None


def typed_time(text: str) -> dt.time | None:
    """A time of day from `1405`, `905`, `14.05`, `14:05`, `9`."""
    plain = text.strip()
    if match := _TIME.fullmatch(plain):
        hour, minute = int(match.group(1)), int(match.group(2))
    elif re.fullmatch(r"\d{3,4}", plain, re.ASCII):
        hour, minute = int(plain[:-2]), int(plain[-2:])
    elif re.fullmatch(r"\d{1,2}", plain, re.ASCII):
        hour, minute = int(plain), 0
    else:
        return None
    return dt.time(hour, minute) if hour < 24 and minute < 60 else None


def typed_days(text: str) -> int | None:
    """A rental length of 1 to 365 days from `3`, `3h`, `3 hari`, `3 days`."""
    match = _DAYS.fullmatch(text.strip().lower())
    days = int(match.group(1)) if match else 0
    return days if 1 <= days <= MAX_DAYS else None


def typed_phone(text: str) -> str | None:
    """`+62…` from `0812…`, `812…`, `62812…`, `+62812…` with any separators, as it will be stored; None when refused."""
    try:
        return normalised_phone(text)
    except Refusal:
        return None


def _shifted(today: dt.date, days: int) -> dt.date | None:
    try:
        return today + dt.timedelta(days=days)
    except OverflowError:
        return None


def _day_and_month(day: int, month: int, year: str | None, today: dt.date) -> dt.date | None:
    if year is not None:
        return _real(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    # Eight years hold at least one 29 February.
    return _first_real(((today.year + more, month, day) for more in range(9)), today)


def _months_from(today: dt.date) -> Iterator[dt.date]:
    for more in range(13):
        years, month = divmod(today.month - 1 + more, 12)
        yield dt.date(today.year + years, month + 1, 1)


def _first_real(candidates: Iterator[tuple[int, int, int]], today: dt.date) -> dt.date | None:
    for year, month, day in candidates:
        real = _real(year, month, day)
        if real is not None and real >= today:
            return real
    return None


def _real(year: int, month: int, day: int) -> dt.date | None:
    if not (1900 <= year <= 2200 and 1 <= month <= 12):
        return None
    return dt.date(year, month, day) if 1 <= day <= calendar.monthrange(year, month)[1] else None
