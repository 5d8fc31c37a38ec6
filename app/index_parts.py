"""The Redis side of bootstrap: index, locks and hints where a Redis is configured, stand-ins where none is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.days import YearMonth
from app.settings import Settings
from app.usecases.index_port import AvailabilityIndex, Changes, UnitLocks
from app.usecases.waitlist_mirror import WaitlistMirror


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
    waitlist: WaitlistMirror
    close: Callable[[], None]


def index_parts(settings: Settings) -> IndexParts:
    """Redis where it is configured, else stand-ins that answer "away"."""
    from app.adapters.redis.no_index import NoChanges, NoIndex, NoLocks, NoWaitlist

    if settings.redis_url is None:
        return IndexParts(
            index=NoIndex(), locks=NoLocks(), changes=NoChanges(), waitlist=NoWaitlist(), close=lambda: None
        )
    from app.adapters.redis.availability import RedisAvailability
    from app.adapters.redis.changes import RedisChanges
    from app.adapters.redis.connection import open_link
    from app.adapters.redis.redlock import RedlockNodes
    from app.adapters.redis.waitlist import RedisWaitlist
    from app.embedded.lives import Lives

    link = open_link(settings.redis_url)
    locks = RedlockNodes(settings.lock_nodes, counter=settings.counter_name, lives=Lives(settings.data_dir / "lives"))

    def close() -> None:
        locks.close()
        link.close()

    index = RedisAvailability(link, is_the_lock_node=tuple(settings.lock_nodes) == (settings.redis_url,))
    return IndexParts(index=index, locks=locks, changes=RedisChanges(link), waitlist=RedisWaitlist(link), close=close)


def subscription(redis_url: str, listener: ChangeListener) -> Subscription:
    """Hear change hints from now on, in a thread of its own."""
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


def redis_counter_rule(password: str) -> str:
    """The line of a Redis ACL file that makes the counters' user: its keys, channels and commands, nothing else."""
    from app.adapters.redis.acl import counter_rule

    return counter_rule(password)
