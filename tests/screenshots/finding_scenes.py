"""Scenes of search, scanner, palette and key overlay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.desktop.screens.calendar_view import CalendarScreen
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, Size, acting
from tests.screenshots.stage import Stage


def _search(actor: Actor, text: str) -> None:
    actor.press("F2")
    actor.type(text)
    actor.session.finding.search.model.ask_now()
    actor.wait(100)


@contextmanager
def name(stage: Stage, size: Size) -> Iterator[Actor]:
    """Customers whose name begins so, with their bookings below."""
    with acting(stage, size) as actor:
        _search(actor, "si")
        actor.press("Down")
        yield actor


@contextmanager
def plate(stage: Stage, size: Size) -> Iterator[Actor]:
    """The beginning of plates: units with who has them today, and one of another branch."""
    with acting(stage, size) as actor:
        _search(actor, "12")
        yield actor


@contextmanager
def nothing(stage: Stage, size: Size) -> Iterator[Actor]:
    with acting(stage, size) as actor:
        _search(actor, "qwxz")
        yield actor


@contextmanager
def palette(stage: Stage, size: Size) -> Iterator[Actor]:
    """Every command that can run now."""
    with acting(stage, size) as actor:
        actor.press("T", "Ctrl+K")
        yield actor


@contextmanager
def palette_booking(stage: Stage, size: Size) -> Iterator[Actor]:
    """A booking in one line."""
    with acting(stage, size) as actor:
        actor.press("Ctrl+K")
        actor.type("ava 5/12 3h 081234567890")
        yield actor


@contextmanager
def keys(stage: Stage, size: Size) -> Iterator[Actor]:
    """The keys that work on the grid."""
    with acting(stage, size) as actor:
        actor.press("T", "G", "F1")
        yield actor


@contextmanager
def keys_drawer(stage: Stage, size: Size) -> Iterator[Actor]:
    """The keys that work in the drawer: no letter of the grid."""
    with acting(stage, size) as actor:
        actor.press("T", "Ctrl+N", "F1")
        yield actor


@contextmanager
def scan_refused(stage: Stage, size: Size) -> Iterator[Actor]:
    """A scanned unit that is promised to somebody else."""
    with acting(stage, size) as actor:
        actor.press("Ctrl+N")
        screen = actor.session.window.current()
        if not isinstance(screen, CalendarScreen):
            raise TypeError("the calendar is not in front")
        screen.walk_in.set_sku("TOY-AVNZ-G")
        screen.walk_in.set_days(12)
        actor.session.finding.scans.take("U-uuid-avanza-002")
        actor.settle()
        yield actor


@contextmanager
def scan_taken(stage: Stage, size: Size) -> Iterator[Actor]:
    """A code that nobody knows, with the frame around the window."""
    with acting(stage, size) as actor:
        actor.session.finding.scans.take("X-4711-nobody")
        actor.settle()
        yield actor


FINDING_SCENES: Mapping[str, Play] = {
    "search-name": name,
    "search-plate": plate,
    "search-nothing": nothing,
    "palette-commands": palette,
    "palette-booking": palette_booking,
    "keys-grid": keys,
    "keys-drawer": keys_drawer,
    "scan-refused": scan_refused,
    "scan-unknown": scan_taken,
}
"""`<screen>-<state>` → how it comes about."""
