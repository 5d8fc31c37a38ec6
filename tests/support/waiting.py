"""The one place where tests wait: look again and again until something holds, with a bound."""

import time
from collections.abc import Callable
from typing import TypeVar

Seen = TypeVar("Seen")


def eventually(check: Callable[[], Seen], *, within: float = 10.0, every: float = 0.02, what: str = "") -> Seen:
    """What `check` gives as soon as it is true; AssertionError when it stays false for `within` seconds.

    An AssertionError inside `check` counts as "not yet"; the last one is shown when time is up.
    """
    deadline = time.monotonic() + within
    last: AssertionError | None = None
    while True:
        try:
            seen = check()
            last = None
            if seen:
                return seen
        except AssertionError as error:
            last = error
        if time.monotonic() >= deadline:
            raise AssertionError(f"not within {within:g} s: {what or getattr(check, '__doc__', '') or check}") from last
        time.sleep(every)


def stays(check: Callable[[], object], *, during: float, every: float = 0.02) -> None:
    """AssertionError as soon as `check` is false once within `during` seconds: for what must not happen."""
    deadline = time.monotonic() + during
    while time.monotonic() < deadline:
        assert check(), "it held at first, then no longer"
        time.sleep(every)
