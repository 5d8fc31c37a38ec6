"""Two branches with people, a small fleet and a standing clock, for the tests of the write side.

Everything is made by the product's own functions; people act through `PostgresStore`, each with the own login.
"""

from __future__ import annotations

import datetime as dt
import secrets
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import psycopg

from app.adapters.postgres.owner_steps import add_branch, add_staff
from app.adapters.postgres.staff import scram_verifier
from app.adapters.postgres.store import PostgresStore
from app.domain.booking import Action, Source
from app.domain.catalogue import Sku
from app.domain.days import Days, RentalPeriod
from app.domain.invoice import TenderKind, TenderRow
from app.domain.money import Rupiah
from app.domain.pricing import QuoteLine, quote
from app.domain.staff import Branch
from app.usecases.rows import (
    BookedOrder,
    EndedBooking,
    FleetRow,
    LockAnswer,
    NewBooking,
    NewCustomer,
    NewOrder,
    NewPayment,
    SettleAnswer,
    SettleOutcome,
    Taken,
)
from tests.support.databases import ScratchDatabase

T = TypeVar("T")

START = dt.datetime(2027, 3, 1, 2, 0, tzinfo=dt.UTC)  # 09.00 in Jakarta
JAKARTA = Branch(
    id="JKT",
    code="JKT",
    name="Jakarta",
    zone=ZoneInfo("Asia/Jakarta"),
    has_ppn=True,
    prices_include_ppn=True,
    cash_rounding=0,
    opens_at="08:00",
    closes_at="20:00",
)
AVZ = Sku(
    code="AVZ",
    name="Avanza",
    category="MPV",
    daily_rate=Rupiah(300_000),
    deposit=Rupiah(500_000),
    turnaround_days=0,
)
PEOPLE = (  # login, branch, roles
    ("rina", "JKT", ("agent",)),
    ("gilang", "JKT", ("inspector",)),
    ("bayu", "JKT", ("cashier",)),
    ("citra", "JKT", ("cashier",)),
    ("mega", "JKT", ("manager",)),
    ("jaga", "JKT", ("service",)),
    ("tono", "MKS", ("agent", "cashier")),
    ("hesti", "MKS", ("manager",)),
)


def march(day: int) -> dt.date:
    return dt.date(2027, 3, day)


@dataclass(slots=True)
class WriteRig:
    """What a test arranges with and looks at. `owner` is a superuser's connection, each statement committed."""

    database: ScratchDatabase
    owner: psycopg.Connection[tuple[Any, ...]]
    _stores: list[PostgresStore] = field(default_factory=list)
    _by_login: dict[str, PostgresStore] = field(default_factory=dict)

    def furnish(self) -> None:
        """Branches, people, three units of AVZ in Jakarta and one in Makassar."""
        self.database.clock.stand(START)
        add_branch(self.database.owner_url, code="JKT", name="Jakarta", zone="Asia/Jakarta")
        add_branch(self.database.owner_url, code="MKS", name="Makassar", zone="Asia/Makassar")
        for login, branch, roles in PEOPLE:
            self.hire(login, branch, roles)
        self.import_units("mega", "JKT", ["AVZ-01", "AVZ-02", "AVZ-03"])
        self.import_units("hesti", "MKS", ["AVZ-91"])
        self.owner.execute("UPDATE sentra.outbox SET done_at = sentra.now()")

    def hire(self, login: str, branch: str, roles: Sequence[str]) -> None:
        """A login role outlives its test's database: one that is there keeps its password."""
        role = f"{self.database.prefix}_{login}"
        known = self.owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
        password = self.database.passwords.of(role) if known else secrets.token_hex(8)
        add_staff(
            self.database.owner_url,
            login=login,
            name=login.title(),
            branch=branch,
            roles=roles,
            verifier=scram_verifier(password),
        )

    def role(self, login: str) -> str:
        return f"{self.database.prefix}_{login}"

    def store(self, login: str) -> PostgresStore:
        """This person's one store at counter K1."""
        if login not in self._by_login:
            self._by_login[login] = self.new_store(login)
        return self._by_login[login]

    def new_store(self, login: str, *, url: str | None = None, counter: str = "K1", **options: Any) -> PostgresStore:
        """Another process of the same person, as far as the database can tell."""
        made = PostgresStore(url or self.database.url_for(login), counter=counter, **options)
        self._stores.append(made)
        return made

    def psql(self, login: str) -> psycopg.Connection[tuple[Any, ...]]:
        """A bare connection of this person, each statement committed; close it."""
        return psycopg.connect(self.database.url_for(login), autocommit=True)

    def close(self) -> None:
        for store in self._stores:
            store.close()

    # --- the fleet

    def import_units(self, login: str, branch: str, unit_ids: Sequence[str], sku: Sku = AVZ) -> None:
        rows = [fleet_row(unit_id, branch, sku=sku, line=line) for line, unit_id in enumerate(unit_ids, start=2)]
        outcomes = self.store(login).transact(lambda tx: tx.import_fleet(rows))
        assert {item.outcome for item in outcomes} <= {"added", "changed"}, outcomes

    # --- bookings

    def book(self, *unit_ids: str, first: dt.date, last: dt.date, login: str = "rina", **options: Any) -> BookedOrder:
        """Book and insist on it."""
        answer = self.try_book(new_order(unit_ids, first, last, **options), login)
        assert isinstance(answer, BookedOrder), answer
        return answer

    def try_book(self, order: NewOrder, login: str = "rina") -> BookedOrder | Taken:
        return book_with(self.store(login), order)

    def cancel(self, booking_id: str, login: str = "rina") -> EndedBooking:
        return cancel_with(self.store(login), booking_id)

    def expire(self) -> tuple[EndedBooking, ...]:
        return self.store("jaga").transact(lambda tx: tx.expire_next())

    def minutes_pass(self, minutes: float) -> None:
        self.database.clock.advance(dt.timedelta(minutes=minutes))

    # --- locks and money

    def take(self, invoice_id: str, login: str = "bayu", counter: str = "K1") -> tuple[str, LockAnswer]:
        token = secrets.token_urlsafe(32)
        return token, self.store(login).transact(lambda tx: tx.take_lock(invoice_id, token, counter))

    def open_shift(self, login: str = "bayu") -> None:
        drawer = f"Laci {login}"
        self.store(login).transact(lambda tx: tx.open_shift(drawer, Rupiah(200_000), "K1"))

    def settle(self, payment: NewPayment, login: str = "bayu") -> SettleAnswer:
        return self.store(login).transact(lambda tx: tx.settle(payment))

    def pay(self, booked: BookedOrder, login: str = "bayu") -> SettleAnswer:
        """Open, pay in cash, and insist on it."""
        token, lock = self.take(booked.invoice_id, login)
        answer = self.settle(new_payment(booked, token, lock.epoch), login)
        assert answer.outcome is SettleOutcome.PAID, answer
        return answer

    # --- what is there

    def value(self, statement: str, *parameters: object) -> Any:
        row = self.owner.execute(statement.encode(), parameters or None).fetchone()
        assert row is not None
        return row[0]

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self.owner.execute(statement.encode(), parameters or None).fetchall()

    def state_of(self, booking_id: str) -> str:
        return str(self.value("SELECT state FROM sentra.booking WHERE id = %s", booking_id))

    def taken(self, unit_id: str) -> list[tuple[dt.date, dt.date]]:
        """Active stretches of a unit, both ends taken."""
        found = self.rows(
            "SELECT lower(days), upper(days) - 1 FROM sentra.occupancy WHERE unit_id = %s AND active ORDER BY 1",
            unit_id,
        )
        return [(first, last) for first, last in found]

    def insist_on_invariants(self) -> None:
        """Every invariant that lives in PostgreSQL holds once the service has worked off its outbox."""
        service = self.store("jaga")
        due = service.transact(lambda tx: tx.claim_outbox(["project_units"], 1000, 30))
        service.transact(lambda tx: tx.finish_outbox([row.id for row in due]))
        assert self.store("jaga").read.breaks() == ()


def book_with(store: PostgresStore, order: NewOrder) -> BookedOrder | Taken:
    """As the use case does: a blocked order leaves the transaction."""

    def work(tx: Any) -> BookedOrder:
        answer = tx.book(order)
        if isinstance(answer, Taken):
            raise RolledBackError(answer)
        assert isinstance(answer, BookedOrder)
        return answer

    try:
        return store.transact(work)
    except RolledBackError as blocked:
        return blocked.taken


def cancel_with(store: PostgresStore, booking_id: str) -> EndedBooking:
    return store.transact(lambda tx: tx.end_booking(booking_id, Action.CANCEL, "batal"))


class RolledBackError(Exception):
    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken


def new_order(
    unit_ids: Sequence[str],
    first: dt.date,
    last: dt.date,
    *,
    order_id: str | None = None,
    phone: str = "+6281234567890",
    name: str = "Sari Dewi",
    customer_id: str | None = None,
    sku: Sku = AVZ,
    branch: Branch = JAKARTA,
) -> NewOrder:
    """An order priced by the product's rules."""
    order = order_id or str(uuid.uuid4())
    period = RentalPeriod(first, last)
    ids = [str(uuid.uuid5(uuid.UUID(order), str(number))) for number in range(len(unit_ids))]
    priced = quote(branch, [QuoteLine(booking_id=one, sku=sku, period=period) for one in ids], START.date())
    assert priced.ppn is not None
    customer = NewCustomer(id=str(uuid.uuid4()), name=name, phone=phone)
    return NewOrder(
        id=order,
        customer_id=customer_id,
        new_customer=None if customer_id else customer,
        bookings=tuple(
            NewBooking(
                id=booking_id,
                unit_id=unit_id,
                sku=sku,
                period=period,
                taken=period.with_turnaround(sku.turnaround_days),
                pickup_at=dt.datetime.combine(first, dt.time(8), branch.zone),
                due_at=dt.datetime.combine(last, dt.time(20), branch.zone),
            )
            for booking_id, unit_id in zip(ids, unit_ids, strict=True)
        ),
        invoice_id=str(uuid.uuid5(uuid.UUID(order), "RENTAL")),
        lines=priced.lines,
        base=priced.ppn.base,
        dpp=priced.ppn.dpp,
        ppn=priced.ppn.tax,
        total=priced.total,
        source=Source.COUNTER,
        note="",
        counter="K1",
    )


def new_payment(
    booked: BookedOrder, token: str, epoch: int, *, attempt_id: str | None = None, change: int = 0
) -> NewPayment:
    """All of it in cash, with this much handed over too much."""
    tender = TenderRow(kind=TenderKind.CASH, amount=booked.total, received=Rupiah(booked.total + change))
    return NewPayment(
        id=str(uuid.uuid4()),
        attempt_id=attempt_id or str(uuid.uuid4()),
        invoice_id=booked.invoice_id,
        token=token,
        epoch=epoch,
        amount=booked.total,
        change=Rupiah(change),
        tenders=(tender,),
        counter="K1",
    )


def fleet_row(unit_id: str, branch: str = "JKT", *, sku: Sku = AVZ, line: int = 2, **other: Any) -> FleetRow:
    values: dict[str, Any] = {"plate": f"B {unit_id}", "colour": "putih", "odometer": 1000, "status": "IN_SERVICE"}
    return FleetRow(line=line, branch_code=branch, sku=sku, unit_id=unit_id, **{**values, **other})


def at_once(works: Iterable[Callable[[], T]]) -> list[T | BaseException]:
    """Run all in threads that start together; what each gave or raised, in order."""
    import threading

    jobs = list(works)
    gate = threading.Barrier(len(jobs))

    def run(work: Callable[[], T]) -> T | BaseException:
        gate.wait(timeout=30)
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            return error

    with ThreadPoolExecutor(max_workers=len(jobs)) as pool:
        return list(pool.map(run, jobs))


def stretch(first: int, last: int) -> Days:
    return Days(march(first), march(last))
