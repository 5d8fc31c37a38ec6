"""The process of one desk: its wires, its windows and the orders that it gets."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import logging
import queue
import random
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.bootstrap import Counter, Installation, ServiceParts, connect, open_service
from app.domain.days import local_day
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.settings import Settings
from tests.faults.desk import Broken, Desk, Window
from tests.faults.history import History
from tests.faults.operations import OPERATIONS
from tests.faults.ops_holder import ORDERS
from tests.faults.patched_lua import patch_lua
from tests.faults.registry import Operation
from tests.support.proxy import COMMIT, EVALSHA, postgres_proxy, redis_proxy

log = logging.getLogger("faults.client")
LOST = {COMMIT: "lost_commit_answer", EVALSHA: "lost_evalsha_answer"}


class Client:
    """The process: its wires, its windows and what it is asked to do."""

    def __init__(self, asked: Mapping[str, Any], folder: Path) -> None:
        self._asked = asked
        self.history = History(Path(asked["history"]))
        self.closing = threading.Event()
        self._orders: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
        self.to_postgres, self._database_url = postgres_proxy(asked["database_url"], folder, self._lost)
        self.to_redis, self._redis_url = redis_proxy(asked["redis_url"], self._lost)
        self.to_redis.slow_down(EVALSHA, asked["slow_evalsha"], random.Random(asked["seed"] + 1))
        self._windows: dict[Window, Counter] = {}
        self._service: ServiceParts | None = None
        threading.Thread(target=self._read_orders, daemon=True).start()

    def work(self) -> int:
        """Work until asked to stop; 1 when something was seen that must never be."""
        try:
            counter = self._logged_in(self._asked["login"])
        except _Closing:
            return 0
        try:
            self._work(counter)
        except (_Closing, Refusal) as end:
            if isinstance(end, Refusal) and end.code is not RefusalCode.UNREACHABLE:
                self.history.write("break", invariant="UNEXPECTED", seen=str(end))
                return 1
        except Broken as broken:
            self.history.write("break", invariant=broken.invariant, seen=broken.seen)
            return 1
        except Exception as fault:
            log.exception("the desk broke down")
            self.history.write("break", invariant="FAULT", seen=f"{type(fault).__name__}: {fault}"[:500])
            return 1
        finally:
            for open_one in (counter, *self._windows.values()):
                open_one.close()
            if self._service is not None:
                self._service.close()
        return 0

    def _work(self, counter: Counter) -> None:
        desk = Desk(
            counter=counter,
            history=self.history,
            dice=random.Random(self._asked["seed"]),
            fleet=(),
            today=dt.date.min,
            reach=self._asked["reach"],
            lose_an_answer=self._lose,
            is_closing=self.closing.is_set,
            pause=self._pause,
            window=self._window,
            service=self._second_service,
            move=Installation(Settings(database_url=self._asked["database_url"])).move_booking,
            say=lambda answer: print(json.dumps(answer), flush=True),  # noqa: T201
            next_order=self._next_order,
            gateway=self._asked["gateway"],
        )
        desk.fleet = desk.settled(counter.calendar.fleet)[: self._asked["units"]]
        desk.today = local_day(desk.settled(counter.store.read.now), counter.who.branch.zone)
        operations, weights = self._chosen()
        while not self.closing.is_set():
            order = self._next_order(0)
            if order is not None and order["do"] in ORDERS:
                self.history.write("operation", op=order["do"])
                ORDERS[order["do"]](desk, order)
                continue
            (chosen,) = desk.dice.choices(operations, weights)
            self.history.write("operation", op=chosen.name)
            chosen.run(desk)

    def _chosen(self) -> tuple[list[Operation], list[float]]:
        wanted: Mapping[str, float] | None = self._asked["operations"]
        if wanted is None:
            return OPERATIONS, [operation.weight for operation in OPERATIONS]
        by_name = {operation.name: operation for operation in OPERATIONS}
        return [by_name[name] for name in wanted], list(wanted.values())

    # --- windows ------------------------------------------------------------------------------------------------------

    def _logged_in(self, login: str) -> Counter:
        """A counter with an open shift: each cashier keeps one, and that of a killed process is still open."""
        while True:
            try:
                counter = connect(self._settings(), login, f"{login}-demo")
                break
            except Refusal as no:
                if no.code is not RefusalCode.UNREACHABLE:
                    raise
            self._pause(0.2)
            if self.closing.is_set():
                raise _Closing
        try:
            while not self._has_shift(counter):
                self._pause(0.2)
                if self.closing.is_set():
                    raise _Closing
        except BaseException:
            counter.close()
            raise
        return counter

    @staticmethod
    def _has_shift(counter: Counter) -> bool:
        try:
            if counter.shifts.current_shift() is None:
                counter.shifts.open_shift(f"Laci {counter.who.login}", Rupiah(0))
        except Refusal as no:
            if no.code not in {RefusalCode.UNREACHABLE, RefusalCode.DUPLICATE}:
                raise
            return no.code is RefusalCode.DUPLICATE  # another window of the same cashier was faster
        return True

    def _settings(self) -> Settings:
        return Settings(
            database_url=self._database_url,
            redis_url=self._redis_url,
            redlock_urls=self._asked["redlock_urls"],
            counter_name=self._asked["counter"],
        )

    def _window(self, which: Window) -> Counter:
        if which not in self._windows:
            login = self._asked["login"] if which is Window.MINE else self._asked["colleague"]
            self._windows[which] = self._logged_in(login)
        return self._windows[which]

    def _second_service(self) -> ServiceParts:
        if self._service is None:
            url = Installation(Settings(database_url=self._database_url)).person_url("layanan", "layanan-demo")
            self._service = open_service(Settings(database_url=url, redis_url=self._redis_url, redlock_urls=None))
        return self._service

    # --- wires and orders ---------------------------------------------------------------------------------------------

    def _lose(self, question: bytes) -> None:
        if self._asked["loses_answers"]:
            (self.to_postgres if question == COMMIT else self.to_redis).swallow_next(question)

    def _lost(self, question: bytes) -> None:
        self.history.write("fault", kind=LOST[question])

    def _pause(self, seconds: float) -> None:
        self.closing.wait(seconds)

    def _read_orders(self) -> None:
        for line in sys.stdin:
            self._orders.put(json.loads(line))
        self.closing.set()

    def _next_order(self, within: float) -> Mapping[str, Any] | None:
        with contextlib.suppress(queue.Empty):
            return self._orders.get(timeout=within) if within else self._orders.get_nowait()
        return None


class _Closing(Exception):
    """Asked to stop before there was anything to stop."""


def live(asked: Mapping[str, Any]) -> int:
    """One client's life; its exit code."""
    patch_lua(asked["patched_lua"])
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        client = Client(asked, Path(folder))
        try:
            with client.to_postgres, client.to_redis:
                return client.work()
        finally:
            client.history.close()
