"""Filling in the walk-in form: customer, unit, days, price; every change ends in the draft's file."""

import datetime as dt
import logging
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, reload_command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_adopt import adopt_drafts, form_of
from app.desktop.screens.walk_in_counter import WalkInCounter
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import FormField, Problem, Stage, WalkInForm
from app.desktop.screens.walk_in_kept import KeptForms
from app.desktop.screens.walk_in_slot import DraftSlot
from app.desktop.typed import typed_phone
from app.desktop.viewmodel import ViewModel
from app.domain.booking import TRANSITIONS, Action
from app.domain.days import local_day
from app.domain.errors import Refusal
from app.domain.pricing import Quote
from app.usecases.bookings import BookLine
from app.usecases.rows import CustomerHit, FleetUnit

log = logging.getLogger(__name__)

SEARCH_MS = 200
QUOTE_MS = 120
SAVE_MS = 150
MIN_DIGITS = 4
MIN_LETTERS = 2


class FormViewModel(ViewModel):
    """The form of one drawer. Whatever happens (refusal, closing, a kill), it stays: on screen and in its file.

    `hits_changed` when other customers are suggested, `quote_changed` with a new price, `draft_saved` after a write.
    """

    hits_changed = Signal()
    quote_changed = Signal()
    draft_saved = Signal()

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bookings = counter.bookings
        self._customers = counter.customers
        self.who = counter.who
        self.clock = clock
        self._new_id = new_id
        self._folder = folder
        self._slot = DraftSlot(folder, counter.who.login)
        self._drafts = DraftStore(folder, counter.who.login, self._slot.number)
        self._kept = KeptForms(folder, counter.who.login, self._slot.number)
        self.sending: WalkInForm | None = None
        self.stage = Stage.FORM
        self.form = WalkInForm(order_id=new_id())
        self.fleet: tuple[FleetUnit, ...] = ()
        self.hits: tuple[CustomerHit, ...] = ()
        self.hits_for = ""
        self.quote: Quote | None = None
        self.refusal: Refusal | None = None
        self.saved_at: dt.datetime | None = None
        self.is_online = True
        self._search_wait = self._single(SEARCH_MS, self._search_now)
        self._quote_wait = self._single(QUOTE_MS, self._quote_now)
        self._save_wait = self._single(SAVE_MS, self.save_draft)
        self._restore()

    # --- the form -----------------------------------------------------------------------------------------------------

    @property
    def has_draft(self) -> bool:
        """Something worth offering was typed and is not booked yet."""
        return self.draft() is not None

    @property
    def draft_count(self) -> int:
        """How many are typed and not booked: the form's own, and those put aside."""
        return len(self._kept) + int(self._is_typed and not self.is_sending)

    def draft(self) -> WalkInForm | None:
        """The draft that would be gone on with: the form, else the newest one put aside."""
        return self.form if self._is_typed and not self.is_sending else self._kept.newest()

    @property
    def may_book(self) -> bool:
        """Whoever is logged in may make bookings."""
        return bool(self.who.roles & TRANSITIONS[None, Action.CREATE].roles)

    @property
    def is_sending(self) -> bool:
        """This form is being held right now: nothing in it can be changed until the answer is there."""
        return self.sending is not None and self.sending.order_id == self.form.order_id

    def set_fleet(self, fleet: tuple[FleetUnit, ...]) -> None:
        self.fleet = fleet
        self.changed.emit()

    def begin_new(self, unit: FleetUnit | None, first: dt.date, last: dt.date) -> None:
        """Somebody else first, for this unit and these days."""
        self.put_aside()
        self.propose(unit, first, last)

    def put_aside(self) -> None:
        """An empty form; the draft waits until the new one is booked or emptied, a sent one for its answer."""
        self._save_wait.stop()
        if self._is_typed:
            self._kept.put(self.form, self.clock.now())
        self._drafts.discard()
        self.saved_at = None
        self._back_to_form(WalkInForm(order_id=self._new_id()))
        self.hits, self.hits_for = (), ""
        self.hits_changed.emit()

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
        if form.first_day is None and self.clock.is_set():
            form = replace(form, first_day=self.today(), last_day=self.today())
        if form.is_empty and self.clock.is_set() and (sku or day is not None):
            wanted = max(day or self.today(), self.today())
            form = replace(form, sku=sku or form.sku, unit_id=None, first_day=wanted).with_last(wanted)
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
        self.hits, self.hits_for = (), ""
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

    def save_draft(self) -> None:
        """Write the form to the disk now."""
        self._save_wait.stop()
        if self.is_closed or not self.clock.is_set() or self.stage is not Stage.FORM:
            return
        if self.form.is_empty:
            self._drafts.discard()
            self.saved_at = None
            self.draft_saved.emit()
            return
        draft = Draft(fields=self.form.to_fields(), saved_at=self.clock.now())
        if self._drafts.save(draft):
            self.saved_at = draft.saved_at
            self.draft_saved.emit()

    def close(self) -> None:
        if self._save_wait.isActive():
            self.save_draft()
        super().close()
        self._slot.release()

    # --- inside -------------------------------------------------------------------------------------------------------

    @property
    def _is_typed(self) -> bool:
        return self.stage is Stage.FORM and not self.form.is_empty

    def _back_to_form(self, form: WalkInForm | None = None) -> None:
        """Show this form, or after an ended booking the next one; an open form stays."""
        if form is None and self.stage is Stage.FORM:
            return
        self.stage = Stage.FORM
        self.form = form if form is not None else self._next_form()
        self.quote, self.refusal = None, None
        self._quote_wait.start()
        self.changed.emit()

    def _next_form(self) -> WalkInForm:
        """The newest draft that was put aside, as the current one; else an empty form."""
        kept = self._kept.newest() if self.clock.is_set() else None
        if kept is None:
            self.saved_at = None
            return WalkInForm(order_id=self._new_id())
        draft = Draft(fields=kept.to_fields(), saved_at=self.clock.now())
        # First into its own file, then out of the pile: a kill between the two shows it twice, never not at all.
        if self._drafts.save(draft):
            self.saved_at = draft.saved_at
            self._kept.take(draft.saved_at)
        return kept

    def _single(self, milliseconds: int, run: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(run)
        return timer

    def _restore(self) -> None:
        """This window's own draft, and those of windows that are gone; with none of its own, the newest of those."""
        draft = self._drafts.load()
        form = form_of(draft)
        if draft is not None and form is not None:
            self.form, self.saved_at = form, draft.saved_at
        adopt_drafts(self._folder, self.who.login, self._slot, self._kept, self.form.order_id)
        kept, at = self._kept.newest(), self._kept.saved_at
        if form is None and kept is not None and at is not None:
            self.form, self.saved_at = kept, at
            if self._drafts.save(Draft(fields=kept.to_fields(), saved_at=at)):
                self._kept.take(at)
        if self.saved_at is not None:
            self._quote_wait.start()

    def _set(self, form: WalkInForm, *, priced: bool = False) -> None:
        if form == self.form or self.stage is not Stage.FORM:
            # What is booked is finished: a field that is left late must not bring its draft back.
            return
        if self.is_sending:
            self.changed.emit()
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

    def _search_now(self) -> None:
        self.search(self.form.customer_text)

    def _quote_now(self) -> None:
        if self.is_online:
            self.price()

    def _take_quote(self, quote: Quote | None) -> None:
        self.quote = quote
        self.quote_changed.emit()
        self.changed.emit()
