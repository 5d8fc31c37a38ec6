"""With a guard taken out the kit reports what goes wrong, within three minutes; with all of them in place, nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from tests.faults.patched_lua import patch_lua
from tests.faults.run import Sabotage, run_faults
from tests.faults.sabotage import (
    WITHOUT_THE_VERSION_CHECK,
    without_the_attempt_check,
    without_the_constraint,
    without_the_lock_guard,
)
from tests.faults.scenario import AIMED_AT_LOCKS, AIMED_AT_THE_INDEX, AIMED_AT_UNITS, Scenario
from tests.support.world import World

pytest_plugins = ("tests.support.world_fixtures",)

MOST_MINUTES = 3.0


def _seen(answer: Mapping[str, Any]) -> set[str]:
    """What the kit reports, the doctor's findings by their own names."""
    return {str(item.get("of", item["invariant"])) for item in answer["breaks"]}


@pytest.mark.parametrize(
    ("sabotage", "scenario", "expected"),
    [
        pytest.param(without_the_constraint, AIMED_AT_UNITS, {"I1", "ONE_UNIT_ONE_BOOKING"}, id="constraint"),
        pytest.param(without_the_lock_guard, AIMED_AT_LOCKS, {"I5", "PAID_IN_TIME", "EPOCHS", "LOCK"}, id="lock guard"),
        pytest.param(without_the_attempt_check, AIMED_AT_LOCKS, {"I13", "REFUSED_ATTEMPT"}, id="attempt id"),
        pytest.param(
            None,
            replace(AIMED_AT_THE_INDEX, patched_lua=WITHOUT_THE_VERSION_CHECK),
            {"I2"},
            id="version",
        ),
    ],
)
def test_the_kit_reports_what_a_missing_guard_lets_through(
    sabotage: Sabotage | None, scenario: Scenario, expected: set[str]
) -> None:
    answer = run_faults(minutes=MOST_MINUTES, seed=7, scenario=scenario, sabotage=sabotage)
    assert _seen(answer) & expected, answer["breaks"]
    assert "GUARDS" not in _seen(answer)


@pytest.mark.parametrize(
    "scenario", [AIMED_AT_UNITS, AIMED_AT_LOCKS, AIMED_AT_THE_INDEX], ids=lambda scenario: scenario.name
)
def test_the_same_aim_finds_nothing_while_every_guard_is_in_place(scenario: Scenario) -> None:
    answer = run_faults(minutes=0.3, seed=7, scenario=scenario)
    assert answer["breaks"] == []
    assert answer["acknowledged"]["bookings"] >= 20


@pytest.mark.parametrize("sabotage", [without_the_constraint, without_the_lock_guard, without_the_attempt_check])
def test_a_sabotage_that_finds_no_guard_to_take_out_is_an_error(world: World, sabotage: Sabotage) -> None:
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        sabotage(owner)
        with pytest.raises(LookupError):
            sabotage(owner)


def test_a_script_without_the_text_that_is_to_go_is_not_patched() -> None:
    with pytest.raises(LookupError):
        patch_lua({"project": ("if nothing of the kind stands here", "")})
