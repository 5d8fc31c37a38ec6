"""The PostgreSQL cluster of one test session: the embedded supervisor, shared by all xdist workers.

Every worker is a member of it, so it ends when the last worker is gone, however the session ends.
"""

import ctypes
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from app.embedded.folder_lock import try_lock
from app.embedded.join import Joined, join
from app.embedded.options import SupervisorOptions
from tests.support.waiting import eventually

FOLDER_VARIABLE = "SENTRA_TEST_CLUSTER"  # the main pytest process tells its workers
_PREFIX = "sentra-tests-"
_CLUSTER = "cluster"
_IN_MEMORY = Path("/dev/shm")  # a database per test is hundreds of files made and removed: a disk's file system is slow
_ROOM = 3 * 1024**3

# Only tests may lose data on a power cut.
_SETTINGS: Mapping[str, str] = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "max_connections": "400",
    "checkpoint_timeout": "1h",
    "autovacuum": "off",
    # A login's 4096 rounds of hashing cost a test more than what it does afterwards.
    "scram_iterations": "1",
}


def choose_folder() -> None:
    """In pytest's main process: name the session's folder to the workers, and clear what killed sessions left."""
    bases = [Path(tempfile.gettempdir()), *([_IN_MEMORY] if _has_room(_IN_MEMORY) else [])]
    for base in bases:
        clear_left_folders(base)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=bases[-1]))
    folder.chmod(0o711)  # the servers' own user must get through when tests run as root
    os.environ[FOLDER_VARIABLE] = str(folder)


def clear_left_folders(base: Path) -> None:
    """Remove the folders of sessions that were killed. Another session may remove one of them at any moment."""
    for left in base.glob(f"{_PREFIX}*"):
        owner = left.name.removeprefix(_PREFIX).split("-")[0]
        try:
            is_left = owner.isdigit() and left.stat().st_uid == os.getuid() and not _is_alive(int(owner))
            if is_left and _is_unused(left):
                shutil.rmtree(left, ignore_errors=True)
        except FileNotFoundError:
            continue  # gone between two looks, which is all that is wanted


def session_folder() -> Path:
    """A folder with a short path that the servers' own user can enter; it goes with the session."""
    return Path(os.environ[FOLDER_VARIABLE])


def join_cluster() -> Joined:
    """Be a member of the session's cluster; the first worker starts it."""
    options = SupervisorOptions(grace=1.0, prepare=None, service=None, redis=False, settings=_SETTINGS)
    return join(session_folder() / _CLUSTER, options)


def quicken_logins(owner_url: str) -> None:
    """Let the superuser's password be hashed with the cluster's `scram_iterations`; initdb took the default."""
    known = conninfo_to_dict(owner_url)
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}").format(
        sql.Identifier(str(known["user"])), sql.Literal(str(known["password"]))
    )
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('quicken_logins'))")  # every worker does it
        connection.execute(statement)


def remove_folder() -> None:
    """In pytest's main process at its end: wait until the servers are down, then leave nothing behind."""
    folder = Path(os.environ.pop(FOLDER_VARIABLE))
    eventually(lambda: _is_unused(folder), within=30, what="the test servers end")
    shutil.rmtree(folder)


def end_with_main_process() -> None:
    """In an xdist worker: be killed when pytest's main process is, so that no server outlives a killed session."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL), 0, 0, 0)


def _has_room(folder: Path) -> bool:
    """Whether the session's servers may live there. Containers often give it 64 MB."""
    return folder.is_dir() and os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= _ROOM


def _is_unused(folder: Path) -> bool:
    held = folder / _CLUSTER / "supervisor.lock"
    if not held.exists():
        return True
    lock = try_lock(held)
    if lock is None:
        return False
    lock.release()
    return True


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
