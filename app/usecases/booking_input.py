"""What a booking is asked with, and its checks: ids, notes, names of units, how far away the days may lie."""

from __future__ import annotations

import datetime as dt
import unicodedata
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.catalogue import checked_sku, checked_unit_id
from app.domain.customer import checked_name, normalised_phone
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.invoice import MAX_AMOUNT
from app.domain.money import Rupiah
from app.domain.rates import ExtraWish
from app.usecases.ports import Ids
from app.usecases.rows import NewCustomer

MAX_LINES = 20
MAX_NOTE = 500
MAX_DAYS_AHEAD = 730
MAX_EXTRAS = 10
MAX_QUANTITY = 99
MAX_VERSION = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BookLine:
    """One unit of an order; without `unit_id` any free unit of the SKU.

    `discount_percent` is off rent and taxable extras. `deposit` is one that was agreed on, never below the SKU's. Times
    are the branch's on the first and the last day; without them pick-up is now or at opening, and due at closing.
    """

    sku: str
    period: RentalPeriod
    unit_id: str | None = None
    extras: tuple[ExtraWish, ...] = ()
    discount_percent: int = 0
    deposit: Rupiah | None = None
    pickup_time: dt.time | None = None
    due_time: dt.time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRequest:
    """An order as the counter sends it. `order_id` is the client's UUID: sent again, it answers the same.

    `expected_total` is what the person was shown, None to book at whatever it costs. `approval_id` is a manager's word
    for a discount above the person's limit. With `down_payment` so much of the rent, before a PPN on top, is due now
    and the rest until pick-up; what was shown is then both together.
    """

    order_id: str
    lines: tuple[BookLine, ...]
    customer_id: str | None = None
    customer_name: str | None = None
    customer_phone: str | None = None
    note: str = ""
    expected_total: Rupiah | None = None
    approval_id: str | None = None
    down_payment: Rupiah | None = None


def check_lines(lines: Sequence[BookLine]) -> None:
    """Refuse an order of no or too many lines, and SKUs and units whose names are none."""
    if not 1 <= len(lines) <= MAX_LINES:
        raise invalid("lines", "count", least=1, most=MAX_LINES, given=len(lines))
    for number, line in enumerate(lines):
        checked_sku(line.sku, f"lines[{number}].sku")
        if line.unit_id is not None:
            checked_unit_id(line.unit_id, f"lines[{number}].unit_id")
        _check_wishes(line, f"lines[{number}]")


def _check_wishes(line: BookLine, place: str) -> None:
    if not is_whole(line.discount_percent, 0, 100):
        raise invalid(f"{place}.discount_percent", "out_of_range", given=line.discount_percent, least=0, most=100)
    if line.deposit is not None:
        checked_amount(line.deposit, f"{place}.deposit")
    if len(line.extras) > MAX_EXTRAS:
        raise invalid(f"{place}.extras", "count", most=MAX_EXTRAS, given=len(line.extras))
    codes = [wish.code for wish in line.extras]
    for wish in line.extras:
        checked_sku(wish.code, f"{place}.extras")
        if not 1 <= wish.quantity <= MAX_QUANTITY:
            raise invalid(f"{place}.extras", "out_of_range", given=wish.quantity, least=1, most=MAX_QUANTITY)
        if codes.count(wish.code) > 1:
            raise invalid(f"{place}.extras", "twice", extra=wish.code)


def new_customer(request: BookRequest, ids: Ids) -> NewCustomer | None:
    """The customer typed with the order, checked; None when an existing one is named by id."""
    return typed_customer(request.customer_id, request.customer_name, request.customer_phone, ids)


def typed_customer(customer_id: str | None, name: str | None, phone: str | None, ids: Ids) -> NewCustomer | None:
    """A name and a phone number as a customer, checked; None when an existing one is named by id."""
    if customer_id is not None:
        checked_uuid(customer_id, "customer.id")
        return None
    if name is None or phone is None:
        raise invalid("customer", "empty")
    return NewCustomer(id=ids.uuid(), name=checked_name(name), phone=normalised_phone(phone))


def is_whole(number: object, least: int, most: int) -> bool:
    """Whether this is a whole number within bounds: neither 9.5 nor True is one."""
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most


def checked_amount(amount: Rupiah, field: str) -> Rupiah:
    """Whole Rupiah from 0 to the most that an invoice may be of; anything else is refused naming `field`."""
    if not is_whole(amount, 0, MAX_AMOUNT):
        raise invalid(field, "not_an_amount", given=amount)
    return amount


def checked_version(version: int | None) -> int | None:
    """The version that was seen, as the database counts them; None when nothing was."""
    if version is not None and not is_whole(version, 1, MAX_VERSION):
        raise invalid("version", "out_of_range", given=version, least=1, most=MAX_VERSION)
    return version


def checked_uuid(text: str, field: str) -> str:
    """A UUID in its usual form; anything else is refused naming `field`."""
    try:
        return str(uuid.UUID(text))
    except (ValueError, AttributeError, TypeError):
        raise invalid(field, "not_a_uuid", given=str(text)[:60]) from None


def checked_note(text: str, field: str = "note") -> str:
    """At most 500 characters; line breaks stay, other control characters are refused."""
    if len(text) > MAX_NOTE:
        raise invalid(field, "too_long", length=len(text), most=MAX_NOTE)
    if any(unicodedata.category(sign) in {"Cc", "Cs", "Cn"} and sign not in "\n\t" for sign in text):
        raise invalid(field, "control_characters")
    return text.strip()


def check_period(period: Days, today: dt.date, where: str = "") -> None:
    """Refuse PERIOD_INVALID for a first day that is past or more than 730 days away, naming `<where>.first_day`."""
    if period.first < today:
        raise _refused(where, "past", first=period.first)
    if (period.first - today).days > MAX_DAYS_AHEAD:
        raise _refused(where, "too_far", first=period.first, limit=MAX_DAYS_AHEAD)


def _refused(where: str, reason: str, **params: object) -> Refusal:
    return Refusal(RefusalCode.PERIOD_INVALID, field=f"{where}.first_day".lstrip("."), next=(), reason=reason, **params)
