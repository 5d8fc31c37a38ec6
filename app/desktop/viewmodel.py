"""The base of all view models: plain attributes, one `changed` signal, outcome signals, which commands are running."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Something unexpected went wrong in a command. `code` finds the log line; the sentence is made by errors.py."""

    code: str
    command: str


class ViewModel(QObject):
    """What a screen shows and may do, without widgets, sentences or SQL.

    Subclasses keep plain attributes and emit `changed` after changing them. Methods marked `@command` run use cases;
    their expected "no" arrives in `refused` (a Refusal), anything else in `failed` (a Failure). All signals are emitted
    in the GUI thread.
    """

    changed = Signal()
    refused = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: set[str] = set()
        self._again: dict[str, Callable[[], object]] = {}
        self._cancels: dict[str, Callable[[], object]] = {}
        self._closed = False

    @property
    def is_closed(self) -> bool:
        return self._closed

    def is_busy(self, *names: str) -> bool:
        """True while one of the named commands runs; without names, while any runs."""
        return bool(self._running.intersection(names)) if names else bool(self._running)

    def begin(self, name: str) -> None:
        """Mark a command as running; called by the command layer only."""
        self._running.add(name)
        self.changed.emit()

    def end(self, name: str) -> Callable[[], object] | None:
        """Mark a command as ended, answer the press remembered meanwhile; called by the command layer only."""
        self._running.discard(name)
        self._cancels.pop(name, None)
        if not self._closed:
            self.changed.emit()
        return self._again.pop(name, None)

    def remember(self, name: str, press: Callable[[], object]) -> None:
        """Keep the newest press of a running reading command; called by the command layer only."""
        self._again[name] = press

    def cancel_on_close(self, name: str, cancel: Callable[[], object]) -> None:
        """Remember how to cancel a running command; called by the command layer only."""
        if name in self._running:
            self._cancels[name] = cancel

    def close(self) -> None:
        """No command starts any more and answers that come late change nothing."""
        self._closed = True
        self._again.clear()
        for cancel in tuple(self._cancels.values()):
            cancel()
