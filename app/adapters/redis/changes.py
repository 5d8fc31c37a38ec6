"""Telling other counters that something changed: publish, and the payloads of both channels (contracts: Redis).

`chg:<SKU>` carries availability itself, `changes:<branch>` says what to read again. A lost one costs freshness only.
"""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import dataclass

import redis
from redis.connection import Connection

from app.adapters.redis.connection import Link
from app.domain.days import MASK_BYTES, YearMonth, mask_from_bytes
from app.domain.errors import Refusal
from app.usecases.index_port import IndexUnreachable, News

log = logging.getLogger(__name__)

PAYLOAD_VERSION = 1
BRANCH_CHANNEL = "changes:"
SKU_CHANNEL = "chg:"
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityHint:
    """A unit's month as it is now: `mask` in the seed's bits, ready to be painted."""

    sku: str
    month: YearMonth
    slot: int
    mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeHint:
    """Something of `branch` is to be read again: `what` is booking, invoice, waitlist, unit or staff."""

    branch: str
    what: str
    id: str
    by: str


class RedisChanges:
    """Changes over Redis. Never raises for an absent server: what is told here is already committed.

    Nobody waits for an answer: a connection of its own has replies turned off. A server that went away in the
    meantime is noticed by the closed socket before the next message, which then goes over a new connection.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._mouth: Connection | None = None

    def publish(self, branch: str, what: str, id: str, by: str) -> None:
        channel, payload = message(News(branch=branch, what=what, id=id, by=by))
        try:
            with self._link.asking() as client, self._lock:
                self._say(client, channel, payload)
        except IndexUnreachable as error:
            log.debug("nobody was told of %s %s: %s", what, id, error)

    def _say(self, client: redis.Redis, channel: str, payload: str) -> None:
        if self._mouth is not None:
            try:
                if not self._mouth.can_read(0):  # with replies off only the end of the connection can be read
                    self._mouth.send_command("PUBLISH", channel, payload)  # type: ignore[no-untyped-call]
                    return
            except (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError):
                log.debug("the connection for change hints broke")
            self._shut(client)
        self._mouth = client.connection_pool.get_connection()
        try:
            self._mouth.send_command("CLIENT", "REPLY", "OFF")  # type: ignore[no-untyped-call]
            self._mouth.send_command("PUBLISH", channel, payload)  # type: ignore[no-untyped-call]
        except redis.exceptions.RedisError:
            self._shut(client)
            raise

    def _shut(self, client: redis.Redis) -> None:
        """Closed before it goes back to the pool: replies are on again when it is opened for somebody else."""
        mouth, self._mouth = self._mouth, None
        if mouth is not None:
            mouth.disconnect()  # type: ignore[no-untyped-call]
            client.connection_pool.release(mouth)


def message(news: News) -> tuple[str, str]:
    """Channel and payload of a change hint."""
    told = {"v": PAYLOAD_VERSION, "what": news.what, "id": news.id, "by": news.by}
    return f"{BRANCH_CHANNEL}{news.branch}", _ENCODE(told)


def read_hint(channel: bytes, payload: bytes) -> AvailabilityHint | ChangeHint | None:
    """What a message says; None for anything malformed or of a newer version (logged at debug, never raised)."""
    try:
        name = channel.decode()
        if name.startswith(SKU_CHANNEL):
            return _availability(name.removeprefix(SKU_CHANNEL), payload)
        if name.startswith(BRANCH_CHANNEL):
            return _change(name.removeprefix(BRANCH_CHANNEL), payload)
    except (ValueError, RecursionError, Refusal) as error:
        log.debug("ignored a malformed message on %r: %s", channel[:80], error)
    return None


def _availability(sku: str, payload: bytes) -> AvailabilityHint:
    # The last four bytes are raw and may look like a blank: cut from the end, not at blanks.
    head, raw = payload[: -MASK_BYTES - 1], payload[-MASK_BYTES:]
    month, slot = head.decode("ascii").split(" ")
    if payload[-MASK_BYTES - 1 : -MASK_BYTES] != b" " or not slot.isdigit():
        raise ValueError("not `<YYYYMM> <slot> <4 bytes>`")
    return AvailabilityHint(sku=sku, month=YearMonth.parse(month), slot=int(slot), mask=mask_from_bytes(raw))


def _change(branch: str, payload: bytes) -> ChangeHint:
    found = json.loads(payload)
    if not isinstance(found, dict) or found.get("v") != PAYLOAD_VERSION:
        raise ValueError("not a version 1 payload")
    what, id, by = found.get("what"), found.get("id"), found.get("by")
    if not (isinstance(what, str) and isinstance(id, str) and isinstance(by, str)):
        raise ValueError("what, id and by must be texts")
    return ChangeHint(branch=branch, what=what, id=id, by=by)
