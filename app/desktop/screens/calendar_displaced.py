"""The cursor whose unit left the grid: it stands on a neighbour by itself, so the next Enter does not book that one."""

from PySide6.QtCore import QObject

from app.desktop.screen import Shell
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.usecases.rows import FleetUnit


class DisplacedCursor(QObject):
    """Tells of the unit that went (with its chosen days), and refuses the days that Enter settles on its neighbour
    until somebody moved the cursor. A filter that hides a unit is the person's own doing and counts for nothing here.

    To be made before the grid hears of new contents.
    """

    def __init__(self, grid: MonthGrid, model: CalendarViewModel, shell: Shell, parent: QObject) -> None:
        super().__init__(parent)
        self._grid, self._model, self._shell = grid, model, shell
        self._stood_on: FleetUnit | None = None
        self._gone: FleetUnit | None = None
        model.content_replaced.connect(self._note)
        model.changed.connect(self._look)
        grid.moved.connect(self._moved)

    def refuses(self) -> bool:
        """Days were settled: True, once, when nobody chose the unit they are of."""
        gone, self._gone = self._gone, None
        if gone is not None:
            self._grid.clear_stretch()
            self._tell(gone)
        return gone is not None

    def _note(self) -> None:
        row = self._grid.current_row()
        if self._model.keeps_rows and self._stood_on is None:
            self._stood_on = self._gone or (row.unit if row is not None else None)
        elif not self._model.keeps_rows:
            self._gone = None

    def _look(self) -> None:
        stood_on, self._stood_on, content = self._stood_on, None, self._model.content
        if stood_on is None or content is None or content.unit(stood_on.unit.id) is not None:
            return
        is_new = self._gone is None
        self._gone = stood_on
        if is_new:
            self._tell(stood_on)

    def _moved(self) -> None:
        # While the grid takes new contents in, the cursor is moved by nobody.
        if self._stood_on is None:
            self._gone = None

    def _tell(self, gone: FleetUnit) -> None:
        text = self.tr("{0} tidak ada lagi di kalender. Pilih unit lain dulu.")
        self._shell.toast(text.format(gone.unit.plate), seconds=8)
