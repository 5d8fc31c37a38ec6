"""What the owner of an installation does: schema, branches, staff, and the clock while a history is told."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from app.domain.booking import Action
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.staff import Role
from app.settings import Settings
from app.usecases.logins import check_password

MIN_PASSWORD = 8
ZONES = ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura")
_BRANCH_CODE = re.compile(r"[A-Z0-9]{2,10}")


class HistoryClock:
    """The driven clock of an installation while its history is told."""

    def __init__(self, owner_url: str) -> None:
        self._owner_url = owner_url

    def set(self, moment: dt.datetime) -> None:
        """The database's clock stands still at this moment."""
        from app.adapters.postgres.driven_clock import set_clock

        set_clock(self._owner_url, moment)

    def now(self) -> dt.datetime:
        """What the database's clock says."""
        from app.adapters.postgres.driven_clock import read_clock

        return read_clock(self._owner_url)


class Installation:
    """What the owner of an installation does; `DATABASE_URL` is a superuser's."""

    def __init__(self, settings: Settings) -> None:
        if settings.database_url is None:
            raise Refusal(RefusalCode.UNREACHABLE, field="DATABASE_URL", next=(), reason="not_configured")
        self._settings = settings
        self._url = settings.database_url

    def migrate(self) -> None:
        """Roles, schema and migrations up to this program's version; safe to run again."""
        from app.adapters.postgres.migrate import provision
        from app.adapters.postgres.owner_errors import owner_errors

        with owner_errors():
            provision(self._url, prefix=self._settings.role_prefix)

    def seal_cluster(self) -> None:
        """Close the cluster's own databases to everybody; only where the whole cluster is this installation's."""
        from app.adapters.postgres.migrate import seal_cluster
        from app.adapters.postgres.owner_errors import owner_errors

        with owner_errors():
            seal_cluster(self._url)

    def revision(self) -> str | None:
        from app.adapters.postgres.migrate import revision
        from app.adapters.postgres.owner_errors import owner_errors

        with owner_errors():
            return revision(self._url)

    def drive_clock(self) -> None:
        """From now on a row drives `sentra.now()`: test databases and the self-check's own folder."""
        from app.adapters.postgres.driven_clock import install_driven_clock

        install_driven_clock(self._url)

    def branch_codes(self) -> tuple[str, ...]:
        from app.adapters.postgres.owner_steps import branch_codes

        return branch_codes(self._url)

    def add_branch(self, code: str, name: str, zone: str) -> None:
        """Add a branch, or leave the one with this code as it is."""
        from app.adapters.postgres.owner_errors import owner_errors
        from app.adapters.postgres.owner_steps import add_branch

        if not _BRANCH_CODE.fullmatch(code):
            raise invalid("branch", "not_a_branch_code", given=code[:40])
        if zone not in ZONES:
            raise invalid("zone", "not_a_zone", given=zone[:40], known=list(ZONES))
        if not (2 <= len(name.strip()) <= 80 and name.isprintable()):
            raise invalid("name", "not_a_name", given=name[:80])
        with owner_errors():
            add_branch(self._url, code=code, name=name.strip(), zone=zone)

    def add_staff(self, login: str, name: str, branch: str, roles: Sequence[Role], password: str) -> None:
        """Make a login; only the SCRAM verifier of the password reaches the server."""
        from app.adapters.postgres.owner_errors import owner_errors
        from app.adapters.postgres.owner_steps import add_staff
        from app.adapters.postgres.staff import scram_verifier

        if len(password) < MIN_PASSWORD:
            raise invalid("password", "too_short", least=MIN_PASSWORD)
        check_password(password)
        for field, text in (("login", login), ("name", name), ("branch", branch)):
            if not text.isprintable():
                raise invalid(field, "control_characters")
        with owner_errors():
            add_staff(
                self._url,
                login=login,
                name=name,
                branch=branch,
                roles=[role.value for role in roles],
                verifier=scram_verifier(password),
            )

    def service_url(self, login: str, branch: str, password: str) -> str:
        """The service's own URL; its login is made, or given this password, first."""
        from app.adapters.postgres.connection import person_url
        from app.adapters.postgres.owner_steps import set_verifier, staff_logins
        from app.adapters.postgres.staff import scram_verifier

        role_name = f"{self._settings.role_prefix}_{login}"
        if login in staff_logins(self._url):
            set_verifier(self._url, role_name, scram_verifier(password))
        else:
            self.add_staff(login, "Service", branch, [Role.SERVICE], password)
        return person_url(self._url, role_name, password)

    def person_url(self, login: str, password: str) -> str:
        """The URL with which an employee's login reaches this database."""
        from app.adapters.postgres.connection import person_url

        return person_url(self._url, f"{self._settings.role_prefix}_{login}", password)

    def move_booking(self, booking_id: str, action: Action) -> None:
        from app.adapters.postgres.owner_steps import move_booking

        move_booking(self._url, booking_id, action)

    def record_maintenance(self, unit_id: str, days: Days, reason: str, running: bool) -> None:
        from app.adapters.postgres.owner_steps import record_maintenance

        record_maintenance(self._url, unit_id=unit_id, days=days, reason=reason, running=running)

    def close_shifts(self) -> None:
        from app.adapters.postgres.owner_steps import close_shifts

        close_shifts(self._url)

    @contextmanager
    def history(self, keep_clock: bool) -> Iterator[HistoryClock]:
        """A clock in our hand for as long as this lasts.

        Afterwards the real one again; with `keep_clock` a driven one that runs on from where it stood before.
        """
        from app.adapters.postgres.driven_clock import install_driven_clock, let_clock_run, remove_driven_clock

        install_driven_clock(self._url)
        clock = HistoryClock(self._url)
        before = clock.now()
        try:
            yield clock
        finally:
            if keep_clock:
                let_clock_run(self._url, before)
            else:
                remove_driven_clock(self._url)

    def status(self) -> dict[str, object]:
        """Whether the servers answer, the schema's version against this program's, and how the engine stands."""
        from app.status import read_status

        return read_status(self._settings)

    def retry_given_up(self) -> int:
        """Outside effects that were given up are due again; how many."""
        from app.adapters.postgres.store import PostgresStore

        store = PostgresStore(self._url, counter="admin")
        try:
            return store.transact(lambda tx: tx.retry_given_up())
        finally:
            store.close()
