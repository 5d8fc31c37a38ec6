"""What a change costs: rent of the days, PPN of each invoice, and refunds that add up to the Rupiah."""

import datetime as dt
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.change_pricing import Paper, difference_of_paid, difference_of_unpaid, payable
from app.domain.money import PpnPlace, Rupiah

TODAY = dt.date(2027, 3, 1)
PLACES = list(PpnPlace)


def paper(
    rent: int,
    place: PpnPlace = PpnPlace.INSIDE,
    *,
    is_open: bool = False,
    taxable: int | None = None,
    back: int = 0,
    due: int = 0,
) -> Paper:
    return Paper(
        is_open=is_open,
        made_on=TODAY,
        ppn_place=place,
        taxable=Rupiah(rent if taxable is None else taxable),
        rent=Rupiah(rent),
        given_back=Rupiah(back),
        given_back_here=Rupiah(back),
        due=Rupiah(due),
        due_amount=payable(place, due, TODAY),
    )


def test_a_taxable_sum_is_paid_with_its_ppn_only_where_that_comes_on_top() -> None:
    assert payable(PpnPlace.INSIDE, 1_000_000, TODAY) == 1_000_000
    assert payable(PpnPlace.NONE, 1_000_000, TODAY) == 1_000_000
    assert payable(PpnPlace.ON_TOP, 1_000_000, TODAY) == 1_110_000


@pytest.mark.parametrize(("place", "wanted"), [(PpnPlace.INSIDE, 350_000), (PpnPlace.ON_TOP, 388_500)])
def test_an_unpaid_order_costs_the_added_days_with_the_one_ppn_of_its_invoice(place: PpnPlace, wanted: int) -> None:
    two_units = paper(700_000, place, is_open=True, taxable=1_050_000)
    assert difference_of_unpaid(two_units, 350_000) == wanted
    assert difference_of_unpaid(two_units, -350_000) == -wanted


def test_more_rent_takes_back_what_is_due_before_anything_is_to_be_paid() -> None:
    settled = paper(1_400_000, back=700_000, due=700_000)
    assert difference_of_paid([settled], 350_000, PpnPlace.INSIDE, TODAY) == 350_000
    assert difference_of_paid([settled], 1_050_000, PpnPlace.INSIDE, TODAY) == 700_000 + 350_000
    on_top = paper(1_400_000, PpnPlace.ON_TOP, back=700_000, due=700_000)
    assert difference_of_paid([on_top], 1_050_000, PpnPlace.ON_TOP, TODAY) == 777_000 + 388_500


def test_a_new_invoice_has_todays_ppn_and_an_old_one_its_own() -> None:
    settled = paper(1_400_000, PpnPlace.NONE, back=350_000, due=350_000)
    assert difference_of_paid([settled], 700_000, PpnPlace.ON_TOP, TODAY) == 350_000 + 388_500
    assert difference_of_paid([settled], -350_000, PpnPlace.ON_TOP, TODAY) == -350_000


def test_less_rent_shrinks_the_open_balance_before_anything_is_given_back() -> None:
    papers = [paper(350_000, PpnPlace.ON_TOP, is_open=True), paper(700_000, PpnPlace.ON_TOP)]
    assert difference_of_paid(papers, -350_000, PpnPlace.ON_TOP, TODAY) == -388_500
    assert difference_of_paid(papers, -700_000, PpnPlace.ON_TOP, TODAY) == -777_000


def test_no_more_is_given_back_than_was_paid_for() -> None:
    assert difference_of_paid([paper(350_000)], -700_000, PpnPlace.INSIDE, TODAY) == -350_000
    assert difference_of_paid([], -700_000, PpnPlace.INSIDE, TODAY) == 0


@dataclass
class Bookings:
    """A paid invoice of several bookings, and what is given back of each: as the database keeps it."""

    place: PpnPlace
    rents: list[int]
    back: list[int] = field(default_factory=list)
    due_amount: int = 0
    paid_rent: int = 0
    paid_back: int = 0

    def change(self, number: int, rent: int) -> int:
        """Lead one booking's rent to less or more, within what was paid for it; what that cost."""
        given = sum(self.back) + self.paid_rent
        here = Paper(
            is_open=False,
            made_on=TODAY,
            ppn_place=self.place,
            taxable=Rupiah(sum(self.rents)),
            rent=Rupiah(self.rents[number]),
            given_back=Rupiah(given),
            given_back_here=Rupiah(self.back[number]),
            due=Rupiah(self.back[number]),
            due_amount=Rupiah(self.due_amount),
            paid_back=Rupiah(self.paid_back),
        )
        difference = difference_of_paid([here], rent, self.place, TODAY)
        self.back[number] -= rent
        self.due_amount -= difference
        return difference

    def worth(self, back: int) -> int:
        whole = sum(self.rents)
        return payable(self.place, whole, TODAY) - payable(self.place, whole - back, TODAY)


@given(
    st.integers(1, 1_999_999),
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), max_size=20),
    st.sampled_from(PLACES),
)
def test_what_is_due_after_any_changes_is_the_worth_of_the_days_that_are_given_up(
    rate: int, days: list[int], changes: list[tuple[int, int]], place: PpnPlace
) -> None:
    """Of one booking or several, forth and back: exact, and nothing is due when nothing is given up."""
    paid = Bookings(place=place, rents=[rate * count for count in days], back=[0 for _ in days])
    for booking, count in changes:
        number = booking % len(days)
        wanted = rate * min(count, days[number])
        paid.change(number, paid.back[number] - wanted)
        assert paid.back[number] == wanted
        assert paid.due_amount == paid.worth(sum(paid.back))


@given(st.integers(1, 1_999_999), st.lists(st.integers(1, 5), min_size=3, max_size=3), st.sampled_from(PLACES))
def test_what_was_paid_back_counts_as_it_was_paid(rate: int, steps: list[int], place: PpnPlace) -> None:
    paid = Bookings(place=place, rents=[rate * 5] * 3, back=[0] * 3)
    before = [paid.change(0, -rate * steps[0]), paid.change(1, -rate * steps[1])]
    paid.paid_rent, paid.paid_back = rate * steps[0], -before[0]  # refunds are paid back in the order of their bookings
    paid.due_amount, paid.back[0] = -before[1], 0
    assert paid.change(1, rate * steps[1]) == -before[1]
    assert paid.due_amount == 0
    assert paid.paid_back == paid.worth(rate * steps[0])
    paid.change(2, -rate * steps[2])
    assert paid.due_amount + paid.paid_back == paid.worth(rate * (steps[0] + steps[2]))
