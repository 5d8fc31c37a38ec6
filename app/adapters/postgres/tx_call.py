"""Call one of our database functions inside a transaction and turn its expected "no" into a refusal."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.driver import Borrowed, question_of
from app.adapters.postgres.errors import Failure, failure_of, refusal_of
from app.domain.booking import BookingState
from app.domain.days import Days, YearMonth
from app.usecases.index_port import IndexedUnit, Projection
from app.usecases.rows import Blocker, FreedStretch, OccupancyKind

MONTHS_BACK = 2
MONTHS_AHEAD = 14

Told = Mapping[str, Any]
"""One JSON object as a function answered it."""


class Call:
    """One transaction's connection. `again`: an earlier try of this very step may have been committed unseen.

    `one_call`: the only call of the step brings its own BEGIN and COMMIT, in the same round trip. Rows are read before
    it, each question on its own, so that nothing is locked until the call.
    """

    def __init__(self, connection: Borrowed, *, again: bool = False, one_call: bool = False) -> None:
        self._connection = connection
        self._one_call = one_call
        self._was_asked = False
        self.again = again

    def ask(self, statement: str, *parameters: object) -> Any:
        """The one value of a `SELECT sentra.…(%s, …)`. Raises Refusal; what is to be tried again passes through."""
        self._note()
        ask = self._connection.value_committed if self._one_call else self._connection.value
        try:
            return ask(question_of(statement), parameters)
        except DBAPIError as error:
            if failure_of(error) is Failure.REFUSED:
                raise refusal_of(error) from error
            raise

    def rows(self, statement: str, *parameters: object) -> Sequence[Told]:
        """Rows of a plain SELECT, under the person's own rights: of this transaction, or before a step's one call."""
        if self._one_call and self._was_asked:
            raise RuntimeError("a step of one call was about to read after its COMMIT")
        try:
            return self._connection.rows(question_of(statement), parameters)
        except DBAPIError as error:
            if failure_of(error) is Failure.REFUSED:
                raise refusal_of(error) from error
            raise

    def _note(self) -> None:
        if self._one_call and self._was_asked:
            raise RuntimeError("a step of one call was about to make a second one, after its COMMIT")
        self._was_asked = True


def as_json(value: object) -> Jsonb:
    """A JSON parameter; days and moments become ISO texts."""
    return Jsonb(value, dumps=_DUMPS)


def days_of(told: Told) -> Days:
    return Days(day_of(told["first_day"]), day_of(told["last_day"]))


def day_of(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def moment_of(text: str) -> dt.datetime:
    """An aware UTC moment out of JSON."""
    return dt.datetime.fromisoformat(text).astimezone(dt.UTC)


def blocker_of(told: Told) -> Blocker:
    return Blocker(
        unit_id=told["unit_id"],
        kind=OccupancyKind(told["kind"]),
        days=days_of(told),
        booking_number=told["number"],
        state=BookingState(told["state"]) if told["state"] else None,
        customer_name=told["customer"],
        since=moment_of(told["since"]),
        by=told["by"],
        booking_id=told.get("booking_id"),
    )


def projection_of(told: Told, touched: Sequence[Days] = ()) -> Projection:
    """A unit's days cut to the months the index keeps: two back to fourteen ahead, and each month still touched.

    `touched` are days that were freed: their months are written although no row stands there any more.
    """
    active = [Days(day_of(first), day_of(last)) for first, last in told["days"]]
    months = _kept(YearMonth.of(day_of(told["today"])))
    oldest, newest = months[0], months[-1]
    if far := [days for days in (*active, *touched) if days.last > newest.last_day]:
        months += tuple(sorted({month for days in far for month in days.months() if month > newest}))
    kept = [days for days in active if days.last >= oldest.first_day]
    return Projection(
        unit=IndexedUnit(sku=told["sku"], unit_id=told["unit_id"], slot=told["slot"]),
        version=told["version"],
        months=months,
        days=tuple(Days(max(days.first, oldest.first_day), days.last) for days in kept),
    )


def projections_of(told: Told) -> tuple[Projection, ...]:
    """The units' days after a write that tells which days of which unit it `touched`."""
    touched: dict[str, list[Days]] = defaultdict(list)
    for item in told["touched"]:
        touched[item["unit_id"]].append(days_of(item))
    return tuple(projection_of(item, touched[item["unit_id"]]) for item in told["projections"])


def freed_of(told: Told) -> tuple[FreedStretch, ...]:
    """The days that a write made free."""
    return tuple(
        FreedStretch(id=item["id"], sku=item["sku"], branch_id=item["branch_id"], days=days_of(item))
        for item in told["freed"]
    )


def _as_text(value: object) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(f"no JSON for a {type(value).__name__}")


_DUMPS = json.JSONEncoder(default=_as_text).encode


@lru_cache(maxsize=16)
def _kept(here: YearMonth) -> tuple[YearMonth, ...]:
    """The months the index keeps when it is this month."""
    return tuple(here.shifted(step) for step in range(-MONTHS_BACK, MONTHS_AHEAD + 1))
