"""Filling in the walk-in form: units and days of the order, and its price."""

import datetime as dt
import re
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal

from app.desktop.commands import call, reload_command
from app.desktop.screens.walk_in_form import FormField, Problem, Stage, WalkInForm
from app.desktop.screens.walk_in_hours import Hours, hour_problems, hours_of
from app.desktop.screens.walk_in_people_viewmodel import PeopleViewModel
from app.desktop.typed import typed_days
from app.domain.errors import Refusal
from app.domain.money import Rupiah
from app.domain.pricing import Extra, ExtraWish, Quote
from app.usecases.booking_prices import rental_times
from app.usecases.bookings import BookLine
from app.usecases.rows import BookedOrder, FleetUnit

_LINE = re.compile(r"lines\[(\d+)\]")


class FormViewModel(PeopleViewModel):
    """What is ordered and what it costs: the price follows each change after 120 ms. `part_refused` with the Refusal of
    a down payment that has no price."""

    part_refused = Signal(object)

    extras: tuple[Extra, ...] = ()
    undriven: frozenset[str] = frozenset()
    discount_limit = 100
    _quoted: tuple[tuple[BookLine, ...], Rupiah | None] = ((), None)

    # --- the form -----------------------------------------------------------------------------------------------------

    def set_fleet(self, fleet: tuple[FleetUnit, ...]) -> None:
        self.fleet = fleet
        self.changed.emit()

    def begin_new(self, unit: FleetUnit | None, first: dt.date, last: dt.date) -> None:
        """Somebody else first, for this unit and these days."""
        if self.put_aside():
            self.propose(unit, first, last)

    def propose(self, unit: FleetUnit | None, first: dt.date, last: dt.date) -> None:
        """Take unit and days chosen in the grid; the customer stays."""
        self._back_to_form()
        form = replace(self.form, first_day=first).with_last(last)
        if unit is not None:
            form = replace(form, sku=unit.sku.code, unit_id=unit.unit.id)
        self._set(form, priced=True)

    def start(self, sku: str = "", day: dt.date | None = None) -> None:
        """Open for an SKU and a day (else today), one day long, unless a draft is there."""
        self._back_to_form()
        form = self.form
        # Where 24 hours count, one day ends on the next date.
        more = dt.timedelta(days=1 if self.who.branch.counts_hours else 0)
        if form.first_day is None and self.clock.is_set():
            form = replace(form, first_day=self.today(), last_day=self.today() + more)
        if form.is_empty and self.clock.is_set() and (sku or day is not None):
            wanted = max(day or self.today(), self.today())
            form = replace(form, sku=sku or form.sku, unit_id=None, first_day=wanted).with_last(wanted + more)
        self._set(form, priced=True)

    def clear(self) -> None:
        """Begin anew: the draft is thrown away; one that was put aside comes back."""
        ended = self.stage is not Stage.FORM
        self._back_to_form()
        if not ended:
            if self.form.was_sent:
                self._kept.put(replace(self.form, is_given_up=True), self.clock.now())
            self._drafts.discard()
            self._back_to_form(self._next_form())
        self.start()
        self._forget_hits()
        self.changed.emit()

    def add_line(self) -> None:
        """One more unit of the same order; the fields go on with the next one."""
        self._set(self.form.with_line_added(), priced=True)

    def drop_line(self, at: int) -> None:
        self._set(self.form.without_line(at), priced=True)

    def set_sku(self, sku: str) -> None:
        """Another SKU; a unit of the old one is let go."""
        if sku != self.form.sku:
            self._set(replace(self.form, sku=sku, unit_id=None), priced=True)

    def set_unit(self, unit_id: str | None) -> None:
        """A given unit, or None for any free one."""
        self._set(replace(self.form, unit_id=unit_id), priced=True)

    def set_first(self, day: dt.date | None) -> None:
        self._set(self.form.with_first(day), priced=True)

    def set_last(self, day: dt.date | None) -> None:
        self._set(self.form.with_last(day), priced=True)

    def set_days(self, count: int) -> None:
        """A length in days that are paid for; where 24 hours count it may touch one date more."""
        hours = self.hours()
        self._set(self.form.with_days(count + (hours.dates_more if hours is not None else 0)), priced=True)

    def hours(self) -> Hours | None:
        """Pick-up and due of the fields' unit; None where the branch counts dates."""
        now = self.clock.now() if self.clock.is_set() else dt.datetime.min.replace(tzinfo=dt.UTC)
        return hours_of(self.who.branch, self.form, now)

    def _times_of(self, booked: BookedOrder, form: WalkInForm) -> tuple[dt.datetime, dt.datetime] | None:
        """Pick-up and due of what was just booked, by the rule that wrote them; None where dates count."""
        lines = form.order_lines
        if not lines or not self.who.branch.counts_hours:
            return None
        first = lines[0]
        line = BookLine(sku=first.sku, period=first.period, pickup_time=first.pickup_time, due_time=first.due_time)
        return rental_times(self.who.branch, line, booked.now, 0)

    @property
    def length(self) -> int | None:
        """The days that are paid for, as the days' field shows them."""
        days, hours = self.form.days, self.hours()
        return days if days is None or hours is None else max(1, days + hours.offset)

    def type_pickup(self, text: str) -> None:
        self._set(replace(self.form, pickup_text=text), priced=True)

    def type_due(self, text: str) -> None:
        self._set(replace(self.form, due_text=text), priced=True)

    def hour_problems(self) -> list[tuple[FormField, Problem]]:
        return hour_problems(self.form, self.hours()) if self.form.has_item else []

    def type_days(self, text: str) -> None:
        """A length that is none keeps the form from being priced and sent until it is one."""
        count = typed_days(text)
        if count is not None:
            self.set_days(count)
        else:
            self._set(replace(self.form, days_text=text.strip()), priced=True)

    def use(self, params: dict[str, object]) -> None:
        """Take what a refusal offers: another unit, other days, or both."""
        unit_id, first, last = params.get("unit_id"), params.get("first_day"), params.get("last_day")
        form = self._with_offered_line(unit_id, first, last)
        if form is None:
            form = self.form
            if isinstance(unit_id, str):
                unit = self.unit(unit_id)
                form = replace(form, unit_id=unit_id, sku=unit.sku.code if unit is not None else form.sku)
            if isinstance(first, dt.date) and isinstance(last, dt.date):
                form = replace(form, first_day=first).with_last(last)
        self.refusal = None
        self._set(form, priced=True)

    def _with_offered_line(self, unit_id: object, first: object, last: object) -> WalkInForm | None:
        """The form with the refused one of the units chosen before changed; None when the fields' own was refused."""
        found = _LINE.match(self.refusal.field or "") if self.refusal is not None else None
        at = int(found[1]) if found is not None else len(self.form.lines)
        if at >= len(self.form.lines):
            return None
        line = self.form.lines[at]
        if isinstance(unit_id, str):
            unit = self.unit(unit_id)
            line = replace(line, unit_id=unit_id, sku=unit.sku.code if unit is not None else line.sku)
        if isinstance(first, dt.date) and isinstance(last, dt.date):
            line = replace(line, first_day=first, last_day=last)
        return replace(self.form, lines=(*self.form.lines[:at], line, *self.form.lines[at + 1 :]))

    def unit(self, unit_id: str | None) -> FleetUnit | None:
        return next((unit for unit in self.fleet if unit.unit.id == unit_id), None)

    def problems(self) -> tuple[tuple[FormField, Problem], ...]:
        """Everything that is wrong; with a driver, or for equipment, nobody's licence is asked for."""
        found = [
            *self.form.problems(self.today(), self.phone() is not None),
            *self.hour_problems(),
            *self.term_problems(),
        ]
        return tuple(item for item in found if item[1] is not Problem.LICENCE_EXPIRES or self.licence_ends_early)

    def paper_problems(self) -> list[tuple[FormField, Problem]]:
        found = self.form.paper_problems()
        return [item for item in found if item[1] is not Problem.LICENCE_EXPIRES or self.licence_ends_early]

    @property
    def licence_ends_early(self) -> bool:
        """Before a unit comes back that the customer drives; so for any unit while the order is not complete."""
        drivers = {extra.code for extra in self.extras if extra.replaces_driver_licence}
        lines, day = self.form.order_lines, self.form.known_licence_day
        if lines is None or day is None:
            return True
        driven = [line for line in lines if line.sku not in self.undriven and not drivers & set(line.extras)]
        return any(day < line.period.last for line in driven)

    @property
    def least_deposit(self) -> int:
        """The SKU's; nothing below it is agreed on."""
        return next((int(unit.sku.deposit) for unit in self.fleet if unit.sku.code == self.form.sku), 0)

    def term_problems(self) -> list[tuple[FormField, Problem]]:
        if not self.offers.has_terms:
            return []
        found = self.form.term_problems()
        deposit = self.form.deposit
        if deposit is not None and deposit < self.least_deposit:
            found.append((FormField.DEPOSIT, Problem.DEPOSIT))
        return found

    def set_extra(self, code: str, wanted: bool) -> None:
        others = tuple(known for known in self.form.extras if known != code)
        self._set(replace(self.form, extras=(*others, code) if wanted else others), priced=True)

    def type_discount(self, text: str) -> None:
        self._set(replace(self.form, discount_text=text), priced=True)

    def type_deposit(self, text: str) -> None:
        self._set(replace(self.form, deposit_text=text), priced=True)

    def type_down_payment(self, text: str) -> None:
        self._set(replace(self.form, down_text=text), priced=True)

    @reload_command
    async def read_extras(self) -> None:
        """What the branch offers along with a unit."""
        if self.offers.extras is not None:
            self.extras = await call(self.offers.extras)
            self.undriven = await call(self.offers.undriven)
            if self.offers.discount_limit is not None:
                self.discount_limit = await call(self.offers.discount_limit)
            self.changed.emit()

    def set_online(self, online: bool) -> None:
        self.is_online = online
        self.changed.emit()

    # --- reading and writing ------------------------------------------------------------------------------------------

    @reload_command
    async def price(self) -> None:
        """The price of the form as it is; nothing is written."""
        lines = self._lines()
        if not lines:
            self._take_quote(None)
            return
        down = self._down_payment()
        if down is None:
            quote = await call(self._bookings.quote, lines)
        else:
            try:
                quote = await call(partial(self._bookings.quote, lines, down_payment=down))
            except Refusal as no:
                if no.field != FormField.DOWN.value:
                    raise
                self.part_refused.emit(no)
                return
        if (self._lines(), self._down_payment()) == (lines, down):
            self._quoted = (lines, down)
            self._take_quote(quote)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _lines(self) -> tuple[BookLine, ...]:
        """The order as it is asked for; empty while the form is not complete."""
        if self.term_problems() or self.hour_problems():
            return ()
        by_hours = self.who.branch.counts_hours
        return tuple(
            BookLine(
                sku=line.sku,
                period=line.period,
                unit_id=line.unit_id,
                extras=tuple(ExtraWish(code=code) for code in line.extras),
                discount_percent=self.form.discount or 0,
                deposit=Rupiah(line.deposit) if line.deposit is not None else None,
                pickup_time=line.pickup_time if by_hours else None,
                due_time=line.due_time if by_hours else None,
            )
            for line in self.form.order_lines or ()
        )

    def _down_payment(self) -> Rupiah | None:
        """What of the rent is paid now; only where every unit goes out later than today."""
        part, lines = self.form.down_payment, self.form.order_lines or ()
        is_later = self.clock.is_set() and bool(lines) and all(line.first_day > self.today() for line in lines)
        return Rupiah(part) if part and is_later and self.offers.has_terms else None

    @property
    def is_priced(self) -> bool:
        """Whether the price is of exactly this order; it follows a change a moment later."""
        return self.quote is not None and self._quoted == (self._lines(), self._down_payment())

    def _shown_total(self) -> Rupiah | None:
        """What was read to the customer, for exactly this order; None while it is being computed."""
        if self.quote is None or not self.is_priced:
            return None
        return Rupiah(self.quote.total + self.quote.balance)

    def _quote_now(self) -> None:
        if self.is_online:
            self.price()

    def _take_quote(self, quote: Quote | None) -> None:
        self.quote = quote
        self.quote_changed.emit()
        self.changed.emit()
