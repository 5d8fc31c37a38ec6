"""A reader at work: a process of its own that looks at what the others have written, while they may go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from tests.faults.reader import AWAY
from tests.faults.servers import Servers
from tests.support.processes import ROOT

Finding = dict[str, Any]


class Reading:
    """Begins at once; `running` tells the reader that the run goes on, and that a server may be away meanwhile."""

    def __init__(self, servers: Servers, *, running: bool) -> None:
        self._running = running
        self._said, self._errors = (
            tempfile.TemporaryFile(),  # noqa: SIM115 - closed by `answer`
            tempfile.TemporaryFile(),  # noqa: SIM115
        )
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.reader"],
            stdin=subprocess.PIPE,
            stdout=self._said,
            stderr=self._errors,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        asked = {
            "history": str(servers.history),
            "database_url": servers.database_url,
            "redis_url": servers.redis_url,
            "running": running,
        }
        assert self._process.stdin is not None
        with self._process.stdin as question:
            question.write(json.dumps(asked).encode())

    @property
    def is_done(self) -> bool:
        return self._process.poll() is not None

    def answer(self) -> Finding | None:
        """What it found, waiting for it; None when a server was away while it looked."""
        status = self._process.wait()
        with self._said as said, self._errors as errors:
            said.seek(0)
            errors.seek(0)
            found, problem = said.read(), errors.read().decode()
        if found:
            answer: Finding = json.loads(found)
            return answer
        if self._running and status == AWAY:
            return None
        raise RuntimeError(f"the reader failed: {problem[-2000:]}")

    def breaks(self) -> list[Finding]:
        """What it found broken."""
        answer = self.answer()
        return [] if answer is None else list(answer["breaks"])
