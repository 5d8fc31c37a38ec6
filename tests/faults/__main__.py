"""`python -m tests.faults --minutes N --seed S --json`: prove that nothing acknowledged is ever lost or doubled."""

from __future__ import annotations

import argparse
import json
import secrets
import sys

from tests.faults.run import run_faults


def main() -> int:
    """One JSON line; exit 1 on any break. The seed repeats the dice, not the timing of processes."""
    parser = argparse.ArgumentParser(prog="dev.py faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--clients", type=int, default=8, help="client processes at a time")
    parser.add_argument("--json", action="store_true", help="nothing but the one line")
    given = parser.parse_args()
    seed = secrets.randbelow(2**31) if given.seed is None else given.seed
    if not given.json:
        sys.stderr.write(f"faults for {given.minutes:g} min with {given.clients} clients, seed {seed}\n")
    answer = run_faults(minutes=given.minutes, seed=seed, clients=given.clients)
    sys.stdout.write(json.dumps(answer, default=str) + "\n")
    return 1 if answer["breaks"] else 0


if __name__ == "__main__":
    sys.exit(main())
