"""How an installation stands: servers, schema, whether a service sweeps, the last drift, effects that wait."""

from __future__ import annotations

import logging

from app.domain.errors import Refusal
from app.index_parts import index_parts
from app.json_values import plain
from app.settings import Settings
from app.usecases.engine_rows import EngineState
from app.usecases.index_port import IndexUnreachable
from app.usecases.ports import Store

log = logging.getLogger(__name__)


def read_status(settings: Settings) -> dict[str, object]:
    """Plain values by name. What a server that is away, or an older schema, cannot tell is left None."""
    from app.adapters.postgres.migrate import head_revision, revision
    from app.adapters.postgres.owner_errors import owner_errors
    from app.adapters.postgres.store import PostgresStore

    url = settings.database_url or ""
    found: dict[str, object] = {
        "database": "ok",
        "schema": None,
        "program": head_revision(),
        "index": "ok",
        "service": None,
        "drift": None,
        "outbox": None,
    }
    store = PostgresStore(url, counter="status")
    try:
        store.read.now()
        with owner_errors():
            found["schema"] = revision(url)
        if found["schema"] == found["program"]:
            found |= _engine(store)
    except Refusal as away:
        log.warning("database: %s", away)
        found["database"] = "unreachable"
    finally:
        store.close()
    found["index"] = _index(settings)
    return found


def _engine(store: Store) -> dict[str, object]:
    state = store.read.engine_state()
    return {
        "service": _service(state),
        "drift": None if state.drift is None else plain(state.drift),
        "outbox": [plain(item) for item in store.read.outbox_state()],
    }


def _service(state: EngineState) -> str:
    if state.service_beat_at is None:
        return "not running"
    if not state.service_runs:
        return f"silent since {state.service_beat_at.isoformat(timespec='seconds')}"
    return f"in trouble: {state.service_trouble}" if state.service_trouble else "running"


def _index(settings: Settings) -> str:
    parts = index_parts(settings)
    try:
        parts.index.run_id()
    except IndexUnreachable as away:
        log.info("index: %s", away)
        return "not configured" if settings.redis_url is None else "unreachable"
    finally:
        parts.close()
    return "ok"
