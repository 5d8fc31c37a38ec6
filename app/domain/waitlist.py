"""The waitlist's order: customer tiers, states of an entry, and the score of the seed's sorted set (seed 10.3)."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

TIER_STEP = 1_000_000_000
"""Seconds between two tiers, about 31 years: nobody of a lower tier waits that long."""


class Tier(StrEnum):
    """A customer's standing, best first."""

    PLATINUM = "PLATINUM"
    GOLD = "GOLD"
    SILVER = "SILVER"
    BASIC = "BASIC"

    @property
    def weight(self) -> int:
        """0 for the best: the lowest score is taken first, so a better tier has a smaller weight."""
        return _WEIGHTS[self]

    @classmethod
    def of_weight(cls, weight: int) -> Tier:
        return tuple(cls)[weight]


_WEIGHTS = {tier: weight for weight, tier in enumerate(Tier)}


class WaitlistState(StrEnum):
    """WAITING and OFFERED are open: such an entry keeps its customer's place for a SKU and a first day."""

    WAITING = "WAITING"
    OFFERED = "OFFERED"
    BOOKED = "BOOKED"
    LAPSED = "LAPSED"
    WITHDRAWN = "WITHDRAWN"


def score(tier_weight: int, joined_at: dt.datetime) -> float:
    """Member score of `waitlist:<SKU>:<YYYYMMDD>`: `tier_weight * 10^9 + unix seconds`, to the microsecond.

    A double holds 15 digits, so the fraction of today's seconds keeps its microseconds.
    """
    if joined_at.tzinfo is None:
        raise ValueError("a moment needs its zone")
    return tier_weight * TIER_STEP + joined_at.timestamp()
