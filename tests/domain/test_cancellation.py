"""What the end of a paid booking gives back: the ladder, a no-show's fee, the deposit, and PPN to the Rupiah."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.booking import Action
from app.domain.cancellation import (
    DEFAULT_LADDER,
    LadderStep,
    PaidPaper,
    effect_of,
    is_no_show,
    percent_back,
)
from app.domain.change_pricing import payable
from app.domain.money import PpnPlace, Rupiah

NOW = dt.datetime(2027, 3, 1, 2, tzinfo=dt.UTC)
RATE = Rupiah(350_000)
HOUR = dt.timedelta(hours=1)


def paper(rent: int, *, place: PpnPlace = PpnPlace.INSIDE, taxable: int | None = None, deposit: int = 0) -> PaidPaper:
    return PaidPaper(
        made_on=NOW.date(),
        ppn_place=place,
        taxable=Rupiah(rent if taxable is None else taxable),
        given_back=Rupiah(0),
        refunded=Rupiah(0),
        rent=Rupiah(rent),
        deposit=Rupiah(deposit),
    )


@pytest.mark.parametrize(
    ("ahead", "percent"),
    [
        (dt.timedelta(days=30), 100),
        (48 * HOUR, 100),
        (48 * HOUR - dt.timedelta(microseconds=1), 50),
        (24 * HOUR, 50),
        (24 * HOUR - dt.timedelta(microseconds=1), 0),
        (-HOUR, 0),
    ],
)
def test_the_ladder_gives_back_all_half_or_nothing(ahead: dt.timedelta, percent: int) -> None:
    assert percent_back(DEFAULT_LADDER, ahead) == percent
    assert percent_back(tuple(reversed(DEFAULT_LADDER)), ahead) == percent, "in whatever order its steps stand"


def test_a_ladder_of_nothing_gives_nothing_back_and_one_from_hour_zero_until_pick_up() -> None:
    assert percent_back((), 1000 * HOUR) == 0
    assert percent_back((LadderStep(hours_before=0, percent=80),), dt.timedelta(0)) == 80


def test_the_deposit_comes_back_whole_whatever_the_rent_does() -> None:
    effect = effect_of(Action.CANCEL_PAID, [paper(700_000, deposit=500_000)], pickup_at=NOW, now=NOW, day_rent=RATE)
    assert (effect.rent_back, effect.deposit_back, effect.fee, effect.percent, effect.back) == (
        *(0, 500_000, 700_000, 0, 500_000),
    )


def test_a_no_show_costs_one_day_and_never_more_than_was_paid() -> None:
    late = NOW + dt.timedelta(hours=2)
    two_days, a_part = (
        effect_of(Action.NO_SHOW, [paper(rent)], pickup_at=NOW, now=late, day_rent=RATE) for rent in (700_000, 200_000)
    )
    assert (two_days.rent_back, two_days.fee, two_days.percent, two_days.hours_before) == (350_000, 350_000, None, -2)
    assert (a_part.rent_back, a_part.fee) == (0, 200_000)


def test_an_untaxed_extra_comes_back_whole_as_the_deposit_does() -> None:
    papers = [replace(paper(700_000, place=PpnPlace.ON_TOP), untaxed=Rupiah(75_001))]
    half = effect_of(Action.CANCEL_PAID, papers, pickup_at=NOW + 24 * HOUR, now=NOW, day_rent=RATE)
    late = effect_of(Action.NO_SHOW, papers, pickup_at=NOW, now=NOW + 3 * HOUR, day_rent=RATE)
    assert (half.rent_back, half.fee) == (388_500 + 75_001, 388_500)
    assert (late.rent_back, late.fee) == (388_500 + 75_001, 388_500)


def test_a_no_show_is_one_from_two_hours_after_pick_up() -> None:
    assert not is_no_show(NOW, NOW + dt.timedelta(hours=2) - dt.timedelta(microseconds=1))
    assert is_no_show(NOW, NOW + dt.timedelta(hours=2))


def test_half_a_rupiah_is_rounded_up_for_the_customer_and_hours_are_whole_ones() -> None:
    effect = effect_of(Action.CANCEL_PAID, [paper(333_333)], pickup_at=NOW + 25.5 * HOUR, now=NOW, day_rent=RATE)
    assert (effect.rent_back, effect.fee, effect.hours_before) == (166_667, 166_666, 25)


def test_ppn_on_top_of_the_rent_comes_back_with_it() -> None:
    effect = effect_of(
        Action.CANCEL_PAID,
        [paper(1_000_000, place=PpnPlace.ON_TOP)],
        pickup_at=NOW + 30 * HOUR,
        now=NOW,
        day_rent=RATE,
    )
    assert (effect.rent_back, effect.fee) == (555_000, 555_000)


def test_the_newest_invoice_gives_back_first() -> None:
    newest, oldest = paper(100_001, place=PpnPlace.ON_TOP), paper(700_000)
    effect = effect_of(Action.CANCEL_PAID, [newest, oldest], pickup_at=NOW + 24 * HOUR, now=NOW, day_rent=RATE)
    assert effect.rent_back == payable(PpnPlace.ON_TOP, 100_001, NOW.date()) + 300_000


@given(
    rents=st.lists(st.integers(1, 50_000_000), min_size=1, max_size=3),
    others=st.integers(0, 50_000_000),
    place=st.sampled_from(list(PpnPlace)),
    percent=st.integers(0, 100),
)
def test_what_is_given_back_and_the_fee_are_what_was_paid_for_the_rent(
    rents: list[int], others: int, place: PpnPlace, percent: int
) -> None:
    """To the Rupiah, on each invoice's own PPN, whatever else stands on it."""
    papers = [paper(rent, place=place, taxable=rent + others) for rent in rents]
    effect = effect_of(
        Action.CANCEL_PAID,
        papers,
        pickup_at=NOW,
        now=NOW,
        day_rent=RATE,
        ladder=(LadderStep(hours_before=0, percent=percent),),
    )
    on = NOW.date()
    paid = sum(payable(place, one + others, on) - payable(place, others, on) for one in rents)
    assert effect.rent_back + effect.fee == paid
    assert 0 <= effect.rent_back <= paid
    if percent in (0, 100):
        assert effect.rent_back == paid * percent // 100
