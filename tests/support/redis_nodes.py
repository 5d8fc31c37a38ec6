"""Real Redis servers for tests: one per worker, and more on demand that can be killed and come back empty."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import redis

from app.embedded import redis_server
from app.embedded.account import give, servers_account
from app.embedded.binaries import redis_program
from app.embedded.children import Child
from app.embedded.redis_server import RedisServer


class RedisNode:
    """One Redis under a test's hand. Its URL stays the same over kill and restart."""

    def __init__(self, folder: Path) -> None:
        account = servers_account()
        program = redis_program(account)
        assert program is not None, "tests need a redis-server of at least 6.2 (install redis-server)"
        folder.mkdir()
        give(folder, account)
        self._server = RedisServer(
            program=program,
            port=redis_server.free_port(),
            password=redis_server.new_password(),
            counter_password=redis_server.new_password(),
            folder=folder,
            log=folder.with_suffix(".log"),
            account=account,
        )
        self._child: Child | None = None

    @property
    def url(self) -> str:
        """Where it answers, or will answer when it is started."""
        return self._server.url

    @property
    def counter_url(self) -> str:
        """The same server as a counter reaches it."""
        return self._server.counter_url

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def pid(self) -> int:
        """Its process; it must be running."""
        assert self._child is not None, "this Redis is not running"
        return self._child.pid

    def start(self) -> None:
        """Run it, empty. Its URL is fixed from here on."""
        assert self._child is None, "this Redis is running already"
        started, self._child = redis_server.start(self._server)
        self._server = replace(started)

    def stop(self) -> None:
        """End it in order; a stopped one is left alone."""
        if self._child is not None:
            self._child.send(signal.SIGCONT)
            redis_server.stop(self._child)
            self._child = None

    def kill(self) -> None:
        """End it like a power cut."""
        assert self._child is not None, "this Redis is not running"
        self._child.stop(within=0)
        self._child = None

    def restart_empty(self) -> None:
        """Kill it and run it again at the same URL, with nothing in it."""
        self.kill()
        self.start()

    def freeze(self) -> None:
        """Stop it from answering without closing its connections."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it answer again."""
        os.kill(self.pid, signal.SIGCONT)

    def flush(self) -> None:
        """Empty it, scripts, users and settings aside."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()
