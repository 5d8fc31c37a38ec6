"""One private Redis on a loopback port with a password: an index that may vanish, so nothing of it is kept on disk."""

import secrets
import signal
import socket
import time
from dataclasses import dataclass, replace
from pathlib import Path

from app.adapters.redis.acl import COUNTER_USER, counter_rule
from app.embedded.account import Account
from app.embedded.children import Child, start_child
from app.embedded.errors import EmbeddedServersFailed

START_WITHIN = 10.0
_POLL = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisServer:
    """What it takes to run one Redis; `folder` is its working folder, of which it keeps nothing.

    `password` is the service's, who may do everything; a counter's user reaches the keys and commands of a counter.
    """

    program: Path
    port: int
    password: str
    counter_password: str
    folder: Path
    log: Path
    account: Account | None = None

    @property
    def url(self) -> str:
        return f"redis://default:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def counter_url(self) -> str:
        """As a counter reaches it."""
        return f"redis://{COUNTER_USER}:{self.counter_password}@127.0.0.1:{self.port}/0"


def start(server: RedisServer) -> tuple[RedisServer, Child]:
    """Start it empty and return when it answers; on another port, named in the answer, when its port is taken."""
    (server.folder / "dump.rdb").unlink(missing_ok=True)  # an old index is worse than none
    for _ in range(5):
        child = start_child(
            "redis",
            [str(server.program), "-"],
            log=server.log,
            account=server.account,
            feed=_configuration(server).encode(),  # not on the command line, where everyone could read the password
        )
        deadline = time.monotonic() + START_WITHIN
        while child.ended_with() is None:
            if _answers(server):
                return server, child
            if time.monotonic() > deadline:
                child.stop(within=0)
                raise EmbeddedServersFailed(f"Redis did not answer within {START_WITHIN:.0f} s: {server.log}")
            time.sleep(_POLL)
        server = replace(server, port=free_port())
    raise EmbeddedServersFailed(f"Redis ended at its start; the reason is at the end of {server.log}")


def stop(child: Child) -> None:
    """End it; there is nothing to save."""
    child.stop(signal.SIGTERM, within=5)


def free_port() -> int:
    """A loopback port nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def new_password() -> str:
    """A password that needs no quoting in a URL, a configuration file or a shell."""
    return secrets.token_hex(24)


def _configuration(server: RedisServer) -> str:
    lines = (
        "bind 127.0.0.1",
        f"port {server.port}",
        f"requirepass {server.password}",
        counter_rule(server.counter_password),
        'save ""',
        "appendonly no",
        "maxmemory-policy noeviction",
        "daemonize no",
        "always-show-logo no",
        f'dir "{_quoted(server.folder)}"',
    )
    return "\n".join(lines) + "\n"


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def _answers(server: RedisServer) -> bool:
    """Whether this very Redis answers: another one on the port would not know the password."""
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=1) as connection:
            connection.sendall(f"AUTH {server.password}\r\nPING\r\n".encode())
            answer = b""
            while answer.count(b"\r\n") < 2:
                part = connection.recv(64)
                if not part:
                    return False
                answer += part
    except OSError:
        return False
    return answer == b"+OK\r\n+PONG\r\n"
