"""What an open menu is about, however the grid changes under it."""

import datetime as dt
from dataclasses import dataclass

from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_selection import DayStretch
from app.usecases.rows import Bar


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """One place of the grid: a unit's day with the bar that lies there, or the days chosen around it."""

    unit_id: str
    day: dt.date
    bar: Bar | None
    chosen: tuple[str, dt.date, dt.date] | None


class MenuTarget:
    """The bar under the cursor when the menu opened, or the empty place with the days chosen there."""

    def __init__(self, grid: MonthGrid) -> None:
        self._grid = grid
        self._named: _Named | None = None

    def note(self) -> None:
        """The menu opens here."""
        self._named = self._here()

    def reach(self) -> bool:
        """Stand on what the menu named, wherever another counter moved it; False when it is not there any more."""
        named, here = self._named, self._here()
        if named is None:
            return False
        if named.bar is not None and named.bar.booking_id is not None:
            return self._reach_booking(named.bar, here)
        if here is not None and (here.unit_id, here.day) != (named.unit_id, named.day) and named.chosen is None:
            self._go_to(named.unit_id, named.day)
            here = self._here()
        return here == named

    def _reach_booking(self, bar: Bar, here: _Named | None) -> bool:
        if here is not None and here.bar is not None and here.bar.booking_id == bar.booking_id:
            return True
        content = self._grid.content
        if content is None:
            return False
        now = next((item for item in content.all_bars() if item.booking_id == bar.booking_id), None)
        return now is not None and self._go_to(now.unit_id, max(now.days.first, content.window.first))

    def _go_to(self, unit_id: str, day: dt.date) -> bool:
        content = self._grid.content
        column = content.column_of(day) if content is not None else None
        return column is not None and self._grid.go_to(unit_id, column)

    def _here(self) -> _Named | None:
        cell, content, found = self._grid.current_cell(), self._grid.content, self._grid.current_span()
        if cell is None or content is None or cell[1] >= len(content.days):
            return None
        chosen = self._grid.stretch()
        return _Named(
            unit_id=cell[0],
            day=content.days[cell[1]],
            bar=found[1].bar if found is not None else None,
            chosen=_days_of(chosen) if chosen is not None else None,
        )


def _days_of(chosen: DayStretch) -> tuple[str, dt.date, dt.date]:
    return chosen.unit.unit.id, chosen.first_day, chosen.last_day
