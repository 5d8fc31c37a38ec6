"""A whole installation for benchmarks: private PostgreSQL and Redis, one branch with a fleet, the index built.

`sentra.now()` is the real clock here: a driven one would cost both sides a table read per call.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg import sql

from app.adapters.postgres.connection import (
    IDLE_IN_TRANSACTION_MS,
    LOCK_TIMEOUT_MS,
    STATEMENT_TIMEOUT_MS,
    person_url,
)
from app.adapters.postgres.migrate import provision
from app.bootstrap import Counter, Installation, connect, open_service
from app.domain.staff import Role
from app.settings import Settings
from app.usecases.index_port import IndexedUnit
from tests.bench import fleet
from tests.support import cluster
from tests.support.databases import create_database, url_of

BRANCH = "JKT"
AGENT, CASHIER, MANAGER = "ayu", "budi", "maya"
_PASSWORD = "sandi-uji-kinerja"
_HEADING = "branch,sku,sku_name,category,daily_rate,deposit,turnaround_days,unit_id,plate,odometer,status\n"
_ROWS_AT_ONCE = 1_000
_PLATE_LETTERS = "ABCDEFGHIJKLMNOP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where clients of both sides find the servers; plain values, so that other processes can be given it."""

    owner_url: str
    redis_url: str
    prefix: str
    unit_count: int

    def settings(self, counter: str) -> Settings:
        return Settings(
            database_url=self.owner_url,
            redis_url=self.redis_url,
            redlock_urls=None,
            counter_name=counter,
            role_prefix=self.prefix,
        )

    def counter(self, login: str, name: str) -> Counter:
        """The product as this person uses it at one counter."""
        return connect(self.settings(name), login, _PASSWORD)

    def bare(self, login: str, name: str) -> psycopg.Connection:
        """The floor: the driver alone, logged in as the same person with the same settings of the session."""
        return psycopg.connect(
            person_url(self.owner_url, f"{self.prefix}_{login}", _PASSWORD),
            autocommit=True,
            application_name=f"sentra/{name}",
            options=f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS}"
            f" -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS} -c timezone=UTC"
            " -c search_path=sentra,pg_temp",
        )

    def owner(self) -> psycopg.Connection:
        """The superuser, to read what is written."""
        return psycopg.connect(self.owner_url, autocommit=True)

    def indexed_units(self) -> list[IndexedUnit]:
        """Every unit as the index knows it."""
        with self.owner() as connection:
            found = connection.execute("SELECT sku_id, id, slot FROM sentra.unit ORDER BY id").fetchall()
        return [IndexedUnit(sku=sku, unit_id=id, slot=slot) for sku, id, slot in found]

    def facts(self) -> dict[str, object]:
        with self.owner() as connection:
            return {"postgresql": connection.info.server_version, "units": self.unit_count, "fsync": "off"}


def unit_id(number: int) -> str:
    return f"uuid-avanza-{number:05d}"


@contextmanager
def open_place(unit_count: int) -> Iterator[Place]:
    """The servers with `unit_count` units of one SKU, all free, every month of the index built."""
    cluster.choose_folder()
    try:
        with cluster.join_cluster() as joined, fleet.private_redis() as server:
            name, prefix = "bench", f"b{secrets.token_hex(4)}"
            create_database(joined.database_url, name)
            place = Place(
                owner_url=url_of(joined.database_url, database=name),
                redis_url=server.url,
                prefix=prefix,
                unit_count=unit_count,
            )
            _fill(place)
            yield place
    finally:
        cluster.remove_folder()


def _let_a_crowd_in(place: Place, login: str) -> None:
    """A crowd of clients stands for many people here; one person's limit of connections is not what is measured."""
    role = sql.Identifier(f"{place.prefix}_{login}")
    with psycopg.connect(place.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT -1").format(role))


def _fill(place: Place) -> None:
    provision(place.owner_url, prefix=place.prefix)
    installation = Installation(place.settings("Kantor"))
    installation.add_branch(BRANCH, "Jakarta Pusat", "Asia/Jakarta")
    people = ((AGENT, Role.AGENT), (CASHIER, Role.CASHIER), (MANAGER, Role.MANAGER))
    for login, role in people:
        installation.add_staff(login, login.capitalize(), BRANCH, [role], _PASSWORD)
        _let_a_crowd_in(place, login)
    maya = place.counter(MANAGER, "Kantor")
    try:
        for first in range(0, place.unit_count, _ROWS_AT_ONCE):
            numbers = range(first, min(place.unit_count, first + _ROWS_AT_ONCE))
            report = maya.fleet.import_fleet((_HEADING + "".join(map(_row, numbers))).encode())
            assert report.added == len(numbers), report.refusals[:3]
    finally:
        maya.close()
    service = open_service(place.settings("service"))
    try:
        service.reconcile.run()
    finally:
        service.close()
    with place.owner() as owner:
        owner.execute("VACUUM ANALYZE")


def _row(number: int) -> str:
    return f"{BRANCH},{fleet.SKU},Avanza G,Mobil,350000,500000,0,{unit_id(number)},{_plate(number)},1000,IN_SERVICE\n"


def _plate(number: int) -> str:
    return f"B {1000 + number % 9000} X{_PLATE_LETTERS[number // 9000]}"
