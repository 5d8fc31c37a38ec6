"""Orders that were sent and whose answer is missing: asked for until it is known whether they were written."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_counter import Offers, WalkInCounter
from app.desktop.screens.walk_in_form import Stage, WalkInForm
from app.desktop.screens.walk_in_form_viewmodel import FormViewModel
from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import BookedOrder, BookingRow

log = logging.getLogger(__name__)

ASK_SECONDS = 3.0
# A little more than the least pause: a timer may fire early.
ASK_MS = 3200
ASKS_UNTIL_NOT_WRITTEN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOrder:
    """What became of an order whose answer was lost. `is_draft_kept`: the form holds something else by now."""

    booking_id: str
    number: str
    customer_name: str
    state: BookingState
    unit_id: str
    period: RentalPeriod | None
    is_draft_kept: bool


class SentViewModel(FormViewModel):
    """Asks what became of orders, also of forms put aside or thrown away.

    "Not there" counts after two answers 3 s apart: an order that waited for its days by then has ended or written, and
    one that is being committed is waited for, its outcome unknown as long as that lasts. One that
    comes later all the same is found right after the next booking of that form. `found_sent` tells a FoundOrder of the
    shown form, `held_behind` one of a form no longer shown, `also_held` one that exists beside what was booked with
    other content, `refused_behind` a name and a Refusal; `sent_asked`: F9 goes on when the earlier order is known.
    """

    found_sent = Signal(object)
    held_behind = Signal(object)
    also_held = Signal(object)
    refused_behind = Signal(str, object)
    sent_asked = Signal()
    let_gone = Signal()

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        find_order: Callable[[str], BookedOrder | None],
        find_booking: Callable[[str], BookingRow | None],
        new_id: Callable[[], str],
        offers: Offers | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(counter, clock, folder, new_id=new_id, offers=offers, parent=parent)
        self._find_order = find_order
        self._find_booking = find_booking
        self._absent: dict[str, tuple[int, float]] = {}
        self._earlier: tuple[str, ...] = ()
        self._wanted_content = ""
        self._ask_wait = self._single(ASK_MS, self._ask_again)

    @property
    def has_unknown(self) -> bool:
        """Some order's answer is missing, and it is not on its way right now."""
        mine = self.stage is Stage.FORM and self.form.was_sent and not self.is_sending
        return mine or bool(self._kept_unknown()) or bool(self._earlier)

    @command
    async def resolve(self) -> None:
        """Ask for every order whose answer is missing: booked, then its draft is finished; else it is a draft."""
        self._ask_wait.stop()
        try:
            if self.stage is Stage.FORM and self.form.was_sent and not self.is_sending:
                await self._ask_shown(self.form)
            for form in self._kept_unknown():
                await self._ask_kept(form)
            for order_id in self._earlier:
                await self._ask_earlier(order_id)
        except Refusal as no:
            log.info("what became of an order is still unknown: %s", no.code)
            self._absent.clear()
        if self.has_unknown:
            self._ask_wait.start()

    def put_aside(self) -> bool:
        if not super().put_aside():
            return False
        self._ask_soon()
        return True

    def clear(self) -> None:
        super().clear()
        self._ask_soon()

    def close(self) -> None:
        self._ask_wait.stop()
        super().close()

    @command
    async def let_go(self, booking_ids: tuple[str, ...], version: int) -> None:
        """Cancel every unit of an order that is shown no longer, each as this `version` only; then `let_gone`."""
        await self._let_go(booking_ids, version)
        self.let_gone.emit()

    # --- for the booking ----------------------------------------------------------------------------------------------

    async def _let_go(self, booking_ids: Sequence[str], version: int | None) -> None:
        """Cancel these. One that is gone already keeps none of the others; where all are, the refusal says so."""
        gone: list[Refusal] = []
        for each in booking_ids:
            try:
                await call(partial(self._bookings.cancel, each, "", version=version))
            except Refusal as no:
                if no.code not in (RefusalCode.BOOKING_STATE, RefusalCode.NOT_FOUND):
                    raise
                row = await call(self._find_booking, each)
                if row is not None and row.state is not BookingState.CANCELLED:
                    raise
                gone.append(no)
        if len(gone) == len(booking_ids):
            raise gone[0]

    async def _look_up(self, order_id: str) -> tuple[BookedOrder | None, BookingRow | None]:
        """The order, and the first of its bookings that still stands: an order has ended when none does."""
        booked = await call(self._find_order, order_id)
        if booked is None:
            return None, None
        first: BookingRow | None = None
        for item in booked.bookings:
            row = await call(self._find_booking, item.id)
            if row is not None and row.state is not BookingState.CANCELLED:
                return booked, row
            first = first or row
        return booked, first

    def _is_absent(self, order_id: str) -> bool:
        """Note one more "not there"; True once that is enough."""
        now = self.clock.steady()
        count, at = self._absent.get(order_id, (0, 0.0))
        if count and now - at < ASK_SECONDS:
            return False
        self._absent[order_id] = (count + 1, now)
        return count + 1 >= ASKS_UNTIL_NOT_WRITTEN

    def _finish_found(self, booked: BookedOrder, row: BookingRow | None, form: WalkInForm) -> None:
        """The shown form's order was booked: its draft is finished. What was typed since stays, under a new id."""
        is_same = form.is_as_sent or not form.sent_content
        self._save_wait.stop()
        self._wanted_content = ""
        if is_same:
            self._drafts.discard()
            self._back_to_form(self._next_form())
        else:
            self.form = replace(self.form, order_id=self._new_id(), was_sent=False, sent_content="")
            self.save_draft()
        self.found_sent.emit(found_order(booked, row, form, is_draft_kept=not is_same))
        self.changed.emit()

    def _tell_behind(self, booked: BookedOrder, row: BookingRow | None, form: WalkInForm) -> None:
        """Booked, while the drawer shows somebody else: only its own draft goes, and it is told."""
        self._kept.remove(form.order_id)
        self.held_behind.emit(found_order(booked, row, form, is_draft_kept=True))
        self.changed.emit()
        self._watch_earlier(form)

    def _refused_behind(self, form: WalkInForm, no: Refusal) -> None:
        """No answer, or a "no", for a form that is no longer shown: it is a draft of the pile again."""
        if no.code is RefusalCode.UNREACHABLE:
            return
        kept = self._kept.find(form.order_id)
        self._kept.note_not_written(form.order_id, self._new_id() if no.code is RefusalCode.DUPLICATE else "")
        if kept is not None and not kept.is_given_up:
            self.refused_behind.emit(form.typed_name, no)
        self.changed.emit()

    def _watch_earlier(self, form: WalkInForm) -> None:
        """Booked: orders this form sent before with other content are asked for a last time."""
        others = tuple(known for known in form.earlier_ids if known != form.order_id)
        self._earlier = (*self._earlier, *others)
        self._ask_soon(at_once=bool(others))

    def _wait_for_sent(self, form: WalkInForm) -> None:
        """F9 with changed content: it goes out when the earlier order is known not to be written."""
        self._wanted_content = form.content
        self._ask_wait.start()
        self.sent_asked.emit()

    def _ask_soon(self, *, at_once: bool = False) -> None:
        if at_once and self.resolve():
            return
        if self.has_unknown and not self.is_closed and not self._ask_wait.isActive():
            self._ask_wait.start()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _book_again(self) -> None:
        """The press that waited goes on."""

    def _kept_unknown(self) -> tuple[WalkInForm, ...]:
        sending = self.sending.order_id if self.sending is not None else ""
        return tuple(form for form in self._kept.sent() if form.order_id != sending)

    def _ask_again(self) -> None:
        if not self.resolve():
            self._ask_soon()

    async def _ask_shown(self, form: WalkInForm) -> None:
        booked, row = await self._look_up(form.order_id)
        if self.form.order_id != form.order_id or self.is_sending or not self.form.was_sent:
            # Put aside, sent again or answered meanwhile: whoever did that asks.
            return
        if booked is not None:
            self._finish_found(booked, row, self.form)
        elif self._is_absent(form.order_id):
            self.form = self.form.not_written()
            self.save_draft()
            self.changed.emit()
            wanted, self._wanted_content = self._wanted_content, ""
            if wanted and wanted == self.form.content:
                self._book_again()

    async def _ask_kept(self, form: WalkInForm) -> None:
        booked, row = await self._look_up(form.order_id)
        if self._kept.find(form.order_id) is None:
            return
        if booked is not None:
            self._tell_behind(booked, row, form)
        elif self._is_absent(form.order_id):
            self._kept.note_not_written(form.order_id)
            self.changed.emit()

    async def _ask_earlier(self, order_id: str) -> None:
        booked, row = await self._look_up(order_id)
        self._earlier = tuple(known for known in self._earlier if known != order_id)
        if booked is not None and (row.state if row is not None else booked.bookings[0].state) is (
            BookingState.PENDING_PAYMENT
        ):
            self.also_held.emit(found_order(booked, row, None, is_draft_kept=True))


def found_order(
    booked: BookedOrder, row: BookingRow | None, form: WalkInForm | None, *, is_draft_kept: bool
) -> FoundOrder:
    """What is told of a booked order; `form` is what was sent, when it is known."""
    item = next((each for each in booked.bookings if row is not None and each.id == row.id), booked.bookings[0])
    name, period = (form.typed_name, form.period) if form is not None else ("", None)
    return FoundOrder(
        booking_id=item.id,
        number=item.number,
        customer_name=row.customer.name if row is not None else name,
        state=row.state if row is not None else item.state,
        unit_id=item.unit_id,
        period=row.period if row is not None else period,
        is_draft_kept=is_draft_kept,
    )
