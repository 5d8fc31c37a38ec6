"""Scenes of the shift: counting, what a count told with and without a manager's word, reports, months."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.desktop.screen import ScreenKey
from app.desktop.screens.shift_desk_view import ShiftDeskScreen
from app.domain.money import Rupiah
from app.domain.tender import Tender, TenderKind
from app.embedded.demo import demo_password
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, Size, acting, book, sign_in
from tests.screenshots.stage import MOMENT, Stage

COUNT = {100_000: 12, 50_000: 7, 20_000: 9, 10_000: 8, 5_000: 6, 2_000: 12, 1_000: 7, 500: 5, 200: 3, 100: 4}
CASHIER = "budi"


@contextmanager
def at_work(stage: Stage, size: Size) -> Iterator[Actor]:
    """A shift with a card payment, cash that went to the safe, and an invoice left under its lock."""
    with acting(stage, size, login=CASHIER) as actor:
        shifts = actor.counter.shifts
        if shifts.current_shift() is None:
            shifts.open_shift("Laci 3", Rupiah(500_000))
            _card(stage, actor)
            shifts.move_cash(actor.counter.new_id(), Rupiah(-200_000), "setor ke brankas")
        actor.session.window.refresh_shift()
        actor.go(ScreenKey.SHIFT)
        actor.wait(400)
        try:
            yield actor
        finally:
            _close(actor)


@contextmanager
def counting(stage: Stage, size: Size) -> Iterator[Actor]:
    """A drawer half counted: nothing tells what should be in it."""
    with at_work(stage, size) as actor:
        page = _screen(actor).page
        for piece, many in COUNT.items():
            page.count.fields[piece].edit.setText(str(many))
            page.count.counted.emit(piece, many)
        page.slips.said.emit(1, 500_000)
        page.count.fields[1_000].setFocus()
        actor.wait(150)
        yield actor


@contextmanager
def told(stage: Stage, size: Size) -> Iterator[Actor]:
    """Locked in: far beyond the limit, so that a manager's word is asked for in place."""
    with counting(stage, size) as actor:
        actor.press("Ctrl+Return")
        actor.wait(400)
        actor.type("selisih setoran pagi")
        yield actor


@contextmanager
def even(stage: Stage, size: Size) -> Iterator[Actor]:
    """Locked in without a difference: one key closes."""
    with at_work(stage, size) as actor:
        page = _screen(actor).page
        for piece, many in ((100_000, 3),):
            page.count.counted.emit(piece, many)
        page.slips.said.emit(1, 700_000)
        actor.press("Ctrl+Return")
        actor.wait(400)
        yield actor


@contextmanager
def x_report(stage: Stage, size: Size) -> Iterator[Actor]:
    """While it runs: the cash is not told, the count stays blind."""
    with at_work(stage, size) as actor:
        actor.press("Ctrl+Shift+X")
        actor.wait(300)
        yield actor


@contextmanager
def z_report(stage: Stage, size: Size) -> Iterator[Actor]:
    with even(stage, size) as actor:
        actor.press("Ctrl+Return")
        actor.wait(700)
        yield actor


@contextmanager
def months(stage: Stage, size: Size) -> Iterator[Actor]:
    """A manager's months with the export."""
    with acting(stage, size, login="maya", counter="Kantor") as actor:
        actor.press("Ctrl+Shift+E")
        actor.wait(400)
        yield actor


def _screen(actor: Actor) -> ShiftDeskScreen:
    screen = actor.session.window.current()
    assert isinstance(screen, ShiftDeskScreen)
    return screen


def _card(stage: Stage, actor: Actor) -> None:
    counter = actor.counter
    agent = sign_in(stage, "siti", "Kasir 9")
    try:
        day = MOMENT.date() + dt.timedelta(days=60 + len(counter.shifts.shifts()))  # paid, and so never taken back
        order = book(agent, "uuid-beat-004", day, 1, "Rina Maharani", "081234500777")
        held = counter.settlement.open_invoice(order.invoice_id)
        card = Tender(kind=TenderKind.EDC, amount=order.total, bank="BCA", last4="1234", approval_code="482913")
        counter.settlement.settle(held.handle, counter.new_id(), [card])
    finally:
        agent.close()


def _close(actor: Actor) -> None:
    """Leave no shift open for the next scene; a manager agrees to what is missing."""
    counter = actor.counter
    if counter.shifts.current_shift() is None:
        return
    report = counter.shifts.shift_report()
    told = counter.shifts.count_shift(counter.new_id(), {100_000: 3})
    word = None
    if abs(told.difference) > told.limit:
        given = counter.approvals.approve(
            "maya", demo_password("maya"), "close_shift", report.id, "adegan", Rupiah(abs(told.difference))
        )
        word = given.id
    counter.shifts.close_shift(report.id, "adegan" if told.difference else None, word)


SHIFT_SCENES: Mapping[str, Play] = {
    "shift-counting": counting,
    "shift-difference": told,
    "shift-even": even,
    "shift-x-report": x_report,
    "shift-z-report": z_report,
    "shift-months": months,
}
"""`shift-<state>` → how it comes about."""
