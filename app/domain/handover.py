"""True times of a rental: a step that is entered later keeps its own time, never after now, never before the last."""

from __future__ import annotations

import datetime as dt

from app.domain.errors import invalid

CLOCKS_APART = dt.timedelta(minutes=2)
"""A counter that was away reckons by its own clock since it last heard the server's: so much it may be ahead."""


def true_time(at: dt.datetime | None, *, after: dt.datetime | None, now: dt.datetime, field: str) -> dt.datetime:
    """The moment a step really happened: now when nothing else is said, and never ahead of the server's clock."""
    if at is None:
        return now
    if at.tzinfo is None:
        raise invalid(field, "not_a_moment")
    if at > now + CLOCKS_APART:
        raise invalid(field, "in_the_future", given=at.isoformat())
    if after is not None and at < after:
        raise invalid(field, "before_the_last_step", given=at.isoformat(), after=after.isoformat())
    return min(at, now)
