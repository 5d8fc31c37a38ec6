"""The settlement's other ways to pay, a payment in parts, and a card that was charged before the lock was lost."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

import psycopg

from app.desktop.screen import ScreenKey
from app.desktop.screens.refunds_page import RefundsPage
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, acting, book, lost, settling, sign_in
from tests.screenshots.stage import MOMENT, Stage


@contextmanager
def _typed(stage: Stage, size: tuple[int, int], *steps: str) -> Iterator[Actor]:
    """Keys after the invoice was opened, `Alt+2` and the like, or a text to type."""
    with settling(stage, size) as actor:
        for step in steps:
            if step.startswith(("Alt+", "Ctrl+", "Backspace")):
                actor.press(step)
            else:
                actor.type(step)
        actor.wait(100)
        yield actor


def _play(*steps: str) -> Play:
    def play(stage: Stage, size: tuple[int, int]) -> AbstractContextManager[Actor]:
        return _typed(stage, size, *steps)

    return play


@contextmanager
def card_lost(stage: Stage, size: tuple[int, int]) -> Iterator[Actor]:
    """The terminal had approved the card when the lock went to another window."""
    with lost(stage, size, "Alt+2", ("0012", "482913")) as actor:
        yield actor


@contextmanager
def code(stage: Stage, size: tuple[int, int]) -> Iterator[Actor]:
    """A code of the simulated gateway, as the service would have made it."""
    with psycopg.connect(stage.owner_url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO sentra.setting (branch_id, key, value)"
            """ VALUES (NULL, 'gateway', '{"mode": "simulated", "simulated": true}')"""
        )
        try:
            with _typed(stage, size, "Alt+3") as actor:
                actor.wait(300)
                owner.execute(
                    "UPDATE sentra.gateway_attempt SET state = 'LIVE', transaction_id = 'simulated',"
                    " qr = '00020101021226670016ID.CO.SIMULASI.WWW0215ID10260000000015204751253033605406470000' ||"
                    " '5802ID5906Sentra6007Jakarta6304A1B2'"
                    " WHERE state = 'ASKED'"
                )
                actor.press("F9")
                actor.wait(400)
                yield actor
        finally:
            owner.execute("DELETE FROM sentra.setting WHERE key = 'gateway'")


@contextmanager
def by_hand(stage: Stage, size: tuple[int, int]) -> Iterator[Actor]:
    """The money of a QRIS was seen elsewhere: its reference, and a manager's word."""
    with _typed(stage, size, "Alt+3") as actor:
        actor.type("RRN 633412873311")
        actor.wait(100)
        yield actor


@contextmanager
def refunds(stage: Stage, size: tuple[int, int]) -> Iterator[Actor]:
    """A paid booking was cancelled: its money is due back, one refund is being paid out."""
    other = sign_in(stage, "siti", "Kasir 7")
    try:
        if other.shifts.current_shift() is None:
            other.shifts.open_shift("Kasir 7", Rupiah(500_000))
        first = MOMENT.date() + dt.timedelta(days=20)
        order = book(other, "uuid-beat-004", first, 2, "Wulan Anggraini", "081277778888")
        held = other.settlement.open_invoice(order.invoice_id)
        cash = Tender(kind=TenderKind.CASH, amount=order.total)
        other.settlement.settle(held.handle, other.new_id(), [cash])
        booking_id = order.bookings[0].id
        effect = other.bookings.cancellation_effect(booking_id)
        other.bookings.cancel_paid(booking_id, "acara batal", effect.back)
    finally:
        other.close()
    with acting(stage, size) as actor:
        actor.go(ScreenKey.INVOICES)
        actor.wait(400)
        actor.press("Ctrl+Shift+R")
        actor.wait(300)
        page = actor.session.window.findChild(RefundsPage)
        page.begin(page.model.due[-1])
        actor.wait(200)
        yield actor


SETTLEMENT_SCENES: Mapping[str, Play] = {
    "invoices-refunds": refunds,
    "settlement-edc": _play("Alt+2", "0012", "4829"),
    "settlement-edc-lost": card_lost,
    "settlement-qris": code,
    "settlement-qris-hand": by_hand,
    "settlement-split": _play("Backspace", "Ctrl+B", "Alt+2", "0012"),
    "settlement-transfer": _play("Alt+4", "TRX-20261130-0012"),
}
"""`settling` types 500.000 in cash first."""
