"""Checks of places on the waitlist (I8 as far as there are no offers) and of maintenance blocks."""

from __future__ import annotations

from collections.abc import Iterator

from tests.faults.checks_bookings import Told, day_of
from tests.faults.invariants import Evidence, Finding, invariant


@invariant("ACKNOWLEDGED_PLACE")
def every_acknowledged_place_waits_until_it_is_withdrawn(evidence: Evidence) -> Iterator[Finding]:
    """Entries are conserved: none is lost, none leaves the list by itself, a customer waits once for a SKU and day."""
    states = {str(id): state for id, state in evidence.rows("SELECT id, state FROM sentra.waitlist_entry")}
    withdrawn = {line["entry_id"] for line in evidence.told["withdrawn"]}
    asked = {line["entry_id"] for line in evidence.told["asked"] if line["op"] == "withdraw"}
    for line in evidence.told["joined"]:
        entry = line["entry_id"]
        may_be_gone = evidence.running or entry in asked  # a line of the withdrawal may be younger than what was read
        allowed = {"WITHDRAWN"} if entry in withdrawn else {"WAITING", "WITHDRAWN"} if may_be_gone else {"WAITING"}
        if states.get(entry) not in allowed:
            yield {"entry_id": entry, "told": sorted(allowed), "found": states.get(entry)}
    for customer, sku, first, places in evidence.rows(
        """SELECT customer_id::text, sku_id, first_day, count(*) FROM sentra.waitlist_entry
           WHERE state IN ('WAITING', 'OFFERED') GROUP BY 1, 2, 3, branch_id HAVING count(*) > 1"""
    ):
        yield {"customer_id": customer, "sku": sku, "first": str(first), "places": places}


@invariant("ACKNOWLEDGED_BLOCK")
def every_acknowledged_block_stands_until_it_is_ended(evidence: Evidence) -> Iterator[Finding]:
    there = {
        str(id): (unit, first, last, state)
        for id, unit, first, last, state in evidence.rows(
            "SELECT id, unit_id, lower(days), upper(days) - 1, state FROM sentra.maintenance"
        )
    }
    ended = {line["block_id"] for line in evidence.told["unblocked"]}
    asked = {line["block_id"] for line in evidence.told["asked"] if line["op"] == "unblock"}
    for line in evidence.told["blocked"]:
        block = line["block_id"]
        told: Told = (line["unit_id"], day_of(line["first"]), day_of(line["last"]))
        found = there.get(block)
        stands = found is not None and found[3] in {"SCHEDULED", "RUNNING"}
        may_be_gone = evidence.running or block in asked
        if found is None or (stands and found[:3] != told) or not (stands or may_be_gone):
            yield {"block_id": block, "told": str(told), "found": str(found)}
        elif stands and block in ended:
            yield {"block_id": block, "told": "ended", "found": found[3]}
