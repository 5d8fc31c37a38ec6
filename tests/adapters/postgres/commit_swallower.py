"""A proxy before PostgreSQL that lets a COMMIT through and loses its answer: the client cannot know what happened."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.engine import make_url

COMMIT = b"COMMIT\0"


class CommitSwallower:
    """Loses the answers of as many COMMITs as `armed` says, cutting the connection each time; then only forwards."""

    def __init__(self, server: Path, listening: Path) -> None:
        self.armed = 0
        self.swallowed = 0
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(listening))
        self._listener.listen(16)
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(timeout=10)
            assert not thread.is_alive()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # stopped
            thread = threading.Thread(target=self._forward, args=(client,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _forward(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self._server))
            cut = threading.Event()
            back = threading.Thread(target=self._answers, args=(server, client, cut), daemon=True)
            back.start()
            with suppress(OSError):  # either side may be gone at any moment
                while sent := client.recv(65536):
                    if self.armed and COMMIT in sent:
                        self.armed -= 1
                        cut.set()
                    server.sendall(sent)
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            back.join(timeout=10)

    def _answers(self, server: socket.socket, client: socket.socket, cut: threading.Event) -> None:
        with suppress(OSError):
            while told := server.recv(65536):
                if cut.is_set():
                    self.swallowed += 1
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(told)


@contextmanager
def swallowing_proxy(url: str, folder: Path) -> Iterator[tuple[CommitSwallower, str]]:
    """The proxy, and the URL that leads the same person through it."""
    parts = conninfo_to_dict(url)
    name = f".s.PGSQL.{parts['port']}"
    proxy = CommitSwallower(Path(str(parts["host"])) / name, folder / name)
    through = make_url(url).update_query_dict({"host": str(folder)})
    try:
        yield proxy, through.render_as_string(hide_password=False)
    finally:
        proxy.stop()
