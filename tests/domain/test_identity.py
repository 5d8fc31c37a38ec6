"""Numbers of identity papers: their one form, what looks odd, what may be shown, and whether a licence is good."""

import datetime as dt
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Refusal, RefusalCode
from app.domain.identity import (
    IdentityKind,
    LicenceProblem,
    NikWarning,
    checked_licence,
    checked_nik,
    checked_passport,
    licence_problem,
    masked,
    wanted_number,
)

BIRTH = dt.date(1990, 8, 17)
ODD = [
    "",
    " ",
    "x" * 5_000,
    "12\x0034567890123456",
    "😀😀😀😀😀😀",
    "\u202e3275011708900012",
    "' OR 1=1 --",
    "%s%s%s%n",
    "{0}",
    "３２７５０１１７０８９０００１２",
    "3275011708900012" + " " * 80 + "99-99-99-99",
]


@dataclass(frozen=True)
class Card:
    licence_expires_on: dt.date | None


@dataclass(frozen=True)
class Extra:
    replaces_driver_licence: bool


def field_of(no: Refusal) -> str | None:
    assert no.code is RefusalCode.FIELD_INVALID
    return no.field


@pytest.mark.parametrize(
    "typed", ["3275011708900012", "3275 0117 0890 0012", "3275.01.170890.0012", "3275-01-170890-0012"]
)
def test_a_nik_is_sixteen_digits_however_they_are_grouped(typed: str) -> None:
    assert checked_nik(typed, BIRTH) == ("3275011708900012", ())


@pytest.mark.parametrize("length", [0, 1, 15, 17, 30])
def test_a_nik_of_another_length_is_refused_and_says_how_many_digits_there_are(length: int) -> None:
    with pytest.raises(Refusal) as no:
        checked_nik("3" * length)
    assert field_of(no.value) == "nik"
    assert no.value.params == {"reason": "digits", "length": length, "exactly": 16}


@pytest.mark.parametrize(
    ("number", "birth_on", "warnings"),
    [
        ("3275015708900012", BIRTH, ()),  # a woman: day + 40
        ("3275013208900012", None, (NikWarning.ODD_DATE,)),
        ("3275010008900012", None, (NikWarning.ODD_DATE,)),
        ("3275017208900012", None, (NikWarning.ODD_DATE,)),
        ("3275011713900012", None, (NikWarning.ODD_DATE,)),
        ("3275011708900012", dt.date(1990, 8, 18), (NikWarning.OTHER_BIRTH,)),
        ("0175011708900012", None, (NikWarning.ODD_PROVINCE,)),
        ("9900000000000000", None, (NikWarning.ODD_PROVINCE, NikWarning.ODD_DATE)),
    ],
)
def test_odd_dates_and_places_warn_and_never_refuse(
    number: str, birth_on: dt.date | None, warnings: tuple[NikWarning, ...]
) -> None:
    assert checked_nik(number, birth_on) == (number, warnings)


@pytest.mark.parametrize("typed", ODD)
def test_bad_input_is_no_number_of_any_paper(typed: str) -> None:
    for check, field in (
        (checked_nik, "nik"),
        (checked_passport, "passport"),
        (checked_licence, "licence_number"),
        (wanted_number, "number"),
    ):
        with pytest.raises(Refusal) as no:
            check(typed)
        assert field_of(no.value) == field


def test_passports_and_licences_are_capitals_and_digits() -> None:
    assert checked_passport("x 123-4567") == "X1234567"
    assert checked_licence("9208-1234 5678") == "920812345678"
    for letters_only in ("ABCDEFG", "Sopir"):
        with pytest.raises(Refusal):
            checked_passport(letters_only)
        with pytest.raises(Refusal):
            checked_licence(letters_only)


def test_a_masked_number_shows_six_and_four_digits_of_a_nik_and_three_of_other_papers() -> None:
    assert masked(IdentityKind.NIK, "3275011708900012") == "3275 01 •••••• 0012"
    assert masked(IdentityKind.PASSPORT, "X1234567") == "•••••• 567"
    assert masked(IdentityKind.LICENCE, "920812345678") == "•••••• 678"


@given(st.from_regex("[0-9]{16}", fullmatch=True))
def test_what_is_masked_is_not_in_the_shown_form(number: str) -> None:
    shown = masked(IdentityKind.NIK, number)
    assert "".join(sign for sign in shown if sign.isdigit()) == number[:6] + number[-4:]


@pytest.mark.parametrize(
    ("expires", "extras", "problem"),
    [
        ("2027-03-12", (), None),
        ("2027-03-11", (), LicenceProblem.EXPIRES),
        (None, (), LicenceProblem.MISSING),
        (None, (Extra(replaces_driver_licence=True),), None),
        ("2020-01-01", (Extra(replaces_driver_licence=False), Extra(replaces_driver_licence=True)), None),
        ("2020-01-01", (Extra(replaces_driver_licence=False),), LicenceProblem.EXPIRES),
    ],
)
def test_a_licence_is_good_to_the_last_day_or_a_driver_comes_along(
    expires: str | None, extras: tuple[Extra, ...], problem: LicenceProblem | None
) -> None:
    card = Card(licence_expires_on=None if expires is None else dt.date.fromisoformat(expires))
    assert licence_problem(card, dt.date(2027, 3, 12), extras) is problem
