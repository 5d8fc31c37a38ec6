"""The server's time at this counter: what it last said, carried on by a steady clock."""

import datetime as dt
import time
from collections.abc import Callable


class ServerClock:
    """Counted from when the question was SENT, so that it is never behind the server: a countdown never shows more
    time than is left.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.steady = steady
        self._at: dt.datetime | None = None
        self._then = 0.0

    def learn(self, now: dt.datetime, sent_at: float) -> None:
        """Take the time of an answer to a question sent at `sent_at` on the steady clock."""
        self._at, self._then = now, sent_at

    def is_set(self) -> bool:
        return self._at is not None

    def now(self) -> dt.datetime:
        """The server's time now; LookupError before the first answer."""
        if self._at is None:
            raise LookupError("the server has not told its time yet")
        return self._at + dt.timedelta(seconds=self.steady() - self._then)
