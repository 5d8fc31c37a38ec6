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


class WalkInViewModel(FormViewModel):
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
        parent: QObject | None = None,
    ) -> None:
        super().__init__(counter, clock, folder, new_id=new_id, parent=parent)
        self._find_order = find_order
        self._find_booking = find_booking
        self.hold: Hold | None = None
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
