"""A database per test: copied from a template that is built once per worker, with login roles of its own prefix."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import quote

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from tests.support.clock import DrivenClock


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePasswords:
    """Passwords of login roles, given the first time a role is used; roles belong to the whole cluster."""

    owner_url: str
    _known: dict[str, str] = field(default_factory=dict)

    def of(self, role: str) -> str:
        """This role's password; the role must exist."""
        if role not in self._known:
            password = secrets.token_hex(12)
            with psycopg.connect(self.owner_url, autocommit=True) as connection:
                connection.execute(
                    sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), sql.Literal(password))
                )
            self._known[role] = password
        return self._known[role]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScratchDatabase:
    """One test's own database. `prefix` begins the names of its roles (`<prefix>_<login>`)."""

    owner_url: str
    prefix: str
    name: str
    clock: DrivenClock
    passwords: RolePasswords

    def url_for(self, login: str) -> str:
        """The URL an employee (or `service`) logs in with."""
        role = f"{self.prefix}_{login}"
        return url_of(self.owner_url, user=role, password=self.passwords.of(role))


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A provisioned database nobody is connected to, from which the tests' databases are copied."""

    owner_url: str
    name: str
    prefix: str
    passwords: RolePasswords

    @contextmanager
    def copy(self) -> Iterator[ScratchDatabase]:
        """A fresh copy, dropped afterwards whoever is still connected to it."""
        from app.adapters.postgres.migrate import role_names, seal_database  # heavy, and not every test has a database

        name = f"t_{secrets.token_hex(6)}"
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(
                    sql.Identifier(name), sql.Identifier(self.name)
                )
            )
            seal_database(connection, name, role_names(self.prefix))  # a copy does not inherit the rights on itself
        try:
            url = url_of(self.owner_url, database=name)
            yield ScratchDatabase(
                owner_url=url, prefix=self.prefix, name=name, clock=DrivenClock(url), passwords=self.passwords
            )
        finally:
            drop_database(self.owner_url, name)


def build_template(owner_url: str) -> Template:
    """A database with the product's schema, roles of a random prefix, and `sentra.now()` driven by a row."""
    from app.adapters.postgres.migrate import provision  # heavy, and not every test has a database

    prefix = f"t{secrets.token_hex(4)}"
    name = f"template_{prefix}"
    create_database(owner_url, name)
    url = url_of(owner_url, database=name)
    provision(url, prefix=prefix)
    DrivenClock(url).install()
    return Template(owner_url=owner_url, name=name, prefix=prefix, passwords=RolePasswords(owner_url=owner_url))


def create_database(owner_url: str, name: str) -> None:
    """An empty database."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


def drop_database(owner_url: str, name: str) -> None:
    """Drop a database; sessions in it are ended."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def url_of(url: str, *, database: str | None = None, user: str | None = None, password: str | None = None) -> str:
    """The same server's URL for another database or user."""
    parts = conninfo_to_dict(url)
    who = f"{quote(user or str(parts['user']), safe='')}:{quote(password or str(parts['password']), safe='')}"
    where = quote(str(parts["host"]), safe="")
    return f"postgresql://{who}@/{database or parts['dbname']}?host={where}&port={parts['port']}"
