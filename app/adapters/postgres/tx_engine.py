"""Writes of the engine about itself: a service's beat, drift found, effects retried."""

from __future__ import annotations

import datetime as dt

from app.adapters.postgres.tx_call import Call, as_json
from app.usecases.engine_rows import NewDrift
from app.usecases.rows import OutboxRow


def beat_service(call: Call, instance: str, trouble: str) -> None:
    """Tell everybody that this service works at this moment."""
    call.ask("SELECT sentra.beat_service(%s, %s)", instance, trouble)


def end_service(call: Call, instance: str) -> None:
    """Tell everybody that this service has ended in order."""
    call.ask("SELECT sentra.end_service(%s)", instance)


def record_drift(call: Call, found: NewDrift) -> None:
    told = {
        "found_by": found.found_by.value,
        "units": found.units,
        "findings": found.findings,
        "kinds": dict(found.kinds),
        "repaired": found.repaired,
    }
    call.ask("SELECT sentra.record_drift(%s)", as_json(told))


def retry_outbox(call: Call, row: OutboxRow, error: str) -> bool:
    """False when the lease of this try is no longer the row's."""
    return bool(call.ask("SELECT sentra.retry_outbox(%s, %s, %s)", row.id, row.attempts, error))


def finish_projections(call: Call, compared_from: dt.datetime) -> int:
    return int(call.ask("SELECT sentra.finish_projections(%s)", compared_from))


def retry_given_up(call: Call) -> int:
    return int(call.ask("SELECT sentra.retry_given_up()"))
