"""Scenes of the questions before a paid booking ends, and before an unpaid one is held longer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.desktop.states import ShownState
from app.desktop.widgets.month_grid_spans import Span
from app.domain.cancellation import NO_SHOW_AFTER
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.usecases.rows import FleetUnit
from tests.screenshots.actor import Actor
from tests.screenshots.hand import Hand
from tests.screenshots.hands import by_hand
from tests.screenshots.scenes import Play, Size, acting, book, sign_in
from tests.screenshots.stage import MOMENT, Stage


def cancel_paid(hand: Hand) -> None:
    """Del on a paid booking, its reason typed."""
    hand.stand_on(*hand.booked())
    hand.actor.press("Delete")
    hand.actor.type("mobilnya tidak jadi dipakai")
    hand.actor.press("Return")


@contextmanager
def no_show(stage: Stage, size: Size) -> Iterator[Actor]:
    """Shift+Del on a booking whose customer should have come two hours ago."""
    other = sign_in(stage, "siti", "Kasir 7")
    try:
        if other.shifts.current_shift() is None:
            other.shifts.open_shift("Kasir 7", Rupiah(500_000))
        order = book(other, "uuid-avanza-001", MOMENT.date(), 3, "Sri Wahyuni Handayani", "081266667777")
        held = other.settlement.open_invoice(order.invoice_id)
        cash = Tender(kind=TenderKind.CASH, amount=order.total)
        other.settlement.settle(held.handle, other.new_id(), [cash])
        booking_id = order.bookings[0].id
        stage.clock.set(MOMENT + NO_SHOW_AFTER)
        with acting(stage, size) as actor:
            hand = Hand(actor)
            hand.stand_on(*_bar_of(hand, booking_id, ShownState.PAID_APPROVED))
            actor.press("Shift+Delete")
            actor.type("tidak datang, tidak bisa ditelepon")
            yield actor
            leave(hand)
        shown = other.bookings.cancellation_effect(booking_id, no_show=True)
        other.bookings.no_show(booking_id, "next scene", shown.back)
    finally:
        stage.clock.set(MOMENT)
        other.close()


def hold_longer(hand: Hand) -> None:
    """Ctrl+H on an unpaid booking."""
    first = MOMENT.date() + dt.timedelta(days=3)
    order = book(hand.actor.counter, "uuid-avanza-001", first, 3, "Hadi Wibowo", "081244445555")
    hand.screen.model.load()
    hand.actor.settle()
    hand.stand_on(*_bar_of(hand, order.bookings[0].id, ShownState.PENDING_PAYMENT))
    hand.actor.press("Ctrl+H")
    hand.actor.type("3")
    hand.actor.press("Return")
    hand.actor.type("transfer bank sedang jalan")


def hold_approval(hand: Hand) -> None:
    """The manager's word for it."""
    hold_longer(hand)
    hand.actor.press("Return", "Return")
    hand.actor.type("maya")
    hand.actor.press("Return")
    hand.actor.type("salah")
    hand.actor.press("Return")


def _bar_of(hand: Hand, booking_id: str, state: ShownState) -> tuple[FleetUnit, Span]:
    return hand.find(state, lambda found: found.bar is not None and found.bar.booking_id == booking_id)


def leave(hand: Hand) -> None:
    for _ in range(2):
        hand.screen.escape()


ENDS_SCENES: Mapping[str, Play] = {
    "calendar-cancel-paid": by_hand(cancel_paid, leave),
    "calendar-no-show": no_show,
    "calendar-hold-longer": by_hand(hold_longer, leave),
    "calendar-hold-approval": by_hand(hold_approval, leave),
}
"""`<screen>-<state>` → how it comes about."""
