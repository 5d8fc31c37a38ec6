"""One private PostgreSQL cluster: made once, started as a child, reached by a private socket (Windows: loopback).

SCRAM passwords, checksums, UTF-8 and the builtin C.UTF-8 locale, which sorts and folds alike on every system.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from app.embedded.account import Account, give
from app.embedded.binaries import SUFFIX
from app.embedded.children import Child, bound_to_us, start_child
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.leftovers import clear_leftover_postmaster

SUPERUSER = "postgres"
DATABASE = "sentra"
MAJOR_VERSION = "18"
SOCKET_PORT = 5432
START_WITHIN = 120.0  # crash recovery of a large cluster included
_POLL = 0.01

SETTINGS: Mapping[str, str] = {
    "fsync": "on",
    "jit": "off",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    # Statements and the DETAIL of an error may hold a customer's phone number: neither goes to the log.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_parameter_max_length_on_error": "0",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresServer:
    """What it takes to run one cluster. `sockets` is None on Windows, where `port` is a loopback port."""

    programs: Path
    cluster: Path
    sockets: Path | None
    port: int
    password: str
    log: Path
    account: Account | None = None
    settings: Mapping[str, str] = field(default_factory=dict)

    def program(self, name: str) -> str:
        """One of PostgreSQL's programs."""
        return str(self.programs / f"{name}{SUFFIX}")

    def url(self, database: str = DATABASE) -> str:
        """The superuser's URL, understood by psql, psycopg and SQLAlchemy."""
        who = f"{SUPERUSER}:{quote(self.password, safe='')}"
        if self.sockets is None:
            return f"postgresql://{who}@127.0.0.1:{self.port}/{database}"
        return f"postgresql://{who}@/{database}?host={quote(str(self.sockets), safe='')}&port={self.port}"


def initialise(server: PostgresServer) -> bool:
    """Make the cluster with its database when there is none; True when it was made now.

    A first start that was cut off anywhere leaves no half cluster: it is made aside and renamed when complete.
    """
    made_by = server.cluster / "PG_VERSION"
    if made_by.exists():
        if (version := made_by.read_text("ascii").strip()) != MAJOR_VERSION:
            raise EmbeddedServersFailed(f"{server.cluster} was made by PostgreSQL {version}, not {MAJOR_VERSION}")
        return False
    for left in server.cluster.parent.glob(f"{server.cluster.name}.new-*"):
        shutil.rmtree(left, ignore_errors=True)
    draft = server.cluster.with_name(f"{server.cluster.name}.new-{secrets.token_hex(4)}")
    draft.mkdir(mode=0o700)
    give(draft, server.account)
    with tempfile.NamedTemporaryFile("w", suffix=".pw", delete=False) as secret:
        secret.write(f"{server.password}\n")
    try:
        give(Path(secret.name), server.account)
        synced = server.settings.get("fsync", "on") == "on"
        initdb = [
            server.program("initdb"),
            f"--pgdata={draft}",
            f"--username={SUPERUSER}",
            f"--pwfile={secret.name}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            "--data-checksums",
            *([] if synced else ["--no-sync"]),
        ]
        _run(server, initdb)
    finally:
        Path(secret.name).unlink()
    single = [server.program("postgres"), "--single", "-D", str(draft), "-c", "log_checkpoints=off", "postgres"]
    _run(server, single, feed=f"CREATE DATABASE {DATABASE}\n")
    draft.rename(server.cluster)
    return True


def start(server: PostgresServer) -> Child:
    """Start PostgreSQL and return when it takes connections; it is ended when we are.

    Leftovers of a life that was cut off (a pid file, an orphan, a memory block still in use) are cleared first.
    """
    began = time.monotonic()
    deadline = began + START_WITHIN
    clear_leftover_postmaster(server.cluster)
    while True:
        # SIGQUIT is PostgreSQL's immediate stop: it takes its own children along and loses no committed work.
        death_signal = signal.SIGTERM if sys.platform == "win32" else signal.SIGQUIT
        child = start_child(
            "postgres",
            [server.program("postgres"), "-D", str(server.cluster), *_options(server)],
            log=server.log,
            env=_environment(),
            account=server.account,
            death_signal=death_signal,
        )
        while child.ended_with() is None:
            if _is_ready(server.cluster, child, tethered=sys.platform not in ("linux", "win32")):
                return child
            if time.monotonic() > deadline:
                child.stop(within=0)
                raise EmbeddedServersFailed(f"PostgreSQL did not get ready within {START_WITHIN:.0f} s: {server.log}")
            time.sleep(_POLL)
        # A killed postmaster's own children need a moment to notice; until then the next one is refused.
        if time.monotonic() > began + 15 or not _memory_still_in_use(server.log):
            raise EmbeddedServersFailed(f"PostgreSQL ended at its start; the reason is at the end of {server.log}")
        time.sleep(0.1)


def stop(server: PostgresServer, child: Child) -> None:
    """Orderly: sessions are ended, the cluster is checkpointed. Immediately when that takes longer than 20 s."""
    if sys.platform == "win32":
        _run(server, [server.program("pg_ctl"), "stop", "-D", str(server.cluster), "-m", "fast", "-t", "20"])
        child.stop(within=5)
    else:
        child.stop(signal.SIGINT, signal.SIGQUIT, within=20)


def _options(server: PostgresServer) -> list[str]:
    chosen = {**SETTINGS, **server.settings, "port": str(server.port)}
    if server.sockets is None:
        chosen["listen_addresses"] = "127.0.0.1"
    else:
        chosen["listen_addresses"] = ""
        chosen["unix_socket_directories"] = str(server.sockets)
        chosen["unix_socket_permissions"] = "0777"  # the folder around it is the private part
    return [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]


def _is_ready(cluster: Path, child: Child, *, tethered: bool) -> bool:
    """Whether the pid file says `ready` for this very child (what `pg_ctl -w` looks at)."""
    try:
        lines = (cluster / "postmaster.pid").read_text("utf-8").splitlines()
    except OSError:
        return False
    ours = tethered or (bool(lines) and lines[0].strip() == str(child.pid))
    return ours and len(lines) >= 8 and lines[7].strip() == "ready"


def _memory_still_in_use(log: Path) -> bool:
    with log.open("rb") as source:
        source.seek(max(0, log.stat().st_size - 2000))
        end = source.read().decode("utf-8", "replace")
    return "is still in use" in end or "lock file" in end


def _environment() -> dict[str, str]:
    """Without libpq's and PostgreSQL's own variables, which would silently change the cluster."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}


def _run(server: PostgresServer, command: list[str], *, feed: str | None = None) -> None:
    account = server.account
    done = subprocess.run(
        command,
        input=feed,
        stdin=subprocess.DEVNULL if feed is None else None,
        capture_output=True,
        text=True,
        check=False,
        env=_environment(),
        cwd=None if sys.platform == "win32" else "/",
        user=None if account is None else account.uid,
        group=None if account is None else account.gid,
        extra_groups=None if account is None else [],
        preexec_fn=bound_to_us(signal.SIGKILL) if sys.platform == "linux" else None,
    )
    with server.log.open("a", encoding="utf-8") as log:
        log.write(done.stdout + done.stderr)
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise EmbeddedServersFailed(f"{Path(command[0]).name} failed: {last} (log: {server.log})")
