"""Holding a walk-in's unit: booked once whatever happens to the answer, counted down, paid, expired, held again."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_form import Stage, WalkInForm
from app.desktop.screens.walk_in_form_viewmodel import FormViewModel, WalkInCounter
from app.desktop.typed import typed_phone
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.pricing import Quote
from app.domain.staff import Role
from app.usecases.bookings import BookRequest
from app.usecases.rows import BookedOrder, BookingRow

CHECK_MS = 2000
LAST_CHECK_SECONDS = 20
HOLD_SECONDS = 15 * 60


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOrder:
    """What became of an order whose answer was lost. `is_draft_kept`: the form holds something else by now."""

    number: str
    customer_name: str
    state: BookingState
    unit_id: str
    period: RentalPeriod | None
    is_draft_kept: bool


class WalkInViewModel(FormViewModel):
    """One drawer: the form, then what was held with it.

    `days_taken` carries the Refusal of a lost stretch, `invalid` the fields that are wrong, `held` a new Hold,
    `ticked` comes once a second while something counts down, `pay_requested` the invoice to settle, `found_sent` a
    FoundOrder: what became of an order whose answer was lost and whose form is no longer the same.
    """

    days_taken = Signal(object)
    invalid = Signal(object)
    held = Signal(object)
    hold_ended = Signal()
    ticked = Signal()
    found_sent = Signal(object)
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
        parent: QObject | None = None,
    ) -> None:
        super().__init__(counter, clock, folder, new_id=new_id, parent=parent)
        self._find_order = find_order
        self._find_booking = find_booking
        self.hold: Hold | None = None
        self._spent = self.form
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
        if self.stage is not Stage.FORM:
            return
        wrong = self.problems()
        if wrong:
            self.invalid.emit(wrong)
            return
        if self.form.was_sent and await self._find_sent():
            return
        if self.form.sent_content and not self.form.is_as_sent:
            self.form = replace(self.form, order_id=self._new_id())
        form = self.form = replace(self.form, was_sent=True, sent_content=self.form.content)
        request = self._request()
        if request is None:
            return
        self.save_draft()
        sent = self.clock.steady()
        try:
            booked = await call(self._bookings.book, request)
        except Refusal as no:
            self._note_answer(form.order_id, no)
            raise
        self.clock.learn(booked.now, sent)
        row = await call(self._find_booking, booked.bookings[0].id) if booked.repeat else None
        self._take_booked(booked, row, form)

    @command
    async def resolve(self) -> None:
        """Ask what became of an order whose answer was lost: booked, then its draft is finished; else it is a draft."""
        if self.stage is Stage.FORM and self.form.was_sent and not await self._find_sent(show=False):
            self.form = replace(self.form, was_sent=False)
            self.save_draft()
            self.changed.emit()

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
            self.found_sent.emit(_found(booked, row, is_draft_kept=False))

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

    def close(self) -> None:
        self._tick.stop()
        self._check_wait.stop()
        super().close()

    # --- inside -------------------------------------------------------------------------------------------------------

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

    async def _find_sent(self, *, show: bool = True) -> bool:
        """Look an order up whose answer was lost; True when it was booked, and then its draft is finished.

        It is shown as the hold when it is what stands in the form (`show`), else told by `found_sent`: what was typed
        since stays, under a new id.
        """
        form = self.form
        booked = await call(self._find_order, form.order_id)
        if booked is None:
            return False
        row = await call(self._find_booking, booked.bookings[0].id)
        if self.form.order_id != form.order_id:
            return True
        is_same = self.form.is_as_sent or not form.sent_content
        if show and is_same and row is not None:
            self._take_booked(booked, row, form)
            return True
        self._save_wait.stop()
        self._drafts.discard()
        if is_same:
            self._back_to_form(self._next_form())
        else:
            self.form = replace(self.form, order_id=self._new_id(), was_sent=False, sent_content="")
            self.save_draft()
        self.found_sent.emit(_found(booked, row, is_draft_kept=not is_same))
        self.changed.emit()
        return True

    def _note_answer(self, order_id: str, no: Refusal) -> None:
        """A refusal is an answer: nothing was written. UNREACHABLE is none."""
        if no.code is RefusalCode.UNREACHABLE or self.form.order_id != order_id:
            return
        self.form = replace(self.form, was_sent=False)
        if no.code is RefusalCode.DUPLICATE:
            # The id belongs to another order; this content has not been sent.
            self.form = replace(self.form, order_id=self._new_id(), sent_content="")

    def _take_booked(self, booked: BookedOrder, row: BookingRow | None, form: WalkInForm) -> None:
        """The answer is known: the draft is finished. A new form, with an id of its own, waits behind the hold."""
        item = booked.bookings[0]
        period = row.period if row is not None else form.period
        if period is None:
            return
        typed_name = form.new_name.strip() if form.is_new else form.customer_name
        typed_phone_number = (typed_phone(form.customer_text) or "") if form.is_new else form.customer_phone
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
        self._spent = self.form
        self.form = WalkInForm(order_id=self._new_id())
        self.saved_at = None
        self.refusal = None
        self.stage = Stage.HELD
        self._tick.start()
        self.held.emit(self.hold)
        if row is not None:
            self._take_state(row)
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
        self._end_hold()
        self._back_to_form(replace(self._spent, order_id=self._new_id(), was_sent=False, sent_content=""))
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
            return
        self.refusal = refusal
        self.save_draft()
        if refusal.code is RefusalCode.DAYS_TAKEN:
            self.days_taken.emit(refusal)
        self.changed.emit()


def _found(booked: BookedOrder, row: BookingRow | None, *, is_draft_kept: bool) -> FoundOrder:
    item = booked.bookings[0]
    return FoundOrder(
        number=item.number,
        customer_name=row.customer.name if row is not None else "",
        state=row.state if row is not None else item.state,
        unit_id=item.unit_id,
        period=row.period if row is not None else None,
        is_draft_kept=is_draft_kept,
    )
