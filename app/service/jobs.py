"""The service's jobs: each in a thread of its own, at its own pace; one that fails stops no other."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.bootstrap import ServiceParts
from app.domain.errors import Refusal
from app.usecases.gateway_withdrawn import WithdrawnGateway
from app.usecases.index_port import IndexUnreachable
from app.usecases.sweeps import JobResult
from app.usecases.waitlist_mirror import rebuild_mirror

log = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 5.0
"""After an outage deadlines and the index are served again within seconds, however long it lasted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A named pass and how many seconds lie between two of them."""

    name: str
    every: float
    run: Callable[[Callable[[], bool]], JobResult]


def jobs_of(parts: ServiceParts) -> Mapping[str, Job]:
    """Every job of this service by name, in the order they start."""

    def reconcile(_stop: Callable[[], bool]) -> JobResult:
        found = parts.reconcile.run()
        mirrored = rebuild_mirror(parts.store, parts.waitlist)
        return JobResult(job="reconcile", done=found.repaired + mirrored, failed=0)

    def heal(_stop: Callable[[], bool]) -> JobResult:
        healed = parts.reconcile.heal_if_needed()
        if healed is not None and healed.compared:  # at the start, and after a loss: the waitlist's mirror went too
            rebuild_mirror(parts.store, parts.waitlist)
        return JobResult(job="heal", done=0 if healed is None else healed.repaired, failed=0)

    jobs = (
        Job(name="expire", every=2.0, run=parts.sweeps.expire),
        Job(name="outbox", every=2.0, run=parts.sweeps.outbox),
        Job(name="gateway", every=2.0, run=(parts.gateway or WithdrawnGateway(parts.store)).pass_once),
        Job(name="identity", every=2.0, run=lambda _stop: parts.identity.read_new()),
        Job(name="overdue", every=20.0, run=parts.overdue.run),
        Job(name="heal", every=1.0, run=heal),
        Job(name="reconcile", every=300.0, run=reconcile),
        Job(name="retention", every=6 * 3600.0, run=lambda _stop: parts.sweeps.drop_past_months()),
    )
    return {job.name: job for job in jobs}


@dataclass(slots=True)
class JobRecord:
    """What `/metrics` and `/healthz` tell of one job."""

    passes: int = 0
    done: int = 0
    failures: int = 0
    last_error: str = ""
    failing: bool = False
    """Whether the last pass failed as a whole; single rows in trouble do not count."""
    ended_at: float = 0.0
    """When the last pass ended, well or not, on the steady clock; 0 before the first."""


class JobLoop:
    """Runs jobs until `stop()`; a pass that is under way is finished first."""

    def __init__(self, jobs: Mapping[str, Job], clock: Callable[[], float] = time.monotonic) -> None:
        self._jobs = jobs
        self._clock = clock
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self.records = {name: JobRecord() for name in jobs}

    def start(self) -> None:
        for job in self._jobs.values():
            thread = threading.Thread(target=self._repeat, args=(job,), name=f"job-{job.name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self, within: float = 20.0) -> None:
        """Let running passes end, for at most `within` seconds each."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(within)

    def _repeat(self, job: Job) -> None:
        pause = job.every
        while not self._stopping.is_set():
            pause = pause_after(job, pause, went_well=self.pass_once(job))
            self._stopping.wait(pause)

    def pass_once(self, job: Job) -> bool:
        """One pass; False after a failure, which is logged and tried again later, more slowly."""
        record = self.records[job.name]
        record.passes += 1
        went_well = self._pass(job, record)
        record.failing = not went_well
        record.ended_at = self._clock()
        return went_well

    def _pass(self, job: Job, record: JobRecord) -> bool:
        try:
            result = job.run(self._stopping.is_set)
        except (Refusal, IndexUnreachable) as away:
            record.failures += 1
            record.last_error = str(away)
            log.warning("job %s waits: %s", job.name, away)
            return False
        except Exception as problem:
            record.failures += 1
            record.last_error = f"{type(problem).__name__}: {problem}"
            log.exception("job %s failed", job.name)
            return False
        record.done += result.done
        record.failures += bool(result.failed)
        record.last_error = result.problem
        if result.done or result.failed:
            log.info("job %s: %d done, %d failed", job.name, result.done, result.failed)
        return not result.failed or bool(result.problem)


def pause_after(job: Job, pause: float, *, went_well: bool) -> float:
    """Seconds until the next pass: the job's own pace, or after failures a growing pause that stays short."""
    return job.every if went_well else min(max(2 * pause, 1.0), LONGEST_PAUSE_SECONDS)
