"""`grid-fetch`: one month of a whole fleet from Redis, decoded into taken days."""

from __future__ import annotations

import socket
from collections.abc import Iterable

import numpy as np
import redis
from numpy.typing import NDArray

from app.adapters.redis.availability import RedisAvailability, packed_key, read_values, unit_key
from app.adapters.redis.connection import connect, open_link
from app.adapters.redis.packed import PackedMasks
from tests.bench import fleet
from tests.bench.bars import Bar, Line, context, medians_ms

BENCH = "grid-fetch"
Taken = NDArray[np.uint8]


def decoded(raw: bytes) -> Taken:
    """One row per unit, one column per day."""
    return np.unpackbits(np.frombuffer(raw, np.uint8)).reshape(-1, 32)[:, :31]


class RawSocket:
    """The floor: the ready-made command out, the known number of bytes in, nothing looked at."""

    def __init__(self, url: str, names: list[str]) -> None:
        where = redis.connection.parse_url(url)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        self._socket = socket.create_connection((where["host"], where["port"]))
        self._ask(_command("AUTH", where["username"], where["password"]), len(b"+OK\r\n"))
        self._command = _command("MGET", *names)
        self._answer_size = len(f"*{len(names)}\r\n") + len(names) * len(b"$4\r\n....\r\n")

    def fetch(self) -> bytes:
        return self._ask(self._command, self._answer_size)

    def close(self) -> None:
        self._socket.close()

    def _ask(self, command: bytes, size: int) -> bytes:
        self._socket.sendall(command)
        answer = bytearray(size)
        view = memoryview(answer)
        while view:
            got = self._socket.recv_into(view)
            assert got, "the server closed the connection"
            view = view[got:]
        return bytes(answer)


def _command(*words: str) -> bytes:
    encoded = [word.encode() for word in words]
    return b"*%d\r\n" % len(encoded) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in encoded)


def run(small: bool) -> Iterable[Line]:
    for count in (1_000,) if small else (10_000, 100_000):
        yield from _of_units(count)


def _of_units(count: int) -> Iterable[Line]:
    asked_by_bit = min(count // 10, 1_000)
    units, month = fleet.units(count), fleet.FIRST
    names = [unit_key(unit.sku, unit.unit_id, month) for unit in units]
    with fleet.private_redis() as server:
        link, client = open_link(server.url), connect(server.url)
        index = RedisAvailability(link)
        index.project(index.epoch(), fleet.projections(units, [month]))
        raw = RawSocket(server.url, names)

        def by_mget() -> Taken:
            return decoded(b"".join(value or b"" for value in read_values(client, names)))

        def by_packed_string() -> Taken:
            (found,) = read_values(client, [packed_key(fleet.SKU, month)])
            return decoded(found or b"")

        def by_getbit() -> Taken:
            pipe = client.pipeline(transaction=False)
            for name in names[:asked_by_bit]:
                for bit in range(31):
                    pipe.getbit(name, bit)
            return np.array(pipe.execute(), np.uint8).reshape(-1, 31)

        def for_one_screen() -> list[int | None]:
            masks = index.month(fleet.SKU, month).masks
            return [masks.get(slot) for slot in range(40)]

        assert np.array_equal(by_mget(), by_packed_string())
        assert np.array_equal(by_mget()[:asked_by_bit], by_getbit())
        assert raw.fetch().split(b"$4\r\n")[1][:4] == client.get(names[0])
        assert len(PackedMasks(client.get(packed_key(fleet.SKU, month)))) == count  # type: ignore[arg-type]
        sides = {"raw_socket": raw.fetch, "mget": by_mget, "packed": by_packed_string, "screen": for_one_screen}
        found = medians_ms({**sides, "getbit_part": by_getbit})
        facts = fleet.server_facts(client)
        raw.close()
        client.close()
        link.close()
    by_bit = found["getbit_part"] * count / asked_by_bit / found["mget"]
    at = f", {count:,} units"
    yield Bar(bench=BENCH, bar="MGET / raw socket" + at, value=found["mget"] / found["raw_socket"], limit=2.5).as_line()
    yield Bar(bench=BENCH, bar="GETBIT per day / MGET" + at, value=by_bit, limit=200, better="higher").as_line()
    yield Bar(bench=BENCH, bar="packed / MGET" + at, value=found["packed"] / found["mget"], limit=0.15).as_line()
    yield context(BENCH, units=count, getbit_units=asked_by_bit, median_ms=found, **facts)
