"""What stands in the middle of the calendar: the grid, its outline before the first answer, or why it is empty."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.desktop.screens.calendar_empty import EmptyCalendar
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.theme import theme
from app.desktop.widgets.countdown import Skeleton
from app.desktop.widgets.month_grid import MonthGrid

_OUTLINE_ROWS = 18


class GridPlace(QStackedWidget):
    """Shows one of the three; `empty` asks for another filter."""

    def __init__(self, grid: MonthGrid, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = grid
        self._outline = Skeleton(_OUTLINE_ROWS, theme().sizes.grid_row)
        self.empty = EmptyCalendar()
        for widget in (self._outline, grid, self.empty):
            self.addWidget(widget)

    def take_focus(self) -> None:
        """The grid, or the one thing to press while there is nothing in it."""
        place = self.empty.button if self.currentWidget() is self.empty else self._grid
        place.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_model(self, model: CalendarViewModel) -> None:
        """The one that fits what is known."""
        if model.content is None:
            self.setCurrentWidget(self._outline)
        elif model.content.unit_count == 0:
            self.empty.show_fleet(model.shown)
            self.setCurrentWidget(self.empty)
        else:
            self.setCurrentWidget(self._grid)
