"""The stage: private servers with the demo branch at a fixed moment: pictures change only when the product does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import psycopg

from app.adapters.postgres.store import PostgresStore
from app.embedded.join import join
from app.embedded.options import SupervisorOptions
from app.installation import HistoryClock, Installation
from app.settings import Settings

MOMENT = dt.datetime(2026, 11, 30, 14, 5, 10, tzinfo=ZoneInfo("Asia/Jakarta"))
HOOK = "tests.screenshots.stage:prepare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Settings for a counter on the stage, and its clock."""

    settings: Settings
    clock: HistoryClock
    owner_url: str = ""

    def counter(self, name: str) -> Settings:
        """The same servers, seen from another counter."""
        return self.settings.model_copy(update={"counter_name": name})


def prepare(*, owner_url: str, redis_url: str | None, data_dir: str, driven_clock: bool) -> dict[str, object]:
    """As the product prepares a data folder, with the demo's history ending at MOMENT."""
    from app.embedded.set_up import prepare as prepare_product

    place = Installation(Settings(database_url=owner_url, redis_url=redis_url, role_prefix="sentra"))
    place.migrate()
    place.drive_clock()
    HistoryClock(owner_url).set(MOMENT)
    return prepare_product(owner_url=owner_url, redis_url=redis_url, data_dir=data_dir, driven_clock=True)


@contextmanager
def stage() -> Iterator[Stage]:
    """Servers of this run alone, the clock standing at MOMENT; no service, so that nothing changes by itself."""
    with TemporaryDirectory(prefix="shots-") as folder:
        options = SupervisorOptions(prepare=HOOK, service=None, driven_clock=True, grace=1.0)
        with join(Path(folder) / "data", options) as joined:
            clock = HistoryClock(joined.database_url)
            clock.set(MOMENT)
            _take_late_days(joined.database_url)
            _let_a_service_run(joined.database_url)
            settings = Settings(
                database_url=joined.database_url,
                redis_url=joined.redis_url,
                data_dir=Path(folder) / "counter",
                counter_name="Kasir 1",
                role_prefix="sentra",
            )
            yield Stage(settings=settings, clock=clock, owner_url=joined.database_url)


def _take_late_days(owner_url: str) -> None:
    """What a day's turn leaves behind: units that are late or unchecked take today and tomorrow."""
    with psycopg.connect(owner_url, autocommit=True) as link:
        link.execute(
            "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
            " SELECT o.unit_id, o.sku_id, o.branch_id, daterange(%(today)s, %(today)s + 2), 'OVERDUE', b.id"
            " FROM sentra.booking b JOIN sentra.occupancy o ON o.booking_id = b.id AND o.active"
            " WHERE b.last_day < %(today)s AND b.state IN"
            " ('DISPATCHED', 'ACTIVE_RENTAL', 'EXTENSION_PENDING', 'RETURNED_PENDING_CHECK', 'DISPUTED')",
            {"today": MOMENT.date()},
        )


def _let_a_service_run(owner_url: str) -> None:
    """One beat while the clock stands: as if a service swept, without anything that changes by itself."""
    store = PostgresStore(owner_url, counter="stage")
    try:
        store.transact(lambda tx: tx.beat_service("stage/1", ""))
    finally:
        store.close()
