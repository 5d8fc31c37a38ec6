"""The environment: a virtual environment with exactly the locked dependencies, made once and then only recognised.

A stamp in it remembers which lock files it was made from. While they are unchanged, recognising it costs a few
milliseconds; a changed lock file is installed over it. What is missing or half made is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from _dev.stop import FAILED, USAGE, Stop

STAMP = "sentra-setup.json"
BUILD_LOCK = "requirements-build.lock"
RUN_LOCK = "requirements.lock"
DEV_LOCK = "requirements-dev.lock"  # holds RUN_LOCK too, in the same versions

# Settings of a user's shell that would make another interpreter look at, or pip install into, the wrong place.
_MISLEADING = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_REQUIRE_HASHES")

# What an environment consists of before it has a pyvenv.cfg: a set-up that was ended in its first moment.
_SKELETON = frozenset({"bin", "include", "lib", "lib64", "Include", "Lib", "Scripts"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One virtual environment for one copy of the project."""

    root: Path
    folder: Path

    @property
    def python(self) -> Path:
        """The interpreter in it."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def command(self, name: str) -> Path:
        """Give the path of a console command that a dependency installs."""
        return self.python.parent / (f"{name}.exe" if os.name == "nt" else name)

    def lock_file(self, name: str) -> Path:
        """Give the path of a lock file of the project."""
        return self.root / "packaging" / name


def locate(root: Path, environ: Mapping[str, str]) -> Environment:
    """Find the place of the environment: `SENTRA_VENV`, or `.venv` in the project."""
    chosen = environ.get("SENTRA_VENV")
    return Environment(root=root, folder=Path(chosen).absolute() if chosen else root / ".venv")


def is_ready(environment: Environment, lock: str) -> bool:
    """Tell whether the environment has what `lock` asks for, and the project itself under its present names."""
    if not environment.python.exists():
        return False
    stamp = _read_stamp(environment)
    if stamp.get("project") != _project_hash(environment):
        return False
    locks = (lock,) if lock == DEV_LOCK else (lock, DEV_LOCK)
    return any(stamp.get(name) == _hash(environment.lock_file(name)) for name in locks)


def exists(environment: Environment) -> bool:
    """Tell whether there is a working interpreter of a supported version with pip in it."""
    if not environment.python.exists():
        return False
    probe = "import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
    run = subprocess.run([environment.python, "-c", probe], env=_clean_environ(), stderr=subprocess.DEVNULL)
    return run.returncode == 0


def prepare(
    environment: Environment,
    lock: str,
    say: Callable[[str], None],
    install: Callable[[Environment, Sequence[str]], None] | None = None,
) -> None:
    """Make the environment ready for `lock`. Safe to call from several processes at once: one does it, the rest wait.

    Raises `Stop` when the folder holds something else, is not ours to write, or an installation fails; the stamp is
    written last, so that an interrupted set-up is taken up again by the next call.
    """
    install = install or pip_install
    environment.folder.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(environment.folder.with_name(environment.folder.name + ".lock"), say):
        if is_ready(environment, lock):
            return
        _refuse_foreign(environment.folder)
        if not exists(environment):
            say(f"Making the environment {environment.folder}")
            venv.EnvBuilder(clear=environment.folder.exists(), with_pip=True, symlinks=os.name != "nt").create(
                environment.folder
            )
        # The old stamp no longer tells what is in there once pip has begun.
        (environment.folder / STAMP).unlink(missing_ok=True)
        say(f"Installing the locked dependencies of packaging/{lock} (the first time takes some minutes)")
        install(environment, ("--require-hashes", "-r", str(environment.lock_file(BUILD_LOCK))))
        # The few dependencies without a wheel are built by the locked setuptools, not by one fetched unseen.
        locked = ("--require-hashes", "--no-build-isolation", "-r", str(environment.lock_file(lock)))
        install(environment, locked)
        install(environment, ("--no-index", "--no-deps", "--no-build-isolation", "-e", str(environment.root)))
        _write_stamp(environment, lock)


def pip_install(environment: Environment, arguments: Sequence[str]) -> None:
    """Install into the environment. Raises `Stop` when pip fails."""
    quiet = () if sys.stderr.isatty() else ("--quiet",)
    fixed = ("--disable-pip-version-check", "--no-input", "--no-warn-script-location")
    command: Sequence[str | Path] = (environment.python, "-m", "pip", "install", *fixed, *quiet, *arguments)
    environ = _clean_environ() | {"PIP_USER": "0", "PIP_USE_PEP517": "1"}
    run = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    if run.returncode != 0:
        raise Stop(FAILED, "Installing the dependencies failed; pip's own words are above. Run the command again.")


def _clean_environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _MISLEADING}


def _refuse_foreign(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir() or not ((folder / "pyvenv.cfg").exists() or _SKELETON.issuperset(os.listdir(folder))):
        raise Stop(USAGE, f"{folder} is not a virtual environment. Move it away, or set SENTRA_VENV to another folder.")
    if not os.access(folder, os.W_OK):
        raise Stop(USAGE, f"{folder} is not yours to change. Set SENTRA_VENV to a folder of your own.")


def _hash(path: Path) -> str:
    # Line ends differ between a Windows and a Linux checkout; the content does not.
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def _project_hash(environment: Environment) -> str:
    """Hash what the installed project depends on: its place, its names and its build, not the tools' settings."""
    settings = tomllib.loads((environment.root / "pyproject.toml").read_text(encoding="utf-8"))
    parts = [settings.get("build-system"), settings.get("project"), settings.get("tool", {}).get("setuptools")]
    text = json.dumps([str(environment.root), *parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _read_stamp(environment: Environment) -> dict[str, str]:
    try:
        stamp = json.loads((environment.folder / STAMP).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}  # never finished, or cut off: the same as not made
    return stamp if isinstance(stamp, dict) else {}


def _write_stamp(environment: Environment, lock: str) -> None:
    stamp = {lock: _hash(environment.lock_file(lock)), "project": _project_hash(environment)}
    (environment.folder / STAMP).write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")


@contextmanager
def _one_at_a_time(path: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the set-up of one environment. The operating system lets go of it however this process ends."""
    with path.open("a+b") as file:
        if not _try_lock(file, wait=False):
            say("Another set-up of this environment is running; waiting for it.")
            while not _try_lock(file, wait=True):
                pass
        yield


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO, *, wait: bool) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:  # taken, or still taken after the ten seconds that LK_LOCK waits
            return False
        return True

else:
    import fcntl

    def _try_lock(file: BinaryIO, *, wait: bool) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
