"""Names of SKUs, units and plates: what may stand in a key, and what is refused."""

import pytest

from app.domain.catalogue import checked_sku, checked_unit_id, normalised_plate
from app.domain.errors import Refusal


@pytest.mark.parametrize("code", ["TOY-AVNZ-G", "A", "X9", "GEN-5.5KVA"])
def test_sku_codes_are_kept(code: str) -> None:
    assert checked_sku(code) == code


@pytest.mark.parametrize("code", ["", "toy", "TOY:AVNZ", "TOY|G", "TOY AVNZ", "-TOY", "TOY-", "X" * 31, "TOY*", "TÖY"])
def test_what_would_break_a_key_is_no_sku(code: str) -> None:
    with pytest.raises(Refusal) as no:
        checked_sku(code)
    assert no.value.field == "sku"


@pytest.mark.parametrize("unit_id", ["", "a:b", "a|b", "a b", "ab-", "x" * 65, "a\n", "é"])
def test_what_would_break_a_key_is_no_unit(unit_id: str) -> None:
    with pytest.raises(Refusal) as no:
        checked_unit_id(unit_id)
    assert no.value.field == "unit_id"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("b1234xyz", "B 1234 XYZ"), ("DD 1120 AB", "DD 1120 AB"), ("gs-001", "GS-001"), ("B 1", "B 1")],
)
def test_plates_are_spaced_and_in_capitals(typed: str, stored: str) -> None:
    assert normalised_plate(typed) == stored
