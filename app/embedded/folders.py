"""Where a data folder keeps what, and which short private folder its sockets live in.

<data folder>/supervisor.lock   held by its one supervisor
              supervisor.json   how to reach it (address and token), mode 0600
              servers.json      passwords and ports that stay the same over restarts, mode 0600
              log/              supervisor, postgres, redis, service, prepare
              postgres/         the cluster; or `postgres-location`, which names the folder that has it
"""

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

from app.embedded.account import Account, give, may_enter
from app.embedded.errors import EmbeddedServersFailed

CLUSTERS_OF_ROOT = Path("/var/lib/sentra-embedded")
SOCKETS_OF_ROOT = Path("/run/sentra-embedded")
LONGEST_LOG = 5_000_000  # bytes


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The fixed names inside one data folder; `path` is absolute and free of symbolic links."""

    path: Path

    @property
    def lock(self) -> Path:
        return self.path / "supervisor.lock"

    @property
    def address(self) -> Path:
        return self.path / "supervisor.json"

    @property
    def servers(self) -> Path:
        return self.path / "servers.json"

    @property
    def cluster_pointer(self) -> Path:
        return self.path / "postgres-location"

    def log(self, name: str) -> Path:
        """The log of one process; its folder exists."""
        return self.path / "log" / f"{name}.log"

    def start_log(self, name: str) -> None:
        """Put a log that has grown long aside; the one before it is gone."""
        log = self.log(name)
        if log.exists() and log.stat().st_size > LONGEST_LOG:
            log.replace(log.with_suffix(".log.1"))


def open_data_folder(path: Path) -> DataFolder:
    """Make the folder when it is missing (private, but enterable by the servers' user) and name its parts."""
    as_root = sys.platform != "win32" and os.geteuid() == 0
    try:
        if not path.exists():
            path.mkdir(parents=True, exist_ok=True)
            path.chmod(0o711 if as_root else 0o700)
        folder = DataFolder(path.resolve())
        (folder.path / "log").mkdir(mode=0o700, exist_ok=True)
        if not os.access(folder.path, os.W_OK | os.X_OK):
            raise PermissionError(f"{folder.path} belongs to somebody else")
    except OSError as error:
        raise EmbeddedServersFailed(f"the data folder {path} cannot be used: {error}") from error
    return folder


def cluster_home(folder: DataFolder, account: Account | None) -> Path:
    """The folder whose `postgres` child is the cluster: the data folder, or a system folder when the servers' user
    cannot reach into the data folder. A folder that has a cluster keeps it where it is."""
    if folder.cluster_pointer.exists():
        return Path(folder.cluster_pointer.read_text("utf-8").strip())
    if account is None or may_enter(account, folder.path):
        return folder.path
    home = CLUSTERS_OF_ROOT / uuid.uuid4().hex
    if not CLUSTERS_OF_ROOT.is_dir():  # a folder that is there already keeps its rights
        CLUSTERS_OF_ROOT.mkdir(parents=True, exist_ok=True)
        CLUSTERS_OF_ROOT.chmod(0o755)
    home.mkdir()
    home.chmod(0o711)
    (home / "belongs-to").write_text(f"{folder.path}\n", "utf-8")
    write_private(folder.cluster_pointer, f"{home}\n")
    return home


def short_name(folder: Path) -> str:
    """What stands for this data folder, absolute and free of symbolic links, where its path would be too long."""
    return hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]


def socket_folder(folder: DataFolder, account: Account | None) -> Path:
    """A private folder with a short path (socket paths end at 107 bytes), the same for this data folder every time.

    It has children `pg` and `redis`, owned by the servers' user. What an earlier life left in it is gone.
    """
    short = short_name(folder.path)
    if account is not None and _made(SOCKETS_OF_ROOT, 0o755):
        home = SOCKETS_OF_ROOT / short
    else:
        base = Path("/tmp") if os.access("/tmp", os.W_OK) else Path(tempfile.gettempdir())
        home = base / f"sentra-{_our_number()}-{short}"
    if not _made(home, 0o711 if account is not None else 0o700):
        raise EmbeddedServersFailed(f"{home} exists and is not ours; remove it and start again")
    for left in home.iterdir():
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    for name in ("pg", "redis"):
        inner = home / name
        inner.mkdir(mode=0o700)
        give(inner, account)
    return home


def write_private(path: Path, text: str) -> None:
    """Write a file that only we may read, whole or not at all."""
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    with os.fdopen(descriptor, "w", encoding="utf-8") as sink:
        sink.write(text)
        sink.flush()
        os.fsync(sink.fileno())
    Path(draft).replace(path)


def _made(path: Path, mode: int) -> bool:
    """Whether the folder exists now, is no link, and belongs to us; nobody else can have prepared it for us."""
    try:
        path.mkdir(mode=mode)
        path.chmod(mode)
    except FileExistsError:
        found = path.lstat()
        return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.geteuid())
    except OSError:
        return False
    return True


def _our_number() -> int:
    return 0 if sys.platform == "win32" else os.geteuid()
