"""Del on maintenance: the question before a block ends, about that one block however the grid changes under it."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.desktop.screen import Shell
from app.desktop.screens.calendar_menu import MenuLine, VerbMenu
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.demand_viewmodel import DemandViewModel
from app.usecases.rows import Bar, FleetUnit
from app.usecases.rows_maintenance import MaintenanceRow

_END, _KEEP = "end", "keep"


class EndingQuestion(QObject):
    """The question and its answer. The block is looked up as soon as it is asked about; when it has gone, or another
    lies there by now, the question goes and says so. An answer that comes first waits for the block's name.
    """

    def __init__(
        self,
        menu: VerbMenu,
        model: CalendarViewModel,
        work: DemandViewModel,
        shell: Shell,
        focus_grid: Callable[[], None],
    ) -> None:
        super().__init__(menu)
        self.menu = menu
        self._model, self._work, self._shell, self._focus_grid = model, work, shell, focus_grid
        self._seen: Bar | None = None
        self._block_id: str | None = None
        self._is_answered = False
        menu.chosen.connect(self._answer)
        work.block_found.connect(self._found)
        model.changed.connect(self._look_again)

    def write(self, unit: FleetUnit, bar: Bar) -> None:
        """Write the question about this bar. Whoever asks places it and then has the block looked up."""
        self._seen, self._block_id, self._is_answered = bar, None, False
        title = self.tr("Akhiri perawatan {0}?").format(unit.unit.plate)
        text = self.tr("Hari yang tersisa langsung kosong dan bisa dipesan.")
        lines = (
            MenuLine(name=_KEEP, text=self.tr("Biarkan"), key="B"),
            MenuLine(name=_END, text=self.tr("Akhiri perawatan"), key="A"),
        )
        self.menu.show_lines(title, text, lines)

    def look_up(self) -> None:
        """Find out which block the bar is."""
        if self._seen is not None:
            self._work.find_block(self._seen)

    def _answer(self, name: str) -> None:
        self._focus_grid()
        if name != _END:
            self._seen = None
        elif self._block_id is not None:
            self._end(self._block_id)
        else:
            self._is_answered = True
            self.look_up()

    def _found(self, seen: Bar, row: MaintenanceRow | None) -> None:
        if self._seen is None or seen != self._seen or not (self._is_answered or self.menu.isVisible()):
            return
        if row is None:
            self._give_up()
        elif self._is_answered:
            self._end(row.id)
        else:
            self._block_id = row.id

    def _end(self, block_id: str) -> None:
        self._seen = None
        self._work.end_block(block_id)

    def _look_again(self) -> None:
        """Live changes: the question stands as long as its bar does."""
        seen, content = self._seen, self._model.content
        if seen is None or content is None or not self.menu.isVisible():
            return
        if content.window.overlaps(seen.days) and seen not in content.all_bars():
            self._give_up()

    def _give_up(self) -> None:
        self._seen = None
        if self.menu.isVisible():
            self.menu.hide()
            self._focus_grid()
        self._shell.toast(self.tr("Perawatan ini baru saja berubah, jadi tidak ada yang diakhiri."), seconds=6)
