"""The clock of a test's database: a row says what `sentra.now()` is, or how far it is from the real time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import psycopg

from app.adapters.postgres.driven_clock import NOTE_CLOCK

_INSTALL = f"""
CREATE TABLE sentra.driven_clock (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    stands_at timestamptz,
    shift interval NOT NULL DEFAULT '0'
);
INSERT INTO sentra.driven_clock DEFAULT VALUES;
GRANT SELECT ON sentra.driven_clock TO PUBLIC;
CREATE OR REPLACE FUNCTION sentra.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT coalesce(stands_at, clock_timestamp()) + shift FROM sentra.driven_clock';
{NOTE_CLOCK}"""


@dataclass(frozen=True, slots=True)
class DrivenClock:
    """Moves the database's time; sessions see it at their next statement. Until then it is the real time."""

    owner_url: str

    def install(self) -> None:
        """Replace the body of `sentra.now()`; nothing else in the database knows the difference."""
        self._execute(_INSTALL)

    def stand(self, moment: datetime) -> datetime:
        """The time stands still at this moment, until it is moved again."""
        return self._execute("UPDATE sentra.driven_clock SET stands_at = %s, shift = '0'", moment)

    def run_from(self, moment: datetime) -> datetime:
        """It is this moment now, and time goes on from here."""
        return self._execute("UPDATE sentra.driven_clock SET stands_at = NULL, shift = %s - clock_timestamp()", moment)

    def advance(self, step: timedelta) -> datetime:
        """Move on (or back) by this much; it stands or runs as before. Gives the new time."""
        return self._execute("UPDATE sentra.driven_clock SET shift = shift + %s", step)

    def now(self) -> datetime:
        """The database's time."""
        return self._execute("SELECT 1")

    def _execute(self, statement: str, value: datetime | timedelta | None = None) -> datetime:
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            connection.execute(statement.encode(), None if value is None else (value,))
            row = connection.execute("SELECT sentra.now()").fetchone()
        assert row is not None
        moment: datetime = row[0]
        return moment
