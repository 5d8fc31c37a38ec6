"""Case C-71: a late fee is a day's rate for a day, never a hundred times more."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from app.domain.late_fee import late_fee
from app.domain.money import Rupiah

DAY = dt.timedelta(days=1)


def test_c71_one_day_late_at_35_000_costs_35_000() -> None:
    assert late_fee(Rupiah(35_000), DAY) == 35_000


@given(rate=st.integers(1, 10_000_000).map(Rupiah), minutes=st.integers(0, 60 * 24 * 60))
def test_c71_a_fee_is_never_more_than_one_days_rate_for_each_begun_day(rate: Rupiah, minutes: int) -> None:
    late = dt.timedelta(minutes=minutes)
    assert 0 <= late_fee(rate, late) <= -(-late // DAY) * rate
