"""The only place that chooses adapters: makes the use cases of a logged-in person, of the service and of the admin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import StaffMember
from app.gateway_parts import gateway_bell, gateway_desk
from app.gateway_settings import GatewaySettings
from app.index_parts import ChangeListener, index_parts, subscription
from app.index_parts import Subscription as Subscription
from app.installation import MIN_PASSWORD as MIN_PASSWORD
from app.installation import Installation as Installation
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


def prepare_embedded(*, owner_url: str, redis_url: str | None, data_dir: str, driven_clock: bool) -> dict[str, object]:
    """Bring the private servers of a data folder to this program's version, with the demo in a fresh one.

    Runs at every start of the servers and is idempotent. Returns what `run --serve` prints of it.
    """
    from app.embedded.set_up import prepare

    return prepare(owner_url=owner_url, redis_url=redis_url, data_dir=data_dir, driven_clock=driven_clock)
