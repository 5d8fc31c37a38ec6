"""Reads of waitlist, maintenance, holidays and refused wishes, and searches for free units of several SKUs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_fleet import IS_RENTABLE
from app.adapters.postgres.rows import UNIT_COLUMNS, Columns, closed_days, fleet_unit_of, moment, range_of
from app.domain.catalogue import MaintenanceState
from app.domain.days import Days, RentalPeriod
from app.domain.waitlist import Tier, WaitlistState
from app.usecases.rows import FleetUnit
from app.usecases.rows_maintenance import BranchRow, HolidayEdit, MaintenanceRow
from app.usecases.rows_waitlist import MirroredPlace, RefusalCount, RefusalRow, WaitlistRow

# The order is that of the sorted set's scores. An entry whose first day is past is nobody's place any more.
_WAITLIST = text("""
    SELECT w.id, w.customer_id, c.name AS customer_name, c.phone AS customer_phone, w.tier_weight, w.sku_id AS sku,
           w.first_day, w.last_day, w.joined_at, w.state, CASE WHEN w.state = 'WAITING' THEN (
               SELECT count(*) FROM sentra.waitlist_entry x
               WHERE x.branch_id = w.branch_id AND x.sku_id = w.sku_id AND x.state = 'WAITING'
                 AND x.first_day >= day.today AND x.first_day <= w.last_day AND x.last_day >= w.first_day
                 AND (x.tier_weight, x.joined_at, x.id) <= (w.tier_weight, w.joined_at, w.id)) ELSE 0 END AS position
    FROM sentra.waitlist_entry w
    JOIN sentra.customer c ON c.id = w.customer_id
    CROSS JOIN (SELECT CAST(sentra.now() AT TIME ZONE b.zone AS date) AS today FROM sentra.branch b
                WHERE b.id = :branch_id OFFSET 0) day
    WHERE w.branch_id = :branch_id AND w.state IN ('WAITING', 'OFFERED') AND w.first_day >= day.today
      AND (CAST(:sku AS text) IS NULL OR w.sku_id = :sku)
    ORDER BY w.sku_id, w.tier_weight, w.joined_at, w.id""")

_PLACES = text("""
    SELECT DISTINCT ON (w.sku_id, w.first_day, w.customer_id)
           w.sku_id AS sku, w.first_day, w.customer_id, w.tier_weight, w.joined_at
    FROM sentra.waitlist_entry w JOIN sentra.branch b ON b.id = w.branch_id
    WHERE w.state = 'WAITING' AND w.first_day >= CAST((SELECT sentra.now()) AT TIME ZONE b.zone AS date)
    ORDER BY w.sku_id, w.first_day, w.customer_id, w.tier_weight, w.joined_at""")

_BLOCKS = text("""
    SELECT m.id, m.unit_id, u.plate, lower(m.days) AS days_first, upper(m.days) AS days_past, m.state, m.breakdown,
           m.reason, coalesce(s.name, '') AS created_by_name
    FROM sentra.maintenance m JOIN sentra.unit u ON u.id = m.unit_id
    LEFT JOIN sentra.staff s ON s.role_name = m.created_by
    WHERE m.branch_id = :branch_id AND m.state <> 'CANCELLED' AND m.days && daterange(:first_day, :last_day, '[]')
    ORDER BY u.plate, lower(m.days), m.id""")

_HOLIDAYS = text("""
    SELECT h.day, CASE WHEN h.state = 'ADDED' THEN h.name END AS name
    FROM sentra.holiday h WHERE h.branch_id = :branch_id AND h.day BETWEEN :first_day AND :last_day
    ORDER BY h.day""")

_WAS_BOOKED = "EXISTS (SELECT FROM sentra.booking k WHERE k.order_id = r.order_id AND k.created_at > r.at)"

# Wanted days that a booking of the order got by a change after the refusal, on whichever unit; an extension when paid.
_GOT = """
    EXISTS (SELECT FROM sentra.booking k JOIN sentra.audit a ON a.subject = CAST(k.id AS text)
            CROSS JOIN LATERAL (
                SELECT daterange(CAST(a.before ->> 'first_day' AS date), CAST(a.before ->> 'last_day' AS date), '[]'),
                       daterange(CAST(a.after ->> 'first_day' AS date), CAST(a.after ->> 'last_day' AS date), '[]')
            ) AS period (before, after)
            WHERE k.order_id = r.order_id AND a.at >= r.at
              AND a.action IN ('reschedule', 'shorten', 'approve_extension')
              AND {days} <@ period.after
              AND NOT period.after * daterange(r.first_day, r.last_day, '[]') <@ period.before)"""
_GOT_ALL = _GOT.format(days="daterange(r.first_day, r.last_day, '[]')")
_GOT_DAY = _GOT.format(days="CAST(wanted.day AS date)")

_REFUSALS = text(f"""
    SELECT r.id, r.sku_id AS sku, r.unit_id, r.first_day, r.last_day, r.code, r.at, coalesce(s.name, '') AS by_name,
           r.order_id, {_WAS_BOOKED} OR {_GOT_ALL} AS booked_after_all
    FROM sentra.refused_demand r
    JOIN sentra.branch b ON b.id = r.branch_id
    LEFT JOIN sentra.staff s ON s.role_name = r.by
    WHERE r.branch_id = :branch_id
      AND r.at >= CAST(CAST(:first_day AS date) AS timestamp) AT TIME ZONE b.zone
      AND r.at < CAST(CAST(:last_day AS date) + 1 AS timestamp) AT TIME ZONE b.zone
    ORDER BY r.at, r.id""")

_REFUSAL_COUNTS = text(f"""
    SELECT r.sku_id AS sku, CAST(wanted.day AS date) AS day, count(DISTINCT r.order_id) AS count
    FROM sentra.refused_demand r
    CROSS JOIN LATERAL generate_series(greatest(r.first_day, CAST(:first_day AS date)),
                                       least(r.last_day, CAST(:last_day AS date)), interval '1 day') AS wanted (day)
    WHERE r.branch_id = :branch_id AND r.first_day <= :last_day AND r.last_day >= :first_day AND NOT {_WAS_BOOKED}
      AND NOT {_GOT_DAY}
    GROUP BY r.sku_id, wanted.day ORDER BY r.sku_id, wanted.day""")

_TAKEN_WITH_TURNAROUND = """
    EXISTS (SELECT FROM sentra.occupancy o WHERE o.active AND o.unit_id = u.id
            AND o.days && daterange(:first_day, CAST(:last_day AS date) + k.turnaround_days, '[]'))"""

_FREE_AMONG = text(f"""
    SELECT u.id AS unit_id FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
    WHERE u.id = ANY(CAST(:unit_ids AS text[])) AND {IS_RENTABLE} AND NOT {_TAKEN_WITH_TURNAROUND}""")

# One scan of the gist index per SKU, not one per unit.
_FREE_OF_SKUS = text(f"""
    SELECT {UNIT_COLUMNS}
    FROM sentra.sku k
    CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(DISTINCT o.unit_id), '{{}}') AS ids FROM sentra.occupancy o
        WHERE o.active AND o.sku_id = k.id
          AND o.days && daterange(:first_day, CAST(:last_day AS date) + k.turnaround_days, '[]')) taken
    JOIN sentra.unit u ON u.sku_id = k.id AND u.branch_id = :branch_id
    WHERE k.id = ANY(CAST(:skus AS text[])) AND {IS_RENTABLE} AND u.id <> ALL (taken.ids)
    ORDER BY k.name, k.id, u.slot""")

_BRANCHES = text("SELECT br.id, br.code, br.name FROM sentra.branch br ORDER BY br.name, br.id")

_ELSEWHERE = text(f"""
    SELECT br.code AS branch_code, br.name AS branch_name, found.*
    FROM sentra.branch br
    JOIN (
        SELECT {UNIT_COLUMNS}, count(*) OVER (PARTITION BY u.branch_id) AS free,
               row_number() OVER (PARTITION BY u.branch_id ORDER BY u.slot) AS place
        FROM sentra.unit u JOIN sentra.sku k ON k.id = u.sku_id
        WHERE u.sku_id = :sku AND u.branch_id <> :but_not AND {IS_RENTABLE}
          AND u.id NOT IN (SELECT o.unit_id FROM sentra.occupancy o
                           WHERE o.active AND o.sku_id = :sku AND o.days && daterange(:first_day, :last_day, '[]'))
    ) found ON found.unit_branch_id = br.id AND found.place = 1
    ORDER BY found.free DESC, br.code""")


class DemandReads:
    """The part `DemandReads` of a person's reads."""

    _ask: Ask

    def waitlist(self, branch_id: str, sku: str | None) -> tuple[WaitlistRow, ...]:
        """Open entries whose first day is not past, by SKU and in the order they are asked."""
        return tuple(map(_entry_of, self._ask.rows(_WAITLIST, branch_id=branch_id, sku=sku)))

    def waiting_places(self) -> tuple[MirroredPlace, ...]:
        """Every branch's waiting entries that are not past; of a customer in two branches the better place."""
        return tuple(
            MirroredPlace(
                sku=row["sku"],
                first_day=row["first_day"],
                customer_id=str(row["customer_id"]),
                tier_weight=row["tier_weight"],
                joined_at=moment(row["joined_at"]),
            )
            for row in self._ask.rows(_PLACES)
        )

    def blocks(self, branch_id: str, window: Days) -> tuple[MaintenanceRow, ...]:
        """Blocks of a branch that touch the window and were not cancelled, by plate and day."""
        return tuple(
            MaintenanceRow(
                id=str(row["id"]),
                unit_id=row["unit_id"],
                plate=row["plate"],
                days=closed_days(row["days_first"], row["days_past"]),
                state=MaintenanceState(row["state"]),
                breakdown=row["breakdown"],
                reason=row["reason"],
                created_by_name=row["created_by_name"],
            )
            for row in self._ask.rows(_BLOCKS, branch_id=branch_id, **range_of(window))
        )

    def holiday_edits(self, branch_id: str, window: Days) -> tuple[HolidayEdit, ...]:
        """What the branch's own table says of days in the window."""
        rows = self._ask.rows(_HOLIDAYS, branch_id=branch_id, **range_of(window))
        return tuple(HolidayEdit(day=row["day"], name=row["name"]) for row in rows)

    def refusals(self, branch_id: str, window: Days) -> tuple[RefusalRow, ...]:
        """Wishes refused on the branch's days of the window, oldest first."""
        return tuple(
            RefusalRow(
                id=str(row["id"]),
                sku=row["sku"],
                unit_id=row["unit_id"],
                period=RentalPeriod(row["first_day"], row["last_day"]),
                code=row["code"],
                at=moment(row["at"]),
                by_name=row["by_name"],
                order_id=str(row["order_id"]),
                booked_after_all=row["booked_after_all"],
            )
            for row in self._ask.rows(_REFUSALS, branch_id=branch_id, **range_of(window))
        )

    def refusal_counts(self, branch_id: str, window: Days) -> tuple[RefusalCount, ...]:
        """Lost wishes by SKU and wanted day of the window."""
        rows = self._ask.rows(_REFUSAL_COUNTS, branch_id=branch_id, **range_of(window))
        return tuple(RefusalCount(sku=row["sku"], day=row["day"], count=row["count"]) for row in rows)

    def free_among(self, unit_ids: Sequence[str], period: Days) -> frozenset[str]:
        """Which of these units are free for the period and their SKU's turnaround."""
        rows = self._ask.rows(_FREE_AMONG, unit_ids=list(unit_ids), **range_of(period))
        return frozenset(row["unit_id"] for row in rows)

    def free_of_skus(self, skus: Sequence[str], period: Days, branch_id: str) -> tuple[FleetUnit, ...]:
        """Free units of these SKUs in a branch, each with its own turnaround, by SKU name and slot."""
        rows = self._ask.rows(_FREE_OF_SKUS, skus=list(skus), branch_id=branch_id, **range_of(period))
        return tuple(map(fleet_unit_of, rows))

    def branches(self) -> tuple[BranchRow, ...]:
        """Every branch of the installation, by name."""
        rows = self._ask.rows(_BRANCHES)
        return tuple(BranchRow(id=row["id"], code=row["code"], name=row["name"]) for row in rows)

    def free_elsewhere(self, sku: str, taken: Days, but_not: str) -> tuple[tuple[BranchRow, int, FleetUnit], ...]:
        """Other branches with a free unit of the SKU: how many, and the first by slot; the most first."""
        return tuple(
            (
                BranchRow(id=row["unit_branch_id"], code=row["branch_code"], name=row["branch_name"]),
                row["free"],
                fleet_unit_of(row),
            )
            for row in self._ask.rows(_ELSEWHERE, sku=sku, but_not=but_not, **range_of(taken))
        )


def _entry_of(row: Columns) -> WaitlistRow:
    return WaitlistRow(
        id=str(row["id"]),
        customer_id=str(row["customer_id"]),
        customer_name=row["customer_name"],
        customer_phone=row["customer_phone"],
        tier=Tier.of_weight(row["tier_weight"]),
        sku=row["sku"],
        period=RentalPeriod(row["first_day"], row["last_day"]),
        joined_at=moment(row["joined_at"]),
        state=WaitlistState(row["state"]),
        position=row["position"],
    )
