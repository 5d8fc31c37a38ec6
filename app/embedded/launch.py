"""`python -m app.embedded.launch`: the counter, its self-check or bare servers, on private or configured servers.

A configured DATABASE_URL wins; otherwise the data folder's private servers are joined, and started when none run.
"""

import argparse
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.embedded.errors import EmbeddedServersFailed
from app.embedded.join import Joined
from app.embedded.options import SupervisorOptions
from app.embedded.python import RUN_MODULE, RUNNABLE_MODULES
from app.embedded.staying import Staying

DONE, FINDING, USAGE, UNREACHABLE = 0, 1, 2, 4
SERVICE_WITHIN = 20.0
SERVED_KEYS = (
    *("database_url", "redis_url", "service_url", "gateway_url", "gateway_server_key"),
    *("data_dir", "branch", "staff"),
)
COUNTER = "app.desktop.main"
SELF_CHECK = "app.desktop.self_check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The command line: what to run, where, and what is passed on to the screens."""

    data_dir: Path | None
    serve: bool
    self_check: bool
    exit_with_parent: bool
    grace: float | None
    passed_on: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for, to its end. 2: usage, 4: no servers; the reason is printed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == [RUN_MODULE]:
        return _run_module(given[1:])
    wish = _parse(given)
    if wish.exit_with_parent:
        _exit_with_parent()
    from app.settings import SettingsInvalid, load_settings  # its libraries are not needed by `--run-module`

    if wish.data_dir is not None:
        os.environ["SENTRA_DATA_DIR"] = str(wish.data_dir.absolute())
    try:
        settings = load_settings()
    except SettingsInvalid as error:
        sys.stderr.write(f"{error}\n")
        return USAGE
    if settings.database_url is not None and wish.serve:
        served = {
            "database_url": settings.database_url,
            "redis_url": settings.redis_url,
            "service_url": settings.service_url,
            "data_dir": str(settings.data_dir),
        }
        return _serve(served)
    if not wish.serve and not wish.self_check:
        return _run_screens(COUNTER, wish.passed_on)  # paints its login first and joins the servers behind it
    data_dir = settings.data_dir if wish.data_dir is not None or not wish.self_check else _own_data_dir()
    try:
        return _on_private_servers(data_dir, wish, None if wish.self_check else settings.redis_url)
    except EmbeddedServersFailed as error:
        sys.stderr.write(f"{error}\n")
        return UNREACHABLE


def _on_private_servers(data_dir: Path, wish: Wish, redis_url: str | None) -> int:
    grace = wish.grace if wish.grace is not None else SupervisorOptions().grace
    options = SupervisorOptions(grace=grace, driven_clock=wish.self_check, redis_url=redis_url)
    staying = Staying(data_dir, options)
    try:
        joined = staying.joined
        _configure(joined)
        if wish.serve:
            _await_service(joined.service_url)
            return _serve({key: joined.answer[key] for key in SERVED_KEYS if key in joined.answer})
        return _run_screens(SELF_CHECK, wish.passed_on)
    finally:
        staying.close()


def _configure(joined: Joined) -> None:
    """Point this process' settings to the private servers; what was configured for others does not mix in."""
    found = {
        "DATABASE_URL": joined.database_url,
        "REDIS_URL": joined.redis_url,
        "REDLOCK_URLS": None,
        "SENTRA_SERVICE_URL": joined.service_url,
        "SENTRA_DATA_DIR": str(joined.data_dir),
    }
    for name, value in found.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _run_screens(module: str, passed_on: Sequence[str]) -> int:
    """The one place that names the screens: loaded by name, so that the servers never depend on Qt."""
    status: int = importlib.import_module(module).main(list(passed_on))
    return status


def _serve(served: Mapping[str, object]) -> int:
    """Print the line and stay until a signal ends us; the end of standard input is none."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: ended.set())
    sys.stdout.write(json.dumps(served, ensure_ascii=False) + "\n")
    sys.stdout.flush()
    while not ended.wait(3600):
        continue
    return DONE


def _await_service(url: str | None) -> None:
    """Until the service listens, so that scripts can use the printed line at once; a service that fails has its log."""
    if url is None:
        return
    where = urlsplit(url)
    deadline = time.monotonic() + SERVICE_WITHIN
    while time.monotonic() < deadline:
        try:
            socket.create_connection((where.hostname or "127.0.0.1", where.port or 80), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.stderr.write(f"the service does not listen on {url} yet\n")


def _own_data_dir() -> Path:
    """A new folder that stays, so that what the self-check did can be looked at."""
    folder = Path(tempfile.mkdtemp(prefix="sentra-self-check-"))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder.chmod(0o711)  # the servers' own user must get through; what is in it stays private
    return folder


def _exit_with_parent() -> None:
    """End like on SIGTERM when the process that started us is gone. Windows has no such link between processes."""
    if sys.platform != "win32":
        parent, main_thread = os.getppid(), threading.main_thread().ident

        def watch() -> None:
            nobody = threading.Event()
            while not nobody.wait(0.25):
                if os.getppid() != parent and main_thread is not None:
                    signal.pthread_kill(main_thread, signal.SIGTERM)  # only there it interrupts what is waited for
                    return

        threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def _run_module(arguments: list[str]) -> int:
    """Be one of our own background processes; the frozen bundle has no `python -m`."""
    if not arguments or arguments[0] not in RUNNABLE_MODULES:
        sys.stderr.write(f"{RUN_MODULE} runs one of: {', '.join(sorted(RUNNABLE_MODULES))}\n")
        return USAGE
    sys.argv = arguments
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    return DONE


def _parse(arguments: Sequence[str]) -> Wish:
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, epilog="Anything else is passed on to the counter.", allow_abbrev=False
    )
    parser.add_argument("--data-dir", type=Path, help="where the private servers keep their data")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--serve", action="store_true", help="servers without a window: print one JSON line and stay")
    which.add_argument("--self-check", action="store_true", help="drive the real screens through one booking")
    parser.add_argument("--exit-with-parent", action="store_true", help="end when the process that started us ends")
    parser.add_argument("--grace", type=float, help="seconds the private servers stay after the last one left")
    known, rest = parser.parse_known_args(arguments)
    return Wish(
        data_dir=known.data_dir,
        serve=known.serve,
        self_check=known.self_check,
        exit_with_parent=known.exit_with_parent,
        grace=known.grace,
        passed_on=tuple(rest),
    )


if __name__ == "__main__":
    sys.exit(main())
