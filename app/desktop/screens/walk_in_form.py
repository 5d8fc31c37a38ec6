"""What the walk-in drawer holds while it is being filled in, and what is still wrong with it. Pure."""

import datetime as dt
import json
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Any

from app.desktop.draft_box import has_long_number
from app.desktop.formats import masked_nik
from app.desktop.typed import typed_money, typed_time
from app.domain.customer import MOST_NAME_SIGNS
from app.domain.days import MAX_RENTAL_DAYS, RentalPeriod
from app.domain.identity import bare_number

NIK_DIGITS = 16
_NO_ITEM: dict[str, Any] = {"sku": "", "unit_id": None, "extras": (), "deposit_text": ""}


class FormField(StrEnum):
    CUSTOMER = "customer"
    NAME = "name"
    NIK = "nik"
    LICENCE = "licence"
    SKU = "sku"
    UNIT = "unit"
    FIRST_DAY = "first_day"
    LAST_DAY = "last_day"
    DAYS = "days"
    PICKUP = "pickup_time"
    DUE = "due_time"
    DISCOUNT = "discount"
    DEPOSIT = "deposit"
    DOWN = "down_payment"


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
    LONG_NAME = "long_name"
    NIK_LENGTH = "nik_length"
    LICENCE_DAY = "licence_day"
    LICENCE_EXPIRES = "licence_expires"
    NO_SKU = "no_sku"
    NO_FIRST = "no_first"
    PAST = "past"
    REVERSED = "reversed"
    TOO_LONG = "too_long"
    TIME = "time"
    DUE_FIRST = "due_first"
    DISCOUNT = "discount"
    DEPOSIT = "deposit"
    DOWN = "down_payment"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormLine:
    """One more unit of the same order, already chosen; `unit_id` None means any free unit."""

    sku: str
    unit_id: str | None
    first_day: dt.date
    last_day: dt.date
    extras: tuple[str, ...] = ()
    deposit: int | None = None
    pickup_time: dt.time | None = None
    due_time: dt.time | None = None

    @property
    def period(self) -> RentalPeriod:
        return RentalPeriod(self.first_day, self.last_day)

    @property
    def hours(self) -> list[str]:
        """The times of day that were typed, as a part of what is ordered."""
        return [] if self.pickup_time is self.due_time is None else [f"{self.pickup_time} {self.due_time}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkInForm:
    """`customer_text` is what stands in the field; `customer_id` is set once somebody was picked.

    `is_new` asks for `new_name` and, who wants to, for the papers: `new_nik` as typed, licence class and expiry day
    (`licence_text` as typed, `licence_day` once it is a day); the phone is then `customer_text`. `new_customer_id` is
    their identity, `new_version` what the register answered once they are written there. `customer_licence_day`,
    `customer_masked` and `customer_blocked` are a known customer's. `lines` are the units chosen before the one in the
    fields: one order, all or none. `unit_id` None means any free unit. `order_id` is the booking's identity; it belongs
    to one content, `sent_content` once it was sent. `was_sent` means that the answer is still missing: the same content
    goes out under the same id again, another one never does.
    `extras` are codes; discount, deposit and down payment are kept as typed.
    `earlier_ids` went out with other contents and were not there when asked: asked once more after this one is booked.
    `is_given_up`: thrown away while its answer was missing.
    `pickup_text` and `due_text` are times of day as typed; empty is what the branch means by none.
    `kept_days` is the length to come back to while a date is being typed; `days_text` a typed length that is none.
    """

    order_id: str
    customer_text: str = ""
    customer_id: str | None = None
    customer_name: str = ""
    customer_phone: str = ""
    customer_rentals: int = 0
    is_new: bool = False
    customer_licence_day: dt.date | None = None
    customer_masked: str = ""
    customer_blocked: str = ""
    new_customer_id: str = ""
    new_version: int | None = None
    new_name: str = ""
    new_nik: str = ""
    licence_class: str = ""
    licence_text: str = ""
    licence_day: dt.date | None = None
    lines: tuple[FormLine, ...] = ()
    sku: str = ""
    unit_id: str | None = None
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    kept_days: int = 1
    days_text: str = ""
    pickup_text: str = ""
    due_text: str = ""
    extras: tuple[str, ...] = ()
    discount_text: str = ""
    deposit_text: str = ""
    down_text: str = ""
    was_sent: bool = False
    sent_content: str = ""
    earlier_ids: tuple[str, ...] = ()
    is_given_up: bool = False

    @property
    def content(self) -> str:
        """What would be ordered, as one text: equal for equal orders."""
        who = [self.new_name.strip(), self.customer_text.strip()] if self.is_new else [self.customer_id]
        order: list[object] = [*who, self.sku, self.unit_id, str(self.first_day), str(self.last_day)]
        # What older drafts never had is left out where it is empty: their text stays equal to what was sent.
        if self.has_papers:
            order.append([self.nik, self.licence_class, str(self.licence_day)])
        if self.extras or self.discount or self.deposit is not None or self.down_payment is not None:
            order.append([*self.extras, self.discount, self.deposit, self.down_payment])
        if self.pickup_time is not None or self.due_time is not None:
            order.append(f"{self.pickup_time} {self.due_time}")
        order += [
            [line.sku, line.unit_id, str(line.first_day), str(line.last_day), *line.extras, line.deposit, *line.hours]
            for line in self.lines
        ]
        return json.dumps(order)

    @property
    def nik(self) -> str:
        """The typed identity number without what stands between its digits."""
        return bare_number(self.new_nik)

    @property
    def has_papers(self) -> bool:
        """A new customer whose identity card or licence was typed."""
        return self.is_new and bool(self.nik or self.licence_day is not None)

    @property
    def has_item(self) -> bool:
        """The fields speak of a unit of their own, beside the `lines`."""
        return bool(self.sku) or not self.lines

    @property
    def order_lines(self) -> tuple[FormLine, ...] | None:
        """Every unit of the order; None while the fields' own is not complete."""
        if not self.has_item:
            return self.lines
        if not self.sku or self.period is None:
            return None
        return (*self.lines, self._own_line(self.period))

    def with_line_added(self) -> "WalkInForm":
        """Put the fields' unit to the `lines` and begin another for the same days; nothing while it is incomplete."""
        if not self.sku or self.period is None:
            return self
        return replace(self, lines=(*self.lines, self._own_line(self.period)), **_NO_ITEM)

    def without_line(self, at: int) -> "WalkInForm":
        return replace(self, lines=tuple(line for number, line in enumerate(self.lines) if number != at))

    def _own_line(self, period: RentalPeriod) -> FormLine:
        return FormLine(
            sku=self.sku,
            unit_id=self.unit_id,
            first_day=period.first,
            last_day=period.last,
            extras=self.extras,
            deposit=self.deposit,
            pickup_time=self.pickup_time,
            due_time=self.due_time,
        )

    @property
    def pickup_time(self) -> dt.time | None:
        """None while nothing, or no time of day, stands there."""
        return typed_time(self.pickup_text)

    @property
    def due_time(self) -> dt.time | None:
        return typed_time(self.due_text)

    @property
    def discount(self) -> int | None:
        """Whole percent; 0 without one, None while what is typed is none."""
        text = self.discount_text.strip().removesuffix("%").strip()
        if not text:
            return 0
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= 100 else None

    @property
    def deposit(self) -> int | None:
        """What was agreed on; None for the SKU's own."""
        return typed_money(self.deposit_text)

    @property
    def down_payment(self) -> int | None:
        return typed_money(self.down_text)

    def term_problems(self) -> list[tuple[FormField, Problem]]:
        """What is no percentage or no amount."""
        found: list[tuple[FormField, Problem]] = []
        if self.discount is None:
            found.append((FormField.DISCOUNT, Problem.DISCOUNT))
        if self.deposit_text.strip() and self.deposit is None:
            found.append((FormField.DEPOSIT, Problem.DEPOSIT))
        if self.down_text.strip() and not self.down_payment:
            found.append((FormField.DOWN, Problem.DOWN))
        return found

    @property
    def last_return(self) -> dt.date | None:
        """When the last unit comes back: until then the licence has to be valid."""
        own = [self.last_day] if self.has_item and self.last_day is not None else []
        return max([*own, *(line.last_day for line in self.lines)], default=None)

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
        """The customer, as far as it is known; a number of papers that somebody is looked for by is masked."""
        name = self.new_name.strip() if self.is_new else self.customer_name or self.customer_text.strip()
        return masked_nik(bare_number(name)) if has_long_number(name) else name

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
        if days is None or days > MAX_RENTAL_DAYS or self.first_day is None or self.last_day is None or self.days_text:
            return None
        return RentalPeriod(self.first_day, self.last_day)

    @property
    def is_empty(self) -> bool:
        """Nothing worth keeping was typed: dates alone are the form's own proposal."""
        return not (
            self.customer_text.strip() or self.customer_id or self.new_name.strip() or self.lines or self.was_sent
        )

    def with_days(self, count: int) -> "WalkInForm":
        """Keep the first day, move the last one."""
        if self.first_day is None:
            return replace(self, days_text="")
        last = self.first_day + dt.timedelta(days=count - 1)
        return replace(self, last_day=last, kept_days=count, days_text="")

    def with_first(self, day: dt.date | None) -> "WalkInForm":
        """Move the first day and keep the length."""
        length = self.days or self.kept_days
        last = day + dt.timedelta(days=length - 1) if day is not None else self.last_day
        return replace(self, first_day=day, last_day=last, kept_days=length, days_text="")

    def with_last(self, day: dt.date | None) -> "WalkInForm":
        """Move the last day."""
        moved = replace(self, last_day=day, days_text="")
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
        elif self.is_new and len(" ".join(self.new_name.split())) > MOST_NAME_SIGNS:
            found.append((FormField.NAME, Problem.LONG_NAME))
        found += self.paper_problems()
        if not self.has_item:
            return tuple(found)
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
        elif (self.days or 0) > MAX_RENTAL_DAYS or self.days_text:
            found.append((FormField.DAYS, Problem.TOO_LONG))
        return tuple(found)

    def paper_problems(self) -> list[tuple[FormField, Problem]]:
        """What is wrong with identity number and licence; nothing that was not typed is."""
        found: list[tuple[FormField, Problem]] = []
        last = self.last_return
        if self.is_new:
            if self.nik and not (len(self.nik) == NIK_DIGITS and self.nik.isascii() and self.nik.isdigit()):
                found.append((FormField.NIK, Problem.NIK_LENGTH))
            if self.licence_text.strip() and self.licence_day is None:
                found.append((FormField.LICENCE, Problem.LICENCE_DAY))
        day = self.known_licence_day
        if day is not None and last is not None and day < last:
            found.append((FormField.LICENCE if self.is_new else FormField.CUSTOMER, Problem.LICENCE_EXPIRES))
        return found

    @property
    def known_licence_day(self) -> dt.date | None:
        return self.licence_day if self.is_new else self.customer_licence_day
