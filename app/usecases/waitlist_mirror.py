"""The waitlist's mirror in Redis (the seed's sorted sets): a hint that may vanish; the rows in PostgreSQL decide."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from app.domain.waitlist import score
from app.usecases.index_port import IndexUnreachable
from app.usecases.ports import Store
from app.usecases.rows_waitlist import MirroredPlace

log = logging.getLogger(__name__)

MOST_ROUNDS = 5
"""Of comparing again after something was amended; whoever joins or leaves all the time is compared next time."""

Member = tuple[str, dt.date, str]
"""SKU and first day of a set, and a customer's id."""


class WaitlistMirror(Protocol):
    """Sorted sets `waitlist:<SKU>:<YYYYMMDD>`, member a customer's id. Every method raises IndexUnreachable when the
    server is away; every write is idempotent."""

    def join(self, place: MirroredPlace) -> None:
        """Give the member this score, whatever it had."""

    def leave(self, sku: str, first_day: dt.date, customer_id: str) -> None:
        """Take a member off; quiet when it is not there."""

    def members(self) -> Mapping[tuple[str, dt.date], Mapping[str, float]]:
        """Every set that is there with its members and their scores."""

    def amend(self, wrong: Sequence[MirroredPlace], extra: Sequence[Member]) -> None:
        """Set the score of each member that is missing or has another one, take each extra one off."""


def tell_mirror(mirror: WaitlistMirror, member: Member, place: MirroredPlace | None) -> None:
    """After a commit: the member's place, or that it has none. With Redis away the next `rebuild_mirror` tells it."""
    try:
        if place is None:
            mirror.leave(*member)
        else:
            mirror.join(place)
    except IndexUnreachable as away:
        log.info("waitlist mirror away: %s", away)


def rebuild_mirror(store: Store, mirror: WaitlistMirror) -> int:
    """Bring the sorted sets to what PostgreSQL says, members and scores; how many members were amended.

    Who joins or leaves while it compares may be amended wrongly, since the two are read one after the other: after each
    round that wrote something it compares again, until both say the same. Raises IndexUnreachable when Redis is away.
    Needs the service's rights: every branch's entries.
    """
    amended = 0
    for _ in range(MOST_ROUNDS):
        wrong, extra = _differences(mirror.members(), store.read.waiting_places())
        if not wrong and not extra:
            break
        mirror.amend(wrong, extra)
        amended += len(wrong) + len(extra)
        log.info("waitlist mirror: %d set, %d taken off", len(wrong), len(extra))
    return amended


def _differences(
    stored: Mapping[tuple[str, dt.date], Mapping[str, float]], wanted: Sequence[MirroredPlace]
) -> tuple[list[MirroredPlace], list[Member]]:
    """Places whose member is missing or has another score, and members that nobody's place stands for."""
    named = {(place.sku, place.first_day, place.customer_id) for place in wanted}
    wrong = [
        place
        for place in wanted
        if stored.get((place.sku, place.first_day), {}).get(place.customer_id)
        != score(place.tier_weight, place.joined_at)
    ]
    extra = [
        (sku, first_day, customer_id)
        for (sku, first_day), customers in stored.items()
        for customer_id in customers
        if (sku, first_day, customer_id) not in named
    ]
    return wrong, extra
