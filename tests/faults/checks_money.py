"""Checks of money: every acknowledged payment is there, once, under the lock of its time; epochs only grow."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator

from tests.faults.invariants import Evidence, Finding, Line, invariant


@invariant("ACKNOWLEDGED_PAYMENT")
def every_acknowledged_payment_is_there_and_its_booking_is_approved(evidence: Evidence) -> Iterator[Finding]:
    there = {
        str(row[0]): row[1:]
        for row in evidence.rows(
            """SELECT p.id, p.invoice_id::text, i.number, p.amount, p.attempt_id, p.lock_epoch, i.state
               FROM sentra.payment AS p JOIN sentra.invoice AS i ON i.id = p.invoice_id"""
        )
    }
    unpaid = defaultdict(list)
    for invoice, booking, state in evidence.rows(
        """SELECT DISTINCT l.invoice_id::text, b.id::text, b.state FROM sentra.invoice_line AS l
           JOIN sentra.booking AS b ON b.id = l.booking_id
           WHERE l.active AND (b.state = 'PENDING_PAYMENT'
                               OR (b.state = 'CANCELLED' AND b.last_action NOT IN ('cancel_paid', 'no_show')))"""
    ):
        unpaid[invoice].append((booking, state))
    for line in evidence.told["paid"]:
        told = (line["invoice_id"], line["number"], line["amount"], line["attempt_id"], line["epoch"], "PAID")
        if there.get(line["payment_id"]) != told:
            yield {"payment_id": line["payment_id"], "told": str(told), "found": str(there.get(line["payment_id"]))}
        for booking, state in unpaid[line["invoice_id"]]:
            yield {"payment_id": line["payment_id"], "booking_id": booking, "found": state}


@invariant("ONE_PAYER")
def an_invoice_is_paid_once_and_numbers_have_no_gap(evidence: Evidence) -> Iterator[Finding]:
    for (invoice,) in evidence.rows("SELECT invoice_id::text FROM sentra.payment GROUP BY 1 HAVING count(*) > 1"):
        yield {"invoice_id": invoice, "found": "several payments"}
    payers = defaultdict(set)
    for line in evidence.told["paid"]:
        payers[line["invoice_id"]].add(line["payment_id"])
    for invoice, payments in payers.items():
        if len(payments) > 1:
            yield {"invoice_id": invoice, "told": sorted(payments)}
    for branch, month, last, found in evidence.rows(
        """SELECT n.branch_id, n.month, n.last, count(i.id) FROM sentra.number_counter AS n
           LEFT JOIN sentra.invoice AS i ON i.branch_id = n.branch_id AND i.number LIKE '%/' || n.month || '/%'
           GROUP BY 1, 2, 3 HAVING count(i.id) <> n.last"""
    ):
        yield {"branch": branch, "month": month, "last": last, "numbers": found}


@invariant("EPOCHS")
def epochs_only_grow_and_each_is_one_lock(evidence: Evidence) -> Iterator[Finding]:
    """In the order of things: a lock that was asked for after another was told has the greater epoch, none is given
    twice, and the invoice never falls behind what was told."""
    locks: defaultdict[str, list[Line]] = defaultdict(list)
    for line in evidence.told["locked"]:
        locks[line["invoice_id"]].append(line)
    now = {str(id): epoch for id, epoch in evidence.rows("SELECT id, lock_epoch FROM sentra.invoice")}
    for invoice, lines in locks.items():
        lines.sort(key=lambda line: line["at"])
        if len({line["epoch"] for line in lines}) < len(lines):
            yield {"invoice_id": invoice, "found": "one epoch, two locks", "epochs": [line["epoch"] for line in lines]}
        for first in lines:
            for later in lines:
                if later["asked"] > first["at"] and later["epoch"] <= first["epoch"]:
                    yield {"invoice_id": invoice, "first": first["epoch"], "later": later["epoch"]}
        if now.get(invoice, 0) < max(line["epoch"] for line in lines):
            yield {"invoice_id": invoice, "told": max(line["epoch"] for line in lines), "found": now.get(invoice)}
    for line in evidence.told["paid"]:
        if now.get(line["invoice_id"]) != line["epoch"]:
            yield {"invoice_id": line["invoice_id"], "paid_under": line["epoch"], "found": now.get(line["invoice_id"])}


@invariant("PAID_IN_TIME")
def nobody_paid_under_a_lock_that_had_ended(evidence: Evidence) -> Iterator[Finding]:
    """By the database's clock: the moment of paying lies before the latest end that the lock can have had."""
    ends: dict[tuple[str, int], dt.datetime] = {}
    for line in (*evidence.told["lock_ends"], *evidence.told["renewed"]):
        key, latest = (line["invoice_id"], line["epoch"]), dt.datetime.fromisoformat(line["latest"])
        ends[key] = max(latest, ends.get(key, latest))
    for line in evidence.told["paid"]:
        end = ends.get((line["invoice_id"], line["epoch"]))
        if end is not None and dt.datetime.fromisoformat(line["paid_at"]) >= end:
            yield {"payment_id": line["payment_id"], "paid_at": line["paid_at"], "lock_ended": str(end)}


@invariant("REFUSED_ATTEMPT")
def a_refused_attempt_wrote_nothing(evidence: Evidence) -> Iterator[Finding]:
    there = {str(attempt) for (attempt,) in evidence.rows("SELECT attempt_id FROM sentra.payment")}
    for line in evidence.told["refused"]:
        if line.get("attempt_id") in there and line["code"] != "UNREACHABLE":
            yield {"attempt_id": line["attempt_id"], "told": line["code"], "found": "a payment"}


@invariant("GIVEN_BACK")
def a_paid_booking_that_ended_gives_back_what_was_told_and_its_whole_deposit(evidence: Evidence) -> Iterator[Finding]:
    """Once; and no invoice gives back more than was paid for it."""
    # Read before what is due: a booking that ends between the two is among those that are due, and not the other way.
    deposits = evidence.rows(
        """SELECT b.id::text, sum(l.amount)::bigint FROM sentra.booking AS b
           JOIN sentra.invoice_line AS l ON l.booking_id = b.id AND l.active AND l.kind = 'DEPOSIT'
           JOIN sentra.invoice AS i ON i.id = l.invoice_id AND i.state = 'PAID'
           WHERE b.last_action IN ('cancel_paid', 'no_show') GROUP BY 1"""
    )
    due = {
        str(booking): (int(rent), int(deposit))
        for booking, rent, deposit in evidence.rows(
            """SELECT b.id, coalesce(sum(r.amount) FILTER (WHERE r.kind = 'RENT'), 0),
                      coalesce(sum(r.amount) FILTER (WHERE r.kind = 'DEPOSIT'), 0)
               FROM sentra.booking AS b LEFT JOIN sentra.refund AS r ON r.booking_id = b.id AND r.state <> 'VOID'
               WHERE b.last_action IN ('cancel_paid', 'no_show') GROUP BY b.id"""
        )
    }
    for line in evidence.told["given_back"]:
        if due.get(line["booking_id"]) != (line["rent"], line["deposit"]):
            yield {"booking_id": line["booking_id"], "told": str(line), "found": str(due.get(line["booking_id"]))}
    for booking, deposit in deposits:
        if due[booking][1] != deposit:
            yield {"booking_id": booking, "deposit": deposit, "found": due[booking][1]}
    for invoice, paid, back in evidence.rows(
        """SELECT p.invoice_id::text, p.amount, sum(r.amount)::bigint FROM sentra.payment AS p
           JOIN sentra.refund AS r ON r.invoice_id = p.invoice_id AND r.state <> 'VOID'
           GROUP BY 1, 2 HAVING sum(r.amount) > p.amount"""
    ):
        yield {"invoice_id": invoice, "paid": paid, "given_back": back}
