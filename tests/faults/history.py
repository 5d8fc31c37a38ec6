"""What client processes did, one JSON line each, written before anything else happens: others read it later."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class History:
    """One process' own file. A line that was written stays when the process is killed; it leaves at most half a line.

    `at` is the machine's monotonic clock in ns, the same for all its processes: what was answered before another thing
    was asked is known to have come first. Several threads may write.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._guard = threading.Lock()

    def write(self, what: str, **values: object) -> None:
        line = json.dumps({"what": what, "at": time.monotonic_ns(), **values}, default=str).encode() + b"\n"
        with self._guard:
            self._file.write(line)

    def close(self) -> None:
        self._file.close()


def now_ns() -> int:
    """The clock of `at`."""
    return time.monotonic_ns()


def read_all(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Every whole line of every process, each with the file it stands in."""
    for path in sorted(folder.glob("*.jsonl")):
        yield from read_one(path)


def read_one(path: Path) -> Iterator[Mapping[str, Any]]:
    """Every whole line of one process' file."""
    for raw in path.read_bytes().split(b"\n"):
        if raw.endswith(b"}"):
            yield {**json.loads(raw), "by": path.stem}
