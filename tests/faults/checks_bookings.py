"""Checks of bookings: every acknowledged one is there as it was told, and no unit was given to two people."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from app.bootstrap import open_doctor, open_service
from app.settings import Settings
from tests.faults.invariants import Evidence, Finding, invariant

ONCE_SETTLED = frozenset({"I6", "I7", "I9"})
"""Deadlines, gateway money and effects outside: while the clock jumps and servers are away they are late, not lost."""

Told = tuple[str, dt.date, dt.date]
"""Unit, first and last day."""


@invariant("DOCTOR")
def doctor_finds_nothing(evidence: Evidence) -> Iterator[Finding]:
    """I1, I3 to I6, I9 to I11 by SQL and I2 bit by bit, packed strings and claims included."""
    settings = Settings(database_url=evidence.database_url, redis_url=evidence.redis_url, redlock_urls=None)
    if evidence.running:
        service = open_service(settings)
        try:
            found = [item for item in service.store.read.breaks() if item.invariant not in ONCE_SETTLED]
        finally:
            service.close()
    else:
        doctor, close = open_doctor(settings)
        try:
            found = list(doctor.examine().breaks)
        finally:
            close()
    for item in found:
        yield {"of": item.invariant, "unit_id": item.unit_id, "day": item.day, "redis": item.redis,
               "postgres": item.postgres, "id": item.id}  # fmt: skip


@invariant("ACKNOWLEDGED_BOOKING")
def every_acknowledged_booking_is_there(evidence: Evidence) -> Iterator[Finding]:
    """Under its number; each version that was told is in the audit as it was told, and none of them is undone."""
    there = {
        str(row[0]): row[1:] for row in evidence.rows("SELECT id, number, version, order_id::text FROM sentra.booking")
    }
    audited = _audited(evidence)
    for line in evidence.told["booked"]:
        found = there.get(line["booking_id"])
        if found is None or (found[0], found[2]) != (line["number"], line["order_id"]):
            yield {"booking_id": line["booking_id"], "told": line["number"], "found": str(found)}
    for line in (*evidence.told["booked"], *evidence.told["changed"]):
        told = (line["unit_id"], day_of(line["first"]), day_of(line["last"]))
        recorded = audited.get((line["booking_id"], line["version"]))
        if recorded != told:
            yield {"booking_id": line["booking_id"], "version": line["version"], "told": str(told),
                   "found": str(recorded)}  # fmt: skip
        found = there.get(line["booking_id"])
        if found is not None and found[1] < line["version"]:
            yield {"booking_id": line["booking_id"], "told": f"version {line['version']}", "found": str(found[1])}


@invariant("ACKNOWLEDGED_CANCEL")
def every_acknowledged_cancel_is_final(evidence: Evidence) -> Iterator[Finding]:
    states = {str(id): state for id, state in evidence.rows("SELECT id, state FROM sentra.booking")}
    for line in evidence.told["cancelled"]:
        if states.get(line["booking_id"]) != "CANCELLED":
            yield {"booking_id": line["booking_id"], "found": states.get(line["booking_id"])}


@invariant("ONE_UNIT_ONE_BOOKING")
def no_two_acknowledged_bookings_overlap_while_both_stand(evidence: Evidence) -> Iterator[Finding]:
    """From what the clients were told, planned maintenance included; the database only says which of them ended, or
    were changed by a desk that was killed before it could tell."""
    standing = {
        str(id): (version, state, (unit, first, last))
        for id, version, state, unit, first, last in evidence.rows(
            "SELECT id, version, state, unit_id, first_day, last_day FROM sentra.booking"
        )
    }
    told: dict[str, tuple[int, Told]] = {}
    for line in (*evidence.told["booked"], *evidence.told["changed"]):
        here = (line["unit_id"], day_of(line["first"]), day_of(line["last"]))
        if line["booking_id"] not in told or told[line["booking_id"]][0] < line["version"]:
            told[line["booking_id"]] = (line["version"], here)
    audited = _audited(evidence)
    by_unit = defaultdict(list)
    for booking_id, (version, here) in told.items():
        now = standing.get(booking_id)
        if now is not None and now[1] in {"CANCELLED", "COMPLETED"}:
            continue
        if now is not None and any(
            audited.get((booking_id, later)) not in {here, None} for later in range(version + 1, now[0] + 1)
        ):
            here = now[2]
        by_unit[here[0]].append((here[1], here[2], booking_id))
    blocking = {
        str(id) for (id,) in evidence.rows("SELECT id FROM sentra.maintenance WHERE state IN ('SCHEDULED', 'RUNNING')")
    }
    for line in evidence.told["blocked"]:
        if not line["breakdown"] and line["block_id"] in blocking:
            by_unit[line["unit_id"]].append((day_of(line["first"]), day_of(line["last"]), line["block_id"]))
    for unit, stays in by_unit.items():
        stays.sort()
        for before, after in pairwise(stays):
            if after[0] <= before[1]:
                yield {"unit_id": unit, "of": [before[2], after[2]]}


@invariant("REFUSED_ORDER")
def a_refused_order_wrote_nothing(evidence: Evidence) -> Iterator[Finding]:
    there = {str(id) for (id,) in evidence.rows("SELECT id FROM sentra.booking_order")}
    for line in evidence.told["refused"]:
        if line["op"] == "book" and line["code"] != "UNREACHABLE" and line["order_id"] in there:
            yield {"order_id": line["order_id"], "told": line["code"], "found": "booked"}


def _audited(evidence: Evidence) -> dict[tuple[str, int], Told]:
    return {
        (subject, version): (unit, day_of(first), day_of(last))
        for subject, version, unit, first, last in evidence.rows(
            """SELECT a.subject, (a.after->>'version')::integer, a.after->>'unit_id', a.after->>'first_day',
                      a.after->>'last_day'
               FROM sentra.audit AS a WHERE a.after ?& ARRAY['version', 'unit_id', 'first_day', 'last_day']"""
        )
    }


def day_of(text: str) -> dt.date:
    return dt.date.fromisoformat(text)
