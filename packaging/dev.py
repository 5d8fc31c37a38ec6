"""The project's one command: sets up the environment, then runs, tests or measures the program.

Usage: python3 packaging/dev.py --help

Only the standard library is used. This file also has to be read by interpreters that are too old for the
project, so that they are refused by name; everything newer than their syntax lives in `_dev/`.
"""

import os
import shutil
import sys

OLDEST_MINOR = 11
NEWEST_MINOR = 13
# 3.12 first: the newest one for which every locked dependency has a ready-made wheel, the private Redis included.
PREFERRED_MINORS = (12, 11, 13)


def interpreter_refusal(implementation: str, major: int, minor: int) -> str:
    """Say why this interpreter cannot run the project; empty when it can."""
    if implementation == "cpython" and major == 3 and OLDEST_MINOR <= minor <= NEWEST_MINOR:
        return ""
    name = "Python" if implementation == "cpython" else implementation
    return f"{name} {major}.{minor} cannot run this project: it needs CPython 3.{OLDEST_MINOR} to 3.{NEWEST_MINOR}."


def main() -> int:
    """Refuse a wrong interpreter with exit code 2; otherwise carry out the command line."""
    refusal = interpreter_refusal(sys.implementation.name, sys.version_info[0], sys.version_info[1])
    if refusal:
        print(refusal, file=sys.stderr)
        for minor in PREFERRED_MINORS:
            if shutil.which(f"python3.{minor}"):
                print(f"This machine has one: python3.{minor} packaging/dev.py …", file=sys.stderr)
                break
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:
        sys.path.insert(0, here)
    from _dev.commands import main as carry_out

    return carry_out(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
