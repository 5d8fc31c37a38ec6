"""Booking a walk-in: find the customer, price, hold, count down, and never lose what was typed."""

import datetime as dt
import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import FormField, Problem, WalkInForm
from app.desktop.typed import typed_phone
from app.desktop.viewmodel import ViewModel
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod, local_day
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.pricing import Quote
from app.domain.staff import Role, StaffMember
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder, BookingRow, CustomerHit, EndedBooking, FleetUnit

log = logging.getLogger(__name__)

SEARCH_MS = 200
QUOTE_MS = 120
SAVE_MS = 150
CHECK_MS = 2000
LAST_CHECK_SECONDS = 20
HOLD_SECONDS = 15 * 60
MIN_DIGITS = 4
MIN_LETTERS = 2


class WalkInBookings(Protocol):
    def quote(self, lines: Sequence[BookLine]) -> Quote: ...

    def book(self, request: BookRequest) -> BookedOrder: ...

    def cancel(self, booking_id: str, reason: str = "") -> EndedBooking: ...


class CustomerSearch(Protocol):
    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]: ...


class WalkInCounter(Protocol):
    """The part of a counter that a walk-in needs."""

    @property
    def bookings(self) -> WalkInBookings: ...

    @property
    def customers(self) -> CustomerSearch: ...

    @property
    def who(self) -> StaffMember: ...


class Stage(Enum):
    """FORM is being filled in; HELD counts down; CHECKING asks for a last payment; EXPIRED and PAID are answers."""

    FORM = auto()
    HELD = auto()
    CHECKING = auto()
    EXPIRED = auto()
    PAID = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What was booked, as the drawer shows it."""

    invoice_id: str
    booking_id: str
    number: str
    unit_id: str
    period: RentalPeriod
    customer_name: str
    customer_phone: str
    customer_rentals: int
    quote: Quote | None
    total: Rupiah
    deadline: dt.datetime | None


class WalkInViewModel(ViewModel):
    """One drawer. Whatever happens (refusal, closing, a kill), the form stays: on screen and in the draft's file.

    `days_taken` carries the Refusal of a lost stretch, `invalid` the fields that are wrong, `held` a new Hold,
    `ticked` comes once a second while something counts down, `pay_requested` the invoice to settle.
    """

    hits_changed = Signal()
    quote_changed = Signal()
    days_taken = Signal(object)
    invalid = Signal(object)
    held = Signal(object)
    hold_ended = Signal()
    ticked = Signal()
    pay_requested = Signal(str)
    draft_saved = Signal()

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        find_order: Callable[[str], BookedOrder | None],
        find_booking: Callable[[str], BookingRow | None],
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bookings = counter.bookings
        self._customers = counter.customers
        self.who = counter.who
        self.clock = clock
        self._find_order = find_order
        self._find_booking = find_booking
        self._new_id = new_id
        self._drafts = DraftStore(folder, counter.who.login)
        self.stage = Stage.FORM
        self.form = WalkInForm(order_id=new_id())
        self.fleet: tuple[FleetUnit, ...] = ()
        self.hits: tuple[CustomerHit, ...] = ()
        self.hits_for = ""
        self.quote: Quote | None = None
        self.hold: Hold | None = None
        self.refusal: Refusal | None = None
        self.saved_at: dt.datetime | None = None
        self.is_online = True
        self.checking_since = 0.0
        self._search_wait = self._single(SEARCH_MS, self._search_now)
        self._quote_wait = self._single(QUOTE_MS, self._quote_now)
        self._save_wait = self._single(SAVE_MS, self.save_draft)
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self.tick)
        self._check_wait = self._single(CHECK_MS, self._check_again)
        self.refused.connect(self._note_refusal)
        self._restore()

    # --- the form -----------------------------------------------------------------------------------------------------

    @property
    def has_draft(self) -> bool:
        """Something worth offering was typed and is not booked yet."""
        return self.stage is Stage.FORM and not self.form.is_empty

    def set_fleet(self, fleet: tuple[FleetUnit, ...]) -> None:
        self.fleet = fleet
        self.changed.emit()

    def propose(self, unit: FleetUnit | None, first: dt.date, last: dt.date) -> None:
        """Take unit and days chosen in the grid; the customer stays."""
        self._back_to_form()
        form = replace(self.form, first_day=first).with_last(last)
        if unit is not None:
            form = replace(form, sku=unit.sku.code, unit_id=unit.unit.id)
        self._set(form, priced=True)

    def start(self) -> None:
        """Open without a choice in the grid: today, one day, unless a draft is there."""
        self._back_to_form()
        if self.form.first_day is None and self.clock.is_set():
            today = self.today()
            self._set(replace(self.form, first_day=today, last_day=today))

    def clear(self) -> None:
        """Begin anew: the draft is thrown away."""
        self.hits, self.quote, self.refusal, self.hold = (), None, None, None
        self.stage = Stage.FORM
        self.form = WalkInForm(order_id=self._new_id())
        self._drafts.discard()
        self.saved_at = None
        self.start()
        self.hits_changed.emit()
        self.changed.emit()

    def today(self) -> dt.date:
        return local_day(self.clock.now(), self.who.branch.zone)

    def type_customer(self, text: str) -> None:
        """Every change of the customer field; the search follows from four digits or two letters."""
        form = replace(
            self.form, customer_text=text, customer_id=None, customer_name="", customer_phone="", customer_rentals=0
        )
        self._set(form)
        digits, letters = sum(sign.isdigit() for sign in text), sum(sign.isalpha() for sign in text)
        if digits >= MIN_DIGITS or letters >= MIN_LETTERS:
            self._search_wait.start()
        else:
            self._search_wait.stop()
            if self.hits:
                self.hits, self.hits_for = (), ""
                self.hits_changed.emit()

    def pick(self, hit: CustomerHit) -> None:
        """Somebody of the suggestions."""
        customer = hit.customer
        self._search_wait.stop()
        self._set(
            replace(
                self.form,
                customer_text=customer.name,
                customer_id=customer.id,
                customer_name=customer.name,
                customer_phone=customer.phone,
                customer_rentals=hit.rentals,
                is_new=False,
                new_name="",
            )
        )
        self.hits, self.hits_for = (), ""
        self.hits_changed.emit()

    def ask_new(self) -> None:
        """Somebody who is not known yet: the name is asked, the typed text is the phone or already the name."""
        text = self.form.customer_text.strip()
        self._search_wait.stop()
        named = "" if any(sign.isdigit() for sign in text) else text
        self._set(
            replace(
                self.form,
                is_new=True,
                new_name=self.form.new_name or named,
                customer_text="" if named else text,
                customer_id=None,
                customer_name="",
            )
        )
        self.hits, self.hits_for = (), ""
        self.hits_changed.emit()

    def give_up_new(self) -> None:
        self._set(replace(self.form, is_new=False))

    def type_new_name(self, text: str) -> None:
        self._set(replace(self.form, new_name=text))

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
        self._set(self.form.with_days(count), priced=True)

    def use(self, params: dict[str, object]) -> None:
        """Take what a refusal offers: another unit, other days, or both."""
        unit_id, first, last = params.get("unit_id"), params.get("first_day"), params.get("last_day")
        form = self.form
        if isinstance(unit_id, str):
            unit = self.unit(unit_id)
            form = replace(form, unit_id=unit_id, sku=unit.sku.code if unit is not None else form.sku)
        if isinstance(first, dt.date) and isinstance(last, dt.date):
            form = replace(form, first_day=first).with_last(last)
        self.refusal = None
        self._set(form, priced=True)

    def unit(self, unit_id: str | None) -> FleetUnit | None:
        return next((unit for unit in self.fleet if unit.unit.id == unit_id), None)

    def phone(self) -> str | None:
        """The typed phone in its stored form, when it is one."""
        return typed_phone(self.form.customer_text)

    def problems(self) -> tuple[tuple[FormField, Problem], ...]:
        return self.form.problems(self.today(), self.phone() is not None)

    @property
    def may_pay(self) -> bool:
        return Role.CASHIER in self.who.roles

    def set_online(self, online: bool) -> None:
        self.is_online = online
        self.changed.emit()

    # --- reading and writing ------------------------------------------------------------------------------------------

    @reload_command
    async def search(self, text: str) -> None:
        """Customers for what is typed; an answer for an older text is dropped."""
        hits = await call(self._customers.find_customers, text)
        if text.strip() == self.form.customer_text.strip() and self.form.customer_id is None:
            self.hits, self.hits_for = hits, text
            self.hits_changed.emit()

    @reload_command
    async def price(self) -> None:
        """The price of the form as it is; nothing is written."""
        line = self._line()
        if line is None:
            self._take_quote(None)
            return
        quote = await call(self._bookings.quote, (line,))
        if self._line() == line:
            self._take_quote(quote)

    @command
    async def book(self) -> None:
        """Hold the unit. The same order id is sent until an answer comes: never two holds for one form."""
        wrong = self.problems()
        if wrong:
            self.invalid.emit(wrong)
            return
        request = self._request()
        if request is None:
            return
        self._save_wait.stop()
        unknown = self.form.was_sent
        self.form = replace(self.form, was_sent=True)
        self.save_draft()
        sent = self.clock.steady()
        booked = await call(self._find_order, request.order_id) if unknown else None
        row: BookingRow | None = None
        if booked is None:
            booked = await call(self._bookings.book, request)
            self.clock.learn(booked.now, sent)
        if booked.repeat or unknown:
            # The first answer was lost; the form may have changed since: show what is written there.
            row = await call(self._find_booking, booked.bookings[0].id)
        self._take_booked(booked, row)

    @command
    async def cancel_hold(self) -> None:
        """Let the unit go; the form comes back as it was, with a new identity."""
        if self.hold is None:
            return
        await call(self._bookings.cancel, self.hold.booking_id, "")
        self._release()

    @command
    async def check(self) -> None:
        """Ask the server what became of the hold."""
        if self.hold is None:
            return
        booking_id = self.hold.booking_id
        row = await call(self._find_booking, booking_id)
        if self.hold is None or self.hold.booking_id != booking_id or row is None:
            return
        self._take_state(row)

    def pay(self) -> None:
        """Go on to the settlement of the hold's invoice."""
        if self.hold is not None and self.may_pay and self.stage in (Stage.HELD, Stage.CHECKING):
            self.pay_requested.emit(self.hold.invoice_id)

    def hold_again(self) -> None:
        """The expired form once more, as a new order; the server decides whether the unit is still free."""
        if self.stage is Stage.EXPIRED:
            self._release()
            self.book()

    def note_change(self, booking_id: str) -> None:
        """Another counter changed a booking; the held one is asked about."""
        if self.hold is not None and self.hold.booking_id == booking_id:
            self.check()

    def seconds_left(self) -> float | None:
        """Until the hold ends, by the server's clock; None without a hold."""
        if self.hold is None or self.hold.deadline is None or not self.clock.is_set():
            return None
        return max(0.0, (self.hold.deadline - self.clock.now()).total_seconds())

    def tick(self) -> None:
        """A second passed; at zero the server is asked, nothing is assumed."""
        if self.stage is Stage.HELD and self.seconds_left() == 0:
            self.stage = Stage.CHECKING
            self.checking_since = self.clock.steady()
            self.changed.emit()
            self._check_again()
        self.ticked.emit()

    def is_late_check(self) -> bool:
        """The last check takes longer than it should: the service has not ended the booking yet."""
        return self.stage is Stage.CHECKING and self.clock.steady() - self.checking_since > LAST_CHECK_SECONDS

    def save_draft(self) -> None:
        """Write the form to the disk now."""
        self._save_wait.stop()
        if not self.clock.is_set() or self.form.is_empty:
            return
        draft = Draft(fields=self.form.to_fields(), saved_at=self.clock.now())
        if self._drafts.save(draft):
            self.saved_at = draft.saved_at
            self.draft_saved.emit()

    def close(self) -> None:
        if self._save_wait.isActive():
            self.save_draft()
        self._tick.stop()
        self._check_wait.stop()
        super().close()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _single(self, milliseconds: int, run: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(run)
        return timer

    def _restore(self) -> None:
        draft = self._drafts.load()
        if draft is None:
            return
        try:
            self.form = WalkInForm.from_fields(draft.fields)
        except ValueError as problem:
            log.warning("the draft's fields could not be read: %s", problem)
            return
        self.saved_at = draft.saved_at
        self._quote_wait.start()

    def _set(self, form: WalkInForm, *, priced: bool = False) -> None:
        if form == self.form:
            return
        self.form = form
        self.refusal = None
        if not self._save_wait.isActive():
            self._save_wait.start()
        if priced:
            self._quote_wait.start()
        self.changed.emit()

    def _line(self) -> BookLine | None:
        period = self.form.period
        if not self.form.sku or period is None:
            return None
        return BookLine(sku=self.form.sku, period=period, unit_id=self.form.unit_id)

    def _request(self) -> BookRequest | None:
        line, form = self._line(), self.form
        if line is None:
            return None
        return BookRequest(
            order_id=form.order_id,
            lines=(line,),
            customer_id=form.customer_id,
            customer_name=form.new_name.strip() if form.is_new else None,
            customer_phone=self.phone() if form.is_new else None,
        )

    def _search_now(self) -> None:
        self.search(self.form.customer_text)

    def _quote_now(self) -> None:
        if self.is_online:
            self.price()

    def _take_quote(self, quote: Quote | None) -> None:
        self.quote = quote
        self.quote_changed.emit()
        self.changed.emit()

    def _take_booked(self, booked: BookedOrder, row: BookingRow | None) -> None:
        item, form = booked.bookings[0], self.form
        period = row.period if row is not None else form.period
        if period is None:
            return
        typed_name = form.new_name.strip() if form.is_new else form.customer_name
        typed_phone_number = (self.phone() or "") if form.is_new else form.customer_phone
        self.hold = Hold(
            invoice_id=booked.invoice_id,
            booking_id=item.id,
            number=item.number,
            unit_id=item.unit_id,
            period=period,
            customer_name=row.customer.name if row is not None else typed_name,
            customer_phone=row.customer.phone if row is not None else typed_phone_number,
            customer_rentals=form.customer_rentals,
            quote=self.quote if self.quote is not None and self.quote.total == booked.total else None,
            total=booked.total,
            deadline=item.payment_deadline,
        )
        self._save_wait.stop()
        self._drafts.discard()
        self.saved_at = None
        self.refusal = None
        self.stage = Stage.HELD
        self._tick.start()
        self.held.emit(self.hold)
        self.changed.emit()

    def _take_state(self, row: BookingRow) -> None:
        if row.state is BookingState.CANCELLED:
            self.stage = Stage.EXPIRED
            self._tick.stop()
            self._check_wait.stop()
            self.hold_ended.emit()
        elif row.state is not BookingState.PENDING_PAYMENT:
            self.stage = Stage.PAID
            self._tick.stop()
            self._check_wait.stop()
            self.hold_ended.emit()
        elif self.hold is not None and row.payment_deadline != self.hold.deadline:
            # Held longer by a manager: the new deadline counts.
            self.hold = replace(self.hold, deadline=row.payment_deadline)
            self.stage = Stage.HELD
        elif self.stage is Stage.CHECKING:
            self._check_wait.start()
        self.changed.emit()

    def _check_again(self) -> None:
        if self.stage is Stage.CHECKING and not self.check():
            self._check_wait.start()

    def _release(self) -> None:
        """Back to the form with everything typed, as a new order."""
        self.hold = None
        self.stage = Stage.FORM
        self._tick.stop()
        self._check_wait.stop()
        self.form = replace(self.form, order_id=self._new_id(), was_sent=False)
        self._save_wait.start()
        self.hold_ended.emit()
        self.changed.emit()

    def _back_to_form(self) -> None:
        """A new booking after an ended one begins empty; an open form stays; a running hold is left to its deadline."""
        if self.stage is Stage.FORM:
            return
        self.hold, self.quote, self.refusal = None, None, None
        self.stage = Stage.FORM
        self._tick.stop()
        self._check_wait.stop()
        self.form = WalkInForm(order_id=self._new_id())
        self.changed.emit()

    def _note_refusal(self, refusal: Refusal) -> None:
        if self.stage is Stage.CHECKING:
            self._check_wait.start()
            return
        if refusal.code is not RefusalCode.UNREACHABLE and self.form.was_sent:
            # An answer: nothing was written, the identity may be used again.
            self.form = replace(self.form, was_sent=False)
        self.refusal = refusal
        self.save_draft()
        if refusal.code is RefusalCode.DAYS_TAKEN:
            self.days_taken.emit(refusal)
        self.changed.emit()
