"""The bar in the hand and what is read meanwhile: it settles when the grid has it, and goes when it is no longer so."""

from PySide6.QtCore import QObject, QTimer

from app.desktop.screen import Shell
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.widgets.month_grid import MonthGrid

SETTLED_MS = 400
"""A bar that was put down stays drawn in its new place until the grid has read it, this long at most."""


class InHand(QObject):
    """Watches the grid's ghost while the grid is read again."""

    def __init__(self, grid: MonthGrid, model: CalendarViewModel, shell: Shell, parent: QObject) -> None:
        super().__init__(parent)
        self._grid, self._model, self._shell = grid, model, shell
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(SETTLED_MS)
        self._settled.timeout.connect(grid.end_ghost)
        grid.ghost_changed.connect(lambda _ghost: self._stop_for_another())
        model.rows_changed.connect(lambda _ids: self._read_again())
        model.content_replaced.connect(self._read_again)

    def settle(self) -> None:
        """The change was made: the ghost may go as soon as the grid has the bar where it is now."""
        if not self._grid.is_moving():
            self._settled.start()

    def _stop_for_another(self) -> None:
        """What was put down is gone or another bar is in the hand: that one is not let go for the first."""
        if self._grid.ghost() is None or self._grid.is_moving():
            self._settled.stop()

    def _read_again(self) -> None:
        ghost, content = self._grid.ghost(), self._model.content
        if ghost is None or content is None:
            return
        if content.unit(ghost.home.unit.id) is None or content.unit(ghost.unit.unit.id) is None:
            if self._grid.is_moving():
                text = self.tr("{0} dilepas: barisnya tidak ditampilkan lagi.")
                self._shell.toast(text.format(ghost.bar.number or ""), seconds=6)
            self._settled.stop()
            self._grid.end_ghost()
            return
        if not content.has_bars:
            return
        key = ghost.bar.booking_id, ghost.bar.kind
        same = [bar for bar in content.all_bars() if (bar.booking_id, bar.kind) == key]
        if self._settled.isActive():
            if same != [ghost.bar]:  # nothing jumps back and forth
                self._settled.stop()
                self._grid.end_ghost()
        elif self._grid.is_moving() and (same or ghost.bar.days.overlaps(content.window)):
            was, now = ghost.bar, same[0] if same else None
            if now is None or (now.unit_id, now.days, now.rented) != (was.unit_id, was.days, was.rented):
                self._grid.end_ghost()
                text = self.tr("{0} baru saja berubah, jadi dilepas. Lihat dulu keadaannya.")
                self._shell.toast(text.format(was.number or ""))
            elif now != was:
                self._grid.take_bar_anew(now)
