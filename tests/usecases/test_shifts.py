"""Cash shifts: one per cashier and one per drawer, opened by cashiers only."""

import datetime as dt
from functools import partial

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from tests.support.at_once import at_once
from tests.support.world import World, refused

pytest_plugins = ("tests.support.world_fixtures",)

FLOAT = Rupiah(500_000)


def test_an_open_shift_is_mine_until_it_is_closed(world: World) -> None:
    budi = world.counter("budi", "Kasir 2")
    assert budi.shifts.current_shift() is None
    opened = budi.shifts.open_shift("  Laci   1 ", FLOAT)
    assert (opened.number, opened.drawer, opened.opening_float, opened.opened_at) == (1, "Laci 1", FLOAT, world.now())
    assert budi.shifts.current_shift() == opened
    assert world.counter("siti").shifts.current_shift() is None
    assert opened.opened_at.utcoffset() == dt.timedelta(0)


def test_a_cashier_has_one_shift_and_a_drawer_has_one(world: World) -> None:
    budi, siti = world.counter("budi"), world.counter("siti")
    budi.shifts.open_shift("Laci 1", FLOAT)
    with pytest.raises(Refusal) as no:
        budi.shifts.open_shift("Laci 2", FLOAT)
    assert refused(no.value, RefusalCode.DUPLICATE)["reason"] == "my_shift"
    with pytest.raises(Refusal) as no:
        siti.shifts.open_shift("Laci 1", FLOAT)
    taken = refused(no.value, RefusalCode.DUPLICATE, "drawer")
    assert (taken["drawer"], taken["holder_name"], taken["number"]) == ("Laci 1", "Budi", 1)
    assert world.counter("rahmat").shifts.open_shift("Laci 1", FLOAT).number == 1, "another branch, another drawer"


def test_five_presses_at_once_open_one_shift(world: World) -> None:
    budi = world.counter("budi")
    found = at_once(*(partial(budi.shifts.open_shift, "Laci 1", FLOAT) for _ in range(5)))
    assert len(found.results) == 1
    assert {no.code for no in found.refusals} == {RefusalCode.DUPLICATE}
    assert world.value("SELECT count(*) FROM sentra.shift") == 1


@pytest.mark.parametrize("login", ["ayu", "dedi"])
def test_who_is_no_cashier_opens_no_shift(world: World, login: str) -> None:
    with pytest.raises(Refusal) as no:
        world.counter(login).shifts.open_shift("Laci 1", FLOAT)
    refused(no.value, RefusalCode.NOT_ALLOWED)
    assert world.value("SELECT count(*) FROM sentra.shift") == 0


@pytest.mark.parametrize(
    ("drawer", "amount", "field"),
    [
        ("", 0, "drawer"),
        ("   ", 0, "drawer"),
        ("x" * 41, 0, "drawer"),
        ("Laci\x00", 0, "drawer"),
        ("Laci\x7f", 0, "drawer"),
        ("Laci \u202e1", 0, "drawer"),
        ("Laci \ud800", 0, "drawer"),
        ("Laci 1", -1, "float"),
        ("Laci 1", 10**15, "float"),
    ],
)
def test_bad_input_is_refused_by_its_field(shared_world: World, drawer: str, amount: int, field: str) -> None:
    before = shared_world.counts()
    with pytest.raises(Refusal) as no:
        shared_world.counter("budi").shifts.open_shift(drawer, Rupiah(amount))
    refused(no.value, RefusalCode.FIELD_INVALID, field)
    assert shared_world.counts() == before
