"""What a late return costs: full days at one day's rate, the rest by started hours. All sums are whole Rupiah."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from app.domain.money import ZERO, Rupiah, half_up

_HOUR = dt.timedelta(hours=1)
_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRule:
    """Of what is left beyond full days: up to `free_minutes` nothing, then `hour_percent` of the day rate for each
    started hour, and a whole day from more than `day_after_minutes`."""

    free_minutes: int = 30
    hour_percent: int = 10
    day_after_minutes: int = 180


DEFAULT_LATE_RULE = LateRule()


def lateness(due_at: dt.datetime, returned_at: dt.datetime) -> dt.timedelta:
    """By how much a unit came back after its due time; nothing when it came in time, to the second (case C-45)."""
    return max(returned_at - due_at, dt.timedelta())


def late_fee(day_rate: Rupiah, late: dt.timedelta, rule: LateRule = DEFAULT_LATE_RULE) -> Rupiah:
    """At most one day's rate for each 24 hours, begun ones included; never less for a later return."""
    if late <= dt.timedelta():
        return ZERO
    days, rest = divmod(late, _DAY)
    return Rupiah(days * day_rate + min(day_rate, _of_rest(day_rate, rest, rule)))


def _of_rest(day_rate: Rupiah, rest: dt.timedelta, rule: LateRule) -> int:
    if rest <= dt.timedelta(minutes=rule.free_minutes):
        return 0
    if rest > dt.timedelta(minutes=rule.day_after_minutes):
        return day_rate
    started = -(-rest // _HOUR)
    return half_up(day_rate * rule.hour_percent * started, 100)
