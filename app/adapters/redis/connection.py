"""Clients for Redis with bounded waits, and the link that remembers for a moment that Redis is away."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.usecases.index_port import IndexUnreachable

log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 0.5
ANSWER_TIMEOUT_S = 1.0
KNOWN_DOWN_S = 2.0
_READ_BYTES = 128 * 1024  # a packed month of 10,000 units has 40 kB: one read instead of two

# A server that answers with one of these cannot serve the index now: loading, out of memory, a replica, no rights.
_AWAY = re.compile(r"\b(LOADING|OOM|READONLY|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|NOPERM|NOAUTH|BUSY)\b")
_AWAY_CLASSES = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    redis.exceptions.ReadOnlyError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.NoPermissionError,
    redis.exceptions.ClusterDownError,
    redis.exceptions.TryAgainError,
)


def connect(
    url: str,
    *,
    connect_timeout_s: float = CONNECT_TIMEOUT_S,
    answer_timeout_s: float = ANSWER_TIMEOUT_S,
    again_when_broken: bool = True,
) -> redis.Redis:
    """A client that answers or fails within about `connect_timeout_s + answer_timeout_s`; nothing is sent yet.

    A broken connection is tried once more at once (Redis restarted, the pooled socket is dead), a timeout never is: the
    clerk has waited long enough. `again_when_broken=False` is for a subscription, which must notice the break.
    """
    return redis.Redis.from_url(
        url,
        protocol=2,
        driver_info=None,
        socket_connect_timeout=connect_timeout_s,
        socket_timeout=answer_timeout_s,
        socket_read_size=_READ_BYTES,
        retry=Retry(
            NoBackoff(),
            1 if again_when_broken else 0,
            supported_errors=(redis.exceptions.ConnectionError,) if again_when_broken else (),
        ),
    )


def means_away(error: Exception) -> bool:
    """Whether Redis is unusable for now, as opposed to a command of ours that is wrong."""
    if isinstance(error, _AWAY_CLASSES):
        return True
    return isinstance(error, redis.exceptions.ResponseError) and _AWAY.search(str(error)) is not None


class Link:
    """One Redis as the adapters use it: every call goes through `asking()`.

    A failure costs its caller the timeouts of `connect`, once; during the next `known_down_s` seconds every call raises
    IndexUnreachable at once, then a single caller asks again while the others still fail fast. It heals by itself.
    May be shared by threads and by several adapters of one server.
    """

    def __init__(
        self,
        client: redis.Redis,
        *,
        clock: Callable[[], float] = time.monotonic,
        known_down_s: float = KNOWN_DOWN_S,
    ) -> None:
        self._client = client
        self._clock = clock
        self._known_down_s = known_down_s
        self._lock = threading.Lock()
        self._down_until: float | None = None
        self._is_closed = False

    @property
    def is_down(self) -> bool:
        """Whether the last answer was a failure (for the banner and the lamp)."""
        return self._down_until is not None

    @contextmanager
    def asking(self) -> Iterator[redis.Redis]:
        """The client, with every failure of Redis turned into IndexUnreachable: none of them may cost a booking.

        A refused command (a stranger's value in a key of ours, a mistake of ours) is logged as an error and does not
        count as an absent server.
        """
        self._enter()
        try:
            yield self._client
        except redis.exceptions.RedisError as error:
            if means_away(error):
                self._failed(error)
                if "BUSY" in str(error):
                    self._end_script()
            else:
                log.exception("redis refused a command")
                self._answered()
            raise IndexUnreachable(f"{type(error).__name__}: {error}") from error
        except AttributeError as error:
            # WORKAROUND: redis-py's connection has no socket any more once another thread disconnected it (close).
            if not self._is_closed:
                raise
            raise IndexUnreachable("closed in the middle of a question") from error
        self._answered()

    def close(self) -> None:
        """Every connection ends, also under a question that another thread is at: that one is IndexUnreachable."""
        self._is_closed = True
        self._client.close()
        self._client.connection_pool.disconnect()

    def _enter(self) -> None:
        with self._lock:
            if self._down_until is None:
                return
            now = self._clock()
            if now < self._down_until:
                raise IndexUnreachable("known to be down")
            self._down_until = now + self._known_down_s  # this caller asks, the others go on failing fast

    def _answered(self) -> None:
        if self._down_until is not None:
            with self._lock:
                self._down_until = None
            log.info("redis answers again")

    def _end_script(self) -> None:
        """A script has run longer than the server allows, and it would for ever. None of ours comes near: end it, where
        this login may (the service; a counter may not). One that has written already cannot be ended."""
        try:
            self._client.script_kill()
        except redis.exceptions.NoPermissionError:
            return
        except redis.exceptions.RedisError as error:
            log.warning("redis is held up by a script that cannot be ended: %s", error)
            return
        log.warning("redis was held up by a script, which was ended")

    def _failed(self, error: Exception) -> None:
        with self._lock:
            was_up = self._down_until is None
            self._down_until = self._clock() + self._known_down_s
        if was_up:
            log.warning("redis is unreachable: %s: %s", type(error).__name__, error)


def open_link(url: str) -> Link:
    """A link to one Redis; nothing is sent before the first call, so an absent server does not stop a start."""
    return Link(connect(url))
