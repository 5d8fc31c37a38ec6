"""A PC whose wall clock is wrong: every way in which Python reads it is shifted, the steady clocks run on as they are.

In the process that calls `shift_wall_clock` only, and before anything of ours is imported there.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import gc
import time
from collections.abc import Callable
from typing import Any

_WANTED_WITHIN_SECONDS = 5.0


def shift_wall_clock(seconds: float) -> None:
    """From now on this process takes it for so many seconds later than it is (earlier when negative).

    Raises RuntimeError when the interpreter does not let itself be deceived.
    """
    real_time, real_time_ns = time.time, time.time_ns
    real_now = dt.datetime.now
    step = dt.timedelta(seconds=seconds)
    before = real_now(dt.UTC)

    def now(_cls: type[dt.datetime], tz: dt.tzinfo | None = None) -> dt.datetime:
        return real_now(tz) + step

    def today(_cls: type[dt.date]) -> dt.date:
        return (real_now() + step).date()

    _replace(dt.datetime, "now", now)
    _replace(dt.datetime, "utcnow", lambda _cls: real_now(dt.UTC).replace(tzinfo=None) + step)
    _replace(dt.datetime, "today", lambda _cls: real_now() + step)
    _replace(dt.date, "today", today)
    time.time = lambda: real_time() + seconds
    time.time_ns = lambda: real_time_ns() + round(seconds * 10**9)
    time.localtime = _Converter(time.localtime)  # type: ignore[assignment]
    time.gmtime = _Converter(time.gmtime)  # type: ignore[assignment]
    seen = (dt.datetime.now(dt.UTC) - before).total_seconds() - seconds
    if not -1 < seen < _WANTED_WITHIN_SECONDS:
        raise RuntimeError(f"the wall clock is not shifted by {seconds} s: it is off by {seen} s")


class _Converter:
    """No function: as an attribute of a class (`logging.Formatter.converter`) it must not be bound like a method."""

    def __init__(self, convert: Callable[[float], time.struct_time]) -> None:
        self._convert = convert

    def __call__(self, seconds: float | None = None) -> time.struct_time:
        return self._convert(time.time() if seconds is None else seconds)


def _replace(of: type, name: str, by: Callable[..., Any]) -> None:
    """Give a built-in type another class method; `setattr` refuses that, its dictionary does not."""
    (inside,) = gc.get_referents(of.__dict__)
    inside[name] = classmethod(by)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(of))
