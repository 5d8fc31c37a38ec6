"""The service's own heartbeat: counters see by it that somebody ends what is not paid, and which job is stuck."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

from app.domain.errors import Refusal
from app.service.jobs import Job, JobRecord
from app.usecases.ports import Store
from app.usecases.sweeps import JobResult

log = logging.getLogger(__name__)

BEAT_SECONDS = 2.0
STUCK_SECONDS = 30.0
"""A pass that lasts longer beyond its pace hangs: a thread that beats does not prove that another one sweeps."""


class ServiceBeat:
    """Writes one row per running service. `watch` names whose jobs it speaks for."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._jobs: Mapping[str, Job] = {}
        self._records: Mapping[str, JobRecord] = {}
        self._watched_since = clock()
        self.instance = f"{socket.gethostname()}/{os.getpid()}"[:100]

    def watch(self, jobs: Mapping[str, Job], records: Mapping[str, JobRecord]) -> None:
        """Speak for these jobs from now on."""
        self._jobs, self._records = jobs, records
        self._watched_since = self._clock()

    def job(self) -> Job:
        """The beat as a job like the others."""
        return Job(name="beat", every=BEAT_SECONDS, run=lambda _stop: self.beat())

    def beat(self) -> JobResult:
        """Tell that this service works, and which of its jobs do not. Raises Refusal when PostgreSQL is away."""
        told = ", ".join(self.in_trouble())
        self._store.transact(lambda tx: tx.beat_service(self.instance, told))
        return JobResult(job="beat", done=0, failed=0)

    def in_trouble(self) -> list[str]:
        """Names of jobs whose last pass failed, or which have not ended one for too long."""
        now = self._clock()
        return [
            name
            for name, record in self._records.items()
            if name != "beat"
            and (
                record.failing
                or now - (record.ended_at or self._watched_since) > self._jobs[name].every + STUCK_SECONDS
            )
        ]

    def end(self) -> None:
        """Tell that this service has ended; quiet when nobody can be told, its silence says it then."""
        try:
            self._store.transact(lambda tx: tx.end_service(self.instance))
        except Refusal as away:
            log.info("nobody was told that this service ended: %s", away)
