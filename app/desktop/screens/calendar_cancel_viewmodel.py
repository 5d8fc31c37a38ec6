"""Ending a paid booking: its money asked for first, the end sent with the sum that was shown, and never twice."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.screens.calendar_cancel_unsure import UnsureViewModel, is_unsure_answer
from app.domain.booking import Action, BookingState
from app.domain.cancellation import CancellationEffect
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows_cancellations import CancelledBooking, EndingFacts

FRESH_MS = 60_000
"""The ladder goes on by the hour: what is shown is asked for again once a minute."""


class EndUseCases(Protocol):
    def cancellation_effect(self, booking_id: str, no_show: bool = False) -> CancellationEffect: ...

    def ending_facts(self, booking_id: str) -> EndingFacts: ...

    def cancel_paid(
        self, booking_id: str, reason: str, expected_back: Rupiah, *, version: int | None = None
    ) -> CancelledBooking: ...

    def no_show(
        self, booking_id: str, reason: str, expected_back: Rupiah, *, version: int | None = None
    ) -> CancelledBooking: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The paid booking that is asked about, as the grid shows it: CANCEL_PAID or NO_SHOW."""

    booking_id: str
    number: str
    customer: str
    plate: str
    rented: Days
    action: Action
    version: int | None = None

    @property
    def is_no_show(self) -> bool:
        return self.action is Action.NO_SHOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What was ended, and what is given back of it; `paid_by` the ways in which it was paid. `reason` as it was sent.

    Not `is_own`: somebody else ended it while no answer came, and what is given back is not known here.
    """

    ending: Ending
    effect: CancellationEffect
    facts: EndingFacts
    reason: str = ""
    is_own: bool = True


class EndingViewModel(UnsureViewModel):
    """One question at a time. `ended` carries an Ended; `changed` follows everything that the question shows.

    `old_back` is the sum shown before the one now, as long as nobody pressed since: a changed sum is asked about once
    more. Reasons that were typed and not used are kept by booking.
    """

    ended = Signal(object)
    price_changed = Signal()
    not_written = Signal()

    def __init__(self, use_cases: EndUseCases, steady: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(use_cases.ending_facts, steady, parent)
        self._use_cases = use_cases
        self.ending: Ending | None = None
        self.effect: CancellationEffect | None = None
        self.facts: EndingFacts | None = None
        self.refusal: Refusal | None = None
        self.old_back: Rupiah | None = None
        self._reasons: dict[str, str] = {}
        self._sent: Ended | None = None
        self._fresh = QTimer(self)
        self._fresh.setInterval(FRESH_MS)
        self._fresh.timeout.connect(self.refresh)
        self.refused.connect(self._note_refusal)
        self.failed.connect(lambda _failure: self._fresh.stop())

    # --- the question -------------------------------------------------------------------------------------------------

    def ask(self, ending: Ending) -> None:
        """Ask about this booking; what it would give back is read at once."""
        self.ending = ending
        self.effect = self.facts = self.refusal = self.old_back = None
        self._fresh.start()
        self.changed.emit()
        self.read()

    def follow(self, ending: Ending) -> None:
        """The booking differs from what was asked about: its money is read anew."""
        self.ending = ending
        self.changed.emit()
        self.read()

    def give_up(self) -> None:
        """Nothing is ended. What was sent already is asked for all the same."""
        self.ending = None
        self._fresh.stop()
        self.changed.emit()

    @property
    def reason(self) -> str:
        """What was typed for the booking that is asked about."""
        return self._reasons.get(self.ending.booking_id, "") if self.ending is not None else ""

    def type_reason(self, text: str) -> None:
        """Keep what is typed until the booking has ended."""
        if self.ending is not None:
            self._reasons[self.ending.booking_id] = text
            self.changed.emit()

    @property
    def is_ready(self) -> bool:
        """The end can be sent: its money is shown, a reason is given, nothing is on its way."""
        is_shown = self.effect is not None and self.facts is not None
        return says(self.reason) and is_shown and self.unsure is None and not self.is_busy("send")

    def refresh(self) -> None:
        """Ask again what it would give back."""
        if self.ending is not None and self.unsure is None and not self.is_busy("send"):
            self.read()

    def close(self) -> None:
        self._fresh.stop()
        super().close()

    # --- reading and writing ------------------------------------------------------------------------------------------

    @reload_command
    async def read(self) -> None:
        """What ending it now would give back, and what is seen beside that."""
        ending = self.ending
        if ending is None:
            return
        facts = await call(self._use_cases.ending_facts, ending.booking_id)
        effect = await call(self._use_cases.cancellation_effect, ending.booking_id, ending.is_no_show)
        if ending != self.ending or self.unsure is not None:
            return
        self.facts = facts
        self._take(effect)
        if self.refusal is not None and self.refusal.code is RefusalCode.UNREACHABLE:
            self.refusal = None

    @command
    async def send(self) -> None:
        """End it with what is shown. Without an answer the booking is asked for; nothing is sent again meanwhile."""
        ending, effect, facts = self.ending, self.effect, self.facts
        if ending is None or effect is None or facts is None or not says(self.reason) or self.unsure is not None:
            return
        self.refusal = self.old_back = None
        self._sent = Ended(ending=ending, effect=effect, facts=facts, reason=self.reason.strip())
        ask = self._use_cases.no_show if ending.is_no_show else self._use_cases.cancel_paid
        try:
            done = await call(partial(ask, ending.booking_id, self._sent.reason, effect.back, version=ending.version))
        except Refusal as no:
            if not is_unsure_answer(no):
                raise
            self.begin_asking(ending.booking_id)
            return
        self._finish(replace(self._sent, effect=done.effect))

    def is_written(self, facts: EndingFacts) -> bool:
        return facts.state is BookingState.CANCELLED

    def finish(self, facts: EndingFacts | None) -> None:
        if self._sent is not None and facts is not None:
            self._finish(replace(self._sent, is_own=is_own_end(self._sent, facts)))
            return
        self._sent = None
        self.not_written.emit()
        self.changed.emit()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _finish(self, ended: Ended) -> None:
        self._sent = None
        self._reasons.pop(ended.ending.booking_id, None)
        if self.ending is not None and self.ending.booking_id == ended.ending.booking_id:
            self.give_up()
        self.ended.emit(ended)

    def _take(self, effect: CancellationEffect) -> None:
        before, self.effect = self.effect, effect
        if before is not None and before.back != effect.back:
            self.old_back = self.old_back if self.old_back is not None else before.back
            self.price_changed.emit()
        self.changed.emit()

    def _note_refusal(self, no: Refusal) -> None:
        if self.ending is None:
            return
        told = effect_in(no) if no.code is RefusalCode.PRICE_CHANGED else None
        if told is not None:
            self._take(told)
            return
        self.refusal = no
        if self.effect is not None and no.code in (RefusalCode.BOOKING_STATE, RefusalCode.NOT_FOUND):
            self.effect = None
        self.changed.emit()


def is_own_end(sent: Ended, found: EndingFacts) -> bool:
    """Whether the booking ended by what was sent from here, and by nothing else since."""
    before = sent.ending.version if sent.ending.version is not None else sent.facts.version
    mine = (sent.ending.action.value, sent.reason, before + 1)
    return (found.last_action, found.reason, found.version) == mine


def says(reason: str) -> bool:
    """A reason that says something, as the server wants it."""
    return any(sign.isalnum() for sign in reason)


def effect_in(no: Refusal) -> CancellationEffect | None:
    """The effect as it is now, out of PRICE_CHANGED; None where the answer does not tell it."""
    percent = no.params.get("percent")
    found = {name: no.params.get(name) for name in ("rent_back", "deposit_back", "fee", "hours_before")}
    whole = {name: value for name, value in found.items() if isinstance(value, int)}
    if len(whole) != len(found) or not (percent is None or isinstance(percent, int)):
        return None
    return CancellationEffect(
        rent_back=Rupiah(whole["rent_back"]),
        deposit_back=Rupiah(whole["deposit_back"]),
        fee=Rupiah(whole["fee"]),
        percent=percent,
        hours_before=whole["hours_before"],
    )
