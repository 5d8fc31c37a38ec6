"""One branch on private servers per worker: started as `run --serve` starts it, its clock in the tests' hand."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.embedded.folder_lock import try_lock
from app.embedded.join import join
from app.embedded.options import SupervisorOptions
from tests.journeys.place import Place
from tests.support.processes import Processes
from tests.support.waiting import eventually


@pytest.fixture(scope="session")
def place(short_tmp: Path) -> Iterator[Place]:
    """The demo branch as `run --serve` prints it; journeys take days and units of their own in it."""
    home = Path(tempfile.mkdtemp(prefix="j-", dir=short_tmp))
    home.chmod(0o711)
    folder = home / "cabang"
    options = SupervisorOptions(grace=1.0, driven_clock=True, settings={"fsync": "off"})
    with join(folder, options) as joined:
        with Processes(home) as started:
            nothing = {"DATABASE_URL": "", "REDIS_URL": "", "SENTRA_SERVICE_URL": ""}
            served = started.module("app.embedded.launch", "--serve", "--data-dir", str(folder), env=nothing)
            yield Place(line=served.json_line(within=90), supervisor_pid=joined.supervisor_pid)
            served.terminate()
            assert served.wait() == 0, served.errors
    eventually(lambda: _is_left(folder), within=30, what="the private servers end")
    shutil.rmtree(home)


def _is_left(folder: Path) -> bool:
    lock = try_lock(folder / "supervisor.lock")
    if lock is not None:
        lock.release()
    return lock is not None
