"""Runs commands with their blocking calls in real threads and the rest in the GUI thread, without an asyncio loop."""

import threading
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

T = TypeVar("T")


class _Work:
    """Awaiting it hands the blocking call to the runner and comes back with its answer."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.answer: object = None
        self.problem: BaseException | None = None

    def __await__(self) -> Generator["_Work", None, object]:
        yield self
        if self.problem is not None:
            raise self.problem
        return self.answer


class ThreadRunner(QObject):
    """As the program's runner does it, for tests that own no event loop but Qt's."""

    _done = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._done.connect(self._go_on, Qt.ConnectionType.QueuedConnection)

    def start(self, steps: Coroutine[Any, Any, None]) -> Callable[[], object]:
        self._step(steps)
        return steps.close

    async def call(self, work: Callable[[], T]) -> T:
        return await _Work(work)  # type: ignore[return-value]

    def _step(self, steps: Coroutine[Any, Any, None]) -> None:
        try:
            waiting = steps.send(None)
        except StopIteration:
            return
        threading.Thread(target=self._run, args=(steps, waiting), daemon=True).start()

    def _run(self, steps: Coroutine[Any, Any, None], waiting: _Work) -> None:
        try:
            waiting.answer = waiting.work()
        except BaseException as problem:  # noqa: BLE001 - carried over to the awaiting command
            waiting.problem = problem
        self._done.emit(steps)

    def _go_on(self, steps: Coroutine[Any, Any, None]) -> None:
        self._step(steps)
