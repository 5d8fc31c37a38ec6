"""Which screens exist, in the order of the rail. A place of the rail without an entry is shown as not available."""

from collections.abc import Callable
from dataclasses import dataclass

from app.bootstrap import Counter
from app.desktop.screen import Screen, ScreenKey, Shell
from app.desktop.screens.shift_view import ShiftScreen
from app.desktop.screens.shift_viewmodel import ShiftViewModel


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenEntry:
    """A screen is made when it is first shown."""

    key: ScreenKey
    make: Callable[[Counter, Shell], Screen]


def _shift(counter: Counter, shell: Shell) -> Screen:
    shifts = counter.shifts
    model = ShiftViewModel(
        current_shift=shifts.current_shift,
        open_shift=shifts.open_shift,
        zone=counter.who.branch.zone,
        drawer=counter.counter_name,
        roles=frozenset(role.value for role in counter.who.roles),
    )
    return ShiftScreen(model, shell)


def screen_entries() -> tuple[ScreenEntry, ...]:
    """Every screen of this version."""
    return (ScreenEntry(key=ScreenKey.SHIFT, make=_shift),)
