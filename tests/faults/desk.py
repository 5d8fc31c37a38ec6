"""One clerk with everything a clerk remembers: what was booked here, what was paid, what was asked and not answered."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import BookRequest
from app.usecases.rows import BookedOrder, FleetUnit
from tests.faults.history import History

T = TypeVar("T")


class Broken(Exception):
    """Something was seen that must never be; the run is a failure whatever the end looks like."""

    def __init__(self, invariant: str, **seen: object) -> None:
        super().__init__(invariant, seen)
        self.invariant = invariant
        self.seen = seen


@dataclass(slots=True, kw_only=True)
class Held:
    """A booking that was acknowledged at this desk and not ended by it."""

    request: BookRequest
    booking_id: str
    unit_id: str
    sku: str
    period: RentalPeriod
    invoice_id: str
    total: int
    units: int
    paid: bool = False


@dataclass(slots=True, kw_only=True)
class Desk:
    """`ask` repeats what got no answer: the same ids, until there is one or the desk is closed."""

    counter: Counter
    history: History
    dice: random.Random
    fleet: tuple[FleetUnit, ...]
    today: dt.date
    lose_an_answer: Callable[[bytes], None]
    is_closing: Callable[[], bool]
    pause: Callable[[float], None]
    held: dict[str, Held] = field(default_factory=dict)

    def some_unit(self) -> FleetUnit:
        """Often one of a few, so that desks meet at it."""
        return self.dice.choice(self.fleet[:4] if self.dice.random() < 0.5 else self.fleet)

    def some_period(self) -> RentalPeriod:
        """Often in a few weeks that everybody wants, sometimes far ahead, now and then over a month's end."""
        reach = 30 if self.dice.random() < 0.4 else 600
        first = self.today + dt.timedelta(days=self.dice.randrange(2, reach))
        return RentalPeriod(first, first + dt.timedelta(days=self.dice.randrange(0, 4)))

    def unpaid(self) -> Held | None:
        found = [held for held in self.held.values() if not held.paid]
        return self.dice.choice(found) if found else None

    def remember(self, request: BookRequest, booked: BookedOrder) -> None:
        for item, line in zip(booked.bookings, request.lines, strict=True):
            self.held[item.id] = Held(
                request=request,
                booking_id=item.id,
                unit_id=item.unit_id,
                sku=line.sku,
                period=line.period,
                invoice_id=booked.invoice_id,
                total=booked.total,
                units=len(request.lines),
            )

    def forget(self, invoice_id: str) -> None:
        self.held = {key: held for key, held in self.held.items() if held.invoice_id != invoice_id}

    def settled(self, work: Callable[[], T]) -> T:
        """The answer to `work`, asked again with the same ids while no server answers; a Refusal is an answer."""
        wait = 0.05
        while True:
            try:
                return work()
            except Refusal as no:
                if no.code is not RefusalCode.UNREACHABLE or self.is_closing():
                    raise
            self.pause(wait)
            wait = min(2 * wait, 1.0)
