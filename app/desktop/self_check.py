"""The self-check: the real window, driven by key presses, does log in → shift → grid → book → settle → expire.

It works on a data folder of its own, whose database's clock a row drives, and prints one JSON line with what it made.
"""

import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

log = logging.getLogger(__name__)

DONE, FINDING = 0, 1
WITHIN = 40.0
ANSWER_WITHIN = 5.0
LOOK_EVERY_MS = 20


@dataclass(slots=True)
class Findings:
    """What the one line says."""

    data_dir: str
    steps: list[dict[str, object]] = field(default_factory=list)
    ids: dict[str, str | None] = field(
        default_factory=lambda: dict.fromkeys(("booking_id", "invoice_id", "payment_id", "expired_booking_id"))
    )

    @property
    def is_ok(self) -> bool:
        return bool(self.steps) and all(step["ok"] for step in self.steps) and all(self.ids.values())

    def line(self) -> str:
        return json.dumps({"ok": self.is_ok, "steps": self.steps, "data_dir": self.data_dir, **self.ids})


class Walk:
    """Takes one step after the other; the first that fails ends it. A timer calls `go_on`, outside every task."""

    def __init__(
        self,
        steps: Sequence[tuple[str, Callable[[], Generator[Callable[[], bool], None, None]]]],
        findings: Findings,
        done: Callable[[], object],
    ) -> None:
        self._left = list(steps)
        self._findings = findings
        self._done = done
        self._step: Generator[Callable[[], bool], None, None] | None = None
        self._wanted: Callable[[], bool] = lambda: True
        self._began = 0.0
        self._busy = False

    def go_on(self) -> None:
        """Look whether the step that runs may go on; pressing keys may bring us here again meanwhile."""
        if self._busy or not self._left:
            return
        self._busy = True
        try:
            self._look()
        finally:
            self._busy = False

    def _look(self) -> None:
        name, step = self._left[0]
        if self._step is None:
            self._step, self._began = step(), time.perf_counter()
            self._wanted = lambda: True
        try:
            if self._wanted():
                self._wanted = next(self._step)
            elif time.perf_counter() - self._began > WITHIN:
                self._step.close()
                self._end(name, f"did not happen within {WITHIN:g} s")
        except StopIteration:
            self._end(name, "")
        except Exception as problem:
            log.exception("self-check step %s", name)
            self._end(name, str(problem) or type(problem).__name__)

    def _end(self, name: str, problem: str) -> None:
        spent = round((time.perf_counter() - self._began) * 1000)
        self._findings.steps.append({"name": name, "ok": not problem, "ms": spent})
        self._step = None
        self._left.pop(0)
        if problem:
            sys.stderr.write(f"self-check: {name}: {problem}\n")
            self._left.clear()
        if not self._left:
            self._done()


def main(args: Sequence[str]) -> int:
    """0: every step worked, 1: one did not (its reason is on standard error). Qt's libraries were looked for before."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if not _is_own_folder():
        from app.embedded import launch

        return launch.main(["--self-check", *args])
    findings = _run()
    sys.stdout.write(f"{findings.line()}\n")
    sys.stdout.flush()
    return DONE if findings.is_ok else FINDING


def _is_own_folder() -> bool:
    """True when the launcher made private servers with a driven clock for us; real data is never driven."""
    from app.embedded import control
    from app.embedded.folders import open_data_folder
    from app.settings import load_settings

    settings = load_settings()
    if settings.database_url is None or not settings.data_dir.is_dir():
        return False
    address = control.find_address(open_data_folder(settings.data_dir))
    connection = None if address is None else control.connect(address)
    if connection is None:
        return False
    with connection:
        answer = control.read_answer(connection, within=ANSWER_WITHIN) or {}
    return bool(answer.get("driven_clock")) and answer.get("database_url") == settings.database_url


def _run() -> Findings:
    import qasync
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from app.desktop.application import CounterApplication
    from app.desktop.commands import LoopRunner, use_runner
    from app.desktop.formats import Language
    from app.desktop.garbage import WindowsOwnGarbage
    from app.desktop.language import use_language
    from app.desktop.self_check_steps import Steps
    from app.desktop.settings_store import SettingsStore
    from app.desktop.theme import Theme, load_fonts, use_theme
    from app.settings import load_settings

    settings = load_settings()
    findings = Findings(data_dir=str(settings.data_dir))
    app = QApplication.instance() or QApplication(["sentra-counter"])
    if not isinstance(app, QApplication):
        raise TypeError("another kind of Qt application runs in this process")
    app.setQuitOnLastWindowClosed(False)
    load_fonts()
    use_theme(Theme.light(), app)
    use_language(Language.ID)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    runner = LoopRunner(loop)
    use_runner(runner)
    counter = CounterApplication(app, SettingsStore(settings.data_dir))
    garbage = WindowsOwnGarbage()
    with loop:
        counter.show()
        steps = Steps(counter, settings)
        walk = Walk(steps.in_order(), findings, loop.stop)
        timer = QTimer()
        timer.timeout.connect(walk.go_on)
        timer.start(LOOK_EVERY_MS)
        loop.run_forever()
        timer.stop()
        findings.ids.update(steps.ids)
        runner.cancel_all()
        counter.leave()
    garbage.close()
    return findings
