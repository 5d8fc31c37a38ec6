"""`python -m tests.faults.reader`: reads a run back, having written none of it; one JSON line, exit 1 on any break.

Reads one JSON object on standard input: the history's folder and the two servers' URLs.
"""

from __future__ import annotations

import json
import logging
import sys
from collections import Counter as Tally
from collections import defaultdict
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.history import read_all
from tests.faults.invariants import Evidence, Line, all_breaks


def main() -> int:
    logging.disable(logging.CRITICAL)
    asked: dict[str, Any] = json.load(sys.stdin)
    told: defaultdict[str, list[Line]] = defaultdict(list)
    for line in read_all(Path(asked["history"])):
        told[line["what"]].append(line)
    with psycopg.connect(asked["database_url"], autocommit=True) as connection:
        evidence = Evidence(
            told=told, database_url=asked["database_url"], redis_url=asked["redis_url"], connection=connection
        )
        breaks = all_breaks(evidence)
    breaks += [{"invariant": line["invariant"], "by": line["by"], "seen": line["seen"]} for line in told["break"]]
    answer = {
        "operations": len(told["operation"]),
        "acknowledged": {
            "bookings": len({line["booking_id"] for line in told["booked"]}),
            "payments": len({line["payment_id"] for line in told["paid"]}),
            "cancels": len({line["booking_id"] for line in told["cancelled"]}),
        },
        "faults": dict(Tally(line["kind"] for line in told["fault"])),
        "breaks": breaks,
    }
    sys.stdout.write(json.dumps(answer, default=str) + "\n")
    return 1 if breaks else 0


if __name__ == "__main__":
    sys.exit(main())
