"""A walk-in form as the plain values of its draft's file, and back. Drafts of older versions are read."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import fields

from app.desktop.screens.walk_in_form import FormLine, WalkInForm
from app.domain.days import MAX_RENTAL_DAYS


def to_fields(form: WalkInForm) -> dict[str, object]:
    """Plain values for the draft's file."""
    return {item.name: _plain(getattr(form, item.name)) for item in fields(form)}


def from_fields(found: Mapping[str, object]) -> WalkInForm:
    """Read a draft's values back; ValueError when they are not a form's. What an older version had not is empty."""
    rentals, kept = found.get("customer_rentals", 0), found.get("kept_days", 1)
    version = found.get("new_version")
    earlier, lines = found.get("earlier_ids"), found.get("lines")
    order_id = _text(found, "order_id")
    if not order_id:
        raise ValueError("order_id is missing")
    return WalkInForm(
        order_id=order_id,
        customer_text=_text(found, "customer_text"),
        customer_id=_maybe(found, "customer_id"),
        customer_name=_text(found, "customer_name"),
        customer_phone=_text(found, "customer_phone"),
        customer_rentals=rentals if isinstance(rentals, int) else 0,
        customer_licence_day=_day(found, "customer_licence_day"),
        customer_masked=_text(found, "customer_masked"),
        customer_blocked=_text(found, "customer_blocked"),
        is_new=found.get("is_new") is True,
        new_customer_id=_text(found, "new_customer_id"),
        new_version=version if isinstance(version, int) else None,
        new_name=_text(found, "new_name"),
        new_nik=_text(found, "new_nik"),
        licence_class=_text(found, "licence_class"),
        licence_text=_text(found, "licence_text"),
        licence_day=_day(found, "licence_day"),
        lines=tuple(map(_line, lines)) if isinstance(lines, list) else (),
        sku=_text(found, "sku"),
        unit_id=_maybe(found, "unit_id"),
        first_day=_day(found, "first_day"),
        last_day=_day(found, "last_day"),
        kept_days=kept if isinstance(kept, int) and 1 <= kept <= MAX_RENTAL_DAYS else 1,
        days_text=_text(found, "days_text"),
        pickup_text=_text(found, "pickup_text"),
        due_text=_text(found, "due_text"),
        extras=_texts(found.get("extras")),
        discount_text=_text(found, "discount_text"),
        deposit_text=_text(found, "deposit_text"),
        down_text=_text(found, "down_text"),
        was_sent=found.get("was_sent") is True,
        sent_content=_text(found, "sent_content"),
        earlier_ids=tuple(map(str, earlier)) if isinstance(earlier, list) else (),
        is_given_up=found.get("is_given_up") is True,
    )


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, FormLine):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def _line(found: object) -> FormLine:
    if not isinstance(found, Mapping):
        raise ValueError("lines hold something else")
    first, last = _day(found, "first_day"), _day(found, "last_day")
    if first is None or last is None or not 1 <= (last - first).days + 1 <= MAX_RENTAL_DAYS:
        raise ValueError("the days of one of the lines are none")
    deposit = found.get("deposit")
    return FormLine(
        sku=_text(found, "sku"),
        unit_id=_maybe(found, "unit_id"),
        first_day=first,
        last_day=last,
        extras=_texts(found.get("extras")),
        deposit=deposit if isinstance(deposit, int) else None,
        pickup_time=_time(found, "pickup_time"),
        due_time=_time(found, "due_time"),
    )


def _text(found: Mapping[str, object], name: str) -> str:
    value = found.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value


def _texts(found: object) -> tuple[str, ...]:
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _maybe(found: Mapping[str, object], name: str) -> str | None:
    return _text(found, name) or None if found.get(name) is not None else None


def _time(found: Mapping[str, object], name: str) -> dt.time | None:
    value = found.get(name)
    return dt.time.fromisoformat(str(value)) if value is not None else None


def _day(found: Mapping[str, object], name: str) -> dt.date | None:
    value = found.get(name)
    return dt.date.fromisoformat(str(value)) if value is not None else None
