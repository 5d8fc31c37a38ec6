"""Arranges branches, staff, units, bookings and invoices for the tests of the read side, by plain inserts as owner.

The product's triggers are on: what is arranged here is what the product could have written.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb
from sqlalchemy import Engine

from app.adapters.postgres.connection import make_engine
from app.adapters.postgres.reads import PostgresReads
from tests.support.databases import ScratchDatabase

ZONES = {"JKT": "Asia/Jakarta", "MKS": "Asia/Makassar", "DJJ": "Asia/Jayapura"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """What one arranged booking is called."""

    id: str
    number: str
    order_id: str
    invoice_id: str


@dataclass(slots=True)
class Rig:
    """A database under a test's hand; ids and numbers are what the test says."""

    database: ScratchDatabase
    owner: psycopg.Connection[tuple[object, ...]]
    _engines: list[Engine] = field(default_factory=list)

    def branch(self, code: str) -> str:
        self.owner.execute(
            "INSERT INTO sentra.branch (id, code, name, zone) VALUES (%s, %s, %s, %s)",
            (code, code, f"Cabang {code}", ZONES[code]),
        )
        return code

    def staff(self, login: str, branch: str, *roles: str, name: str = "") -> str:
        """A login role of this name (made once per cluster) and its staff row; gives the role's name."""
        role = f"{self.database.prefix}_{login}"
        if not self.owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            self.owner.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        for group in roles:
            grant = sql.SQL("GRANT {} TO {}")
            self.owner.execute(grant.format(sql.Identifier(f"{self.database.prefix}_{group}"), sql.Identifier(role)))
        self.owner.execute(
            "INSERT INTO sentra.staff (login, role_name, name, branch_id) VALUES (%s, %s, %s, %s)",
            (login, role, name or login.title(), branch),
        )
        return role

    def reads(self, login: str) -> PostgresReads:
        """The read side as this person."""
        return PostgresReads(self.engine(self.database.url_for(login)))

    def owner_reads(self) -> PostgresReads:
        return PostgresReads(self.engine(self.database.owner_url))

    def engine(self, url: str) -> Engine:
        self._engines.append(make_engine(url, counter="Kasir 1"))
        return self._engines[-1]

    def sku(self, code: str, *, rate: int = 350_000, deposit: int = 500_000, turnaround: int = 0) -> str:
        self.owner.execute(
            "INSERT INTO sentra.sku (id, name, category, daily_rate, deposit, turnaround_days)"
            " VALUES (%s, %s, 'MPV', %s, %s, %s)",
            (code, f"Nama {code}", rate, deposit, turnaround),
        )
        return code

    def units(self, sku: str, branch: str, count: int, *, status: str = "IN_SERVICE") -> list[str]:
        """`count` more units of a SKU, named `<sku>-001` and on in lower case, in slot order."""
        rows = self.owner.execute(
            """WITH counter AS (UPDATE sentra.sku SET next_slot = next_slot + %(count)s WHERE id = %(sku)s
                                RETURNING next_slot - %(count)s AS base)
               INSERT INTO sentra.unit (id, sku_id, branch_id, slot, plate, status)
               SELECT lower(%(sku)s) || '-' || lpad((base + n)::text, 3, '0'), %(sku)s, %(branch)s, base + n - 1,
                      'B ' || (1000 + base + n) || ' XYZ', %(status)s
               FROM counter, generate_series(1, %(count)s) AS n
               RETURNING id, slot""",
            {"count": count, "sku": sku, "branch": branch, "status": status},
        ).fetchall()
        return [str(unit_id) for unit_id, _ in sorted(rows, key=lambda row: row[1])]  # type: ignore[arg-type, return-value]

    def customer(self, name: str, phone: str) -> str:
        customer_id = str(uuid.uuid4())
        self.owner.execute(
            "INSERT INTO sentra.customer (id, name, phone) VALUES (%s, %s, %s)",
            (customer_id, name, phone),
        )
        return customer_id

    def book(
        self, units: str | Sequence[str], first: str, last: str, *, customer: str, deadline: dt.timedelta | None = None
    ) -> list[Booked]:
        """One order of these units over the same days, PENDING_PAYMENT, with its invoice of rent and deposit lines."""
        order, invoice = str(uuid.uuid4()), str(uuid.uuid4())
        wanted = [units] if isinstance(units, str) else list(units)
        days = (dt.date.fromisoformat(first), dt.date.fromisoformat(last))
        found = []
        with self.owner.transaction():
            for line, unit in enumerate(wanted, start=1):
                found.append(self._book_one(order, invoice, unit, days, customer, line, deadline))
            self._invoice(order, invoice, customer, found)
        return found

    def _book_one(
        self,
        order: str,
        invoice: str,
        unit: str,
        days: tuple[dt.date, dt.date],
        customer: str,
        line: int,
        deadline: dt.timedelta | None,
    ) -> Booked:
        row = self.owner.execute(
            "SELECT u.branch_id, u.sku_id, k.daily_rate, k.deposit, k.turnaround_days, br.zone, sentra.now()"
            " FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id JOIN sentra.branch br ON br.id = u.branch_id"
            " WHERE u.id = %s",
            (unit,),
        ).fetchone()
        assert row is not None
        branch, sku, rate, deposit, turnaround, zone, now = row
        assert isinstance(zone, str)
        assert isinstance(now, dt.datetime)
        tz = ZoneInfo(zone)
        self.owner.execute(
            "INSERT INTO sentra.booking_order (id, branch_id, source, fingerprint, counter)"
            " VALUES (%s, %s, 'COUNTER', 'x', 'Kasir 1') ON CONFLICT (id) DO NOTHING",
            (order, branch),
        )
        booking, number = str(uuid.uuid4()), f"BK-{uuid.uuid4().hex[:8]}"
        self.owner.execute(
            """INSERT INTO sentra.booking (id, number, order_id, line_no, branch_id, unit_id, sku_id, customer_id,
                   first_day, last_day, pickup_at, due_at, state, payment_deadline, source, daily_rate, deposit,
                   turnaround_days, last_action)
               VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 'PENDING_PAYMENT', %s, 'COUNTER', %s, %s, %s,
                       'create')""",
            (
                *(booking, number, order, line, branch, unit, sku, customer, *days),
                dt.datetime.combine(days[0], dt.time(8), tz),
                dt.datetime.combine(days[1], dt.time(20), tz),
                now + (deadline or dt.timedelta(minutes=15)),
                *(rate, deposit, turnaround),
            ),
        )
        self.owner.execute(
            "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
            " VALUES (%s, %s, %s, daterange(%s, %s + %s::integer, '[]'), 'BOOKING', %s)",
            (unit, sku, branch, days[0], days[1], turnaround, booking),
        )
        return Booked(id=booking, number=number, order_id=order, invoice_id=invoice)

    def _invoice(self, order: str, invoice: str, customer: str, bookings: Sequence[Booked]) -> None:
        self.owner.execute(
            """INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total)
               SELECT %s, %s, min(b.branch_id), %s, 'RENTAL', 0, 0, 0,
                      sum(b.daily_rate * (b.last_day - b.first_day + 1) + b.deposit)
               FROM sentra.booking b WHERE b.order_id = %s""",
            (invoice, order, customer, order),
        )
        for place, booked in enumerate(bookings):
            self.owner.execute(
                """INSERT INTO sentra.invoice_line (invoice_id, line_no, branch_id, booking_id, kind, text, quantity,
                       unit_price, amount, taxable)
                   SELECT %s, %s + row_number() OVER (), b.branch_id, b.id, v.kind, b.sku_id, v.quantity, v.price,
                          v.quantity * v.price, v.kind = 'RENT'
                   FROM sentra.booking b CROSS JOIN LATERAL (VALUES
                       ('RENT', b.last_day - b.first_day + 1, b.daily_rate), ('DEPOSIT', 1, b.deposit)
                   ) AS v (kind, quantity, price)
                   WHERE b.id = %s""",
                (invoice, 2 * place, booked.id),
            )

    def move(self, booking: str, state: str, action: str) -> None:
        """One transition without any other effect on the days."""
        self.owner.execute(
            "UPDATE sentra.booking SET state = %s, last_action = %s WHERE id = %s", (state, action, booking)
        )

    def end(self, booking: str, state: str = "CANCELLED", action: str = "cancel") -> None:
        """A final transition, with the booking's days freed."""
        with self.owner.transaction():
            self.move(booking, state, action)
            self.owner.execute("UPDATE sentra.occupancy SET active = false WHERE booking_id = %s", (booking,))

    def walk(self, booking: str, *steps: tuple[str, str]) -> None:
        for state, action in steps:
            self.move(booking, state, action)

    def complete(self, booking: str) -> None:
        """From PENDING_PAYMENT through the whole rental to COMPLETED."""
        self.walk(
            booking,
            ("PAID_APPROVED", "pay"),
            ("DISPATCHED", "check_out"),
            ("ACTIVE_RENTAL", "hand_over"),
            ("RETURNED_PENDING_CHECK", "check_in"),
        )
        self.end(booking, "COMPLETED", "clear")

    def maintenance(self, unit: str, first: str, last: str, reason: str = "Servis") -> str:
        block = str(uuid.uuid4())
        with self.owner.transaction():
            self.owner.execute(
                """INSERT INTO sentra.maintenance (id, unit_id, branch_id, days, state, reason)
                   SELECT %s, u.id, u.branch_id, daterange(%s, %s, '[]'), 'SCHEDULED', %s
                   FROM sentra.unit u WHERE u.id = %s""",
                (block, first, last, reason, unit),
            )
            self.owner.execute(
                """INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, maintenance_id)
                   SELECT u.id, u.sku_id, u.branch_id, daterange(%s, %s, '[]'), 'MAINTENANCE', %s
                   FROM sentra.unit u WHERE u.id = %s""",
                (first, last, block, unit),
            )
        return block

    def overdue(self, booking: str, first: str, last: str) -> None:
        """An OVERDUE layer of an active booking."""
        self.owner.execute(
            """INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)
               SELECT b.unit_id, b.sku_id, b.branch_id, daterange(%s, %s, '[]'), 'OVERDUE', b.id
               FROM sentra.booking b WHERE b.id = %s""",
            (first, last, booking),
        )

    def lock(self, invoice: str, role: str, counter: str, seconds: int) -> None:
        """Lock an invoice for somebody, from the database's now on."""
        self.owner.execute(
            """UPDATE sentra.invoice SET locked_by = %s, locked_counter = %s, locked_at = sentra.now(),
                   locked_until = sentra.now() + %s * interval '1 second', lock_token = repeat('x', 43),
                   lock_epoch = lock_epoch + 1
               WHERE id = %s""",
            (role, counter, seconds, invoice),
        )

    def pay(self, booked: Booked, role: str) -> str:
        """Settle an invoice in cash as somebody, writing what a settlement writes."""
        payment = str(uuid.uuid4())
        with self.owner.transaction():
            self.lock(booked.invoice_id, "postgres", "Kasir 1", 60)
            self.owner.execute(
                """INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, change, attempt_id, lock_epoch,
                       paid_at, counter)
                   SELECT %s, i.id, i.branch_id, i.total, 500, %s, i.lock_epoch, sentra.now(), 'Kasir 1'
                   FROM sentra.invoice i WHERE i.id = %s""",
                (payment, f"attempt-{payment}", booked.invoice_id),
            )
            self.owner.execute(
                """INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received)
                   SELECT p.id, 1, p.branch_id, 'CASH', p.amount, p.amount + 500
                   FROM sentra.payment p WHERE p.id = %s""",
                (payment,),
            )
            self.owner.execute(
                """UPDATE sentra.invoice SET state = 'PAID', paid = total, number = %s, settled_at = sentra.now(),
                       issued_on = sentra.now()::date, locked_by = NULL, locked_until = NULL, lock_token = NULL,
                       locked_at = NULL, locked_counter = NULL
                   WHERE id = %s""",
                (f"INV/{payment[:8]}", booked.invoice_id),
            )
            self.owner.execute(
                "INSERT INTO sentra.audit (action, subject, after) VALUES ('settle', %s, %s)",
                (booked.invoice_id, Jsonb({"state": "PAID", "by": role})),
            )
            self.owner.execute(
                "UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay', payment_deadline = NULL"
                " WHERE order_id = %s",
                (booked.order_id,),
            )
        return payment


@contextmanager
def open_rig(database: ScratchDatabase) -> Iterator[Rig]:
    """The rig of one test; every connection is closed at its end."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        rig = Rig(database, owner)
        try:
            yield rig
        finally:
            for engine in rig._engines:
                engine.dispose()
