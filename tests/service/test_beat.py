"""The service's heartbeat: everybody sees that somebody sweeps, which job is stuck, and when a service has ended."""

from __future__ import annotations

import pytest

from app.domain.errors import Refusal
from app.service.beat import ServiceBeat
from app.service.jobs import Job, JobLoop, jobs_of
from app.usecases.engine_rows import SERVICE_SILENT_SECONDS
from app.usecases.index_port import IndexUnreachable
from app.usecases.sweeps import JobResult
from tests.service.test_process import SERVICE, environment
from tests.support.processes import Processes
from tests.support.waiting import eventually
from tests.support.world import World

pytest_plugins = ("tests.support.world_fixtures",)


class Clock:
    """Steady seconds in the test's hand."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def loop_over(beat: ServiceBeat, clock: Clock, *jobs: Job) -> JobLoop:
    by_name = {job.name: job for job in jobs}
    loop = JobLoop(by_name, clock)
    beat.watch(by_name, loop.records)
    return loop


def fine(name: str = "expire", every: float = 2.0) -> Job:
    return Job(name=name, every=every, run=lambda _stop: JobResult(job=name, done=0, failed=0))


@pytest.mark.parametrize("login", ["ayu", "dedi", "budi", "maya", "rahmat"])
def test_every_counter_of_every_branch_sees_whether_a_service_runs(world: World, login: str) -> None:
    counter = world.counter(login)
    assert not counter.store.read.engine_state().service_runs, "nobody has ever beaten"
    beat = ServiceBeat(world.service().store)
    beat.beat()

    state = counter.store.read.engine_state()

    assert (state.service_runs, state.somebody_sweeps, state.service_beat_at) == (True, True, world.now())
    world.after(seconds=SERVICE_SILENT_SECONDS)
    assert counter.store.read.engine_state().service_runs
    world.after(seconds=1)
    assert not counter.store.read.engine_state().service_runs
    beat.beat()
    assert counter.store.read.engine_state().service_runs, "it heals by itself"


def test_an_orderly_end_is_seen_at_once_and_another_service_goes_on(world: World) -> None:
    first, second = ServiceBeat(world.service().store), ServiceBeat(world.service().store)
    second.instance = "other-host/1"
    counter = world.counter("ayu")
    first.beat()
    second.beat()

    first.end()
    assert counter.store.read.engine_state().service_runs
    second.end()
    assert not counter.store.read.engine_state().service_runs


def test_a_sweep_that_fails_is_told_and_other_jobs_do_not_alarm_the_counters(world: World) -> None:
    clock = Clock()
    beat = ServiceBeat(world.service().store, clock)

    def away(_stop: object) -> JobResult:
        raise IndexUnreachable("known to be down")

    heal = Job(name="heal", every=1.0, run=away)
    loop = loop_over(beat, clock, fine(), heal)
    for job in (fine(), heal):
        loop.pass_once(job)
    beat.beat()

    state = world.counter("ayu").store.read.engine_state()
    assert (state.service_trouble, state.somebody_sweeps) == ("heal", True)


def test_a_thread_that_hangs_is_seen_although_the_beat_goes_on(world: World) -> None:
    clock = Clock()
    beat = ServiceBeat(world.service().store, clock)
    loop = loop_over(beat, clock, fine(), fine("reconcile", 300.0))
    clock.now += 32
    assert beat.in_trouble() == [], "both have until their pace and half a minute more"
    clock.now += 1
    assert beat.in_trouble() == ["expire"], "it never ended a pass"
    loop.pass_once(fine())
    assert beat.in_trouble() == []
    clock.now += 33
    beat.beat()

    state = world.counter("siti").store.read.engine_state()

    assert (state.service_runs, state.somebody_sweeps, state.service_trouble) == (True, False, "expire")


@pytest.mark.parametrize("trouble", ["expire", "heal"])
def test_while_one_of_two_services_gets_on_the_others_trouble_is_nobodys(world: World, trouble: str) -> None:
    store = world.service().store
    told = []
    for _ in range(2):
        for instance, its_trouble in (("a/1", trouble), ("b/1", "")):
            store.transact(lambda tx, name=instance, said=its_trouble: tx.beat_service(name, said))  # type: ignore[misc]
            state = world.counter("siti").store.read.engine_state()
            told.append((state.somebody_sweeps, state.service_trouble))
            world.after(seconds=1)

    assert told == [(trouble == "heal", trouble), (True, ""), (True, ""), (True, "")]


def test_a_service_that_fell_silent_does_not_speak_for_one_in_trouble(world: World) -> None:
    store = world.service().store
    store.transact(lambda tx: tx.beat_service("a/1", ""))
    world.after(seconds=16)
    store.transact(lambda tx: tx.beat_service("b/1", "expire"))

    state = world.counter("siti").store.read.engine_state()

    assert (state.service_runs, state.somebody_sweeps) == (True, False)


def test_a_killed_services_row_is_gone_after_a_day(world: World) -> None:
    killed = ServiceBeat(world.service().store)
    killed.instance = "old-host/1"
    killed.beat()
    world.after(days=1, seconds=1)

    ServiceBeat(world.service().store).beat()

    assert world.value("SELECT count(*) FROM sentra.service_beat") == 1


def test_the_beat_waits_for_a_database_that_is_away(world: World) -> None:
    beat = ServiceBeat(world.service().store)
    loop = JobLoop({"beat": beat.job()})
    role = f"{world.database.prefix}_svc"
    world.do(f'ALTER ROLE "{role}" NOLOGIN')
    world.do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", role)

    assert loop.pass_once(beat.job()) is False
    beat.end()

    world.do(f'ALTER ROLE "{role}" LOGIN')
    assert loop.pass_once(beat.job()) is True


def test_only_a_service_beats(world: World) -> None:
    with pytest.raises(Refusal):
        ServiceBeat(world.counter("maya").store).beat()


def test_a_running_service_is_seen_its_kill_too_and_the_next_one_again(world: World, processes: Processes) -> None:
    counter = world.counter("ayu")
    service = processes.module(SERVICE, env=environment(world))
    eventually(lambda: counter.store.read.engine_state().somebody_sweeps, within=30)
    service.kill()
    world.after(seconds=SERVICE_SILENT_SECONDS + 1)
    assert not counter.store.read.engine_state().service_runs

    again = processes.module(SERVICE, env=environment(world))
    eventually(lambda: counter.store.read.engine_state().somebody_sweeps, within=30)
    again.terminate()
    assert again.wait(within=20) == 0
    assert not counter.store.read.engine_state().service_runs, "it said goodbye"


def test_every_job_of_the_service_is_watched(world: World) -> None:
    parts = world.service()
    beat = ServiceBeat(parts.store)
    jobs = {"beat": beat.job(), **jobs_of(parts)}
    beat.watch(jobs, JobLoop(jobs).records)

    assert beat.in_trouble() == []
    assert beat.job().every < SERVICE_SILENT_SECONDS / 3
