"""One run: servers, clients and faults; the end is read back by a process of its own."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import redis

from app.embedded.join import Joined, join
from app.embedded.options import SupervisorOptions
from tests.faults.history import read_all
from tests.support.clock import DrivenClock
from tests.support.processes import ROOT, Processes, RunningProcess, descendants_of
from tests.support.waiting import eventually

CASHIERS = ("siti", "budi", "maya")
ZONES = ("UTC", "Asia/Jakarta", "America/New_York", "Pacific/Kiritimati")
SETTLES_WITHIN = 60.0
BOOKS_AGAIN_WITHIN = 10.0

Finding = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Run:
    """The servers and clients of a run that is under way."""

    joined: Joined
    folder: Path
    dice: random.Random
    processes: Processes
    faults: Tally[str] = field(default_factory=Tally)
    clients: list[RunningProcess] = field(default_factory=list)
    started: int = 0

    @property
    def clock(self) -> DrivenClock:
        return DrivenClock(self.joined.database_url)

    def start_client(self) -> None:
        """One more desk, with dice and history of its own; its PC may stand in any zone."""
        login = CASHIERS[self.started % len(CASHIERS)]
        client = self.processes.module(
            "tests.faults.client", env={"TZ": self.dice.choice(ZONES), "DATABASE_URL": "", "REDIS_URL": ""}
        )
        client.tell(
            json.dumps(
                {
                    "history": str(self.folder / f"{self.started:05}.jsonl"),
                    "database_url": self.joined.database_url,
                    "redis_url": self.joined.redis_url,
                    "login": login,
                    "password": f"{login}-demo",
                    "counter": f"Kasir {self.started}",
                    "seed": self.dice.randrange(2**32),
                }
            )
        )
        self.clients.append(client)
        self.started += 1

    def some_client(self) -> RunningProcess:
        return self.dice.choice(self.clients)

    def server(self, words: bytes) -> int | None:
        """The process whose command line holds these words, as it runs now."""
        for pid in descendants_of(self.joined.supervisor_pid):
            with contextlib.suppress(OSError):  # it ended meanwhile
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                if words in command and b"app.embedded.tether" not in command:
                    return pid
        return None

    def kill_server(self, words: bytes) -> bool:
        pid = self.server(words)
        if pid is None:
            return False  # it is being started again right now
        os.kill(pid, signal.SIGKILL)
        return True

    def acknowledged(self) -> int:
        return sum(line["what"] in {"booked", "paid", "cancelled"} for line in read_all(self.folder))


Fault = Callable[[Run], bool]
FAULTS: list[tuple[int, str, Fault]] = []


def fault(weight: int) -> Callable[[Fault], Fault]:
    """Register a fault by its function's name; it answers whether it struck."""

    def register(strike: Fault) -> Fault:
        FAULTS.append((weight, strike.__name__, strike))
        return strike

    return register


@fault(weight=12)
def client_killed(run: Run) -> bool:
    client = run.some_client()
    client.kill()
    run.clients.remove(client)
    run.start_client()
    return True


@fault(weight=3)
def redis_flushed(run: Run) -> bool:
    assert run.joined.redis_url is not None
    try:
        with redis.Redis.from_url(run.joined.redis_url, socket_timeout=2, socket_connect_timeout=1) as client:
            client.flushall()
    except redis.exceptions.RedisError:
        return False  # it is away already
    return True


@fault(weight=2)
def redis_killed(run: Run) -> bool:
    return run.kill_server(b"redis-server")


@fault(weight=2)
def postmaster_killed(run: Run) -> bool:
    return run.kill_server(b"postgres\0-D")


@fault(weight=2)
def service_killed(run: Run) -> bool:
    return run.kill_server(b"app.service.main")


@fault(weight=4)
def client_stopped_past_the_lock(run: Run) -> bool:
    client = run.some_client()
    os.kill(client.pid, signal.SIGSTOP)
    try:
        run.clock.advance(dt.timedelta(seconds=61))
    except psycopg.OperationalError:
        return False  # the database is away already
    finally:
        os.kill(client.pid, signal.SIGCONT)
    return True


@fault(weight=3)
def sixteen_minutes_passed(run: Run) -> bool:
    """Every hold that is open now runs into its deadline."""
    try:
        run.clock.advance(dt.timedelta(minutes=16))
    except psycopg.OperationalError:
        return False
    return True


def run_faults(*, minutes: float, seed: int, clients: int = 8, every: float = 0.6) -> Finding:
    """Work and strike for so long, let it settle, read it back. The answer is the kit's JSON line."""
    with _servers() as (joined, folder, keep):
        with Processes(folder) as processes:
            run = Run(joined=joined, folder=folder, dice=random.Random(seed), processes=processes)
            for _ in range(clients):
                run.start_client()
            eventually(lambda: run.acknowledged() >= clients, within=60, every=0.2, what="the clients work")
            breaks = _strike(run, time.monotonic() + minutes * 60, every)
            for client in run.clients:
                client.end_input()
            for client in run.clients:
                client.wait(within=60)
            breaks += _books_again(run)
            answer = _settled(run)
            if breaks or answer["breaks"]:
                keep.set()
    answer["faults"] = dict(sorted((Tally(answer["faults"]) + run.faults).items()))
    answer["breaks"] += breaks
    return {"seed": seed, "minutes": minutes, **answer}


def _strike(run: Run, until: float, every: float) -> list[Finding]:
    """Faults at random until time is up; a client that ended by itself has broken down, and another goes on."""
    breaks: list[Finding] = []
    weights = [weight for weight, _, _ in FAULTS]
    while time.monotonic() < until:
        time.sleep(min(every * (0.5 + run.dice.random()), max(0.0, until - time.monotonic())))
        ((_, name, strike),) = run.dice.choices(FAULTS, weights)
        if strike(run):
            run.faults[name] += 1
        for client in [client for client in run.clients if client.returncode is not None]:
            breaks.append({"invariant": "CLIENT", "status": client.returncode, "errors": client.errors[-2000:]})
            run.clients.remove(client)
            run.start_client()
    return breaks


def _books_again(run: Run) -> list[Finding]:
    """I12: after the last fault a new desk gets an answer within ten seconds of the servers being there."""
    before, began = run.acknowledged(), time.monotonic()
    run.clients.clear()
    run.start_client()
    (probe,) = run.clients
    try:
        eventually(lambda: run.acknowledged() > before, within=SETTLES_WITHIN, every=0.1)
    except AssertionError:
        return [{"invariant": "I12", "seen": "nothing is booked any more", "errors": probe.errors[-2000:]}]
    finally:
        probe.end_input()
        probe.wait(within=60)
    took = time.monotonic() - began
    return [] if took < BOOKS_AGAIN_WITHIN else [{"invariant": "I12", "seen": f"booked again after {took:.1f} s"}]


def _settled(run: Run) -> Finding:
    """Read back until nothing is broken any more, for as long as the service may take to mend what is Redis'."""
    until = time.monotonic() + SETTLES_WITHIN
    while True:
        asked = {
            "history": str(run.folder),
            "database_url": run.joined.database_url,
            "redis_url": run.joined.redis_url,
        }
        read = subprocess.run(
            [sys.executable, "-m", "tests.faults.reader"],
            input=json.dumps(asked).encode(),
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        if read.returncode not in {0, 1}:
            raise RuntimeError(f"the reader failed: {read.stderr.decode()[-2000:]}")
        answer: Finding = json.loads(read.stdout)
        if not answer["breaks"] or time.monotonic() > until:
            return answer
        time.sleep(1)


@contextmanager
def _servers() -> Iterator[tuple[Joined, Path, threading.Event]]:
    """Private servers with the demo branch, in a folder that goes away with the run unless it is to be kept."""
    keep = threading.Event()
    home = Path(tempfile.mkdtemp(prefix="sentra-faults-"))
    home.chmod(0o711)
    options = SupervisorOptions(grace=0.5, driven_clock=True, settings={"fsync": "off"})
    try:
        history = home / "history"
        history.mkdir()
        with join(home / "cabang", options) as joined:
            pid = joined.supervisor_pid
            yield joined, history, keep
        eventually(lambda: not Path(f"/proc/{pid}").exists(), within=30, what="the servers end")
    finally:
        if keep.is_set():
            sys.stderr.write(f"history and logs are kept in {home}\n")
        else:
            shutil.rmtree(home, ignore_errors=True)
