"""The lock's times at the counter: never more optimistic than the server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.lock import Deadline, LockState, may_pay, state_of


@pytest.mark.parametrize(
    ("left", "state", "pay"),
    [
        (60.0, LockState.HELD, True),
        (28.1, LockState.HELD, True),
        (28.0, LockState.RENEWING_LATE, True),
        (10.1, LockState.RENEWING_LATE, True),
        (10.0, LockState.CRITICAL, False),
        (0.1, LockState.CRITICAL, False),
        (0.0, LockState.LOST, False),
    ],
)
def test_what_the_chip_shows_and_whether_bayar_is_enabled(left: float, state: LockState, pay: bool) -> None:
    assert state_of(left) is state
    assert may_pay(state) is pay


@given(st.floats(0, 1e6), st.floats(0, 120), st.integers(0, 60_000))
def test_r43_time_that_the_answer_took_is_counted_in(sent: float, waited: float, remaining_ms: int) -> None:
    left = Deadline(sent_at=sent, remaining_ms=remaining_ms).seconds_left(sent + waited)
    assert left <= max(0.0, remaining_ms / 1000 - waited) + 1e-6
