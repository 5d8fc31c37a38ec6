"""Change hints from other counters, carried from the subscription's thread into the GUI thread."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from app.domain.days import YearMonth


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityChange:
    """One unit's month as it is now."""

    sku: str
    month: YearMonth
    slot: int
    mask: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SomethingChanged:
    """Rows of `what` (booking, invoice, unit, …) of a branch are to be read again."""

    branch: str
    what: str
    id: str
    by: str


class ChangeFeed(QObject):
    """The listener of a subscription. Its `on_…` methods may be called from any thread; its signals come in the GUI's.

    Hints that pile up while the GUI is busy are delivered together, the newest per unit and month only. `lost` and
    `restored` frame the time in which no hints arrive; after `restored` everything is to be read again.
    """

    availability = Signal(object)
    changed = Signal(object)
    lost = Signal()
    restored = Signal()
    _waiting = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._guard = threading.Lock()
        self._months: dict[tuple[str, YearMonth, int], int] = {}
        self._things: dict[tuple[str, str, str], SomethingChanged] = {}
        self._reach: list[bool] = []
        self._told = False
        self._closed = False
        self.is_lost = False
        self._waiting.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    # --- called by the subscription's thread ---

    def on_availability(self, sku: str, month: YearMonth, slot: int, mask: int) -> None:
        self._store(lambda: self._months.__setitem__((sku, month, slot), mask))

    def on_change(self, branch: str, what: str, id: str, by: str) -> None:
        found = SomethingChanged(branch=branch, what=what, id=id, by=by)
        self._store(lambda: self._things.__setitem__((branch, what, id), found))

    def on_lost(self) -> None:
        self._store(lambda: self._reach.append(False))

    def on_restored(self) -> None:
        self._store(lambda: self._reach.append(True))

    # --- GUI thread ---

    def close(self) -> None:
        """Nothing is delivered any more."""
        with self._guard:
            self._closed = True

    def _store(self, keep: Callable[[], None]) -> None:
        with self._guard:
            if self._closed:
                return
            keep()
            if self._told:
                return
            self._told = True
        self._waiting.emit()

    def _deliver(self) -> None:
        with self._guard:
            if self._closed:
                return
            months, self._months = self._months, {}
            things, self._things = self._things, {}
            reach, self._reach = self._reach, []
            self._told = False
        for (sku, month, slot), mask in months.items():
            self.availability.emit(AvailabilityChange(sku=sku, month=month, slot=slot, mask=mask))
        for thing in things.values():
            self.changed.emit(thing)
        if not reach:
            return
        # A break that healed meanwhile still means that hints may have been missed.
        if not reach[-1]:
            self.is_lost = True
            self.lost.emit()
        else:
            self.is_lost = False
            self.restored.emit()
