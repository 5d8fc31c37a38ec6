"""`python -m app.embedded.supervisor --data-dir D`: the one process that owns a data folder's private servers.

It stays while members are connected, ends everything in order `--grace` seconds after the last one is gone, and takes
its children along however it dies. A second one for the same folder ends at once with status 5.
"""

import logging
import os
import selectors
import shutil
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from app.embedded import control
from app.embedded.account import servers_account
from app.embedded.children import bind_children_to_us
from app.embedded.errors import EmbeddedServersFailed
from app.embedded.folder_lock import FolderLock, try_lock
from app.embedded.folders import DataFolder, open_data_folder, socket_folder
from app.embedded.options import SupervisorOptions, parse
from app.embedded.servers import Servers

log = logging.getLogger("sentra.embedded")

LOCKED = 5
FAILED = 4
LINGER_AFTER_FAILURE = 3.0
LOCK_TRIES, LOCK_PAUSE = 50, 0.01


class _EndAsked(BaseException):
    """A signal asked us to end. Not an Exception: nothing on the way may take it for a fault."""


class Supervisor:
    """Members on one side, servers on the other, one thread between them."""

    def __init__(self, folder: DataFolder, options: SupervisorOptions) -> None:
        self._options = options
        self._sockets = socket_folder(folder, servers_account())
        self._servers = Servers(folder, self._sockets, options)
        self._listening = control.listen(folder, self._sockets, os.getpid())
        address = control.find_address(folder)
        self._token = "" if address is None else address.token
        self._folder = folder
        self._members: set[socket.socket] = set()
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()

    def run(self) -> int:
        """Until the last member is gone for the grace time, a signal comes, or PostgreSQL cannot be had."""
        self._watch_signals()
        status = 0
        try:
            self._servers.start()
            log.info("servers are ready")
            self._serve()
        except _EndAsked:
            log.info("asked to end")
        except (EmbeddedServersFailed, OSError) as error:
            log.error("%s", error)
            self._tell_failure(str(error))
            status = FAILED
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            self._stop()
        return status

    def _serve(self) -> None:
        """Answer members until none has been there for the grace time."""
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        alone_since = time.monotonic()
        while True:
            wait = self._servers.revive()
            if not self._members:
                left = alone_since + self._options.grace - time.monotonic()
                if left <= 0:
                    return
                wait = min(wait, left)
            # Windows tells nobody that a child ended: there we look.
            wait = min(wait, 1.0) if sys.platform == "win32" else wait
            for key, _ in self._selector.select(wait):
                if key.fileobj is self._listening:
                    self._welcome()
                elif key.fileobj is self._woken:
                    self._woken.recv(4096)
                elif isinstance(key.fileobj, socket.socket):
                    self._hear(key.fileobj)
            if self._members:
                alone_since = time.monotonic()

    def _welcome(self) -> None:
        """Take one connection in, if it says the token and takes its answer."""
        try:
            connection, _ = self._listening.accept()
        except OSError:
            return  # it was gone before we looked
        connection.settimeout(2.0)
        try:
            with_token = control.says_token(connection.recv(256), self._token)
            if with_token:
                connection.sendall(control.answer_line({**self._servers.answer(), "supervisor_pid": os.getpid()}))
        except OSError:
            with_token = False
        if not with_token:
            connection.close()
            return
        connection.setblocking(False)
        self._members.add(connection)
        self._selector.register(connection, selectors.EVENT_READ)

    def _hear(self, member: socket.socket) -> None:
        """Members say nothing more: what comes is their end."""
        try:
            if member.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            log.debug("a member's connection broke")
        self._selector.unregister(member)
        self._members.discard(member)
        member.close()

    def _tell_failure(self, reason: str) -> None:
        """Give the reason to whoever is waiting for an answer, and a moment to come to whoever started us."""
        self._listening.settimeout(0.1)
        told = bool(self._members)
        deadline = time.monotonic() + LINGER_AFTER_FAILURE
        while time.monotonic() < deadline:
            try:
                connection, _ = self._listening.accept()
            except (TimeoutError, BlockingIOError):
                if told:
                    return
                continue
            with connection:
                connection.settimeout(2.0)
                try:
                    connection.recv(256)
                    connection.sendall(control.answer_line({"error": reason}))
                    told = True
                    self._listening.setblocking(False)  # only those who wait already are told as well
                except OSError:
                    log.debug("a member left before it heard the reason")

    def _stop(self) -> None:
        """No new members, servers in order, then the members' connections: their end says that all is down."""
        self._listening.close()
        self._folder.address.unlink(missing_ok=True)
        self._servers.stop()
        for member in self._members:
            member.close()
        shutil.rmtree(self._sockets, ignore_errors=True)
        log.info("ended in order")

    def _watch_signals(self) -> None:
        def end(_number: int, _frame: FrameType | None) -> NoReturn:
            raise _EndAsked

        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        if sys.platform != "win32":
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # only to wake the selector
        self._wake.setblocking(False)
        self._woken.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a supervisor; 0 when it ended in order, 4 when servers cannot be had, 5 when the folder has one already.

    Its one line of standard output says how it began: `listening`, `locked`, or `failed: ` and the reason.
    """
    command = parse(arguments)
    if command.detach:
        _leave_our_starter()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s supervisor[%(process)d] %(levelname)s %(message)s")
    os.umask(0o077)
    lock = None
    try:
        folder = open_data_folder(command.data_dir)
        lock = _lock_patiently(folder.lock)
        if lock is None:
            _say_and_close("locked")
            return LOCKED
        for name in ("supervisor", "postgres", "redis", "service", "prepare"):
            folder.start_log(name)
        bind_children_to_us()
        supervisor = Supervisor(folder, command.options)
    except (EmbeddedServersFailed, OSError) as error:
        log.error("%s", error)
        _say_and_close(f"failed: {error}")
        if lock is not None:
            lock.release()
        return FAILED
    _say_and_close("listening")
    try:
        return supervisor.run()
    finally:
        lock.release()


def _lock_patiently(path: Path) -> FolderLock | None:
    """The folder's lock; those who only look whether it is held have it for a moment, and that must not stop us."""
    for _ in range(LOCK_TRIES):
        lock = try_lock(path)
        if lock is not None:
            return lock
        time.sleep(LOCK_PAUSE)
    return None


def _say_and_close(line: str) -> None:
    """Tell our starter how it went, then close our standard output, which it reads to the end."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())


def _leave_our_starter() -> None:
    """Go on as nobody's child, in a session of our own: whoever started us need not, and cannot, wait for our end."""
    if sys.platform != "win32":
        if os.fork() != 0:
            os._exit(0)
        os.setsid()


if __name__ == "__main__":
    sys.exit(main())
