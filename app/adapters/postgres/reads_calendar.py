"""Reads of occupancy: bars of the grid, projections for the index, what stands in the way, what changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from sqlalchemy import TextClause, text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.rows import Columns, closed_days, cut, moment, moment_or_none, range_of, windows_of
from app.domain.booking import BookingState, Source
from app.domain.days import Days, YearMonth, runs
from app.usecases.index_port import IndexedUnit, Projection
from app.usecases.rows import Bar, Blocker, FreedStretch, OccupancyKind, PaidMark

ONE_DAY = dt.timedelta(days=1)
CHANGE_OVERLAP = dt.timedelta(seconds=30)
"""A row is stamped before its transaction commits: a poll looks back by the longest time one may take."""

# Bookings and customers of another branch are not visible (row-level security): then the bar has days and kind only.
# A finished rental is drawn from its booking: its days are free again. A unit that was swapped on the way is drawn as
# finished for the days it was out, and its successor from then on.
_BARS = text("""
    WITH bar AS (
        SELECT o.unit_id, o.kind, lower(o.days) AS days_first, upper(o.days) AS days_past, o.booking_id,
               o.maintenance_id, false AS was_out
        FROM sentra.unit u JOIN sentra.occupancy o ON o.unit_id = u.id
        WHERE u.branch_id = :branch_id AND o.active AND o.days && daterange(:first_day, :last_day, '[]')
      UNION ALL
        SELECT f.unit_id, 'BOOKING', coalesce(swapped.on_day, f.first_day), f.last_day + 1, f.id, NULL, false
        FROM sentra.unit u JOIN sentra.booking f ON f.unit_id = u.id
        LEFT JOIN LATERAL (SELECT max(upper(o.days)) AS on_day FROM sentra.occupancy o
                           WHERE o.booking_id = f.id AND o.was_out) swapped ON true
        WHERE u.branch_id = :branch_id AND f.state = 'COMPLETED' AND f.last_day >= :first_day
          AND f.first_day BETWEEN CAST(:first_day AS date) - 365 AND :last_day
      UNION ALL
        SELECT o.unit_id, o.kind, lower(o.days), upper(o.days), o.booking_id, NULL, true
        FROM sentra.unit u JOIN sentra.occupancy o ON o.unit_id = u.id
        WHERE u.branch_id = :branch_id AND o.was_out AND o.days && daterange(:first_day, :last_day, '[]'))
    SELECT bar.unit_id, bar.kind, bar.days_first, bar.days_past, b.id AS booking_id, b.number,
           CASE WHEN bar.was_out THEN bar.days_first ELSE b.first_day END AS first_day,
           CASE WHEN bar.was_out THEN bar.days_past - 1 ELSE b.last_day END AS last_day,
           CASE WHEN bar.was_out AND b.id IS NOT NULL THEN 'COMPLETED' ELSE b.state END AS state, b.version, b.source,
           c.name AS customer_name,
           CASE WHEN b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING') THEN c.phone END AS customer_phone,
           CASE WHEN NOT bar.was_out THEN b.payment_deadline END AS payment_deadline,
           CASE WHEN NOT bar.was_out THEN b.due_at END AS due_at,
           CASE WHEN NOT bar.was_out THEN b.pickup_at END AS pickup_at,
           coalesce(b.note, m.reason, '') AS note, money.total, money.paid
    FROM bar
    LEFT JOIN sentra.booking b ON b.id = bar.booking_id
    LEFT JOIN sentra.customer c ON c.id = b.customer_id
    LEFT JOIN sentra.maintenance m ON m.id = bar.maintenance_id
    LEFT JOIN LATERAL (
        SELECT sum(i.total) AS total, sum(i.paid) AS paid
        FROM sentra.invoice i
        WHERE i.state <> 'VOID' AND i.id IN (
            SELECT il.invoice_id FROM sentra.invoice_line il WHERE il.booking_id = b.id AND il.active)
    ) money ON true
    ORDER BY bar.unit_id, bar.days_first, bar.kind""")

# Asked with every window of the grid: where the constraint stands nothing is read at all.
_FIRST_DOUBLED = text("""
    SELECT d.unit_id, lower(d.days) AS days_first, least(upper(d.days), d.before_past) AS days_past
    FROM (SELECT o.unit_id, o.days,
                 max(upper(o.days)) OVER (PARTITION BY o.unit_id ORDER BY lower(o.days)
                                          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_past
          FROM sentra.unit u JOIN sentra.occupancy o ON o.unit_id = u.id
          WHERE u.branch_id = :branch_id AND o.active AND o.kind <> 'OVERDUE' AND upper(o.days) > :today
            AND NOT EXISTS (SELECT FROM pg_constraint
                            WHERE conname = 'occupancy_no_overlap'
                              AND conrelid = CAST('sentra.occupancy' AS regclass))) d
    WHERE lower(d.days) < d.before_past AND least(upper(d.days), d.before_past) > :today
    ORDER BY days_first, d.unit_id LIMIT 1""")

_PROJECTIONS = """
    SELECT u.id AS unit_id, u.sku_id AS sku, u.slot, u.availability_version, taken.firsts, taken.pasts
    FROM sentra.unit u
    LEFT JOIN (
        SELECT o.unit_id, array_agg(lower(o.days) ORDER BY lower(o.days)) AS firsts,
               array_agg(upper(o.days) ORDER BY lower(o.days)) AS pasts
        FROM sentra.occupancy o
        WHERE o.active AND o.days && daterange(:first_day, :last_day, '[]') {of_units}
        GROUP BY o.unit_id
    ) taken ON taken.unit_id = u.id
    WHERE {which}
    ORDER BY u.id"""


def projections_statement(*, some: bool) -> TextClause:
    """One statement for the units of `:unit_ids`, or for every unit that is not retired."""
    ids = "ANY(CAST(:unit_ids AS text[]))"
    if some:
        return text(_PROJECTIONS.format(of_units=f"AND o.unit_id = {ids}", which=f"u.id = {ids}"))
    return text(_PROJECTIONS.format(of_units="", which="u.status <> 'RETIRED'"))


_ALL_PROJECTIONS = projections_statement(some=False)
_SOME_PROJECTIONS = projections_statement(some=True)

_BLOCKERS = text("""
    SELECT o.unit_id, o.kind, lower(o.days) AS days_first, upper(o.days) AS days_past, b.id AS booking_id,
           b.number, b.state, c.name AS customer_name, o.created_at, coalesce(s.name, o.created_by) AS by_name,
           CASE WHEN w.created_by = o.created_by THEN w.counter ELSE '' END AS counter
    FROM sentra.occupancy o
    LEFT JOIN sentra.booking b ON b.id = o.booking_id
    LEFT JOIN sentra.booking_order w ON w.id = b.order_id
    LEFT JOIN sentra.customer c ON c.id = b.customer_id
    LEFT JOIN sentra.staff s ON s.role_name = o.created_by
    WHERE o.unit_id = ANY(CAST(:unit_ids AS text[])) AND o.active
      AND o.days && daterange(:first_day, :last_day, '[]')
    ORDER BY o.unit_id, lower(o.days), o.kind""")

_TAKEN = text("""
    SELECT o.unit_id, lower(o.days) AS days_first, upper(o.days) AS days_past
    FROM sentra.occupancy o
    WHERE o.unit_id = ANY(CAST(:unit_ids AS text[])) AND o.active
      AND o.days && daterange(:first_day, :last_day, '[]')""")

_FREED = text("""
    SELECT f.id, f.sku_id AS sku, f.branch_id, lower(f.days) AS days_first, upper(f.days) AS days_past
    FROM sentra.freed_stretch f
    WHERE f.sku_id = :sku AND f.run_at IS NULL
    ORDER BY f.created_at, f.id""")

_CHANGED = text("SELECT DISTINCT o.unit_id FROM sentra.occupancy o WHERE o.changed_at > :since ORDER BY o.unit_id")


def bars(ask: Ask, branch_id: str, days: Days) -> tuple[Bar, ...]:
    """What the grid draws of a branch's units in a window, whole rows even where they reach out of it."""
    return tuple(map(_bar_of, ask.rows(_BARS, branch_id=branch_id, **range_of(days))))


def first_doubled(ask: Ask, branch_id: str, today: dt.date) -> tuple[str, Days] | None:
    """The first unit of a branch that two rows claim on the same days, and those days."""
    found = ask.rows(_FIRST_DOUBLED, branch_id=branch_id, today=today)
    return (found[0]["unit_id"], closed_days(found[0]["days_first"], found[0]["days_past"])) if found else None


def projections(ask: Ask, unit_ids: Sequence[str] | None, months: Sequence[YearMonth]) -> tuple[Projection, ...]:
    """Days and version of units in one statement, days cut to `months`; None means every unit not retired."""
    windows = windows_of(months)
    if not windows:
        return ()
    wanted = tuple(sorted(set(months)))
    span = range_of(Days(windows[0].first, windows[-1].last))
    if unit_ids is None:
        found = ask.rows(_ALL_PROJECTIONS, **span)
    else:
        found = ask.rows(_SOME_PROJECTIONS, unit_ids=list(unit_ids), **span)
    return tuple(
        Projection(
            unit=IndexedUnit(sku=row["sku"], unit_id=row["unit_id"], slot=row["slot"]),
            version=row["availability_version"],
            months=wanted,
            days=cut(list(map(closed_days, row["firsts"] or (), row["pasts"] or ())), windows),
        )
        for row in found
    )


def blockers(ask: Ask, unit_ids: Sequence[str], taken: Days) -> tuple[Blocker, ...]:
    """Every active row over `taken`, by unit and day. Of another branch: days and kind, no number and no name."""
    return tuple(
        Blocker(
            unit_id=row["unit_id"],
            kind=OccupancyKind(row["kind"]),
            days=closed_days(row["days_first"], row["days_past"]),
            booking_number=row["number"],
            state=BookingState(row["state"]) if row["state"] else None,
            customer_name=row["customer_name"],
            since=moment(row["created_at"]),
            by=row["by_name"],
            booking_id=str(row["booking_id"]) if row["booking_id"] is not None else None,
            counter=row["counter"] or "",
        )
        for row in ask.rows(_BLOCKERS, unit_ids=list(unit_ids), **range_of(taken))
    )


def taken_days(ask: Ask, unit_ids: Sequence[str], window: Days) -> Mapping[str, tuple[Days, ...]]:
    """Taken stretches inside the window, joined and in order; an empty one for a unit that is free throughout."""
    found: dict[str, list[Days]] = {unit_id: [] for unit_id in unit_ids}
    for row in ask.rows(_TAKEN, unit_ids=list(unit_ids), **range_of(window)):
        found[row["unit_id"]].append(closed_days(row["days_first"], row["days_past"]))
    return {
        unit_id: runs(day for stretch in cut(stretches, [window]) for day in stretch)
        for unit_id, stretches in found.items()
    }


def freed_stretches(ask: Ask, sku: str) -> tuple[FreedStretch, ...]:
    """Stretches whose waitlist run is still to come, oldest first."""
    return tuple(
        FreedStretch(
            id=str(row["id"]),
            sku=row["sku"],
            branch_id=row["branch_id"],
            days=closed_days(row["days_first"], row["days_past"]),
        )
        for row in ask.rows(_FREED, sku=sku)
    )


def changed_since(ask: Ask, since: dt.datetime) -> tuple[str, ...]:
    """Units whose occupancy changed since, and some that changed shortly before: none is missed."""
    return tuple(row["unit_id"] for row in ask.rows(_CHANGED, since=since - CHANGE_OVERLAP))


def _bar_of(row: Columns) -> Bar:
    booked = row["booking_id"] is not None
    return Bar(
        unit_id=row["unit_id"],
        kind=OccupancyKind(row["kind"]),
        days=closed_days(row["days_first"], row["days_past"]),
        rented=Days(row["first_day"], row["last_day"]) if booked else None,
        booking_id=str(row["booking_id"]) if booked else None,
        number=row["number"],
        state=BookingState(row["state"]) if booked else None,
        source=Source(row["source"]) if booked else None,
        customer_name=row["customer_name"],
        payment_deadline=moment_or_none(row["payment_deadline"]),
        due_at=moment_or_none(row["due_at"]),
        paid=_paid_mark(row["total"], row["paid"]),
        note=row["note"],
        extended_from=row["last_day"] + ONE_DAY if row["state"] == BookingState.EXTENSION_PENDING else None,
        version=row["version"],
        pickup_at=moment_or_none(row["pickup_at"]),
        customer_phone=row["customer_phone"] or "",
    )


def _paid_mark(total: int | None, paid: int | None) -> PaidMark:
    if not paid:
        return PaidMark.UNPAID
    return PaidMark.FULL if total is not None and paid >= total else PaidMark.PART
