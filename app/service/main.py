"""`sentra-service`: the headless service. Runs its jobs until it is asked to stop, or one of them once."""

from __future__ import annotations

import argparse
import json
import logging
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from urllib.parse import urlsplit

from app.bootstrap import ServiceParts, open_service
from app.domain.errors import Refusal
from app.gateway_parts import refuse_simulation
from app.gateway_settings import load_gateway_settings
from app.logs import log_to
from app.service.beat import ServiceBeat
from app.service.http import HttpServer, make_app
from app.service.jobs import JobLoop, jobs_of
from app.settings import SettingsInvalid, load_settings
from app.usecases.index_port import IndexUnreachable

log = logging.getLogger("app.service")

DONE, FINDING, USAGE, UNREACHABLE = 0, 1, 2, 4
ONCE = ("expire", "reconcile", "outbox", "retention", "gateway")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 0 after an orderly stop or a job without failures, 1 with failures, 2 usage, 4 no server answers."""
    parser = argparse.ArgumentParser(prog="sentra-service", description=__doc__)
    parser.add_argument("--once", choices=ONCE, help="run one job once, print its result as one JSON line, and end")
    given = parser.parse_args(arguments)
    log_to()
    try:
        settings = load_settings()
        gateway = load_gateway_settings()
        refuse_simulation(gateway, settings)
        parts = open_service(settings, gateway)
    except SettingsInvalid as no:
        parser.error(str(no))
    except Refusal as no:
        log.error("cannot start: %s; set DATABASE_URL or use the embedded default", no)
        return UNREACHABLE
    try:
        return _once(parts, given.once) if given.once else _serve(parts, settings.service_url)
    finally:
        parts.close()


def _once(parts: ServiceParts, name: str) -> int:
    try:
        result = jobs_of(parts)[name].run(lambda: False)
    except (Refusal, IndexUnreachable) as away:
        log.error("job %s: %s", name, away)
        return UNREACHABLE
    sys.stdout.write(json.dumps({"job": result.job, "done": result.done, "failed": result.failed}) + "\n")
    return FINDING if result.failed else DONE


def _serve(parts: ServiceParts, service_url: str | None) -> int:
    stopping = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopping.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    beat = ServiceBeat(parts.store)
    jobs = {"beat": beat.job(), **jobs_of(parts)}
    loop = JobLoop(jobs)
    beat.watch(jobs, loop.records)
    http = _http(parts, loop, service_url)
    loop.start()
    if http is not None:
        http.start()
    log.info("service running; %s", service_url or "no address for HTTP is set")
    stopping.wait()
    log.info("stopping: letting running passes end")
    if http is not None:
        http.stop()
    loop.stop()
    beat.end()
    return DONE


def _http(parts: ServiceParts, loop: JobLoop, service_url: str | None) -> HttpServer | None:
    if not service_url:
        return None
    address = urlsplit(service_url)

    def database_answers() -> bool:
        try:
            parts.store.read.now()
        except Refusal:
            return False
        return True

    app = make_app(loop.records, database_answers, parts.identity, parts.gateway)
    return HttpServer(app, address.hostname or "127.0.0.1", address.port or 8750)


if __name__ == "__main__":
    sys.exit(main())
