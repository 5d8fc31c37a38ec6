"""A branch on private servers of its own, as a machine at a counter has them: folder, service, logins and clock."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import redis

from app.bootstrap import Counter, connect, open_doctor
from app.domain.days import YearMonth
from app.settings import Settings
from tests.support.clock import DrivenClock
from tests.support.processes import ROOT, Processes, RunningProcess, descendants_of
from tests.support.waiting import eventually

SKU, AVANZA = "TOY-AVNZ-G", "uuid-avanza-001"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """How `sentra-admin do` ended."""

    code: int
    json: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`line` is what `run --serve` printed."""

    line: Mapping[str, Any]
    supervisor_pid: int

    @property
    def owner_url(self) -> str:
        return str(self.line["database_url"])

    @property
    def redis_url(self) -> str:
        return str(self.line["redis_url"])

    @property
    def clock(self) -> DrivenClock:
        return DrivenClock(self.owner_url)

    def after(self, **step: float) -> None:
        """Move the branch's clock on."""
        self.clock.advance(dt.timedelta(**step))

    def password(self, login: str) -> str:
        (found,) = [person["password"] for person in self.line["staff"] if person["login"] == login]
        return str(found)

    def url_of(self, login: str) -> str:
        (found,) = [person["database_url"] for person in self.line["staff"] if person["login"] == login]
        return str(found)

    def environment(self, login: str, counter: str = "Kasir 1", **more: str) -> dict[str, str]:
        """A process of this person at this counter; it finds the servers by the data folder alone."""
        return {
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "SENTRA_DATA_DIR": str(self.line["data_dir"]),
            "SENTRA_PASSWORD": self.password(login),
            "SENTRA_COUNTER": counter,
            **more,
        }

    def do(self, use_case: str, login: str, given: object = None, counter: str = "Kasir 1", **more: str) -> Answered:
        """`sentra-admin do USE_CASE --as LOGIN --json`, as a script runs it."""
        return self.admin("do", use_case, "--as", login, "--json", given=given, login=login, counter=counter, **more)

    def admin(
        self, *arguments: str, given: object = None, login: str = "maya", counter: str = "Kasir 1", **more: str
    ) -> Answered:
        ran = subprocess.run(
            [sys.executable, "-m", "app.admin", *arguments],
            input=json.dumps({} if given is None else given).encode(),
            capture_output=True,
            env={**os.environ, **self.environment(login, counter, **more)},
            cwd=ROOT,
            timeout=60,
            check=False,
        )
        assert b"Traceback" not in ran.stderr, ran.stderr.decode()
        return Answered(code=ran.returncode, json=json.loads(ran.stdout) if ran.stdout.strip() else None)

    def person(self, processes: Processes, script: str, login: str, counter: str, *arguments: str) -> RunningProcess:
        """A process of one person: `script` runs with `connected()` and its arguments."""
        return processes.script(SCRIPT_HEAD + script, login, *arguments, env=self.environment(login, counter))

    def counter(self, login: str, name: str = "Kasir 1") -> Counter:
        """The same in this process; close it."""
        settings = Settings(database_url=self.owner_url, redis_url=self.redis_url, redlock_urls=None, counter_name=name)
        return connect(settings, login, self.password(login))

    def rows(self, statement: str, *params: object) -> list[tuple[Any, ...]]:
        """What a separate `psql` of the owner finds."""
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            return connection.execute(statement.encode(), params or None).fetchall()

    def value(self, statement: str, *params: object) -> Any:
        ((found,),) = self.rows(statement, *params)
        return found

    @contextmanager
    def redis(self) -> Iterator[redis.Redis]:
        with redis.Redis.from_url(self.redis_url) as client:
            yield client

    def getbit(self, unit: str, month: YearMonth, offset: int, sku: str = SKU) -> int:
        """`redis-cli GETBIT avail:<SKU>:<unit>:<YYYYMM> offset`."""
        with self.redis() as client:
            return int(client.getbit(f"avail:{sku}:{unit}:{month}", offset))

    def packed_bit(self, unit: str, month: YearMonth, offset: int, sku: str = SKU) -> int:
        slot = self.value("SELECT slot FROM sentra.unit WHERE id = %s", unit)
        with self.redis() as client:
            return int(client.getbit(f"apack:{sku}:{month}", slot * 32 + offset))

    def bits(self, unit: str, month: YearMonth, sku: str = SKU) -> list[int]:
        """Taken days of a month in both forms, which must agree."""
        keyed = [day for day in range(1, 32) if self.getbit(unit, month, day - 1, sku)]
        packed = [day for day in range(1, 32) if self.packed_bit(unit, month, day - 1, sku)]
        assert keyed == packed
        return keyed

    def today(self) -> dt.date:
        found: dt.date = self.value("SELECT (sentra.now() AT TIME ZONE 'Asia/Jakarta')::date")
        return found

    def next_month(self) -> YearMonth:
        return YearMonth.of(self.today()).next()

    def server_pid(self, name: str) -> int:
        """The process of one private server (`redis-server`, `app.service.main`) as it runs now."""

        def find() -> int:
            for pid in descendants_of(self.supervisor_pid):
                try:
                    command = Path(f"/proc/{pid}/cmdline").read_bytes()
                except OSError:
                    continue  # it ended meanwhile
                if name.encode() in command and b"app.embedded.tether" not in command:
                    return pid
            raise AssertionError(f"{name} does not run")

        return eventually(find, within=20)

    def kill(self, name: str) -> int:
        """End a private server at once; which process it was."""
        pid = self.server_pid(name)
        os.kill(pid, signal.SIGKILL)
        return pid

    def is_replaced(self, name: str, killed: int) -> bool:
        """Another process runs in place of the killed one and PostgreSQL, whichever was killed, answers."""
        assert self.server_pid(name) != killed
        try:
            return self.value("SELECT true") is True
        except psycopg.OperationalError:  # still starting
            return False

    def is_whole(self) -> bool:
        """Whether the doctor finds nothing."""
        settings = Settings(database_url=self.owner_url, redis_url=self.redis_url, redlock_urls=None)
        doctor, close = open_doctor(settings)
        try:
            report = doctor.examine()
        finally:
            close()
        assert report.ok, report.breaks[:5]
        return True

    def http_port(self) -> int:
        port = urlsplit(str(self.line["service_url"])).port
        assert port is not None
        return port


def order(unit: str | None, first: dt.date, last: dt.date, phone: str = "0812 0000 1234", name: str = "Rina M") -> Any:
    """What `do book` reads."""
    line = {"sku": SKU, "first_day": first.isoformat(), "last_day": last.isoformat()}
    return {
        "customer": {"name": name, "phone": phone},
        "lines": [line if unit is None else {**line, "unit_id": unit}],
    }


SCRIPT_HEAD = """
import json, os, sys
from app.bootstrap import connect
from app.domain.days import Days, RentalPeriod, parse_day
from app.domain.errors import Refusal
from app.domain.invoice import Tender, TenderKind
from app.domain.lock import LockHandle
from app.domain.money import Rupiah
from app.embedded.join import join
from app.json_values import plain, refusal_json
from app.settings import load_settings
from app.usecases.bookings import BookLine, BookRequest

login, arguments = sys.argv[1], sys.argv[2:]


def connected():
    settings = load_settings()
    joined = join(settings.data_dir)
    globals()["membership"] = joined  # as long as this process lives
    urls = {"database_url": joined.database_url, "redis_url": joined.redis_url}
    return connect(settings.model_copy(update=urls), login, os.environ["SENTRA_PASSWORD"])


def say(value):
    print(json.dumps(plain(value)), flush=True)


def attempt(work):
    try:
        return {"ok": True, "result": work()}
    except Refusal as no:
        return {"ok": False, "refusal": refusal_json(no)}


def book(counter, unit, first, last, phone, sku="TOY-AVNZ-G", order_id=None):
    period = RentalPeriod(parse_day(first, "first"), parse_day(last, "last"))
    line = BookLine(sku=sku, unit_id=unit, period=period)
    return counter.bookings.book(BookRequest(
        order_id=order_id or counter.new_id(), lines=(line,), customer_name="Budi Santoso", customer_phone=phone))
"""

LISTENER = """
from app.domain.days import taken_days

counter = connected()
class Ear:
    def on_availability(self, sku, month, slot, mask):
        say({"sku": sku, "slot": slot, "days": [str(day) for day in taken_days(mask, month)]})
    def on_change(self, branch, what, id, by):
        say({"branch": branch, "what": what, "id": id, "by": by})
    def on_lost(self):
        say({"lost": True})
    def on_restored(self):
        say({"restored": True})
ear = counter.subscribe(Ear())
ear.follow(skus=["TOY-AVNZ-G"], branches=[counter.who.branch.id])
assert ear.wait_until_heard(10)
say({"hears": True})
sys.stdin.read()
"""

CASHIER = """
import threading

counter = connected()
if counter.shifts.current_shift() is None:
    counter.shifts.open_shift(f"Laci {login}", Rupiah(0))
handle = total = None
say({"ready": True})
for command in sys.stdin:
    word, *rest = command.split()
    if word == "open":
        def take():
            global handle, total
            held = counter.settlement.open_invoice(rest[0])
            handle, total = held.handle, counter.settlement.invoice(rest[0]).row.total
            return {"epoch": handle.epoch, "remaining_ms": held.remaining_ms}
        say(attempt(take))
    elif word == "renew":
        say(attempt(lambda: counter.settlement.renew_lock(handle, 0)))
    elif word == "release":
        say(attempt(lambda: counter.settlement.release_lock(handle)))
    elif word == "pay":
        presses, attempt_id = int(rest[0]), counter.new_id()
        answers = []
        def press():
            tenders = [Tender(kind=TenderKind.CASH, amount=Rupiah(total))]
            answers.append(attempt(lambda: counter.settlement.settle(handle, attempt_id, tenders)))
        threads = [threading.Thread(target=press) for _ in range(presses)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        say(answers)
"""

CROWD = """
unit, first, last, size = arguments[0], arguments[1], arguments[2], int(arguments[3])
settings = load_settings()
joined = join(settings.data_dir)
urls = {"database_url": joined.database_url, "redis_url": joined.redis_url}
gate_read, gate_write = os.pipe()
children = []
for n in range(size):
    answer_read, answer_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(gate_write)
        name = {"counter_name": f"Kasir {n}"}
        counter = connect(settings.model_copy(update={**urls, **name}), login, os.environ["SENTRA_PASSWORD"])
        os.write(answer_write, b"r")
        os.read(gate_read, 1)
        found = attempt(lambda: book(counter, unit, first, last, f"08124{n:06}"))
        os.write(answer_write, json.dumps(plain(found)).encode())
        os._exit(0)
    os.close(answer_write)
    children.append((pid, answer_read))
for _, answer in children:
    assert os.read(answer, 1) == b"r"
os.close(gate_write)
answers = []
for pid, answer in children:
    raw = b""
    while chunk := os.read(answer, 65536):
        raw += chunk
    os.waitpid(pid, 0)
    answers.append(json.loads(raw))
say(answers)
"""
