"""Scenes of the booking drawer beyond its usual way: hours, a hold that ended, a price that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg

from app.desktop.screens.calendar_view import CalendarScreen
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, Size, acting, sign_in
from tests.screenshots.stage import Stage


@contextmanager
def by_hours(stage: Stage, size: Size) -> Iterator[Actor]:
    """A branch that counts days by 24 hours: the return is typed, after closing."""
    with psycopg.connect(stage.owner_url, autocommit=True) as owner:
        owner.execute("UPDATE sentra.branch SET counts_hours = true")
        try:
            with acting(stage, size) as actor:
                _fill(actor)
                actor.type("3")
                actor.press("Tab", "Tab")
                actor.type("2130")
                actor.press("Return")
                actor.wait(400)
                yield actor
        finally:
            owner.execute("UPDATE sentra.branch SET counts_hours = false")


@contextmanager
def ended(stage: Stage, size: Size) -> Iterator[Actor]:
    """What was held is let go at another counter."""
    with acting(stage, size) as actor:
        _fill(actor)
        actor.type("3")
        actor.wait(400)
        actor.press("F9")
        actor.wait(500)
        screen = actor.window.findChild(CalendarScreen)
        if screen is None or screen.walk_in.hold is None:
            raise RuntimeError("nothing is held")
        booking_id = screen.walk_in.hold.booking_id
        other = sign_in(stage, "ayu", "Kasir 2")
        try:
            other.bookings.cancel(booking_id, "asked for")
        finally:
            other.close()
        screen.walk_in.note_change(booking_id)
        actor.wait(400)
        yield actor


@contextmanager
def dearer(stage: Stage, size: Size) -> Iterator[Actor]:
    """The rate of the item changed between the quote and F9."""
    with acting(stage, size) as actor, psycopg.connect(stage.owner_url, autocommit=True) as owner:
        _fill(actor)
        actor.type("3")
        actor.wait(400)
        owner.execute("UPDATE sentra.sku SET daily_rate = daily_rate + 25000 WHERE id = 'TOY-AVNZ-G'")
        try:
            actor.press("F9")
            actor.wait(500)
            yield actor
        finally:
            owner.execute("UPDATE sentra.sku SET daily_rate = daily_rate - 25000 WHERE id = 'TOY-AVNZ-G'")


def _fill(actor: Actor) -> None:
    """Somebody known and an item; the length comes next."""
    actor.press("T", "F3")
    actor.type("081200435530")
    actor.wait(500)
    actor.press("Return")
    actor.type("ava")
    actor.press("Return", "Return")


DRAWER_SCENES: Mapping[str, Play] = {
    "calendar-walkin-hours": by_hours,
    "calendar-walkin-ended": ended,
    "calendar-walkin-dearer": dearer,
}
