"""dev.py's command line: who is refused, and what each command needs before the program takes over."""

import ast
import subprocess
import sys
from pathlib import Path

import dev
import pytest
from _dev.commands import plan_of, wish_of
from _dev.environment import DEV_LOCK, RUN_LOCK
from _dev.stop import Stop
from _dev.system import Use

SCRIPT = Path(dev.__file__)
WITH_SCREEN = {"DISPLAY": ":0"}


@pytest.mark.parametrize("minor", [11, 12, 13])
def test_a_supported_interpreter_is_accepted(minor: int) -> None:
    assert dev.interpreter_refusal("cpython", 3, minor) == ""


@pytest.mark.parametrize(
    ("implementation", "major", "minor", "name"),
    [
        ("cpython", 3, 10, "Python 3.10"),
        ("cpython", 3, 14, "Python 3.14"),
        ("cpython", 4, 12, "Python 4.12"),
        ("pypy", 3, 11, "pypy 3.11"),
    ],
)
def test_another_interpreter_is_refused_by_name(implementation: str, major: int, minor: int, name: str) -> None:
    refusal = dev.interpreter_refusal(implementation, major, minor)
    assert refusal.startswith(f"{name} cannot run this project")
    assert "CPython 3.11 to 3.13" in refusal


def test_the_entry_file_is_readable_by_interpreters_that_it_refuses() -> None:
    old = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))
    assert isinstance(old.body[0], ast.Expr)


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, encoding="utf-8", timeout=60)


def test_help_lists_every_command_on_standard_output() -> None:
    answer = _run("--help")
    assert answer.returncode == 0
    for command in ("run", "test", "bench", "faults", "shots", "build", "lock"):
        assert f"\n  {command} " in answer.stdout


@pytest.mark.parametrize("arguments", [(), ("sell",), ("run", "--serve", "--self-check"), ("lock", "--all")])
def test_a_command_line_without_meaning_is_a_usage_error_and_leaves_standard_output_empty(
    arguments: tuple[str, ...],
) -> None:
    answer = _run(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr != ""


def test_run_opens_a_window_with_the_callers_arguments() -> None:
    plan = plan_of("run", ("--data-dir", "here"), WITH_SCREEN, "linux")
    assert plan.arguments == ("-m", "app.embedded.launch", "--data-dir", "here")
    assert plan.uses == (Use.WINDOW,)
    assert plan.lock == RUN_LOCK
    assert not plan.lacks_screen


def test_run_without_a_screen_is_told_so_on_linux_only() -> None:
    assert plan_of("run", (), {}, "linux").lacks_screen
    assert not plan_of("run", (), {"WAYLAND_DISPLAY": "wayland-0"}, "linux").lacks_screen
    assert not plan_of("run", (), {}, "win32").lacks_screen
    assert not plan_of("run", (), {}, "darwin").lacks_screen


def test_run_drawn_offscreen_needs_no_screen_and_no_window_libraries() -> None:
    plan = plan_of("run", (), {"QT_QPA_PLATFORM": "offscreen"}, "linux")
    assert plan.uses == (Use.OFFSCREEN,)
    assert not plan.lacks_screen


def test_serving_needs_nothing_of_qt() -> None:
    plan = plan_of("run", ("--data-dir", "here", "--serve"), {}, "linux")
    assert plan.uses == ()
    assert not plan.lacks_screen


def test_the_self_check_is_drawn_offscreen_unless_the_caller_wants_to_watch() -> None:
    quiet = plan_of("run", ("--self-check",), {}, "linux")
    assert quiet.defaults == {"QT_QPA_PLATFORM": "offscreen"}
    assert quiet.uses == (Use.OFFSCREEN,)
    watched = plan_of("run", ("--self-check",), {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":0"}, "linux")
    assert watched.uses == (Use.WINDOW,)


@pytest.mark.parametrize(
    ("command", "module"), [("bench", "tests.bench"), ("faults", "tests.faults"), ("shots", "tests.screenshots")]
)
def test_a_measurement_runs_its_module_on_the_development_environment(command: str, module: str) -> None:
    plan = plan_of(command, ("grid", "--json"), {}, "linux")
    assert plan.arguments == ("-m", module, "grid", "--json")
    assert plan.lock == DEV_LOCK


def test_an_unknown_command_is_named() -> None:
    with pytest.raises(Stop, match="no command sell") as refused:
        plan_of("sell", (), {}, "linux")
    assert refused.value.code == 2


def test_what_dev_py_does_not_know_is_for_pytest_in_the_order_it_was_typed() -> None:
    wish = wish_of(["-x", "--only", "pytest", "tests/domain", "-k", "overlap or lock", "--no-gui", "--only", "mypy"])
    assert wish.pytest_arguments == ("-x", "tests/domain", "-k", "overlap or lock")
    assert wish.only == {"pytest", "mypy"}
    assert not wish.gui


def test_pytest_arguments_alone_leave_no_stage_out() -> None:
    wish = wish_of(["tests/domain"])
    assert all(wish.wants(name) for name in ("ruff-check", "ruff-format", "mypy", "lint-imports", "pytest"))
    assert wish.gui
