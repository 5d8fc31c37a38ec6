"""The rent rule: months, weeks, and the rest day by day; extras and one discount over both."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.days import RentalPeriod
from app.domain.invoice import LineKind
from app.domain.money import Rupiah
from app.domain.pricing import Terms, priced_lines, worth
from app.domain.rates import ChosenExtra, Extra, RateCard, day_offset, rent_parts
from app.domain.rates import RentKind as Kind

MONDAY = dt.date(2027, 3, 1)
CARD = RateCard(
    weekday=Rupiah(300_000),
    weekend=Rupiah(350_000),
    holiday=Rupiah(400_000),
    weekly=Rupiah(1_900_000),
    monthly=Rupiah(7_000_000),
)
WIB = ZoneInfo("Asia/Jakarta")


def parts(days: int, first: dt.date = MONDAY, card: RateCard = CARD, *holidays: dt.date) -> list[tuple[Kind, int]]:
    return [(part.kind, part.quantity) for part in rent_parts(card, first, days, holidays)]


def cost(days: int, card: RateCard = CARD, first: dt.date = MONDAY) -> int:
    return sum(part.amount for part in rent_parts(card, first, days, ()))


def test_a_holiday_goes_before_a_weekend_and_that_before_a_weekday() -> None:
    friday, saturday = dt.date(2027, 3, 5), dt.date(2027, 3, 6)
    assert parts(4, friday) == [(Kind.WEEKDAY, 2), (Kind.WEEKEND, 2)]
    assert parts(4, friday, CARD, saturday) == [(Kind.WEEKDAY, 2), (Kind.WEEKEND, 1), (Kind.HOLIDAY, 1)]


def test_a_day_without_a_rate_of_its_own_costs_what_the_next_plainer_one_does() -> None:
    saturday = dt.date(2027, 3, 6)
    plain = RateCard(weekday=Rupiah(300_000), monthly=Rupiah(7_000_000))
    assert parts(2, saturday, plain, saturday) == [(Kind.WEEKDAY, 2)]
    weekends = RateCard(weekday=Rupiah(300_000), weekend=Rupiah(350_000))
    assert parts(2, saturday, weekends, saturday) == [(Kind.WEEKEND, 2)]


def test_whole_months_come_first_then_whole_weeks_then_days() -> None:
    assert parts(39) == [(Kind.MONTH, 1), (Kind.WEEK, 1), (Kind.WEEKDAY, 2)]
    assert parts(7) == [(Kind.WEEK, 1)]


@pytest.mark.parametrize(("days", "wanted"), [(6, 1_850_000), (7, 1_900_000), (8, 2_200_000), (13, 3_750_000)])
def test_the_rest_never_costs_more_than_the_next_bigger_block(days: int, wanted: int) -> None:
    assert cost(days) == wanted
    dear = RateCard(weekday=Rupiah(500_000), weekly=Rupiah(1_900_000), monthly=Rupiah(7_000_000))
    assert cost(5, dear) == 1_900_000
    assert cost(29, dear) == 7_000_000


rates = st.integers(0, 2_000_000).map(Rupiah)
cards = st.builds(
    RateCard,
    weekday=rates,
    weekend=st.none() | rates,
    holiday=st.none() | rates,
    weekly=st.none() | st.integers(0, 9_000_000).map(Rupiah),
    monthly=st.none() | st.integers(0, 30_000_000).map(Rupiah),
)


@given(cards, st.integers(1, 120), st.integers(0, 6))
def test_a_longer_rental_never_costs_less_than_a_shorter_one_from_the_same_day(
    card: RateCard, days: int, on: int
) -> None:
    first = MONDAY + dt.timedelta(days=on)
    holidays = [first + dt.timedelta(days=n) for n in range(0, 130, 11)]
    shorter, longer = (sum(p.amount for p in rent_parts(card, first, n, holidays)) for n in (days, days + 1))
    assert shorter <= longer


def test_a_card_of_one_rate_makes_one_line_with_the_skus_name() -> None:
    terms = Terms(name="Avanza G", card=RateCard(weekday=Rupiah(350_000)))
    (line,) = priced_lines(terms, RentalPeriod(MONDAY, MONDAY + dt.timedelta(days=6)))
    assert (line.text, line.quantity, line.unit_price, line.amount) == ("Avanza G", 7, 350_000, 2_450_000)


DRIVER = Extra(code="SOPIR", name="Sopir", per_day=True, rate=Rupiah(200_000), replaces_driver_licence=True)
TOLL = Extra(code="TOL", name="Tol", per_day=False, rate=Rupiah(75_000), taxable=False)


def test_one_discount_is_over_rent_and_taxable_extras_and_rounded_half_up() -> None:
    extras = (ChosenExtra(extra=DRIVER), ChosenExtra(extra=TOLL, quantity=2))
    terms = Terms(name="Avanza", card=RateCard(weekday=Rupiah(333_335)), extras=extras, discount_percent=10)
    found = priced_lines(terms, RentalPeriod(MONDAY, MONDAY + dt.timedelta(days=2)))
    assert [(line.kind, line.quantity, line.amount, line.taxable) for line in found] == [
        (LineKind.RENT, 3, 1_000_005, True),
        (LineKind.EXTRA, 3, 600_000, True),
        (LineKind.EXTRA, 2, 150_000, False),
        (LineKind.DISCOUNT, 1, -160_001, True),
    ]
    assert worth(terms, RentalPeriod(MONDAY, MONDAY + dt.timedelta(days=2))) == 1_000_005 + 600_000 - 160_001


@given(cards, st.integers(1, 365), st.integers(0, 100), st.integers(1, 99), st.booleans())
def test_c75_no_price_is_anything_but_whole_rupiah(
    card: RateCard, days: int, percent: int, quantity: int, per_day: bool
) -> None:
    extra = Extra(code="X", name="X", per_day=per_day, rate=Rupiah(12_345))
    terms = Terms(name="X", card=card, extras=(ChosenExtra(extra=extra, quantity=quantity),), discount_percent=percent)
    for line in priced_lines(terms, RentalPeriod(MONDAY, MONDAY + dt.timedelta(days=days - 1))):
        assert {type(line.amount), type(line.unit_price), type(line.quantity)} == {int}
        assert line.amount == line.quantity * line.unit_price


@pytest.mark.parametrize(
    ("due", "days"),
    [("2027-03-02T09:00", 1), ("2027-03-02T09:30", 1), ("2027-03-02T09:31", 2), ("2027-03-03T08:00", 2)],
)
def test_by_24_hours_a_begun_day_counts_once_it_is_past_the_tolerance(due: str, days: int) -> None:
    pickup, back = dt.datetime(2027, 3, 1, 9, tzinfo=WIB), dt.datetime.fromisoformat(due).replace(tzinfo=WIB)
    touched = (back.date() - pickup.date()).days + 1
    assert touched + day_offset(pickup, back, touched, dt.timedelta(minutes=30)) == days
