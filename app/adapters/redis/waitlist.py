"""The waitlist's mirror on Redis: the seed's sorted sets `waitlist:<SKU>:<YYYYMMDD>` (seed 10.3)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence

import redis

from app.adapters.redis.connection import Link
from app.domain.waitlist import score
from app.usecases.rows_waitlist import MirroredPlace
from app.usecases.waitlist_mirror import Member

PREFIX = "waitlist:"
_NAME = re.compile(r"waitlist:([A-Z0-9.-]{1,30}):(\d{8})", re.ASCII)


def waitlist_key(sku: str, first_day: dt.date) -> str:
    return f"{PREFIX}{sku}:{first_day:%Y%m%d}"


class RedisWaitlist:
    """WaitlistMirror on one Redis. Safe to share between threads; every write may be sent again."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def join(self, place: MirroredPlace) -> None:
        """Give the member this score, whatever it had."""
        member = {place.customer_id: score(place.tier_weight, place.joined_at)}
        with self._link.asking() as client:
            client.zadd(waitlist_key(place.sku, place.first_day), member)

    def leave(self, sku: str, first_day: dt.date, customer_id: str) -> None:
        """Take a member off; quiet when it is not there."""
        with self._link.asking() as client:
            client.zrem(waitlist_key(sku, first_day), customer_id)

    def members(self) -> Mapping[tuple[str, dt.date], Mapping[str, float]]:
        """Every sorted set that is there, members with their scores. A stranger's key under our names has none."""
        with self._link.asking() as client:
            names = sorted(
                name.decode("ascii", "replace") for name in client.scan_iter(match=f"{PREFIX}*", count=1_000)
            )
            ours = {name: key for name in names if (key := _key_of(name)) is not None}
            pipe = client.pipeline(transaction=False)
            for name in ours:
                pipe.zrange(name, 0, -1, withscores=True)
            found = pipe.execute(raise_on_error=False) if ours else []
        stored: dict[tuple[str, dt.date], Mapping[str, float]] = {}
        for key, members in zip(ours.values(), found, strict=True):
            if isinstance(members, redis.exceptions.ResponseError):
                continue  # another type: `amend` replaces it when somebody waits there
            if isinstance(members, Exception):
                raise members
            stored[key] = {member.decode("utf-8", "surrogateescape"): float(value) for member, value in members}
        return stored

    def amend(self, wrong: Sequence[MirroredPlace], extra: Sequence[Member]) -> None:
        """Set the score of each member that is missing or has another one, take each extra one off; one round trip."""
        with self._link.asking() as client:
            names = sorted({waitlist_key(place.sku, place.first_day) for place in wrong})
            kinds = client.pipeline(transaction=False)
            for name in names:
                kinds.type(name)
            strangers = [
                name
                for name, kind in zip(names, kinds.execute() if names else [], strict=True)
                if kind not in {b"zset", b"none"}
            ]
            pipe = client.pipeline(transaction=False)
            if strangers:
                pipe.unlink(*strangers)
            for place in wrong:
                member = {place.customer_id: score(place.tier_weight, place.joined_at)}
                pipe.zadd(waitlist_key(place.sku, place.first_day), member)
            for sku, first_day, customer_id in extra:
                pipe.zrem(waitlist_key(sku, first_day), customer_id.encode("utf-8", "surrogateescape"))
            pipe.execute()


def _key_of(name: str) -> tuple[str, dt.date] | None:
    """SKU and day of a key's name; None for a name that no part of the product writes."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    try:
        day = dt.date(int(found[2][:4]), int(found[2][4:6]), int(found[2][6:]))
    except ValueError:
        return None
    return found[1], day
