"""`sentra-admin do`: approvals and the end of paid bookings, by their names, from JSON to JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.domain.cancellation import CancellationEffect
from app.domain.money import Rupiah
from app.json_values import Fields, plain
from app.usecases.rows_cancellations import CancelledBooking


def _effect(effect: CancellationEffect) -> dict[str, object]:
    return {
        "rent_back": effect.rent_back,
        "deposit_back": effect.deposit_back,
        "back": effect.back,
        "fee": effect.fee,
        "percent": effect.percent,
        "hours_before": effect.hours_before,
    }


def _ended(done: CancelledBooking) -> dict[str, object]:
    return {
        "booking_id": done.booking_id,
        "number": done.number,
        "state": done.state.value,
        **_effect(done.effect),
        "refunds": plain(done.refunds),
        "invoices": list(done.invoices),
        "freed": plain(done.freed),
    }


def _approve(counter: Counter, given: Fields) -> object:
    """The manager's own password, of which nothing is kept."""
    return plain(
        counter.approvals.approve(
            given.text("login"),
            given.text("password"),
            given.text("action"),
            given.text("object"),
            given.text("reason"),
            Rupiah(given.whole("amount")) if given.has("amount") else None,
        )
    )


def _cancellation_effect(counter: Counter, given: Fields) -> object:
    return _effect(counter.bookings.cancellation_effect(given.text("booking_id"), given.flag("no_show")))


def _ending_facts(counter: Counter, given: Fields) -> object:
    return plain(counter.bookings.ending_facts(given.text("booking_id")))


def _cancel_paid(counter: Counter, given: Fields) -> object:
    back = Rupiah(given.whole("expected_back"))
    return _ended(counter.bookings.cancel_paid(given.text("booking_id"), given.text("reason"), back))


def _no_show(counter: Counter, given: Fields) -> object:
    back = Rupiah(given.whole("expected_back"))
    return _ended(counter.bookings.no_show(given.text("booking_id"), given.text("reason"), back))


def _hold_longer(counter: Counter, given: Fields) -> object:
    held = counter.bookings.hold_longer(
        given.text("booking_id"),
        given.whole("until_hours"),
        given.text("reason"),
        approval_id=given.text_or_none("approval_id"),
    )
    return plain(held)


MONEY: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "approve": (_approve, ("login", "password", "action", "object", "reason", "amount")),
    "cancellation_effect": (_cancellation_effect, ("booking_id", "no_show")),
    "ending_facts": (_ending_facts, ("booking_id",)),
    "cancel_paid": (_cancel_paid, ("booking_id", "reason", "expected_back")),
    "no_show": (_no_show, ("booking_id", "reason", "expected_back")),
    "hold_longer": (_hold_longer, ("booking_id", "until_hours", "reason", "approval_id")),
}
"""By name: what runs it and the fields it takes."""
