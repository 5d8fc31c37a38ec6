"""The benchmark command: bars hold or break by their limit, names are known, and a broken bar is an exit code."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator

import pytest

from tests.bench import __main__ as command
from tests.bench import grid_fetch
from tests.bench.bars import Bar, Line, context, medians_ms, percentile


@pytest.mark.parametrize(
    ("value", "limit", "better", "holds"),
    [(1.0, 1.0, "lower", True), (1.01, 1.0, "lower", False), (1.0, 1.0, "higher", True), (0.99, 1.0, "higher", False)],
)
def test_a_bar_holds_at_its_limit_and_not_beyond(value: float, limit: float, better: str, holds: bool) -> None:
    bar = Bar(bench="b", bar="x", value=value, limit=limit, better=better)  # type: ignore[arg-type]
    assert bar.as_line() == {
        "bench": "b",
        "bar": "x",
        "value": value,
        "limit": limit,
        "better": better,
        "holds": holds,
    }


@pytest.mark.parametrize(("value", "code"), [(0.5, 0), (2.0, 1)])
def test_the_command_prints_json_lines_and_ends_with_1_when_a_bar_breaks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], value: float, code: int
) -> None:
    def measured(small: bool) -> Iterator[Line]:
        yield Bar(bench="grid-fetch", bar="x", value=value, limit=1).as_line()
        yield context("grid-fetch", small=small)

    monkeypatch.setattr(grid_fetch, "run", measured)
    assert command.main(["grid-fetch", "--json", "--small"]) == code
    bar, facts = map(json.loads, capsys.readouterr().out.splitlines())
    assert bar["holds"] is (code == 0)
    assert facts == {"bench": "grid-fetch", "context": {"small": True}}


def test_an_unknown_benchmark_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["grid-fetch", "no-such"])
    assert ended.value.code == 2
    assert "no-such" in capsys.readouterr().err


@pytest.mark.parametrize("module", command.BENCHES.values())
def test_every_registered_benchmark_can_be_run(module: str) -> None:
    assert callable(importlib.import_module(module).run)


def test_sides_are_measured_in_turns_after_a_warm_up() -> None:
    order: list[str] = []
    found = medians_ms({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, rounds=2, calls=2)
    assert "".join(order) == "aabb" * 3
    assert set(found) == {"a", "b"}


def test_a_percentile_is_one_of_the_values() -> None:
    assert (percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.99), percentile([7], 0.99)) == (2, 3, 7)
