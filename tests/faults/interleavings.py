"""Try all orders of the steps of two or three connections, where a step that waits for a lock lets the others go on.

Each actor has a connection and a thread of its own. Whether a step waits is asked of the server, never guessed by time.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

Connection = psycopg.Connection[tuple[Any, ...]]
LOOK_EVERY_S = 0.002
GIVE_UP_S = 20.0


@dataclass(frozen=True, slots=True)
class Failed:
    """How the server refused a step: its SQLSTATE and what it said."""

    sqlstate: str
    said: str


class Actor:
    """One connection whose steps run in its own thread; what each gave stands in `said` under the step's name."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self.connection: Connection = psycopg.connect(url, application_name=f"sentra/{name}")
        self.pid = self.connection.info.backend_pid
        self.said: dict[str, Any] = {}
        self.waiting: list[Step] = []
        """Steps whose turn came while an earlier one still waited for a lock."""
        self._work: queue.SimpleQueue[Step | None] = queue.SimpleQueue()
        self._idle = threading.Event()
        self._idle.set()
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def begin(self, step: Step) -> None:
        """Start a step; `is_busy` until it has ended."""
        self._idle.clear()
        self._work.put(step)

    @property
    def is_busy(self) -> bool:
        return not self._idle.is_set()

    def ended_within(self, seconds: float) -> bool:
        """Whether its step has ended; raises what was no answer of the server."""
        ended = self._idle.wait(seconds)
        if ended and self._problem is not None:
            raise self._problem
        return ended

    def ask(self, statement: str, *parameters: object) -> Any:
        """The one value of a statement, in the transaction that is open or begins with it."""
        row = self.connection.execute(statement.encode(), parameters).fetchone()
        assert row is not None
        return row[0]

    def forget(self) -> None:
        """Ready for the next order."""
        assert not self.is_busy
        self.connection.rollback()
        self.said.clear()

    def close(self) -> None:
        self._work.put(None)
        self._thread.join(10)
        self.connection.close()

    def _run(self) -> None:
        while (step := self._work.get()) is not None:
            try:
                self.said[step.name] = step.run(self)
            except psycopg.Error as error:
                self.said[step.name] = Failed(error.sqlstate or "", str(error.diag.message_primary or error))
            except BaseException as problem:  # noqa: BLE001 - it is raised in the thread of the test
                self._problem = problem
            self._idle.set()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an actor."""

    name: str
    run: Callable[[Actor], Any]


@dataclass(slots=True)
class Tally:
    """How many orders were tried, in how many of them somebody had to wait, and what the steps answered."""

    orders: int = 0
    waited: int = 0
    answers: dict[str, int] = field(default_factory=dict)

    def count(self, answer: str) -> None:
        self.answers[answer] = self.answers.get(answer, 0) + 1


def interleavings(lengths: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Every order in which actors can make so many steps each, an actor's own steps in their order."""
    left = {name: count for name, count in lengths.items() if count}
    if not left:
        yield ()
        return
    for name in left:
        for rest in interleavings({**left, name: left[name] - 1}):
            yield (name, *rest)


class Explorer:
    """Runs orders of steps. `observer` is a superuser's connection that sees who waits for whom."""

    def __init__(self, observer: Connection, actors: Sequence[Actor]) -> None:
        self._observer = observer
        self._actors = {actor.name: actor for actor in actors}

    def run(self, order: Sequence[str], plans: Mapping[str, Sequence[Step]]) -> bool:
        """Make every step of the order; whether anybody had to wait. All have ended afterwards."""
        to_come = {name: list(steps) for name, steps in plans.items()}
        waited = False
        for name in order:
            actor = self._actors[name]
            step = to_come[name].pop(0)
            if actor.is_busy:
                actor.waiting.append(step)
                continue
            actor.begin(step)
            waited |= not self._settles(actor)
            self._let_others_go_on()
        deadline = time.monotonic() + GIVE_UP_S
        while any(actor.is_busy or actor.waiting for actor in self._actors.values()):
            self._let_others_go_on()
            assert time.monotonic() < deadline, (
                f"{order} never ends: {[a.name for a in self._actors.values() if a.is_busy]}"
            )
        return waited

    def _let_others_go_on(self) -> None:
        """Whoever waited for what has just been released goes on, with the steps whose turn came meanwhile."""
        moved = True
        while moved:
            moved = False
            for actor in self._actors.values():
                if actor.is_busy and not self._settles(actor):
                    continue
                if actor.waiting:
                    actor.begin(actor.waiting.pop(0))
                    self._settles(actor)
                    moved = True

    def _settles(self, actor: Actor) -> bool:
        """True when the actor's step has ended, False when it waits for somebody's lock."""
        deadline = time.monotonic() + GIVE_UP_S
        while not actor.ended_within(LOOK_EVERY_S):
            if self._waits(actor):
                return actor.ended_within(0)
            assert time.monotonic() < deadline, f"{actor.name} neither ends nor waits for a lock"
        return True

    def _waits(self, actor: Actor) -> bool:
        row = self._observer.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", (actor.pid,)).fetchone()
        assert row is not None
        return bool(row[0])
