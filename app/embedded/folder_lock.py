"""A file lock that the system drops when its holder dies, however it dies: one supervisor per data folder."""

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class FolderLock:
    """Holds one lock file until `release` or the end of this process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        """Let the next one in. The file stays: removing it would let two holders lock two different files."""
        os.close(self._descriptor)


def try_lock(path: Path) -> FolderLock | None:
    """The lock, or None at once when another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # not inherited by children
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return FolderLock(descriptor)
