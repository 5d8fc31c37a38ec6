"""Scenes of the grid's verbs: bars in the hand, the lane, the menu, the cards; each stands still to be looked at."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from PySide6.QtCore import QPoint

from app.desktop.screen import ScreenKey
from app.desktop.states import ShownState
from tests.screenshots.actor import Actor
from tests.screenshots.hand import Hand
from tests.screenshots.scenes import Play, Size, acting, book, sign_in
from tests.screenshots.stage import MOMENT, Stage

TODAY = MOMENT.date()


def by_hand(
    steps: Callable[[Hand], object], after: Callable[[Hand], object] = lambda hand: hand.screen.escape()
) -> Play:
    """A scene of these steps at a counter of its own; what is still in the hand is let go `after` the picture."""

    @contextmanager
    def play(stage: Stage, size: Size) -> Iterator[Actor]:
        with acting(stage, size) as actor:
            hand = Hand(actor)
            steps(hand)
            yield actor
            after(hand)

    return play


def dragging(hand: Hand) -> None:
    """Free days dragged until somebody's booking stops them; the button is held."""
    unit, span = hand.find(ShownState.PAID_APPROVED, lambda found: found.first > 9)
    hand.pull(unit, max(span.first - 3, 4), hand.cell(unit, span.first + 1))


def ghost(hand: Hand) -> None:
    """A booking over another unit, allowed, its price difference known."""
    over_free_row(hand)
    hand.ask_price()


def checking(hand: Hand) -> None:
    """The same place while the server is asked."""
    over_free_row(hand)
    hand.screen.hands.changes._wait.stop()


def over_free_row(hand: Hand) -> None:
    unit, span = hand.booked()
    row = hand.free_row(unit, span.first, span.last)
    hand.pull(unit, span.first, hand.cell(row, span.first))


def ghost_refused(hand: Hand) -> None:
    """A booking over somebody else's."""
    unit, span = hand.booked()
    content = hand.content()
    row = next(
        other
        for other in content.fleet.units
        if other.sku == unit.sku
        and other != unit
        and not content.is_free(other, span.first)
        and content.span_at(other, span.first) is not None
    )
    hand.pull(unit, span.first, hand.cell(row, span.first))


def change_refused(hand: Hand) -> None:
    """A move onto somebody else's days, let go: the card with the ways on."""
    ghost_refused(hand)
    hand.let_go(hand.grid.ghost_rect().center())
    hand.actor.wait(120)


def extending(hand: Hand) -> None:
    """X on a rental that is out, two days on, the server's price beside it."""
    hand.stand_on(*hand.find(ShownState.ACTIVE_RENTAL))
    hand.actor.press("X", "Right", "Right")
    hand.ask_price()


def move_mode(hand: Hand) -> None:
    """P and arrows: a booking in the hand by keys."""
    hand.stand_on(*hand.booked())
    hand.actor.press("P", "Down", "Right")
    hand.ask_price()


def handles(hand: Hand) -> None:
    """The handles of the bar under the pointer."""
    unit, span = hand.booked()
    hand.point_at(unit, span.first)


def parking(hand: Hand) -> None:
    """One booking in the lane, another one held over it."""
    unit, span = hand.booked()
    hand.stand_on(unit, span)
    hand.actor.press("Shift+P")
    other, second = hand.booked(but=span)
    lane = hand.screen.hands.lane
    middle = lane.mapToGlobal(QPoint(lane.width() // 2, lane.height() // 2))
    hand.pull(other, second.first, hand.grid.viewport().mapFromGlobal(middle))


def empty_lane(hand: Hand) -> None:
    hand.screen.escape()
    hand.screen.hands.lane.return_all()


def leaving(hand: Hand) -> None:
    """The question before the calendar is left with something parked."""
    hand.stand_on(*hand.booked())
    hand.actor.press("Shift+P")
    hand.actor.go(ScreenKey.INVOICES)


def stay(hand: Hand) -> None:
    hand.screen.hands.parked.question.close_menu()
    hand.screen.hands.lane.return_all()


def menu(hand: Hand) -> None:
    """The context menu of a paid booking."""
    hand.stand_on(*hand.booked())
    hand.actor.press("Shift+F10")


def block_card(hand: Hand) -> None:
    """M on chosen days: the reasons."""
    hand.actor.press("T", *["Down"] * 3, *["Right"] * 4, "Shift+Right", "Shift+Right", "M")


def waitlist_card(hand: Hand) -> None:
    """W on a booked bar: the card, a phone being typed."""
    hand.stand_on(*hand.booked())
    hand.actor.press("W")
    hand.actor.type("0812-3456")


def stuck(hand: Hand) -> None:
    """A rental that is out, pulled by an agent to another unit."""
    unit, span = hand.find(ShownState.ACTIVE_RENTAL)
    hand.pull(unit, span.first, hand.cell(unit, span.first) + QPoint(0, 60))


@contextmanager
def lost(stage: Stage, size: Size) -> Iterator[Actor]:
    """Days that another counter took under a drag."""
    with acting(stage, size) as actor:
        hand = Hand(actor)
        content = hand.content()
        unit, start = content.fleet.units[0], content.column_of(TODAY + dt.timedelta(days=4))
        if start is None:
            raise LookupError("the day is not shown")
        hand.pull(unit, start, hand.cell(unit, start + 3))
        other = sign_in(stage, "ayu", "Kasir 2")
        try:
            book(other, unit.unit.id, TODAY + dt.timedelta(days=6), 2, "Andi Pratama", "081211112222")
        finally:
            other.close()
        actor.wait_until(lambda: is_lost(hand), "the hint")
        actor.wait(500)
        yield actor
        hand.screen.escape()


def is_lost(hand: Hand) -> bool:
    chosen = hand.grid.stretch()
    return chosen is not None and chosen.lost is not None and hand.grid.is_dragging()


HANDS: Mapping[str, Play] = {
    "calendar-hand-dragging": by_hand(dragging),
    "calendar-hand-ghost": by_hand(ghost),
    "calendar-hand-checking": by_hand(checking),
    "calendar-hand-ghost-refused": by_hand(ghost_refused),
    "calendar-hand-extending": by_hand(extending),
    "calendar-hand-move-mode": by_hand(move_mode),
    "calendar-hand-handles": by_hand(handles),
    "calendar-hand-parking": by_hand(parking, empty_lane),
    "calendar-hand-leaving": by_hand(leaving, stay),
    "calendar-hand-menu": by_hand(menu),
    "calendar-hand-block": by_hand(block_card),
    "calendar-hand-waitlist": by_hand(waitlist_card),
    "calendar-hand-change-refused": by_hand(change_refused),
    "calendar-hand-lost": lost,
    "calendar-hand-stuck": by_hand(stuck),
}
"""`<screen>-<state>` → how it comes about."""
