"""The fault kit itself: a seeded run of three minutes holds, its registries are whole, its parts do their work."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.history import History, read_all
from tests.faults.operations import OPERATIONS
from tests.faults.run import run_faults
from tests.faults.scenario import AIMED_AT_LOCKS, AIMED_AT_THE_INDEX, AIMED_AT_UNITS, ORDINARY, Scenario
from tests.faults.strikes import FAULTS
from tests.faults.targets import TARGETS, missed
from tests.support.processes import ROOT

MINUTES = 3.0
LEAST_FAULTS = {
    "client_killed": 15,
    "client_clock_shifted": 15,
    "lost_commit_answer": 15,
    "lost_evalsha_answer": 5,
    "lock_holder_stopped_past_ttl": 3,
    "postmaster_killed": 1,
    "redis_flushed": 2,
    "sixteen_minutes_passed": 2,
}
"""A quarter or less of what such a run does on a busy machine: it must not pass over what never happened."""


def test_a_seeded_run_of_three_minutes_loses_and_doubles_nothing() -> None:
    answer = run_faults(minutes=MINUTES, seed=11)
    assert answer["breaks"] == []
    assert answer["clients"] >= 8
    assert answer["acknowledged"]["bookings"] >= 300
    assert answer["acknowledged"]["payments"] >= 100
    assert answer["operations"] > sum(answer["acknowledged"].values())
    done = answer["by_operation"]
    assert [item.name for item in OPERATIONS if done.get(item.name, 0) < 2] == []
    assert {name: answer["faults"].get(name, 0) for name, n in LEAST_FAULTS.items() if answer["faults"][name] < n} == {}


@pytest.mark.parametrize(
    "scenario", [ORDINARY, AIMED_AT_UNITS, AIMED_AT_LOCKS, AIMED_AT_THE_INDEX], ids=lambda scenario: scenario.name
)
def test_a_scenario_names_only_faults_and_operations_that_exist(scenario: Scenario) -> None:
    assert set(scenario.faults) <= set(FAULTS)
    assert set(scenario.operations or ()) <= {item.name for item in OPERATIONS}


def test_every_fault_is_part_of_some_run() -> None:
    runs = (ORDINARY, AIMED_AT_UNITS, AIMED_AT_LOCKS, AIMED_AT_THE_INDEX)
    assert {name for scenario in runs for name in scenario.faults} == set(FAULTS)


def test_a_run_of_ten_minutes_that_fell_short_says_of_what() -> None:
    faults = {name: least for name, least in TARGETS.items() if name in FAULTS or name.startswith(("lost", "client_"))}
    faults["redis_flushed"] = 6
    told = {"bookings": 3_000, "payments": 1_000}
    full = {"minutes": 10, "clients": 8, "operations": 20_000, "acknowledged": told, "faults": faults}
    assert missed(full) == []
    assert missed({**full, "operations": 19_999}) == [
        {"invariant": "TARGET", "of": "operations", "wanted": 20_000, "found": 19_999}
    ]
    assert missed({**full, "faults": {**faults, "postmaster_killed": 7}}) == [
        {"invariant": "TARGET", "of": "postmaster_killed", "wanted": 8, "found": 7}
    ]
    assert missed({**full, "minutes": 3, "operations": 1}) == []


def test_the_command_line_refuses_what_it_does_not_know() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults", "--hours", "1"], cwd=ROOT, capture_output=True, check=False
    )
    assert ran.returncode == 2


def test_a_history_is_read_back_to_its_last_whole_line(tmp_path: Path) -> None:
    history = History(tmp_path / "00001.jsonl")
    history.write("booked", booking_id="1")
    history.write("paid", payment_id="2")
    history.close()
    with (tmp_path / "00001.jsonl").open("ab") as torn:
        torn.write(b'{"what": "paid", "payment')
    lines = list(read_all(tmp_path))
    assert [(line["what"], line["by"]) for line in lines] == [("booked", "00001"), ("paid", "00001")]
    assert lines[0]["at"] <= lines[1]["at"]


@pytest.mark.parametrize("shift", [-86_400, 86_400])
def test_a_shifted_clock_is_wrong_everywhere_while_the_steady_clocks_run_on(shift: int) -> None:
    seen = """
import json, sys, time
shift = float(sys.argv[1])
right, steady = time.time(), time.monotonic()
from tests.faults.shifted_clock import shift_wall_clock
shift_wall_clock(shift)
import datetime as dt, logging
from app.adapters.clock import utc_now, wall_seconds
record = logging.Formatter("%(asctime)s", "%Y-%m-%d").format(logging.LogRecord("", 0, "", 0, "", None, None))
now = dt.datetime.now()
print(json.dumps({
    "seconds": [time.time() - right, utc_now().timestamp() - right, wall_seconds() - right,
                now.timestamp() - right, time.time_ns() / 1e9 - right, time.mktime(time.localtime()) - right],
    "days": [str(dt.date.today()), record, str(dt.datetime.today().date())],
    "steady": time.monotonic() - steady, "kind": type(now) is dt.datetime, "today": str(now.date()),
}))
"""
    ran = subprocess.run([sys.executable, "-c", seen, str(shift)], cwd=ROOT, capture_output=True, check=True)
    found = json.loads(ran.stdout)
    assert all(shift - 2 <= seconds <= shift + 60 for seconds in found["seconds"]), found
    assert set(found["days"]) == {found["today"]}
    assert 0 <= found["steady"] < 60
    assert found["kind"]
