"""One round trip: several commands sent as one message, their answers read one after another.

redis-py's pipeline does the same for three times the processor time, which every booking would pay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import cast
from weakref import WeakKeyDictionary

import redis
from hiredis import pack_command
from redis.connection import Connection

Argument = str | bytes | int
Command = Sequence[Argument]

MOST_KEPT = 2
"""Connections of a client that stay taken between trips: the pool's own checks cost as much as a short command."""
_kept: WeakKeyDictionary[redis.ConnectionPool, deque[Connection]] = WeakKeyDictionary()


def answers(client: redis.Redis, commands: Sequence[Command]) -> list[object]:
    """The answers in order, a refused command's as its ResponseError. Raises when the server is away.

    A broken connection is tried again as the client is told to, with all commands: each of them is idempotent.
    """
    kept = _kept.setdefault(client.connection_pool, deque())
    message = [b"".join([pack_command(cast(tuple[str], tuple(command))) for command in commands])]
    pool = client.connection_pool

    def trip() -> list[object]:
        try:
            connection = kept.pop()
        except IndexError:
            connection = pool.get_connection()
        try:
            connection.send_packed_command(message, check_health=False)  # type: ignore[no-untyped-call]
            found = [_answer(connection) for _ in commands]
        except BaseException:
            _shut(pool, connection)  # answers may still be on their way
            while kept:  # what ended this one has most likely ended those that rested beside it
                _shut(pool, kept.pop())
            raise
        if len(kept) < MOST_KEPT:
            kept.append(connection)
        else:
            pool.release(connection)
        return found

    found: list[object] = client.get_retry().call_with_retry(trip, lambda _error: None)  # type: ignore[union-attr]
    return found


def _shut(pool: redis.ConnectionPool, connection: Connection) -> None:
    connection.disconnect()  # type: ignore[no-untyped-call]
    pool.release(connection)


def _answer(connection: Connection) -> object:
    try:
        return connection.read_response()
    except redis.exceptions.ResponseError as refused:
        return refused
