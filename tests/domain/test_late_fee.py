"""Late fees: every vector of the product, and what holds for every lateness."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.late_fee import DEFAULT_LATE_RULE, LateRule, late_fee, lateness
from app.domain.money import Rupiah

RATE = Rupiah(300_000)
DUE = dt.datetime(2027, 3, 10, 10, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)
HOUR = 60 * MINUTE

# The database computes the same ones: tests/adapters/postgres/test_charges_sql.py.
VECTORS = [
    (dt.timedelta(), 0),
    (-HOUR, 0),
    (20 * MINUTE, 0),
    (30 * MINUTE, 0),
    (31 * MINUTE, 30_000),
    (60 * MINUTE, 30_000),
    (61 * MINUTE, 60_000),
    (2 * HOUR, 60_000),
    (3 * HOUR, 90_000),
    (3 * HOUR + MINUTE, 300_000),
    (24 * HOUR, 300_000),
    (24 * HOUR + 20 * MINUTE, 300_000),
    (25 * HOUR, 330_000),
    (28 * HOUR, 600_000),
    (48 * HOUR, 600_000),
]
LATE = st.timedeltas(min_value=dt.timedelta(), max_value=dt.timedelta(days=400))
RATES = st.integers(min_value=0, max_value=50_000_000).map(Rupiah)
RULES = st.builds(
    LateRule,
    free_minutes=st.integers(0, 720),
    hour_percent=st.integers(0, 100),
    day_after_minutes=st.integers(0, 1440),
)


@pytest.mark.parametrize(("late", "fee"), VECTORS, ids=[str(late) for late, _ in VECTORS])
def test_a_late_return_costs_what_the_table_says(late: dt.timedelta, fee: int) -> None:
    assert late_fee(RATE, late) == fee


def test_c45_a_return_on_the_due_day_is_late_from_the_first_second_and_free_inside_the_tolerance() -> None:
    late = [lateness(DUE, DUE + step) for step in (-MINUTE, 0 * MINUTE, MINUTE)]

    assert late == [dt.timedelta(), dt.timedelta(), MINUTE]
    assert [late_fee(RATE, item) for item in late] == [0, 0, 0]


def test_c30_one_minute_after_the_due_time_asks_for_nothing() -> None:
    assert late_fee(RATE, lateness(DUE, DUE + MINUTE)) == 0


@given(rate=RATES, late=LATE, rule=RULES)
def test_a_fee_is_never_more_than_a_day_for_each_begun_day(rate: Rupiah, late: dt.timedelta, rule: LateRule) -> None:
    begun = -(-late // dt.timedelta(days=1))

    assert 0 <= late_fee(rate, late, rule) <= begun * rate


@given(rate=RATES, late=LATE, more=LATE)
def test_a_later_return_never_costs_less(rate: Rupiah, late: dt.timedelta, more: dt.timedelta) -> None:
    assert late_fee(rate, late + more, DEFAULT_LATE_RULE) >= late_fee(rate, late, DEFAULT_LATE_RULE)
