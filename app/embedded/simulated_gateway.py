"""`python -m app.embedded.simulated_gateway --data-dir D --port N --notify URL`: the embedded mode's payment gateway.

It refuses to start anywhere else: only beside a running supervisor, for the data folder whose key it was given.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import uvicorn

from app.embedded.folder_lock import try_lock
from app.embedded.folders import short_name
from app.embedded.simulated_gateway_book import Book
from app.embedded.simulated_gateway_http import SimulatedGateway
from app.embedded.simulated_gateway_post import Post
from app.embedded.simulated_gateway_words import MARK
from app.machine_clock import machine_clock

log = logging.getLogger("sentra.gateway")

KEY_VARIABLE = "SENTRA_SIMULATED_GATEWAY_KEY"
STATE_FILE = "simulated-gateway.sqlite"
DONE, USAGE = 0, 2


class RunningGateway:
    """Server, book and post in this process, until `stop`. On this machine's loopback only."""

    def __init__(
        self,
        state: Path,
        *,
        server_key: str,
        port: int,
        notify_url: str | None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """`clock` gives seconds; the machine's own without one."""
        self.url = f"http://127.0.0.1:{port}"
        seconds = clock or machine_clock.wall
        self.book = Book(state, seconds)
        self._post = Post(self.book, server_key, notify_url)
        app = SimulatedGateway(self.book, server_key, self.url, seconds).app()
        config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", access_log=False, lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, name="gateway-http", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._post.start()

    @property
    def is_up(self) -> bool:
        return self._server.started

    @property
    def has_ended(self) -> bool:
        return not self._thread.is_alive()

    def stop(self, within: float = 5.0) -> None:
        self._server.should_exit = True
        self._thread.join(within)
        self._post.stop(within)
        self.book.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 0 after an orderly stop, 2 when this is not the embedded mode."""
    parser = argparse.ArgumentParser(prog="python -m app.embedded.simulated_gateway", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--notify", required=True, help="where notifications are sent")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    key = os.environ.get(KEY_VARIABLE, "")
    if why := why_not_here(given.data_dir, key):
        sys.stderr.write(f"the simulated gateway runs in the embedded mode only: {why}\n")
        return USAGE
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stopping.set())
    running = RunningGateway(given.data_dir / STATE_FILE, server_key=key, port=given.port, notify_url=given.notify)
    running.start()
    log.info("%s: the simulated gateway is at %s", MARK, running.url)
    while not stopping.wait(0.5):
        if running.has_ended:
            log.error("the simulated gateway cannot listen at %s", running.url)
            break
    running.stop()
    return DONE if stopping.is_set() else 1


def why_not_here(data_dir: Path, key: str, database_url: str | None = None) -> str:
    """Why nobody may start it, or take its money, for this folder; empty when it is the embedded mode. A database's
    address must be the one that its supervisor started."""
    try:
        kept = json.loads((data_dir / "servers.json").read_text("utf-8"))
    except (OSError, ValueError):
        return f"{data_dir} is no data folder of private servers"
    if not key or kept.get("gateway_server_key") != key:
        return "the key is not this folder's"
    if database_url is not None and not _is_private(database_url, data_dir, kept.get("postgres_port")):
        return "the database is none of the private servers"
    lock = try_lock(data_dir / "supervisor.lock")
    if lock is not None:
        lock.release()
        return f"no supervisor runs for {data_dir}"
    return ""


def _is_private(database_url: str, data_dir: Path, port: object) -> bool:
    """Whether it is this folder's PostgreSQL: on the folder's own socket, or on this machine at the folder's port."""
    where = urlsplit(database_url)
    if where.hostname is not None:
        return where.hostname in ("127.0.0.1", "::1", "localhost") and str(where.port) == str(port)
    socket = Path((parse_qs(where.query).get("host") or [""])[0])
    return socket.name == "pg" and socket.parent.name.rpartition("-")[2] == short_name(data_dir.resolve())


if __name__ == "__main__":
    sys.exit(main())
