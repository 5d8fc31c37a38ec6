"""A wire between a client and its server that can lose an answer: the server did it, the client never hears of it."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote, urlsplit

from psycopg.conninfo import conninfo_to_dict

_CHUNK = 65_536
COMMIT = b"COMMIT\0"
"""The whole statement: `READ COMMITTED` is none."""
EVALSHA = b"EVALSHA"


class Proxy:
    """Forwards every connection as it is. One thread per connection; everything ends with `close()`."""

    def __init__(self, listening: socket.socket, upstream: str | tuple[str, int]) -> None:
        self._listening = listening
        self._upstream = upstream
        self._guard = threading.Lock()
        self._to_swallow: list[bytes] = []
        self._swallowed = 0
        self._open: set[socket.socket] = set()
        self._closing = False
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def swallow_next(self, question: bytes) -> None:
        """The next question that holds these bytes is carried out, its answer is lost and the connection breaks."""
        with self._guard:
            self._to_swallow.append(question)

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
                lost = self._is_to_swallow(asked)
                server.sendall(asked)
                if lost:
                    server.recv(_CHUNK)  # it is done by then
                    self._swallowed += 1
                    return
            if server in ready:
                answer = server.recv(_CHUNK)
                if not answer:
                    return
                client.sendall(answer)

    def _is_to_swallow(self, asked: bytes) -> bool:
        with self._guard:
            for question in self._to_swallow:
                if question in asked:
                    self._to_swallow.remove(question)
                    return True
        return False


def postgres_proxy(url: str, folder: Path) -> tuple[Proxy, str]:
    """A proxy before a PostgreSQL that listens on a socket folder, and the URL that goes through it."""
    parts = conninfo_to_dict(url)
    name = f".s.PGSQL.{parts['port']}"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / name))
    listening.listen(64)
    proxy = Proxy(listening, str(Path(str(parts["host"])) / name))
    return proxy, url.replace(quote(str(parts["host"]), safe=""), quote(str(folder), safe=""))


def redis_proxy(url: str) -> tuple[Proxy, str]:
    """A proxy before a Redis, and the URL that goes through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    listening = socket.create_server(("127.0.0.1", 0))
    proxy = Proxy(listening, (parts.hostname, parts.port))
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
