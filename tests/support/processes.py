"""Real child processes under a test's hand: started, stopped, continued, killed, and read line by line."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from app.embedded.children import bound_to_us
from app.embedded.python import module_environment
from tests.support.waiting import eventually

ROOT = Path(__file__).resolve().parents[2]


class RunningProcess:
    """One child. Its standard output is collected in the background, so that it never blocks on a full pipe."""

    def __init__(self, popen: "subprocess.Popen[str]", errors: Path) -> None:
        self._popen = popen
        self._errors = errors
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._collect, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._popen.poll()

    @property
    def errors(self) -> str:
        """What it wrote to standard error so far."""
        return self._errors.read_text("utf-8", "replace")

    def line(self, *, within: float = 30.0) -> str:
        """Its next line of standard output; AssertionError with its errors when it ends or stays silent instead."""
        try:
            line = self._lines.get(timeout=within)
        except queue.Empty:
            raise AssertionError(f"no line within {within:g} s; its errors: {self.errors}") from None
        if line is None:
            self._lines.put(None)
            status = self.wait(within=within)
            raise AssertionError(f"it ended with {status} instead of writing a line; its errors: {self.errors}")
        return line

    def json_line(self, *, within: float = 30.0) -> Any:
        """Its next line that is JSON."""
        while True:
            line = self.line(within=within)
            if line.lstrip().startswith(("{", "[")):
                return json.loads(line)

    def tell(self, line: str) -> None:
        """Write one line to its standard input."""
        assert self._popen.stdin is not None
        self._popen.stdin.write(f"{line}\n")
        self._popen.stdin.flush()

    def end_input(self) -> None:
        """Close its standard input."""
        assert self._popen.stdin is not None
        self._popen.stdin.close()

    def kill(self) -> None:
        """`kill -9`, and wait until it is gone."""
        self._popen.kill()
        self._popen.wait()

    def terminate(self) -> None:
        """Ask it to end (SIGTERM)."""
        self._popen.terminate()

    def freeze(self) -> None:
        """SIGSTOP, and wait until it has really stopped."""
        os.kill(self.pid, signal.SIGSTOP)
        eventually(lambda: state_of(self.pid) == "T", what="the process stops")

    def thaw(self) -> None:
        """SIGCONT."""
        os.kill(self.pid, signal.SIGCONT)

    def wait(self, *, within: float = 30.0) -> int:
        """Its exit status; AssertionError when it is still running after that many seconds."""
        try:
            return self._popen.wait(within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {within:g} s; its errors: {self.errors}") from None

    def close(self) -> None:
        """Gone with all it started and did not detach, and read to the end, whatever it was doing."""
        with contextlib.suppress(ProcessLookupError):  # nothing of it is left
            os.killpg(self.pid, signal.SIGKILL)  # what it started itself would keep our end of its output open
        self._popen.wait()
        self._reader.join(timeout=10)
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _collect(self) -> None:
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)


class Processes:
    """Starts children; on leaving, every one of them is gone, by its pid and whatever it was doing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[RunningProcess] = []

    def module(self, module: str, *arguments: str, env: Mapping[str, str] | None = None) -> RunningProcess:
        """`python -m module …` of this source tree."""
        return self.command(sys.executable, "-m", module, *arguments, env=env)

    def script(self, code: str, *arguments: str, env: Mapping[str, str] | None = None) -> RunningProcess:
        """`python -c code …`; the product and the tests are importable in it."""
        return self.command(sys.executable, "-c", code, *arguments, env=env)

    def command(self, *command: str, env: Mapping[str, str] | None = None) -> RunningProcess:
        """Any command, run from the source tree; `env` is added to ours. It dies with pytest (on Linux at once)."""
        errors = self._folder / f"process-{len(self._started)}.err"
        environment = module_environment({"PYTHONUNBUFFERED": "1", **(env or {})})
        with errors.open("wb") as sink:
            popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                text=True,
                encoding="utf-8",
                cwd=ROOT,
                start_new_session=True,
                env=environment,
                preexec_fn=bound_to_us(signal.SIGKILL) if sys.platform == "linux" else None,
            )
        running = RunningProcess(popen, errors)
        self._started.append(running)
        return running

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for running in self._started:
            running.close()


def descendants_of(pid: int) -> set[int]:
    """The children of a process, their children, and so on, as they are now."""
    said = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in said.stdout.splitlines()]
    found: set[int] = set()
    fresh = {pid}
    while fresh:
        fresh = {child for child, parent in pairs if parent in fresh} - found
        found |= fresh
    return found


def are_gone(pids: Iterable[int]) -> bool:
    """Whether none of these processes runs any more."""
    return all(state_of(pid) is None for pid in pids)


def state_of(pid: int) -> str | None:
    """The state letter of a process (R, S, T, …); None when it is gone or a zombie nobody has collected."""
    if sys.platform == "linux":
        try:
            state = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            state = ""
    else:
        said = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False)
        state = said.stdout.strip()[:1]
    return state if state not in ("", "Z", "X") else None
