"""What people type is understood as they mean it, or not at all."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.formats import Language, day_short, number
from app.desktop.typed import MAX_AMOUNT, typed_date, typed_days, typed_money, typed_phone, typed_time

ID, EN = Language.ID, Language.EN
TODAY = dt.date(2026, 11, 30)  # a Monday


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1250000", 1_250_000),
        ("1.250.000", 1_250_000),
        ("1,250,000", 1_250_000),
        ("1,25jt", 1_250_000),
        ("1.25jt", 1_250_000),
        ("1,25 juta", 1_250_000),
        ("500rb", 500_000),
        ("500 ribu", 500_000),
        ("500k", 500_000),
        ("1.250rb", 1_250_000),
        ("Rp 1.250.000", 1_250_000),
        ("rp\u00a0500.000", 500_000),
        ("1.250.000,00", 1_250_000),
        ("1.250.000,-", 1_250_000),
        ("0", 0),
        ("007", 7),
        ("2,5jt", 2_500_000),
        ("0,5jt", 500_000),
    ],
)
def test_amounts_are_understood(text: str, amount: int) -> None:
    assert typed_money(text) == amount


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "rp", "-5000", "1.25", "1,5", "12.50.000", "1.250,000.000", "1..000", "5x", "1jtrb", "0,0000001jt",
        "1,2345678jt", "1e6", "0x10", "۱۲۳", "١٢", "１２３", "9999999999999", "1.25m", "5_000", "%s", "'; --", ".",
        ",5jt", "\u202e500", "5\x0000", "💰", "9" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_amount_is_not_guessed(text: str) -> None:
    assert typed_money(text) is None


def test_english_also_knows_m_for_million() -> None:
    assert typed_money("1.25m", EN) == 1_250_000
    assert typed_money("500k", EN) == 500_000


@given(st.integers(min_value=0, max_value=MAX_AMOUNT), st.sampled_from(Language))
def test_every_written_amount_reads_back(amount: int, language: Language) -> None:
    assert typed_money(number(amount, language), language) == amount


@given(st.text(max_size=40))
def test_no_text_makes_a_parser_fail(text: str) -> None:
    amount = typed_money(text)
    assert amount is None or 0 <= amount <= MAX_AMOUNT
    for result in (typed_date(text, TODAY), typed_days(text), typed_time(text), typed_phone(text)):
        assert result is None or result


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("30", (2026, 11, 30)),
        ("29", (2026, 12, 29)),
        ("31", (2026, 12, 31)),
        ("30/11", (2026, 11, 30)),
        ("29/11", (2027, 11, 29)),
        ("3/12", (2026, 12, 3)),
        ("03-12", (2026, 12, 3)),
        ("30-11-26", (2026, 11, 30)),
        ("30.11.2027", (2027, 11, 30)),
        ("29/2", (2028, 2, 29)),
        ("besok", (2026, 12, 1)),
        ("LUSA", (2026, 12, 2)),
        ("tomorrow", (2026, 12, 1)),
        ("hari ini", (2026, 11, 30)),
        ("sen", (2026, 12, 7)),
        ("mon", (2026, 12, 7)),
        ("sel", (2026, 12, 1)),
        ("minggu", (2026, 12, 6)),
        ("sunday", (2026, 12, 6)),
        ("+3", (2026, 12, 3)),
        ("-1", (2026, 11, 29)),
        ("+0", (2026, 11, 30)),
        ("3 des", (2026, 12, 3)),
        ("3 Dec 2026", (2026, 12, 3)),
        ("17 agustus", (2027, 8, 17)),
        ("2026-12-05", (2026, 12, 5)),
    ],
)
def test_days_are_understood(text: str, day: tuple[int, int, int]) -> None:
    assert typed_date(text, TODAY) == dt.date(*day)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "31/2",
        "31/02/2026",
        "29/2/27",
        "0",
        "32",
        "12/13",
        "11/30",
        "30/11/1",
        "soon",
        "30 foo",
        "+99999",
        "३०",
        "2026-13-01",
    ],
)
def test_days_that_do_not_exist_are_not_guessed(text: str) -> None:
    assert typed_date(text, TODAY) is None


@given(st.dates(min_value=dt.date(2000, 1, 1), max_value=dt.date(2099, 12, 31)), st.sampled_from(Language))
def test_every_written_day_reads_back(day: dt.date, language: Language) -> None:
    assert typed_date(day_short(day, language), TODAY) == day


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1405", (14, 5)),
        ("905", (9, 5)),
        ("14.05", (14, 5)),
        ("14:05", (14, 5)),
        ("9", (9, 0)),
        ("0", (0, 0)),
        ("23", (23, 0)),
    ],
)
def test_times_are_understood(text: str, time: tuple[int, int]) -> None:
    assert typed_time(text) == dt.time(*time)


@pytest.mark.parametrize("text", ["", "24", "2460", "14.5", "1:60", "aa", "14:05:00", "۹"])
def test_times_that_do_not_exist_are_not_guessed(text: str) -> None:
    assert typed_time(text) is None


@pytest.mark.parametrize(
    ("text", "days"), [("3", 3), ("3h", 3), ("3 hari", 3), ("1 day", 1), ("365", 365), (" 7 d ", 7)]
)
def test_rental_lengths_are_understood(text: str, days: int) -> None:
    assert typed_days(text) == days


@pytest.mark.parametrize("text", ["", "0", "366", "-1", "3x", "1.5", "9999"])
def test_rental_lengths_outside_a_year_are_not(text: str) -> None:
    assert typed_days(text) is None


@pytest.mark.parametrize(
    ("text", "phone"),
    [
        ("0812-3456-7890", "+6281234567890"),
        ("812 3456 7890", "+6281234567890"),
        ("6281234567890", "+6281234567890"),
        ("+62 812 3456 7890", "+6281234567890"),
        ("+62 0812 3456 7890", "+6281234567890"),
        ("(021) 555-1234", "+62215551234"),
        ("62 62 811 234 567", "+62811234567"),
        ("0062 812 3456 7890", "+6281234567890"),
        ("0812/3456/7890", "+6281234567890"),
        ("62811234", "+6262811234"),
        ("+65 9123 4567", "+6591234567"),
    ],
)
def test_phones_are_normalised(text: str, phone: str) -> None:
    assert typed_phone(text) == phone


@pytest.mark.parametrize(
    "text", ["", "0812", "08123456789012345", "abc", "+", "0812345678x", "++62812345678", "۰۸۱۲۳۴۵۶۷۸"]
)
def test_what_is_no_phone_is_not_guessed(text: str) -> None:
    assert typed_phone(text) is None
