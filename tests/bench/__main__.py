"""`python -m tests.bench NAME… [--json] [--small]`: run benchmarks, print their bars, end with 0 when all hold."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from tests.bench.bars import Line

# Each module has `run(small: bool) -> Iterable[Line]`; a new benchmark adds its line here.
BENCHES = {
    "grid-fetch": "tests.bench.grid_fetch",
    "search": "tests.bench.search_index",
    "memory": "tests.bench.memory",
    "push": "tests.bench.push",
    "book": "tests.bench.book",
    "invoice-lock": "tests.bench.invoice_lock",
    "startup": "tests.bench.startup",
    "rebuild": "tests.bench.rebuild",
    "paint": "tests.bench.paint",
}


class Bench(Protocol):
    """A benchmark module."""

    def run(self, small: bool) -> Iterable[Line]: ...


def as_text(line: Line) -> str:
    if "context" in line:
        return f"{line['bench']}: {json.dumps(line['context'])}"
    sign = "<=" if line["better"] == "lower" else ">="
    verdict = "holds" if line["holds"] else "BROKEN"
    return f"{line['bench']}: {line['bar']}: {line['value']} {sign} {line['limit']}: {verdict}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHES)}; none: all")
    parser.add_argument("--json", action="store_true", help="one JSON line per bar")
    parser.add_argument("--small", action="store_true", help="small sizes: shows that it runs, proves no bar")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in BENCHES]:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    all_hold = True
    for name in options.names or BENCHES:
        for line in cast(Bench, importlib.import_module(BENCHES[name])).run(options.small):
            all_hold = all_hold and line.get("holds") is not False
            sys.stdout.write((json.dumps(line) if options.json else as_text(line)) + "\n")
            sys.stdout.flush()
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
