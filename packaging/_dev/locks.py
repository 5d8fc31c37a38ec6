"""The lock files: every dependency of every supported system and Python, with its hashes and without any address."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

from _dev.environment import BUILD_LOCK, DEV_LOCK, RUN_LOCK
from _dev.stop import FAILED, Stop

# One resolver run answers for Linux, Windows and macOS and for each Python at once; pip-compile answers only for the
# machine it runs on.
RESOLVER = "uv==0.13.9"
HEADER = "# Made by: python3 packaging/dev.py lock"


def renew(root: Path, say: Callable[[str], None], *, upgrade: bool) -> None:
    """Write the lock files anew from pyproject.toml. Versions already locked stay, unless `upgrade` or ruled out.

    The three agree with each other: what is in two of them is in both in one version.
    """
    folder = root / "packaging"
    with tempfile.TemporaryDirectory() as scratch:
        say(f"Fetching {RESOLVER}")
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(scratch)
        python = Path(scratch) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", RESOLVER)
        build = Path(scratch) / "build.in"
        build.write_text("setuptools>=77\n", encoding="utf-8")
        compile_ = (python, "-m", "uv", "pip", "compile", "--no-config", "--quiet", "--universal")
        form = ("--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header")
        renewal = ("--upgrade",) if upgrade else ()
        run_lock, dev_lock, build_lock = (folder / name for name in (RUN_LOCK, DEV_LOCK, BUILD_LOCK))
        for target, sources in (
            (run_lock, ("pyproject.toml",)),
            (dev_lock, ("pyproject.toml", "--extra", "dev", "-c", str(run_lock))),
            (build_lock, (str(build), "-c", str(run_lock))),
        ):
            say(f"Resolving {target.name}")
            _run(*compile_, *form, *renewal, *sources, "-o", target, cwd=root)
            target.write_text(f"{HEADER}\n{target.read_text(encoding='utf-8')}", encoding="utf-8", newline="\n")


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    if subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
        raise Stop(FAILED, "The lock files were not renewed; the words of the failing step are above.")
