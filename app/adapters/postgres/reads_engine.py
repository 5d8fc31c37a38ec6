"""Reads of what the engine tells of itself, and of how far the slots of each SKU go."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.rows import moment
from app.usecases.engine_rows import SERVICE_SILENT_SECONDS, DriftRecord, EngineState, FoundBy, OutboxState
from app.usecases.odd_keys import SkuSlots

# Of several services the one that gets on best speaks: another's trouble takes nothing from what this one does.
_STATE = text(f"""
    SELECT sentra.now() AS now, b.beat_at, b.trouble, d.found_at, d.found_by, d.units, d.findings, d.kinds, d.repaired
    FROM (SELECT 1) AS one
    LEFT JOIN LATERAL (
        SELECT x.beat_at, x.trouble FROM sentra.service_beat x
        ORDER BY x.beat_at >= sentra.now() - interval '{SERVICE_SILENT_SECONDS} seconds' DESC,
                 'expire' = ANY (string_to_array(x.trouble, ', ')), x.trouble <> '', x.beat_at DESC
        LIMIT 1) b ON true
    LEFT JOIN LATERAL (SELECT * FROM sentra.drift x ORDER BY x.id DESC LIMIT 1) d ON true""")

_OUTBOX = text("""
    SELECT o.kind, count(*) FILTER (WHERE o.given_up_at IS NULL) AS waiting,
           count(*) FILTER (WHERE o.given_up_at IS NOT NULL) AS given_up,
           coalesce((array_agg(o.error ORDER BY o.given_up_at DESC NULLS LAST, o.not_before DESC)
               FILTER (WHERE o.error IS NOT NULL))[1], '') AS error
    FROM sentra.outbox o WHERE o.done_at IS NULL GROUP BY o.kind ORDER BY o.kind""")

_SLOTS = text("""
    SELECT k.id, k.next_slot, ARRAY(SELECT u.slot FROM sentra.unit u WHERE u.sku_id = k.id) AS given
    FROM sentra.sku k""")


def engine_state(ask: Ask) -> EngineState:
    """The clock, the beat of the service that gets on best, the last drift on record; one snapshot."""
    row = ask.rows(_STATE)[0]
    drift = None
    if row["found_at"] is not None:
        drift = DriftRecord(
            found_at=moment(row["found_at"]),
            found_by=FoundBy(row["found_by"]),
            units=row["units"],
            findings=row["findings"],
            kinds=dict(row["kinds"]),
            repaired=row["repaired"],
        )
    return EngineState(
        now=moment(row["now"]),
        service_beat_at=None if row["beat_at"] is None else moment(row["beat_at"]),
        service_trouble=row["trouble"] or "",
        drift=drift,
    )


def outbox_state(ask: Ask) -> tuple[OutboxState, ...]:
    """What is not done, by kind."""
    return tuple(
        OutboxState(kind=row["kind"], waiting=row["waiting"], given_up=row["given_up"], error=row["error"])
        for row in ask.rows(_OUTBOX)
    )


def sku_slots(ask: Ask) -> Mapping[str, SkuSlots]:
    """By SKU, the slots of its units (retired ones too) and the first one that was never given out."""
    return {
        row["id"]: SkuSlots(next_slot=row["next_slot"], at_home=frozenset(row["given"])) for row in ask.rows(_SLOTS)
    }
