"""A wire between a client and its server that can lose an answer: the server did it, the client never hears of it.

It can also be slow with a question, so that others come in between.
"""

from __future__ import annotations

import contextlib
import random
import select
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote, urlsplit

from psycopg.conninfo import conninfo_to_dict

_CHUNK = 65_536
COMMIT = b"COMMIT\0"
"""The whole statement: `READ COMMITTED` is none."""
EVALSHA = b"EVALSHA"
_COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\0"
_READY = b"Z\x00\x00\x00\x05"
"""PostgreSQL's CommandComplete of a COMMIT, and the beginning of ReadyForQuery, which ends every answer."""


class Proxy:
    """Forwards every connection as it is. One thread per connection; everything ends with `close()`.

    `on_swallowed` is told, in a thread of the proxy, of each question whose answer is lost, once the server gave it.
    """

    def __init__(
        self,
        listening: socket.socket,
        upstream: str | tuple[str, int],
        on_swallowed: Callable[[bytes], None] = lambda _question: None,
    ) -> None:
        self._listening = listening
        self._upstream = upstream
        self._on_swallowed = on_swallowed
        self._guard = threading.Lock()
        self._to_swallow: list[bytes] = []
        self._slow: list[tuple[bytes, float, random.Random]] = []
        self._swallowed = 0
        self._open: set[socket.socket] = set()
        self._closing = False
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def swallow_next(self, question: bytes) -> None:
        """The next question that holds these bytes is carried out, its answer is lost and the connection breaks."""
        with self._guard:
            self._to_swallow.append(question)

    def slow_down(self, question: bytes, most: float, dice: random.Random) -> None:
        """From now on each question that holds these bytes is held up for up to so many seconds, by these dice."""
        with self._guard:
            self._slow.append((question, most, dice))

    @property
    def swallowed(self) -> int:
        """How many answers were lost so far."""
        return self._swallowed

    def cut(self) -> None:
        """Break every connection that is open now."""
        with self._guard:
            for end in self._open:
                with contextlib.suppress(OSError):  # it broke by itself
                    end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._closing = True
        self._closed.set()
        with contextlib.suppress(OSError):  # nobody may be connected to it
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()
        self._thread.join(5)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client:
            try:
                server = _connected(self._upstream)
            except OSError:
                return  # the server is away: the client sees a broken connection
            with server:
                with self._guard:
                    self._open |= {client, server}
                try:
                    self._both_ways(client, server)
                except OSError:
                    return  # one end is gone; so is the other now
                finally:
                    with self._guard:
                        self._open -= {client, server}

    def _both_ways(self, client: socket.socket, server: socket.socket) -> None:
        while True:
            ready, _, _ = select.select([client, server], [], [])
            if client in ready:
                asked = client.recv(_CHUNK)
                if not asked:
                    return
                lost = self._to_lose(asked)
                self._closed.wait(self._pause_before(asked))
                server.sendall(asked)
                if lost is not None:
                    if _is_done(lost, server):
                        self._swallowed += 1
                        self._on_swallowed(lost)
                    return
            if server in ready:
                answer = server.recv(_CHUNK)
                if not answer:
                    return
                client.sendall(answer)

    def _to_lose(self, asked: bytes) -> bytes | None:
        with self._guard:
            for question in self._to_swallow:
                if question in asked:
                    self._to_swallow.remove(question)
                    return question
        return None

    def _pause_before(self, asked: bytes) -> float:
        with self._guard:
            return sum(most * dice.random() for question, most, dice in self._slow if question in asked)


def _is_done(question: bytes, server: socket.socket) -> bool:
    """Hear the answer to its end; whether the server did it. Nothing comes when it died over the question.

    A COMMIT may stand in one message with what it commits: only its own tag says that it happened, and a transaction
    that had failed answers ROLLBACK.
    """
    heard = b""
    while part := server.recv(_CHUNK):
        heard += part
        if question != COMMIT or heard[-6:-1] == _READY:
            break
    return _COMMITTED in heard if question == COMMIT else bool(heard)


def postgres_proxy(
    url: str, folder: Path, on_swallowed: Callable[[bytes], None] = lambda _question: None
) -> tuple[Proxy, str]:
    """A proxy before a PostgreSQL that listens on a socket folder, and the URL that goes through it."""
    parts = conninfo_to_dict(url)
    name = f".s.PGSQL.{parts['port']}"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / name))
    listening.listen(64)
    proxy = Proxy(listening, str(Path(str(parts["host"])) / name), on_swallowed)
    return proxy, url.replace(quote(str(parts["host"]), safe=""), quote(str(folder), safe=""))


def redis_proxy(url: str, on_swallowed: Callable[[bytes], None] = lambda _question: None) -> tuple[Proxy, str]:
    """A proxy before a Redis, and the URL that goes through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    listening = socket.create_server(("127.0.0.1", 0))
    proxy = Proxy(listening, (parts.hostname, parts.port), on_swallowed)
    return proxy, url.replace(f":{parts.port}/", f":{listening.getsockname()[1]}/")


def _connected(upstream: str | tuple[str, int]) -> socket.socket:
    if isinstance(upstream, tuple):
        return socket.create_connection(upstream, timeout=None)
    made = socket.socket(socket.AF_UNIX)
    try:
        made.connect(upstream)
    except OSError:
        made.close()
        raise
    return made
