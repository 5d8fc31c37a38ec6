"""`python -m tests.faults.client`: one desk in a process of its own, working at random until it is ended or killed.

Reads one JSON object on its first line of standard input; the end of standard input asks it to stop.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
import random
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from app.bootstrap import Counter, connect
from app.domain.days import local_day
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.settings import Settings
from tests.faults.desk import Broken, Desk
from tests.faults.history import History
from tests.faults.operations import OPERATIONS
from tests.support.proxy import COMMIT, Proxy, postgres_proxy, redis_proxy

log = logging.getLogger("faults.client")


def main() -> int:
    """Work until asked to stop; 1 when something was seen that must never be."""
    asked: dict[str, Any] = json.loads(sys.stdin.readline())
    closing = threading.Event()
    threading.Thread(target=_close_with_input, args=(closing,), daemon=True).start()
    history = History(Path(asked["history"]))
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        to_postgres, database_url = postgres_proxy(asked["database_url"], Path(folder))
        to_redis, redis_url = redis_proxy(asked["redis_url"])
        with to_postgres, to_redis:
            settings = Settings(
                database_url=database_url, redis_url=redis_url, redlock_urls=None, counter_name=asked["counter"]
            )
            counter = _logged_in(settings, asked["login"], asked["password"], closing)
            if counter is None:
                return 0
            try:
                return _work(counter, history, asked["seed"], to_postgres, to_redis, closing)
            finally:
                counter.close()


def _close_with_input(closing: threading.Event) -> None:
    sys.stdin.read()
    closing.set()


def _logged_in(settings: Settings, login: str, password: str, closing: threading.Event) -> Counter | None:
    while not closing.is_set():
        try:
            counter = connect(settings, login, password)
        except Refusal as no:
            if no.code is not RefusalCode.UNREACHABLE:
                raise
            closing.wait(0.2)
            continue
        return counter
    return None


def _work(
    counter: Counter,
    history: History,
    seed: int,
    to_postgres: Proxy,
    to_redis: Proxy,
    closing: threading.Event,
) -> int:
    def pause(seconds: float) -> None:
        closing.wait(seconds)

    def lose_an_answer(question: bytes) -> None:
        is_commit = question == COMMIT
        (to_postgres if is_commit else to_redis).swallow_next(question)
        history.write("fault", kind="swallowed_commit" if is_commit else "swallowed_evalsha")

    desk = Desk(
        counter=counter,
        history=history,
        dice=random.Random(seed),
        fleet=(),
        today=dt.date.min,
        lose_an_answer=lose_an_answer,
        is_closing=closing.is_set,
        pause=pause,
    )
    names = [operation.weight for operation in OPERATIONS]
    try:
        desk.fleet = desk.settled(counter.calendar.fleet)
        desk.today = local_day(desk.settled(counter.store.read.now), counter.who.branch.zone)
        _open_shift(desk)
        while not closing.is_set():
            (chosen,) = desk.dice.choices(OPERATIONS, names)
            history.write("operation", op=chosen.name)
            chosen.run(desk)
    except Refusal as no:
        if no.code is not RefusalCode.UNREACHABLE:
            history.write("break", invariant="UNEXPECTED", seen=str(no))
            return 1
    except Broken as broken:
        history.write("break", invariant=broken.invariant, seen=broken.seen)
        return 1
    except Exception as fault:
        log.exception("the desk broke down")
        history.write("break", invariant="FAULT", seen=f"{type(fault).__name__}: {fault}"[:500])
        return 1
    finally:
        history.close()
    return 0


def _open_shift(desk: Desk) -> None:
    """Each cashier keeps one shift; the one of a killed process is still open."""
    shifts = desk.counter.shifts
    if desk.settled(shifts.current_shift) is None:
        try:
            desk.settled(lambda: shifts.open_shift(f"Laci {desk.counter.who.login}", Rupiah(0)))
        except Refusal as no:
            if no.code is not RefusalCode.DUPLICATE:  # another process of the same cashier was faster
                raise


if __name__ == "__main__":
    sys.exit(main())
