"""The registry of what desks do at random, and of what an expected "no" is. Each part of the product adds its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.errors import Refusal, RefusalCode
from tests.faults.desk import Broken, Desk

GONE = frozenset({RefusalCode.BOOKING_EXPIRED, RefusalCode.BOOKING_STATE, RefusalCode.NOT_FOUND})
"""It was ended meanwhile, by the service or another desk."""
BUSY = frozenset({RefusalCode.LOCK_HELD, RefusalCode.LOCK_LOST, RefusalCode.INVOICE_LOCKED})
"""In somebody else's hands."""

Run = Callable[[Desk], None]


@dataclass(frozen=True, slots=True)
class Operation:
    """`weight` is how often it is done among the others."""

    name: str
    weight: float
    run: Run


OPERATIONS: list[Operation] = []


def operation(weight: float) -> Callable[[Run], Run]:
    """Register an operation by its function's name."""

    def register(run: Run) -> Run:
        OPERATIONS.append(Operation(run.__name__, weight, run))
        return run

    return register


def refused(desk: Desk, op: str, no: Refusal, expected: frozenset[RefusalCode], **ids: object) -> None:
    """Note an expected "no"; another one is a break. `ids` of what was refused: nothing of it may have been written."""
    if no.code not in expected | {RefusalCode.UNREACHABLE}:
        raise Broken("UNEXPECTED", op=op, refusal=str(no), **ids)
    desk.history.write("refused", op=op, code=no.code.value, **ids)
