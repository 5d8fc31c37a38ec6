"""`sentra-service` as a process: one job once, orderly stop, and what it says when a server is away."""

import json
import os
import signal
import urllib.request

import pytest

from app.embedded.redis_server import free_port
from tests.support.processes import Processes, RunningProcess
from tests.support.waiting import eventually
from tests.support.world import AVANZA, World, days

pytest_plugins = ("tests.support.world_fixtures",)

SERVICE = "app.service.main"


def environment(world: World, **more: str) -> dict[str, str]:
    return {**world.environment(), "DATABASE_URL": world.service_url, "SENTRA_SERVICE_URL": "", **more}


def test_once_runs_one_job_prints_one_line_and_ends(world: World, processes: Processes) -> None:
    world.book(world.counter("ayu"), days("2027-03-10"))
    world.book(world.counter("ayu", redis_url=None), days("2027-03-12"))
    world.after(minutes=16)
    expected = {"expire": 2, "outbox": 4, "reconcile": 0, "retention": 0, "gateway": 0}
    for job, done in expected.items():
        if job == "outbox":
            world.after(seconds=6)
        ran = processes.module(SERVICE, "--once", job, env=environment(world))
        assert ran.json_line() == {"job": job, "done": done, "failed": 0}
        assert ran.wait() == 0
    assert world.bits(AVANZA, "202703") == []
    world.assert_sound()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_running_service_answers_for_its_health_and_stops_in_order(
    world: World, processes: Processes, number: signal.Signals
) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    service = processes.module(SERVICE, env=environment(world, SENTRA_SERVICE_URL=url))
    health = eventually(lambda: _healthy(url, service), within=30)
    assert health["ok"] is True
    with urllib.request.urlopen(f"{url}/metrics") as answer:
        assert b'sentra_job_passes_total{job="expire"}' in answer.read()
    world.book(world.counter("ayu"), days("2027-03-10"))
    world.after(minutes=15)
    eventually(lambda: world.bits(AVANZA, "202703") == [], within=10)
    os.kill(service.pid, number)
    assert service.wait(within=20) == 0
    assert "Traceback" not in service.errors


def _healthy(url: str, service: RunningProcess) -> dict[str, object]:
    assert service.returncode is None, service.errors
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            found: dict[str, object] = json.loads(answer.read())
    except OSError as error:
        raise AssertionError(f"not yet: {error}") from None
    return found


@pytest.mark.parametrize(
    ("arguments", "changed", "code"),
    [
        (("--once", "expire"), {"DATABASE_URL": "postgresql://x:y@127.0.0.1:1/sentra"}, 4),
        (("--once", "reconcile"), {"REDIS_URL": "redis://127.0.0.1:1/0"}, 4),
        (("--once", "outbox"), {"REDIS_URL": "redis://127.0.0.1:1/0"}, 0),
        (("--once", "everything"), {}, 2),
        (("--once", "expire"), {"SENTRA_LANG": "fr"}, 2),
    ],
)
def test_what_cannot_run_ends_with_its_code_and_no_traceback(
    world: World, processes: Processes, arguments: tuple[str, ...], changed: dict[str, str], code: int
) -> None:
    ran = processes.module(SERVICE, *arguments, env=environment(world, **changed))
    assert ran.wait() == code, ran.errors
    assert "Traceback" not in ran.errors
    assert ran.errors or code == 0
