"""What the walk-in drawer holds while it is being filled in, and what is still wrong with it. Pure."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum, StrEnum, auto

from app.domain.days import MAX_RENTAL_DAYS, RentalPeriod


class FormField(StrEnum):
    CUSTOMER = "customer"
    NAME = "name"
    SKU = "sku"
    UNIT = "unit"
    FIRST_DAY = "first_day"
    LAST_DAY = "last_day"
    DAYS = "days"


class Stage(Enum):
    """FORM is being filled in; HELD counts down; CHECKING asks for a last payment; EXPIRED and PAID are answers."""

    FORM = auto()
    HELD = auto()
    CHECKING = auto()
    EXPIRED = auto()
    PAID = auto()


class Problem(StrEnum):
    """Why a field cannot be sent; sentences are the view's."""

    NO_CUSTOMER = "no_customer"
    NO_PHONE = "no_phone"
    NO_NAME = "no_name"
    NO_SKU = "no_sku"
    NO_FIRST = "no_first"
    PAST = "past"
    REVERSED = "reversed"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkInForm:
    """`customer_text` is what stands in the field; `customer_id` is set once somebody was picked.

    `is_new` asks for `new_name`; the phone is then `customer_text`. `unit_id` None means any free unit. `order_id` is
    the booking's identity; it belongs to one content, `sent_content` once it was sent. `was_sent` means that the answer
    is still missing: the same content goes out under the same id again, another one never does.
    `earlier_ids` went out with other contents and were not there when asked: asked once more after this one is booked.
    `is_given_up`: thrown away while its answer was missing.
    `kept_days` is the length to come back to while a date is being typed.
    """

    order_id: str
    customer_text: str = ""
    customer_id: str | None = None
    customer_name: str = ""
    customer_phone: str = ""
    customer_rentals: int = 0
    is_new: bool = False
    new_name: str = ""
    sku: str = ""
    unit_id: str | None = None
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    kept_days: int = 1
    was_sent: bool = False
    sent_content: str = ""
    earlier_ids: tuple[str, ...] = ()
    is_given_up: bool = False

    @property
    def content(self) -> str:
        """What would be ordered, as one text: equal for equal orders."""
        who = [self.new_name.strip(), self.customer_text.strip()] if self.is_new else [self.customer_id]
        return json.dumps([*who, self.sku, self.unit_id, str(self.first_day), str(self.last_day)])

    @property
    def is_as_sent(self) -> bool:
        """Nothing of the order changed since it was sent; a form that was never sent is not."""
        return bool(self.sent_content) and self.sent_content == self.content

    @property
    def is_other_sent(self) -> bool:
        """The order changed since it was sent: it must not go out under the same id."""
        return bool(self.sent_content) and self.sent_content != self.content

    @property
    def typed_name(self) -> str:
        """The customer, as far as it is known."""
        return self.new_name.strip() if self.is_new else self.customer_name or self.customer_text.strip()

    def not_written(self) -> "WalkInForm":
        """Asked twice, not there: a draft again, whose order is asked for once more after the next booking."""
        others = (known for known in self.earlier_ids if known != self.order_id)
        return replace(self, was_sent=False, earlier_ids=(*others, self.order_id))

    @property
    def days(self) -> int | None:
        """The rental's length; None while an end is missing or they are reversed."""
        if self.first_day is None or self.last_day is None or self.last_day < self.first_day:
            return None
        return (self.last_day - self.first_day).days + 1

    @property
    def period(self) -> RentalPeriod | None:
        days = self.days
        if days is None or days > MAX_RENTAL_DAYS or self.first_day is None or self.last_day is None:
            return None
        return RentalPeriod(self.first_day, self.last_day)

    @property
    def is_empty(self) -> bool:
        """Nothing worth keeping was typed: dates alone are the form's own proposal."""
        return not (self.customer_text.strip() or self.customer_id or self.new_name.strip() or self.was_sent)

    def with_days(self, count: int) -> "WalkInForm":
        """Keep the first day, move the last one."""
        if self.first_day is None:
            return self
        return replace(self, last_day=self.first_day + dt.timedelta(days=count - 1), kept_days=count)

    def with_first(self, day: dt.date | None) -> "WalkInForm":
        """Move the first day and keep the length."""
        length = self.days or self.kept_days
        last = day + dt.timedelta(days=length - 1) if day is not None else self.last_day
        return replace(self, first_day=day, last_day=last, kept_days=length)

    def with_last(self, day: dt.date | None) -> "WalkInForm":
        """Move the last day."""
        moved = replace(self, last_day=day)
        return replace(moved, kept_days=moved.days or self.kept_days)

    def problems(self, today: dt.date, phone_ok: bool) -> tuple[tuple[FormField, Problem], ...]:
        """Everything that is wrong, in the order of the fields."""
        found: list[tuple[FormField, Problem]] = []
        if self.customer_id is None and not self.is_new:
            found.append((FormField.CUSTOMER, Problem.NO_CUSTOMER))
        if self.is_new and not phone_ok:
            found.append((FormField.CUSTOMER, Problem.NO_PHONE))
        if self.is_new and len(self.new_name.strip()) < 2:
            found.append((FormField.NAME, Problem.NO_NAME))
        if not self.sku:
            found.append((FormField.SKU, Problem.NO_SKU))
        if self.first_day is None:
            found.append((FormField.FIRST_DAY, Problem.NO_FIRST))
        elif self.first_day < today:
            found.append((FormField.FIRST_DAY, Problem.PAST))
        if self.last_day is None:
            found.append((FormField.LAST_DAY, Problem.NO_FIRST))
        elif self.first_day is not None and self.last_day < self.first_day:
            found.append((FormField.LAST_DAY, Problem.REVERSED))
        elif (self.days or 0) > MAX_RENTAL_DAYS:
            found.append((FormField.DAYS, Problem.TOO_LONG))
        return tuple(found)

    def to_fields(self) -> dict[str, object]:
        """Plain values for the draft's file."""
        found: dict[str, object] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, tuple):
                value = list(value)
            found[item.name] = value.isoformat() if isinstance(value, dt.date) else value
        return found

    @staticmethod
    def from_fields(found: Mapping[str, object]) -> "WalkInForm":
        """Read a draft's values back; ValueError when they are not a form's."""

        def text(name: str) -> str:
            value = found.get(name, "")
            if not isinstance(value, str):
                raise ValueError(f"{name} is no text")
            return value

        def day(name: str) -> dt.date | None:
            value = found.get(name)
            return dt.date.fromisoformat(str(value)) if value is not None else None

        def maybe(name: str) -> str | None:
            return text(name) or None if found.get(name) is not None else None

        rentals, kept = found.get("customer_rentals", 0), found.get("kept_days", 1)
        earlier = found.get("earlier_ids")
        order_id = text("order_id")
        if not order_id:
            raise ValueError("order_id is missing")
        return WalkInForm(
            order_id=order_id,
            customer_text=text("customer_text"),
            customer_id=maybe("customer_id"),
            customer_name=text("customer_name"),
            customer_phone=text("customer_phone"),
            customer_rentals=rentals if isinstance(rentals, int) else 0,
            is_new=found.get("is_new") is True,
            new_name=text("new_name"),
            sku=text("sku"),
            unit_id=maybe("unit_id"),
            first_day=day("first_day"),
            last_day=day("last_day"),
            kept_days=kept if isinstance(kept, int) and 1 <= kept <= MAX_RENTAL_DAYS else 1,
            was_sent=found.get("was_sent") is True,
            sent_content=text("sent_content"),
            earlier_ids=tuple(map(str, earlier)) if isinstance(earlier, list) else (),
            is_given_up=found.get("is_given_up") is True,
        )
