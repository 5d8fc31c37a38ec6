"""The stages of `dev.py test`: the checks of the source, then pytest, whose closing line comes last."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from _dev.environment import Environment

PYTEST = "pytest"
# The tests that load Qt; left out, with a line that says so, by --no-gui.
GUI_TESTS = ("tests/desktop", "tests/journeys", "tests/screenshots")
OUTCOMES = "DEV_STAGE_OUTCOMES"  # read by tests/plugin_stages.py

# Settings of the caller's shell that would change what is tested.
_LEAKING = {"DATABASE_URL", "REDIS_URL", "REDLOCK_URLS", "PYTHONPATH", "PYTHONHOME", "PYTHONWARNINGS", "PYTEST_ADDOPTS"}
_LEAKING_PREFIXES = ("SENTRA_", "PG", "QT_", "PYTEST_XDIST_")
_CHOOSES_WORKERS = ("-n", "--numprocesses", "--pdb", "-s", "--capture=no", "--collect-only", "--co")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One check of the source: a name to show and a command that answers 0 when it passed."""

    name: str
    command: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a stage ended."""

    name: str
    passed: bool
    seconds: float

    def __str__(self) -> str:
        return f"{self.name} {'passed' if self.passed else 'FAILED'} in {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the caller of `dev.py test` asked for; no `only` means every stage."""

    only: frozenset[str]
    gui: bool
    pytest_arguments: tuple[str, ...]

    def wants(self, name: str) -> bool:
        """Tell whether this stage is to be run."""
        return not self.only or name in self.only


def source_stages(environment: Environment) -> tuple[Stage, ...]:
    """List the checks that come before pytest."""
    python = str(environment.python)
    return (
        Stage(name="ruff-check", command=(python, "-m", "ruff", "check", ".")),
        Stage(name="ruff-format", command=(python, "-m", "ruff", "format", "--check", ".")),
        Stage(name="mypy", command=(python, "-m", "mypy")),
        Stage(name="lint-imports", command=(str(environment.command("lint-imports")),)),
    )


STAGE_NAMES = ("ruff-check", "ruff-format", "mypy", "lint-imports", PYTEST)


def environ_of_tests(environment: Environment, environ: Mapping[str, str]) -> dict[str, str]:
    """Give the environment variables of the tests: the caller's, less what would connect or skew them."""
    kept = {
        name: value
        for name, value in environ.items()
        if name not in _LEAKING and not name.startswith(_LEAKING_PREFIXES)
    }
    return kept | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(environment.root)}


def pytest_command(environment: Environment, wish: Wish) -> tuple[str, ...]:
    """Give pytest's command line: one worker per core, unless the arguments choose otherwise."""
    command = [str(environment.python), "-m", "pytest", "-p", "tests.plugin_stages"]
    if not any(_chooses_workers(argument) for argument in wish.pytest_arguments):
        # worksteal keeps neighbours on one worker, so that what a file sets up is set up once.
        command += ["-n", "auto", "--dist", "worksteal"]
    if not wish.gui:
        command += ["-p", "no:pytest-qt", "-p", "tests.plugin_no_gui", *(f"--ignore={path}" for path in GUI_TESTS)]
    return (*command, *wish.pytest_arguments)


def run_all(environment: Environment, wish: Wish, environ: Mapping[str, str], say: Callable[[str], None]) -> int:
    """Run every wanted stage, also after one has failed; the exit code is 0 only when all of them passed.

    pytest comes last and shows the outcomes of the others above its closing line. Without it they are shown here.
    """
    tested = environ_of_tests(environment, environ)
    outcomes = [_run(stage, environment, tested, say) for stage in source_stages(environment) if wish.wants(stage.name)]
    all_passed = all(outcome.passed for outcome in outcomes)
    if not wish.wants(PYTEST):
        return 0 if all_passed else 1
    if not wish.gui:
        say(f"Left out by --no-gui: {', '.join(GUI_TESTS)}")
    say("pytest …")
    shown = tested | {OUTCOMES: "\n".join(map(str, outcomes))}
    code = subprocess.run(pytest_command(environment, wish), cwd=environment.root, env=shown).returncode
    return code or (0 if all_passed else 1)


def _chooses_workers(argument: str) -> bool:
    return argument in _CHOOSES_WORKERS or argument.startswith(("-n", "--numprocesses="))


def _run(stage: Stage, environment: Environment, environ: Mapping[str, str], say: Callable[[str], None]) -> Outcome:
    started = time.monotonic()
    run = subprocess.run(
        stage.command,
        cwd=environment.root,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    outcome = Outcome(name=stage.name, passed=run.returncode == 0, seconds=time.monotonic() - started)
    if not outcome.passed:
        say(run.stdout.rstrip())
    say(str(outcome))
    return outcome
