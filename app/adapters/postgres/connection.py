"""Connections to PostgreSQL: URLs and the engine of one logged-in person."""

from __future__ import annotations

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import make_url

CONNECT_TIMEOUT_SECONDS = 5
STATEMENT_TIMEOUT_MS = 15_000
LOCK_TIMEOUT_MS = 3_000
IDLE_IN_TRANSACTION_MS = 30_000


def plain_url(url: str) -> str:
    """A URL as libpq, psql and psycopg read it (without SQLAlchemy's driver name)."""
    head, colon, rest = url.partition("://")
    return f"postgresql{colon}{rest}" if colon and head.startswith("postgres") else url


def driver_url(url: str) -> str:
    """The same URL with the driver SQLAlchemy shall use."""
    return "postgresql+psycopg" + plain_url(url).removeprefix("postgresql")


def person_url(base_url: str, role_name: str, password: str) -> str:
    """The server and database of `base_url`, logged in as this role."""
    url = make_url(driver_url(base_url)).set(username=role_name, password=password)
    return plain_url(url.render_as_string(hide_password=False))


def make_engine(url: str, *, counter: str, pool_size: int = 2) -> Engine:
    """An engine for one person at one counter: few connections, each checked before use, nothing waits for ever.

    `counter` becomes the application name, which the audit trail records.
    """
    options = (
        f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS}"
        f" -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS} -c timezone=UTC"
        " -c search_path=sentra,pg_temp"
    )
    return create_engine(
        driver_url(url),
        pool_size=pool_size,
        max_overflow=3,
        pool_timeout=CONNECT_TIMEOUT_SECONDS,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
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
