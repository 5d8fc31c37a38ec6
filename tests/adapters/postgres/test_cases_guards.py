"""Collected cases of other people's systems, held by the database: one transaction, no skipped rows, no way around."""

from __future__ import annotations

import datetime as dt
import re
import threading
import uuid
from collections import Counter as Tally
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

import app
from app.adapters.postgres.tx_booking import order_json
from app.adapters.postgres.tx_call import as_json
from app.adapters.postgres.tx_settlement import payment_json
from app.domain.booking import Action
from app.usecases.rows import BookedOrder, Taken
from tests.adapters.postgres.write_rig import PEOPLE, WriteRig, at_once, book_with, march, new_order, new_payment
from tests.support.waiting import eventually

# Queues: rows of work that anybody of the service may take. Nothing that decides who gets a unit or pays stands here.
QUEUES = {"expire_order", "claim_outbox", "claim_attempt", "end_due_holds", "mark_overdue"}


def test_r14_skip_locked_stands_in_queues_only(rig: WriteRig) -> None:
    """In stock a skipped row looks like a free one: booking, moving, blocking and paying wait, or fail."""
    found = {
        name
        for (name,) in rig.rows(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'sentra'::regnamespace AND prosrc ~* 'skip\\s+locked'"
        )
    }
    assert found == QUEUES

    in_python = [
        path.name
        for path in Path(app.__file__).parent.rglob("*.py")
        if re.search(r"skip[_\s]+locked", re.sub(r'""".*?"""', "", path.read_text("utf-8"), flags=re.S), re.IGNORECASE)
    ]
    assert in_python == []
    nowait = rig.rows(
        "SELECT proname FROM pg_proc WHERE pronamespace = 'sentra'::regnamespace AND prosrc ~* '\\mnowait\\M'"
    )
    assert nowait == [], "who does not wait decides from rows that he has not seen"


def test_r14_a_booking_waits_for_the_units_row_and_is_told_what_was_decided_there(rig: WriteRig) -> None:
    """The second clerk's booking does not pass by the locked unit: it stands until the first one is there."""
    answers: list[BookedOrder | Taken] = []
    with psycopg.connect(rig.database.url_for("rina")) as first:
        order = new_order(["AVZ-01"], march(10), march(12))
        told = first.execute("SELECT sentra.book_order(%s)", (as_json(order_json(order)),)).fetchone()
        assert told is not None
        second = threading.Thread(
            target=lambda: answers.append(book_with(rig.store("citra"), new_order(["AVZ-01"], march(12), march(13))))
        )
        second.start()
        eventually(
            lambda: rig.value(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
        )
        assert answers == [], "it has not been answered from what it could not see"
        first.commit()
        second.join(30)
    (taken,) = answers
    assert isinstance(taken, Taken)
    assert [(item.unit_id, item.booking_number) for item in taken.blockers] == [
        ("AVZ-01", told[0]["bookings"][0]["number"])
    ]


WORKERS, EACH = 8, 500


def test_r17_eight_workers_with_five_hundred_settlements_each_pay_every_invoice_once(rig: WriteRig) -> None:
    """4,000 tries at 250 invoices, each tried by all workers; numbers have no gap, and no invoice two payments."""
    orders = []
    for n in range(250):
        day = march(2) + dt.timedelta(days=n // 3)
        orders.append(rig.book(f"AVZ-0{1 + n % 3}", first=day, last=day))
    workers = [("bayu", n) if n % 2 else ("citra", n) for n in range(WORKERS)]
    rig.open_shift("bayu")
    rig.open_shift("citra")

    def work(login: str, number: int) -> Tally[str]:
        said: Tally[str] = Tally()
        with psycopg.connect(rig.database.url_for(login), autocommit=True) as mine:
            for step in range(EACH):
                order = orders[(step * 7 + number * 31) % len(orders)]
                token = f"{uuid.uuid4()}{uuid.uuid4()}"
                lock = _one(mine, "SELECT sentra.take_lock(%s, %s, %s)", order.invoice_id, token, f"K{number}")
                epoch = lock["epoch"]
                # Whoever did not get the lock pays all the same, as a program without manners does.
                payment = as_json(payment_json(new_payment(order, token, epoch)))
                said[_one(mine, "SELECT sentra.settle_invoice(%s)", payment)["outcome"]] += 1
        return said

    found = at_once([partial(work, login, number) for login, number in workers])
    said: Tally[str] = Tally()
    for one in found:
        assert isinstance(one, Tally), one
        said += one
    assert sum(said.values()) == WORKERS * EACH
    assert set(said) <= {"PAID", "LOCK_LOST", "NOT_OPEN"}, said
    paid = rig.value("SELECT count(*) FROM sentra.invoice WHERE state = 'PAID'")
    assert said["PAID"] == paid == rig.value("SELECT count(*) FROM sentra.payment")
    assert rig.value("SELECT max(n) FROM (SELECT count(*) AS n FROM sentra.payment GROUP BY invoice_id) AS x") == 1
    numbers = sorted(number for (number,) in rig.rows("SELECT number FROM sentra.invoice WHERE number IS NOT NULL"))
    assert numbers == [f"INV/JKT/202703/{n:05}" for n in range(1, paid + 1)]
    rig.insist_on_invariants()


def _one(connection: psycopg.Connection[tuple[Any, ...]], statement: str, *parameters: object) -> Any:
    row = connection.execute(statement.encode(), parameters).fetchone()
    assert row is not None
    return row[0]


def test_r19_lock_check_and_every_row_of_a_booking_are_one_transaction(rig: WriteRig) -> None:
    """The unit's version, order, bookings, days, invoice, lines, customer, audit and outbox are of one number."""
    rig.book("AVZ-02", "AVZ-01", first=march(10), last=march(12))
    tables = ("booking_order", "booking", "occupancy", "invoice", "invoice_line", "outbox", "customer", "audit")
    numbers = {
        table: {xid for (xid,) in rig.rows(f"SELECT DISTINCT xmin::text FROM sentra.{table} {_ONLY.get(table, '')}")}
        for table in tables
    }
    numbers["unit"] = {
        xid for (xid,) in rig.rows("SELECT DISTINCT xmin::text FROM sentra.unit WHERE id IN ('AVZ-01', 'AVZ-02')")
    }
    assert len(set().union(*numbers.values())) == 1, numbers
    ((of_audit,),) = rig.rows("SELECT DISTINCT (txid % 4294967296)::text FROM sentra.audit WHERE action = 'create'")
    assert {of_audit} == numbers["booking"]


_ONLY = {"audit": "WHERE action = 'create'", "outbox": "WHERE done_at IS NULL"}


def test_r19_lock_check_and_every_row_of_a_payment_a_cancel_and_an_expiry_are_one_transaction(rig: WriteRig) -> None:
    rig.open_shift()
    paid = rig.book("AVZ-01", first=march(10), last=march(12))
    cancelled = rig.book("AVZ-02", first=march(10), last=march(12))
    expired = rig.book("AVZ-03", first=march(10), last=march(12))
    rig.pay(paid)
    rig.cancel(cancelled.bookings[0].id)
    rig.minutes_pass(16)
    assert len(rig.expire()) == 1
    for order, action, tables in (
        (paid, Action.PAY, "payment p ON p.invoice_id = i.id"),
        (cancelled, Action.CANCEL, "freed_stretch p ON p.booking_id = b.id"),
        (expired, Action.EXPIRE, "freed_stretch p ON p.booking_id = b.id"),
    ):
        ((same, of_audit),) = rig.rows(
            f"""SELECT b.xmin = i.xmin AND p.xmin = b.xmin, a.txid %% 4294967296 = b.xmin::text::bigint
                FROM sentra.booking b JOIN sentra.invoice i ON i.order_id = b.order_id JOIN sentra.{tables}
                JOIN sentra.audit a ON a.subject = b.id::text AND a.action = %s WHERE b.order_id = %s""",
            action.value,
            order.order_id,
        )
        assert (same, of_audit) == (True, True), action
    freed = rig.rows(
        "SELECT o.xmin = b.xmin FROM sentra.occupancy o JOIN sentra.booking b ON b.id = o.booking_id WHERE NOT o.active"
    )
    assert freed == [(True,), (True,)]


@pytest.mark.parametrize("login", [login for login, _, _ in PEOPLE])
def test_r23_nobody_puts_an_overlapping_row_in_by_hand(rig: WriteRig, login: str) -> None:
    """As every login: no right to try. With the right given by hand: the constraint, whatever is written around it."""
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    insert = (
        "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
        " VALUES ('AVZ-01', 'AVZ', 'JKT', '[2027-03-12,2027-03-14]', 'BOOKING', %s)"
    )
    widen = "UPDATE sentra.occupancy SET days = '[2027-03-09,2027-03-30]' WHERE booking_id <> %s"
    rig.book("AVZ-01", first=march(20), last=march(22))
    with rig.psql(login) as mine:
        for statement in (insert, widen):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                mine.execute(statement.encode(), (booked.bookings[0].id,))
        given = sql.SQL("GRANT SELECT, INSERT, UPDATE ON sentra.occupancy TO {}").format(
            sql.Identifier(rig.role(login))
        )
        rig.owner.execute(given)
        for statement in (insert, widen):
            with pytest.raises(psycopg.errors.ExclusionViolation) as refused:
                mine.execute(statement.encode(), (booked.bookings[0].id,))
            assert refused.value.diag.constraint_name == "occupancy_no_overlap"
    assert rig.taken("AVZ-01") == [(march(10), march(12)), (march(20), march(22))]
