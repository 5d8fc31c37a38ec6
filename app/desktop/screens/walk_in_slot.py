"""Which draft files a window owns: one numbered slot per window, held by a lock that ends with its process."""

import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger(__name__)


class FileLock:
    """An exclusive lock of the operating system on a file of its own; a process that is killed gives it back."""

    def __init__(self, held: int) -> None:
        self._held: int | None = held

    @staticmethod
    def take(path: Path) -> "FileLock | None":
        """The lock, or None while another window holds it; OSError where this disk knows no locks."""
        held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            os.close(held)
            return None
        except OSError:
            os.close(held)
            raise
        return FileLock(held)

    def release(self) -> None:
        """Give it back; the empty file stays, so that nobody locks a file that is being deleted."""
        if self._held is not None:
            os.close(self._held)
            self._held = None


class DraftSlot:
    """The lowest number no living window of this login holds. No other window writes this form's files of this number.

    Where nothing can be locked the process's own number is taken: still nobody else's.
    """

    def __init__(self, folder: Path, staff: str, form: str = "walk_in") -> None:
        self._folder, self._staff, self._form = folder, staff, form
        self._lock: FileLock | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.number = 1
            while (lock := FileLock.take(self._lock_path(self.number))) is None:
                self.number += 1
            self._lock = lock
        except OSError as problem:
            log.warning("the drafts' folder cannot be locked: %s", problem.strerror)
            self.number = os.getpid()

    def others(self) -> tuple[int, ...]:
        """The numbers of all other slots with files of this login."""
        shape = re.compile(rf"{re.escape(self._form)}(?:_kept)?-{re.escape(self._staff)}-(\d+)\.json")
        paths = self._folder.glob(f"{self._form}*.json")
        found = {int(match[1]) for path in paths if (match := shape.fullmatch(path.name))}
        return tuple(sorted(found - {self.number}))

    @contextmanager
    def borrowed(self, number: int) -> Iterator[bool]:
        """True while a dead window's slot is held for moving its drafts; False when its window lives."""
        try:
            lock = FileLock.take(self._lock_path(number))
        except OSError as problem:
            log.warning("a draft's lock could not be taken: %s", problem.strerror)
            lock = None
        try:
            yield lock is not None
        finally:
            if lock is not None:
                lock.release()

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _lock_path(self, number: int) -> Path:
        return self._folder / f"{self._form}-{self._staff}-{number}.lock"
