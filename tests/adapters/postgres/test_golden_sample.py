"""An installation as the main job left it, restored and brought to today's schema: nothing is lost, work goes on."""

import datetime as dt
import gzip
import re
import secrets
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg import sql

from app.adapters.postgres.migrate import head_revision, provision, revision
from app.bootstrap import Counter, connect, open_doctor, open_service
from app.domain.days import Days
from app.domain.invoice import InvoiceState
from app.domain.staff import Role
from app.settings import Settings
from app.usecases.waitlist import WaitlistWish
from tests.support.clock import DrivenClock
from tests.support.databases import create_database, drop_database, url_of
from tests.support.world import cash, days, password_of

SAMPLE = Path(__file__).parents[2] / "golden" / "main_job.sql.gz"
MAIN_JOB = "0007_fleet_and_outbox"
NOW = dt.datetime(2026, 11, 30, 9, 22, tzinfo=ZoneInfo("Asia/Jakarta"))
"""Two minutes after the sample was taken: its unpaid bookings are still held."""
LOGINS = {
    "ayu": (Role.AGENT,),
    "siti": (Role.AGENT, Role.CASHIER),
    "dedi": (Role.INSPECTOR,),
    "budi": (Role.CASHIER,),
    "maya": (Role.MANAGER,),
    "rahmat": (Role.AGENT, Role.CASHIER),
    "hasnah": (Role.MANAGER,),
    "svc": (Role.SERVICE,),
}
STATES = {"PENDING_PAYMENT": 2, "PAID_APPROVED": 33, "ACTIVE_RENTAL": 8, "RETURNED_PENDING_CHECK": 1, "CANCELLED": 7}
GROWS = {"schema_version", "transition"}
"""Tables whose rows are the program's own: a migration may add to them."""

Rows = dict[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class Restored:
    """The restored database. `prefix` begins its roles, which are there before it, as on a server that is reused."""

    url: str
    prefix: str
    redis_url: str

    def settings(self, url: str | None = None) -> Settings:
        return Settings(
            database_url=url or self.url,
            redis_url=self.redis_url,
            redlock_urls=None,
            counter_name="Kasir 1",
            role_prefix=self.prefix,
        )

    def rows(self, columns: dict[str, list[str]]) -> Rows:
        """Every row of these tables in these columns, as text and in order."""
        found: Rows = {}
        with psycopg.connect(self.url, autocommit=True) as owner:
            for table, names in columns.items():
                statement = sql.SQL("SELECT ROW({})::text FROM sentra.{} AS t ORDER BY 1").format(
                    sql.SQL(", ").join(map(sql.Identifier, names)), sql.Identifier(table)
                )
                found[table] = [row[0] for row in owner.execute(statement)]
        return found

    def columns(self) -> dict[str, list[str]]:
        with psycopg.connect(self.url, autocommit=True) as owner:
            names = owner.execute(
                "SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position)"
                " FROM information_schema.columns WHERE table_schema = 'sentra' GROUP BY table_name"
            ).fetchall()
        return dict(names)

    def value(self, statement: str) -> object:
        with psycopg.connect(self.url, autocommit=True) as owner:
            row = owner.execute(statement.encode()).fetchone()
        assert row is not None
        return row[0]


@pytest.fixture
def restored(owner_url: str, redis_url: str) -> Iterator[Restored]:
    """The sample in a database of its own, still as it was."""
    prefix = f"g{secrets.token_hex(4)}"
    names = [f"e_{secrets.token_hex(6)}" for _ in range(2)]
    for name in names:
        create_database(owner_url, name)
    roles_only, url = (url_of(owner_url, database=name) for name in names)
    provision(roles_only, prefix=prefix)
    with psycopg.connect(url, autocommit=True) as owner:
        for login, roles in LOGINS.items():
            role_name = sql.Identifier(f"{prefix}_{login}")
            password = sql.Literal(password_of(login))
            owner.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(role_name, password))
            for role in roles:
                group = sql.Identifier(f"{prefix}_{role.value}")
                owner.execute(sql.SQL("GRANT {} TO {} WITH INHERIT TRUE, SET FALSE").format(group, role_name))
        owner.execute(gzip.decompress(SAMPLE.read_bytes()).replace(b"{{prefix}}", prefix.encode()))
    yield Restored(url=url, prefix=prefix, redis_url=redis_url)
    for name in names:
        drop_database(owner_url, name)


def test_the_main_jobs_installation_is_brought_to_todays_schema_with_every_row_it_had(restored: Restored) -> None:
    assert revision(restored.url) == MAIN_JOB
    columns = restored.columns()
    before = restored.rows(columns)
    assert len(before["booking"]) == sum(STATES.values())

    provision(restored.url, prefix=restored.prefix)
    provision(restored.url, prefix=restored.prefix)

    assert revision(restored.url) == head_revision() != MAIN_JOB
    after = restored.rows(columns)
    for table, rows in before.items():
        if table == "schema_version":
            continue
        assert set(rows) <= set(after[table]), table
        assert table in GROWS or len(after[table]) == len(rows), table


def test_people_go_on_working_in_it_and_the_doctor_finds_nothing(restored: Restored) -> None:
    provision(restored.url, prefix=restored.prefix)
    clock = DrivenClock(restored.url)
    clock.install()
    clock.stand(NOW)
    service_url = url_of(restored.url, user=f"{restored.prefix}_svc", password=password_of("svc"))
    service = open_service(restored.settings(service_url))
    service.reconcile.run()
    people = {login: connect(restored.settings(), login, password_of(login)) for login in LOGINS if login != "svc"}
    try:
        see_what_was_there(people)
        pay_what_waits(people["siti"])
        use_what_is_new(people)
        clock.advance(dt.timedelta(minutes=20))
        service.sweeps.expire()
        service.sweeps.outbox()
    finally:
        for person in people.values():
            person.close()
        service.close()
    assert restored.value("SELECT count(*) FROM sentra.booking WHERE state = 'PENDING_PAYMENT'") == 0
    doctor, close = open_doctor(restored.settings())
    try:
        assert doctor.examine(False).breaks == ()
    finally:
        close()


def see_what_was_there(people: dict[str, Counter]) -> None:
    december = days("2026-11-20", "2027-03-31")
    bars = people["ayu"].calendar.calendar(december).bars
    found = {state: sum(bar.state is not None and bar.state.value == state for bar in bars) for state in STATES}
    assert found == {**STATES, "CANCELLED": 0, "PAID_APPROVED": STATES["PAID_APPROVED"] - 1}  # one is Makassar's
    assert len(people["dedi"].maintenance.blocks(december)) == 3
    paid = people["budi"].settlement.invoices([InvoiceState.PAID])
    numbers = sorted(row.number for row in paid if row.number)
    assert numbers == [f"INV/JKT/202611/{n:05}" for n in range(1, len(numbers) + 1)]
    (hit,) = people["ayu"].customers.find_customers("contoh lunas")
    assert hit.customer.phone == "+6281255500002"
    assert people["rahmat"].calendar.calendar(december).bars[0].customer_name == "Contoh Makassar"


def pay_what_waits(siti: Counter) -> None:
    """The open invoice of an order that was cut to one unit; its number follows the last one given."""
    numbers = [row.number for row in siti.settlement.invoices([InvoiceState.PAID]) if row.number]
    (waiting,) = [row for row in siti.settlement.invoices([InvoiceState.OPEN]) if row.customer_name == "Contoh Separuh"]
    held = siti.settlement.open_invoice(waiting.id)
    receipt = siti.settlement.settle(held.handle, str(uuid.uuid4()), [cash(waiting.total)])
    last = max(int(re.findall(r"\d+$", number)[0]) for number in numbers)
    assert receipt.number == f"INV/JKT/202611/{last + 1:05}"


def use_what_is_new(people: dict[str, Counter]) -> None:
    wish = WaitlistWish(
        sku="TOY-INVZ-H",
        period=days("2026-12-24", "2026-12-26"),
        customer_name="Contoh Antre",
        customer_phone="0812 5550 0099",
    )
    assert people["ayu"].waitlist.join_waitlist(wish).entry.position == 1
    block = people["dedi"].maintenance.block_unit(
        "uuid-genset-001", Days(dt.date(2026, 12, 20), dt.date(2026, 12, 22)), "Servis genset"
    )
    assert people["dedi"].maintenance.end_block(block.row.id).freed
    people["hasnah"].holidays.set_holiday(dt.date(2026, 12, 3), "Hari jadi cabang")
