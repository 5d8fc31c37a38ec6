"""Whole Rupiah and PPN: the product's own examples, and laws that hold for every amount."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.money import Rupiah, half_up, ppn_inside, ppn_on_top, ppn_rate

IN_2026 = ppn_rate(dt.date(2026, 11, 30))
amounts = st.integers(0, 10**13).map(Rupiah)


@pytest.mark.parametrize(
    ("price", "dpp", "ppn"),
    [(1_000_000, 916_667, 110_000), (13_750, 12_604, 1_512), (0, 0, 0)],
)
def test_c74_ppn_on_top_rounds_dpp_and_tax_half_up(price: int, dpp: int, ppn: int) -> None:
    found = ppn_on_top(Rupiah(price), IN_2026)
    assert (found.base, found.dpp, found.tax) == (price, dpp, ppn)


@pytest.mark.parametrize(
    ("price", "base", "dpp", "ppn"),
    [(500_000, 450_450, 412_913, 49_550), (997_500, 898_649, 823_762, 98_851)],
)
def test_c74_ppn_inside_a_price_is_the_printed_one(price: int, base: int, dpp: int, ppn: int) -> None:
    found = ppn_inside(Rupiah(price), IN_2026)
    assert (found.base, found.dpp, found.tax) == (base, dpp, ppn)


@given(amounts)
def test_a_price_that_includes_ppn_is_exactly_base_and_tax(price: Rupiah) -> None:
    found = ppn_inside(price, IN_2026)
    assert found.base + found.tax == price
    assert 0 <= found.tax <= price


@given(amounts)
def test_the_base_moves_at_most_one_rupiah_to_keep_the_total(price: Rupiah) -> None:
    assert abs(ppn_inside(price, IN_2026).base - half_up(price * 100, 111)) <= 1


@pytest.mark.parametrize(
    ("top", "bottom", "expected"),
    [(1, 2, 1), (3, 2, 2), (5, 2, 3), (-1, 2, -1), (-5, 2, -3), (7, 3, 2), (8, 3, 3), (0, 9, 0), (1, -2, -1)],
)
def test_half_is_rounded_away_from_zero(top: int, bottom: int, expected: int) -> None:
    assert half_up(top, bottom) == expected


def test_the_rate_of_a_day_is_the_latest_row_that_began() -> None:
    assert ppn_rate(dt.date(2024, 12, 31)).percent == 11
    assert ppn_rate(dt.date(2025, 1, 1)).percent == 12


def test_a_day_before_the_table_has_no_rate() -> None:
    with pytest.raises(ValueError, match="2020-01-01"):
        ppn_rate(dt.date(2020, 1, 1))
