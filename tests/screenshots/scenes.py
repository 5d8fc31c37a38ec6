"""The scenes: each brings a window over the stage's servers to one state. Name → how it comes about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import psycopg.conninfo

from app.bootstrap import Counter, connect
from app.desktop.screen import ScreenKey
from app.desktop.screens.settlement_lock import KeptLock
from app.domain.days import RentalPeriod
from app.domain.money import Rupiah
from app.embedded.demo import demo_password
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.rows import BookedOrder
from tests.screenshots.actor import Actor
from tests.screenshots.stage import MOMENT, Stage

Size = tuple[int, int]


Play = Callable[[Stage, Size], AbstractContextManager[Actor]]


@contextmanager
def acting(stage: Stage, size: Size, login: str = "siti", counter: str = "Kasir 1") -> Iterator[Actor]:
    """Somebody logged in at a counter, the calendar in front."""
    person = sign_in(stage, login, counter)
    with TemporaryDirectory(prefix="counter-") as drafts:
        actor = Actor(person, Path(drafts), size)
        before = {row.id for row in person.settlement.invoices()}
        try:
            actor.wait(250)
            yield actor
        finally:
            actor.window.close()
            _clear(stage, before)
            actor.close()


def _clear(stage: Stage, before: set[str]) -> None:
    """Cancel what a scene left unpaid, so that the next one meets the stage as it was."""
    agent = sign_in(stage, "siti", "Kasir 9")
    try:
        for row in agent.settlement.invoices():
            if row.id not in before:
                agent.bookings.cancel(row.booking_id, "next scene")
    finally:
        agent.close()


def sign_in(stage: Stage, login: str, counter: str) -> Counter:
    return connect(stage.counter(counter), login, demo_password(login))


def book(person: Counter, unit_id: str, first: dt.date, days: int, name: str, phone: str) -> BookedOrder:
    """A booking made at another counter, so that the scene has something to meet."""
    (unit,) = person.store.read.units([unit_id])
    period = RentalPeriod(first, first + dt.timedelta(days=days - 1))
    return person.bookings.book(
        BookRequest(
            order_id=person.new_id(),
            customer_name=name,
            customer_phone=phone,
            lines=(BookLine(sku=unit.sku.code, unit_id=unit_id, period=period),),
        )
    )


def acted(steps: Callable[[Actor], object], login: str = "siti") -> Play:
    """A scene of these steps of one person."""

    @contextmanager
    def play(stage: Stage, size: Size) -> Iterator[Actor]:
        with acting(stage, size, login) as actor:
            steps(actor)
            yield actor

    return play


def stretch(actor: Actor) -> None:
    """Free days chosen by the keyboard until the obstacle stops them."""
    actor.press("T", *["Down"] * 6, *["Right"] * 2, *["Shift+Right"] * 5)


def walk_in(actor: Actor) -> None:
    """The drawer with a phone being typed."""
    actor.press("T", "Ctrl+N")
    actor.type("0812-00")
    actor.wait(500)


def walk_in_new(actor: Actor) -> None:
    """A new customer with papers, one unit chosen, the next one being typed; somebody else waits."""
    actor.press("T", "Ctrl+N")
    actor.type("Zulkifli")
    actor.wait(400)
    actor.press("F4")
    actor.wait(300)
    _fill_drawer(actor, "Siti Rahma Wulandari", "081355556666")
    actor.type("3275019912900012")
    actor.press("Return")
    actor.type("30/11/28")
    actor.press("Return")
    actor.type("ava")
    actor.press("Return", "Return")
    actor.type("3")
    actor.press("Ctrl+Shift+N")
    actor.type("ava")
    actor.press("Return")
    actor.wait(500)


def walk_in_terms(actor: Actor) -> None:
    """A reservation of later days with extras, a discount and a down payment."""
    actor.press("T", *["Down"] * 5, *["Right"] * 3, "Ctrl+N")
    _fill_drawer(actor, "Siti Rahma Wulandari", "081355556666")
    actor.press("Return", "Return", "Return", "Return")
    actor.type("3")
    actor.press("Tab", "Tab", "Space", "Tab", "Space")
    actor.press("Ctrl+D")
    actor.type("5")
    actor.press("Tab", "Tab")
    actor.type("500rb")
    actor.wait(400)


def approval(actor: Actor) -> None:
    """A discount that a manager has to agree to, in place."""
    walk_in_terms(actor)
    actor.press("Ctrl+D")
    actor.type("25")
    actor.wait(300)
    actor.press("F9")
    actor.wait(500)


def parked(actor: Actor) -> None:
    """The drafts that wait."""
    walk_in_new(actor)
    actor.press("F4")
    actor.wait(300)
    actor.press("Shift+F4")
    actor.wait(300)


def _fill_drawer(actor: Actor, name: str, phone: str) -> None:
    actor.type(phone)
    actor.wait(500)
    actor.press("Return")
    actor.type(name)
    actor.press("Return")
    actor.wait(300)


def held(actor: Actor) -> None:
    """A unit held for 15 minutes from the drawer."""
    actor.press("T", "Shift+Right", "Shift+Right", "Return")
    actor.wait(200)
    _fill_drawer(actor, "Budi Santoso Wijaya", "081234567890")
    actor.press("F9")
    actor.wait(600)


@contextmanager
def refused(stage: Stage, size: Size) -> Iterator[Actor]:
    """Days that another counter took while this one typed."""
    with acting(stage, size) as actor:
        actor.press("T", *["Right"] * 9, "Shift+Right", "Shift+Right", "Return")
        actor.wait(200)
        other = sign_in(stage, "ayu", "Kasir 2")
        try:
            book(other, "uuid-avanza-001", MOMENT.date() + dt.timedelta(days=9), 3, "Andi Pratama", "081211112222")
        finally:
            other.close()
        _fill_drawer(actor, "Siti Rahma", "081355556666")
        actor.press("F9")
        actor.wait(700)
        yield actor


def invoices(actor: Actor) -> None:
    actor.go(ScreenKey.INVOICES)
    actor.wait(300)


@contextmanager
def invoice_refused(stage: Stage, size: Size) -> Iterator[Actor]:
    """An invoice that another cashier settles."""
    with acting(stage, size) as actor:
        other = sign_in(stage, "budi", "Kasir 2")
        try:
            held = [other.settlement.open_invoice(row.id).handle for row in other.settlement.invoices()]
            actor.go(ScreenKey.INVOICES)
            actor.wait(300)
            actor.press("Home", "Return")
            actor.wait(300)
            yield actor
            for handle in held:
                other.settlement.release_lock(handle)
        finally:
            other.close()


@contextmanager
def settling(stage: Stage, size: Size) -> Iterator[Actor]:
    """An invoice under its lock, cash being typed."""
    with acting(stage, size) as actor:
        if actor.counter.shifts.current_shift() is None:
            actor.counter.shifts.open_shift("Kasir 1", Rupiah(500_000))
            actor.session.window.refresh_shift()
        order = book(
            actor.counter, "uuid-beat-004", MOMENT.date(), 3, "Budi Santoso", f"0812345{_count(actor.counter):05d}"
        )
        actor.session.window.go(ScreenKey.INVOICES, order.invoice_id)
        actor.wait(400)
        actor.type("500000")
        actor.wait(100)
        try:
            yield actor
        finally:
            actor.press("Escape")
            actor.wait(200)


@contextmanager
def lost(stage: Stage, size: Size, way: str = "", typed: tuple[str, ...] = ()) -> Iterator[Actor]:
    """The lock moved to another window of the same person, after something was typed of another way to pay."""
    with settling(stage, size) as actor:
        if way:
            actor.press(way)
        for text in typed:
            actor.type(text)
        elsewhere = sign_in(stage, "siti", "Kasir 3")
        try:
            (row,) = [row for row in elsewhere.settlement.invoices() if row.locked_by_me]
            handle = elsewhere.settlement.move_lock(row.id).handle
            _beat(actor)
            actor.wait(600)
            yield actor
            elsewhere.settlement.release_lock(handle)
        finally:
            elsewhere.close()


@contextmanager
def paid(stage: Stage, size: Size) -> Iterator[Actor]:
    with settling(stage, size) as actor:
        actor.press("F9")
        actor.wait(800)
        yield actor


def shift(actor: Actor) -> None:
    actor.go(ScreenKey.SHIFT)
    actor.wait(200)


@contextmanager
def without_index(stage: Stage, size: Size) -> Iterator[Actor]:
    """No Redis: the calendar comes from the database, and says so."""
    away = Stage(settings=stage.settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"}), clock=stage.clock)
    with acting(away, size) as actor:
        actor.wait(600)
        yield actor


@contextmanager
def without_service(stage: Stage, size: Size) -> Iterator[Actor]:
    """Nobody ends what is not paid: the service's last beat is four minutes old."""
    with psycopg.connect(stage.owner_url, autocommit=True) as owner:
        owner.execute("UPDATE sentra.service_beat SET beat_at = sentra.now() - interval '4 minutes'")
        try:
            with acting(stage, size) as actor:
                for _ in range(2):
                    actor.session.window.connection.tick()
                actor.settle()
                yield actor
        finally:
            owner.execute("UPDATE sentra.service_beat SET beat_at = sentra.now()")


@contextmanager
def without_database(stage: Stage, size: Size) -> Iterator[Actor]:
    """The database stopped answering: hatched, with the age of what is shown."""
    with acting(stage, size) as actor:
        connection = actor.session.window.connection
        connection.tick()
        name = psycopg.conninfo.conninfo_to_dict(stage.owner_url)["dbname"]
        elsewhere = psycopg.conninfo.make_conninfo(stage.owner_url, dbname="postgres")
        with psycopg.connect(elsewhere, autocommit=True) as owner:
            owner.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'.encode())
            try:
                owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
                for _ in range(2):
                    connection.tick()
                actor.settle()
                yield actor
            finally:
                owner.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true'.encode())
        connection.tick()


def _count(person: Counter) -> int:
    return len(person.settlement.invoices())


def _beat(actor: Actor) -> None:
    """Let the heartbeat of this window's lock ask now instead of at its next turn."""
    for lock in actor.window.findChildren(KeptLock):
        lock.beat_now()


SCENES: Mapping[str, Play] = {
    "calendar-grid": acted(lambda actor: actor.settle()),
    "calendar-stretch": acted(stretch),
    "calendar-walkin": acted(walk_in),
    "calendar-walkin-new": acted(walk_in_new),
    "calendar-walkin-terms": acted(walk_in_terms),
    "calendar-walkin-approval": acted(approval),
    "calendar-walkin-parked": acted(parked),
    "calendar-held": acted(held),
    "calendar-refused": refused,
    "degraded-redis": without_index,
    "degraded-service": without_service,
    "degraded-offline": without_database,
    "invoices-list": acted(invoices),
    "invoices-refused": invoice_refused,
    "settlement-held": settling,
    "settlement-lost": lost,
    "settlement-paid": paid,
    "shift-open": acted(shift, login="budi"),
}
"""`<screen>-<state>` → how it comes about."""
