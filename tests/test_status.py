"""`sentra-admin status` and `outbox`: how the engine stands, for a person and for a script."""

from __future__ import annotations

import json

import pytest
import redis
from typer.testing import CliRunner

from app.admin import cli
from app.service.beat import ServiceBeat
from tests.support.redis_nodes import RedisNode
from tests.support.world import AVANZA, SKU, World

pytest_plugins = ("tests.support.world_fixtures",)


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    for name, value in world.environment().items():
        monkeypatch.setenv(name, value)
    return CliRunner()


def told(run: CliRunner, *arguments: str, code: int = 0) -> dict[str, object]:
    said = run.invoke(cli, [*arguments, "--json"])
    assert said.exit_code == code, said.output
    found: dict[str, object] = json.loads(said.stdout)
    return found


def test_status_tells_whether_somebody_sweeps(world: World, run: CliRunner) -> None:
    assert told(run, "status")["service"] == "not running"
    beat = ServiceBeat(world.service().store)
    beat.beat()
    assert told(run, "status")["service"] == "running"
    world.after(minutes=1)
    assert str(told(run, "status")["service"]).startswith("silent since 2027-03-01T")
    world.service().store.transact(lambda tx: tx.beat_service("x/1", "expire"))
    assert told(run, "status")["service"] == "in trouble: expire"


def test_status_tells_the_last_drift(world: World, run: CliRunner) -> None:
    assert told(run, "status")["drift"] is None
    with world.redis() as client:
        client.setbit(f"avail:{SKU}:{AVANZA}:202703", 4, 1)
    told(run, "doctor", "--repair")

    drift = told(run, "status")["drift"]
    assert isinstance(drift, dict)
    assert (drift["units"], drift["kinds"], drift["found_by"]) == (1, {"key": 1}, "doctor")


def test_what_was_given_up_is_shown_and_tried_again_when_asked(world: World, run: CliRunner) -> None:
    world.do(
        "INSERT INTO sentra.outbox (kind, payload, attempts, given_up_at, error)"
        " VALUES ('receipt', '{}', 12, sentra.now(), 'no paper')"
    )
    row = {"kind": "receipt", "waiting": 0, "given_up": 1, "error": "no paper"}
    assert told(run, "outbox", code=1) == {"outbox": [row], "retried": 0}
    assert told(run, "status")["outbox"] == [row]
    assert not told(run, "doctor", code=1)["ok"]

    assert told(run, "outbox", "--again")["retried"] == 1

    assert told(run, "doctor")["ok"] is True


def test_status_of_an_index_and_a_database_that_are_away(
    world: World, run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    assert told(run, "status")["index"] == "unreachable"
    monkeypatch.setenv("DATABASE_URL", "postgresql://x:y@127.0.0.1:1/sentra")
    found = told(run, "status", code=4)
    assert (found["database"], found["service"], found["outbox"]) == ("unreachable", None, None)


def test_the_counters_user_of_a_redis_of_ones_own_is_one_printed_line(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch, redis_node: RedisNode
) -> None:
    monkeypatch.setenv("SENTRA_NEW_PASSWORD", "kurang")
    assert run.invoke(cli, ["redis-acl"]).exit_code == 2
    monkeypatch.setenv("SENTRA_NEW_PASSWORD", "rahasia-kasir")
    said = run.invoke(cli, ["redis-acl"])
    assert (said.exit_code, "rahasia-kasir" in said.stdout) == (0, False)

    with redis.Redis.from_url(redis_node.url) as owner:
        user, name, *rules = said.stdout.split()
        assert (user, name) == ("user", "sentra_counter")
        owner.execute_command("ACL", "SETUSER", "typed_by_hand", *rules)
        url = redis_node.url.replace(redis_node.url.split("@")[0], "redis://typed_by_hand:rahasia-kasir")
        with redis.Redis.from_url(url) as counter:
            counter.set("avail:S:u:202703", b"\x00\x00\x00\x00")
            with pytest.raises(redis.exceptions.NoPermissionError):
                counter.flushall()
        owner.execute_command("ACL", "DELUSER", "typed_by_hand")
