"""Which change leads to a wanted period and unit, and how far it may go."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.booking import Action, BookingState
from app.domain.booking_change import (
    Standing,
    added,
    change_of,
    check_moved,
    check_unit,
    extended,
    longest_last_day,
    remaining,
    shortened,
    taken_on,
)
from app.domain.catalogue import Sku, UnitStatus
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah

S = BookingState


def march(day: int) -> dt.date:
    return dt.date(2027, 3, 1) + dt.timedelta(days=day - 1)


def period(first: int, last: int) -> RentalPeriod:
    return RentalPeriod(march(first), march(last))


def standing(
    state: BookingState = S.ACTIVE_RENTAL, *, today: int = 11, paid_until: int | None = None, turnaround: int = 0
) -> Standing:
    """A booking of the 10th to the 12th."""
    return Standing(
        state=state,
        unit_id="AVZ-01",
        unit_sku="AVZ",
        period=period(10, 12),
        held=Days(march(10), march(12 + turnaround)),
        turnaround_days=turnaround,
        paid_until=None if paid_until is None else march(paid_until),
        today=march(today),
    )


def sku(code: str = "AVZ", rate: int = 350_000, turnaround: int = 0) -> Sku:
    return Sku(
        code=code, name=code, category="Mobil", daily_rate=Rupiah(rate), deposit=Rupiah(0), turnaround_days=turnaround
    )


@pytest.mark.parametrize("state", [S.PENDING_PAYMENT, S.PAID_APPROVED])
def test_a_booking_that_is_not_out_moves_as_a_whole_and_only_another_unit_alone_is_a_swap(state: BookingState) -> None:
    here = standing(state)
    assert change_of(here, period(11, 13), "AVZ-01") is Action.RESCHEDULE
    assert change_of(here, period(11, 13), "AVZ-02") is Action.RESCHEDULE
    assert change_of(here, period(10, 12), "AVZ-02") is Action.SWAP_UNIT


def test_a_rental_that_is_out_changes_its_end_or_its_unit() -> None:
    here = standing(paid_until=14)
    assert change_of(here, period(10, 15), "AVZ-01") is Action.REQUEST_EXTENSION
    assert change_of(here, period(10, 14), "AVZ-01") is Action.SHORTEN
    assert change_of(here, period(10, 11), "AVZ-01") is Action.SHORTEN
    assert change_of(here, period(10, 12), "AVZ-02") is Action.SWAP_UNIT


@pytest.mark.parametrize(
    ("wanted", "unit", "field", "reason"),
    [
        (period(11, 13), "AVZ-01", "first_day", "begun"),
        (period(9, 12), "AVZ-01", "first_day", "begun"),
        (period(10, 13), "AVZ-02", "last_day", "one_change"),
    ],
)
def test_what_no_single_change_of_a_rental_leads_to_is_refused(
    wanted: RentalPeriod, unit: str, field: str, reason: str
) -> None:
    with pytest.raises(Refusal) as no:
        change_of(standing(), wanted, unit)
    assert (no.value.code, no.value.field, no.value.params["reason"]) == (RefusalCode.PERIOD_INVALID, field, reason)


def test_a_moved_booking_begins_today_at_the_earliest_and_within_730_days() -> None:
    check_moved(period(11, 11), march(11))
    check_moved(RentalPeriod(march(11 + 730), march(11 + 730)), march(11))
    for first, reason in ((10, "past"), (11 + 731, "too_far")):
        with pytest.raises(Refusal) as no:
            check_moved(RentalPeriod(march(first), march(first)), march(11))
        assert (no.value.field, no.value.params["reason"]) == ("first_day", reason)


def test_an_extension_ends_after_what_is_paid_and_today_or_later() -> None:
    assert extended(standing(), march(13)) == period(10, 13)
    for here, last, reason in (
        (standing(), 12, "not_longer"),
        (standing(paid_until=14), 14, "paid"),
        (standing(today=16), 15, "past"),
        (standing(), 10 + 365, "too_long"),
    ):
        with pytest.raises(Refusal) as no:
            extended(here, march(last))
        assert (no.value.field, no.value.params["reason"]) == ("last_day", reason)
    assert extended(standing(), march(10 + 364)).count == 365


def test_a_shortened_rental_ends_today_or_later_and_within_what_is_paid() -> None:
    assert shortened(standing(), march(11)) == period(10, 11)
    assert shortened(standing(paid_until=14), march(14)) == period(10, 14)
    for here, last, reason in (
        (standing(), 9, "reversed"),
        (standing(), 10, "past"),
        (standing(), 13, "not_paid"),
        (standing(paid_until=14), 15, "not_paid"),
    ):
        with pytest.raises(Refusal) as no:
            shortened(here, march(last))
        assert (no.value.field, no.value.params["reason"]) == ("last_day", reason)


def test_turnaround_stays_with_the_sku_and_follows_another_one() -> None:
    here = standing(turnaround=2)
    assert taken_on(here, sku(turnaround=5), period(10, 13)) == Days(march(10), march(15)), "as frozen on the booking"
    assert taken_on(here, sku("HIA", turnaround=1), period(10, 13)) == Days(march(10), march(14))


def test_a_swap_needs_the_days_from_today_on() -> None:
    assert remaining(standing(), Days(march(10), march(12))) == Days(march(11), march(12))
    assert remaining(standing(today=8), Days(march(10), march(12))) == Days(march(10), march(12))
    with pytest.raises(Refusal) as no:
        remaining(standing(today=13), Days(march(10), march(13)))
    assert no.value.params["reason"] == "past"


def test_another_unit_is_rentable_and_of_the_sold_sku_or_a_better_one() -> None:
    here = {"sold_sku": "AVZ", "sold_rate": Rupiah(350_000), "starts_today": False}
    check_unit("AVZ-02", sku(rate=1), UnitStatus.MAINTENANCE, **here)  # type: ignore[arg-type]
    check_unit("HIA-01", sku("HIA"), UnitStatus.IN_SERVICE, **here)  # type: ignore[arg-type]
    for unit, status, starts_today, reason in (
        (sku("BRI", 349_999), UnitStatus.IN_SERVICE, False, "lower_class"),
        (sku(), UnitStatus.RETIRED, False, "status"),
        (sku(), UnitStatus.MAINTENANCE, True, "status"),
    ):
        with pytest.raises(Refusal) as no:
            check_unit("X-1", unit, status, sold_sku="AVZ", sold_rate=Rupiah(350_000), starts_today=starts_today)
        assert (no.value.code, no.value.params["reason"]) == (RefusalCode.UNIT_NOT_RENTABLE, reason)


def test_the_longest_extension_ends_before_the_obstacle_with_its_turnaround() -> None:
    assert longest_last_day(standing(), march(16)) == march(15)
    assert longest_last_day(standing(turnaround=2), march(16)) == march(13)
    assert longest_last_day(standing(turnaround=2), march(14)) == march(12), "not a single day more"


@given(st.integers(1, 60), st.integers(0, 20), st.integers(1, 60), st.integers(0, 20))
def test_added_days_are_exactly_those_of_the_new_stretch_that_are_not_in_the_old_one(
    first: int, more: int, old_first: int, old_more: int
) -> None:
    new, old = Days(march(first), march(first + more)), Days(march(old_first), march(old_first + old_more))
    found = added(new, old)
    assert [day for stretch in found for day in stretch] == [day for day in new if day not in old]
    assert added(new, None) == (new,)
