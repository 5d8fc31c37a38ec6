"""The registry of what must hold at the end of a run, read by a process that wrote none of it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from app.bootstrap import open_doctor
from app.settings import Settings

Line = Mapping[str, Any]
Finding = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the clients were told, by kind, and a connection of the owner to what is really there."""

    told: Mapping[str, Sequence[Line]]
    database_url: str
    redis_url: str
    connection: psycopg.Connection[tuple[Any, ...]]

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


@invariant("DOCTOR")
def doctor_finds_nothing(evidence: Evidence) -> Iterator[Finding]:
    """I1, I3 to I6, I9 to I11 by SQL and I2 bit by bit, packed strings and claims included."""
    settings = Settings(database_url=evidence.database_url, redis_url=evidence.redis_url, redlock_urls=None)
    doctor, close = open_doctor(settings)
    try:
        for item in doctor.examine().breaks:
            yield {"of": item.invariant, "unit_id": item.unit_id, "day": item.day, "redis": item.redis,
                   "postgres": item.postgres, "id": item.id}  # fmt: skip
    finally:
        close()


@invariant("ACKNOWLEDGED_BOOKING")
def every_acknowledged_booking_is_there(evidence: Evidence) -> Iterator[Finding]:
    there = {
        str(row[0]): row[1:]
        for row in evidence.rows("SELECT id, unit_id, first_day, last_day, number FROM sentra.booking")
    }
    for line in evidence.told["booked"]:
        told = (line["unit_id"], _day(line["first"]), _day(line["last"]), line["number"])
        if there.get(line["booking_id"]) != told:
            yield {"booking_id": line["booking_id"], "told": str(told), "found": str(there.get(line["booking_id"]))}


@invariant("ACKNOWLEDGED_PAYMENT")
def every_acknowledged_payment_is_there_and_its_booking_is_approved(evidence: Evidence) -> Iterator[Finding]:
    there = {
        str(row[0]): row[1:]
        for row in evidence.rows(
            """SELECT p.id, p.invoice_id::text, i.number, p.amount, p.attempt_id, p.lock_epoch, i.state
               FROM sentra.payment AS p JOIN sentra.invoice AS i ON i.id = p.invoice_id"""
        )
    }
    approved = {str(id) for (id,) in evidence.rows("SELECT id FROM sentra.booking WHERE state = 'PAID_APPROVED'")}
    cancelled = {line["booking_id"] for line in evidence.told["cancelled"]}
    of_invoice = defaultdict(list)
    for line in evidence.told["booked"]:
        of_invoice[line["invoice_id"]].append(line["booking_id"])
    for line in evidence.told["paid"]:
        told = (line["invoice_id"], line["number"], line["amount"], line["attempt_id"], line["epoch"], "PAID")
        if there.get(line["payment_id"]) != told:
            yield {"payment_id": line["payment_id"], "told": str(told), "found": str(there.get(line["payment_id"]))}
        for booking in of_invoice[line["invoice_id"]]:
            if booking not in approved | cancelled:
                yield {"payment_id": line["payment_id"], "booking_id": booking, "found": "not PAID_APPROVED"}


@invariant("ACKNOWLEDGED_CANCEL")
def every_acknowledged_cancel_is_final(evidence: Evidence) -> Iterator[Finding]:
    states = {str(id): state for id, state in evidence.rows("SELECT id, state FROM sentra.booking")}
    for line in evidence.told["cancelled"]:
        if states.get(line["booking_id"]) != "CANCELLED":
            yield {"booking_id": line["booking_id"], "found": states.get(line["booking_id"])}


@invariant("ONE_UNIT_ONE_BOOKING")
def no_two_acknowledged_bookings_overlap_while_both_stand(evidence: Evidence) -> Iterator[Finding]:
    """From what the clients were told alone: the database only says which of them were ended."""
    ended = {str(id) for (id,) in evidence.rows("SELECT id FROM sentra.booking WHERE state = 'CANCELLED'")}
    by_unit = defaultdict(list)
    for line in evidence.told["booked"]:
        if line["booking_id"] not in ended:
            by_unit[line["unit_id"]].append((_day(line["first"]), _day(line["last"]), line["booking_id"]))
    for unit, stays in by_unit.items():
        for before, after in zip(sorted(set(stays)), sorted(set(stays))[1:], strict=False):
            if after[0] <= before[1]:
                yield {"unit_id": unit, "bookings": [before[2], after[2]]}


@invariant("ONE_PAYER")
def an_invoice_is_paid_once_and_numbers_have_no_gap(evidence: Evidence) -> Iterator[Finding]:
    for (invoice,) in evidence.rows("SELECT invoice_id::text FROM sentra.payment GROUP BY 1 HAVING count(*) > 1"):
        yield {"invoice_id": invoice, "found": "several payments"}
    for branch, month, last, found in evidence.rows(
        """SELECT n.branch_id, n.month, n.last, count(i.id) FROM sentra.number_counter AS n
           LEFT JOIN sentra.invoice AS i ON i.branch_id = n.branch_id AND i.number LIKE '%/' || n.month || '/%'
           GROUP BY 1, 2, 3 HAVING count(i.id) <> n.last"""
    ):
        yield {"branch": branch, "month": month, "last": last, "numbers": found}


@invariant("EPOCHS")
def no_epoch_pays_twice_and_none_was_given_to_two_payers(evidence: Evidence) -> Iterator[Finding]:
    seen: dict[tuple[str, int], str] = {}
    for line in evidence.told["paid"]:
        other = seen.setdefault((line["invoice_id"], line["epoch"]), line["payment_id"])
        if other != line["payment_id"]:
            yield {"invoice_id": line["invoice_id"], "epoch": line["epoch"], "payments": [other, line["payment_id"]]}


def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)
