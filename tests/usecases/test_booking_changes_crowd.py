"""A crowd that books, moves, swaps, extends, shortens, pays and cancels at once, while deadlines pass."""

import datetime as dt
import random
import threading
from collections import Counter as Tally
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from app.bootstrap import Counter, Installation
from app.domain.booking import Action
from app.domain.booking import BookingState as S
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from app.usecases.bookings import BookLine, BookRequest
from tests.support.at_once import at_once
from tests.support.world import AVANZAS, HIACE, START, World, cash

pytest_plugins = ("tests.support.world_fixtures",)

STEPS = 80
DAY = dt.timedelta(days=1)
UNITS = (*AVANZAS, HIACE)
EXPECTED = frozenset(
    {
        *(RefusalCode.DAYS_TAKEN, RefusalCode.BOOKING_STATE, RefusalCode.BOOKING_EXPIRED, RefusalCode.PERIOD_INVALID),
        *(RefusalCode.INVOICE_LOCKED, RefusalCode.LOCK_HELD, RefusalCode.LOCK_MINE_ELSEWHERE, RefusalCode.LOCK_LOST),
        *(RefusalCode.UNIT_NOT_RENTABLE, RefusalCode.AMOUNT_MISMATCH, RefusalCode.NOT_ALLOWED),
    }
)
"""Every other "no" is a fault: that nobody answers, that a price is another one, that something is not there."""
EACH = ("book", "move", "swap", "extend", "pay", "hand_over")
"""What has to have happened: how a crowd comes to it is left to chance, so it goes on until it did."""
MOST_ROUNDS = 5


@dataclass
class Desk:
    """One person of the crowd. `known` are the bookings of all of them; `world` is only looked at for their states."""

    who: Counter
    world: World
    dice: random.Random
    known: list[str]
    told: Tally[str] = field(default_factory=Tally)

    def work(self) -> None:
        acts: list[tuple[int, Callable[[], object]]] = [
            (7, self.book),
            (5, self.move),
            (3, self.swap),
            (4, self.extend),
            (1, lambda: self.who.changes_of_bookings.reject_extension(self.one(S.EXTENSION_PENDING))),
            (2, lambda: self.who.changes_of_bookings.shorten(self.one(S.ACTIVE_RENTAL), self.day())),
            (4, self.pay),
            (2, self.hand_over),
            (1, lambda: self.who.bookings.cancel(self.one(S.PENDING_PAYMENT))),
        ]
        for _ in range(STEPS):
            (act,) = self.dice.choices([act for _, act in acts], [weight for weight, _ in acts])
            name = getattr(act, "__name__", "act")
            try:
                act()
                self.told[name] += 1
            except Refusal as no:
                assert no.code in EXPECTED, str(no)
                self.told[no.code.value] += 1

    def day(self) -> dt.date:
        return START.date() + self.dice.randrange(30) * DAY

    def period(self) -> RentalPeriod:
        first = self.day()
        return RentalPeriod(first, first + self.dice.randrange(4) * DAY)

    def one(self, *states: S) -> str:
        """A booking, mostly one in these states a moment ago."""
        found = self.world.rows("SELECT id::text FROM sentra.booking WHERE state = ANY (%s)", list(states))
        if found and self.dice.random() < 0.85:
            return str(self.dice.choice(found)[0])
        return self.dice.choice(self.known)

    def book(self) -> None:
        unit = self.dice.choice(UNITS)
        found = self.who.store.read.units([unit])[0]
        booked = self.who.bookings.book(
            BookRequest(
                order_id=self.who.new_id(),
                lines=(BookLine(sku=found.sku.code, unit_id=unit, period=self.period()),),
                customer_name="Rina Maharani",
                customer_phone=f"0812 0000 {self.dice.randrange(1000, 9999)}",
            )
        )
        self.known.append(booked.bookings[0].id)

    def move(self) -> None:
        unit = self.dice.choice([None, *UNITS])
        self.who.changes_of_bookings.reschedule(self.one(S.PENDING_PAYMENT, S.PAID_APPROVED), self.period(), unit)

    def swap(self) -> None:
        booking = self.one(S.PENDING_PAYMENT, S.PAID_APPROVED, S.ACTIVE_RENTAL)
        self.who.changes_of_bookings.swap_unit(booking, self.dice.choice(UNITS))

    def extend(self) -> None:
        self.who.changes_of_bookings.request_extension(self.one(S.ACTIVE_RENTAL), self.day() + 3 * DAY)

    def pay(self) -> None:
        due = self.who.settlement.invoices([InvoiceState.OPEN])
        if due:
            row = self.dice.choice(due)
            held = self.who.settlement.open_invoice(row.id)
            total = self.who.settlement.invoice(row.id).row.total
            self.who.settlement.settle(held.handle, self.who.new_id(), [cash(total)])

    def hand_over(self) -> None:
        """What the handover desk will do; a booking that is not paid has no such way."""
        place, booking = Installation(self.world.settings()), self.one(S.PAID_APPROVED)
        for action in (Action.CHECK_OUT, Action.HAND_OVER):
            try:
                place.move_booking(booking, action)
            except KeyError:
                self.told["not paid"] += 1


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_a_crowd_changes_at_once_every_day_and_every_rupiah_is_in_one_place(world: World, seed: int) -> None:
    known: list[str] = []
    desks = [
        Desk(
            who=world.counter("maya" if n % 2 else "siti", f"Kasir {n}"),
            world=world,
            dice=random.Random(10 * seed + n),
            known=known,
        )
        for n in range(6)
    ]
    world.open_shift(desks[0].who, desks[1].who)
    for _ in range(8):
        try:
            desks[0].book()
        except Refusal as no:
            assert no.code is RefusalCode.DAYS_TAKEN
    over = threading.Event()

    def pass_time() -> None:
        service = world.service()
        while not over.wait(0.2):
            world.after(seconds=45)
            service.sweeps.expire()
            service.sweeps.outbox()

    clock = threading.Thread(target=pass_time, daemon=True)
    clock.start()
    try:
        for _ in range(MOST_ROUNDS):
            at_once(*(desk.work for desk in desks), within=120)
            told = sum((desk.told for desk in desks), Tally[str]())
            if all(told[name] for name in EACH):
                break
    finally:
        over.set()
        clock.join(30)
    assert min(told[name] for name in EACH) > 0, told
    world.service().sweeps.expire()
    world.after(seconds=6)
    world.catch_up()
    assert world.doctor().breaks == (), told
    free = world.value(
        "SELECT count(*) FROM sentra.refund AS r JOIN sentra.invoice AS i ON i.id = r.invoice_id"
        " WHERE r.state = 'DUE' AND (r.amount > i.paid OR i.state <> 'PAID')"
    )
    assert free == 0, "nothing is due of what was never paid"
