"""What a benchmark reports: bars that hold or do not, and the context they were measured in."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Line = dict[str, object]
ROUNDS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One figure and the limit it must keep. Ratios are taken in one process, interleaved: noise hits both sides."""

    bench: str
    bar: str
    value: float
    limit: float
    better: Literal["lower", "higher"] = "lower"

    @property
    def holds(self) -> bool:
        return self.value <= self.limit if self.better == "lower" else self.value >= self.limit

    def as_line(self) -> Line:
        return {
            "bench": self.bench,
            "bar": self.bar,
            "value": float(f"{self.value:.4g}"),
            "limit": self.limit,
            "better": self.better,
            "holds": self.holds,
        }


def context(bench: str, **facts: object) -> Line:
    """Sizes, versions and raw medians: what the bars alone do not say."""
    return {"bench": bench, "context": facts}


def medians_ms(sides: Mapping[str, Callable[[], object]], rounds: int = ROUNDS, calls: int = 1) -> dict[str, float]:
    """Median milliseconds of one call of each side, taken in turns of `calls` calls after a warm-up turn of each."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(rounds + 1):
        for name, run in sides.items():
            began = time.perf_counter()
            for _ in range(calls):
                run()
            if turn:
                times[name].append((time.perf_counter() - began) * 1_000 / calls)
    return {name: statistics.median(taken) for name, taken in times.items()}


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
