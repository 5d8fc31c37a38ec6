"""What a rental costs: days, deposit and one PPN per invoice."""

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from app.domain.catalogue import Sku
from app.domain.days import RentalPeriod
from app.domain.invoice import LineKind
from app.domain.money import Rupiah
from app.domain.pricing import QuoteLine, quote
from app.domain.staff import Branch

TODAY = dt.date(2026, 11, 30)
BRANCH = Branch(
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
AVANZA = Sku(
    code="TOY-AVNZ-G",
    name="Avanza G",
    category="Mobil",
    daily_rate=Rupiah(350_000),
    deposit=Rupiah(500_000),
    turnaround_days=0,
)


def line(first: dt.date, days: int, sku: Sku = AVANZA) -> QuoteLine:
    return QuoteLine(booking_id="b", sku=sku, period=RentalPeriod(first, first + dt.timedelta(days=days - 1)))


def test_three_days_with_a_deposit() -> None:
    found = quote(BRANCH, [line(TODAY, 3)], TODAY)
    assert (found.rent, found.deposit, found.total) == (1_050_000, 500_000, 1_550_000)
    assert found.ppn is not None
    assert found.ppn.base + found.ppn.tax == 1_050_000
    assert [item.kind for item in found.lines] == [LineKind.RENT, LineKind.DEPOSIT]


def test_c42_a_same_day_rental_is_one_day() -> None:
    day = dt.date(2027, 3, 29)
    assert quote(BRANCH, [line(day, 1)], TODAY).rent == 350_000


def test_a_branch_without_ppn_has_no_ppn() -> None:
    found = quote(replace(BRANCH, has_ppn=False), [line(TODAY, 2)], TODAY)
    assert found.ppn is None
    assert found.total == 1_200_000


def test_ppn_on_top_is_a_line_of_its_own() -> None:
    found = quote(replace(BRANCH, prices_include_ppn=False), [line(TODAY, 2)], TODAY)
    assert found.lines[-1].kind is LineKind.PPN
    assert found.lines[-1].amount == 77_000
    assert found.total == 700_000 + 77_000 + 500_000


@given(st.lists(st.tuples(st.integers(1, 365), st.integers(1, 5_000_000)), min_size=1, max_size=8), st.booleans())
def test_c64_lines_always_add_up_to_the_printed_total(order: list[tuple[int, int]], include: bool) -> None:
    items = [line(TODAY, days, replace(AVANZA, daily_rate=Rupiah(rate))) for days, rate in order]
    found = quote(replace(BRANCH, prices_include_ppn=include), items, TODAY)
    assert sum(item.amount for item in found.lines) == found.total
    assert all(type(item.amount) is int for item in found.lines)
