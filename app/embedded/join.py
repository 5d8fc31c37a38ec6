"""Joining a data folder's private servers: start its supervisor when there is none, then be a member until closed."""

import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from app.embedded import control
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folder_lock import try_lock
from app.embedded.folders import DataFolder, open_data_folder
from app.embedded.options import SupervisorOptions
from app.embedded.python import module_command, module_environment

ANSWER_WITHIN = 180.0
_POLL = 0.01
_MOST_STARTS = 3
_CONFIGURED_ELSEWHERE = ("DATABASE_URL", "REDIS_URL", "REDLOCK_URLS", "SENTRA_SERVICE_URL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A membership: the servers run at least until it is closed or this process ends.

    `redis_url` is None in the degraded mode, `service_url` where no service runs; `prepared` is what the
    preparation of the database returned (branch, staff, …), `answer` all of it as it came.
    """

    database_url: str
    redis_url: str | None
    service_url: str | None
    data_dir: Path
    supervisor_pid: int
    answer: Mapping[str, object]
    connection: socket.socket

    def close(self) -> None:
        """Leave. The servers end after their grace time when nobody else is there."""
        self.connection.close()

    def wait_for_end(self) -> None:
        """Block until the supervisor is gone, in order or not."""
        try:
            while self.connection.recv(4096):
                continue
        except OSError:
            return  # a broken connection ends the membership as well

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def join(data_dir: Path, options: SupervisorOptions | None = None, *, within: float = ANSWER_WITHIN) -> Joined:
    """Be a member of the data folder's servers, which are ready when this returns.

    Any number of processes may do this at once: one supervisor comes of it. `options` count only for the one that
    starts it. Raises EmbeddedServersFailed with the reason, or after `within` seconds.
    """
    folder = open_data_folder(data_dir)
    deadline = time.monotonic() + within
    starts = 0
    while time.monotonic() < deadline:
        address = control.find_address(folder)
        connection = None if address is None else control.connect(address)
        if connection is not None:
            answer = control.read_answer(connection, within=max(0.1, deadline - time.monotonic()))
            if answer is not None and "error" not in answer:
                return _membership(connection, answer)
            connection.close()
            if answer is not None:
                raise EmbeddedServersFailed(str(answer["error"]))
            continue
        lock = try_lock(folder.lock)
        if lock is None:  # another supervisor is on its way up or down
            time.sleep(_POLL)
            continue
        lock.release()
        if starts == _MOST_STARTS:
            raise EmbeddedServersFailed(f"the private servers do not start; see {folder.log('supervisor')}")
        starts += 1
        _start_supervisor(folder, options or SupervisorOptions())
        _await_lock(folder, deadline)
    raise EmbeddedServersFailed(f"the private servers were not ready in time; see {folder.log('supervisor')}")


def _membership(connection: socket.socket, answer: Mapping[str, object]) -> Joined:
    redis_url, service_url = answer["redis_url"], answer["service_url"]
    return Joined(
        database_url=str(answer["database_url"]),
        redis_url=None if redis_url is None else str(redis_url),
        service_url=None if service_url is None else str(service_url),
        data_dir=Path(str(answer["data_dir"])),
        supervisor_pid=int(str(answer["supervisor_pid"])),
        answer=answer,
        connection=connection,
    )


def _start_supervisor(folder: DataFolder, options: SupervisorOptions) -> None:
    """Start it in the background, in a session of its own, so that nothing that ends us reaches it."""
    command = module_command(
        "app.embedded.supervisor", "--data-dir", str(folder.path), "--detach", *options.arguments()
    )
    environment = module_environment()
    for name in _CONFIGURED_ELSEWHERE:
        environment.pop(name, None)
    with folder.log("supervisor").open("ab") as log:
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
            started = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, creationflags=flags
            )
            started.returncode = 0  # it outlives us on purpose: nobody waits for it
        else:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd="/", check=False
            )
            if done.returncode != 0:
                raise EmbeddedServersFailed(f"the supervisor did not start; see {folder.log('supervisor')}")


def _await_lock(folder: DataFolder, deadline: float) -> None:
    """Until the started supervisor shows itself: it listens, or it holds the lock, or it had its second to do so."""
    patience = min(deadline, time.monotonic() + 5.0)
    while time.monotonic() < patience:
        lock = try_lock(folder.lock)
        if lock is None or control.find_address(folder) is not None:
            if lock is not None:
                lock.release()
            return
        lock.release()
        time.sleep(_POLL)
