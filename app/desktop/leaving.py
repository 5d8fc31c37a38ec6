"""Going away from the screen in front: it may first finish something, or ask the person."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

CLOSE_WITHIN_MS = 1500


class LeftScreen(Protocol):
    """A screen as it is left (screen.py)."""

    @property
    def ready_to_leave(self) -> SignalInstance: ...

    @property
    def stayed(self) -> SignalInstance: ...

    def leave(self) -> bool: ...

    def is_asking(self) -> bool: ...


class Leaving(QObject):
    """Runs `go` when the screen lets go: after 1.5 s at the latest while it finishes something, but not before the
    answer while it asks the person. Staying forgets that anybody wanted to go.
    """

    def __init__(self, go: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._go = go
        self._screen: LeftScreen | None = None
        self._within = QTimer(self)
        self._within.setSingleShot(True)
        self._within.timeout.connect(self._out_of_time)

    def may_go(self, screen: LeftScreen) -> bool:
        """True at once, or False and `go` later (asked again meanwhile: the same question once more)."""
        self.forget()
        if screen.leave():
            return True
        self._screen = screen
        screen.ready_to_leave.connect(self._ready)
        screen.stayed.connect(self.forget)
        if not screen.is_asking():
            self._within.start(CLOSE_WITHIN_MS)
        return False

    def is_waiting(self) -> bool:
        """Something is being finished, with nobody asked."""
        return self._within.isActive()

    def _ready(self) -> None:
        self.forget()
        self._go()

    def _out_of_time(self) -> None:
        if self._screen is not None and not self._screen.is_asking():
            self._ready()

    def forget(self) -> None:
        """Nobody wants to go any more, or the screen is gone."""
        self._within.stop()
        screen, self._screen = self._screen, None
        if screen is not None:
            screen.ready_to_leave.disconnect(self._ready)
            screen.stayed.disconnect(self.forget)
