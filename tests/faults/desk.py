"""One clerk with everything a clerk remembers: what was booked here, what was paid, what was asked and not answered."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from app.bootstrap import Counter, ServiceParts
from app.domain.booking import Action
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


class Window(Enum):
    """Another window of this PC: the same person once more, or a colleague who logged in beside."""

    MINE = "mine"
    COLLEAGUE = "colleague"


@dataclass(slots=True, kw_only=True)
class Held:
    """A booking that was acknowledged at this desk and not ended by it."""

    request: BookRequest
    booking_id: str
    number: str
    unit_id: str
    sku: str
    period: RentalPeriod
    invoice_id: str
    units: int
    paid: bool = False
    is_out: bool = False
    """Handed over: an active rental."""
    asked_invoice: str | None = None
    """The invoice of a change that waits for its payment."""
    asked_last: dt.date | None = None
    """The last day of the extension that waits with it."""


@dataclass(slots=True, kw_only=True)
class Desk:
    """`ask` repeats what got no answer: the same ids, until there is one or the desk is closed.

    `window` opens another window at its first use, `service` a second service beside the running one. `move` takes a
    booking along the machine as the handover screens will. `say` answers the one who gave an order, `next_order` waits
    for one. `gateway`: the simulated gateway's `url` and `key`, and the `service_url` it tells.
    """

    counter: Counter
    history: History
    dice: random.Random
    fleet: tuple[FleetUnit, ...]
    today: dt.date
    reach: int
    lose_an_answer: Callable[[bytes], None]
    is_closing: Callable[[], bool]
    pause: Callable[[float], None]
    window: Callable[[Window], Counter]
    service: Callable[[], ServiceParts]
    move: Callable[[str, Action], None]
    say: Callable[[Mapping[str, Any]], None]
    next_order: Callable[[float], Mapping[str, Any] | None]
    gateway: Mapping[str, str] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    joined: list[str] = field(default_factory=list)
    """Waitlist entries of this desk that it has not withdrawn."""
    blocks: list[str] = field(default_factory=list)
    """Maintenance blocks of this desk that it has not ended."""

    def some_unit(self) -> FleetUnit:
        """Often one of a few, so that desks meet at it."""
        return self.dice.choice(self.fleet[:4] if self.dice.random() < 0.5 else self.fleet)

    def some_period(self) -> RentalPeriod:
        """Often in a few weeks that everybody wants, sometimes far ahead, now and then over a month's end."""
        reach = min(30, self.reach) if self.dice.random() < 0.4 else self.reach
        first = self.today + dt.timedelta(days=self.dice.randrange(2, 2 + reach))
        return RentalPeriod(first, first + dt.timedelta(days=self.dice.randrange(0, 4)))

    def unpaid(self) -> Held | None:
        return self.one_of(lambda held: not held.paid)

    def one_of(self, fits: Callable[[Held], bool]) -> Held | None:
        """Any booking of this desk that fits."""
        found = [held for held in self.held.values() if fits(held)]
        return self.dice.choice(found) if found else None

    def remember(self, request: BookRequest, booked: BookedOrder) -> None:
        for item, line in zip(booked.bookings, request.lines, strict=True):
            self.held[item.id] = Held(
                request=request,
                booking_id=item.id,
                number=item.number,
                unit_id=item.unit_id,
                sku=line.sku,
                period=line.period,
                invoice_id=booked.invoice_id,
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
