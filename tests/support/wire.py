"""The line between a counter and its database: cut it, and join it again at the same address."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.proxy import Proxy, postgres_proxy


class Wire:
    """`url` goes through it. While it is cut every connection is broken and no new one is made."""

    def __init__(self, url: str, home: Path) -> None:
        self._upstream = url
        self._folder = Path(tempfile.mkdtemp(prefix="l-", dir=home))
        self._proxy: Proxy | None = None
        self.url = url
        self.join()

    def join(self) -> None:
        """The database can be reached again."""
        assert self._proxy is None, "the line is not cut"
        self._proxy, self.url = postgres_proxy(self._upstream, self._folder)

    def cut(self) -> None:
        """Nothing gets through any more, what is under way included."""
        if self._proxy is not None:
            self._proxy.close()
            self._proxy = None
            for socket in self._folder.iterdir():
                socket.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
