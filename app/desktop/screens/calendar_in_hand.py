"""The bar in the hand and what is read meanwhile: it settles when the grid has it, and goes when it is no longer so."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from app.desktop.screen import Shell
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_content import GridContent
from app.desktop.widgets.month_grid_ghost import Ghost
from app.desktop.widgets.month_grid_spans import by_booking, place_of, with_overdue_joined
from app.domain.days import Days
from app.usecases.rows import Bar

SETTLED_MS = 400
"""A bar that was put down stays drawn in its new place until the grid has read it, this long at most."""


class InHand(QObject):
    """Watches the grid's ghost while the grid is read again."""

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        shell: Shell,
        parent: QObject,
        *,
        is_parked: Callable[[str | None], bool],
    ) -> None:
        super().__init__(parent)
        self._grid, self._model, self._shell, self._is_parked = grid, model, shell, is_parked
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(SETTLED_MS)
        self._settled.timeout.connect(grid.end_ghost)
        grid.ghost_changed.connect(lambda _ghost: self._stop_for_another())
        model.rows_changed.connect(lambda _ids: self._read_again())
        model.content_replaced.connect(self._read_again)
        model.bars_read.connect(self._bars_read)

    def settle(self) -> None:
        """The change was made: the ghost may go as soon as the grid has the bar where it is now."""
        if not self._grid.is_moving():
            self._settled.start()

    def is_cut_off(self, ghost: Ghost) -> bool:
        """It was put down where nothing can be written any more: it is let go, and that is said where it was."""
        if self._model.may_hold or ghost.parks or ghost.is_home:
            return False
        self._grid.end_ghost()
        self._grid.blocked.emit(ghost.home, None)
        return True

    def _stop_for_another(self) -> None:
        """What was put down is gone or another bar is in the hand: that one is not let go for the first."""
        if self._grid.ghost() is None or self._grid.is_moving():
            self._settled.stop()

    def _read_again(self) -> None:
        ghost, content = self._grid.ghost(), self._model.content
        if ghost is None or content is None:
            return
        if not self._is_shown(ghost, content):
            if not self._settled.isActive():  # also one that was put down and is being checked
                text = self.tr("{0} dilepas: barisnya tidak ditampilkan lagi.")
                self._shell.toast(text.format(ghost.bar.number or ""), seconds=6)
            self._settled.stop()
            self._grid.end_ghost()
            return
        is_read = content.has_bars and self._now(ghost, content.all_bars()) != ghost.bar
        if is_read and self._settled.isActive():  # nothing jumps back and forth
            self._settled.stop()
            self._grid.end_ghost()

    def _is_shown(self, ghost: Ghost, content: GridContent) -> bool:
        """Its rows are there; what is dragged out of the parking lane may have left a row that a filter hides."""
        if self._is_parked(ghost.bar.booking_id) and not ghost.by_keys:
            return True
        return all(content.unit(each.unit.id) is not None for each in (ghost.home, ghost.unit))

    def _now(self, ghost: Ghost, drawn: Sequence[Bar]) -> Bar | None:
        """The bar in the hand as it is drawn now."""
        return by_booking(drawn).get(ghost.bar.booking_id or "")

    def _bars_read(self, window: Days, bars: tuple[Bar, ...]) -> None:
        """What the server has now, also of rows that are not shown."""
        ghost = self._grid.ghost()
        if ghost is None or self._settled.isActive() or not self._grid.is_moving():
            return
        was, now = ghost.bar, self._now(ghost, with_overdue_joined(bars))
        if now is not None or was.days.overlaps(window):
            if now is None or place_of(now) != place_of(was):
                self._grid.end_ghost()
                text = self.tr("{0} baru saja berubah, jadi dilepas. Lihat dulu keadaannya.")
                self._shell.toast(text.format(was.number or ""))
            elif now != was:
                self._grid.take_bar_anew(now)
