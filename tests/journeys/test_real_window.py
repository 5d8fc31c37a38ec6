"""The main job once in a real window: the same self-check on an X server instead of the offscreen platform."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import Processes


@pytest.fixture
def display() -> Iterator[str]:
    """A display of this test alone; it tells its number when it is ready."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("no Xvfb on this machine: a real window was not tried (Debian: apt-get install xvfb)")
    reader, writer = os.pipe()
    command = [program, "-displayfd", str(writer), "-screen", "0", "1366x768x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait(timeout=10)


def test_login_to_expiry_works_in_a_real_window(display: str, short_tmp: Path, processes: Processes) -> None:
    folder = short_tmp / "window"
    folder.mkdir(mode=0o711)
    real = {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "DATABASE_URL": "", "REDIS_URL": ""}
    try:
        check = processes.module("app.embedded.launch", "--self-check", "--data-dir", str(folder), env=real)
        line = check.line(within=240)
        assert check.wait(within=60) == 0, check.errors
        answer = json.loads(line)
        assert answer["ok"] is True
        assert {step["name"]: step["ok"] for step in answer["steps"]}["settle"] is True
    finally:
        shutil.rmtree(folder, ignore_errors=True)
