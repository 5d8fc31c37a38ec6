"""The registry of faults. Each answers whether it struck: one that met a server that is away already does not count."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections import Counter as Tally
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import psycopg
import redis

from tests.faults.scenario import Scenario
from tests.faults.servers import CLERKS, Servers
from tests.support.processes import Processes, RunningProcess
from tests.support.waiting import eventually

ZONES = ("UTC", "Asia/Jakarta", "America/New_York", "Pacific/Kiritimati")
A_DAY = 86_400
NOBODY_THERE = "redis://127.0.0.1:1/0"
ANSWERS_WITHIN = 6.0
PAST_THE_LOCK = dt.timedelta(seconds=61)


@dataclass(slots=True, kw_only=True)
class Run:
    """The servers and clients of a run that is under way."""

    scenario: Scenario
    servers: Servers
    dice: random.Random
    processes: Processes
    faults: Tally[str] = field(default_factory=Tally)
    clients: list[RunningProcess] = field(default_factory=list)
    started: int = 0
    tickets: int = 0

    def start_client(self) -> None:
        """One more desk, with dice and history of its own; its PC stands in any zone, up to a day before or behind."""
        login = CLERKS[self.started % len(CLERKS)]
        colleague = CLERKS[(self.started + 3) % len(CLERKS)]
        shift = self.dice.choice((-1, 1)) * self.dice.randrange(60, A_DAY) if self.started % 4 else 0
        client = self.processes.module(
            "tests.faults.client", env={"TZ": self.dice.choice(ZONES), "DATABASE_URL": "", "REDIS_URL": ""}
        )
        asked = {
            "history": str(self.servers.history / f"{self.started:05}.jsonl"),
            "database_url": self.servers.database_url,
            "redis_url": self.servers.redis_url,
            "login": login,
            "colleague": colleague,
            "counter": f"Kasir {self.started}",
            "seed": self.dice.randrange(2**32),
            "shift_seconds": shift,
            "units": self.scenario.units,
            "reach": self.scenario.reach,
            "operations": self.scenario.operations,
            "slow_evalsha": self.scenario.slow_evalsha,
            "redlock_urls": None if self.scenario.redlocks else NOBODY_THERE,
            "loses_answers": self.scenario.loses_answers,
            "patched_lua": self.scenario.patched_lua,
            "gateway": self.servers.gateway,
        }
        client.tell(json.dumps(asked))
        self.faults["client_clock_shifted"] += shift != 0
        self.clients.append(client)
        self.started += 1

    def order(self, client: RunningProcess, do: str, **more: object) -> int:
        """Give a client an order; the ticket that its answer will carry."""
        self.tickets += 1
        client.tell(json.dumps({"do": do, "ticket": self.tickets, **more}))
        return self.tickets

    def answer(self, client: RunningProcess, ticket: int) -> Mapping[str, Any]:
        """The answer to an order; AssertionError when there is none in time."""
        while True:
            found: Mapping[str, Any] = client.json_line(within=ANSWERS_WITHIN)
            if found["ticket"] == ticket:
                return found


Fault = Callable[[Run], bool]
FAULTS: dict[str, Fault] = {}


def fault(strike: Fault) -> Fault:
    """Register a fault by its function's name."""
    FAULTS[strike.__name__] = strike
    return strike


@fault
def client_killed(run: Run) -> bool:
    client = run.dice.choice(run.clients)
    client.kill()
    run.clients.remove(client)
    run.start_client()
    return True


@fault
def redis_flushed(run: Run) -> bool:
    return _on_redis(run, lambda client: bool(client.flushall()))


@fault
def redis_killed(run: Run) -> bool:
    return run.servers.kill(b"redis-server")


@fault
def redis_restarted_empty(run: Run) -> bool:
    """Shut down in an orderly way and back with nothing in it, under another run id."""

    def restart(client: redis.Redis) -> bool:
        before = client.info("server")["run_id"]
        client.shutdown(nosave=True)
        return eventually(lambda: _run_id(run) not in {None, before}, within=10, every=0.1)

    try:
        return _on_redis(run, restart)
    except AssertionError:
        return False  # it comes later than that


@fault
def redlocks_deleted(run: Run) -> bool:
    """Redlocks are never needed for correctness."""

    def delete(client: redis.Redis) -> bool:
        names = list(client.scan_iter("lock:*", count=1000))
        return bool(names and client.delete(*names))

    return _on_redis(run, delete)


@fault
def postmaster_killed(run: Run) -> bool:
    return run.servers.kill(b"postgres\0-D")


@fault
def service_killed(run: Run) -> bool:
    return run.servers.kill(b"app.service.main")


@fault
def gateway_killed(run: Run) -> bool:
    """Its answers are lost: whether it did what it was asked shows later."""
    return run.servers.kill(b"app.embedded.simulated_gateway")


@fault
def lock_holder_stopped_past_ttl(run: Run) -> bool:
    """Whoever holds a lock is stopped (SIGSTOP); the lock runs out, another takes it, the first one goes on to pay."""
    holder, other = run.dice.sample(run.clients, 2)
    try:
        ticket = run.order(holder, "hold")
        held = run.answer(holder, ticket)
        if held["holding"] is None:
            return False
        holder.freeze()
        try:
            run.servers.clock.advance(PAST_THE_LOCK)
            taken = run.answer(other, run.order(other, "take_over", invoice_id=held["holding"]))
            run.order(holder, "go_on")
        finally:
            holder.thaw()
        run.answer(holder, ticket)
    except (AssertionError, psycopg.OperationalError, BrokenPipeError):
        return False  # the database is away, or a client has just ended
    return taken["took"] is not None


@fault
def a_minute_passed(run: Run) -> bool:
    """Every lock that is held now has run out, whoever is about to pay under it."""
    return _passed(run, PAST_THE_LOCK)


@fault
def sixteen_minutes_passed(run: Run) -> bool:
    """Every hold that is open now runs into its deadline."""
    return _passed(run, dt.timedelta(minutes=16))


def _passed(run: Run, step: dt.timedelta) -> bool:
    try:
        run.servers.clock.advance(step)
    except psycopg.OperationalError:
        return False  # the database is away
    return True


def _on_redis(run: Run, do: Callable[[redis.Redis], bool]) -> bool:
    try:
        with run.servers.redis() as client:
            return do(client)
    except redis.exceptions.RedisError:
        return False  # it is away already


def _run_id(run: Run) -> object:
    try:
        with run.servers.redis() as client:
            return client.info("server")["run_id"]
    except redis.exceptions.RedisError:
        return None
