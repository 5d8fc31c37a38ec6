"""Ask PostgreSQL one thing: one autocommitted statement, so one snapshot, with the driver's errors as refusals."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine, RowMapping, TextClause
from sqlalchemy.exc import DBAPIError

from app.domain.errors import Refusal, RefusalCode

log = logging.getLogger(__name__)

_NOT_ALLOWED = "42501"
_WRONG_LOGIN = ("28P01", "28000")
_AWAY_CLASSES = ("08", "53", "57", "58")
_LOCK_TIMEOUT = "55P03"
_LOGIN_WORDS = ("password authentication failed", "is not permitted to log in", "does not exist")


class Ask:
    """Statements of one person on pooled connections, outside any transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    def rows(self, statement: TextClause, **parameters: Any) -> Sequence[RowMapping]:
        """All rows. A connection that turns out to be dead is replaced once; then UNREACHABLE."""
        try:
            return self._run(statement, parameters)
        except DBAPIError as first:
            if not first.connection_invalidated:
                raise refused(first) from first
            log.info("a connection was dead, asking again")
        try:
            return self._run(statement, parameters)
        except DBAPIError as second:
            raise refused(second) from second

    def row(self, statement: TextClause, **parameters: Any) -> RowMapping | None:
        """The only row, or None."""
        found = self.rows(statement, **parameters)
        return found[0] if found else None

    def _run(self, statement: TextClause, parameters: dict[str, Any]) -> Sequence[RowMapping]:
        with self._engine.connect() as connection:
            return connection.execute(statement, parameters).mappings().all()


def refused(error: DBAPIError) -> Exception:
    """The refusal a failed read means by its SQLSTATE; an error of ours in the statement stays what it is."""
    state = getattr(error.orig, "sqlstate", None)
    text = str(error.orig)
    if state in _WRONG_LOGIN or (state is None and any(words in text for words in _LOGIN_WORDS)):
        return Refusal(RefusalCode.NOT_ALLOWED, field="login", next=(), action="log_in")
    if state == _NOT_ALLOWED:
        return Refusal(RefusalCode.NOT_ALLOWED, next=(), action="read")
    if state is None or state == _LOCK_TIMEOUT or state[:2] in _AWAY_CLASSES:
        return Refusal(RefusalCode.UNREACHABLE, next=(), reason="database")
    return error
