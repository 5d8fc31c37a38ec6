"""Drift is on record: when, how many units, which kinds; and what was given up is closed by a whole comparison."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from app.usecases.doctor import Doctor
from app.usecases.engine_rows import DriftRecord, FoundBy
from tests.support.databases import ScratchDatabase
from tests.support.redis_nodes import RedisNode
from tests.usecases.index_rig import MAR, NOW, IndexRig, open_index_rig


@pytest.fixture
def rig(database: ScratchDatabase, redis_url: str) -> Iterator[IndexRig]:
    with open_index_rig(database, redis_url) as made:
        made.reconcile().run()
        yield made


def last(rig: IndexRig) -> DriftRecord | None:
    return rig.store.read.engine_state().drift


def test_a_sound_index_and_one_that_was_lost_leave_no_record(rig: IndexRig) -> None:
    rig.reconcile().run()
    rig.redis.flushall()
    assert rig.reconcile().run().built == 4
    Doctor(rig.store, rig.index, pause=lambda _: None).examine()

    assert last(rig) is None


def test_the_reconciler_records_units_findings_and_kinds(rig: IndexRig) -> None:
    rig.redis.setbit(rig.key("avz-001"), 12, 0)
    rig.redis.setbit(rig.key("avz-002"), 3, 1)
    rig.redis.setrange(f"apack:AVZ:{MAR}", 4, b"\x00\x00\x00\x00")
    rig.redis.hset("aver:AVZ", "3", "9")

    rig.reconcile().run()

    assert last(rig) == DriftRecord(
        found_at=NOW,
        found_by=FoundBy.RECONCILE,
        units=3,
        findings=4,
        kinds={"key": 2, "packed": 1, "version": 1},
        repaired=4,
    )


@pytest.mark.parametrize(("repair", "repaired"), [(False, 0), (True, 1)])
def test_the_doctor_records_what_it_found_and_mended(rig: IndexRig, repair: bool, repaired: int) -> None:
    rig.redis.setbit(rig.key("avz-001"), 12, 0)

    Doctor(rig.store, rig.index, pause=lambda _: None).examine(repair)

    found = last(rig)
    assert found is not None
    assert (found.found_by, found.units, found.findings, found.repaired) == (FoundBy.DOCTOR, 1, 1, repaired)


def test_an_index_that_is_away_is_no_drift(database: ScratchDatabase, redis_node: RedisNode) -> None:
    with open_index_rig(database, redis_node.url) as rig:
        redis_node.kill()
        report = Doctor(rig.store, rig.index, pause=lambda _: None).examine()

        assert [item.invariant for item in report.breaks] == ["INDEX"]
        assert last(rig) is None


def test_the_newest_record_is_shown_and_those_of_last_season_go(rig: IndexRig) -> None:
    rig.rig.owner.execute(
        "INSERT INTO sentra.drift (found_at, found_by, units, findings, kinds, repaired)"
        " VALUES (sentra.now() - interval '91 days', 'reconcile', 9, 9, '{}', 9)"
    )
    rig.redis.setbit(rig.key("avz-001"), 12, 0)
    rig.reconcile().run()

    assert rig.rig.owner.execute("SELECT count(*) FROM sentra.drift").fetchone() == (1,)


def test_projections_given_up_while_redis_was_away_are_closed_when_it_is_back(rig: IndexRig) -> None:
    rig.rig.owner.execute(
        "INSERT INTO sentra.outbox (kind, payload, attempts, given_up_at) VALUES"
        " ('project_units', '{\"unit_ids\": [\"avz-001\"]}', 12, sentra.now()), ('whatsapp', '{}', 12, sentra.now())"
    )
    rig.rig.database.clock.advance(dt.timedelta(minutes=50))
    rig.redis.flushall()

    rig.reconcile().heal_if_needed()

    assert rig.rig.owner.execute("SELECT kind FROM sentra.outbox WHERE done_at IS NULL").fetchall() == [("whatsapp",)]
    assert [(item.kind, item.waiting, item.given_up) for item in rig.store.read.outbox_state()] == [("whatsapp", 0, 1)]
