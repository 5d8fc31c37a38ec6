"""How one of our own modules is started as a process, from a source tree and from the frozen bundle alike."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

RUN_MODULE = "--run-module"
RUNNABLE_MODULES = frozenset(
    {
        "app.embedded.supervisor",
        "app.embedded.prepare",
        "app.embedded.tether",
        "app.embedded.simulated_gateway",
        "app.service.main",
    }
)


def module_command(module: str, *arguments: str) -> list[str]:
    """The command line that runs `python -m module`; the frozen programs understand `--run-module` instead."""
    if getattr(sys, "frozen", False):
        return [sys.executable, RUN_MODULE, module, *arguments]
    return [sys.executable, "-m", module, *arguments]


def module_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our environment, with this very source tree importable from any working folder."""
    source = str(Path(__file__).resolve().parents[2])
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [source, *(path for path in known if path and path != source)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **(extra or {})}
