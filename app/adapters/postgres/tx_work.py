"""Fleet import, staff accounts and the outbox: calls and answers."""

from __future__ import annotations

from collections.abc import Sequence

from app.adapters.postgres.tx_call import Call, as_json
from app.usecases.rows import FleetOutcome, FleetRow, OutboxRow


def import_fleet(call: Call, rows: Sequence[FleetRow]) -> tuple[FleetOutcome, ...]:
    """Write good rows; each answers `added`, `changed`, `same`, or `refused` with column and reason."""
    told = call.ask("SELECT sentra.import_fleet(%s)", as_json([_row(row) for row in rows]))
    return tuple(
        FleetOutcome(
            line=item["line"],
            unit_id=item["unit_id"],
            outcome=item["outcome"],
            column=item.get("column", ""),
            reason=item.get("reason", ""),
        )
        for item in told
    )


def add_staff(call: Call, login: str, name: str, branch_code: str, roles: Sequence[str], verifier: str) -> None:
    """Make the LOGIN role and its staff row."""
    call.ask("SELECT sentra.add_staff(%s, %s, %s, %s::text[], %s)", login, name, branch_code, list(roles), verifier)


def disable_staff(call: Call, login: str) -> int:
    """Not active, no LOGIN, sessions ended: how many."""
    return int(call.ask("SELECT sentra.disable_staff(%s)", login))


def claim_outbox(call: Call, kinds: Sequence[str], limit: int, lease_seconds: int) -> tuple[OutboxRow, ...]:
    """Due rows of these kinds, held under a lease."""
    told = call.ask("SELECT sentra.claim_outbox(%s::text[], %s, %s)", list(kinds), limit, lease_seconds)
    return tuple(
        OutboxRow(id=item["id"], kind=item["kind"], payload=item["payload"], attempts=item["attempts"]) for item in told
    )


def finish_outbox(call: Call, ids: Sequence[str]) -> None:
    call.ask("SELECT sentra.finish_outbox(%s::uuid[])", list(ids))


def _row(row: FleetRow) -> dict[str, object]:
    return {
        "line": row.line,
        "branch_code": row.branch_code,
        "sku": row.sku.code,
        "sku_name": row.sku.name,
        "category": row.sku.category,
        "daily_rate": row.sku.daily_rate,
        "deposit": row.sku.deposit,
        "turnaround_days": row.sku.turnaround_days,
        "unit_id": row.unit_id,
        "plate": row.plate,
        "colour": row.colour,
        "odometer": row.odometer,
        "status": row.status,
    }
