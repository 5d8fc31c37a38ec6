"""End a paid booking with its money effect, and hold an unpaid one longer."""

from __future__ import annotations

import logging

from app.domain.booking import Action, BookingState, transition
from app.domain.cancellation import NO_SHOW_AFTER, CancellationEffect, effect_of, is_no_show
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.money import Rupiah
from app.domain.pricing import first_day_rent
from app.domain.staff import Role, StaffMember, require_role
from app.usecases.approvals import checked_reason
from app.usecases.booking_input import checked_amount, checked_uuid, checked_version, is_whole
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store
from app.usecases.rows_cancellations import CancellationBasis, CancelledBooking, EndingFacts, HeldLonger

log = logging.getLogger(__name__)

MAX_HOURS = 24
"""An unpaid order is held no longer in all, counted from when it was made."""

HOLDERS = frozenset({Role.AGENT, Role.CASHIER})
"""Who may hold an order longer with a manager's word; a manager is both."""


def hold_object(booking_id: str, until_hours: int) -> str:
    """What a manager approves when somebody else holds an order longer; with the reason, exactly this."""
    return f"{booking_id}:{until_hours}"


class Cancellations:
    """The part of `Bookings` that ends paid bookings and lets unpaid ones wait."""

    _store: Store
    _work: IndexWork
    _who: StaffMember

    def cancellation_effect(self, booking_id: str, no_show: bool = False) -> CancellationEffect:
        """What ending this paid booking now would give back and keep; nothing is written.

        Refuses like the end itself: NOT_FOUND, BOOKING_STATE (a no-show `too_early`, with `possible_at`), NOT_ALLOWED.
        """
        action = Action.NO_SHOW if no_show else Action.CANCEL_PAID
        basis = self._cancellation_basis(booking_id)
        transition(basis.state, action, self._who.roles)
        if no_show and not is_no_show(basis.pickup_at, basis.now):
            raise Refusal(
                RefusalCode.BOOKING_STATE,
                field="booking_id",
                next=(),
                booking_id=basis.booking_id,
                reason="too_early",
                state=basis.state.value,
                action=action.value,
                possible_at=basis.pickup_at + NO_SHOW_AFTER,
            )
        return effect_of(
            action,
            basis.papers,
            pickup_at=basis.pickup_at,
            now=basis.now,
            day_rent=first_day_rent(basis.terms, basis.first_day),
            ladder=basis.ladder,
        )

    def ending_facts(self, booking_id: str) -> EndingFacts:
        """What stands beside the money before a booking ends or is held longer; and, when an answer was lost, what
        became of it. Refuses NOT_FOUND."""
        wanted = checked_uuid(booking_id, "booking_id")
        found = self._store.read.ending_facts(wanted)
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="booking_id", next=(), booking_id=wanted)
        return found

    def cancel_paid(
        self, booking_id: str, reason: str, expected_back: Rupiah, *, version: int | None = None
    ) -> CancelledBooking:
        """Cancel a paid booking: its days are free at once, its open invoices ask for nothing more of it, and what the
        ladder gives back of rent and deposit is due.

        `expected_back` is the sum that was shown; PRICE_CHANGED with `old`, `new` and the effect when it is another by
        now. INVOICE_LOCKED while a cashier holds one of its open invoices. `version` as for changes.
        """
        return self._end_paid(booking_id, Action.CANCEL_PAID, reason, expected_back, version)

    def no_show(
        self, booking_id: str, reason: str, expected_back: Rupiah, *, version: int | None = None
    ) -> CancelledBooking:
        """As `cancel_paid`, from two hours after pick-up by the database's clock: its first day's rent is kept."""
        return self._end_paid(booking_id, Action.NO_SHOW, reason, expected_back, version)

    def hold_longer(
        self,
        booking_id: str,
        until_hours: int,
        reason: str,
        *,
        approval_id: str | None = None,
        version: int | None = None,
    ) -> HeldLonger:
        """Let an unpaid order wait so many hours from now, at most 24 in all since it was made: a transfer is coming.

        Never past the hour when the first of its units is due: FIELD_INVALID `until_hours`, `after_due`, with the
        `latest` moment and the `most` hours. A manager's; somebody else's with a manager's approval of `hold_longer`
        for this booking, these hours and this reason (`hold_object`), else APPROVAL_NEEDED with that `object`. A
        cashier who is settling the invoice goes on.
        """
        require_role(self._who, HOLDERS, Action.HOLD_LONGER.value)
        wanted = checked_uuid(booking_id, "booking_id")
        why = checked_reason(reason)
        word = None if approval_id is None else checked_uuid(approval_id, "approval_id")
        if not is_whole(until_hours, 1, MAX_HOURS):
            raise invalid("until_hours", "out_of_range", least=1, most=MAX_HOURS, given=until_hours)
        checked_version(version)
        held = self._store.transact(lambda tx: tx.hold_longer(wanted, until_hours, why, word, version), one_call=True)
        news = [self._work.news(held.branch_id, "booking", one) for one in held.bookings]
        news += [self._work.news(held.branch_id, "invoice", one) for one in held.invoices]
        self._work.conclude(self._work.epoch(), (), (), news)
        log.info("booking %s is held until %s", held.number, held.payment_deadline)
        return held

    def _end_paid(
        self, booking_id: str, action: Action, reason: str, expected_back: Rupiah, version: int | None
    ) -> CancelledBooking:
        transition(BookingState.PAID_APPROVED, action, self._who.roles)
        wanted = checked_uuid(booking_id, "booking_id")
        why = checked_reason(reason)
        checked_amount(expected_back, "expected_back")
        checked_version(version)
        epoch = self._work.epoch()
        ended = self._store.transact(
            lambda tx: tx.cancel_paid(wanted, action, why, expected_back, version), one_call=True
        )
        invoices = {*ended.invoices, *(refund.invoice_id for refund in ended.refunds)}
        news = [self._work.news(ended.branch_id, "booking", ended.booking_id)]
        news += [self._work.news(ended.branch_id, "invoice", one) for one in sorted(invoices)]
        self._work.conclude(epoch, ended.projections, (), news)
        log.info("%s of booking %s: %d given back", action.value, ended.number, ended.effect.back)
        return ended

    def _cancellation_basis(self, booking_id: str) -> CancellationBasis:
        require_role(self._who, frozenset({Role.AGENT}), Action.CANCEL_PAID.value)
        wanted = checked_uuid(booking_id, "booking_id")
        found = self._store.read.cancellation_basis(wanted)
        if found is None:
            raise Refusal(RefusalCode.NOT_FOUND, field="booking_id", next=(), booking_id=wanted)
        return found
