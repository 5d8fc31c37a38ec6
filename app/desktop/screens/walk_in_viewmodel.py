"""Holding a walk-in's unit: booked once whatever happens to the answer, counted down, paid, expired, held again."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_counter import Offers, WalkInCounter
from app.desktop.screens.walk_in_form import Stage, WalkInForm
from app.desktop.screens.walk_in_held import Hold, hold_of, is_moved, live_rows, moved
from app.desktop.screens.walk_in_sent import found_order
from app.desktop.screens.walk_in_wishes import RefusedWishes
from app.desktop.screens.walk_in_word_viewmodel import WordViewModel
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder, BookingRow, CustomerHit

CHECK_MS = 2000
LAST_CHECK_SECONDS = 20
CLOCKS_APART_SECONDS = 5
"""What ends so shortly before its time has run out, by another clock."""


class WalkInViewModel(WordViewModel):
    """One drawer: the form, then what was held with it.

    `days_taken` carries the Refusal of a lost stretch, `invalid` the fields that are wrong, `held` a new Hold,
    `ticked` comes once a second while something counts down, `pay_requested` the invoice to settle.
    """

    days_taken = Signal(object)
    invalid = Signal(object)
    held = Signal(object)
    hold_ended = Signal()
    ticked = Signal()
    pay_requested = Signal(str)

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        find_order: Callable[[str], BookedOrder | None],
        find_booking: Callable[[str], BookingRow | None],
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
        offers: Offers | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(
            counter,
            clock,
            folder,
            find_order=find_order,
            find_booking=find_booking,
            new_id=new_id,
            offers=offers,
            parent=parent,
        )
        self.hold: Hold | None = None
        self._spent = self.form
        self._wishes = RefusedWishes()
        self.was_let_go = False
        """EXPIRED before its time: somebody cancelled what was held."""
        self.checking_since = 0.0
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self.tick)
        self._check_wait = self._single(CHECK_MS, self._check_again)
        self.refused.connect(self._note_refusal)

    @property
    def may_pay(self) -> bool:
        return Role.CASHIER in self.who.roles

    # --- reading and writing ------------------------------------------------------------------------------------------

    @command
    async def book(self) -> None:
        """Hold the unit. While an answer is missing the same content goes out under the same id: never two holds."""
        if self.stage is not Stage.FORM or not self.may_book:
            return
        wrong = self.problems()
        if wrong:
            self.invalid.emit(wrong)
            return
        self.sending = self.form
        self.changed.emit()
        try:
            await self._send(self.form)
        finally:
            self.sending = None
            self._ask_behind()

    @command
    async def pay_booking(self, booking_id: str) -> None:
        """Go on to the settlement of an unpaid booking of the grid; one that is not unpaid any more is told."""
        row = await call(self._find_booking, booking_id)
        if row is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="booking_id")
        booked = await call(self._find_order, row.order_id)
        if booked is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="booking_id")
        if row.state is BookingState.PENDING_PAYMENT:
            self.pay_requested.emit(booked.invoice_id)
        else:
            self.found_sent.emit(found_order(booked, row, None, is_draft_kept=False))

    @reload_command
    async def take_customer_of(self, booking_id: str, name: str) -> None:
        """The customer of a booking into the form. The name stands there at once; what is typed meanwhile stays."""
        self.type_customer(name)
        row = await call(self._find_booking, booking_id)
        if row is None:
            return
        hits = await call(self._customers.find_customers, row.customer.phone)
        known = next((hit for hit in hits if hit.customer.id == row.customer.id), None)
        if self.form.customer_text == name and self.form.customer_id is None:
            self.pick(known or CustomerHit(customer=row.customer, rentals=0, open_invoices=0))

    @command
    async def cancel_hold(self, version: int | None = None) -> None:
        """Let the unit go; the form comes back as it was, with a new identity. Only as this `version`, if given."""
        if self.hold is None:
            return
        order_id, spent = self.hold.order_id, self._spent
        await self._let_go(self.hold.booking_ids, version)
        if self._is_held(order_id):
            self._release()
            return
        # Somebody else stands in the drawer by now: that form stays, this one waits on the pile.
        self._kept.put(self._renewed(spent), self.clock.now())
        self.hold_ended.emit()
        self.changed.emit()

    @reload_command
    async def check(self) -> None:
        """Ask the server what became of the hold: the state of what still stands of it, and where that stands now when
        somebody moved it. Only an order of which nothing stands has ended.
        """
        hold = self.hold
        if hold is None:
            return
        rows = live_rows([await call(self._find_booking, each) for each in hold.booking_ids])
        if not rows or not self._is_held(hold.order_id):
            return
        if rows[0].state is not BookingState.CANCELLED and is_moved(hold, rows):
            await self._follow(hold.order_id, rows)
        if self._is_held(hold.order_id):
            self._take_state(rows[0])

    def pay(self) -> None:
        """Go on to the settlement of the hold's invoice."""
        if self.hold is not None and self.may_pay and self.stage in (Stage.HELD, Stage.CHECKING):
            self.pay_requested.emit(self.hold.invoice_id)

    def hold_again(self) -> None:
        """The expired form once more, as a new order; the server decides whether the unit is still free."""
        if self.stage is Stage.EXPIRED:
            self._release()
            self.book()

    def to_form(self) -> None:
        """From what expired back to its form, with nothing sent: for other days, or the waitlist."""
        if self.stage is Stage.EXPIRED:
            self._release()

    @property
    def spent(self) -> WalkInForm | None:
        """The form of what expired; None in every other state."""
        return self._spent if self.stage is Stage.EXPIRED else None

    def note_change(self, booking_id: str) -> None:
        """Another counter changed a booking; the held ones are asked about."""
        if self.hold is not None and booking_id in self.hold.booking_ids:
            self.check()

    def note_rows(self, unit_ids: frozenset[str]) -> None:
        """Rows of the grid differ from before; the held units' are asked about."""
        units = self.hold.units if self.hold is not None and self.stage in (Stage.HELD, Stage.CHECKING) else ()
        if any(unit.unit_id in unit_ids for unit in units):
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

    def close(self) -> None:
        self._tick.stop()
        self._check_wait.stop()
        super().close()

    # --- inside -------------------------------------------------------------------------------------------------------

    async def _send(self, form: WalkInForm) -> None:
        """Send this form and take the answer; what the drawer shows by then may be somebody else's."""
        if form.was_sent and await self._is_settled(form):
            return
        if self.form.is_other_sent:
            self.form = replace(self.form, order_id=self._new_id())
        if not await self._save_customer(self.form):
            return
        self.form = self._wishes.rejoined(self.form, self._lines(), self.today(), may_use=self._is_nobodys)
        request = self._request()
        if request is None:
            return
        known = self._wishes.take(request.order_id)
        form = self.form = self.sending = replace(self.form, was_sent=True, sent_content=self.form.content)
        self._absent.pop(form.order_id, None)
        self.save_draft()
        sent = self.clock.steady()
        try:
            booked = await call(self._bookings.book, request)
        except Refusal as no:
            self._wishes.note_answer(no, form, request.lines, self.today(), known)
            if self.form.order_id != form.order_id:
                self._refused_behind(form, no)
                return
            self._note_answer(form.order_id, no)
            raise
        self.clock.learn(booked.now, sent)
        row = (await self._look_up(booked.order_id))[1] if booked.repeat else None
        self._take_booked(booked, row, form)

    def _is_nobodys(self, order_id: str) -> bool:
        return self.form.order_id not in self._approvals and self._kept.find(order_id) is None

    def _is_held(self, order_id: str) -> bool:
        return self.hold is not None and self.hold.order_id == order_id

    async def _follow(self, order_id: str, rows: Sequence[BookingRow]) -> None:
        """Somebody moved what is held: its units, days and money are the server's."""
        lines = [BookLine(sku=row.unit.sku.code, period=row.period, unit_id=row.unit.unit.id) for row in rows]
        booked = await call(self._find_order, order_id)
        quote = await call(self._bookings.quote, lines)
        if booked is not None and self.hold is not None and self._is_held(order_id):
            self.hold = moved(self.hold, rows, booked.total, quote)

    async def _is_settled(self, form: WalkInForm) -> bool:
        """Ask for the order this form sent before. False: nothing speaks against sending what it holds now."""
        booked, row = await self._look_up(form.order_id)
        is_shown = self.form.order_id == form.order_id
        if booked is not None:
            if not is_shown or (row is not None and not form.is_other_sent):
                self._take_booked(booked, row, form)
            else:
                self._finish_found(booked, row, form)
            return True
        if not is_shown:
            return True
        if form.is_other_sent:
            if not self._is_absent(form.order_id):
                self._wait_for_sent(form)
                return True
            self.form = self.form.not_written()
        return False

    def _ask_behind(self) -> None:
        if self._kept_unknown():
            self._ask_soon()

    def _book_again(self) -> None:
        self.book()

    def _renewed(self, form: WalkInForm) -> WalkInForm:
        """The same order once more, as a new one."""
        return replace(form, order_id=self._new_id(), was_sent=False, sent_content="", earlier_ids=())

    def _request(self) -> BookRequest | None:
        lines, form = self._lines(), self.form
        if not lines:
            return None
        is_typed = form.is_new and not self._has_card(form)
        return BookRequest(
            order_id=form.order_id,
            lines=lines,
            customer_id=form.customer_id if not form.is_new else None if is_typed else form.new_customer_id,
            customer_name=form.new_name.strip() if is_typed else None,
            customer_phone=self.phone() if is_typed else None,
            expected_total=self._shown_total() if self.offers.has_terms else None,
            approval_id=self._approvals.get(form.order_id),
            down_payment=self._down_payment(),
        )

    def _note_answer(self, order_id: str, no: Refusal) -> None:
        """A refusal is an answer: nothing was written. UNREACHABLE is none."""
        if no.code is RefusalCode.UNREACHABLE or self.form.order_id != order_id:
            return
        # The id stays with whatever is made of the refused wish: one customer's tries are one wish, and one order.
        self.form = replace(self.form, was_sent=False, sent_content="")
        if no.code is RefusalCode.DUPLICATE:
            # The id belongs to another order; this content has not been sent.
            self.form = replace(self.form, order_id=self._new_id(), sent_content="")

    def _take_booked(self, booked: BookedOrder, row: BookingRow | None, form: WalkInForm) -> None:
        """The answer is known: the draft of the `form` that was sent is finished.

        Only while the drawer shows that form it becomes the hold; a new form with an id of its own waits behind it.
        """
        if self.form.order_id != form.order_id:
            self._tell_behind(booked, row, form)
            return
        hold = hold_of(booked, row, form, self.quote, self._times_of(booked, form))
        if hold is None:
            return
        self.hold = hold
        self._save_wait.stop()
        self._drafts.discard()
        self._spent = form
        self.form = WalkInForm(order_id=self._new_id())
        self.saved_at = None
        self.refusal = None
        self.stage = Stage.HELD
        self._tick.start()
        self.held.emit(self.hold)
        if row is not None:
            self._take_state(row)
            if self.hold is not None and self.hold.others:
                self.check()
        self.changed.emit()
        self._watch_earlier(form)

    def _take_state(self, row: BookingRow) -> None:
        if row.state is BookingState.CANCELLED:
            if self.stage is not Stage.EXPIRED:
                self.was_let_go = self.stage is Stage.HELD and (self.seconds_left() or 0) > CLOCKS_APART_SECONDS
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
        self._end_hold()
        self._back_to_form(self._renewed(self._spent))
        self._save_wait.start()
        self.hold_ended.emit()

    def _back_to_form(self, form: WalkInForm | None = None) -> None:
        if self.stage is not Stage.FORM:
            self._end_hold()
        super()._back_to_form(form)

    def _end_hold(self) -> None:
        self.hold = None
        self._tick.stop()
        self._check_wait.stop()

    def _note_refusal(self, refusal: Refusal) -> None:
        if self.stage is Stage.CHECKING:
            self._check_wait.start()
        if self.stage is not Stage.FORM:
            return  # It is about what is held, and no word about the form that comes next.
        self.refusal = refusal
        self.save_draft()
        if refusal.code is RefusalCode.APPROVAL_NEEDED:
            self._want_approval(refusal)
        if refusal.code is RefusalCode.PRICE_CHANGED:
            self.price()
        if refusal.code is RefusalCode.DAYS_TAKEN:
            self.days_taken.emit(refusal)
        self.changed.emit()
