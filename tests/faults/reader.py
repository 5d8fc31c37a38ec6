"""`python -m tests.faults.reader`: reads a run back, having written none of it; one JSON line, exit 1 on any break.

Reads one JSON object on standard input: the history's folder, the two servers' URLs, and whether the run still goes on.
"""

from __future__ import annotations

import json
import logging
import sys
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from app.domain.errors import Refusal, RefusalCode
from tests.faults.checks import all_breaks
from tests.faults.history import read_all
from tests.faults.invariants import Evidence, Finding, Line

ACKNOWLEDGED = {
    "bookings": ("booked", "booking_id"),
    "payments": ("paid", "payment_id"),
    "cancels": ("cancelled", "booking_id"),
    "changes": ("changed", "booking_id"),
    "locks": ("locked", "epoch"),
    "places": ("joined", "entry_id"),
    "blocks": ("blocked", "block_id"),
    "gateway payments": ("paid_there", "order_id"),
}
"""What is counted as acknowledged: the kind of line, and what names one of them."""


AWAY = 4
"""The exit code when a server was away while the run went on: nothing was found out."""


def main() -> int:
    logging.disable(logging.CRITICAL)
    asked: dict[str, Any] = json.load(sys.stdin)
    told: defaultdict[str, list[Line]] = defaultdict(list)
    for line in read_all(Path(asked["history"])):
        told[line["what"]].append(line)
    try:
        breaks = _breaks(asked, told)
    except (psycopg.OperationalError, Refusal) as away:
        if not asked["running"] or (isinstance(away, Refusal) and away.code is not RefusalCode.UNREACHABLE):
            raise
        return AWAY
    breaks += [{"invariant": line["invariant"], "by": line["by"], "seen": line["seen"]} for line in told["break"]]
    answer = {
        "operations": len(told["operation"]),
        "by_operation": dict(sorted(Tally(line["op"] for line in told["operation"]).items())),
        "acknowledged": {
            name: len({(line.get("invoice_id"), line.get("version"), line[key]) for line in told[kind]})
            for name, (kind, key) in ACKNOWLEDGED.items()
        },
        "refused": dict(sorted(Tally(f"{line['op']} {line['code']}" for line in told["refused"]).items())),
        "faults": dict(Tally(line["kind"] for line in told["fault"])),
        "breaks": breaks,
    }
    sys.stdout.write(json.dumps(answer, default=str) + "\n")
    return 1 if breaks else 0


def _breaks(asked: Mapping[str, Any], told: Mapping[str, list[Line]]) -> list[Finding]:
    with psycopg.connect(asked["database_url"], autocommit=True) as connection:
        evidence = Evidence(
            told=told,
            database_url=asked["database_url"],
            redis_url=asked["redis_url"],
            connection=connection,
            running=asked["running"],
        )
        return all_breaks(evidence)


if __name__ == "__main__":
    sys.exit(main())
