"""Scenes of the customer register: found while typing, a card, bad input, a duplicate, a reveal, a company."""

from __future__ import annotations

from collections.abc import Mapping

from app.desktop.screen import ScreenKey
from app.desktop.screens.customers_view import CustomersScreen
from app.domain.identity import IdentityKind
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, acted


def _register(actor: Actor) -> CustomersScreen:
    actor.go(ScreenKey.CUSTOMERS)
    actor.wait(300)
    screen = actor.session.window.current()
    if not isinstance(screen, CustomersScreen):
        raise TypeError("the register is not in front")
    return screen


def found(actor: Actor) -> None:
    """Names found by their beginning."""
    _register(actor)
    actor.type("ma")
    actor.wait(400)


def card(actor: Actor) -> None:
    """A customer with papers, tier and rentals."""
    _register(actor)
    actor.type("rina maha")
    actor.wait(400)
    actor.press("Return")
    actor.wait(300)


def wrong(actor: Actor) -> None:
    """Numbers that are none, and one that is odd, after trying to save."""
    screen = _register(actor)
    actor.type("andi sap")
    actor.wait(400)
    actor.press("Return")
    actor.wait(200)
    grid = screen.card.person
    for name, text in (("email", "andi@"), ("nik", "31750117089000"), ("birth_on", "31/2/90"), ("passport", "A1")):
        grid.focus(name)
        actor.type(text)
    actor.press("Ctrl+Return")
    actor.wait(300)


def duplicate(actor: Actor) -> None:
    """A new customer with a phone that somebody has."""
    screen = _register(actor)
    phone = actor.counter.customers.find_customers("budi santoso")[0].customer.phone
    actor.press("Ctrl+N")
    actor.type("Budi S.")
    screen.card.person.focus("phone")
    actor.type(phone)
    actor.press("Ctrl+Return")
    actor.wait(300)


def blocked(actor: Actor) -> None:
    """A code instead of a reason: the customer can see the screen."""
    _register(actor)
    actor.type("tono")
    actor.wait(400)
    actor.press("Return")
    actor.wait(300)


def reveal(actor: Actor) -> None:
    """Why somebody wants to see a number."""
    card(actor)
    screen = actor.session.window.current()
    if isinstance(screen, CustomersScreen):
        screen.card.reveal_wanted.emit(IdentityKind.NIK)
    actor.type("cocokkan dengan KTP")


def company(actor: Actor) -> None:
    """A company with credit, as a manager edits it."""
    screen = _register(actor)
    screen.model.show_companies(True)
    screen.kinds.choose("companies")
    actor.wait(200)
    actor.press("Return")
    actor.wait(300)


def empty(actor: Actor) -> None:
    """Nobody fits what was typed."""
    _register(actor)
    actor.type("zulkarnaen")
    actor.wait(400)


CUSTOMERS_SCENES: Mapping[str, Play] = {
    "customers-list": acted(found),
    "customers-empty": acted(empty),
    "customers-card": acted(card),
    "customers-wrong": acted(wrong),
    "customers-duplicate": acted(duplicate),
    "customers-blocked": acted(blocked),
    "customers-reveal": acted(reveal, login="maya"),
    "customers-company": acted(company, login="maya"),
}
