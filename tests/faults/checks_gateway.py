"""Check of the gateway's money (I7): what was paid there became a payment or late money, once, and all of it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.faults.invariants import Evidence, Finding, invariant


@invariant("GATEWAY_MONEY")
def every_payment_at_the_gateway_is_explained_once(evidence: Evidence) -> Iterator[Finding]:
    """The gateway's own answer is the witness. While the run goes on it may be on its way still; never twice."""
    booked: dict[str, list[int]] = {}
    for order, amount in evidence.rows(
        """SELECT split_part(p.attempt_id, ':', 2), p.amount FROM sentra.payment AS p WHERE p.lock_epoch IS NULL
           UNION ALL
           SELECT l.provider_order_id, l.amount FROM sentra.late_money AS l
           WHERE l.state <> 'REINSTATED' AND l.reason NOT IN ('GIVEN_BACK', 'HELD_BACK')"""
    ):
        booked.setdefault(str(order), []).append(int(amount))
    for line in evidence.told["paid_there"]:
        found = booked.get(line["order_id"], [])
        if sum(found) > line["amount"] or (sum(found) < line["amount"] and not evidence.running):
            yield {"order_id": line["order_id"], "told": line["amount"], "found": found}
    for order, live in evidence.rows(
        """SELECT invoice_id::text, count(*) FROM sentra.gateway_attempt WHERE state IN ('ASKED', 'LIVE')
           GROUP BY 1 HAVING count(*) > 1"""
    ):
        yield {"invoice_id": order, "live": live}
