"""`startup`: from starting the program to the first paint event of a window, against a bare PySide6 window.

Each side is a process of its own, in turns, without a screen; both are watched by the same event filter. How long it
takes until the whole login is painted is told beside it, without a limit.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass

from app.embedded.python import module_environment
from tests.bench.bars import Bar, Line, context

BENCH = "startup"
HEAVY = ("redis", "psycopg", "sqlalchemy", "numpy")

# Ends its process at the first paint event of a window, so that nothing behind the login is ever started.
_WATCH = f"""
wanted = ""
import json, os, sys, time
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and watched.isWidgetType() and watched.window().isVisible() \\
                and wanted in type(watched).__name__:
            painted = time.monotonic()
            loaded = [name for name in {HEAVY!r} if name in sys.modules]
            shown = [watched.window().width(), watched.window().height()]
            print(json.dumps({{"painted": painted, "loaded": loaded, "size": shown}}), flush=True)
            os._exit(0)
        return False

app = QApplication(["sentra-counter"])
watch = Watch()
app.installEventFilter(watch)
"""
BARE = _WATCH + "window = QWidget(); window.resize(1366, 768); window.show(); app.exec()"
WHOLE = _WATCH + "wanted = 'LoginTop'; from app.desktop.main import main; sys.exit(main([]))"
COUNTER = _WATCH + "from app.desktop.main import main; sys.exit(main([]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One start: milliseconds to the first paint event, and which heavy libraries were loaded by then."""

    ms: float
    loaded: tuple[str, ...]
    size: tuple[int, int]


def start(program: str, data_dir: str) -> Start:
    """Run one side to its first paint; its error output is the failure when there is none."""
    environment = module_environment({"QT_QPA_PLATFORM": "offscreen", "SENTRA_DATA_DIR": data_dir})
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode or not done.stdout.strip():
        raise AssertionError(f"no window was painted: {done.stderr[-2_000:]}")
    told = json.loads(done.stdout)
    return Start(ms=(told["painted"] - began) * 1_000, loaded=tuple(told["loaded"]), size=tuple(told["size"]))


def run(small: bool) -> Iterable[Line]:
    rounds = 3 if small else 9
    found: dict[str, list[Start]] = {"bare": [], "counter": [], "whole login": []}
    with tempfile.TemporaryDirectory(prefix="sb-") as data_dir:
        for turn in range(rounds + 1):
            for side, program in (("bare", BARE), ("counter", COUNTER), ("whole login", WHOLE)):
                taken = start(program, data_dir)
                if turn:  # the first start of each fills the page cache
                    found[side].append(taken)
    medians = {side: statistics.median(each.ms for each in starts) for side, starts in found.items()}
    loaded = sorted({name for each in found["counter"] for name in each.loaded})
    ratio = medians["counter"] / medians["bare"]
    yield Bar(bench=BENCH, bar="first painted window / bare PySide6 window", value=ratio, limit=1.25).as_line()
    yield Bar(bench=BENCH, bar="heavy libraries loaded before it", value=len(loaded), limit=0).as_line()
    yield context(
        BENCH,
        median_ms={side: round(ms, 1) for side, ms in medians.items()},
        loaded=loaded,
        window=found["counter"][0].size,
        rounds=rounds,
        platform=os.name,
    )
