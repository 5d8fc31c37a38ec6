"""Waitlist, maintenance, holidays, searches and refused wishes on the command line: JSON in, JSON out, each field."""

import uuid
from typing import Any

import pytest

from app.admin_do import USE_CASES, do
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, SKU, World, days

pytest_plugins = ("tests.support.world_fixtures",)

MARCH: dict[str, object] = {"first_day": "2027-03-10", "last_day": "2027-03-12"}
RINA = {"name": "Rina Maharani", "phone": "0812 0000 1234"}
JOIN: dict[str, object] = {"customer": RINA, "sku": SKU, **MARCH}
BLOCK: dict[str, object] = {"unit_id": AVANZA, "reason": "Servis", **MARCH}


def ask(world: World, login: str, name: str, given: object) -> Any:
    return do(world.counter(login), name, given)


def test_a_place_is_joined_listed_and_withdrawn(world: World) -> None:
    joined = ask(world, "ayu", "join_waitlist", JOIN)
    assert (joined["already"], joined["entry"]["position"], joined["entry"]["state"]) == (False, 1, "WAITING")
    assert joined["entry"]["period"] == {"first": "2027-03-10", "last": "2027-03-12"}
    by_id = {**JOIN, "customer": {"id": joined["entry"]["customer_id"]}}
    assert ask(world, "budi", "join_waitlist", by_id)["already"] is True
    assert [row["id"] for row in ask(world, "ayu", "waitlist", {"sku": SKU})] == [joined["entry"]["id"]]
    assert ask(world, "ayu", "withdraw_waitlist", {"entry_id": joined["entry"]["id"]}) == {"withdrawn": True}
    assert ask(world, "ayu", "waitlist", {}) == []


def test_a_unit_is_blocked_and_the_block_is_ended(world: World) -> None:
    given = {**BLOCK, "block_id": str(uuid.uuid4())}
    done = ask(world, "ayu", "block_unit", given)
    assert done == {**done, "blockers": [], "freed": []}
    assert (done["block"]["id"], done["block"]["state"]) == (given["block_id"], "SCHEDULED")
    assert ask(world, "ayu", "block_unit", given)["block"] == done["block"]
    assert ask(world, "dedi", "blocks", MARCH) == [done["block"]]
    ended = ask(world, "ayu", "end_block", {"block_id": given["block_id"], "last_day": "2027-03-10"})
    assert ended["block"]["days"] == {"first": "2027-03-10", "last": "2027-03-10"}
    assert ask(world, "ayu", "end_block", {"block_id": given["block_id"]})["block"]["state"] == "CANCELLED"
    broken = ask(world, "dedi", "block_unit", {**BLOCK, "breakdown": True})
    assert (broken["block"]["breakdown"], broken["block"]["state"]) == (True, "RUNNING")


def test_holidays_are_read_set_and_removed(world: World) -> None:
    window = {"first_day": "2027-12-22", "last_day": "2027-12-25"}
    assert ask(world, "maya", "set_holiday", {"day": "2027-12-22", "name": "Hari jadi"}) == {"set": True}
    assert ask(world, "maya", "remove_holiday", {"day": "2027-12-24"}) == {"removed": True}
    assert [(item["day"], item["name"], item["source"]) for item in ask(world, "ayu", "holidays", window)] == [
        ("2027-12-22", "Hari jadi", "branch"),
        ("2027-12-25", "Hari Raya Natal", "calendar"),
    ]


def test_searches_and_the_report_of_refused_wishes(world: World) -> None:
    world.book(world.counter("ayu"), days("2027-03-10", "2027-03-12"))
    with pytest.raises(Refusal):
        world.book(world.counter("siti"), days("2027-03-10"), phone="0812 7777 0001")
    free = ask(world, "ayu", "free_now", {"category": "Mobil", **MARCH})
    assert [unit["unit_id"] for unit in free] == list(AVANZAS[1:])
    (elsewhere,) = ask(world, "ayu", "free_elsewhere", {"sku": SKU, **MARCH})
    assert (elsewhere["branch"], elsewhere["free_units"], elsewhere["unit"]["unit_id"]) == ("MKS", 1, FAR_AVANZA)
    today = {"first_day": "2027-03-01", "last_day": "2027-03-31"}
    told = ask(world, "maya", "refusals", today)
    assert [(row["unit_id"], row["code"], row["by_name"]) for row in told["refusals"]] == [
        (AVANZA, "DAYS_TAKEN", "Siti")
    ]
    assert told["lost"] == [{"sku": SKU, "day": "2027-03-10", "count": 1}]


RIGHT: dict[str, dict[str, object]] = {
    "join_waitlist": JOIN,
    "withdraw_waitlist": {"entry_id": str(uuid.UUID(int=1))},
    "waitlist": {"sku": SKU},
    "block_unit": BLOCK,
    "end_block": {"block_id": str(uuid.UUID(int=1))},
    "blocks": MARCH,
    "holidays": MARCH,
    "set_holiday": {"day": "2027-03-10", "name": "Libur"},
    "remove_holiday": {"day": "2027-03-10"},
    "free_now": {"sku": SKU, **MARCH},
    "free_elsewhere": {"sku": SKU, **MARCH},
    "refusals": MARCH,
}
MAY_BE_LEFT_OUT = {("waitlist", "sku"), ("free_now", "sku")}
BAD_TEXTS: tuple[object, ...] = ("", "x" * 1001, "a\0b", "\ud800", 7, None, [], {})
BAD_DAYS: tuple[object, ...] = ("2027-02-31", "10/03/2027", "", "besok", "2027-3-1", 20270310, None)


def test_every_name_is_there() -> None:
    assert set(RIGHT) <= set(USE_CASES)


@pytest.mark.parametrize("name", RIGHT)
def test_a_wrong_field_is_refused_by_its_name_and_changes_nothing(shared_world: World, name: str) -> None:
    before = shared_world.counts()
    for field, right in RIGHT[name].items():
        wrongs: tuple[object, ...] = BAD_DAYS if isinstance(right, str) and right.startswith("2027-") else BAD_TEXTS
        for wrong in wrongs:
            if wrong is None and (name, field) in MAY_BE_LEFT_OUT:
                continue
            with pytest.raises(Refusal) as no:
                ask(shared_world, "maya", name, {**RIGHT[name], field: wrong})
            assert no.value.code is RefusalCode.FIELD_INVALID, (field, wrong)
            assert (no.value.field or "").split(".")[0] == field, (field, wrong)
    others: tuple[object, ...] = ({**RIGHT[name], "unknown": 1}, [], None, "x")
    for given in others:
        with pytest.raises(Refusal) as no:
            ask(shared_world, "maya", name, given)
        assert no.value.field in {"unknown", "input"}
    if "first_day" in RIGHT[name]:
        with pytest.raises(Refusal) as no:
            ask(shared_world, "maya", name, {**RIGHT[name], "first_day": "2027-03-12", "last_day": "2027-03-10"})
        assert (no.value.code, no.value.field) == (RefusalCode.PERIOD_INVALID, "last_day")
        with pytest.raises(Refusal) as no:
            ask(shared_world, "maya", name, {**RIGHT[name], "last_day": "2028-04-14"})
        assert (no.value.code, no.value.field) == (RefusalCode.PERIOD_INVALID, "last_day")
    assert shared_world.counts() == before
