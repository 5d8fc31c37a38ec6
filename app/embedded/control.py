"""How members and the supervisor talk: a held local connection, one line with the token in, one JSON line out.

The connection is the membership: the kernel closes it when a member dies, however it dies.
"""

import hmac
import json
import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.embedded.folders import DataFolder, write_private

CONNECT_WITHIN = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a supervisor listens: a socket path, or a loopback port on Windows; with what a member must say."""

    path: str | None
    port: int
    token: str
    pid: int


def listen(folder: DataFolder, sockets: Path | None, pid: int) -> socket.socket:
    """Listen and tell the data folder where; earlier addresses in it are void from now on."""
    if sys.platform == "win32" or sockets is None:
        listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        address = Address(path=None, port=listening.getsockname()[1], token=secrets.token_hex(32), pid=pid)
    else:
        path = str(sockets / "control.sock")
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(path)
        Path(path).chmod(0o600)
        listening.listen(128)
        address = Address(path=path, port=0, token=secrets.token_hex(32), pid=pid)
    listening.setblocking(False)
    known = {"path": address.path, "port": address.port, "token": address.token, "pid": address.pid}
    write_private(folder.address, json.dumps(known) + "\n")
    return listening


def find_address(folder: DataFolder) -> Address | None:
    """What the data folder says about its supervisor, which may be gone; None when it says nothing whole."""
    try:
        known = json.loads(folder.address.read_text("utf-8"))
        return Address(path=known["path"], port=int(known["port"]), token=str(known["token"]), pid=int(known["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def connect(address: Address) -> socket.socket | None:
    """A connection on which the token is already said, or None when nobody listens there any more."""
    try:
        if address.path is None:
            connection = socket.create_connection(("127.0.0.1", address.port), timeout=CONNECT_WITHIN)
        else:
            connection = _connect_local(address.path)
    except OSError:
        return None
    try:
        connection.sendall(f"{address.token}\n".encode())
    except OSError:
        connection.close()
        return None
    return connection


def read_answer(connection: socket.socket, *, within: float) -> dict[str, object] | None:
    """The supervisor's answer; None when it ended, or stayed silent for `within` seconds, before giving one."""
    connection.settimeout(within)
    line = b""
    try:
        while not line.endswith(b"\n"):
            part = connection.recv(65536)
            if not part:
                return None
            line += part
    except OSError:
        return None
    connection.settimeout(None)
    answer: dict[str, object] = json.loads(line)
    return answer


def says_token(line: bytes, token: str) -> bool:
    """Whether a member's first line is the token."""
    return hmac.compare_digest(line.strip(), token.encode())


def answer_line(answer: Mapping[str, object]) -> bytes:
    """One JSON line."""
    return json.dumps(answer, ensure_ascii=False).encode() + b"\n"


if sys.platform != "win32":

    def _connect_local(path: str) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(CONNECT_WITHIN)
        try:
            connection.connect(path)
        except OSError:
            connection.close()
            raise
        return connection
