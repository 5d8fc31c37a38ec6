"""Child processes that cannot outlive the process that started them, whatever ends it, `kill -9` included.

Linux: the kernel signals the child when its parent's main thread is gone (PR_SET_PDEATHSIG).
Windows: `bind_children_to_us` puts us, and so all our children, into a Job Object that dies with our last handle.
Other systems: a tether process (`app.embedded.tether`) holds a pipe from us and ends the child when it closes.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from app.embedded.account import Account
from app.embedded.python import module_command

_PR_SET_PDEATHSIG = 1
_CREATE_NO_WINDOW = 0x08000000  # of the Windows interface; the standard library names it only there
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class Child:
    """One running child. `pid` is the program itself, or its tether where the system has no death signal."""

    def __init__(self, name: str, popen: "subprocess.Popen[bytes]", *, tethered: bool) -> None:
        self.name = name
        self._popen = popen
        self._tethered = tethered

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def output(self) -> IO[bytes] | None:
        """Its standard output, when it was started with a pipe for it."""
        return self._popen.stdout

    def ended_with(self) -> int | None:
        """Its exit status (negative: a signal), or None while it runs."""
        status = self._popen.poll()
        if status is not None and self._tethered and sys.platform != "win32":
            _signal_group(self.pid, signal.SIGKILL)  # the tether is gone: nothing of its group may stay
        return status

    def send(self, number: int) -> None:
        """Deliver a signal; a child that has already ended is left alone."""
        if self.ended_with() is None:
            self._popen.send_signal(number)

    def wait(self, *, within: float) -> bool:
        """Whether it ended within so many seconds."""
        try:
            self._popen.wait(within)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self, *gently: int, within: float) -> None:
        """End it: each signal in turn gets `within` seconds, then it is killed. Returns when it is gone."""
        for number in gently:
            self.send(number)
            if self.wait(within=within):
                break
        else:
            self._popen.kill()
            self._popen.wait()
        self.ended_with()
        if self._popen.stdin is not None:
            self._popen.stdin.close()
        if self._popen.stdout is not None:
            self._popen.stdout.close()


def start_child(
    name: str,
    command: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    account: Account | None = None,
    death_signal: int = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL,
    feed: bytes | None = None,
    collect: bool = False,
) -> Child:
    """Start a child that ends with us; call it from the main thread, whose life the child is bound to.

    `feed` is given to it on standard input, `collect` keeps its standard output for us; all else goes to `log`.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("children are bound to the main thread and must be started by it")
    tethered = sys.platform not in ("linux", "win32")
    argv = [*module_command("app.embedded.tether", str(int(death_signal))), *command] if tethered else list(command)
    with log.open("ab") as sink:
        popen = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE if feed is not None or tethered else subprocess.DEVNULL,
            stdout=subprocess.PIPE if collect else sink,
            stderr=sink,
            env=None if env is None else dict(env),
            cwd=None if sys.platform == "win32" else "/",
            start_new_session=sys.platform != "win32",
            creationflags=_CREATE_NO_WINDOW if sys.platform == "win32" else 0,
            user=None if account is None else account.uid,
            group=None if account is None else account.gid,
            extra_groups=None if account is None else [],
            # Runs after the change of user, which would clear the death signal again.
            preexec_fn=bound_to_us(death_signal) if sys.platform == "linux" else None,
        )
    child = Child(name, popen, tethered=tethered)
    if feed is not None and popen.stdin is not None:
        if tethered:  # the pipe must stay open, since its end is the tether's signal
            feed = len(feed).to_bytes(8, "big") + feed
        try:
            popen.stdin.write(feed)
            popen.stdin.flush()
            if not tethered:
                popen.stdin.close()
        except BrokenPipeError:
            pass  # it ended before reading; its exit status tells
    elif tethered and popen.stdin is not None:
        popen.stdin.write((0).to_bytes(8, "big"))
        popen.stdin.flush()
    return child


def bound_to_us(death_signal: int) -> Callable[[], None]:
    """A `preexec_fn` for Linux: the new process gets this signal when our main thread is gone."""
    parent = os.getpid()

    def bind() -> None:
        if _libc is None or _libc.prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) != 0:
            os._exit(127)
        if os.getppid() != parent:  # we died between fork and prctl: no signal would ever come
            os._exit(127)

    return bind


def bind_children_to_us() -> None:
    """Windows: put this process into a Job Object that kills all its members when our last handle to it closes."""
    if sys.platform == "win32":
        from app.embedded import windows_job

        windows_job.join_deadly_job()


if sys.platform != "win32":

    def _signal_group(group: int, number: int) -> None:
        try:
            os.killpg(group, number)
        except (ProcessLookupError, PermissionError):
            return  # nothing of it is left
