"""Letting an unpaid order wait longer: by a manager, or with a manager's word given at this counter."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command
from app.desktop.screens.calendar_cancel_unsure import UnsureViewModel, is_unsure_answer
from app.desktop.screens.calendar_cancel_viewmodel import says
from app.domain.booking import Action, BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.cancellations import hold_object
from app.usecases.rows_approvals import Approval
from app.usecases.rows_cancellations import EndingFacts, HeldLonger

LEAST_HOURS, MOST_HOURS = 1, 24
_HOURS = re.compile(r"(\d{1,4})\s*(?:j|jam|h|hr|hrs|hour|hours)?", re.ASCII)


class HoldLonger(Protocol):
    def __call__(
        self,
        booking_id: str,
        until_hours: int,
        reason: str,
        *,
        approval_id: str | None = None,
        version: int | None = None,
    ) -> HeldLonger: ...


class Approve(Protocol):
    def __call__(
        self, login: str, password: str, action: str, object: str, reason: str, amount: Rupiah | None = None
    ) -> Approval: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The unpaid booking whose order is to wait longer, as the screen shows it."""

    booking_id: str
    number: str
    customer: str
    deadline: dt.datetime
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What was typed for one booking."""

    hours: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongerHold:
    """What was held longer, until when, and by whose word; empty when the person's own was enough."""

    waiting: Waiting
    deadline: dt.datetime
    approved_by: str = ""


class HoldLongerViewModel(UnsureViewModel):
    """One question at a time. `held` carries a LongerHold, `approval_wanted` comes when the server asks for a manager.

    A manager's word that a refusal left unused is sent with the next try. What was typed is kept by booking until it
    has been used; a password never is.
    """

    held = Signal(object)
    approval_wanted = Signal()
    not_written = Signal()

    def __init__(
        self,
        hold_longer: HoldLonger,
        facts: Callable[[str], EndingFacts],
        approve: Approve,
        steady: Callable[[], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(facts, steady, parent)
        self._hold_longer = hold_longer
        self._approve = approve
        self.waiting: Waiting | None = None
        self.refusal: Refusal | None = None
        self.wants_approval = False
        self._typed: dict[str, Typed] = {}
        self._words: dict[str, Approval] = {}
        self._sent: LongerHold | None = None
        self.refused.connect(self._note_refusal)

    # --- the question -------------------------------------------------------------------------------------------------

    def ask(self, waiting: Waiting) -> None:
        """Ask about this booking."""
        self.waiting = waiting
        self.refusal, self.wants_approval = None, False
        self.changed.emit()

    def follow(self, waiting: Waiting) -> None:
        """Its deadline is another by now; what was typed stays."""
        self.waiting = waiting
        self.changed.emit()

    def give_up(self) -> None:
        """The deadline stays. What was sent already is asked for all the same."""
        self.waiting = None
        self.wants_approval = False
        self.changed.emit()

    def leave_approval(self) -> None:
        """Back to hours and reason."""
        self.wants_approval, self.refusal = False, None
        self.changed.emit()

    @property
    def typed(self) -> Typed:
        """What was typed for the booking that is asked about."""
        return self._typed.get(self.waiting.booking_id, Typed()) if self.waiting is not None else Typed()

    def type_hours(self, text: str) -> None:
        if self.waiting is not None:
            self._typed[self.waiting.booking_id] = replace(self.typed, hours=text)
            self.changed.emit()

    def type_reason(self, text: str) -> None:
        if self.waiting is not None:
            self._typed[self.waiting.booking_id] = replace(self.typed, reason=text)
            self.changed.emit()

    @property
    def hours(self) -> int | None:
        """The hours that were typed, 1 to 24; None for anything else."""
        return typed_hours(self.typed.hours)

    @property
    def is_ready(self) -> bool:
        """It can be sent: hours and reason are there, nothing is on its way."""
        is_idle = self.unsure is None and not self.is_busy("send", "approve")
        return self.hours is not None and says(self.typed.reason) and is_idle

    # --- writing ------------------------------------------------------------------------------------------------------

    @command
    async def send(self) -> None:
        """Move the deadline; without the role the server asks for a manager's word."""
        if self.waiting is not None and self.is_ready_to_send():
            await self._send(self.waiting)

    @command
    async def approve(self, login: str, password: str) -> None:
        """A manager's word for it, given here; then it is sent once more."""
        waiting, hours = self.waiting, self.hours
        if waiting is None or hours is None or not self.wants_approval or not self.is_ready_to_send():
            return
        self.refusal = None
        ask, reason = self._approve, self.typed.reason.strip()
        thing = hold_object(waiting.booking_id, hours)
        given = await call(ask, login, password, Action.HOLD_LONGER.value, thing, reason)
        self._words[waiting.booking_id] = given
        await self._send(waiting)

    def is_ready_to_send(self) -> bool:
        """As `is_ready`, from inside a command."""
        return self.hours is not None and says(self.typed.reason) and self.unsure is None

    def is_written(self, facts: EndingFacts) -> bool:
        waiting, deadline = (self._sent.waiting if self._sent is not None else None), facts.payment_deadline
        is_unpaid = facts.state is BookingState.PENDING_PAYMENT
        return waiting is not None and is_unpaid and deadline is not None and deadline > waiting.deadline

    def finish(self, facts: EndingFacts | None) -> None:
        sent = self._sent
        if sent is not None and facts is not None and facts.payment_deadline is not None:
            self._finish(replace(sent, deadline=facts.payment_deadline))
            return
        self._sent = None
        self.not_written.emit()
        self.changed.emit()

    # --- inside -------------------------------------------------------------------------------------------------------

    async def _send(self, waiting: Waiting) -> None:
        hours = self.hours
        if hours is None:
            return
        self.refusal = None
        word = self._words.get(waiting.booking_id)
        by = word.approved_by_name if word is not None else ""
        try:
            done = await call(
                partial(
                    self._hold_longer,
                    waiting.booking_id,
                    hours,
                    self.typed.reason.strip(),
                    approval_id=word.id if word is not None else None,
                    version=waiting.version,
                )
            )
        except Refusal as no:
            if not is_unsure_answer(no):
                raise
            self._sent = LongerHold(waiting=waiting, deadline=waiting.deadline, approved_by=by)
            self.begin_asking(waiting.booking_id)
            return
        self._finish(LongerHold(waiting=waiting, deadline=done.payment_deadline, approved_by=by))

    def _finish(self, done: LongerHold) -> None:
        booking_id = done.waiting.booking_id
        self._sent = None
        self._typed.pop(booking_id, None)
        self._words.pop(booking_id, None)
        if self.waiting is not None and self.waiting.booking_id == booking_id:
            self.give_up()
        self.held.emit(done)

    def _note_refusal(self, no: Refusal) -> None:
        if self.waiting is None:
            return
        if no.code is RefusalCode.APPROVAL_NEEDED:
            had_word = self._words.pop(self.waiting.booking_id, None) is not None
            self.wants_approval = True
            self.refusal = no if had_word else None
            self.approval_wanted.emit()
        else:
            self.refusal = no
            if no.field not in ("login", "password", None) and self.wants_approval:
                self.wants_approval = False
        self.changed.emit()


def typed_hours(text: str) -> int | None:
    """Whole hours from `3`, `3 jam`, `3 h`; None outside 1 to 24 and for anything else."""
    found = _HOURS.fullmatch(text.strip().lower())
    hours = int(found.group(1)) if found is not None else 0
    return hours if LEAST_HOURS <= hours <= MOST_HOURS else None
