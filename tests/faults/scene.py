"""Steps of real SQL for the orders that are tried, over one installation that is emptied between them."""

from __future__ import annotations

import datetime as dt
import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from app.adapters.postgres.invariants import INVARIANTS, statement
from app.adapters.postgres.tx_booking import order_json
from app.adapters.postgres.tx_call import as_json
from app.adapters.postgres.tx_settlement import payment_json
from app.domain.catalogue import Sku
from app.domain.invoice import TenderKind, TenderRow
from app.domain.money import Rupiah
from app.usecases.rows import NewPayment
from tests.adapters.postgres.write_rig import new_order
from tests.faults.interleavings import Actor, Connection, Explorer, Failed, Step, Tally, interleavings
from tests.support.world import AVANZAS, SKU, START, World

RATE = 350_000
KIND = Sku(
    code=SKU, name="Avanza G", category="Mobil", daily_rate=Rupiah(RATE), deposit=Rupiah(500_000), turnaround_days=0
)
COUNTER = "K1"
NOBODY = str(uuid.UUID(int=0))
# Written by the steps, and emptied between two orders, past the guards.
TABLES = (
    *("tender", "payment", "refund", "invoice_line", "invoice", "freed_stretch", "occupancy", "maintenance", "booking"),
    *("booking_order", "outbox", "audit", "number_counter", "customer_word", "customer", "refused_demand"),
)
_EMPTY = "SET session_replication_role = replica; " + "".join(f"DELETE FROM sentra.{name}; " for name in TABLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """A booking that a scene begins with."""

    booking_id: str
    order_id: str
    invoice_id: str
    total: int
    unit_id: str


@dataclass(slots=True, kw_only=True)
class Scene:
    """One installation, a connection per person, and everything that must hold after each order."""

    world: World
    owner: Connection
    people: dict[str, Actor] = field(default_factory=dict)
    _before: dict[str, Connection] = field(default_factory=dict)

    def person(self, login: str, name: str | None = None) -> Actor:
        """A connection of this person; another `name` is another connection."""
        key = name or login
        if key not in self.people:
            url = self.world.service_url if login == "svc" else self.world.url_of(login)
            self.people[key] = Actor(key, url)
        return self.people[key]

    def clock(self) -> Actor:
        """The owner's connection that moves the time."""
        if "clock" not in self.people:
            self.people["clock"] = Actor("clock", self.world.database.owner_url)
        return self.people["clock"]

    def empty(self) -> None:
        """Nothing was ever booked, and it is the beginning again."""
        self.owner.execute((_EMPTY + "SET session_replication_role = origin").encode())
        self.owner.execute("UPDATE sentra.unit SET availability_version = 0, status = 'IN_SERVICE'")
        self.owner.execute("UPDATE sentra.driven_clock SET stands_at = %s, shift = '0'", (START,))

    def close(self) -> None:
        for actor in self.people.values():
            actor.close()
        for connection in self._before.values():
            connection.close()

    def rows(self, text: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self.owner.execute(text.encode(), parameters or None).fetchall()

    def value(self, text: str, *parameters: object) -> Any:
        ((found,),) = self.rows(text, *parameters)
        return found

    def explore(
        self,
        plans: Mapping[str, Callable[[], Sequence[Step]]],
        prepare: Callable[[], None],
        check: Callable[[Tally], None],
        late: frozenset[str] = frozenset(),
    ) -> Tally:
        """Try every order of these actors' steps; after each one, `check` and every invariant (but those `late`)."""
        tally = Tally()
        explorer = Explorer(self.owner, [self.people[name] for name in plans])
        self.empty()
        prepare()
        for order in interleavings({name: len(steps()) for name, steps in plans.items()}):
            self.empty()
            prepare()
            for name in plans:
                self.people[name].forget()
            tally.waited += explorer.run(order, {name: steps() for name, steps in plans.items()})
            tally.orders += 1
            try:
                check(tally)
                broken = [row for row in self.rows(_BREAKS) if row[0] not in late]
                assert broken == [], broken
                for name in plans:
                    for said in self.people[name].said.values():
                        assert not (isinstance(said, Failed) and said.sqlstate in NEVER), said
            except AssertionError as broke:
                said = {name: self.people[name].said for name in plans}
                raise AssertionError(f"after {' '.join(order)}: {broke}\n{said}") from broke
        return tally

    # --- what a scene begins with ---------------------------------------------------------------------------------

    def booked(self, unit: str, first: int, last: int) -> Booked:
        """Ayu's booking from the first to the last of these days of March."""
        order = new_order([unit], march(first), march(last), sku=KIND)
        found = self._ask("ayu", "SELECT sentra.book_order(%s)", as_json(order_json(order)))
        assert "taken" not in found, found
        return Booked(
            booking_id=found["bookings"][0]["id"],
            order_id=order.id,
            invoice_id=order.invoice_id,
            total=order.total,
            unit_id=unit,
        )

    def out(self, booked: Booked) -> Booked:
        """Paid and with the customer."""
        token = secrets.token_urlsafe(32)
        lock = self._ask("siti", "SELECT sentra.take_lock(%s, %s, %s)", booked.invoice_id, token, COUNTER)
        payment = cash_payment(booked.invoice_id, booked.total, token, lock["epoch"])
        said = self._ask("siti", "SELECT sentra.settle_invoice(%s)", as_json(payment_json(payment)))
        assert said["outcome"] == "PAID", said
        for state, action in (("DISPATCHED", "check_out"), ("ACTIVE_RENTAL", "hand_over")):
            self.owner.execute(
                "UPDATE sentra.booking SET state = %s, last_action = %s WHERE id = %s",
                (state, action, booked.booking_id),
            )
        return booked

    def _ask(self, login: str, text: str, *parameters: object) -> Any:
        """One statement of this person, over a connection that stays."""
        if login not in self._before:
            self._before[login] = psycopg.connect(self.world.url_of(login), autocommit=True)
        row = self._before[login].execute(text.encode(), parameters).fetchone()
        assert row is not None
        return row[0]

    # --- what is there ----------------------------------------------------------------------------------------------

    def state_of(self, booked: Booked) -> str:
        return str(self.value("SELECT state FROM sentra.booking WHERE id = %s", booked.booking_id))

    def taken(self, unit: str) -> list[tuple[int, int]]:
        """Active stretches of a unit in March, both ends taken."""
        found = self.rows(
            "SELECT lower(days), upper(days) - 1 FROM sentra.occupancy WHERE unit_id = %s AND active ORDER BY 1", unit
        )
        return [(first.day, last.day) for first, last in found]

    def payments(self, invoice_id: str) -> int:
        return int(self.value("SELECT count(*) FROM sentra.payment WHERE invoice_id = %s", invoice_id))


_BREAKS = statement(list(INVARIANTS)).text
NEVER = frozenset({"40P01", "55P03", "57014", "XX000", "23P01", "23505", "23514"})
"""A deadlock, a wait that ran out, a guard that had to stop a function of ours: none of these is an answer."""


def march(day: int) -> dt.date:
    return dt.date(2027, 3, day)


def cash_payment(invoice_id: str, total: int, token: str, epoch: int, attempt: str | None = None) -> NewPayment:
    amount = Rupiah(total)
    return NewPayment(
        id=str(uuid.uuid4()),
        attempt_id=attempt or str(uuid.uuid4()),
        invoice_id=invoice_id,
        token=token,
        epoch=epoch,
        amount=amount,
        change=Rupiah(0),
        tenders=(TenderRow(kind=TenderKind.CASH, amount=amount, received=amount),),
        counter=COUNTER,
    )


# --- steps ------------------------------------------------------------------------------------------------------------


def commit(actor: Actor) -> str:
    """End the transaction; one that failed, or was blocked by taken days, is rolled back instead."""
    if any(isinstance(said, dict) and "taken" in said for said in actor.said.values()):
        actor.connection.rollback()
        return "rolled back"
    actor.connection.commit()
    return "committed"


COMMIT = Step("commit", commit)


def free_units(first: int, last: int) -> Step:
    """What a screen reads before anybody books: the free units, in their order."""

    def look(actor: Actor) -> list[str]:
        found = actor.ask(
            "SELECT coalesce(array_agg(u.id ORDER BY u.slot), '{}') FROM sentra.unit AS u WHERE u.sku_id = %s"
            " AND u.branch_id = 'JKT' AND NOT EXISTS (SELECT FROM sentra.occupancy AS o WHERE o.unit_id = u.id"
            " AND o.active AND o.days && daterange(%s, %s, '[]'))",
            SKU,
            march(first),
            march(last),
        )
        return list(found)

    return Step("look", look)


def book(first: int, last: int, *units: str, order_id: str | None = None, phone: str = "+6281234567890") -> Step:
    """Book these units, or without any the first that `look` saw free."""

    def write(actor: Actor) -> Any:
        wanted = units or tuple(actor.said["look"][:1]) or (AVANZAS[0],)
        order = new_order(wanted, march(first), march(last), sku=KIND, order_id=order_id, phone=phone)
        return actor.ask("SELECT sentra.book_order(%s)", as_json(order_json(order)))

    return Step("book", write)


def cancel(booked: Booked) -> Step:
    def write(actor: Actor) -> Any:
        return actor.ask("SELECT sentra.end_booking(%s, 'cancel', 'batal', NULL, false)", booked.booking_id)

    return Step("cancel", write)


def take(invoice: Callable[[], str | None], *, ends: bool = True, name: str = "take") -> Step:
    """Lock the invoice; the token is the connection's."""

    def write(actor: Actor) -> Any:
        token = secrets.token_urlsafe(32)
        found = actor.ask("SELECT sentra.take_lock(%s, %s, %s)", invoice() or NOBODY, token, COUNTER)
        if ends:
            actor.connection.commit()
        if found["outcome"] in {"TAKEN", "SAME"}:
            actor.said["token"], actor.said["epoch"] = token, found["epoch"]
        return found

    return Step(name, write)


def renew(invoice: Callable[[], str | None]) -> Step:
    def write(actor: Actor) -> Any:
        token, epoch = actor.said.get("token", "x" * 43), actor.said.get("epoch", 0)
        found = actor.ask("SELECT sentra.renew_lock(%s, %s, %s, 0)", invoice() or NOBODY, token, epoch)
        actor.connection.commit()
        return found

    return Step("renew", write)


def pay(invoice: Callable[[], str | None], total: Callable[[], int], *, ends: bool = False) -> Step:
    """Settle in exact cash under the token this connection believes in."""

    def write(actor: Actor) -> Any:
        token, epoch = actor.said.get("token", "x" * 43), actor.said.get("epoch", 0)
        payment = cash_payment(invoice() or NOBODY, total(), token, epoch)
        found = actor.ask("SELECT sentra.settle_invoice(%s)", as_json(payment_json(payment)))
        if ends:
            actor.connection.commit()
        return found

    return Step("pay", write)


def passes(name: str, **step: float) -> Step:
    """Time goes on."""

    def write(actor: Actor) -> None:
        actor.connection.execute("UPDATE sentra.driven_clock SET shift = shift + %s", (dt.timedelta(**step),))
        actor.connection.commit()

    return Step(name, write)


def due() -> Step:
    return Step("due", lambda actor: [str(item) for item in actor.ask("SELECT sentra.due_orders(10, '{}')")])


def expire() -> Step:
    """Expire what `due` saw; None when it was in somebody's hands or is not due any more."""

    def write(actor: Actor) -> Any:
        return [actor.ask("SELECT sentra.expire_order(%s)", order) for order in actor.said["due"]]

    return Step("expire", write)


def block(unit: str, first: int, last: int, *, breakdown: bool = False) -> Step:
    def write(actor: Actor) -> Any:
        wanted = {
            "id": str(uuid.uuid4()), "unit_id": unit, "first_day": march(first), "last_day": march(last),
            "reason": "servis", "breakdown": breakdown, "counter": COUNTER,
        }  # fmt: skip
        return actor.ask("SELECT sentra.block_unit(%s)", as_json(wanted))

    return Step("block", write)


def version_of(actor: Actor, booked: Booked) -> int:
    return int(actor.ask("SELECT version FROM sentra.booking WHERE id = %s", booked.booking_id))


def reschedule(booked: Booked, first: int, last: int, unit: str | None = None) -> Step:
    """Move to other days of the same number: no difference in price."""

    def write(actor: Actor) -> Any:
        expected = as_json({"version": version_of(actor, booked), "difference": 0})
        return actor.ask(
            "SELECT sentra.reschedule_booking(%s, %s, %s, %s, %s)",
            booked.booking_id,
            march(first),
            march(last),
            unit or booked.unit_id,
            expected,
        )

    return Step("reschedule", write)


def swap(booked: Booked, unit: str) -> Step:
    return Step("swap", lambda actor: actor.ask("SELECT sentra.swap_unit(%s, %s)", booked.booking_id, unit))


def extend(booked: Booked, last: int, extra_days: int) -> Step:
    def write(actor: Actor) -> Any:
        expected = as_json({"version": version_of(actor, booked), "difference": extra_days * RATE})
        return actor.ask("SELECT sentra.request_extension(%s, %s, %s)", booked.booking_id, march(last), expected)

    return Step("extend", write)


def outcome(actor: Actor, step: str) -> str:
    """What a step answered, as one word."""
    said = actor.said[step]
    if isinstance(said, Failed):
        return said.said
    if said is None:
        return "NOTHING"
    if "taken" in said:
        return "TAKEN"
    return str(said.get("outcome", "DONE"))
