"""What a PostgreSQL that was cut off leaves behind: an orphan to end, or a pid file that names a stranger.

Called only under the data folder's lock, so whatever still runs on the cluster has no living supervisor.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_POLL = 0.02


def clear_leftover_postmaster(cluster: Path) -> None:
    """After this no postmaster runs on the cluster and no pid file is in the way; strangers are left alone."""
    if sys.platform == "win32":
        return  # PostgreSQL for Windows looks through a stale pid file by itself, and the job ended its processes
    pid_file = cluster / "postmaster.pid"
    pid = _recorded_pid(pid_file)
    if pid is not None:
        for number, within in ((signal.SIGINT, 15.0), (signal.SIGQUIT, 6.0), (signal.SIGKILL, 6.0)):
            if not _serves(pid, cluster) or _ended(pid, cluster, number, within):
                break
    # PostgreSQL believes any living process with this number, and would refuse to start because of a stranger.
    pid_file.unlink(missing_ok=True)


def _recorded_pid(pid_file: Path) -> int | None:
    try:
        return int(pid_file.read_text("utf-8").split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def _serves(pid: int, cluster: Path) -> bool:
    """Whether this process is a postmaster of this cluster (it works inside the cluster's folder)."""
    if sys.platform == "linux":
        try:
            program = Path(os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")).name
            serves = program == "postgres" and Path(os.readlink(f"/proc/{pid}/cwd")) == cluster
        except OSError:
            serves = False
    else:
        said = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
        serves = "postgres" in said.stdout and str(cluster) in said.stdout
    return serves


def _ended(pid: int, cluster: Path, number: int, within: float) -> bool:
    try:
        os.kill(pid, number)
        os.kill(pid, signal.SIGCONT)  # one that was stopped could not obey
    except ProcessLookupError:
        return True
    deadline = time.monotonic() + within
    while _serves(pid, cluster):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True
