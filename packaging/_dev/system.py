"""System packages: what Qt and the tests need of the operating system, and how it gets there.

A library is there when the loader can load it, whoever installed it; the package table is only asked for the name to
install. Windows and macOS bring everything, so nothing is looked for there.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from _dev.stop import SYSTEM_PACKAGE_MISSING, Stop


class Use(Enum):
    """What a command is going to do that needs something of the system."""

    VENV = auto()  # make an environment
    OFFSCREEN = auto()  # Qt without a window
    WINDOW = auto()  # Qt in a window
    WINDOW_TESTS = auto()  # drive a real window on a virtual screen


class Kind(Enum):
    """How the presence of a need is found out."""

    LIBRARY = auto()
    PROGRAM = auto()
    MODULE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing of the system and the Debian/Ubuntu package that brings it."""

    kind: Kind
    name: str
    package: str


_OFFSCREEN = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libX11.so.6": "libx11-6",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
}
_WINDOW = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
}
_WINDOW_TESTS = {"Xvfb": "xvfb", "xauth": "xauth", "xdotool": "xdotool", "fc-match": "fontconfig"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The operating system as far as set-up asks it; tests put their own in its place."""

    platform: str
    is_root: bool
    loads: Callable[[str], bool]
    finds_program: Callable[[str], bool]
    finds_module: Callable[[str], bool]
    venv_package: str
    apt_get: Callable[[Sequence[str]], bool] | None  # None where packages do not come from apt


def needs_of(use: Use, venv_package: str) -> tuple[Need, ...]:
    """List what one use needs; a window needs all that an offscreen one does."""
    match use:
        case Use.VENV:
            return (Need(kind=Kind.MODULE, name="ensurepip", package=venv_package),)
        case Use.OFFSCREEN:
            return _table(Kind.LIBRARY, _OFFSCREEN)
        case Use.WINDOW:
            return _table(Kind.LIBRARY, _OFFSCREEN | _WINDOW)
        case Use.WINDOW_TESTS:
            return _table(Kind.PROGRAM, _WINDOW_TESTS)


def find_missing(uses: Iterable[Use], machine: Machine) -> tuple[Need, ...]:
    """List what these uses need and the machine does not have, each once, in the order of the tables."""
    missing: dict[str, Need] = {}
    for use in uses:
        for need in needs_of(use, machine.venv_package):
            if need.name not in missing and not _has(machine, need):
                missing[need.name] = need
    return tuple(missing.values())


def ensure(uses: Iterable[Use], machine: Machine, say: Callable[[str], None]) -> None:
    """Return when everything is there, installing it first where that is allowed.

    Raises `Stop` with exit code 3 and one line to run where it is not: for an ordinary user, on a system without apt,
    or when apt could not bring it.
    """
    uses = tuple(uses)
    missing = find_missing(uses, machine)
    if not missing:
        return
    names = ", ".join(need.name for need in missing)
    if machine.apt_get is None:
        raise Stop(SYSTEM_PACKAGE_MISSING, f"Missing on this system: {names}. Install the packages that bring them.")
    packages = _packages(missing)
    if machine.is_root:
        say(f"Installing system packages: {' '.join(packages)}")
        installed = machine.apt_get(("update", "-qq")) and machine.apt_get(
            ("install", "-y", "-qq", "--no-install-recommends", *packages)
        )
        missing = find_missing(uses, machine)
        if installed and not missing:
            return
        names = ", ".join(need.name for need in missing)
        packages = _packages(missing) or packages
        say("apt-get could not install them (its words are above).")
    say(f"Missing on this system: {names or 'the packages below'}. Install with:")
    raise Stop(SYSTEM_PACKAGE_MISSING, install_line(packages))


def install_line(packages: Sequence[str]) -> str:
    """Give the one line that installs these packages on Debian and Ubuntu."""
    return f"sudo apt-get install -y --no-install-recommends {' '.join(packages)}"


def this_machine() -> Machine:
    """Describe the machine dev.py runs on."""
    return Machine(
        platform=sys.platform,
        is_root=_is_root(),
        loads=_loads,
        finds_program=lambda name: shutil.which(name) is not None,
        finds_module=lambda name: importlib.util.find_spec(name) is not None,
        venv_package=venv_package(sys.version_info[1], os.path.realpath("/usr/bin/python3")),
        apt_get=_apt_get if shutil.which("apt-get") else None,
    )


def venv_package(minor: int, system_python: str) -> str:
    """Name the package that lets this interpreter make environments: the distribution's own python3, or another."""
    return "python3-venv" if system_python.endswith(f"python3.{minor}") else f"python3.{minor}-venv"


def _table(kind: Kind, packages: dict[str, str]) -> tuple[Need, ...]:
    return tuple(Need(kind=kind, name=name, package=package) for name, package in packages.items())


def _packages(needs: Iterable[Need]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(need.package for need in needs))


def _has(machine: Machine, need: Need) -> bool:
    match need.kind:
        case Kind.MODULE:
            return machine.finds_module(need.name)
        case Kind.LIBRARY:
            return machine.platform != "linux" or machine.loads(need.name)
        case Kind.PROGRAM:
            return machine.platform != "linux" or machine.finds_program(need.name)


def _loads(soname: str) -> bool:
    # Asking the loader itself: find_library() wants ldconfig or a compiler, which an ordinary user may not have.
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def _apt_get(arguments: Sequence[str]) -> bool:
    command = ["apt-get", "-o", "DPkg::Lock::Timeout=300", *arguments]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    run = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    if run.returncode != 0:
        print(run.stdout, file=sys.stderr, flush=True)
    return run.returncode == 0
