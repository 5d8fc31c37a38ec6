"""Several threads through one barrier: what happens when people press at the same moment."""

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from app.domain.errors import Refusal

T = TypeVar("T")


class Outcomes(Generic[T]):
    """What came of it, in the order of the works: results and refusals. Any other failure has been raised already."""

    def __init__(self, found: Sequence[T | Refusal]) -> None:
        self.all = tuple(found)

    @property
    def results(self) -> list[T]:
        return [item for item in self.all if not isinstance(item, Refusal)]

    @property
    def refusals(self) -> list[Refusal]:
        return [item for item in self.all if isinstance(item, Refusal)]


def at_once(*works: Callable[[], T], within: float = 60.0) -> Outcomes[T]:
    """Start every work at the same moment, each in a thread of its own, and wait for all of them."""
    barrier = threading.Barrier(len(works))
    found: list[T | Refusal | None] = [None] * len(works)
    failed: list[BaseException] = []

    def run(place: int, work: Callable[[], T]) -> None:
        try:
            barrier.wait(within)
            found[place] = work()
        except Refusal as no:
            found[place] = no
        except BaseException as problem:  # noqa: BLE001 - it is raised below, in the thread of the test
            failed.append(problem)

    threads = [threading.Thread(target=run, args=(n, work), daemon=True) for n, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(within)
        assert not thread.is_alive(), "a work did not end"
    if failed:
        raise failed[0]
    return Outcomes([item for item in found if item is not None])
