"""A clock that a row drives, in place of `sentra.now()`'s body: for test databases and the self-check's own folder.

Until it is set it runs like the real one.
"""

from __future__ import annotations

import datetime as dt

import psycopg

from app.adapters.postgres.connection import plain_url

# The one guard that may change: its body is noted anew, nothing else.
NOTE_CLOCK = """
UPDATE sentra.guard AS g SET made = n.made FROM sentra.guards_now() AS n
WHERE (g.kind, g.name) = ('function', 'now()') AND (n.kind, n.of_table, n.name) = (g.kind, g.of_table, g.name);
"""

_INSTALL = f"""
CREATE TABLE IF NOT EXISTS sentra.driven_clock (
    only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    stands_at timestamptz,
    shift     interval NOT NULL DEFAULT '0'
);
INSERT INTO sentra.driven_clock DEFAULT VALUES ON CONFLICT DO NOTHING;
GRANT SELECT ON sentra.driven_clock TO PUBLIC;
CREATE OR REPLACE FUNCTION sentra.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT coalesce(c.stands_at, clock_timestamp()) + c.shift FROM sentra.driven_clock AS c';
{NOTE_CLOCK}"""

_REMOVE = f"""
CREATE OR REPLACE FUNCTION sentra.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';
DROP TABLE IF EXISTS sentra.driven_clock;
{NOTE_CLOCK}"""


def install_driven_clock(owner_url: str) -> None:
    """Replace the body of `sentra.now()`; nothing else in the database knows the difference."""
    _run(owner_url, _INSTALL)


def set_clock(owner_url: str, moment: dt.datetime) -> None:
    """Stand still at this moment (aware) until it is set or moved again."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs its zone")
    _run(owner_url, "UPDATE sentra.driven_clock SET stands_at = %s, shift = '0'", moment)


def read_clock(owner_url: str) -> dt.datetime:
    """What `sentra.now()` says, driven or real."""
    with psycopg.connect(plain_url(owner_url), autocommit=True, connect_timeout=5) as connection:
        row = connection.execute("SELECT sentra.now()").fetchone()
    if row is None:
        raise LookupError("the database told no time")
    moment: dt.datetime = row[0]
    return moment


def advance_clock(owner_url: str, by: dt.timedelta) -> None:
    """Move on (or back); a standing clock stays standing, a running one goes on running."""
    _run(owner_url, "UPDATE sentra.driven_clock SET shift = shift + %s", by)


def let_clock_run(owner_url: str, at: dt.datetime | None = None) -> None:
    """Run from this moment on (None: from the real time)."""
    _run(
        owner_url,
        "UPDATE sentra.driven_clock SET stands_at = NULL, shift = coalesce(%s::timestamptz - clock_timestamp(), '0')",
        at,
    )


def _run(owner_url: str, statement: str, *params: object) -> None:
    with psycopg.connect(plain_url(owner_url), autocommit=True, connect_timeout=5) as connection:
        connection.execute(statement.encode(), params or None)


def remove_driven_clock(owner_url: str) -> None:
    """Give `sentra.now()` its own body back: the real time."""
    _run(owner_url, _REMOVE)
