"""The machine's clocks and randomness: the only place that reads them."""

from __future__ import annotations

import datetime as dt
import secrets
import time
import uuid

# Linux counts sleep in CLOCK_BOOTTIME, macOS in CLOCK_MONOTONIC (not in time.monotonic()), Windows in monotonic().
_BOOTTIME: int | None = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def utc_now() -> dt.datetime:
    """The PC's wall clock, aware. A hint only: for locks and deadlines the database's clock decides."""
    return dt.datetime.now(dt.UTC)


def wall_seconds() -> float:
    """The PC's wall clock as seconds since 1970: only ever compared with another clock, to see it jump."""
    return time.time()


def boottime() -> float:
    """Seconds on a clock that runs on through suspend and is never set back."""
    return time.monotonic() if _BOOTTIME is None else time.clock_gettime(_BOOTTIME)


class SystemIds:
    """Randomness from the operating system."""

    def uuid(self) -> str:
        return str(uuid.uuid4())

    def token(self) -> str:
        """256 bits, URL-safe."""
        return secrets.token_urlsafe(32)
