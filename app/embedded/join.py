"""Joining a data folder's private servers: start its supervisor when there is none, then be a member until closed."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from app.embedded import control
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folder_lock import try_lock
from app.embedded.folders import DataFolder, open_data_folder
from app.embedded.kept import clock_refusal
from app.embedded.options import SupervisorOptions
from app.embedded.python import module_command, module_environment

ANSWER_WITHIN = 180.0
_POLL = 0.01
_MOST_STARTS = 3
_CONFIGURED_ELSEWHERE = ("DATABASE_URL", "REDIS_URL", "REDLOCK_URLS", "SENTRA_SERVICE_URL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A membership: the servers run at least until it is closed or this process ends.

    `redis_url` is None in the degraded mode and else reaches everything, `counter_redis_url` what a counter needs;
    `service_url` is None where no service runs; `prepared` is what the preparation of the database returned (branch,
    staff, …), `answer` all of it as it came.
    """

    database_url: str
    redis_url: str | None
    counter_redis_url: str | None
    service_url: str | None
    data_dir: Path
    supervisor_pid: int
    answer: Mapping[str, object]
    connection: socket.socket

    def close(self) -> None:
        """Leave. The servers end after their grace time when nobody else is there."""
        self.connection.close()

    def leave(self) -> None:
        """As `close`, while another thread is in `wait_for_end`: that one returns. `close` must still follow."""
        with contextlib.suppress(OSError):  # the supervisor was faster
            self.connection.shutdown(socket.SHUT_RDWR)

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
                if options is not None and options.driven_clock and not answer["driven_clock"]:
                    connection.close()
                    raise EmbeddedServersFailed(clock_refusal(folder))
                return _membership(connection, answer)
            connection.close()
            if answer is not None:
                raise EmbeddedServersFailed(str(answer["error"]))
        elif _is_free(folder):
            if starts == _MOST_STARTS:
                raise EmbeddedServersFailed(f"the private servers do not start; see {folder.log('supervisor')}")
            starts += _start_supervisor(folder, options or SupervisorOptions())
            continue
        time.sleep(_POLL)  # a supervisor is on its way up or down
    raise EmbeddedServersFailed(f"the private servers were not ready in time; see {folder.log('supervisor')}")


def _membership(connection: socket.socket, answer: Mapping[str, object]) -> Joined:
    redis_url, service_url = answer["redis_url"], answer["service_url"]
    counter_redis_url = answer.get("counter_redis_url")
    return Joined(
        database_url=str(answer["database_url"]),
        redis_url=None if redis_url is None else str(redis_url),
        counter_redis_url=None if counter_redis_url is None else str(counter_redis_url),
        service_url=None if service_url is None else str(service_url),
        data_dir=Path(str(answer["data_dir"])),
        supervisor_pid=int(str(answer["supervisor_pid"])),
        answer=answer,
        connection=connection,
    )


def _is_free(folder: DataFolder) -> bool:
    """Whether no supervisor lives on this folder, on its way down included."""
    try:
        lock = try_lock(folder.lock)
    except OSError as error:
        raise EmbeddedServersFailed(f"the data folder {folder.path} cannot be used: {error}") from error
    if lock is not None:
        lock.release()
    return lock is not None


def _start_supervisor(folder: DataFolder, options: SupervisorOptions) -> int:
    """Start it in the background and return when it listens; 1 if it was ours to start, 0 if another one was faster.

    It has a session of its own, so that nothing that ends us reaches it.
    """
    command = module_command(
        "app.embedded.supervisor", "--data-dir", str(folder.path), "--detach", *options.arguments()
    )
    environment = module_environment()
    for name in _CONFIGURED_ELSEWHERE:
        environment.pop(name, None)
    environment |= options.environment()
    with folder.log("supervisor").open("ab") as log:
        said = _first_line(command, environment, log)
    if said.startswith("failed: "):
        raise EmbeddedServersFailed(said.removeprefix("failed: "))
    return 0 if said == "locked" else 1


def _first_line(command: list[str], environment: Mapping[str, str], log: IO[bytes]) -> str:
    """How the supervisor says it began; empty when it broke down before."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        started = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            creationflags=flags,
        )
        said = b"" if started.stdout is None else started.stdout.read()
        started.returncode = 0  # it outlives us on purpose: nobody waits for it
    else:
        # What we start leaves a child behind and ends; standard output closes when that one has spoken.
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=environment, cwd="/", check=False
        )
        said = done.stdout
    return said.decode("utf-8", "replace").strip()
