"""Finding a customer while typing, with the rights and the words of a person at a counter."""

import pytest

from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZAS, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)


def test_a_customer_is_found_by_phone_digits_and_by_the_beginning_of_any_name_word(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-10"), name="Rina Maharani", phone="0812 0000 1234")
    world.book(ayu, days("2027-03-10"), AVANZAS[1], name="José Ångström", phone="0813 0000 5678")
    for text in ("0812 0000", "62812", "+62 812-0000", "rin", "MAHA", "rina maha"):
        assert [hit.customer.name for hit in ayu.customers.find_customers(text)] == ["Rina Maharani"], text
    for text in ("jose", "angs"):
        assert [hit.customer.name for hit in ayu.customers.find_customers(text)] == ["José Ångström"], text


def test_another_branch_finds_the_customer_of_the_installation_without_its_bookings(world: World) -> None:
    world.book(world.counter("ayu"), days("2027-03-10"))
    (hit,) = world.counter("rahmat").customers.find_customers("rina")
    assert (hit.customer.name, hit.rentals, hit.open_invoices) == ("Rina Maharani", 0, 0)


@pytest.mark.parametrize(
    "text", ["", " ", "r", "081", "%", "_", "%%%", "__", "' OR 1=1 --", "\\", "😀😀", "a\u0301", "ri\0na", "ri\ud800na"]
)
def test_too_little_or_strange_text_finds_nobody_and_breaks_nothing(shared_world: World, text: str) -> None:
    assert shared_world.counter("ayu").customers.find_customers(text) == ()


@pytest.mark.parametrize(
    ("text", "limit", "field"), [("x" * 81, 8, "text"), ("rina", 0, "limit"), ("rina", 51, "limit")]
)
def test_bad_input_is_refused_by_its_field(shared_world: World, text: str, limit: int, field: str) -> None:
    with pytest.raises(Refusal) as no:
        shared_world.counter("ayu").customers.find_customers(text, limit)
    refused(no.value, RefusalCode.FIELD_INVALID, field)
