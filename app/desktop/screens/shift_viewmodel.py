"""The cash shift of one person at one counter: is one open, open one with its float."""

import datetime as dt
from collections.abc import Callable
from typing import Protocol
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command, reload_command
from app.desktop.viewmodel import ViewModel
from app.domain.errors import invalid
from app.domain.money import Rupiah

MOST_LETTERS = 40


def drawer_proposal(counter: str, person: str) -> str:
    """The drawer's name to begin with: `Kasir 1 Siti`. Two people at one counter never propose the same one."""
    first = person.split()[0] if person.split() else ""
    return f"{counter} {first}".strip()[:MOST_LETTERS]


class ShownShift(Protocol):
    """What the screen shows of an open shift."""

    @property
    def number(self) -> int: ...
    @property
    def drawer(self) -> str: ...
    @property
    def opening_float(self) -> Rupiah: ...
    @property
    def opened_at(self) -> dt.datetime: ...


class ShiftViewModel(ViewModel):
    """`opened` tells that a shift was opened by the person at this screen just now."""

    opened = Signal()

    def __init__(
        self,
        *,
        current_shift: Callable[[], ShownShift | None],
        open_shift: Callable[[str, Rupiah], ShownShift],
        zone: ZoneInfo,
        drawer: str,
        roles: frozenset[str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current_shift = current_shift
        self._open_shift = open_shift
        self.zone = zone
        self.drawer = drawer
        self.may_open = bool(roles & {"cashier", "manager"})
        self.shift: ShownShift | None = None
        self.is_loaded = False

    @reload_command
    async def load(self) -> None:
        """Read which shift is open."""
        self.shift = await call(self._current_shift)
        self.is_loaded = True
        self.changed.emit()

    @command
    async def open(self, drawer: str, opening_float: int | None) -> None:
        """Open a shift; an amount that was not understood is refused naming the field."""
        if opening_float is None:
            raise invalid("float", "not_an_amount")
        self.shift = await call(self._open_shift, drawer, Rupiah(opening_float))
        self.is_loaded = True
        self.changed.emit()
        self.opened.emit()
