"""What client processes did, one JSON line each, on disk before anything else happens: read by somebody else later."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class History:
    """One process' own file. A line that was written is on disk; a killed process leaves at most half a line."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")

    def write(self, what: str, **values: object) -> None:
        self._file.write(json.dumps({"what": what, **values}, default=str).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def read_all(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Every whole line of every process, each with the file it stands in."""
    for path in sorted(folder.glob("*.jsonl")):
        for raw in path.read_bytes().split(b"\n"):
            if raw.endswith(b"}"):
                yield {**json.loads(raw), "by": path.stem}
