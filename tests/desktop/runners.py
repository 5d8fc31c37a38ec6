"""A runner that stops every command at its blocking call until the test says go on."""

from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class _Turn:
    """Awaiting it hands control back to the test."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class HeldRunner:
    """`waiting` counts the commands that stand still; `go_on()` lets the oldest make its call and run on."""

    def __init__(self) -> None:
        self._held: list[Coroutine[Any, Any, None]] = []

    @property
    def waiting(self) -> int:
        return len(self._held)

    def start(self, steps: Coroutine[Any, Any, None]) -> Callable[[], object]:
        self._step(steps)
        return lambda: self._cancel(steps)

    async def call(self, work: Callable[[], T]) -> T:
        await _Turn()
        return work()

    def go_on(self) -> None:
        self._step(self._held.pop(0))

    def pass_over(self) -> None:
        """The oldest goes on standing still; the next one is the oldest now."""
        self._held.append(self._held.pop(0))

    def _step(self, steps: Coroutine[Any, Any, None]) -> None:
        try:
            steps.send(None)
        except StopIteration:
            return
        self._held.append(steps)

    def _cancel(self, steps: Coroutine[Any, Any, None]) -> None:
        if steps in self._held:
            self._held.remove(steps)
        steps.close()
