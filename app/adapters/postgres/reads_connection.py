"""Ask PostgreSQL one thing: one autocommitted statement, so one snapshot, with the driver's errors as refusals."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine, RowMapping, TextClause
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.adapters.postgres.errors import Failure, failure_of, refusal_of, unreachable

log = logging.getLogger(__name__)


class Ask:
    """Statements of one person on pooled connections, outside any transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    def rows(self, statement: TextClause, **parameters: Any) -> Sequence[RowMapping]:
        """All rows. A connection that died while it was used is replaced once: asking again changes nothing.

        Raises Refusal: UNREACHABLE when no server answers or a wait ran out, NOT_ALLOWED by login or rights.
        """
        try:
            return self._run(statement, parameters)
        except (DBAPIError, PoolTimeout) as first:
            if not _is_worth_another_try(first):
                raise _meaning(first) from first
            log.info("a read lost its connection, asking again")
        try:
            return self._run(statement, parameters)
        except (DBAPIError, PoolTimeout) as second:
            raise _meaning(second) from second

    def row(self, statement: TextClause, **parameters: Any) -> RowMapping | None:
        """The only row, or None."""
        found = self.rows(statement, **parameters)
        return found[0] if found else None

    def _run(self, statement: TextClause, parameters: dict[str, Any]) -> Sequence[RowMapping]:
        with self._engine.connect() as connection:
            return connection.execute(statement, parameters).mappings().all()


def _is_worth_another_try(error: DBAPIError | PoolTimeout) -> bool:
    if failure_of(error) is Failure.TRY_AGAIN:
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated and failure_of(error) is Failure.LOST


def _meaning(error: DBAPIError | PoolTimeout) -> Exception:
    what = failure_of(error)
    if what is Failure.REFUSED:
        return refusal_of(error)
    if what is Failure.FAULT:
        return error
    return unreachable("database" if what is Failure.LOST else "busy")
