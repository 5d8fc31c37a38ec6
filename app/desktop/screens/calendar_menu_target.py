"""What an open menu is about, however the grid changes under it."""

from app.desktop.widgets.month_grid import MonthGrid
from app.usecases.rows import Bar


class MenuTarget:
    """The bar under the cursor when the menu opened, or the empty place."""

    def __init__(self, grid: MonthGrid) -> None:
        self._grid = grid
        self._named: Bar | None = None

    def note(self) -> None:
        """The menu opens here."""
        self._named = self._under()

    def reach(self) -> bool:
        """Stand on what the menu named, wherever another counter moved it; False when it is not there any more."""
        named, here, content = self._named, self._under(), self._grid.content
        if here == named:
            return True
        if named is None or named.booking_id is None or content is None:
            return False
        if here is not None and here.booking_id == named.booking_id:
            return True
        bar = next((item for item in content.all_bars() if item.booking_id == named.booking_id), None)
        column = content.column_of(max(bar.days.first, content.window.first)) if bar is not None else None
        return bar is not None and column is not None and self._grid.go_to(bar.unit_id, column)

    def _under(self) -> Bar | None:
        found = self._grid.current_span()
        return found[1].bar if found is not None else None
