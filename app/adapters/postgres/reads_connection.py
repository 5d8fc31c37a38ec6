"""Ask PostgreSQL one thing: one autocommitted statement, so one snapshot, with the driver's errors as refusals."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine, TextClause
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.adapters.postgres.driver import Borrowed, Question, Row, question_of
from app.adapters.postgres.errors import Failure, failure_of, refusal_of, unreachable

log = logging.getLogger(__name__)


class Ask:
    """Statements of one person on pooled connections, outside any transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._questions: dict[TextClause, Question] = {}

    def rows(self, statement: TextClause, **parameters: Any) -> Sequence[Row]:
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

    def row(self, statement: TextClause, **parameters: Any) -> Row | None:
        """The only row, or None."""
        found = self.rows(statement, **parameters)
        return found[0] if found else None

    def _run(self, statement: TextClause, parameters: dict[str, Any]) -> Sequence[Row]:
        question = self._question(statement)
        values = [parameters[name] for name in question.names]
        connection = Borrowed(self._engine)
        try:
            return connection.rows(question, values)
        finally:
            connection.give_back()

    def _question(self, statement: TextClause) -> Question:
        found = self._questions.get(statement)
        if found is None:
            found = question_of(str(statement.compile(dialect=self._engine.dialect)))
            self._questions[statement] = found
        return found


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
