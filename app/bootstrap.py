"""The only place that chooses adapters: makes the use cases of a logged-in person, of the service and of the admin."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.days import YearMonth
from app.domain.errors import Refusal, RefusalCode, invalid
from app.domain.staff import StaffMember
from app.settings import Settings
from app.usecases.bookings import Bookings
from app.usecases.calendar import Calendar
from app.usecases.customers import Customers
from app.usecases.doctor import Doctor
from app.usecases.fleet import Fleet
from app.usecases.index_port import AvailabilityIndex, Changes, UnitLocks
from app.usecases.index_work import IndexWork
from app.usecases.ports import Ids, Store
from app.usecases.reconcile import Reconcile
from app.usecases.settlement import Settlement
from app.usecases.shifts import Shifts
from app.usecases.sweeps import Sweeps

_LOGIN = re.compile(r"[a-z][a-z0-9_.]{1,30}")


class ChangeListener(Protocol):
    """Hears change hints, in the hint thread; `on_lost` and `on_restored` frame the time without any."""

    def on_availability(self, sku: str, month: YearMonth, slot: int, mask: int) -> None: ...

    def on_change(self, branch: str, what: str, id: str, by: str) -> None: ...

    def on_lost(self) -> None: ...

    def on_restored(self) -> None: ...


class Subscription(Protocol):
    """A running subscription to change hints."""

    def follow(self, *, skus: Sequence[str], branches: Sequence[str]) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexParts:
    """The Redis side, or its stand-ins where no Redis is configured."""

    index: AvailabilityIndex
    locks: UnitLocks
    changes: Changes
    close: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Everything one logged-in person can do at one counter. Close it on logging out."""

    who: StaffMember
    counter_name: str
    store: Store
    calendar: Calendar
    bookings: Bookings
    customers: Customers
    settlement: Settlement
    shifts: Shifts
    fleet: Fleet
    redis_url: str | None
    _ids: Ids
    _close: Callable[[], None]

    def subscribe(self, listener: ChangeListener) -> Subscription | None:
        """Hear change hints from now on; None where no Redis is configured (then screens poll)."""
        return None if self.redis_url is None else _subscription(self.redis_url, listener)

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
    close: Callable[[], None]


def connect(settings: Settings, login: str, password: str) -> Counter:
    """Log in: the database's own authentication. Refuses NOT_ALLOWED (wrong), UNREACHABLE (no server answers)."""
    from app.adapters.clock import SystemIds
    from app.adapters.postgres.connection import person_url
    from app.adapters.postgres.store import PostgresStore

    if settings.database_url is None:
        raise Refusal(RefusalCode.UNREACHABLE, field="DATABASE_URL", next=(), reason="not_configured")
    name = login.strip().lower()
    if not _LOGIN.fullmatch(name):
        raise invalid("login", "not_a_login", given=login[:40])
    if not password or "\0" in password:
        raise invalid("password", "empty")
    url = person_url(settings.database_url, f"{settings.role_prefix}_{name}", password)
    store = PostgresStore(url, counter=settings.counter_name)
    try:
        who = store.read.who_am_i()
    except Exception:
        store.close()
        raise
    parts = index_parts(settings)
    work = IndexWork(store, parts.index, parts.locks, parts.changes, who.login)
    calendar = Calendar(store, parts.index, who)
    ids = SystemIds()
    counter = settings.counter_name

    def close() -> None:
        store.close()
        parts.close()

    return Counter(
        who=who,
        counter_name=counter,
        store=store,
        calendar=calendar,
        bookings=Bookings(store, calendar, work, who, counter, ids),
        customers=Customers(store),
        settlement=Settlement(store, work, who, counter, ids),
        shifts=Shifts(store, who, counter),
        fleet=Fleet(store, work, who),
        redis_url=settings.redis_url,
        _ids=ids,
        _close=close,
    )


def open_service(settings: Settings) -> ServiceParts:
    """The service's sweeps under its own database role (`DATABASE_URL` is that role's URL)."""
    from app.adapters.postgres.store import PostgresStore

    if settings.database_url is None:
        raise Refusal(RefusalCode.UNREACHABLE, field="DATABASE_URL", next=(), reason="not_configured")
    store = PostgresStore(settings.database_url, counter="service")
    parts = index_parts(settings)
    work = IndexWork(store, parts.index, parts.locks, parts.changes, "service")

    def close() -> None:
        store.close()
        parts.close()

    return ServiceParts(
        sweeps=Sweeps(store, parts.index, work),
        reconcile=Reconcile(store, parts.index),
        store=store,
        index=parts.index,
        close=close,
    )


def open_doctor(settings: Settings) -> tuple[Doctor, Callable[[], None]]:
    """The doctor and what closes it; `DATABASE_URL` is the owner's or the service's."""
    service = open_service(settings)
    return Doctor(service.store, service.index), service.close


def index_parts(settings: Settings) -> IndexParts:
    """Redis where it is configured, else stand-ins that answer "away"."""
    from app.adapters.redis.no_index import NoChanges, NoIndex, NoLocks

    if settings.redis_url is None:
        return IndexParts(index=NoIndex(), locks=NoLocks(), changes=NoChanges(), close=lambda: None)
    from app.adapters.redis.availability import RedisAvailability
    from app.adapters.redis.changes import RedisChanges
    from app.adapters.redis.connection import open_link
    from app.adapters.redis.redlock import RedlockNodes

    link = open_link(settings.redis_url)
    locks = RedlockNodes(settings.lock_nodes, counter=settings.counter_name)

    def close() -> None:
        locks.close()
        link.close()

    return IndexParts(index=RedisAvailability(link), locks=locks, changes=RedisChanges(link), close=close)


def _subscription(redis_url: str, listener: ChangeListener) -> Subscription:
    from app.adapters.redis.subscription import Subscription as RedisSubscription

    heard = RedisSubscription(
        redis_url,
        on_availability=listener.on_availability,
        on_change=listener.on_change,
        on_lost=listener.on_lost,
        on_restored=listener.on_restored,
    )
    heard.start()
    return heard
