"""Lives of programs on this machine: a locked file each, which the system lets go when its program ends, however."""

from __future__ import annotations

import logging
import re
import secrets
import threading
from pathlib import Path

from app.embedded.folder_lock import FolderLock, try_lock

log = logging.getLogger(__name__)

_KEPT_SECONDS = 86_400.0
_NAME = re.compile(r"[0-9a-f]{16}")
_held: dict[Path, tuple[str, FolderLock]] = {}
_one_at_a_time = threading.Lock()


class Lives:
    """The lives that were begun under one folder. All of one process and folder are the same life."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def mine(self) -> str:
        """This process' life, begun at the first call; empty where the folder cannot be written."""
        with _one_at_a_time:
            known = _held.get(self._folder)
            if known is not None:
                return known[0]
            life = secrets.token_hex(8)
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                lock = try_lock(self._folder / life)
                self._drop_old((self._folder / life).stat().st_mtime)
            except OSError as error:
                log.warning("this program's life cannot be told to others: %s", error)
                return ""
            if lock is None:
                return ""
            _held[self._folder] = (life, lock)
            return life

    def has_ended(self, life: str) -> bool:
        """Whether the program of this life was here and is no more. False for one of which nothing is known: another
        machine's, another user's."""
        if not _NAME.fullmatch(life) or not (self._folder / life).exists():
            return False
        try:
            lock = try_lock(self._folder / life)
        except OSError:
            return False  # another user's file: not ours to judge
        if lock is None:
            return False
        lock.release()
        return True

    def _drop_old(self, now: float) -> None:
        """Files of lives that ended longer ago than anything of theirs can last. `now` is the file system's."""
        for path in self._folder.iterdir():
            if now - path.stat().st_mtime > _KEPT_SECONDS and self.has_ended(path.name):
                path.unlink(missing_ok=True)
