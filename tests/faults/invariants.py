"""The registry of what must hold, read by a process that wrote none of it: while a run goes on and at its end.

The offers of I8 have no operations yet: the part that builds them adds both. The runner sees I12
and the desks I13 themselves; I14 is that all of this holds with every client's clock and zone being wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

Line = Mapping[str, Any]
Finding = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the clients were told, by kind, and a connection of the owner to what is really there.

    `running`: the run goes on. The history was read before the database, so that what was told must be there; what is
    true only once everything has settled is not asked then.
    """

    told: Mapping[str, Sequence[Line]]
    database_url: str
    redis_url: str
    connection: psycopg.Connection[tuple[Any, ...]]
    running: bool = False

    def rows(self, statement: str, *params: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement.encode(), params or None).fetchall()


Check = Callable[[Evidence], Iterator[Finding]]
INVARIANTS: dict[str, Check] = {}


def invariant(name: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        INVARIANTS[name] = check
        return check

    return register


def all_breaks(evidence: Evidence) -> list[Finding]:
    """Every finding of every invariant, each named."""
    return [{"invariant": name, **found} for name, check in INVARIANTS.items() for found in check(evidence)]
