"""What the calendar says aloud when the picture changes as a whole: another window, a SKU folded or opened."""

from PySide6.QtCore import QObject

from app.desktop.announce import announce
from app.desktop.formats import day_count, window_title
from app.desktop.language import language
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_spans import Group
from app.desktop.widgets.month_grid_texts import group_text
from app.domain.days import Days


class Narrator(QObject):
    """Polite, once for each change; the first window and what other counters do are not announced."""

    def __init__(self, grid: MonthGrid, model: CalendarViewModel, parent: QObject) -> None:
        super().__init__(parent)
        self._grid, self._model = grid, model
        self._said: Days | None = None
        model.content_replaced.connect(self._window_shown)
        grid.grid_model().folded.connect(self._folded)

    def _window_shown(self) -> None:
        content = self._model.content
        if content is None or content.window == self._said:
            return
        first, self._said = self._said is None, content.window
        if not first:
            title = window_title(content.window.first, content.window.last, language())
            announce(self._grid, f"{title}, {day_count(content.window.count, language())}")

    def _folded(self, group: object, folded: bool) -> None:
        if isinstance(group, Group):
            announce(self._grid, group_text(group, folded=folded))
