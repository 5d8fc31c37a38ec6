"""`sentra-admin status` and `outbox`: how the engine stands, for a person and for a script."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from app.admin import cli
from app.service.beat import ServiceBeat
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
