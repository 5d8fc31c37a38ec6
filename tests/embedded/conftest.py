"""Data folders that each test fills, crashes and joins for itself."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.embedded.control import find_address
from app.embedded.folder_lock import try_lock
from app.embedded.folders import DataFolder
from app.embedded.join import Joined, join
from app.embedded.options import SupervisorOptions
from tests.support.processes import Processes, RunningProcess
from tests.support.waiting import eventually

# Nothing here is about surviving a power cut; a fast start leaves time for more tests.
BARE = SupervisorOptions(grace=0.2, prepare=None, service=None, gateway=None, settings={"fsync": "off"})

JOINER = """
import json, sys
from pathlib import Path
from app.embedded.folders import DataFolder
from app.embedded.join import join
from app.embedded.options import parse
joined = join(Path(sys.argv[1]), parse(["--data-dir", sys.argv[1], *sys.argv[2:]]).options)
print(json.dumps(dict(joined.answer)))
sys.stdin.read()
"""

Joiner = Callable[[], RunningProcess]


def is_free(data_dir: Path) -> bool:
    """Whether no supervisor is left on the folder."""
    if not (data_dir / "supervisor.lock").exists():
        return True
    lock = try_lock(data_dir / "supervisor.lock")
    if lock is not None:
        lock.release()
    return lock is not None


@pytest.fixture(scope="session")
def made_once(short_tmp: Path) -> Path:
    """A data folder whose cluster is made and at rest, to be copied: making one takes a second."""
    folder = short_tmp / "made"
    join(folder, BARE).close()
    eventually(lambda: is_free(folder), within=30)
    return folder


@pytest.fixture
def data_dir(made_once: Path, new_data_dir: Path) -> Path:
    """A data folder of this test alone with a cluster in it, otherwise like `new_data_dir`."""
    subprocess.run(["cp", "-a", str(made_once), str(new_data_dir)], check=True)  # owners included
    shutil.rmtree(new_data_dir / "log")
    return new_data_dir


@pytest.fixture
def new_data_dir(short_tmp: Path) -> Iterator[Path]:
    """A data folder that does not exist yet, with a space in its path; its servers end with the test."""
    home = Path(tempfile.mkdtemp(prefix="d-", dir=short_tmp))
    home.chmod(0o711)
    folder = home / "kasir satu"
    yield folder
    eventually(lambda: is_free(folder), within=30, what="the servers of the test's data folder end")
    address = find_address(DataFolder(folder))
    if address is not None and address.path is not None:  # it was killed, and nobody will join this folder again
        shutil.rmtree(Path(address.path).parent, ignore_errors=True)
    shutil.rmtree(home)


@pytest.fixture
def joined(data_dir: Path) -> Iterator[Joined]:
    """Membership of servers with a short grace time, no service and an empty database."""
    with join(data_dir, BARE) as membership:
        yield membership


@pytest.fixture
def joiner(data_dir: Path, processes: Processes) -> Joiner:
    """Starts a process that joins the data folder, prints its answer, and stays until it is ended."""

    def start() -> RunningProcess:
        return processes.script(JOINER, str(data_dir), *BARE.arguments())

    return start
