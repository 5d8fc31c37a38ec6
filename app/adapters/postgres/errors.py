"""What a failed statement means: by SQLSTATE a refusal, something to try again, or a fault of ours."""

from __future__ import annotations

import datetime as dt
import json
from enum import Enum, auto
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.domain.errors import Refusal, RefusalCode

REFUSED_BY_FUNCTION = "SR001"
"""Raised by `sentra.refuse`: the message is a RefusalCode, the detail its parameters as JSON."""
TAKEN_BY_FUNCTION = "SR002"
"""Raised by `book_order` and `block_unit` when the constraint turned a row away; the detail names what is there."""

_TRY_AGAIN = frozenset({"40001", "40P01"})
_BUSY = frozenset({"55P03", "57014", "53300"})
_WRONG_LOGIN = frozenset({"28P01", "28000"})
# A refused login comes without SQLSTATE: libpq knows only the server's words (lc_messages English).
_FULL_WORDS = ("too many connections for role", "too many clients already", "remaining connection slots")
_LOGIN_WORDS = ("password authentication failed", "is not permitted to log in", "no password supplied")


class Failure(Enum):
    """What to do about a failed step."""

    TRY_AGAIN = auto()
    """A serialisation failure or deadlock: the same step may well succeed now."""
    LOST = auto()
    """The connection is gone: drop it; whether a COMMIT in flight happened is unknown."""
    REFUSED = auto()
    """An expected "no": `refusal_of` says which."""
    FAULT = auto()
    """A mistake in the program or the database; not to be hidden."""


def failure_of(error: DBAPIError | PoolTimeout) -> Failure:
    """How a failed statement is to be treated."""
    if isinstance(error, PoolTimeout):
        return Failure.REFUSED
    state = sqlstate_of(error)
    if state in _TRY_AGAIN:
        return Failure.TRY_AGAIN
    if state in _BUSY or state in _WRONG_LOGIN or state in {REFUSED_BY_FUNCTION, "42501"}:
        return Failure.REFUSED
    if state is None:
        if _is_wrong_login(error) or _is_full(error):
            return Failure.REFUSED
        return Failure.LOST if error.connection_invalidated or _is_operational(error) else Failure.FAULT
    if state[:2] == "08" or state[:3] == "57P" or state == "25P03" or error.connection_invalidated:
        return Failure.LOST
    if _constraint_of(error) == "occupancy_no_overlap":
        return Failure.REFUSED
    return Failure.FAULT


def refusal_of(error: DBAPIError | PoolTimeout) -> Refusal:
    """The refusal that a `Failure.REFUSED` means."""
    if isinstance(error, PoolTimeout):
        return unreachable("busy")
    state = sqlstate_of(error)
    if state == REFUSED_BY_FUNCTION:
        return _told_by_function(error)
    if state in _BUSY or _is_full(error):
        return unreachable("busy")
    if state == "42501":
        return Refusal(RefusalCode.NOT_ALLOWED, next=(), action="write")
    if state in _WRONG_LOGIN or _is_wrong_login(error):
        return Refusal(RefusalCode.NOT_ALLOWED, field="login", next=(), action="log_in")
    if _constraint_of(error) == "occupancy_no_overlap":
        return Refusal(RefusalCode.DAYS_TAKEN, next=(), blockers=[])
    raise error


def unreachable(reason: str) -> Refusal:
    """UNREACHABLE; `reason` is `database` (no server answers) or `busy` (a wait ran out)."""
    return Refusal(RefusalCode.UNREACHABLE, next=(), reason=reason)


def sqlstate_of(error: DBAPIError) -> str | None:
    state = getattr(error.orig, "sqlstate", None)
    return state if isinstance(state, str) else None


def detail_of(error: DBAPIError) -> dict[str, Any]:
    """The JSON that one of our functions sent along."""
    diagnosis = getattr(error.orig, "diag", None)
    found = json.loads(getattr(diagnosis, "message_detail", None) or "{}")
    return found if isinstance(found, dict) else {}


def _told_by_function(error: DBAPIError) -> Refusal:
    diagnosis = getattr(error.orig, "diag", None)
    params = detail_of(error)
    field = params.pop("field", None)
    if isinstance(params.get("since"), str):
        params["since"] = dt.datetime.fromisoformat(params["since"])
    code = RefusalCode(str(getattr(diagnosis, "message_primary", "")))
    return Refusal(code, field=field, next=(), **params)


def _constraint_of(error: DBAPIError) -> str | None:
    found = getattr(getattr(error.orig, "diag", None), "constraint_name", None)
    return found if isinstance(found, str) else None


def _is_wrong_login(error: DBAPIError) -> bool:
    said = str(error.orig)
    return any(words in said for words in _LOGIN_WORDS)


def _is_full(error: DBAPIError) -> bool:
    """A login was refused because it, or the server, has as many connections as it may."""
    said = str(error.orig)
    return sqlstate_of(error) is None and any(words in said for words in _FULL_WORDS)


def _is_operational(error: DBAPIError) -> bool:
    return type(error.orig).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"}
