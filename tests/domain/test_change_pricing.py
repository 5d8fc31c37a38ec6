"""What a change costs: rent of the days, PPN of each invoice, and refunds that add up to the Rupiah."""

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.change_pricing import Paper, difference_of_paid, difference_of_unpaid, payable
from app.domain.money import Rupiah
from app.domain.staff import Branch

TODAY = dt.date(2027, 3, 1)
INCLUDED = Branch(
    id="JKT",
    code="JKT",
    name="Jakarta",
    zone=ZoneInfo("Asia/Jakarta"),
    has_ppn=True,
    prices_include_ppn=True,
    cash_rounding=0,
    opens_at="08:00",
    closes_at="20:00",
)
ON_TOP = replace(INCLUDED, prices_include_ppn=False)
NO_PPN = replace(INCLUDED, has_ppn=False, prices_include_ppn=False)


def paper(rent: int, *, is_open: bool = False, taxable: int | None = None, back: int = 0, due: int = 0) -> Paper:
    return Paper(
        is_open=is_open,
        made_on=TODAY,
        taxable=Rupiah(rent if taxable is None else taxable),
        rent=Rupiah(rent),
        given_back=Rupiah(back),
        given_back_here=Rupiah(back),
        due=Rupiah(due),
        due_amount=Rupiah(due),
    )


def test_a_taxable_sum_is_paid_with_its_ppn_only_where_the_branch_adds_it() -> None:
    assert payable(INCLUDED, 1_000_000, TODAY) == 1_000_000
    assert payable(NO_PPN, 1_000_000, TODAY) == 1_000_000
    assert payable(ON_TOP, 1_000_000, TODAY) == 1_110_000


@pytest.mark.parametrize(("branch", "wanted"), [(INCLUDED, 350_000), (ON_TOP, 388_500)])
def test_an_unpaid_order_costs_the_added_days_with_the_one_ppn_of_its_invoice(branch: Branch, wanted: int) -> None:
    two_units = paper(700_000, is_open=True, taxable=1_050_000)
    assert difference_of_unpaid(branch, two_units, 350_000) == wanted
    assert difference_of_unpaid(branch, two_units, -350_000) == -wanted


def test_more_rent_takes_back_what_is_due_before_anything_is_to_be_paid() -> None:
    settled = paper(1_400_000, back=700_000, due=700_000)
    assert difference_of_paid(INCLUDED, [settled], 350_000, TODAY) == 350_000
    assert difference_of_paid(INCLUDED, [settled], 1_050_000, TODAY) == 700_000 + 350_000
    assert (
        difference_of_paid(ON_TOP, [replace(settled, due_amount=Rupiah(777_000))], 1_050_000, TODAY)
        == 777_000 + 388_500
    )


def test_less_rent_shrinks_the_open_balance_before_anything_is_given_back() -> None:
    papers = [paper(350_000, is_open=True), paper(700_000)]
    assert difference_of_paid(ON_TOP, papers, -350_000, TODAY) == -388_500
    assert difference_of_paid(ON_TOP, papers, -700_000, TODAY) == -777_000


def test_no_more_is_given_back_than_was_paid_for() -> None:
    assert difference_of_paid(INCLUDED, [paper(350_000)], -700_000, TODAY) == -350_000
    assert difference_of_paid(INCLUDED, [], -700_000, TODAY) == 0


@given(
    st.integers(1, 1_999_999),
    st.integers(0, 5_000_000),
    st.lists(st.integers(1, 40), min_size=1, max_size=8),
    st.sampled_from([INCLUDED, ON_TOP, NO_PPN]),
)
def test_days_given_back_one_by_one_add_up_to_all_of_them_at_once(
    rate: int, others: int, steps: list[int], branch: Branch
) -> None:
    """Also on an invoice with other bookings, whose PPN is rounded once."""
    days = sum(steps)
    whole = paper(rate * days, taxable=rate * days + others)
    at_once = difference_of_paid(branch, [whole], -rate * days, TODAY)
    given, back = 0, 0
    for step in steps:
        here = replace(whole, given_back=Rupiah(back), given_back_here=Rupiah(back))
        given += difference_of_paid(branch, [here], -rate * step, TODAY)
        back += rate * step
    assert given == at_once
    assert at_once == payable(branch, others, TODAY) - payable(branch, rate * days + others, TODAY)


@given(st.integers(1, 1_999_999), st.integers(1, 40), st.sampled_from([INCLUDED, ON_TOP, NO_PPN]))
def test_a_shorter_and_then_longer_booking_costs_nothing(rate: int, days: int, branch: Branch) -> None:
    settled = paper(rate * 60)
    back = difference_of_paid(branch, [settled], -rate * days, TODAY)
    due = replace(
        settled,
        given_back=Rupiah(rate * days),
        given_back_here=Rupiah(rate * days),
        due=Rupiah(rate * days),
        due_amount=Rupiah(-back),
    )
    assert difference_of_paid(branch, [due], rate * days, TODAY) == -back
