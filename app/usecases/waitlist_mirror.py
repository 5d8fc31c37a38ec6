"""The waitlist's mirror in Redis (the seed's sorted sets): a hint that may vanish; the rows in PostgreSQL decide."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from app.usecases.index_port import IndexUnreachable
from app.usecases.ports import Store
from app.usecases.rows_waitlist import MirroredPlace

log = logging.getLogger(__name__)


class WaitlistMirror(Protocol):
    """Sorted sets `waitlist:<SKU>:<YYYYMMDD>`, member a customer's id. Every method raises IndexUnreachable when the
    server is away; every write is idempotent."""

    def join(self, place: MirroredPlace) -> None:
        """Add a member; one that is there keeps its score, so the first place stays."""

    def leave(self, sku: str, first_day: dt.date, customer_id: str) -> None:
        """Take a member off; quiet when it is not there."""

    def members(self) -> Mapping[tuple[str, dt.date], frozenset[str]]:
        """Every set that is there with its members, read before PostgreSQL is."""

    def amend(self, missing: Sequence[MirroredPlace], extra: Sequence[tuple[str, dt.date, str]]) -> None:
        """Set the score of each missing member, take each extra one off."""


def tell_mirror(mirror: WaitlistMirror, place: MirroredPlace) -> None:
    """After a commit: the member's place. With Redis away the next `rebuild_mirror` adds it."""
    try:
        mirror.join(place)
    except IndexUnreachable as away:
        log.info("waitlist mirror away: %s", away)


def rebuild_mirror(store: Store, mirror: WaitlistMirror) -> int:
    """Bring the sorted sets to what PostgreSQL says; how many members were added or taken off.

    Redis is read first: who joins meanwhile is in PostgreSQL's later reading, so nobody's new place is taken off.
    Raises IndexUnreachable when Redis is away. Needs the service's rights: every branch's entries.
    """
    stored = mirror.members()
    wanted = store.read.waiting_places()
    named = {(place.sku, place.first_day, place.customer_id) for place in wanted}
    missing = [
        place for place in wanted if place.customer_id not in stored.get((place.sku, place.first_day), frozenset())
    ]
    extra = [
        (sku, first_day, customer_id)
        for (sku, first_day), customers in stored.items()
        for customer_id in customers
        if (sku, first_day, customer_id) not in named
    ]
    if missing or extra:
        mirror.amend(missing, extra)
        log.info("waitlist mirror: %d added, %d taken off", len(missing), len(extra))
    return len(missing) + len(extra)
