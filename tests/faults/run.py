"""One run: servers, clients and faults; while it goes on and at its end it is read back by a process of its own."""

from __future__ import annotations

import json
import random
import time
from collections import Counter as Tally
from collections.abc import Callable
from typing import Any

import psycopg

from tests.faults.history import read_all, read_one
from tests.faults.reading import Finding, Reading
from tests.faults.scenario import ORDINARY, Scenario
from tests.faults.servers import Servers, started
from tests.faults.strikes import FAULTS, Run
from tests.faults.targets import missed
from tests.support.processes import Processes
from tests.support.waiting import eventually

SETTLES_WITHIN = 60.0
BOOKS_AGAIN_WITHIN = 10.0
LATE_BY_AT_MOST = 20.0
TELLS = frozenset({"booked", "paid", "cancelled"})

_LOOK = "a look"
_SLOW_ROWS = """
CREATE FUNCTION sentra.slow_rows() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(random() * {seconds}); RETURN NULL; END $$;
CREATE TRIGGER zz_slow_rows AFTER INSERT ON sentra.occupancy FOR EACH ROW EXECUTE FUNCTION sentra.slow_rows();
CREATE TRIGGER zz_slow_rows AFTER INSERT ON sentra.payment FOR EACH ROW EXECUTE FUNCTION sentra.slow_rows();
"""

Sabotage = Callable[[psycopg.Connection[tuple[Any, ...]]], None]


def run_faults(
    *,
    minutes: float,
    seed: int,
    clients: int | None = None,
    scenario: Scenario = ORDINARY,
    sabotage: Sabotage | None = None,
) -> Finding:
    """Work and strike for so long, let it settle, read it back. The answer is the kit's JSON line.

    `sabotage` takes a guard out of the database before the first client starts.
    """
    with started(service=scenario.service) as (servers, kept):
        with psycopg.connect(servers.database_url, autocommit=True) as owner:
            if scenario.slow_rows:
                owner.execute(_SLOW_ROWS.format(seconds=scenario.slow_rows).encode())
            if sabotage is not None:
                sabotage(owner)
        with Processes(servers.history) as processes:
            run = Run(scenario=scenario, servers=servers, dice=random.Random(seed), processes=processes)
            wanted = clients or scenario.clients
            left, breaks = minutes * 60, list[Finding]()
            while True:
                seconds = min(left, scenario.round_seconds)
                breaks += _round(run, wanted, seconds)
                breaks += _books_again(run) if scenario.ends_with_a_booking and not breaks else []
                answer = _settled(run, may_mend=scenario.service and not breaks)
                left -= seconds
                if left <= 0 or (scenario.stop_at_first_break and (breaks or answer["breaks"])):
                    break
            kept.wanted = bool(breaks or answer["breaks"]) and sabotage is None and not scenario.patched_lua
    answer["faults"] = dict(sorted((Tally(answer["faults"]) + run.faults).items()))
    answer["breaks"] = _without_repeats([*breaks, *answer["breaks"]])
    answer = {"seed": seed, "minutes": minutes, "clients": wanted, "processes": run.started, **answer}
    answer["breaks"] += missed(answer)
    return answer


def _told(servers: Servers) -> int:
    return sum(line["what"] in TELLS for line in read_all(servers.history))


def _round(run: Run, clients: int, seconds: float) -> list[Finding]:
    """So many clients work under faults for so long, and come to rest."""
    before = _told(run.servers)
    for _ in range(clients):
        run.start_client()
    eventually(lambda: _told(run.servers) >= before + clients, within=60, every=0.3, what="the clients work")
    breaks = _strike(run, time.monotonic() + seconds)
    for client in run.clients:
        client.end_input()
    for client in run.clients:
        client.wait(within=60)
        if client.returncode:
            breaks.append({"invariant": "CLIENT", "status": client.returncode, "errors": client.errors[-2000:]})
    run.clients.clear()
    return breaks


def _strike(run: Run, until: float) -> list[Finding]:
    """Each fault at its own pace until time is up; a client that ended by itself has broken down, and another goes on.

    A fault that has to wait for another one is made up for. From time to time a reader looks whether what always holds
    still does.
    """
    breaks: list[Finding] = []
    now = time.monotonic()
    pace = {**run.scenario.faults, _LOOK: run.scenario.watch_every}
    due = {name: now + every * (0.5 + run.dice.random()) for name, every in pace.items()}
    reading: Reading | None = None
    while (now := time.monotonic()) < until and not (breaks and run.scenario.stop_at_first_break):
        name = min(due, key=lambda one: due[one])
        time.sleep(max(0.0, min(due[name], until) - now))
        if time.monotonic() >= until:
            break
        if name == _LOOK:
            reading = reading or Reading(run.servers, running=True)
        elif FAULTS[name](run):
            run.faults[name] += 1
        due[name] = max(due[name], time.monotonic() - LATE_BY_AT_MOST) + pace[name] * (0.5 + run.dice.random())
        if reading is not None and reading.is_done:
            breaks += reading.breaks()
            reading = None
        for client in [client for client in run.clients if client.returncode is not None]:
            breaks.append({"invariant": "CLIENT", "status": client.returncode, "errors": client.errors[-2000:]})
            run.clients.remove(client)
            run.start_client()
    return breaks if reading is None else [*breaks, *reading.breaks()]


def _books_again(run: Run) -> list[Finding]:
    """I12: after the last fault a new desk gets an answer within ten seconds of the servers being there."""
    began = time.monotonic()
    mine = run.servers.history / f"{run.started:05}.jsonl"
    run.start_client()
    (probe,) = run.clients

    def has_told() -> bool:
        return mine.exists() and any(line["what"] in TELLS for line in read_one(mine))

    try:
        eventually(has_told, within=SETTLES_WITHIN, every=0.1)
    except AssertionError:
        return [{"invariant": "I12", "seen": "nothing is booked any more", "errors": probe.errors[-2000:]}]
    finally:
        took = time.monotonic() - began
        probe.end_input()
        probe.wait(within=60)
        run.clients.clear()
    return [] if took < BOOKS_AGAIN_WITHIN else [{"invariant": "I12", "seen": f"booked again after {took:.1f} s"}]


def _settled(run: Run, *, may_mend: bool) -> Finding:
    """Read back until nothing is broken any more, for as long as the service may take to mend what is Redis'."""
    until = time.monotonic() + (SETTLES_WITHIN if may_mend else 0.0)
    while True:
        answer = Reading(run.servers, running=False).answer()
        if answer is None:
            raise RuntimeError("the reader failed although every server is there")
        if not answer["breaks"] or time.monotonic() > until:
            return answer
        time.sleep(1)


def _without_repeats(breaks: list[Finding]) -> list[Finding]:
    """A break that stays is seen by every reader of the run; it is told once."""
    return list({json.dumps(item, sort_keys=True, default=str): item for item in breaks}.values())
