"""Membership for a whole session: when the supervisor is lost, join again, so the same URLs answer again."""

import logging
import threading
import time
from pathlib import Path

from app.embedded.errors import EmbeddedServersFailed
from app.embedded.join import Joined, join
from app.embedded.options import SupervisorOptions
from app.embedded.pauses import Pauses

log = logging.getLogger("app.embedded")


class Staying:
    """A membership that comes back. Passwords, socket folder and ports are kept with the data, so URLs stay good."""

    def __init__(self, data_dir: Path, options: SupervisorOptions | None = None) -> None:
        self._options = options
        self._guard = threading.Lock()
        self._left = threading.Event()
        self._joined = join(data_dir, options)
        self._thread = threading.Thread(target=self._stay, name="embedded-membership", daemon=True)
        self._thread.start()

    @property
    def joined(self) -> Joined:
        """The membership as it is now."""
        with self._guard:
            return self._joined

    def close(self) -> None:
        """Leave for good."""
        with self._guard:
            self._left.set()
            self._joined.leave()
        self._thread.join(timeout=10)
        self._joined.close()

    def _stay(self) -> None:
        pauses = Pauses()
        while not self._left.is_set():
            self.joined.wait_for_end()
            while not self._left.wait(max(0.0, pauses.due_at - time.monotonic())):
                log.warning("the private servers ended; joining again")
                try:
                    again = join(self.joined.data_dir, self._options)
                except EmbeddedServersFailed as error:
                    log.error("%s", error)
                    pauses.ended(time.monotonic())
                    continue
                pauses.started(time.monotonic())
                self._take(again)
                break

    def _take(self, again: Joined) -> None:
        with self._guard:
            self._joined.close()
            self._joined = again
            if self._left.is_set():
                again.leave()
