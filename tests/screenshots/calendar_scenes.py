"""The calendar's own scenes: a full branch, two months, filters, nothing found, another branch, a double claim."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

import psycopg

from app.bootstrap import Counter, Installation
from app.desktop.screens.calendar_view import CalendarScreen
from app.domain.booking import Action
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.usecases.bookings import BookLine, BookRequest
from tests.screenshots.actor import Actor
from tests.screenshots.scenes import Play, Size, acted, acting, sign_in
from tests.screenshots.stage import MOMENT, Stage, stage

TODAY = MOMENT.date()
_MODELS = (
    ("XPD-ULT", "Xpander Ultimate", "Mobil", 400_000),
    ("HRV-SE", "HR-V SE", "Mobil", 550_000),
    ("CRT-GR", "Carry Pikap", "Niaga", 300_000),
    ("PCX-160", "PCX 160", "Motor", 140_000),
    ("SCP-FI", "Scoopy", "Motor", 85_000),
    ("ELF-LNG", "Elf Long", "Bus", 1_250_000),
)
_NAMES = (
    "Bagas Nugraha",
    "Citra Maharani",
    "CV Tiga Roda Abadi",
    "Dewi Kartika",
    "Eka Saputra",
    "Fitri Handayani",
    "Gilang Ramadhan",
    "PT Nusa Wisata",
    "Intan Permata",
    "Joko Prasetyo",
    "Keluarga Siregar",
    "Laras Ayuningtyas",
)
_UNITS = 300
_HEAD = "branch,sku,sku_name,category,daily_rate,deposit,turnaround_days,unit_id,plate,odometer,status,colour"


def calendar_of(actor: Actor) -> CalendarScreen:
    (screen,) = actor.window.findChildren(CalendarScreen)
    return screen


@contextmanager
def loaded(servers: Stage, size: Size) -> Iterator[Actor]:
    """300 units, about as many bookings: servers of its own, so that other scenes meet the small branch."""
    with stage() as big:
        _fill(big)
        with acting(big, size) as actor:
            actor.press(*["PageDown"] * 4)
            actor.wait(400)
            yield actor


def two_months(actor: Actor) -> None:
    actor.press("Minus")
    actor.wait(300)


def months_on(actor: Actor) -> None:
    """Two months, moved to their end."""
    two_months(actor)
    actor.press("End")
    actor.wait(200)


def filter_card(actor: Actor) -> None:
    """F with days chosen in the grid: they are filled in."""
    actor.press("T", "Down", "Right", "Right", "Right", "Shift+Right", "Shift+Right", "F")
    actor.wait(300)


def free_only(actor: Actor) -> None:
    """Only the units that are free on three days."""
    actor.press("F")
    actor.type("3/12")
    actor.press("Tab")
    actor.type("5/12")
    actor.press("Return")
    actor.wait(300)


def nothing_found(actor: Actor) -> None:
    actor.press("Slash")
    actor.type("avansa")
    actor.wait(300)


def empty(actor: Actor) -> None:
    """A model that this branch has none of."""
    actor.press("Slash")
    actor.type("hiace")
    actor.wait(300)


def more(actor: Actor) -> None:
    """What the toolbar has no room for, under its three dots."""
    calendar_of(actor).toolbar.more_wanted.emit()
    actor.settle()


def one_state(actor: Actor) -> None:
    """The legend shows one state alone."""
    actor.press("L", "Right", "Right", "Right", "Return")
    actor.wait(200)


def bar_card(actor: Actor) -> None:
    """The card of the rental that is late."""
    actor.press("T", "Down", "Down", "Left", "Space")
    actor.wait(200)


@contextmanager
def elsewhere(servers: Stage, size: Size) -> Iterator[Actor]:
    """Another branch: units and days, no names."""
    with acting(servers, size) as actor:
        there = sign_in(servers, "rahmat", "Kasir MKS")
        period = RentalPeriod(TODAY + dt.timedelta(days=2), TODAY + dt.timedelta(days=5))
        order = there.bookings.book(_request(there, "uuid-avanza-101", period, "Andi Baso", "081277778888"))
        try:
            actor.press("F", "Tab", "Tab", "Tab")
            actor.type("maka")
            actor.press("Return")
            actor.wait(400)
            yield actor
        finally:
            for booking in order.bookings:
                there.bookings.cancel(booking.id, "next scene")
            there.close()


@contextmanager
def offline(servers: Stage, size: Size) -> Iterator[Actor]:
    """The database stopped to answer two probes; then somebody tries to choose days."""
    with acting(servers, size) as actor:
        connection = actor.session.window.connection
        now, engine = connection._server_now, connection._engine
        model = calendar_of(actor).model
        reads = model._calendar
        connection._server_now = connection._engine = _nobody_answers
        model._calendar = _Away()
        try:
            for _ in range(2):
                connection.tick()
                actor.wait(100)
            actor.press("T", "Down", "Down", "Down", "Down", "Right", "Right", "Shift+Right")
            actor.wait(200)
            yield actor
        finally:
            connection._server_now, connection._engine, model._calendar = now, engine, reads
            connection.tick()


@contextmanager
def doubled(servers: Stage, size: Size) -> Iterator[Actor]:
    """Two rows over the same days, forced past every guard of the database."""
    with stage() as broken:
        with psycopg.connect(broken.owner_url, autocommit=True) as link:
            link.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
            link.execute("SET session_replication_role = replica")
            link.execute(
                "UPDATE sentra.occupancy SET days = daterange(lower(days) - 2, upper(days)) WHERE active"
                " AND unit_id IN ('uuid-avanza-006', 'uuid-avanza-008') AND lower(days) > %s",
                (TODAY + dt.timedelta(days=9),),
            )
            link.execute(
                "UPDATE sentra.occupancy SET days = daterange(lower(days), upper(days) + 6) WHERE active"
                " AND unit_id = 'uuid-avanza-006' AND lower(days) BETWEEN %s AND %s",
                (TODAY + dt.timedelta(days=6), TODAY + dt.timedelta(days=9)),
            )
        with acting(broken, size) as actor:
            actor.press("T")
            actor.wait(300)
            yield actor


def _nobody_answers(*_: object, **__: object) -> NoReturn:
    raise Refusal(RefusalCode.UNREACHABLE)


class _Away:
    """A database that answers no reading of the calendar."""

    branches = fleet = masks = bars = first_doubled = free_now = staticmethod(_nobody_answers)


def _request(person: Counter, unit_id: str, period: RentalPeriod, name: str, phone: str) -> BookRequest:
    (unit,) = person.store.read.units([unit_id])
    return BookRequest(
        order_id=person.new_id(),
        customer_name=name,
        customer_phone=phone,
        lines=(BookLine(sku=unit.sku.code, unit_id=unit_id, period=period),),
    )


def _fill(big: Stage) -> None:
    """More units through the fleet import, and a booking or block for most of them through the use cases."""
    manager, agent = sign_in(big, "maya", "Kantor"), sign_in(big, "siti", "Kasir 7")
    cashier = sign_in(big, "budi", "Kasir 8")
    owner = Installation(big.settings.model_copy(update={"database_url": big.owner_url}))
    try:
        cashier.shifts.open_shift("Kasir 8", Rupiah(500_000))
        missing = _UNITS - len(manager.calendar.fleet())
        manager.fleet.import_fleet(_fleet_file(missing))
        for n, unit in enumerate(manager.calendar.fleet()):
            if not unit.unit.id.startswith("full-"):
                continue
            first = TODAY + dt.timedelta(days=n * 7 % 20)
            if n % 17 == 5:
                owner.record_maintenance(
                    unit.unit.id, Days(first, first + dt.timedelta(days=3)), "servis rutin", first <= TODAY
                )
                continue
            period = RentalPeriod(first, first + dt.timedelta(days=1 + n * 5 % 6))
            order = agent.bookings.book(
                _request(agent, unit.unit.id, period, _NAMES[n % len(_NAMES)], f"08129{n % len(_NAMES):07d}")
            )
            if n % 11 == 3:
                continue
            held = cashier.settlement.open_invoice(order.invoice_id)
            cash = Tender(kind=TenderKind.CASH, amount=Rupiah(-(-order.total // 50_000) * 50_000))
            cashier.settlement.settle(held.handle, cashier.new_id(), [cash])
            for action in (Action.CHECK_OUT, Action.HAND_OVER) if first == TODAY else ():
                owner.move_booking(order.bookings[0].id, action)
    finally:
        for person in (manager, agent, cashier):
            person.close()


def _fleet_file(count: int) -> bytes:
    page = io.StringIO()
    page.write(_HEAD + "\n")
    for n in range(count):
        sku, name, category, rate = _MODELS[n * len(_MODELS) // count]
        colour = ("putih", "hitam", "perak", "abu")[n % 4]
        page.write(
            f"JKT,{sku},{name},{category},{rate},500000,0,full-{n:03d},B {3400 + n} QRS,1000,IN_SERVICE,{colour}\n"
        )
    return page.getvalue().encode()


CALENDAR_SCENES: Mapping[str, Play] = {
    "calendar-loaded": loaded,
    "calendar-62": acted(two_months),
    "calendar-62-end": acted(months_on),
    "calendar-more": acted(more),
    "calendar-filters": acted(filter_card),
    "calendar-free": acted(free_only),
    "calendar-nothing": acted(nothing_found),
    "calendar-empty": acted(empty, login="rahmat"),
    "calendar-state": acted(one_state),
    "calendar-card": acted(bar_card),
    "calendar-branch": elsewhere,
    "calendar-doubled": doubled,
    "calendar-offline": offline,
}
