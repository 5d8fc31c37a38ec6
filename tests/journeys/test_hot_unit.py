"""128 clients who all want one unit: one gets each stretch, the others are told who, and nobody waits for ever."""

from __future__ import annotations

import json
from collections import Counter as Tally
from typing import Any

import pytest

from app.bootstrap import Installation
from app.domain.staff import Role
from tests.journeys.hot_clients import login_of
from tests.support.processes import Processes, RunningProcess
from tests.support.world import AVANZA, World, password_of

pytest_plugins = ["tests.support.world_fixtures"]

CLIENTS = 128
PER_LOGIN = 16
"""A login may have 20 connections."""
PROCESSES = 2
STRETCHES = (("2027-03-10", "2027-03-12"), ("2027-03-20", "2027-03-20"), ("2027-03-30", "2027-04-02"))


@pytest.fixture
def crowd(world: World, processes: Processes) -> list[RunningProcess]:
    """The clients, all logged in, over a few processes."""
    place = Installation(world.settings())
    for login in sorted({login_of(n, PER_LOGIN) for n in range(CLIENTS)}):
        place.add_staff(login, f"Klerk {login[-1]}", "JKT", [Role.AGENT], password_of(login))
        limit = world.value("SELECT rolconnlimit FROM pg_roles WHERE rolname = %s", f"{world.database.prefix}_{login}")
        assert limit == 20, "as every login of a branch"
    share = CLIENTS // PROCESSES
    started = [
        processes.module(
            "tests.journeys.hot_clients", AVANZA, str(n * share), str(share), str(PER_LOGIN), env=world.environment()
        )
        for n in range(PROCESSES)
    ]
    assert [one.json_line(within=90) for one in started] == [{"ready": share}] * PROCESSES
    return started


def all_at_once(crowd: list[RunningProcess], told: str) -> list[dict[str, Any]]:
    """What every client was answered; each of them was."""
    for one in crowd:
        one.tell(told)
    found = [json.loads(one.line(within=90)) for one in crowd]
    answers: list[dict[str, Any]] = [answer for part in found for answer in part["answers"]]
    assert len(answers) == CLIENTS, "somebody is still waiting"
    return answers


def test_of_128_clients_at_one_unit_one_wins_each_stretch_and_nobody_deadlocks_or_stalls(
    world: World, crowd: list[RunningProcess]
) -> None:
    deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    before = world.value(deadlocks)

    for first, last in STRETCHES:
        answers = all_at_once(crowd, f"want {first} {last}")
        (winner,) = [answer["number"] for answer in answers if answer["code"] == "BOOKED"]
        lost = [answer for answer in answers if answer["code"] != "BOOKED"]
        assert Tally(answer["code"] for answer in lost) == {"DAYS_TAKEN": CLIENTS - 1}, lost[:3]
        assert {tuple(answer["named"]) for answer in lost} == {(winner,)}, "each is told who has it"

    all_at_once(crowd, "give_up")
    again = all_at_once(crowd, f"want {STRETCHES[0][0]} {STRETCHES[0][1]}")
    assert Tally(answer["code"] for answer in again) == {"BOOKED": 1, "DAYS_TAKEN": CLIENTS - 1}

    for one in crowd:
        one.end_input()
    assert [one.json_line(within=60)["closed"] for one in crowd] == [CLIENTS // PROCESSES] * PROCESSES
    assert world.value(deadlocks) == before
    assert world.rows("SELECT state, count(*) FROM sentra.booking GROUP BY 1 ORDER BY 1") == [
        ("CANCELLED", len(STRETCHES)),
        ("PENDING_PAYMENT", 1),
    ]
    world.catch_up()
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    assert world.bits(AVANZA, "202704") == []
    world.assert_sound()
