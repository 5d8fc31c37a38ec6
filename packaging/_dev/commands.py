"""The command line of dev.py: which command needs what, and how the program takes over from set-up.

Everything dev.py itself says goes to standard error. Standard output belongs to the program that it starts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from _dev import environment as environments
from _dev import locks, stages, system
from _dev.environment import DEV_LOCK, RUN_LOCK, Environment
from _dev.stop import USAGE, Stop
from _dev.system import Use

ROOT = Path(__file__).resolve().parents[2]

USAGE_TEXT = f"""\
Usage: python3 packaging/dev.py COMMAND [arguments]

  run [--data-dir D] [--serve | --self-check]
                 Start the counter over its private servers, or over DATABASE_URL and REDIS_URL where they are set.
                 --serve       start servers and service without a window, print one JSON line, stay until ended
                 --self-check  log in, book, settle and let expire through the real screens, print one JSON line
  test [--only STAGE]… [--no-gui] [pytest arguments]
                 Check the source ({", ".join(stages.STAGE_NAMES[:-1])}), then run the tests.
                 pytest arguments (a path from the project's root, -k, -x …) narrow pytest, not the other stages.
                 --only STAGE  run this stage alone, also several times: --only pytest tests/domain
                 --no-gui      leave out what needs Qt's system libraries
  bench NAME… [--json]
                 Measure speed and size.
  faults --minutes N --seed S [--json]
                 Work while servers and processes are killed, then check every invariant.
  shots [--screen S] [--out D]
                 Draw every screen into PNG files.
  build [--installer] [--wine]
                 Make the bundle for Windows and its installer.
  lock [--upgrade]
                 Write the lock files anew from pyproject.toml; --upgrade takes the newest allowed versions.

The environment is made in .venv in the project, or in SENTRA_VENV.
Exit codes: 0 done, 1 failed, 2 usage, 3 a system package is missing (the line that installs it is shown).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What has to be there before the program takes over, and the program's command line after the interpreter."""

    uses: tuple[Use, ...]
    lock: str
    arguments: tuple[str, ...] = ()
    defaults: Mapping[str, str]  # environment variables that hold where the caller has not set them
    lacks_screen: bool = False  # opens a window, but there is nothing to show it on


def main(argv: Sequence[str]) -> int:
    """Carry out one command line and give its exit code; where it can, the program replaces this process."""
    if not argv or argv[0] in ("-h", "--help", "help") or "--help" in argv[1:] or "-h" in argv[1:]:
        print(USAGE_TEXT, file=sys.stdout if argv else sys.stderr, end="")
        return 0 if argv else USAGE
    try:
        return _carry_out(argv[0], tuple(argv[1:]))
    except Stop as stop:
        say(stop.sentence)
        return stop.code
    except KeyboardInterrupt:
        return 130


def say(sentence: str) -> None:
    """Show one line to the person at the terminal."""
    print(sentence, file=sys.stderr, flush=True)


def plan_of(command: str, arguments: tuple[str, ...], environ: Mapping[str, str], platform: str) -> Plan:
    """Decide what a command needs. Raises `Stop` with exit code 2 for a command line that means nothing."""
    match command:
        case "run":
            return _plan_run(arguments, environ, platform)
        case "bench" | "shots":
            module = {"bench": "tests.bench", "shots": "tests.screenshots"}[command]
            offscreen = {"QT_QPA_PLATFORM": "offscreen"}
            return Plan(uses=(Use.OFFSCREEN,), lock=DEV_LOCK, arguments=("-m", module, *arguments), defaults=offscreen)
        case "faults":
            return Plan(uses=(), lock=DEV_LOCK, arguments=("-m", "tests.faults", *arguments), defaults={})
        case "build":
            script = ROOT / "packaging" / "build.py"
            if not script.exists():
                raise Stop(USAGE, "There is no bundle to build yet: packaging/build.py does not exist.")
            return Plan(uses=(Use.OFFSCREEN,), lock=DEV_LOCK, arguments=(str(script), *arguments), defaults={})
        case _:
            raise Stop(USAGE, f"There is no command {command}. See: python3 packaging/dev.py --help")


def wish_of(arguments: Sequence[str]) -> stages.Wish:
    """Split the arguments of `test` into what is for dev.py and what is for pytest."""
    parser = argparse.ArgumentParser(prog="dev.py test", add_help=False, allow_abbrev=False)
    parser.add_argument("--only", action="append", default=[], choices=stages.STAGE_NAMES)
    parser.add_argument("--no-gui", action="store_true")
    known, rest = parser.parse_known_args(arguments)
    return stages.Wish(only=frozenset(known.only), gui=not known.no_gui, pytest_arguments=tuple(rest))


def _plan_run(arguments: tuple[str, ...], environ: Mapping[str, str], platform: str) -> Plan:
    program = ("-m", "app.embedded.launch", *arguments)
    if "--serve" in arguments and "--self-check" in arguments:
        raise Stop(USAGE, "--serve and --self-check exclude each other.")
    if "--serve" in arguments:
        return Plan(uses=(), lock=RUN_LOCK, arguments=program, defaults={})
    if "--self-check" in arguments:
        defaults = {"QT_QPA_PLATFORM": "offscreen"}
        screen = environ.get("QT_QPA_PLATFORM", "offscreen")
    else:
        defaults = {}
        screen = environ.get("QT_QPA_PLATFORM", "")
    if screen.partition(":")[0] in ("offscreen", "minimal"):
        return Plan(uses=(Use.OFFSCREEN,), lock=RUN_LOCK, arguments=program, defaults=defaults)
    blind = platform == "linux" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    return Plan(uses=(Use.WINDOW,), lock=RUN_LOCK, arguments=program, defaults=defaults, lacks_screen=blind)


def _carry_out(command: str, arguments: tuple[str, ...]) -> int:
    machine = system.this_machine()
    if command == "lock":
        if set(arguments) - {"--upgrade"}:
            raise Stop(USAGE, "lock takes no argument but --upgrade.")
        system.ensure((Use.VENV,), machine, say)
        locks.renew(ROOT, say, upgrade="--upgrade" in arguments)
        return 0
    environment = environments.locate(ROOT, os.environ)
    if command == "test":
        wish = wish_of(arguments)
        drawn = wish.gui and wish.wants(stages.PYTEST)
        uses = (Use.WINDOW, Use.WINDOW_TESTS) if drawn else ()
        _make_ready(environment, Plan(uses=uses, lock=DEV_LOCK, defaults={}), machine)
        return stages.run_all(environment, wish, os.environ, say)
    plan = plan_of(command, arguments, os.environ, machine.platform)
    _make_ready(environment, plan, machine)
    return _take_over(environment, plan)


def _make_ready(environment: Environment, plan: Plan, machine: system.Machine) -> None:
    ready = environments.is_ready(environment, plan.lock)
    makes_venv = not ready and not environment.python.exists()
    # System packages first: their absence is found in milliseconds, the dependencies take minutes.
    system.ensure((Use.VENV, *plan.uses) if makes_venv else plan.uses, machine, say)
    if plan.lacks_screen:
        raise Stop(USAGE, "There is no screen here: set DISPLAY, or start the servers alone with run --serve.")
    if not ready:
        environments.prepare(environment, plan.lock, say)


def _take_over(environment: Environment, plan: Plan) -> int:
    """Let the program take this process' place: its standard streams, its signals and its exit code are the caller's.

    The working directory stays the caller's, so that a relative `--data-dir` means what was typed.
    """
    environ = {**plan.defaults, **os.environ, "PYTHONPATH": str(environment.root)}
    environ.pop("PYTHONHOME", None)
    command = [str(environment.python), *plan.arguments]
    if os.name != "nt":
        os.execve(command[0], command, environ)
    with subprocess.Popen(command, env=environ) as program:
        while True:
            try:
                return program.wait()
            except KeyboardInterrupt:
                continue  # Ctrl+C reached the program as well: it decides how it ends
