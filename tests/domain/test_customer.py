"""Phones and names as they are typed, and the one form that is stored."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.customer import checked_name, folded, normalised_phone
from app.domain.errors import Refusal, RefusalCode


def test_c78_a_bare_62_is_the_country_code_and_is_not_doubled() -> None:
    assert normalised_phone("62811811234") == "+62811811234"


@pytest.mark.parametrize(
    "typed",
    [
        "0062811811234",
        "+0062811811234",
        "00 62 (0)811 811 234",
        "6262811811234",
        "+6262811811234",
        "006262811811234",
        "062811811234",
        "0811811234",
        "+62 0811 811 234",
    ],
)
def test_c78_no_way_of_writing_the_country_code_doubles_it(typed: str) -> None:
    assert normalised_phone(typed) == "+62811811234"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("0062218889999", "+62218889999"),
        ("6262218889999", "+62218889999"),
        ("0065 6123 4567", "+6561234567"),
        ("0628 20123", "+6262820123"),  # Kabanjahe: an area code that begins like the country code
        ("0622 21234", "+6262221234"),
    ],
)
def test_a_number_of_a_place_or_country_that_looks_like_62_keeps_its_digits(typed: str, stored: str) -> None:
    assert normalised_phone(typed) == stored


@pytest.mark.parametrize(
    "typed",
    ["0812 3456 7890", "6281234567890", "+62 812-3456-7890", "81234567890", "(0812) 3456.7890", "0812/34567890"],
)
def test_c79_every_way_of_writing_a_number_is_one_customer(typed: str) -> None:
    assert normalised_phone(typed) == "+6281234567890"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "0812",
        "08123456789012345",
        "abc",
        "0812-345\x007890",
        "٠٨١٢٣٤٥٦٧٨٩٠",
        "+" * 30,
        "0" * 60,
        "'; DROP TABLE",
        "%s%s%s%s",
    ],
)
def test_what_is_no_number_is_refused_by_its_field(typed: str) -> None:
    with pytest.raises(Refusal) as no:
        normalised_phone(typed)
    assert (no.value.code, no.value.field) == (RefusalCode.FIELD_INVALID, "customer.phone")


@given(st.text(max_size=60))
@example("0000010000000")
def test_any_text_is_a_stored_form_or_a_refusal(typed: str) -> None:
    try:
        stored = normalised_phone(typed)
    except Refusal as no:
        assert no.field == "customer.phone"
    else:
        assert normalised_phone(stored) == stored


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "A", "x" * 81, "Budi\x00Santoso", "Budi\u202eSantoso", "12345", "\u200bBudi", "😀😀"),
        *("\u3164\u3164", "A\u3164\u2800", "A\u00a0", "Bu" + "\u0301" * 5 + "di", "\ufdfa" * 80),
    ],
)
def test_a_name_nobody_has_is_refused(name: str) -> None:
    with pytest.raises(Refusal) as no:
        checked_name(name)
    assert no.value.field == "customer.name"


@pytest.mark.parametrize("name", ["Li", "Siti Nurhaliza", "O'Connor", "PT Arunika (Persero)", "محمد علي", "x" * 80])
def test_names_of_all_kinds_are_kept(name: str) -> None:
    assert checked_name(f"  {name} ") == name


def test_names_are_found_without_case_and_accents() -> None:
    assert folded("  José   ÁLVAREZ ") == "jose alvarez"
