"""`python -m tests.faults.client`: one desk in a process of its own, working at random until it is ended or killed.

Reads one JSON object on its first line of standard input; later lines are orders, which come before its own ideas; the
end of standard input asks it to stop. Answers to orders are JSON lines on standard output.
"""

from __future__ import annotations

import json
import sys

from tests.faults.shifted_clock import shift_wall_clock


def main() -> int:
    """1 when something was seen that must never be."""
    asked = json.loads(sys.stdin.readline())
    shift_wall_clock(asked["shift_seconds"])
    from tests.faults.clerk import live  # only now: nothing of ours has looked at the right time

    return live(asked)


if __name__ == "__main__":
    sys.exit(main())
