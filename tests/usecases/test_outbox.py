"""The outbox engine on a real database: every effect once, one bad row stops no other, a killed worker is replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.adapters.postgres.store import PostgresStore
from app.domain.errors import Refusal, RefusalCode
from app.usecases.index_port import IndexUnreachable
from app.usecases.outbox import Effect, Outbox
from app.usecases.rows import OutboxRow
from tests.support.at_once import at_once
from tests.support.processes import Processes
from tests.support.world import AVANZAS, HEADING, SKU, World, days

pytest_plugins = ("tests.support.world_fixtures",)

NOTE = "note"


class Desk:
    """What reached the outside: the ids, in order; `bad` ones fail."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.bad: dict[str, Exception] = {}

    def send(self, rows: Sequence[OutboxRow]) -> None:
        for row in rows:
            if row.id in self.bad:
                raise self.bad[row.id]
        self.sent += [row.id for row in rows]


def put(world: World, number: int, kind: str = NOTE) -> list[str]:
    """So many due effects; their ids in the order they are due."""
    return [
        str(world.value("INSERT INTO sentra.outbox (kind, payload) VALUES (%s, '{}') RETURNING id", kind))
        for _ in range(number)
    ]


@pytest.fixture
def store(world: World) -> PostgresStore:
    found = world.service().store
    assert isinstance(found, PostgresStore)
    return found


@pytest.mark.parametrize("together", [True, False])
def test_every_effect_is_carried_out_and_recorded(world: World, store: PostgresStore, together: bool) -> None:
    desk, ids = Desk(), put(world, 5)
    outbox = Outbox(store, [Effect(kind=NOTE, carry_out=desk.send, together=together)])

    told = outbox.run()

    assert (told.done, told.failed, sorted(desk.sent)) == (5, 0, sorted(ids))
    assert outbox.run().done == 0
    assert world.value("SELECT count(*) FROM sentra.outbox WHERE kind = %s AND done_at IS NULL", NOTE) == 0


@pytest.mark.parametrize("together", [True, False])
def test_one_bad_row_stops_no_other_and_says_why(
    world: World, store: PostgresStore, together: bool, caplog: pytest.LogCaptureFixture
) -> None:
    desk, ids = Desk(), put(world, 5)
    desk.bad[ids[1]] = ValueError("no such number")
    outbox = Outbox(store, [Effect(kind=NOTE, carry_out=desk.send, together=together)])

    told = outbox.run()

    assert (told.done, told.failed, told.problem) == (4, 1, "ValueError: no such number")
    assert sorted(desk.sent) == sorted(set(ids) - {ids[1]})
    assert world.rows(
        "SELECT id::text, attempts, error FROM sentra.outbox WHERE kind = %s AND done_at IS NULL", NOTE
    ) == [(ids[1], 1, "ValueError: no such number")]
    desk.bad.clear()
    world.after(seconds=5)
    assert outbox.run().done == 1
    assert sorted(desk.sent) == sorted(ids)
    assert "failed" in caplog.text


def test_an_index_that_is_away_puts_everything_off_and_blames_no_row(world: World, store: PostgresStore) -> None:
    ids = put(world, 3)

    def away(_rows: Sequence[OutboxRow]) -> None:
        raise IndexUnreachable("known to be down")

    told = Outbox(store, [Effect(kind=NOTE, carry_out=away, together=True)]).run()

    assert (told.done, told.failed) == (0, 3)
    assert world.rows("SELECT DISTINCT attempts, error FROM sentra.outbox WHERE id = ANY (%s::uuid[])", ids) == [
        (1, "known to be down")
    ]


def test_a_database_that_is_away_leaves_the_rows_to_their_leases(world: World, store: PostgresStore) -> None:
    put(world, 1)

    def cut(_rows: Sequence[OutboxRow]) -> None:
        raise Refusal(RefusalCode.UNREACHABLE, next=(), reason="database")

    with pytest.raises(Refusal):
        Outbox(store, [Effect(kind=NOTE, carry_out=cut)]).run()

    desk = Desk()
    later = Outbox(store, [Effect(kind=NOTE, carry_out=desk.send)])
    assert later.run().done == 0
    world.after(seconds=30)
    assert later.run().done == 1


def test_other_kinds_are_left_to_their_own_worker(world: World, store: PostgresStore) -> None:
    put(world, 2, "printer")

    assert Outbox(store, [Effect(kind=NOTE, carry_out=Desk().send)]).run().done == 0


def test_asked_to_stop_it_begins_no_further_effect(world: World, store: PostgresStore) -> None:
    desk = Desk()
    put(world, 5)

    told = Outbox(store, [Effect(kind=NOTE, carry_out=desk.send)]).run(lambda: len(desk.sent) == 2)

    assert told.done == 2


def test_two_services_at_once_carry_each_effect_out_once(world: World) -> None:
    ids = put(world, 30)
    desk = Desk()

    def service() -> Callable[[], int]:
        outbox = Outbox(world.service().store, [Effect(kind=NOTE, carry_out=desk.send)])
        return lambda: outbox.run().done + outbox.run().done

    found = at_once(service(), service())

    assert sum(found.results) == 30
    assert sorted(desk.sent) == sorted(ids)


WORKER = """
import sys, time
from app.adapters.postgres.store import PostgresStore
from app.usecases.outbox import Effect, Outbox

def send(rows):
    for row in rows:
        with open(sys.argv[2], "a") as desk:
            desk.write(row.id + "\\n")
    print("carried out, not recorded", flush=True)
    time.sleep(600)

Outbox(PostgresStore(sys.argv[1], counter="service"), [Effect(kind="note", carry_out=send)]).run()
"""


def test_r62_a_worker_killed_before_it_recorded_its_effect_is_taken_over_after_the_lease(
    world: World, store: PostgresStore, processes: Processes, tmp_path: Path
) -> None:
    (only,) = put(world, 1)
    outside = tmp_path / "outside.txt"
    worker = processes.script(WORKER, world.service_url, str(outside))
    assert worker.line(within=30) == "carried out, not recorded"
    worker.kill()
    desk = Desk()
    outbox = Outbox(store, [Effect(kind=NOTE, carry_out=desk.send)])

    assert outbox.run().done == 0, "its lease still runs"
    world.after(seconds=30)
    assert outbox.run().done == 1

    # At least once: the same id both times is what lets the outside recognise the second.
    assert (desk.sent, outside.read_text("utf-8").split()) == ([only], [only])
    assert world.value("SELECT attempts FROM sentra.outbox WHERE id = %s", only) == 2


def test_projections_of_a_retired_unit_that_were_given_up_are_tried_again_not_closed(world: World) -> None:
    world.book(world.counter("ayu"), days("2027-03-10"))
    world.catch_up()
    row = f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,{AVANZAS[2]},B 1202 XYZ,1000,RETIRED\n"
    assert world.counter("maya", redis_url=None).fleet.import_fleet((HEADING + row).encode()).refusals == ()
    world.do("UPDATE sentra.outbox SET attempts = 12, given_up_at = sentra.now() WHERE done_at IS NULL")
    world.after(minutes=5)
    service = world.service()

    service.reconcile.run()
    assert world.value("SELECT count(*) FROM sentra.outbox WHERE done_at IS NULL AND given_up_at IS NULL") == 1
    assert service.sweeps.outbox().done == 1

    world.assert_sound()
