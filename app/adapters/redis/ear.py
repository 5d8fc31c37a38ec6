"""One subscribed connection: redis-py makes it, what arrives is read by hiredis alone.

Between the bytes and the callback stands nothing but the parser: redis-py's own subscription costs three times as much
per message, and holds the interpreter while the window waits to paint it.
"""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
from collections.abc import Iterable, Iterator

import hiredis
import redis

_READ_BYTES = 64 * 1024


class Deaf(Exception):
    """The connection is gone or the server stopped answering."""


class Ear:
    """A connection that says which channels it is subscribed to and hands over what arrives. One thread's own."""

    def __init__(self, client: redis.Redis) -> None:
        """Connects and logs in. Raises a redis-py error when that fails."""
        self._connection = client.connection_pool.make_connection()
        self._connection.connect()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        # WORKAROUND: redis-py has no name for its socket; everything it asked while connecting has been answered.
        found = getattr(self._connection, "_sock", None)
        if not isinstance(found, socket.socket):
            raise Deaf("the connection was closed")
        self._socket = found
        self._reader = hiredis.Reader()

    def subscribe(self, channels: Iterable[str]) -> None:
        self._send("SUBSCRIBE", *channels)

    def unsubscribe(self, channels: Iterable[str]) -> None:
        self._send("UNSUBSCRIBE", *channels)

    def ping(self) -> None:
        self._send("PING")

    def wait(self, also: socket.socket, seconds: float | None) -> tuple[bool, bool]:
        """Whether something is here, and whether on `also`; neither after so much silence."""
        ready, _, _ = select.select([self._socket, also], [], [], seconds)
        return self._socket in ready, also in ready

    def messages(self) -> Iterator[list[object]]:
        """What is here, whole messages only; to be asked once `wait` said so. Deaf when the server hung up.

        Raises a redis-py error for one that the server sent.
        """
        again = True
        while again:
            data = self._socket.recv(_READ_BYTES)
            if not data:
                raise Deaf("Connection closed by server.")
            self._reader.feed(data)
            yield from self._whole()
            # What TLS has taken from the socket already makes no socket ready.
            again = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def _whole(self) -> Iterator[list[object]]:
        try:
            while (message := self._reader.gets()) is not False:
                if isinstance(message, hiredis.ReplyError):
                    raise redis.exceptions.ResponseError(str(message))
                if isinstance(message, list):
                    yield message
        except hiredis.ProtocolError as error:
            raise Deaf(f"not the protocol: {error}") from error

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.disconnect()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped

    def _send(self, *words: str) -> None:
        self._connection.send_command(*words)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
