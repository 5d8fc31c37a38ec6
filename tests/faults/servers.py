"""The servers of a run: private ones with the demo branch, more clerks, and a second service's login."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from app.bootstrap import Installation
from app.domain.staff import Role
from app.embedded.join import Joined, join
from app.embedded.options import SERVICE_MODULE, SupervisorOptions
from app.settings import Settings
from tests.support.clock import DrivenClock
from tests.support.processes import descendants_of
from tests.support.waiting import eventually

CLERKS = ("tuti", "joko", "wati", "agus", "rini", "dodi")
SECOND_SERVICE = "layanan"
_DEMO_BRANCH = "JKT"
_ROLES = (Role.AGENT, Role.CASHIER, Role.INSPECTOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """What runs under the supervisor, and the folder that the clients' histories go to."""

    joined: Joined
    history: Path

    @property
    def database_url(self) -> str:
        """The owner's."""
        return self.joined.database_url

    @property
    def redis_url(self) -> str:
        assert self.joined.redis_url is not None
        return self.joined.redis_url

    @property
    def gateway(self) -> dict[str, str]:
        """Where the simulated gateway and the service are; empty texts where none runs."""
        answer = self.joined.answer
        return {
            "url": str(answer.get("gateway_url") or ""),
            "key": str(answer.get("gateway_server_key") or ""),
            "service_url": self.joined.service_url or "",
        }

    @property
    def clock(self) -> DrivenClock:
        return DrivenClock(self.joined.database_url)

    @contextmanager
    def redis(self) -> Iterator[redis.Redis]:
        """A plain client that fails fast."""
        with redis.Redis.from_url(self.redis_url, socket_timeout=2, socket_connect_timeout=1) as client:
            yield client

    def kill(self, words: bytes) -> bool:
        """`kill -9` to the server whose command line holds these words; False while it is being started again."""
        for pid in descendants_of(self.joined.supervisor_pid):
            with contextlib.suppress(OSError):  # it ended meanwhile
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                if words in command and b"app.embedded.tether" not in command:
                    os.kill(pid, signal.SIGKILL)
                    return True
        return False


class Kept:
    """Whether the folder of a run is left for somebody to look into."""

    def __init__(self) -> None:
        self.wanted = False


@contextmanager
def started(*, service: bool) -> Iterator[tuple[Servers, Kept]]:
    """Servers in a folder that goes away with the run unless it is to be kept."""
    kept = Kept()
    home = Path(tempfile.mkdtemp(prefix="sentra-faults-"))
    home.chmod(0o711)
    options = SupervisorOptions(
        grace=0.5, driven_clock=True, settings={"fsync": "off"}, service=SERVICE_MODULE if service else None
    )
    try:
        history = home / "history"
        history.mkdir()
        with join(home / "cabang", options) as joined:
            pid = joined.supervisor_pid
            _hire(joined.database_url)
            yield Servers(joined=joined, history=history), kept
        eventually(lambda: not Path(f"/proc/{pid}").exists(), within=30, what="the servers end")
    finally:
        if kept.wanted:
            sys.stderr.write(f"history and logs are kept in {home}\n")
        else:
            shutil.rmtree(home, ignore_errors=True)


def _hire(owner_url: str) -> None:
    place = Installation(Settings(database_url=owner_url))
    for login in CLERKS:
        place.add_staff(login, login.capitalize(), _DEMO_BRANCH, _ROLES, f"{login}-demo")
    place.add_staff(SECOND_SERVICE, "Layanan dua", _DEMO_BRANCH, [Role.SERVICE], f"{SECOND_SERVICE}-demo")
