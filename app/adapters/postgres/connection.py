"""Connections to PostgreSQL: URLs and the engine of one logged-in person."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

import psycopg
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DisconnectionError

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

CONNECT_TIMEOUT_SECONDS = 5
STATEMENT_TIMEOUT_MS = 15_000
LOCK_TIMEOUT_MS = 3_000
IDLE_IN_TRANSACTION_MS = 30_000
PING_AFTER_IDLE_SECONDS = 5.0
"""A connection idle for longer is checked before use; a check each time would cost every statement a round trip."""


def plain_url(url: str) -> str:
    """A URL as libpq, psql and psycopg read it (without SQLAlchemy's driver name).

    A server that is not on this machine is spoken to by TLS with its name checked, unless the URL says otherwise.
    """
    head, colon, rest = url.partition("://")
    if not colon or not head.startswith("postgres"):
        return url
    plain = f"postgresql{colon}{rest}"
    parts = urlsplit(plain)
    asked = parse_qs(parts.query)
    if "sslmode" in asked or _is_here(parts.hostname, asked):
        return plain
    tls = "sslmode=verify-full" + ("" if "sslrootcert" in asked else "&sslrootcert=system")
    return f"{plain}{'&' if parts.query else '?'}{tls}"


def _is_here(host: str | None, asked: dict[str, list[str]]) -> bool:
    """A socket's folder or a loopback address; a list of hosts is here when each of them is."""
    named = host or ",".join(asked.get("host", []))
    return all(one.startswith(("/", "@")) or one in _LOOPBACK for one in named.split(",") if one)


def driver_url(url: str) -> str:
    """The same URL with the driver SQLAlchemy shall use."""
    return "postgresql+psycopg" + plain_url(url).removeprefix("postgresql")


def person_url(base_url: str, role_name: str, password: str) -> str:
    """The server and database of `base_url`, logged in as this role; every sign of the password is allowed."""
    parts = urlsplit(plain_url(base_url))
    host = parts.netloc.rpartition("@")[2]
    netloc = f"{quote(role_name, safe='')}:{quote(password, safe='')}@{host}"
    return urlunsplit((parts.scheme, netloc, parts.path, parts.query, ""))


def make_engine(url: str, *, counter: str, pool_size: int = 2, life: PoolLife | None = None) -> Engine:
    """An engine for one person at one counter: few connections, checked after a rest, no endless wait.

    `counter` becomes the application name, which the audit trail records. Once `life` is over, what is given back is
    closed and nothing new is opened: a question that was on its way when the counter closed leaves no session behind.
    """
    options = (
        f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS}"
        f" -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS} -c timezone=UTC"
        " -c search_path=sentra,pg_temp"
    )
    engine = create_engine(
        driver_url(url),
        pool_size=pool_size,
        max_overflow=3,
        pool_timeout=CONNECT_TIMEOUT_SECONDS,
        pool_reset_on_return=None,  # who borrows a connection gives it back without a transaction
        isolation_level="READ COMMITTED",
        hide_parameters=True,  # they may be a customer's, and errors are logged
        connect_args={
            "application_name": f"sentra/{counter}"[:63],
            "connect_timeout": CONNECT_TIMEOUT_SECONDS,
            "keepalives": 1,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
            "options": options,
        },
    )
    life = life or PoolLife()

    def refuse_birth(_dialect: Any, _record: Any, _args: Any, _params: Any) -> None:
        if life.is_over:
            raise psycopg.OperationalError("this counter is closed")

    def note_birth(_connection: Any, record: Any) -> None:
        record.info["life"] = life
        record.info["born"] = time.monotonic()

    event.listen(engine, "do_connect", refuse_birth)
    event.listen(engine, "connect", note_birth)
    event.listen(engine, "checkin", _note_rest)
    event.listen(engine, "checkout", _check_after_rest)
    return engine


@dataclass(slots=True)
class PoolLife:
    """When a connection of this pool was last found dead: those that are older are not trusted any more. `is_over`: the
    counter is closed."""

    lost_at: float = float("-inf")
    is_over: bool = False


def _note_rest(connection: Any, record: Any) -> None:
    record.info["rests_since"] = time.monotonic()
    if connection is not None and record.info["life"].is_over:
        connection.close()


def _check_after_rest(connection: Any, record: Any, _proxy: Any) -> None:
    """Ask the server for a sign of life; the pool replaces a connection that gives none, and one that stood beside a
    connection which was lost: whatever ended that one (a restart, a cut wire) has most likely ended all."""
    life = record.info["life"]
    if life.is_over or record.info["born"] <= life.lost_at:
        raise DisconnectionError
    rested = time.monotonic() - record.info.get("rests_since", time.monotonic())
    if rested <= PING_AFTER_IDLE_SECONDS:
        return
    try:
        was = connection.autocommit
        connection.autocommit = True
        connection.execute("SELECT 1")
        connection.autocommit = was
    except connection.Error as error:
        raise DisconnectionError from error
