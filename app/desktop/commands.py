"""Commands: how a press becomes a use case in a worker thread. The only place that knows threads and the event loop."""

import asyncio
import functools
import logging
import threading
import traceback
import zlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from app.desktop.viewmodel import Failure, ViewModel
from app.domain.errors import Refusal

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
V = TypeVar("V", bound=ViewModel)


class Runner(Protocol):
    """Runs a command's coroutine in the GUI thread and the blocking calls inside it somewhere else."""

    def start(self, steps: Coroutine[Any, Any, None]) -> Callable[[], object]:
        """Start a command; the answer cancels it."""
        ...

    async def call(self, work: Callable[[], T]) -> T: ...


class LoopRunner:
    """Runs commands as tasks of an asyncio loop and blocking work in daemon threads, which never hold up the exit."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, steps: Coroutine[Any, Any, None]) -> Callable[[], object]:
        task = self._loop.create_task(steps)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task.cancel

    async def call(self, work: Callable[[], T]) -> T:
        answer: asyncio.Future[T] = self._loop.create_future()
        threading.Thread(target=self._work, args=(work, answer), name="sentra-command", daemon=True).start()
        return await answer

    def cancel_all(self) -> None:
        """Drop every waiting command; work already in a thread ends by itself and its result goes nowhere."""
        for task in tuple(self._tasks):
            task.cancel()

    def _work(self, work: Callable[[], T], answer: "asyncio.Future[T]") -> None:
        try:
            result = work()
        except BaseException as problem:  # noqa: BLE001 - carried over to the awaiting command, which sorts it
            self._deliver(_give_problem, answer, problem)
        else:
            self._deliver(_give_result, answer, result)

    def _deliver(self, give: Callable[[Any, Any], None], answer: "asyncio.Future[Any]", value: object) -> None:
        if self._loop.is_closed():
            log.info("a command's answer came after the window was closed")
            return
        self._loop.call_soon_threadsafe(give, answer, value)


class InlineRunner:
    """Runs everything at once in the calling thread; for tests and for scripts without an event loop."""

    def start(self, steps: Coroutine[Any, Any, None]) -> Callable[[], object]:
        try:
            steps.send(None)
        except StopIteration:
            return steps.close
        steps.close()
        raise RuntimeError("a command awaited something other than call()")

    async def call(self, work: Callable[[], T]) -> T:
        return work()


@dataclass(slots=True)
class _Chosen:
    runner: Runner


_chosen = _Chosen(runner=InlineRunner())


def use_runner(runner: Runner) -> Runner:
    """Choose how commands run from now on; answers the runner used before."""
    before, _chosen.runner = _chosen.runner, runner
    return before


async def call(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a blocking use case outside the GUI thread and come back into the GUI thread with its answer."""
    return await _chosen.runner.call(functools.partial(work, *args, **kwargs))


def command(method: Callable[Concatenate[V, P], Coroutine[Any, Any, None]]) -> Callable[Concatenate[V, P], bool]:
    """Make an async method of a view model something a button may press.

    Pressing while the same command runs does nothing and answers False: five presses make one call. A Refusal goes to
    `refused`, anything else that goes wrong is logged with its traceback and goes to `failed` with a code. After
    `close()` of the view model nothing is started and late answers are dropped.
    """
    return _guarded(method, repeat=False)


def reload_command(method: Callable[Concatenate[V, P], Coroutine[Any, Any, None]]) -> Callable[Concatenate[V, P], bool]:
    """Like `command`, for reading what is shown: a press during the run is remembered, the last one runs afterwards."""
    return _guarded(method, repeat=True)


def _guarded(
    method: Callable[Concatenate[V, P], Coroutine[Any, Any, None]], *, repeat: bool
) -> Callable[Concatenate[V, P], bool]:
    name = method.__name__

    @functools.wraps(method)
    def pressed(self: V, /, *args: P.args, **kwargs: P.kwargs) -> bool:
        if self.is_closed:
            return False
        if self.is_busy(name):
            if repeat:
                self.remember(name, lambda: pressed(self, *args, **kwargs))
            return False
        self.begin(name)
        cancel = _chosen.runner.start(_run(self, name, method(self, *args, **kwargs)))
        self.cancel_on_close(name, cancel)
        return True

    return pressed


async def _run(model: ViewModel, name: str, steps: Coroutine[Any, Any, None]) -> None:
    refusal: Refusal | None = None
    failure: Failure | None = None
    try:
        await steps
    except Refusal as no:
        refusal = no
    except Exception as problem:
        failure = Failure(code=fault_code(problem), command=name)
        log.exception("command %s failed with %s", name, failure.code)
    again = model.end(name)
    if model.is_closed:
        return
    if refusal is not None:
        model.refused.emit(refusal)
    if failure is not None:
        model.failed.emit(failure)
    if again is not None:
        again()


def fault_code(problem: BaseException) -> str:
    """A short code for an unexpected error, the same for the same place in the program, printed beside its log line."""
    frames = traceback.extract_tb(problem.__traceback__)
    place = f"{frames[-1].filename.rsplit('app', 1)[-1]}:{frames[-1].name}" if frames else ""
    return f"E-{zlib.crc32(f'{type(problem).__name__}{place}'.encode()) & 0xFFFF:04X}"


def _give_result(answer: "asyncio.Future[Any]", value: object) -> None:
    if not answer.done():
        answer.set_result(value)


def _give_problem(answer: "asyncio.Future[Any]", problem: BaseException) -> None:
    if not answer.done():
        answer.set_exception(problem)
