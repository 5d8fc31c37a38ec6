"""dev.py's system packages: what is missing is named, installed where allowed, and otherwise one line to run."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from _dev.stop import Stop
from _dev.system import Machine, Use, ensure, find_missing, needs_of, this_machine, venv_package

EVERY_USE = (Use.VENV, Use.WINDOW, Use.WINDOW_TESTS)


@dataclass
class FakeSystem:
    """A computer of which everything is known: what is installed, and what its apt can bring."""

    lacks: set[str] = field(default_factory=set)
    platform: str = "linux"
    is_root: bool = False
    has_apt: bool = True
    apt_works: bool = True
    said: list[str] = field(default_factory=list)

    def machine(self) -> Machine:
        return Machine(
            platform=self.platform,
            is_root=self.is_root,
            loads=self._has,
            finds_program=self._has,
            finds_module=self._has,
            venv_package="python3-venv",
            apt_get=self._apt_get if self.has_apt else None,
        )

    def ensure(self, *uses: Use) -> None:
        ensure(uses, self.machine(), self.said.append)

    def _has(self, name: str) -> bool:
        return name not in self.lacks

    def _apt_get(self, arguments: Sequence[str]) -> bool:
        if not self.apt_works:
            return False
        if arguments[0] == "install":
            brought = {need.name for use in Use for need in needs_of(use, "python3-venv") if need.package in arguments}
            self.lacks -= brought
        return True


def test_a_complete_system_is_left_alone() -> None:
    system = FakeSystem()
    system.ensure(*EVERY_USE)
    assert system.said == []


def test_an_ordinary_user_gets_exit_code_3_and_the_one_line_to_run() -> None:
    system = FakeSystem(lacks={"libxcb-cursor.so.0", "libGL.so.1", "ensurepip", "xdotool"})
    with pytest.raises(Stop) as stopped:
        system.ensure(*EVERY_USE)
    assert stopped.value.code == 3
    assert stopped.value.sentence == (
        "sudo apt-get install -y --no-install-recommends python3-venv libgl1 libxcb-cursor0 xdotool"
    )
    assert system.said == ["Missing on this system: ensurepip, libGL.so.1, libxcb-cursor.so.0, xdotool. Install with:"]


def test_root_gets_what_is_missing() -> None:
    system = FakeSystem(lacks={"libEGL.so.1", "Xvfb"}, is_root=True)
    system.ensure(Use.WINDOW, Use.WINDOW_TESTS)
    assert system.lacks == set()
    assert system.said == ["Installing system packages: libegl1 xvfb"]


def test_root_is_told_the_line_when_apt_fails() -> None:
    system = FakeSystem(lacks={"libEGL.so.1"}, is_root=True, apt_works=False)
    with pytest.raises(Stop, match=r"^sudo apt-get install .* libegl1$") as stopped:
        system.ensure(Use.OFFSCREEN)
    assert stopped.value.code == 3


def test_root_is_told_what_is_still_missing_when_apt_brought_something_else() -> None:
    system = FakeSystem(lacks={"libEGL.so.1"}, is_root=True)
    machine = system.machine()
    useless = Machine(
        platform="linux",
        is_root=True,
        loads=machine.loads,
        finds_program=machine.finds_program,
        finds_module=machine.finds_module,
        venv_package="python3-venv",
        apt_get=lambda _: True,
    )
    with pytest.raises(Stop, match="libegl1"):
        ensure((Use.OFFSCREEN,), useless, system.said.append)


def test_a_system_without_apt_is_told_the_names() -> None:
    system = FakeSystem(lacks={"libEGL.so.1"}, has_apt=False, is_root=True)
    with pytest.raises(Stop, match=r"libEGL\.so\.1") as stopped:
        system.ensure(Use.OFFSCREEN)
    assert stopped.value.code == 3


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_macos_are_asked_for_no_library_and_no_program(platform: str) -> None:
    everything = {need.name for use in EVERY_USE for need in needs_of(use, "python3-venv")} - {"ensurepip"}
    assert find_missing(EVERY_USE, FakeSystem(lacks=everything, platform=platform).machine()) == ()


def test_a_package_that_brings_two_libraries_is_named_once() -> None:
    system = FakeSystem(lacks={"libglib-2.0.so.0", "libgthread-2.0.so.0"})
    with pytest.raises(Stop) as stopped:
        system.ensure(Use.OFFSCREEN)
    assert stopped.value.sentence.count("libglib2.0-0") == 1


def test_a_window_needs_what_an_offscreen_drawing_needs_and_more() -> None:
    offscreen, window = set(needs_of(Use.OFFSCREEN, "")), set(needs_of(Use.WINDOW, ""))
    assert offscreen < window


def test_the_package_for_environments_is_the_one_of_this_interpreter() -> None:
    assert venv_package(11, "/usr/bin/python3.11") == "python3-venv"
    assert venv_package(12, "/usr/bin/python3.11") == "python3.12-venv"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked for shared libraries")
def test_the_loader_itself_is_asked_for_a_library() -> None:
    machine = this_machine()
    assert machine.loads("libc.so.6")
    assert not machine.loads("libsentra-does-not-exist.so.1")
