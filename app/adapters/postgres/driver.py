"""One pooled connection spoken to through the driver's own protocol calls: prepared statements, few round trips.

SQLAlchemy keeps the pool; what it puts around each statement costs more than most of ours take. Errors leave as its
`DBAPIError`, so that they mean the same wherever they are met.
"""

from __future__ import annotations

import re
import select
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

import psycopg
from psycopg import errors, pq
from psycopg.abc import Transformer
from psycopg.adapt import PyFormat
from psycopg.adapt import Transformer as DriversTransformer
from psycopg.pq.abc import PGconn, PGresult
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

BEGIN = b"BEGIN ISOLATION LEVEL READ COMMITTED"
COMMIT = b"COMMIT"
ROLLBACK = b"ROLLBACK"

_OK = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)
_MARKS = re.compile(r"%\((\w+)\)s|%s|%%")
_FORMATS = {count: (PyFormat.AUTO,) * count for count in range(33)}

Row = dict[str, Any]
T = TypeVar("T")


class Question(NamedTuple):
    """A statement as the server is sent it, and which parameter each `$n` is; a name stands for all its places."""

    sql: bytes
    names: tuple[str, ...]


@lru_cache(maxsize=512)
def question_of(statement: str) -> Question:
    """`%s` or `%(name)s` as `$n`."""
    names: list[str] = []

    def numbered(mark: re.Match[str]) -> str:
        if mark.group() == "%%":
            return "%"
        name = mark.group(1)
        if name is None:
            names.append("")
            return f"${len(names)}"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return Question(_MARKS.sub(numbered, statement).encode(), tuple(names))


class Borrowed:
    """One connection of the pool, for one step of one thread. `give_back` or `drop` ends it."""

    def __init__(self, engine: Engine) -> None:
        try:
            self._lent = engine.raw_connection()
        except psycopg.Error as error:
            raise _as_dbapi(error, lost=True) from error
        self._connection = cast("psycopg.Connection[Any]", self._lent.driver_connection)
        self._server: PGconn = self._connection.pgconn
        info = self._lent.info
        if "prepared" not in info:
            info["prepared"] = {}
            info["columns"] = {}
            info["adapt"] = DriversTransformer(self._connection)
            info["wait"] = _wait_for(self._server.socket)
        self._prepared: dict[tuple[bytes, tuple[int, ...]], bytes] = info["prepared"]
        self._columns: dict[bytes, tuple[str, ...]] = info["columns"]
        self._adapt: Transformer = info["adapt"]
        self._wait: Callable[[], object] = info["wait"]

    # --- one statement ------------------------------------------------------------------------------------------------

    def value(self, question: Question, parameters: Sequence[object]) -> Any:
        """The first value of the first row of a statement."""
        return self._first_value(self._ask(question, parameters))

    def rows(self, question: Question, parameters: Sequence[object]) -> list[Row]:
        """All rows by column name."""
        result = self._ask(question, parameters)
        self._adapt.set_pgresult(result)
        names = self._columns.get(question.sql)
        if names is None:
            names = tuple((result.fname(place) or b"").decode() for place in range(result.nfields))
            self._columns[question.sql] = names
        return [dict(zip(names, found, strict=True)) for found in self._adapt.load_rows(0, result.ntuples, tuple)]

    def say(self, command: bytes) -> None:
        """A command without an answer: BEGIN, COMMIT, ROLLBACK."""
        self._checked(self._tried(lambda: self._server.exec_(command)))

    # --- a whole transaction ------------------------------------------------------------------------------------------

    def value_committed(self, question: Question, parameters: Sequence[object]) -> Any:
        """`value` in a transaction of its own: BEGIN, the statement and COMMIT in one round trip.

        A statement that fails leaves the transaction aborted; `give_back` rolls it back.
        """
        name, values, formats = self._ready(question, parameters)
        _, result, _ = self._checked_all(self._tried(lambda: self._pipelined(name, values, formats)))
        return self._first_value(result)

    def _pipelined(
        self, name: bytes, values: Sequence[Any], formats: Sequence[pq.Format]
    ) -> tuple[PGresult | None, PGresult | None, PGresult | None]:
        server = self._server
        server.enter_pipeline_mode()
        server.send_query_params(BEGIN, None)
        server.send_query_prepared(name, values, formats)
        server.send_query_params(COMMIT, None)
        server.pipeline_sync()
        while server.flush():  # more than the kernel takes at once
            select.select([], [server.socket], [])
        found = []
        for _ in range(3):
            found.append(self._next_result())
            self._next_result()  # each answer is closed by a None
        self._next_result()  # the answer to the sync
        if server.status == pq.ConnStatus.OK:
            server.exit_pipeline_mode()
        begun, told, committed = found
        return begun, told, committed

    def _next_result(self) -> PGresult | None:
        """Waits with other threads running: the driver's `get_result` alone would hold them all."""
        server = self._server
        while server.is_busy():
            self._wait()
            server.consume_input()
        return server.get_result()

    # --- the end ------------------------------------------------------------------------------------------------------

    def give_back(self) -> None:
        """Back to the pool; a transaction that is still open, or aborted, is rolled back. A dead one is dropped."""
        if self._server.status != pq.ConnStatus.OK or self._server.pipeline_status != pq.PipelineStatus.OFF:
            self.drop()
            return
        if self._server.transaction_status != pq.TransactionStatus.IDLE:
            try:
                self.say(ROLLBACK)
            except DBAPIError:
                self.drop()
                return
        self._lent.close()

    def drop(self) -> None:
        """Close it for good: rolling back a dying connection would only raise over the cause.

        The pool's other connections of that time are opened anew before they are used.
        """
        self._lent.info["life"].lost_at = time.monotonic()
        self._lent.invalidate()
        self._lent.close()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _ask(self, question: Question, parameters: Sequence[object]) -> PGresult:
        name, values, formats = self._ready(question, parameters)
        return self._checked(self._tried(lambda: self._server.exec_prepared(name, values, formats)))

    def _ready(
        self, question: Question, parameters: Sequence[object]
    ) -> tuple[bytes, Sequence[Any], Sequence[pq.Format]]:
        """The name of the prepared statement, prepared now if it is new to this connection, and its parameters."""
        values: Sequence[Any] = ()
        types: tuple[int, ...] = ()
        formats: Sequence[pq.Format] = ()
        if parameters:
            values = self._adapt.dump_sequence(parameters, _FORMATS[len(parameters)])
            types, formats = self._adapt.types or (), self._adapt.formats or ()
        key = (question.sql, types)
        name = self._prepared.get(key)
        if name is None:
            name = f"sentra_{len(self._prepared)}".encode()
            self._checked(self._tried(lambda: self._server.prepare(name, question.sql, types)))
            self._prepared[key] = name
        return name, values, formats

    def _first_value(self, result: PGresult) -> Any:
        self._adapt.set_pgresult(result)
        found = self._adapt.load_row(0, tuple)
        if found is None:
            raise LookupError("a question that asks for a value was answered without a row")
        return found[0]

    def _tried(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except psycopg.Error as error:
            raise _as_dbapi(error, lost=self._server.status != pq.ConnStatus.OK) from error

    def _checked(self, result: PGresult | None) -> PGresult:
        if result is not None and result.status in _OK:
            return result
        lost = self._server.status != pq.ConnStatus.OK
        raise _as_dbapi(self._error_of(result), lost=lost)

    def _checked_all(self, results: Sequence[PGresult | None]) -> tuple[PGresult, ...]:
        """The first answer that failed says why; those after it were skipped."""
        return tuple(self._checked(result) for result in results)

    def _error_of(self, result: PGresult | None) -> psycopg.Error:
        if result is None or result.error_field(pq.DiagnosticField.SQLSTATE) is None:
            said = "" if result is None else result.get_error_message()
            return psycopg.OperationalError(said or self._server.get_error_message() or "the connection is lost")
        return errors.error_from_result(result)


def _wait_for(socket: int) -> Callable[[], object]:
    """A call that returns when something can be read."""
    if not hasattr(select, "poll"):  # Windows
        return lambda: select.select([socket], [], [])
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return poll.poll


def _as_dbapi(error: psycopg.Error, *, lost: bool) -> DBAPIError:
    return DBAPIError(None, None, error, hide_parameters=True, connection_invalidated=lost)
