"""Clearing what killed test sessions left, while other sessions begin and end beside this one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.embedded.folder_lock import try_lock
from tests.support import cluster


@pytest.fixture
def ended_pid() -> int:
    """The number of a process that is gone."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


class EndingBeside(type(Path())):  # type: ignore[misc]
    """A temporary folder: every session found in it ends, and removes its folder, before it is looked at."""

    def glob(self, pattern: str) -> Iterator[Path]:
        for found in Path(self).glob(pattern):
            shutil.rmtree(found)
            yield found


def test_a_folder_that_its_session_removes_meanwhile_is_no_error(tmp_path: Path, ended_pid: int) -> None:
    (tmp_path / f"sentra-tests-{ended_pid}-abc").mkdir()

    cluster.clear_left_folders(EndingBeside(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_a_folder_removed_between_two_looks_is_no_error(
    tmp_path: Path, ended_pid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, left = (tmp_path / f"sentra-tests-{ended_pid}-{name}" for name in ("going", "left"))
    for folder in (going, left):
        (folder / "cluster").mkdir(parents=True)
        (folder / "cluster" / "supervisor.lock").touch()

    def remove_first(path: Path) -> object:
        if path.is_relative_to(going):
            shutil.rmtree(going)
        return try_lock(path)

    monkeypatch.setattr("tests.support.cluster.try_lock", remove_first)
    cluster.clear_left_folders(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_only_folders_of_sessions_that_are_gone_are_cleared(tmp_path: Path, ended_pid: int) -> None:
    for name in (f"sentra-tests-{os.getpid()}-a", f"sentra-tests-{ended_pid}-b", "sentra-tests-notes", "other"):
        (tmp_path / name).mkdir()

    cluster.clear_left_folders(tmp_path)

    assert sorted(left.name for left in tmp_path.iterdir()) == sorted(
        ["other", f"sentra-tests-{os.getpid()}-a", "sentra-tests-notes"]
    )
