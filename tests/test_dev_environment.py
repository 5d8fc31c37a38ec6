"""dev.py's environment: recognised while nothing changed, made again when something did, never half believed."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from _dev.environment import (
    BUILD_LOCK,
    DEV_LOCK,
    RUN_LOCK,
    STAMP,
    Environment,
    is_ready,
    locate,
    prepare,
)
from _dev.stop import FAILED, USAGE, Stop

PROJECT = '[project]\nname = "thing"\nversion = "{version}"\n\n[tool.ruff]\nline-length = {width}\n'


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    root = tmp_path / "project"
    (root / "packaging").mkdir(parents=True)
    (root / "pyproject.toml").write_text(PROJECT.format(version=1, width=100), encoding="utf-8")
    for name in (BUILD_LOCK, RUN_LOCK, DEV_LOCK):
        (root / "packaging" / name).write_text(f"# {name}\n", encoding="utf-8")
    return locate(root, {})


def _quiet(sentence: str) -> None:
    assert sentence


class Installer:
    """Stands in for pip: remembers what it was to install, and fails when told to."""

    def __init__(self) -> None:
        self.installed: list[str] = []
        self.fails = False

    def __call__(self, environment: Environment, arguments: Sequence[str]) -> None:
        assert environment.python.exists()
        if self.fails:
            raise Stop(FAILED, "no network")
        self.installed.append(Path(arguments[-1]).name)


def test_the_environment_is_in_the_project_unless_the_caller_says_where(tmp_path: Path) -> None:
    assert locate(tmp_path, {}).folder == tmp_path / ".venv"
    assert locate(tmp_path, {"SENTRA_VENV": str(tmp_path / "elsewhere")}).folder == tmp_path / "elsewhere"


def test_an_environment_is_made_once_and_then_recognised(environment: Environment) -> None:
    pip = Installer()
    assert not is_ready(environment, RUN_LOCK)
    prepare(environment, RUN_LOCK, _quiet, pip)
    assert is_ready(environment, RUN_LOCK)
    assert pip.installed == [BUILD_LOCK, RUN_LOCK, "project"]

    prepare(environment, RUN_LOCK, _quiet, pip)
    assert len(pip.installed) == 3

    # A change of line ends or of a tool's setting changes nothing that is installed.
    lock = environment.lock_file(RUN_LOCK)
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    (environment.root / "pyproject.toml").write_text(PROJECT.format(version=1, width=120), encoding="utf-8")
    assert is_ready(environment, RUN_LOCK)

    # Running is possible in the tests' environment; testing is not in the program's.
    assert not is_ready(environment, DEV_LOCK)
    prepare(environment, DEV_LOCK, _quiet, pip)
    assert is_ready(environment, DEV_LOCK)
    assert is_ready(environment, RUN_LOCK)

    (environment.root / "pyproject.toml").write_text(PROJECT.format(version=2, width=120), encoding="utf-8")
    assert not is_ready(environment, RUN_LOCK)
    prepare(environment, RUN_LOCK, _quiet, pip)
    lock.write_text("# another\n", encoding="utf-8")
    assert not is_ready(environment, RUN_LOCK)

    # From the moment an installation begins the old stamp does not count, even when it fails.
    pip.fails = True
    with pytest.raises(Stop, match="no network"):
        prepare(environment, RUN_LOCK, _quiet, pip)
    lock.write_text(f"# {RUN_LOCK}\n", encoding="utf-8")
    assert not is_ready(environment, RUN_LOCK)
    assert not is_ready(environment, DEV_LOCK)


def test_two_set_ups_at_once_install_once(environment: Environment) -> None:
    pip = Installer()
    both = [threading.Thread(target=prepare, args=(environment, RUN_LOCK, _quiet, pip)) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(60)
    assert pip.installed == [BUILD_LOCK, RUN_LOCK, "project"]
    assert is_ready(environment, RUN_LOCK)


@pytest.mark.parametrize("stamp", ["", "{", "[]", '{"requirements.lock": "0"}'])
def test_a_stamp_that_was_cut_off_does_not_count(environment: Environment, stamp: str) -> None:
    environment.python.parent.mkdir(parents=True)
    environment.python.touch()
    (environment.folder / STAMP).write_text(stamp, encoding="utf-8")
    assert not is_ready(environment, RUN_LOCK)


def test_a_folder_that_is_no_environment_is_refused_and_kept(environment: Environment) -> None:
    environment.folder.mkdir()
    letter = environment.folder / "letter.txt"
    letter.write_text("dear", encoding="utf-8")
    with pytest.raises(Stop, match="not a virtual environment") as refused:
        prepare(environment, RUN_LOCK, _quiet, Installer())
    assert refused.value.code == USAGE
    assert letter.read_text(encoding="utf-8") == "dear"


@pytest.mark.skipif(os.name == "nt", reason="Windows environments hold no links")
def test_an_environment_whose_interpreter_went_away_is_made_again(environment: Environment) -> None:
    environment.python.parent.mkdir(parents=True)
    (environment.folder / "pyvenv.cfg").touch()
    environment.python.symlink_to(environment.root / "gone" / "python3")
    pip = Installer()
    prepare(environment, RUN_LOCK, _quiet, pip)
    assert is_ready(environment, RUN_LOCK)
