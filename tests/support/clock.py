"""The clock of a test's database: a row says what `sentra.now()` is, or how far it is from the real time."""

from dataclasses import dataclass
from datetime import datetime

import psycopg


@dataclass(frozen=True, slots=True)
class DrivenClock:
    """Moves the database's time. Until it is set, it runs like the real one."""

    owner_url: str

    def install(self) -> None:
        """Replace the body of `sentra.now()`; nothing else in the database knows the difference."""
        from app.adapters.postgres.driven_clock import install_driven_clock  # loads the database driver

        install_driven_clock(self.owner_url)

    def now(self) -> datetime:
        """The database's time."""
        with psycopg.connect(self.owner_url) as connection:
            row = connection.execute("SELECT sentra.now()").fetchone()
        assert row is not None
        moment: datetime = row[0]
        return moment
