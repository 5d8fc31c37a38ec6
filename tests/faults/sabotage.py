"""Guards taken out on purpose, each so that it really was the last one: the kit has to find what then goes wrong.

Each changes the database of one run, as its owner, through the text that stands there; a guard that is not where it is
looked for raises LookupError, so that no test passes over a sabotage that did nothing. What was taken out is written
down as if the migrations had made it so: the doctor misses no guard, and the kit has to find what then goes wrong.
"""

from __future__ import annotations

import re
from typing import Any

import psycopg

Owner = psycopg.Connection[tuple[Any, ...]]


def without_the_constraint(owner: Owner) -> None:
    """`occupancy_no_overlap` refuses nothing any more, and bookings of a unit are not one after another.

    The name stays (writers name it, and the doctor looks for it) on a constraint that no two rows can break. Before the
    constraint stands the look at what is there already, under the unit's row lock: while that lock is held the look
    alone refuses every overlap, so the lock goes as well.
    """
    owner.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    owner.execute(
        "ALTER TABLE sentra.occupancy ADD CONSTRAINT occupancy_no_overlap"
        " EXCLUDE USING gist (id WITH =, unit_id WITH =, days WITH &&)"
        " WHERE (active AND kind IN ('BOOKING', 'MAINTENANCE'))"
    )
    owner.execute("SELECT sentra.note_guards()")
    _change(owner, "book_order", r"PERFORM 1 FROM sentra\.unit AS u\b[^;]*FOR NO KEY UPDATE;", "")


def without_the_lock_guard(owner: Owner) -> None:
    """Whoever had the lock once may pay: what is looked at after the invoice's row lock looks at nothing.

    That is the guard itself, its repetition after the last wait, and the trigger that asks once more.
    """
    _change(owner, "settle_invoice", r"\bowed\.lock_token = token\b", "true")
    _change(owner, "settle_invoice", r"\bowed\.lock_epoch = epoch\b", "true")
    _change(owner, "settle_invoice", r"\bowed\.locked_until > moment\b", "true")
    _change(owner, "settle_invoice", r"\bowed\.locked_by = session_user\b", "true")
    _change(owner, "settle_invoice", r"\bi\.lock_token = token AND i\.lock_epoch = epoch\b", "true")
    _change(owner, "settle_invoice", r"\bi\.locked_by = session_user\s+AND i\.locked_until > sentra\.now\(\)", "true")
    _change(
        owner,
        "payment_guard",
        r"\(owed\.state = 'OPEN' AND owed\.lock_token IS NOT NULL[^)]*sentra\.now\(\)\)",
        "(owed.state = 'OPEN')",
    )


def without_the_attempt_check(owner: Owner) -> None:
    """A payment that is sent again is not recognised. The unique attempt id still keeps it from being paid twice: what
    breaks is the answer, and a clerk who reads "not paid" takes the money once more."""
    _change(
        owner,
        "settle_invoice",
        r"(SELECT \* INTO before FROM sentra\.payment AS x[^;]*;\s*)IF FOUND THEN",
        r"\1IF false THEN",
    )


WITHOUT_THE_VERSION_CHECK = {
    "project": (
        "if always or not stored or (tonumber(stored) or 0) <= tonumber(version) then",
        "if true then",
    )
}
"""An older projection is applied over a newer one."""


def _change(owner: Owner, function: str, guard: str, instead: str) -> None:
    rows = owner.execute(
        "SELECT pg_get_functiondef(p.oid) FROM pg_proc AS p"
        " WHERE p.pronamespace = 'sentra'::regnamespace AND p.proname = %s",
        (function,),
    ).fetchall()
    if len(rows) != 1:
        raise LookupError(f"there are {len(rows)} functions {function}")
    text, found = re.subn(guard, instead, str(rows[0][0]))
    if found != 1:
        raise LookupError(f"{function} holds the guard {found} times: {guard}")
    owner.execute(text.encode())
    owner.execute("SELECT sentra.note_guards()")
