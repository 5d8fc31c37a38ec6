"""The floor of a use case: the very statements it sent, recorded once, sent again by the driver alone."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from app.adapters.postgres.driver import Borrowed, Question

_NUMBER = re.compile(r"\$([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement with its parameters; `alone` is one that was committed by itself."""

    sql: str
    parameters: Mapping[str, Any] | Sequence[Any]
    alone: bool

    def with_values(self, instead: Mapping[str, str]) -> Statement:
        """The same with other ids and days, wherever a parameter names them."""
        names = re.compile("|".join(map(re.escape, sorted(instead, key=len, reverse=True))))
        return Statement(sql=self.sql, parameters=_exchanged(self.parameters, names, instead), alone=self.alone)


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """Everything that is asked of the database meanwhile by use cases of this process."""
    found: list[Statement] = []
    told = {name: getattr(Borrowed, name) for name in ("value", "rows", "say", "value_committed")}

    def noting(name: str) -> Callable[..., Any]:
        def ask(lent: Borrowed, question: Question, parameters: Sequence[Any]) -> Any:
            numbered = _NUMBER.sub(lambda mark: f"%(p{mark.group(1)})s", question.sql.decode().replace("%", "%%"))
            values = {f"p{n}": _plain(value) for n, value in enumerate(parameters, start=1)}
            found.append(Statement(sql=numbered, parameters=values, alone=name != "value_committed"))
            return told[name](lent, question, parameters)

        return ask

    def say(lent: Borrowed, command: bytes) -> None:
        raise AssertionError(f"{command.decode()}: a step of several round trips has no floor here")

    with pytest.MonkeyPatch.context() as patch:  # no port tells what is sent
        for name in ("value", "rows", "value_committed"):
            patch.setattr(Borrowed, name, noting(name))
        patch.setattr(Borrowed, "say", say)
        yield found


def sent_again(connection: psycopg.Connection, statements: Sequence[Statement]) -> Callable[[], Any]:
    """A call that sends them: those that were alone by themselves, the others in one transaction. Gives the last value.

    Every answer is read, as a client must.
    """
    first = next((n for n, statement in enumerate(statements) if not statement.alone), len(statements))
    alone, together = statements[:first], statements[first:]
    assert not any(statement.alone for statement in together)

    def send() -> Any:
        for statement in alone:
            connection.execute(statement.sql.encode(), statement.parameters).fetchall()
        with connection.transaction():
            for statement in together:
                rows = connection.execute(statement.sql.encode(), statement.parameters).fetchall()
        return rows[0][0]

    return send


def sent_at_once(connection: psycopg.Connection, statements: Sequence[Statement]) -> Callable[[], Any]:
    """`sent_again` with as few round trips as the driver can do: its pipeline mode, BEGIN and COMMIT included."""
    first = next((n for n, statement in enumerate(statements) if not statement.alone), len(statements))
    alone, together = statements[:first], statements[first:]

    def send() -> Any:
        for statement in alone:
            connection.execute(statement.sql.encode(), statement.parameters).fetchall()
        with connection.pipeline(), connection.transaction():
            answers = [connection.execute(each.sql.encode(), each.parameters) for each in together]
        return answers[-1].fetchall()[0][0]

    return send


def _plain(value: Any) -> Any:
    """As the driver alone would be given it: JSON of texts and numbers."""
    if isinstance(value, Jsonb):
        return Jsonb(json.loads(value.dumps(value.obj) if value.dumps else json.dumps(value.obj)))
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _exchanged(value: Any, names: re.Pattern[str], instead: Mapping[str, str]) -> Any:
    if isinstance(value, Jsonb):
        return Jsonb(_exchanged(value.obj, names, instead))
    if isinstance(value, str):
        return names.sub(lambda found: instead[found.group()], value)
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return dt.date.fromisoformat(instead.get(value.isoformat(), value.isoformat()))
    if isinstance(value, Mapping):
        return {key: _exchanged(item, names, instead) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exchanged(item, names, instead) for item in value]
    return value
