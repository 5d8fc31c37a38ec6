"""What only the owner of an installation does: branches, first logins, and history for a demo or a test.

History goes along the booking machine like everything else: the same triggers check it and write the audit.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from psycopg import sql

from app.adapters.postgres.connection import plain_url
from app.domain.booking import TRANSITIONS, Action, BookingState
from app.domain.days import Days


@contextmanager
def _owner(owner_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(plain_url(owner_url), connect_timeout=10, application_name="sentra/owner") as connection:
        yield connection


def add_branch(owner_url: str, *, code: str, name: str, zone: str) -> None:
    """Add a branch, or leave the one with this code as it is. Its id is its code."""
    with _owner(owner_url) as connection:
        connection.execute(
            "INSERT INTO sentra.branch (id, code, name, zone) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
            (code, code, name, zone),
        )


def branch_codes(owner_url: str) -> tuple[str, ...]:
    """The branches there are; empty in a fresh installation."""
    with _owner(owner_url) as connection:
        rows = connection.execute("SELECT code FROM sentra.branch ORDER BY code").fetchall()
    return tuple(str(row[0]) for row in rows)


def add_staff(owner_url: str, *, login: str, name: str, branch: str, roles: Sequence[str], verifier: str) -> None:
    """Make a login with its staff row, as the owner (service accounts too)."""
    with _owner(owner_url) as connection:
        connection.execute("SELECT sentra.add_staff(%s, %s, %s, %s, %s)", (login, name, branch, list(roles), verifier))


def staff_logins(owner_url: str) -> tuple[str, ...]:
    """Logins that exist, active or not."""
    with _owner(owner_url) as connection:
        rows = connection.execute("SELECT login FROM sentra.staff ORDER BY login").fetchall()
    return tuple(str(row[0]) for row in rows)


def set_verifier(owner_url: str, role_name: str, verifier: str) -> None:
    """Give a login role a new password by its SCRAM verifier."""
    with _owner(owner_url) as connection:
        connection.execute(
            sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role_name), sql.Literal(verifier))
        )


def move_booking(owner_url: str, booking_id: str, action: Action) -> BookingState:
    """Take a booking along one arrow of the machine that keeps its days, e.g. check_out, hand_over, check_in."""
    with _owner(owner_url) as connection:
        row = connection.execute("SELECT state FROM sentra.booking WHERE id = %s FOR UPDATE", (booking_id,)).fetchone()
        if row is None:
            raise LookupError(f"no booking {booking_id}")
        target = TRANSITIONS[BookingState(str(row[0])), action].to
        connection.execute(
            "UPDATE sentra.booking SET state = %s, last_action = %s WHERE id = %s",
            (target.value, action.value, booking_id),
        )
    return target


def record_maintenance(owner_url: str, *, unit_id: str, days: Days, reason: str, running: bool) -> None:
    """Block a unit for maintenance; the exclusion constraint refuses days that are booked."""
    block = str(uuid.uuid4())
    with _owner(owner_url) as connection:
        unit = connection.execute("SELECT sku_id, branch_id FROM sentra.unit WHERE id = %s", (unit_id,)).fetchone()
        if unit is None:
            raise LookupError(f"no unit {unit_id}")
        first, behind = days.first, days.last + dt.timedelta(days=1)
        connection.execute(
            "INSERT INTO sentra.maintenance (id, unit_id, branch_id, days, state, reason)"
            " VALUES (%s, %s, %s, daterange(%s, %s), %s, %s)",
            (block, unit_id, unit[1], first, behind, "RUNNING" if running else "SCHEDULED", reason),
        )
        connection.execute(
            "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, maintenance_id)"
            " VALUES (%s, %s, %s, daterange(%s, %s), 'MAINTENANCE', %s)",
            (unit_id, unit[0], unit[1], first, behind, block),
        )


def close_shifts(owner_url: str) -> None:
    """Close every open shift with what it should hold."""
    with _owner(owner_url) as connection:
        connection.execute(
            "UPDATE sentra.shift AS s SET closed_at = sentra.now(), counted = e.cash, expected = e.cash"
            " FROM (SELECT h.id, h.opening_float + coalesce(sum(t.amount) FILTER (WHERE t.kind = 'CASH'), 0) AS cash"
            "       FROM sentra.shift AS h LEFT JOIN sentra.payment AS p ON p.shift_id = h.id"
            "       LEFT JOIN sentra.tender AS t ON t.payment_id = p.id"
            "       WHERE h.closed_at IS NULL GROUP BY h.id) AS e WHERE e.id = s.id"
        )
