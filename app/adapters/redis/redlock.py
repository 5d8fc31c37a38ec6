"""Advisory unit locks: Redlock over 1..N independent Redis nodes (seed 10.1, step 4).

They keep two clerks from typing for the same unit. Nothing depends on them for correctness: PostgreSQL decides.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol

from app.adapters.redis.connection import Link, connect
from app.adapters.redis.scripts import Script
from app.usecases.index_port import IndexedUnit, IndexUnreachable

LOCK_TTL_MS = 600_000
_DRIFT_SHARE = 0.01
_DRIFT_MS = 2.0
_PAUSE_S = 0.05
# A lock is worth less waiting than an answer about availability: a dead minority must not be felt.
_NODE_CONNECT_TIMEOUT_S = 0.2
_NODE_ANSWER_TIMEOUT_S = 0.3
_SCAN_COUNT = 1_000


class _Outcome(Enum):
    TAKEN = auto()
    FOREIGN = auto()
    NO_QUORUM = auto()  # too many nodes are away: waiting would not help


class Lives(Protocol):
    """The programs of this machine: which life this one is, and whether another's has ended."""

    def mine(self) -> str: ...

    def has_ended(self, life: str) -> bool: ...


def lock_key(unit: IndexedUnit) -> str:
    return f"lock:{unit.sku}:{unit.unit_id}"


def new_lock_token(counter: str, life: str = "") -> str:
    """A token that names its counter and the life of its program, so that a counter finds what its crashed earlier life
    left, and takes nothing from a second window beside it."""
    return f"{counter}:{life}.{secrets.token_hex(16)}" if life else f"{counter}:{secrets.token_hex(16)}"


def counter_of(token: str) -> str:
    return token.rpartition(":")[0]


def life_of(token: str) -> str:
    """The life a token names, empty for one that names none."""
    return token.rpartition(":")[2].rpartition(".")[0]


class RedlockNodes:
    """UnitLocks over the given nodes; `counter` is the name in this counter's own tokens.

    With one node it is a plain lock with a TTL. `clock` is monotonic seconds, `sleep` is used between tries only.
    """

    def __init__(
        self,
        urls: Sequence[str],
        *,
        counter: str,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        ttl_ms: int = LOCK_TTL_MS,
        lives: Lives | None = None,
    ) -> None:
        if not urls:
            raise ValueError("Redlock needs at least one node")
        self._nodes = [
            Link(
                connect(url, connect_timeout_s=_NODE_CONNECT_TIMEOUT_S, answer_timeout_s=_NODE_ANSWER_TIMEOUT_S),
                clock=clock,
            )
            for url in urls
        ]
        self._counter = counter
        self._lives = lives
        self._clock = clock
        self._sleep = sleep
        self._ttl_ms = ttl_ms
        self._take = Script("lock_take")
        self._drop = Script("lock_drop")

    @property
    def quorum(self) -> int:
        return len(self._nodes) // 2 + 1

    def new_token(self) -> str:
        return new_lock_token(self._counter, "" if self._lives is None else self._lives.mine())

    def acquire(self, unit: IndexedUnit, token: str) -> bool:
        """True on a quorum within the drift margin. Set-or-equal: a retry with the same token is True. Never waits."""
        return self._try(unit, token) is _Outcome.TAKEN

    def wait(self, unit: IndexedUnit, token: str, seconds: float) -> bool:
        """Try for at most `seconds`; gives up at once when too many nodes are away for a quorum."""
        deadline = self._clock() + seconds
        while True:
            outcome = self._try(unit, token)
            if outcome is not _Outcome.FOREIGN:
                return outcome is _Outcome.TAKEN
            remaining = deadline - self._clock()
            if remaining <= 0:
                return False
            # Uneven pauses: two counters that took half the nodes each must not meet again and again.
            self._sleep(min(remaining, _PAUSE_S * random.uniform(0.5, 1.5)))

    def held_by_others(self, units: Sequence[IndexedUnit]) -> frozenset[str]:
        """Ids of units with another counter's lock (a hint, one round trip to one node); empty when none answers."""
        if not units:
            return frozenset()
        for node in self._nodes:
            try:
                with node.asking() as client:
                    tokens = client.mget([lock_key(unit) for unit in units])
            except IndexUnreachable:
                continue
            return frozenset(
                unit.unit_id
                for unit, token in zip(units, tokens, strict=True)
                if isinstance(token, bytes) and counter_of(token.decode(errors="replace")) != self._counter
            )
        return frozenset()

    def release(self, unit: IndexedUnit, token: str) -> None:
        """Compare-and-delete on every node; quiet when a node is away (the TTL ends it)."""
        self._release_everywhere(lock_key(unit), token)

    def release_leftovers(self, counter: str) -> int:
        """Release every lock of this counter that its crashed earlier life left; how many. A life that goes on, or of
        which nothing is known here, keeps its locks; a token that names no life is left over."""
        left: set[tuple[str, str]] = set()
        for node in self._nodes:
            try:
                left |= self._locks_of(node, counter)
            except IndexUnreachable:
                continue
        for key, token in left:
            self._release_everywhere(key, token)
        return len({key for key, _ in left})

    def close(self) -> None:
        for node in self._nodes:
            node.close()

    def _try(self, unit: IndexedUnit, token: str) -> _Outcome:
        key = lock_key(unit)
        began = self._clock()
        taken = away = 0
        for node in self._nodes:
            try:
                with node.asking() as client:
                    taken += self._take.run(client, [key], [token, self._ttl_ms]) == 1
            except IndexUnreachable:
                away += 1
                if len(self._nodes) - away < self.quorum:
                    break
        elapsed_ms = (self._clock() - began) * 1000
        validity_ms = self._ttl_ms - elapsed_ms - self._ttl_ms * _DRIFT_SHARE - _DRIFT_MS
        if taken >= self.quorum and validity_ms > 0:
            return _Outcome.TAKEN
        self._release_everywhere(key, token)
        return _Outcome.NO_QUORUM if len(self._nodes) - away < self.quorum else _Outcome.FOREIGN

    def _release_everywhere(self, key: str, token: str) -> None:
        for node in self._nodes:
            try:
                with node.asking() as client:
                    self._drop.run(client, [key], [token])
            except IndexUnreachable:
                continue  # its copy ends by its TTL

    def _locks_of(self, node: Link, counter: str) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        with node.asking() as client:
            names = list(client.scan_iter(match="lock:*", count=_SCAN_COUNT))
            for at in range(0, len(names), _SCAN_COUNT):
                some = names[at : at + _SCAN_COUNT]
                for name, token in zip(some, client.mget(some), strict=True):
                    text = token.decode(errors="replace") if isinstance(token, bytes) else ""
                    if counter_of(text) == counter and self._is_over(life_of(text)):
                        found.add((name.decode(errors="replace"), text))
        return found

    def _is_over(self, life: str) -> bool:
        return not life or (self._lives is not None and self._lives.has_ended(life))
