"""The service's jobs: each at its own pace, one that fails stops no other, health and metrics say how it goes."""

import threading
from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from app.domain.errors import Refusal, RefusalCode
from app.service.http import make_app
from app.service.jobs import Job, JobLoop, jobs_of, pause_after
from app.usecases.index_port import IndexUnreachable
from app.usecases.sweeps import JobResult
from tests.support.waiting import eventually
from tests.support.world import AVANZA, World, days

pytest_plugins = ("tests.support.world_fixtures",)


def job(name: str, run: Callable[[], int], every: float = 0.01) -> Job:
    return Job(name=name, every=every, run=lambda _stop: JobResult(job=name, done=run(), failed=0))


def failing(error: Exception) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


@pytest.mark.parametrize(
    "error",
    [
        Refusal(RefusalCode.UNREACHABLE, next=(), reason="database"),
        IndexUnreachable("redis is away"),
        ValueError("a mistake of ours"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_job_that_fails_is_tried_again_and_stops_no_other(error: Exception) -> None:
    jobs = {"bad": job("bad", failing(error)), "good": job("good", lambda: 1)}
    loop = JobLoop(jobs)
    loop.start()
    try:
        eventually(lambda: loop.records["good"].done >= 5 and loop.records["bad"].failures >= 1)
    finally:
        loop.stop()
    bad, good = loop.records["bad"], loop.records["good"]
    assert str(error) in bad.last_error
    assert (bad.done, good.failures, good.last_error) == (0, 0, "")
    done = good.done
    assert loop.records["good"].done == done, "nothing runs after the stop"


def test_a_job_recovers_and_forgets_its_error() -> None:
    left = iter([ValueError("once"), None])

    def run() -> int:
        if (error := next(left, None)) is not None:
            raise error
        return 1

    loop = JobLoop({"job": job("job", run)})
    assert loop.pass_once(job("job", run)) is False
    assert loop.pass_once(job("job", run)) is True
    record = loop.records["job"]
    assert (record.passes, record.done, record.failures, record.last_error) == (2, 1, 1, "")


@pytest.mark.parametrize(
    ("every", "pauses"), [(2.0, [4.0, 5.0, 5.0]), (0.1, [1.0, 2.0, 4.0, 5.0]), (300.0, [5.0, 5.0])]
)
def test_after_failures_a_job_is_tried_again_within_seconds_however_long_they_last(
    every: float, pauses: list[float]
) -> None:
    failing_job = job("bad", lambda: 0, every=every)
    found, pause = [], every
    for _ in pauses:
        pause = pause_after(failing_job, pause, went_well=False)
        found.append(pause)
    assert found == pauses
    assert pause_after(failing_job, pause, went_well=True) == every


def test_a_stop_lets_the_running_pass_end() -> None:
    began, go_on = threading.Event(), threading.Event()
    finished = []

    def slow(stop: Callable[[], bool]) -> JobResult:
        began.set()
        go_on.wait(10)
        finished.append(stop())
        return JobResult(job="slow", done=1, failed=0)

    loop = JobLoop({"slow": Job(name="slow", every=60, run=slow)})
    loop.start()
    assert began.wait(10)
    threading.Timer(0.1, go_on.set).start()
    loop.stop()
    assert finished == [True], "it was told to stop, and ended by itself"
    assert loop.records["slow"].done == 1


def test_the_loop_expires_tells_the_index_and_heals_it(world: World) -> None:
    world.book(world.counter("ayu"), days("2027-03-10"))
    world.book(world.counter("ayu", redis_url=None), days("2027-03-12"))
    parts = world.service()
    loop = JobLoop(jobs_of(parts))
    assert {"expire", "outbox", "gateway", "identity", "overdue", "heal", "reconcile", "retention"} == set(loop.records)
    loop.start()
    try:
        world.after(minutes=15)
        eventually(lambda: loop.records["expire"].done == 2, within=10)
        with world.redis() as client:
            client.flushall()
        world.database.clock.run_from(world.now())
        siti = world.counter("siti")
        booked = world.book(siti, days("2027-03-20"))
        eventually(lambda: world.bits(AVANZA, "202703") == [20], within=10)
        eventually(lambda: world.doctor().ok, within=10, what="the index is whole again")
        assert booked.bookings[0].unit_id == AVANZA
    finally:
        loop.stop()
    assert not any(record.last_error for record in loop.records.values())


def _answer(app: Starlette, path: str) -> tuple[int, str]:
    (route,) = [route for route in app.routes if isinstance(route, Route) and route.path == path]
    response = route.endpoint(Request({"type": "http", "method": "GET", "path": path, "headers": []}))
    return response.status_code, bytes(response.body).decode()


def test_health_is_503_while_the_database_is_away_and_names_waiting_jobs() -> None:
    loop = JobLoop({"bad": job("bad", failing(ValueError("a mistake"))), "good": job("good", lambda: 3)})
    loop.pass_once(job("bad", failing(ValueError("a mistake"))))
    loop.pass_once(job("good", lambda: 3))
    answers = [True, False]
    app = make_app(loop.records, lambda: answers.pop(0))
    assert _answer(app, "/healthz") == (200, '{"ok":true,"database":true,"waiting":{"bad":"ValueError: a mistake"}}')
    assert _answer(app, "/healthz")[0] == 503
    status, body = _answer(app, "/metrics")
    assert status == 200
    assert 'sentra_job_done_total{job="good"} 3' in body.splitlines()
    assert 'sentra_job_failures_total{job="bad"} 1' in body.splitlines()


def test_single_rows_in_trouble_are_shown_and_keep_the_jobs_pace() -> None:
    answers = iter(
        [
            JobResult(job="expire", done=3, failed=1, problem="1 orders cannot expire, x: a bad row"),
            JobResult(job="expire", done=0, failed=0, problem="1 orders cannot expire, x: a bad row"),
            JobResult(job="expire", done=1, failed=0),
        ]
    )
    expire = Job(name="expire", every=2.0, run=lambda _stop: next(answers))
    loop = JobLoop({"expire": expire})
    app = make_app(loop.records, lambda: True)
    for shown in (True, True, False):
        assert loop.pass_once(expire) is True, "the others are not kept waiting"
        assert ("a bad row" in _answer(app, "/healthz")[1]) is shown
    record = loop.records["expire"]
    assert (record.done, record.failures, record.last_error) == (4, 1, "")
