"""Scenes of the customer register: found while typing, a card, bad input, a duplicate, a reveal, a company."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.desktop.commands import use_runner
from app.desktop.screen import ScreenKey
from app.desktop.screens.customers_view import CustomersScreen
from app.domain.identity import IdentityKind
from tests.desktop.runners import HeldRunner
from tests.screenshots.actor import Actor
from tests.screenshots.calendar_scenes import _nobody_answers as nobody_answers
from tests.screenshots.scenes import Play, Size, acted, acting
from tests.screenshots.stage import Stage


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


def new(actor: Actor) -> None:
    """Somebody nobody knows: what was looked for is the beginning."""
    empty(actor)
    actor.press("Ctrl+N")
    actor.press("Return")
    actor.type("0813")
    actor.wait(200)


def revealed(actor: Actor) -> None:
    """A number in clear, for half a minute."""
    card(actor)
    screen = actor.session.window.current()
    if isinstance(screen, CustomersScreen):
        screen.card.show_number(IdentityKind.NIK, "0000010101010001")


@contextmanager
def offline(stage: Stage, size: Size) -> Iterator[Actor]:
    """Something typed over a card when the server goes away."""
    with acting(stage, size) as actor:
        card(actor)
        actor.type("Rina M. Baru")
        connection = actor.session.window.connection
        before = connection._server_now, connection._engine
        connection._server_now = connection._engine = nobody_answers
        try:
            for _ in range(2):
                connection.tick()
                actor.wait(100)
            yield actor
        finally:
            connection._server_now, connection._engine = before
            connection.tick()


@contextmanager
def searching(stage: Stage, size: Size) -> Iterator[Actor]:
    """No answer after a third of a second."""
    with acting(stage, size) as actor:
        screen = _register(actor)
        before = use_runner(HeldRunner())
        try:
            actor.type("rina")
            actor.wait_until(lambda: screen.hint.text() in ("Mencari…", "Searching…"), "the slow search is told")
            yield actor
        finally:
            use_runner(before)


CUSTOMERS_SCENES: Mapping[str, Play] = {
    "customers-list": acted(found),
    "customers-empty": acted(empty),
    "customers-searching": searching,
    "customers-new": acted(new),
    "customers-offline": offline,
    "customers-revealed": acted(revealed, login="maya"),
    "customers-card": acted(card),
    "customers-wrong": acted(wrong),
    "customers-duplicate": acted(duplicate),
    "customers-blocked": acted(blocked),
    "customers-reveal": acted(reveal, login="maya"),
    "customers-company": acted(company, login="maya"),
}
