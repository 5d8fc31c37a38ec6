"""Many clients at once, in several processes as counters are: each client has two sides, which take turns.

Times are taken around the one call; what a call needs is prepared before the turn begins.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Protocol

PROCESSES = 8

Job = object
Prepared = Callable[[], str]
"""One timed call; what it answers is counted."""


class Client(Protocol):
    """One client of a crowd, both sides of it. Opened at its first job, in the thread that runs it."""

    def prepare(self, side: str, job: Job) -> Prepared: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one turn of one side took: from the first call to the last answer, and each call by itself."""

    seconds: float
    ms: tuple[float, ...]
    answers: tuple[str, ...]

    @property
    def per_second(self) -> float:
        return len(self.ms) / self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    began: float
    ended: float
    ms: list[float]
    answers: list[str]


class Crowd:
    """Clients numbered from 0, shared out over the processes."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes = pipes

    def turn(self, side: str, jobs: Sequence[Sequence[Job]]) -> Turn:
        """Client n does `jobs[n]` one after another while the other clients do theirs. Raises what a client raised."""
        shares: list[dict[int, Sequence[Job]]] = [{} for _ in self._pipes]
        for number, wanted in enumerate(jobs):
            shares[number % len(shares)][number] = wanted
        used = [(pipe, share) for pipe, share in zip(self._pipes, shares, strict=True) if share]
        for pipe, share in used:
            pipe.send((side, share))
        for pipe, _ in used:
            _ready(pipe)
        for pipe, _ in used:
            pipe.send("go")
        parts: list[_Part] = [part for pipe, _ in used for part in _parts(pipe)]
        return Turn(
            seconds=max(part.ended for part in parts) - min(part.began for part in parts),
            ms=tuple(taken for part in parts for taken in part.ms),
            answers=tuple(answer for part in parts for answer in part.answers),
        )


def in_order(turn: int, sides: Sequence[str]) -> Sequence[str]:
    """Every other turn the other side begins: who comes first meets colder caches."""
    return sides if turn % 2 else sides[::-1]


@contextmanager
def open_crowd(make: Callable[[int], Client], processes: int = PROCESSES) -> Iterator[Crowd]:
    """`make` is called in the clients' processes, so it must be picklable."""
    spawn = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    children = []
    for _ in range(processes):
        ours, theirs = spawn.Pipe()
        child = spawn.Process(target=_live, args=(theirs, make), daemon=True)
        child.start()
        theirs.close()
        pipes.append(ours)
        children.append(child)
    try:
        yield Crowd(pipes)
    finally:
        for pipe in pipes:
            pipe.close()
        for child in children:
            child.join(20)


def _ready(pipe: Connection) -> None:
    found = pipe.recv()
    if isinstance(found, Exception):
        raise found


def _parts(pipe: Connection) -> list[_Part]:
    found: list[_Part] | Exception = pipe.recv()
    if isinstance(found, Exception):
        raise found
    return found


# --- in a client's process --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Household:
    """The clients of one process."""

    make: Callable[[int], Client]
    clients: dict[int, Client] = field(default_factory=dict)

    def prepare(self, side: str, share: Mapping[int, Sequence[Job]]) -> list[list[Prepared]]:
        for number in share:
            if number not in self.clients:
                self.clients[number] = self.make(number)
        return [[self.clients[number].prepare(side, job) for job in jobs] for number, jobs in share.items()]


def _live(pipe: Connection, make: Callable[[int], Client]) -> None:
    household = _Household(make)
    while True:
        try:
            side, share = pipe.recv()
        except EOFError:
            break
        try:
            prepared = household.prepare(side, share)
        except Exception as problem:  # noqa: BLE001 - it is raised in the process that asked
            pipe.send(RuntimeError(repr(problem)))
            continue
        pipe.send("ready")
        pipe.recv()
        pipe.send(_at_once(prepared))
    for client in household.clients.values():
        client.close()


def _at_once(prepared: Sequence[Sequence[Prepared]]) -> list[_Part] | Exception:
    barrier = threading.Barrier(len(prepared))
    parts: list[_Part] = []
    problems: list[BaseException] = []

    def run(calls: Sequence[Prepared]) -> None:
        try:
            barrier.wait()
            began = last = time.monotonic()
            ms, answers = [], []
            for call in calls:
                answers.append(call())
                now = time.monotonic()
                ms.append((now - last) * 1_000)
                last = now
            parts.append(_Part(began=began, ended=last, ms=ms, answers=answers))
        except BaseException as problem:  # noqa: BLE001 - it is raised in the process that asked
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(calls,)) for calls in prepared]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return RuntimeError(repr(problems[0])) if problems else parts
