"""Two branches with staff, a small fleet and counters on real servers: what use case tests arrange with.

The clock stands at `START`, a Monday morning in Jakarta, until a test moves it.
"""

from __future__ import annotations

import datetime as dt
import os
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg
import redis

from app.bootstrap import Counter, Installation, ServiceParts, connect, open_doctor, open_service
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.domain.staff import Role
from app.settings import Settings
from app.usecases.bookings import BookLine, BookRequest
from app.usecases.doctor import DoctorReport
from app.usecases.rows import BookedOrder
from app.usecases.settlement import HeldLock, Receipt
from tests.support.databases import ScratchDatabase, Template

WIB, WITA, WIT = (ZoneInfo(name) for name in ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"))
START = dt.datetime(2027, 3, 1, 9, tzinfo=WIB)
SKU, OTHER_SKU = "TOY-AVNZ-G", "TOY-HIAC-C"
AVANZA = "uuid-avanza-001"
AVANZAS = (AVANZA, "uuid-avanza-002", "uuid-avanza-003")
HIACE = "uuid-hiace-001"
"""The one unit of a SKU with a day of turnaround."""
FAR_AVANZA = "uuid-avanza-101"
"""A unit of the same SKU in Makassar."""

STAFF: Sequence[tuple[str, str, tuple[Role, ...]]] = (
    ("ayu", "JKT", (Role.AGENT,)),
    ("siti", "JKT", (Role.AGENT, Role.CASHIER)),
    ("dedi", "JKT", (Role.INSPECTOR,)),
    ("budi", "JKT", (Role.CASHIER,)),
    ("maya", "JKT", (Role.MANAGER,)),
    ("rahmat", "MKS", (Role.AGENT, Role.CASHIER)),
    ("hasnah", "MKS", (Role.MANAGER,)),
)
SERVICE = "svc"

HEADING = "branch,sku,sku_name,category,daily_rate,deposit,turnaround_days,unit_id,plate,odometer,status\n"
_FLEET = {
    "maya": HEADING
    + "".join(
        f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,{unit},B {1200 + n} XYZ,1000,IN_SERVICE\n"
        for n, unit in enumerate(AVANZAS)
    )
    + f"JKT,{OTHER_SKU},HiAce Commuter,Minibus,1150000,1500000,1,{HIACE},B 7105 UAA,1000,IN_SERVICE\n",
    "hasnah": HEADING + f"MKS,{SKU},Avanza G,Mobil,350000,500000,0,{FAR_AVANZA},DD 1101 AB,1000,IN_SERVICE\n",
}


def password_of(login: str) -> str:
    """The password of a test login."""
    return f"{login}-sandi-uji"


def days(first: str, last: str | None = None) -> RentalPeriod:
    """A period from ISO days; one day when only one is given."""
    return RentalPeriod(dt.date.fromisoformat(first), dt.date.fromisoformat(last or first))


def cash(amount: int) -> Tender:
    """This much cash handed over."""
    return Tender(kind=TenderKind.CASH, amount=Rupiah(amount))


def line(period: RentalPeriod, unit: str | None = AVANZA, sku: str = SKU) -> BookLine:
    """One line of an order; `unit=None` is any free unit."""
    return BookLine(sku=sku, unit_id=unit, period=period)


def refused(no: Refusal, code: RefusalCode, field: str | None = None) -> Mapping[str, object]:
    """The parameters of a refusal, once its code and field are what they should be."""
    assert (no.code, no.field) == (code, field), str(no)
    return no.params


def blockers_of(no: Refusal) -> list[Mapping[str, object]]:
    """What stands in the way, as a DAYS_TAKEN refusal names it."""
    assert no.code is RefusalCode.DAYS_TAKEN, str(no)
    found = no.params["blockers"]
    assert isinstance(found, list)
    return found


LIVES = Path(tempfile.gettempdir()) / f"sentra-test-{os.getpid()}"
"""The data folder of a test's programs: nothing is in it but which of them live."""


@dataclass(kw_only=True)
class World:
    """One test's installation. Counters, services and connections that are made here end with the test."""

    database: ScratchDatabase
    redis_url: str | None
    _closers: list[object] = field(default_factory=list)

    # --- who works here ------------------------------------------------------------------------------------------

    def settings(self, *, counter: str = "Kasir 1", url: str | None = None, redis_url: str | None = "") -> Settings:
        """Settings of a counter; `url` and `redis_url` reach the servers another way (a proxy, or no Redis)."""
        return Settings(
            database_url=url or self.database.owner_url,
            redis_url=self.redis_url if redis_url == "" else redis_url,
            redlock_urls=None,
            counter_name=counter,
            role_prefix=self.database.prefix,
            data_dir=LIVES,
        )

    def counter(
        self, login: str, name: str = "Kasir 1", *, url: str | None = None, redis_url: str | None = ""
    ) -> Counter:
        """Somebody logged in at a counter."""
        made = connect(self.settings(counter=name, url=url, redis_url=redis_url), login, password_of(login))
        self._closers.append(made.close)
        return made

    def service(self) -> ServiceParts:
        """The service's parts under its own login."""
        made = open_service(self.settings(url=self.service_url))
        self._closers.append(made.close)
        return made

    def url_of(self, login: str) -> str:
        """The database as this login reaches it."""
        return Installation(self.settings()).person_url(login, password_of(login))

    @property
    def service_url(self) -> str:
        return self.url_of(SERVICE)

    def environment(self, login: str | None = None) -> dict[str, str]:
        """Settings for a child process; with `login` its password too."""
        found = {
            "DATABASE_URL": self.database.owner_url,
            "REDIS_URL": self.redis_url or "",
            "SENTRA_ROLE_PREFIX": self.database.prefix,
            "SENTRA_COUNTER": "Kasir 1",
            "SENTRA_DATA_DIR": str(LIVES),
        }
        return found if login is None else {**found, "SENTRA_PASSWORD": password_of(login)}

    # --- one line each ---------------------------------------------------------------------------------------------

    def book(
        self,
        who: Counter,
        period: RentalPeriod,
        unit: str | None = AVANZA,
        *,
        sku: str = SKU,
        order_id: str | None = None,
        phone: str = "0812 0000 1234",
        name: str = "Rina Maharani",
    ) -> BookedOrder:
        """Book one unit (or any, with None) for a new customer."""
        return self.order(who, [line(period, unit, sku)], order_id=order_id, phone=phone, name=name)

    def order(
        self,
        who: Counter,
        lines: Sequence[BookLine],
        *,
        order_id: str | None = None,
        phone: str = "0812 0000 1234",
        name: str = "Rina Maharani",
    ) -> BookedOrder:
        """Book an order of several lines."""
        request = BookRequest(
            order_id=order_id or str(uuid.uuid4()), lines=tuple(lines), customer_name=name, customer_phone=phone
        )
        return who.bookings.book(request)

    def open_shift(self, *cashiers: Counter) -> None:
        """An open shift for each of them, on a drawer of its own."""
        for cashier in cashiers:
            cashier.shifts.open_shift(f"Laci {cashier.who.login}", Rupiah(500_000))

    def settle(self, who: Counter, booked: BookedOrder, held: HeldLock | None = None) -> Receipt:
        """Open the invoice (unless it is held already) and pay it in exact cash."""
        lock = held or who.settlement.open_invoice(booked.invoice_id)
        return who.settlement.settle(lock.handle, who.new_id(), [cash(booked.total)])

    # --- time ------------------------------------------------------------------------------------------------------

    def now(self) -> dt.datetime:
        return self.database.clock.now()

    def stand(self, moment: dt.datetime) -> None:
        """It is this moment, until the clock is moved again."""
        self.database.clock.stand(moment)

    def after(self, **step: float) -> None:
        """Move the clock on, e.g. `after(minutes=15)`."""
        self.database.clock.advance(dt.timedelta(**step))

    # --- what is recorded ------------------------------------------------------------------------------------------

    def rows(self, statement: str, *params: object) -> list[tuple[object, ...]]:
        """Rows as the owner sees them."""
        with psycopg.connect(self.database.owner_url, autocommit=True) as connection:
            return connection.execute(statement.encode(), params or None).fetchall()

    def value(self, statement: str, *params: object) -> object:
        """The one value of a query."""
        ((found,),) = self.rows(statement, *params)
        return found

    def do(self, statement: str, *params: object) -> None:
        """A statement of a superuser, for faults that no use case makes."""
        with psycopg.connect(self.database.owner_url, autocommit=True) as connection:
            connection.execute(statement.encode(), params or None)

    def counts(self) -> dict[str, object]:
        """How many rows the tables have that bookings and money write: a refusal changes none of them."""
        names = ("booking_order", "booking", "occupancy", "invoice", "payment", "customer", "outbox", "audit", "shift")
        selects = ", ".join(f"(SELECT count(*) FROM sentra.{name}) AS {name}" for name in names)
        ((*found,),) = self.rows(f"SELECT {selects}")
        return dict(zip(names, found, strict=True))

    def state(self, booking_id: str) -> object:
        return self.value("SELECT state FROM sentra.booking WHERE id = %s", booking_id)

    @contextmanager
    def redis(self) -> Iterator[redis.Redis]:
        """A plain client of the test's Redis: what somebody sees who knows only the key names."""
        assert self.redis_url is not None
        with redis.Redis.from_url(self.redis_url) as client:
            yield client

    def bits(self, unit: str, month: str, sku: str = SKU) -> list[int]:
        """Days of `YYYYMM` whose bit is 1, by GETBIT; the key must be there."""
        with self.redis() as client:
            key = f"avail:{sku}:{unit}:{month}"
            assert client.exists(key), f"{key} is not built"
            return [day for day in range(1, 32) if client.getbit(key, day - 1)]

    def make_index_whole(self) -> None:
        """Build every unit's months, as the service does when it starts."""
        service = self.service()
        service.reconcile.run()

    def catch_up(self) -> None:
        """What the service does within its next seconds: no outside effect is left waiting."""
        self.service().sweeps.outbox()

    def claims(self) -> list[str]:
        """Claims and Redlocks that are open now."""
        with self.redis() as client:
            return [*map(str, client.zrange("aidx:claims", 0, -1)), *map(str, client.scan_iter("lock:*"))]

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        """Every bit and invariant, as found now."""
        doctor, close = open_doctor(self.settings())
        try:
            return doctor.examine(repair)
        finally:
            close()

    def assert_sound(self) -> None:
        """No invariant is broken, no bit differs, nothing is left claimed or locked in the index."""
        assert self.doctor().breaks == ()
        assert self.claims() == []

    def close_counters(self) -> None:
        """Everybody logs out; the installation stays."""
        while self._closers:
            closer = self._closers.pop()
            assert callable(closer)
            closer()

    def close(self) -> None:
        self.close_counters()


@contextmanager
def world_template(template: Template) -> Iterator[Template]:
    """The worker's template with branches, staff and fleet in it, for `open_world` to copy."""
    with template.copy() as filled:
        _fill(filled)
        yield Template(
            owner_url=template.owner_url, name=filled.name, prefix=template.prefix, passwords=template.passwords
        )


@contextmanager
def open_world(filled: Template, redis_url: str | None) -> Iterator[World]:
    """A world of one test's own, with everything in it closed at the end."""
    with filled.copy() as database:
        world = World(database=database, redis_url=redis_url)
        try:
            yield world
        finally:
            world.close()


def _fill(database: ScratchDatabase) -> None:
    settings = Settings(database_url=database.owner_url, redis_url=None, redlock_urls=None, role_prefix=database.prefix)
    place = Installation(settings)
    place.add_branch("JKT", "Jakarta Pusat", "Asia/Jakarta")
    place.add_branch("MKS", "Makassar", "Asia/Makassar")
    for login, branch, roles in STAFF:
        place.add_staff(login, login.capitalize(), branch, roles, password_of(login))
    place.service_url(SERVICE, "JKT", password_of(SERVICE))
    database.clock.stand(START)
    for login, content in _FLEET.items():  # without an index: the outbox rows that would tell it are done below
        counter = connect(settings, login, password_of(login))
        try:
            report = counter.fleet.import_fleet(content.encode())
            assert not report.refusals, report
        finally:
            counter.close()
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        connection.execute("UPDATE sentra.outbox SET done_at = sentra.now()")
        # One login is many counters of many tests here, all open to the end; how many it may have is a test of its own.
        for login in (SERVICE, *(login for login, _, _ in STAFF)):
            connection.execute(f'ALTER ROLE "{database.prefix}_{login}" CONNECTION LIMIT -1'.encode())
