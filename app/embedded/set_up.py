"""Preparing a data folder's database: schema, the service's login, the demo in a fresh folder, a whole index."""

from __future__ import annotations

import json
import logging
import os
import secrets
from pathlib import Path

from app.bootstrap import Installation, ServiceParts, open_service
from app.domain.errors import Refusal
from app.embedded import demo, demo_customers
from app.settings import Settings
from app.usecases.index_port import IndexUnreachable

log = logging.getLogger(__name__)

SECRETS_FILE = "secrets.json"


def prepare(*, owner_url: str, redis_url: str | None, data_dir: str, driven_clock: bool) -> dict[str, object]:
    """As `bootstrap.prepare_embedded` promises."""
    settings = Settings(
        database_url=owner_url, redis_url=redis_url, redlock_urls=None, counter_name="demo", role_prefix="sentra"
    )
    place = Installation(settings)
    place.migrate()
    place.seal_cluster()
    if driven_clock:
        place.drive_clock()
    demo.fill(place, settings, keep_clock=driven_clock)
    branch = demo.BRANCHES[0][0]
    service = place.service_url(demo.SERVICE_LOGIN, branch, _service_password(Path(data_dir)))
    service_settings = settings.model_copy(update={"database_url": service, "data_dir": Path(data_dir)})
    parts = open_service(service_settings)
    try:
        _make_index_whole(parts)
        _fill_register(settings, parts)
    finally:
        parts.close()
    return {
        "service_database_url": service,
        "branch": branch,
        "staff": [
            {
                "login": login,
                "name": name,
                "password": demo.demo_password(login),
                "roles": sorted(role.value for role in roles),
                "branch": at,
                "database_url": place.person_url(login, demo.demo_password(login)),
            }
            for login, name, at, roles in demo.STAFF
        ],
    }


def _service_password(data_dir: Path) -> str:
    """The service's password of this data folder, made once and kept readable for its owner only."""
    path = data_dir / SECRETS_FILE
    if path.is_file():
        return str(json.loads(path.read_text(encoding="utf-8"))["service_password"])
    password = secrets.token_urlsafe(24)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"service_password": password}, file)
    return password


def _fill_register(settings: Settings, service: ServiceParts) -> None:
    """Identity numbers are sealed with the service's key, so it is published first."""
    try:
        service.identity.publish()
        demo_customers.fill(settings)
        service.identity.read_new()
    except Refusal as no:
        log.error("the register cannot hold identity numbers now: %s", no)


def _make_index_whole(service: ServiceParts) -> None:
    try:
        done = service.reconcile.run()
        # The demo's history left its outside effects of days ago; what they ask for has just been done.
        while service.sweeps.outbox().done:
            continue
        log.info("index compared: %d unit-months, %d units repaired", done.compared, done.repaired)
    except IndexUnreachable as away:
        log.warning("the index is away, the calendar comes from the database: %s", away)
