"""The demo branch of the embedded default: staff, fleet, customers and a month of history, all through the use cases.

Invented names and numbers only. The history is made under a driven clock, so that each booking was really made, paid
and handed over at its time; afterwards the clock is the real one again (or stays driven, in a self-check's folder).
"""

from __future__ import annotations

import datetime as dt
import logging
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from app.bootstrap import Counter, Installation, connect
from app.domain.booking import Action
from app.domain.days import Days, RentalPeriod
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.domain.rates import Extra
from app.domain.staff import Role
from app.settings import Settings
from app.usecases.bookings import BookLine, BookRequest

log = logging.getLogger(__name__)

BRANCHES = (("JKT", "Jakarta Pusat", "Asia/Jakarta"), ("MKS", "Makassar", "Asia/Makassar"))
STAFF = (
    ("ayu", "Ayu", "JKT", (Role.AGENT,)),
    ("siti", "Siti", "JKT", (Role.AGENT, Role.CASHIER)),
    ("dedi", "Dedi", "JKT", (Role.INSPECTOR,)),
    ("budi", "Budi", "JKT", (Role.CASHIER,)),
    ("maya", "Maya", "JKT", (Role.MANAGER,)),
    ("rahmat", "Rahmat", "MKS", (Role.AGENT, Role.CASHIER)),
)
MKS_MANAGER = ("hasnah", "Hasnah", "MKS", (Role.MANAGER,))
SERVICE_LOGIN = "svc"
ZONE = ZoneInfo("Asia/Jakarta")
FULL_SKU = "TOY-INVZ-H"
NAMESPACE = uuid.UUID("5e27a000-0000-4000-8000-00000000de30")


EXTRAS = (
    Extra(code="SOPIR", name="Sopir", per_day=True, rate=Rupiah(200_000), replaces_driver_licence=True),
    Extra(code="KURSI-BAYI", name="Kursi bayi", per_day=True, rate=Rupiah(25_000)),
    Extra(code="ANTAR", name="Antar", per_day=False, rate=Rupiah(100_000)),
)
"""What the branch in Jakarta offers along with a car."""


def demo_password(login: str) -> str:
    """The password of a demo login; the login screen shows it while the demo runs."""
    return f"{login}-demo"


@dataclass(frozen=True, slots=True)
class _Story:
    """One booking of the demo: unit, first day from today, days, customer, and how far it came."""

    unit: str
    first: int
    days: int
    customer: str
    steps: tuple[Action, ...] = (Action.PAY,)


_OUT = (Action.PAY, Action.CHECK_OUT, Action.HAND_OVER)
_BACK = (*_OUT, Action.CHECK_IN)
_HOLD: tuple[Action, ...] = ()

STORIES = (
    _Story("avanza-002", -2, 5, "Rina Maharani", _OUT),
    _Story("avanza-002", 5, 3, "Bagus Prasetyo"),
    _Story("avanza-002", 16, 5, "Keluarga Wijaya"),
    _Story("avanza-003", -4, 4, "Yoga Pradana", _OUT),
    _Story("avanza-003", 3, 3, "Andi Saputra"),
    _Story("avanza-004", -4, 4, "Maya Lestari", _BACK),
    _Story("avanza-004", 18, 6, "Fajar Nugroho"),
    _Story("avanza-005", 6, 4, "Lestari Dewanti"),
    _Story("avanza-005", 21, 6, "Tono Hidayat"),
    _Story("avanza-006", -3, 5, "CV Mitra Jaya", _OUT),
    _Story("avanza-006", 8, 4, "Ratna Puspita"),
    _Story("avanza-006", 15, 3, "Hadi Wibowo", _HOLD),
    _Story("avanza-007", 5, 4, "Budi Santoso"),
    _Story("avanza-007", 13, 2, "Ida Farida"),
    _Story("avanza-007", 20, 7, "PT Arunika Persada"),
    _Story("avanza-008", 10, 2, "Surya Atmaja"),
    _Story("avanza-008", 14, 5, "Rudi Hartanto"),
    _Story("innova-001", -2, 6, "PT Sagara Biru", _OUT),
    _Story("innova-002", 0, 3, "Hotel Samudra", (Action.PAY, Action.CHECK_OUT)),
    _Story("innova-003", 1, 4, "CV Tirta Abadi"),
    _Story("innova-004", -4, 8, "PT Arunika Persada", _OUT),
    _Story("brio-001", 1, 2, "Tia Kurnia"),
    _Story("brio-001", 7, 3, "Reza Mahendra"),
    _Story("brio-001", 19, 3, "Nadia Safitri"),
    _Story("brio-002", -1, 2, "Vina Oktaviani", _OUT),
    _Story("brio-002", 13, 3, "Lina Marlina"),
    _Story("brio-003", 5, 2, "Oki Setiawan"),
    _Story("brio-003", 24, 3, "Keluarga Sinaga"),
    _Story("brio-004", 2, 5, "Dimas Aryo"),
    _Story("hiace-001", 4, 5, "SMA Tunas Bangsa"),
    _Story("hiace-002", -1, 4, "Panitia Reuni 98", _OUT),
    _Story("hiace-003", 12, 6, "PT Sagara Biru"),
    _Story("beat-001", -1, 3, "Galih Permana", _OUT),
    _Story("beat-002", 3, 6, "Nina Kartika"),
    _Story("beat-003", 9, 4, "Eko Prabowo"),
    _Story("genset-001", 2, 4, "Wahyu Budiman"),
    _Story("brio-003", 1, 3, "Ayu Pratiwi", _HOLD),
    _Story("beat-001", 5, 2, "Agus Setiawan", _HOLD),
    _Story("hiace-003", 3, 4, "Panitia Ramadan", _HOLD),
)
MAINTENANCE = (
    ("uuid-avanza-003", 10, 4, "servis rutin", False),
    ("uuid-avanza-008", -1, 7, "ganti kopling", True),
    ("uuid-brio-004", 16, 3, "KIR", False),
)


def fill(installation: Installation, settings: Settings, *, keep_clock: bool) -> None:
    """Make the demo in a fresh installation; does nothing where a branch exists already."""
    if installation.branch_codes():
        return
    for code, name, zone in BRANCHES:
        installation.add_branch(code, name, zone)
    for login, name, branch, roles in (*STAFF, MKS_MANAGER):
        installation.add_staff(login, name, branch, roles, demo_password(login))
    people = {login: connect(settings, login, demo_password(login)) for login in ("siti", "budi", "maya", "hasnah")}
    try:
        here = Path(__file__).parent
        people["maya"].fleet.import_fleet((here / "demo_fleet.csv").read_bytes())
        for extra in EXTRAS:
            people["maya"].rates.set_extra(extra)
        people["hasnah"].fleet.import_fleet((here / "demo_fleet_mks.csv").read_bytes())
        _tell(installation, people, keep_clock)
    finally:
        for person in people.values():
            person.close()


def _tell(installation: Installation, people: Mapping[str, Counter], keep_clock: bool) -> None:
    now = people["siti"].store.read.now()
    today = now.astimezone(ZONE).date()
    with installation.history(keep_clock) as clock:
        early = dt.datetime.combine(today - dt.timedelta(days=6), dt.time(8, 2), ZONE)
        clock.set(early)
        people["budi"].shifts.open_shift("Kasir 1", Rupiah(500_000))
        events = sorted(
            [event for story in _stories(today) for event in _events(story, today, early)], key=lambda event: event[0]
        )
        booked: dict[_Story, str] = {}
        for moment, story, action in events:
            if moment > now:
                continue
            clock.set(moment)
            if action is Action.CREATE:
                booked[story] = _book(people["siti"], people["budi"], story, today)
            else:
                installation.move_booking(booked[story], action)
        for unit_id, first, days, reason, running in MAINTENANCE:
            start = today + dt.timedelta(days=first)
            installation.record_maintenance(unit_id, Days(start, start + dt.timedelta(days=days - 1)), reason, running)
        clock.set(now)
        installation.close_shifts()
    for story in STORIES:
        if not story.steps:
            _book(people["siti"], people["budi"], story, today)


def _stories(today: dt.date) -> tuple[_Story, ...]:
    """The fixed stories and the SKU that is fully booked for three days of next month."""
    month = (today.replace(day=1) + dt.timedelta(days=32)).replace(day=1)
    first = (month.replace(day=24) - today).days
    full = tuple(
        _Story(f"innova-00{n}", first, 3, name)
        for n, name in enumerate(("Kel. Halim", "Dian Anggraini", "Yuni Astuti", "Sari Wulandari"), start=1)
    )
    return (*(story for story in STORIES if story.steps), *full)


def _events(story: _Story, today: dt.date, early: dt.datetime) -> list[tuple[dt.datetime, _Story, Action]]:
    """When the story's booking was made and moved; a payment belongs to the moment of booking."""
    first = today + dt.timedelta(days=story.first)
    last = first + dt.timedelta(days=story.days - 1)
    minute = _number_of(story.unit + story.customer) % 90 + 5
    made = early + dt.timedelta(minutes=minute)
    found = [(made, story, Action.CREATE)]
    times = {Action.CHECK_OUT: (first, 9), Action.HAND_OVER: (first, 10), Action.CHECK_IN: (last, 17)}
    for action in story.steps:
        if action in times:
            day, hour = times[action]
            moment = dt.datetime.combine(day, dt.time(hour, minute % 60), ZONE)
            found.append((max(moment, made + dt.timedelta(minutes=1)), story, action))
    return found


def _number_of(text: str) -> int:
    """A number of a text that is the same in every run (Python's own hash is not)."""
    return zlib.crc32(text.encode()) % 100_000


def _book(agent: Counter, cashier: Counter, story: _Story, today: dt.date) -> str:
    first = today + dt.timedelta(days=story.first)
    period = RentalPeriod(first, first + dt.timedelta(days=story.days - 1))
    unit_id = f"uuid-{story.unit}"
    (unit,) = agent.store.read.units([unit_id])
    order = agent.bookings.book(
        BookRequest(
            order_id=str(uuid.uuid5(NAMESPACE, f"{today}/{story.unit}/{story.first}")),
            customer_name=story.customer,
            customer_phone=f"+6281200{_number_of(story.customer):05d}0",
            lines=(BookLine(sku=unit.sku.code, unit_id=unit_id, period=period),),
        )
    )
    if Action.PAY in story.steps:
        held = cashier.settlement.open_invoice(order.invoice_id)
        tender = Tender(kind=TenderKind.CASH, amount=Rupiah(-(-order.total // 50_000) * 50_000))
        cashier.settlement.settle(held.handle, str(uuid.uuid5(NAMESPACE, order.invoice_id)), [tender])
    return order.bookings[0].id
