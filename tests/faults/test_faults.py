"""The fault kit itself: a short seeded run holds, and each of its checks finds what it is there for."""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.faults.history import History, read_all
from tests.faults.invariants import INVARIANTS, Evidence, Line, all_breaks
from tests.faults.operations import OPERATIONS
from tests.faults.run import FAULTS, run_faults
from tests.support.processes import ROOT
from tests.support.world import AVANZA, World, days

pytest_plugins = ("tests.support.world_fixtures",)


def test_a_short_seeded_run_loses_and_doubles_nothing() -> None:
    answer = run_faults(minutes=0.25, seed=11, clients=4)
    assert answer["breaks"] == []
    assert answer["acknowledged"]["bookings"] >= 20
    assert answer["acknowledged"]["payments"] >= 5
    assert answer["operations"] > sum(answer["acknowledged"].values())
    assert sum(answer["faults"].values()) >= 5


def test_the_registries_know_every_fault_and_operation_of_this_slice() -> None:
    assert {name for _, name, _ in FAULTS} == {
        "client_killed",
        "redis_flushed",
        "redis_killed",
        "postmaster_killed",
        "service_killed",
        "client_stopped_past_the_lock",
        "sixteen_minutes_passed",
    }
    assert {"book_unit", "book_any_unit", "book_order", "cancel", "settle"} <= {item.name for item in OPERATIONS}


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
    assert [(line["what"], line["by"]) for line in read_all(tmp_path)] == [("booked", "00001"), ("paid", "00001")]


# --- every check finds its forgery -----------------------------------------------------------------------------------


@pytest.fixture
def told(world: World) -> dict[str, list[Line]]:
    """What a client was told of two bookings, one of them paid and one cancelled, as it really is."""
    siti = world.counter("siti")
    world.open_shift(siti)
    found: defaultdict[str, list[Line]] = defaultdict(list)
    for number in (10, 20):
        booked = world.book(siti, days(f"2027-03-{number}"))
        found["booked"].append(
            {
                "booking_id": booked.bookings[0].id,
                "unit_id": AVANZA,
                "first": f"2027-03-{number}",
                "last": f"2027-03-{number}",
                "invoice_id": booked.invoice_id,
                "number": booked.bookings[0].number,
            }
        )
        if number == 20:
            siti.bookings.cancel(booked.bookings[0].id)
            found["cancelled"].append({"booking_id": booked.bookings[0].id})
            continue
        receipt = world.settle(siti, booked)
        attempt = world.value("SELECT attempt_id FROM sentra.payment")
        found["paid"].append(
            {
                "invoice_id": booked.invoice_id,
                "payment_id": receipt.payment_id,
                "number": receipt.number,
                "attempt_id": attempt,
                "amount": booked.total,
                "epoch": 1,
            }
        )
    return found


@contextmanager
def evidence_of(world: World, told: dict[str, list[Line]]) -> Iterator[Evidence]:
    assert world.redis_url is not None
    with psycopg.connect(world.database.owner_url, autocommit=True) as connection:
        yield Evidence(
            told=told, database_url=world.database.owner_url, redis_url=world.redis_url, connection=connection
        )


Forge = Callable[[World, dict[str, Any]], None]


def _lost_booking(_world: World, told: dict[str, Any]) -> None:
    told["booked"].append({**told["booked"][0], "booking_id": "00000000-0000-4000-8000-000000000001"})


def _moved_booking(_world: World, told: dict[str, Any]) -> None:
    told["booked"][0] = {**told["booked"][0], "last": "2027-03-11"}


def _lost_payment(_world: World, told: dict[str, Any]) -> None:
    told["paid"].append({**told["paid"][0], "payment_id": "00000000-0000-4000-8000-000000000001", "epoch": 9})


def _revived(_world: World, told: dict[str, Any]) -> None:
    told["cancelled"].append({"booking_id": told["booked"][0]["booking_id"]})


def _doubled(_world: World, told: dict[str, Any]) -> None:
    told["booked"].append({**told["booked"][0], "booking_id": "00000000-0000-4000-8000-000000000002"})


def _number_burnt(world: World, _told: dict[str, Any]) -> None:
    world.do("UPDATE sentra.number_counter SET last = last + 1")


def _epoch_shared(_world: World, told: dict[str, Any]) -> None:
    told["paid"].append({**told["paid"][0], "payment_id": "00000000-0000-4000-8000-000000000003"})


def _bit_flipped(world: World, _told: dict[str, Any]) -> None:
    with world.redis() as client:
        client.setbit(f"avail:TOY-AVNZ-G:{AVANZA}:202703", 9, 0)


FORGERIES: dict[str, tuple[Forge, str]] = {
    "a bit": (_bit_flipped, "DOCTOR"),
    "a lost booking": (_lost_booking, "ACKNOWLEDGED_BOOKING"),
    "other days": (_moved_booking, "ACKNOWLEDGED_BOOKING"),
    "a lost payment": (_lost_payment, "ACKNOWLEDGED_PAYMENT"),
    "a revived booking": (_revived, "ACKNOWLEDGED_CANCEL"),
    "a unit sold twice": (_doubled, "ONE_UNIT_ONE_BOOKING"),
    "a burnt number": (_number_burnt, "ONE_PAYER"),
    "two payers of one epoch": (_epoch_shared, "EPOCHS"),
}


def test_true_evidence_breaks_nothing_and_every_check_has_a_forgery(world: World, told: dict[str, list[Line]]) -> None:
    with evidence_of(world, told) as evidence:
        assert all_breaks(evidence) == []
    assert {name for _, name in FORGERIES.values()} == set(INVARIANTS)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_by_the_check_that_is_there_for_it(
    world: World, told: dict[str, list[Line]], name: str
) -> None:
    forge, expected = FORGERIES[name]
    forge(world, told)
    with evidence_of(world, told) as evidence:
        assert expected in {item["invariant"] for item in all_breaks(evidence)}
