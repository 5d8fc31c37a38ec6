"""Reads of the fleet: units with their SKUs, and what is free in a period."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.rows import UNIT_COLUMNS, fleet_unit_of, range_of, sku_of
from app.domain.catalogue import Sku
from app.domain.days import Days
from app.usecases.rows import FleetUnit

_FLEET = text(f"""
    SELECT {UNIT_COLUMNS}
    FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
    WHERE u.status <> 'RETIRED' AND (CAST(:branch_id AS text) IS NULL OR u.branch_id = :branch_id)
    ORDER BY k.name, k.id, u.slot""")

_UNITS = text(f"""
    SELECT {UNIT_COLUMNS}
    FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
    WHERE u.id = ANY(CAST(:unit_ids AS text[]))
    ORDER BY u.id""")

_SCANNED = text(f"""
    SELECT {UNIT_COLUMNS}
    FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
    WHERE lower(u.id COLLATE "C") = lower(CAST(:code AS text) COLLATE "C")""")

_SKU = text("""
    SELECT k.id AS sku, k.name AS sku_name, k.category, k.daily_rate, k.deposit, k.turnaround_days
    FROM sentra.sku k WHERE k.id = :code""")

# A unit in maintenance is hidden from searches that touch its block only: one without a block has no known end.
IS_RENTABLE = """
    (u.status = 'IN_SERVICE' OR (u.status = 'MAINTENANCE' AND EXISTS (
        SELECT FROM sentra.maintenance block
        WHERE block.unit_id = u.id AND block.state IN ('SCHEDULED', 'RUNNING'))))"""
"""Of `sentra.unit u`."""

# The taken units come from the gist index on (sku_id, days): one scan for the SKU, not one per unit.
FREE_UNITS = text(f"""
    SELECT {UNIT_COLUMNS}
    FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
    WHERE u.sku_id = :sku AND (CAST(:branch_id AS text) IS NULL OR u.branch_id = :branch_id)
      AND {IS_RENTABLE}
      AND u.id NOT IN (
            SELECT o.unit_id FROM sentra.occupancy o
            WHERE o.active AND o.sku_id = :sku AND o.days && daterange(:first_day, :last_day, '[]'))
    ORDER BY u.slot
    LIMIT :limit""")


def fleet(ask: Ask, branch_id: str | None) -> tuple[FleetUnit, ...]:
    """Units in service or in maintenance, by SKU name and slot; None means every branch."""
    return tuple(map(fleet_unit_of, ask.rows(_FLEET, branch_id=branch_id)))


def units(ask: Ask, unit_ids: Sequence[str]) -> tuple[FleetUnit, ...]:
    """Units by id whatever their status; ids that do not exist are left out."""
    return tuple(map(fleet_unit_of, ask.rows(_UNITS, unit_ids=list(unit_ids))))


def scanned(ask: Ask, code: str) -> tuple[FleetUnit, ...]:
    """The unit of a code in whichever letters, whatever its status: no two units differ by case alone."""
    return tuple(map(fleet_unit_of, ask.rows(_SCANNED, code=code)))


def sku(ask: Ask, code: str) -> Sku | None:
    row = ask.row(_SKU, code=code)
    return None if row is None else sku_of(row)


def free_units(ask: Ask, sku: str, taken: Days, branch_id: str | None, limit: int) -> tuple[FleetUnit, ...]:
    """Rentable units without an active row over `taken`, by slot; OVERDUE layers count as taken."""
    rows = ask.rows(FREE_UNITS, sku=sku, branch_id=branch_id, limit=limit, **range_of(taken))
    return tuple(map(fleet_unit_of, rows))
