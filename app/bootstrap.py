"""The only place that chooses adapters: makes the use cases of a logged-in person, of the service and of the admin."""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from app.domain.booking import Action
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.staff import Role, StaffMember
from app.gateway_parts import gateway_bell, gateway_desk
from app.gateway_settings import GatewaySettings
from app.index_parts import ChangeListener, index_parts, subscription
from app.index_parts import Subscription as Subscription
from app.machine_clock import machine_clock as machine_clock
from app.rental_parts import Overdue, RentalParts, rental_parts
from app.settings import Settings
from app.usecases.approvals import Approvals
from app.usecases.booking_changes import BookingChanges
from app.usecases.bookings import Bookings
from app.usecases.calendar import Calendar
from app.usecases.contracts import Contracts
from app.usecases.customers import Customers
from app.usecases.demand import Demand
from app.usecases.doctor import Doctor
from app.usecases.fleet import Fleet
from app.usecases.gateway import GatewayDesk
from app.usecases.gateway_attempts import GatewayAttempts
from app.usecases.holidays import Holidays
from app.usecases.identity_desk import IdentityDesk
from app.usecases.index_port import AvailabilityIndex
from app.usecases.index_work import IndexWork
from app.usecases.logins import check_password, checked_login
from app.usecases.maintenance import Maintenance
from app.usecases.ports import Ids, Store
from app.usecases.rates import Rates
from app.usecases.reconcile import Reconcile
from app.usecases.scans import Scans
from app.usecases.search import Search
from app.usecases.settlement import Settlement
from app.usecases.shifts import Shifts
from app.usecases.sweeps import Sweeps
from app.usecases.till import Till, till_of
from app.usecases.waitlist import Waitlist
from app.usecases.waitlist_mirror import WaitlistMirror

log = logging.getLogger(__name__)

MIN_PASSWORD = 8
ZONES = ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura")
_BRANCH_CODE = re.compile(r"[A-Z0-9]{2,10}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Everything one logged-in person can do at one counter. Close it on logging out."""

    who: StaffMember
    counter_name: str
    store: Store
    calendar: Calendar
    bookings: Bookings
    changes_of_bookings: BookingChanges
    customers: Customers
    settlement: Settlement
    shifts: Shifts
    till: Till
    fleet: Fleet
    waitlist: Waitlist
    maintenance: Maintenance
    holidays: Holidays
    contracts: Contracts
    demand: Demand
    rates: Rates
    approvals: Approvals
    search: Search
    scans: Scans
    rentals: RentalParts
    gateway: GatewayAttempts
    redis_url: str | None
    _ids: Ids
    _release_leftovers: Callable[[], int]
    _close: Callable[[], None]

    def release_leftovers(self) -> int:
        """Give up the unit locks that an earlier life of this counter left in the index; how many. Once, at its start:
        a killed counter's locks would cost every clerk two seconds a booking for ten minutes."""
        return self._release_leftovers()

    def subscribe(self, listener: ChangeListener) -> Subscription | None:
        """Hear change hints from now on; None where no Redis is configured (then screens poll)."""
        return None if self.redis_url is None else subscription(self.redis_url, listener)

    def new_id(self) -> str:
        """A fresh id for an order or a payment attempt: made once, sent again on every retry."""
        return self._ids.uuid()

    def close(self) -> None:
        """Give back every connection."""
        self._close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceParts:
    """What the headless service runs."""

    sweeps: Sweeps
    reconcile: Reconcile
    store: Store
    index: AvailabilityIndex
    waitlist: WaitlistMirror
    identity: IdentityDesk
    overdue: Overdue
    gateway: GatewayDesk | None
    """None where no gateway is configured."""
    close: Callable[[], None]


def connect(settings: Settings, login: str, password: str) -> Counter:
    """Log in: the database's own authentication. Refuses NOT_ALLOWED (wrong), UNREACHABLE (no server answers)."""
    from app.adapters.clock import SystemIds
    from app.adapters.identity_http import IdentityOverHttp
    from app.adapters.postgres.approver import PostgresApprover
    from app.adapters.postgres.connection import person_url
    from app.adapters.postgres.store import PostgresStore
    from app.adapters.sealing import Seals

    if settings.database_url is None:
        raise Refusal(RefusalCode.UNREACHABLE, field="DATABASE_URL", next=(), reason="not_configured")
    name = checked_login(login)
    check_password(password)
    url = person_url(settings.database_url, f"{settings.role_prefix}_{name}", password)
    store = PostgresStore(url, counter=settings.counter_name)
    try:
        who = store.read.who_am_i()
    except Exception:
        store.close()
        raise
    parts = index_parts(settings)
    work = IndexWork(store, parts.index, parts.locks, parts.changes, who.login)
    beats = PostgresStore(url, counter=settings.counter_name, pool_size=1)
    calendar = Calendar(store, parts.index, who)
    ids = SystemIds()
    counter = settings.counter_name
    demand = Demand(store, who, counter)
    approver = PostgresApprover(settings.database_url, settings.role_prefix, counter)

    def close() -> None:
        store.close()
        beats.close()
        parts.close()

    return Counter(
        who=who,
        counter_name=counter,
        store=store,
        calendar=calendar,
        bookings=Bookings(store, calendar, work, who, counter, ids, demand),
        changes_of_bookings=BookingChanges(store, calendar, work, who, counter, ids, demand),
        customers=Customers(store, who, counter, ids, Seals(), IdentityOverHttp(settings.service_url)),
        settlement=Settlement(store, work, who, counter, ids, beats=beats),
        shifts=Shifts(store, who, counter),
        till=till_of(store, work, who, counter),
        fleet=Fleet(store, work, who),
        waitlist=Waitlist(store, parts.waitlist, work, who, counter, ids),
        maintenance=Maintenance(store, work, who, counter, ids),
        holidays=Holidays(store, work, who, counter),
        contracts=Contracts(store, who, counter),
        demand=demand,
        rates=Rates(store, work, who, counter),
        approvals=Approvals(store, approver, who, counter, ids),
        search=Search(store, who),
        scans=Scans(store, calendar, who),
        rentals=rental_parts(store, work, who, counter),
        gateway=GatewayAttempts(store, who, counter, gateway_bell(settings.service_url)),
        redis_url=settings.redis_url,
        _ids=ids,
        _release_leftovers=lambda: parts.locks.release_leftovers(counter),
        _close=close,
    )


def open_service(settings: Settings, gateway: GatewaySettings | None = None) -> ServiceParts:
    """The service's sweeps under its own database role (`DATABASE_URL` is that role's URL), and its gateway, if any."""
    from app.adapters.postgres.store import PostgresStore
    from app.adapters.sealing import open_key_file

    if settings.database_url is None:
        raise Refusal(RefusalCode.UNREACHABLE, field="DATABASE_URL", next=(), reason="not_configured")
    store = PostgresStore(settings.database_url, counter="service")
    parts = index_parts(settings)
    work = IndexWork(store, parts.index, parts.locks, parts.changes, "service")

    def close() -> None:
        store.close()
        parts.close()

    desk = None if gateway is None else gateway_desk(gateway, store, work)
    return ServiceParts(
        sweeps=Sweeps(store, parts.index, work, effects=() if desk is None else desk.effects),
        reconcile=Reconcile(store, parts.index),
        store=store,
        index=parts.index,
        waitlist=parts.waitlist,
        identity=IdentityDesk(store, lambda may_make: open_key_file(settings.data_dir, may_make=may_make)),
        overdue=Overdue(store, work),
        gateway=desk,
        close=close,
    )


def open_doctor(settings: Settings) -> tuple[Doctor, Callable[[], None]]:
    """The doctor and what closes it; `DATABASE_URL` is the owner's or the service's."""
    service = open_service(settings)
    return Doctor(service.store, service.index), service.close


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


def prepare_embedded(*, owner_url: str, redis_url: str | None, data_dir: str, driven_clock: bool) -> dict[str, object]:
    """Bring the private servers of a data folder to this program's version, with the demo in a fresh one.

    Runs at every start of the servers and is idempotent. Returns what `run --serve` prints of it.
    """
    from app.embedded.set_up import prepare

    return prepare(owner_url=owner_url, redis_url=redis_url, data_dir=data_dir, driven_clock=driven_clock)
