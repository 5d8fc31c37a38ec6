"""Reads of who is logged in, and of that person's shift."""

from __future__ import annotations

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.rows import BRANCH_COLUMNS, branch_of, moment, rupiah
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role, StaffMember
from app.usecases.rows import ShiftRow

_WHO = text(f"""
    SELECT s.login, s.name, {BRANCH_COLUMNS},
           ARRAY(SELECT wanted FROM unnest(CAST(:roles AS text[])) AS wanted
                 WHERE sentra.has_role(wanted)) AS roles
    FROM sentra.staff s JOIN sentra.branch br ON br.id = s.branch_id
    WHERE s.role_name = session_user AND s.active""")

_SHIFT = text("""
    SELECT h.id, h.number, h.drawer, h.opening_float, h.opened_at
    FROM sentra.shift h
    WHERE h.cashier = session_user AND h.closed_at IS NULL""")


def who_am_i(ask: Ask) -> StaffMember:
    """The active person behind this connection; NOT_ALLOWED for a role that is nobody's."""
    row = ask.row(_WHO, roles=[role.value for role in Role])
    if row is None:
        raise Refusal(RefusalCode.NOT_ALLOWED, field="login", next=(), action="log_in", reason="not_staff")
    return StaffMember(
        login=row["login"], name=row["name"], roles=frozenset(map(Role, row["roles"])), branch=branch_of(row)
    )


def open_shift(ask: Ask) -> ShiftRow | None:
    """The person's open shift. Who has no right to see shifts can have none."""
    try:
        row = ask.row(_SHIFT)
    except Refusal as refusal:
        if refusal.code is not RefusalCode.NOT_ALLOWED:
            raise
        return None
    if row is None:
        return None
    return ShiftRow(
        id=str(row["id"]),
        number=row["number"],
        drawer=row["drawer"],
        opening_float=rupiah(row["opening_float"]),
        opened_at=moment(row["opened_at"]),
    )
