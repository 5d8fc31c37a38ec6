"""The waitlist's order: a better tier is asked first, and within a tier whoever joined first."""

import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.waitlist import Tier, score

START = dt.datetime(2027, 3, 1, 2, tzinfo=dt.UTC)
MOMENTS = st.datetimes(dt.datetime(2026, 1, 1), dt.datetime(2050, 1, 1), timezones=st.just(dt.UTC))


def test_the_seeds_score_is_the_tiers_weight_times_a_milliard_plus_the_unix_seconds() -> None:
    assert [score(tier.weight, START) for tier in Tier] == [
        1_803_866_400.0,
        2_803_866_400.0,
        3_803_866_400.0,
        4_803_866_400.0,
    ]


def test_platinum_is_the_lightest_and_basic_the_heaviest() -> None:
    assert [(tier.value, tier.weight) for tier in Tier] == [("PLATINUM", 0), ("GOLD", 1), ("SILVER", 2), ("BASIC", 3)]
    assert [Tier.of_weight(tier.weight) for tier in Tier] == list(Tier)


@given(MOMENTS)
def test_one_microsecond_may_be_a_tie_but_never_turns_the_order(moment: dt.datetime) -> None:
    """A double holds a score to about a microsecond; the table keeps the moments and decides."""
    for tier in Tier:
        assert score(tier.weight, moment) <= score(tier.weight, moment + dt.timedelta(microseconds=1))


@given(MOMENTS, MOMENTS)
def test_within_30_years_no_lower_tier_ever_comes_before_a_better_one(one: dt.datetime, other: dt.datetime) -> None:
    for better, worse in itertools.pairwise(Tier):
        assert score(better.weight, one) < score(worse.weight, other)


@given(MOMENTS, st.integers(2, 10**9))
def test_who_joined_two_microseconds_earlier_comes_first(moment: dt.datetime, micros: int) -> None:
    later = moment + dt.timedelta(microseconds=micros)
    for tier in Tier:
        assert score(tier.weight, moment) < score(tier.weight, later)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        score(0, dt.datetime(2027, 3, 1))
