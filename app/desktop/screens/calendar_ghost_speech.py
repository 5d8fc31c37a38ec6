"""Where the words about a bar in the hand stand: beside it, never over the place it came from, never cut."""

from collections.abc import Callable

from PySide6.QtCore import QRect

from app.desktop.screens.calendar_change_bubble import ChangeBubble
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_ghost import Ghost, Verdict
from app.usecases.rows_changes import ChangeQuote


class GhostSpeech:
    """Owns the bubble; `seen` is the part of the grid that no panel covers."""

    def __init__(self, grid: MonthGrid, seen: Callable[[], QRect]) -> None:
        self._grid, self._seen = grid, seen
        self.bubble = ChangeBubble(grid.viewport())

    def show(self, ghost: Ghost, verdict: Verdict, quote: ChangeQuote | None, said: tuple[str, str]) -> None:
        """Fill the bubble in and place it anew: other words need another height."""
        self.bubble.show_ghost(ghost, verdict, quote, said)
        grid = self._grid
        target = grid.ghost_rect()
        if target.isEmpty():
            target = grid.visualRect(grid.currentIndex())
        if ghost.parks and self.bubble.isVisible():
            # The pointer is below the grid: the words stay in its column, at the edge that it went over.
            target = QRect(self.bubble.x(), grid.viewport().height(), 1, 1)
        row = QRect(0, target.top(), grid.viewport().width(), target.height())
        self.bubble.place(target, [row, grid.home_rect()], self._seen())
