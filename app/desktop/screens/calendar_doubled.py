"""A double claim on days that the calendar does not show: found with each window, so that its banner never waits."""

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.desktop.commands import call, reload_command
from app.desktop.screens.calendar_shown import EVERYTHING
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.viewmodel import ViewModel
from app.desktop.widgets.month_grid_conflicts import Conflict, conflicts_of
from app.domain.days import Days
from app.usecases.rows import Bar, FleetUnit


class DoubledClaims(ViewModel):
    """`found_changed` when another one, or none, is known. While the database keeps its promise the question costs it
    nothing; an answer that does not come leaves what is known.
    """

    found_changed = Signal()

    def __init__(self, model: CalendarViewModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._wanted: tuple[str, Conflict] | None = None
        self.found: tuple[FleetUnit, Conflict] | None = None
        # Queued: only after the grid shows the other content.
        model.content_replaced.connect(self._arrive, Qt.ConnectionType.QueuedConnection)
        self._is_old = False
        model.content_replaced.connect(self._grow_old)
        model.rows_changed.connect(self._grow_old)
        model.bars_read.connect(self._ask, Qt.ConnectionType.QueuedConnection)

    def _grow_old(self, *_: object) -> None:
        self._is_old = True

    def _ask(self, *_: object) -> None:
        """Once the window itself has been read and differs: nobody waits for this answer."""
        if self._is_old:
            self._is_old = False
            self.read()

    @reload_command
    async def read(self) -> None:
        """Ask for the first one of the own branch from today on."""
        reads, today = self._model.reads, self._model.today
        if today is None or self._model.is_closed:
            return
        answer = await call(reads.first_doubled, today)
        found = None
        if answer is not None:
            unit_id, days = answer
            bars = await call(reads.bars, Days(days.first, days.first))
            found = self._conflict(unit_id, bars)
        if found != self.found:
            self.found = found
            self.found_changed.emit()

    def _conflict(self, unit_id: str, bars: tuple[Bar, ...]) -> tuple[FleetUnit, Conflict] | None:
        own = [bar for bar in bars if bar.unit_id == unit_id]
        unit = next((unit for unit in self._model.fleet if unit.unit.id == unit_id), None)
        claim = next(iter(conflicts_of(own)), None)
        return (unit, claim) if unit is not None and claim is not None else None

    def go_to(self, unit: FleetUnit, conflict: Conflict) -> None:
        """Show its first day, in a window that has it, and its unit, whatever filter is on."""
        model = self._model
        self._wanted = (unit.unit.id, conflict)
        if model.content is not None and model.content.unit(unit.unit.id) is None:
            model.set_wanted(EVERYTHING)
        model.show_day(conflict.days.first)
        QTimer.singleShot(0, self, self._arrive)

    def _arrive(self) -> None:
        content = self._model.content
        if self._wanted is None or content is None:
            return
        unit_id, conflict = self._wanted
        if conflict.days.first in content.window and content.unit(unit_id) is not None:
            self._wanted = None
            self._model.cell_wanted.emit(unit_id, conflict.days.first)
