"""dev.py's test stages: every stage runs, nothing of the caller's shell leaks in, and one failure fails the whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from _dev.environment import Environment
from _dev.stages import Wish, environ_of_tests, pytest_command, run_all

ROOT = Path(__file__).resolve().parents[1]
ALL = Wish(only=frozenset(), gui=True, pytest_arguments=())


def _environment(tmp_path: Path) -> Environment:
    return Environment(root=tmp_path, folder=tmp_path / ".venv")


def test_the_callers_servers_and_settings_do_not_reach_the_tests(tmp_path: Path) -> None:
    leaking = {
        "DATABASE_URL": "postgresql://live",
        "REDIS_URL": "redis://live",
        "REDLOCK_URLS": "redis://live",
        "SENTRA_LANG": "en",
        "SENTRA_DATA_DIR": "live",
        "PGHOST": "live",
        "QT_SCALE_FACTOR": "2",
        "PYTHONPATH": "elsewhere",
        "PYTEST_ADDOPTS": "-x",
    }
    environ = environ_of_tests(_environment(tmp_path), leaking | {"PATH": "/bin", "CI": "true"})
    assert environ == {
        "PATH": "/bin",
        "CI": "true",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(tmp_path),
    }


@pytest.mark.parametrize("arguments", [("-n", "0"), ("-n4",), ("--numprocesses=1",), ("--pdb",), ("-s",), ("--co",)])
def test_arguments_that_choose_the_workers_are_left_alone(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    command = pytest_command(_environment(tmp_path), Wish(only=frozenset(), gui=True, pytest_arguments=arguments))
    assert "auto" not in command
    assert command[-len(arguments) :] == arguments


@pytest.mark.parametrize("arguments", [(), ("-k", "lock"), ("--no-header",), ("--color=no",)])
def test_the_tests_use_every_core_otherwise(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    command = pytest_command(_environment(tmp_path), Wish(only=frozenset(), gui=True, pytest_arguments=arguments))
    assert command[command.index("-n") + 1] == "auto"


def test_without_gui_the_tests_that_load_qt_are_left_out(tmp_path: Path) -> None:
    command = pytest_command(_environment(tmp_path), Wish(only=frozenset(), gui=False, pytest_arguments=()))
    assert "--ignore=tests/desktop" in command
    assert "no:pytest-qt" in command


@pytest.fixture
def staged(tmp_path: Path) -> Environment:
    """An environment whose interpreter writes down what it was to run, and fails for what `FAILING` names."""
    if os.name == "nt":
        pytest.skip("the stand-in interpreter is a shell script")
    environment = _environment(tmp_path)
    environment.python.parent.mkdir(parents=True)
    for program in (environment.python, environment.command("lint-imports")):
        program.write_text(
            '#!/bin/sh\necho "$(basename "$0") $*" >> ran.txt\n'
            'case "$(basename "$0") $*" in *"$FAILING"*) exit "$CODE";; esac\n'
        )
        program.chmod(0o755)
    return environment


def _outcome(environment: Environment, wish: Wish, failing: str, code: int) -> tuple[int, list[str], list[str]]:
    said: list[str] = []
    environ = {"PATH": os.environ["PATH"], "FAILING": failing, "CODE": str(code)}
    result = run_all(environment, wish, environ, said.append)
    return result, (environment.root / "ran.txt").read_text().splitlines(), said


def test_a_failing_check_stops_no_other_stage_and_fails_the_whole(staged: Environment) -> None:
    code, ran, said = _outcome(staged, ALL, "ruff check", 1)
    assert code == 1
    assert [line.split(" -p ")[0] for line in ran] == [
        "python -m ruff check .",
        "python -m ruff format --check .",
        "python -m mypy",
        "lint-imports ",
        "python -m pytest",
    ]
    assert any(line.startswith("ruff-check FAILED in ") for line in said)
    assert any(line.startswith("mypy passed in ") for line in said)


@pytest.mark.parametrize("code", [1, 2, 5])
def test_pytests_exit_code_is_passed_on(staged: Environment, code: int) -> None:
    assert _outcome(staged, ALL, "pytest", code)[0] == code


def test_all_stages_passing_is_success(staged: Environment) -> None:
    assert _outcome(staged, ALL, "nothing at all", 1)[0] == 0


def test_one_stage_can_be_run_alone(staged: Environment) -> None:
    only_mypy = Wish(only=frozenset({"mypy"}), gui=True, pytest_arguments=())
    assert _outcome(staged, only_mypy, "mypy", 1)[:2] == (1, ["python -m mypy"])


def test_the_other_stages_outcomes_stand_above_pytests_closing_line(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_passes():\n    assert True\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    outcomes = ["ruff-check passed in 0.1 s", "mypy FAILED in 2.0 s"]
    environ = os.environ | {"DEV_STAGE_OUTCOMES": "\n".join(outcomes), "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "pytest", "-p", "tests.plugin_stages", "-p", "no:cacheprovider")
    run = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, encoding="utf-8", timeout=60)
    lines = run.stdout.splitlines()
    assert lines[-3:-1] == outcomes
    assert "1 passed" in lines[-1]
