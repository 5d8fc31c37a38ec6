"""The bookings in the parking lane: the lane's place on the screen, how they come and go, and the question before
leaving."""

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from app.desktop.screen import Shell
from app.desktop.screens.calendar_changes import Changes
from app.desktop.screens.calendar_menu import MenuLine, VerbMenu
from app.desktop.screens.calendar_parking import LANE_HEIGHT, Parked, ParkingLane
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.theme import theme
from app.desktop.widgets.month_grid import MonthGrid
from app.domain.days import Days
from app.usecases.rows import Bar, EndedBooking

_STAY, _RETURN = "stay", "return"


class ParkedBookings(QObject):
    """`may_leave` when the question about parked bookings was answered with leaving, `stayed` with staying.

    A booking stays in the lane whatever is shown; it goes when it is placed, returned, or has another place on the
    server (then a word names it).
    """

    may_leave = Signal()
    stayed = Signal()

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        lane: ParkingLane,
        changes: Changes,
        shell: Shell,
        host: QWidget,
        main: QWidget,
    ) -> None:
        super().__init__(host)
        self._grid, self._lane, self._changes, self._shell = grid, lane, changes, shell
        self._host, self._main = host, main
        self._pulled: Parked | None = None
        self.question = VerbMenu(host)
        self.question.chosen.connect(self._answer)
        self.question.closed.connect(self._stay)
        lane.changed.connect(self._lane_changed)
        lane.taken.connect(changes.place_parked)
        lane.returned.connect(lambda item: lane.take_out(item.bar.booking_id))
        lane.left.connect(self._focus_grid)
        lane.pulled.connect(self._pull)
        lane.let_go.connect(self._let_go)
        grid.ghost_changed.connect(lambda _ghost: self.arrange())
        model.bars_read.connect(self._bars_read)
        model.cancelled.connect(self._cancelled)

    # --- the lane's place ---------------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """The lane at the bottom: over the end of the legend's line while it is offered, so that nothing moves under a
        drag; with room of its own while it has something.
        """
        wanted = self._lane.is_wanted()
        layout = self._main.layout()
        room = LANE_HEIGHT if self._lane.parked() else 0
        if isinstance(layout, QLayout) and layout.contentsMargins().bottom() != room:
            layout.setContentsMargins(0, 0, 0, room)
        height, width = (LANE_HEIGHT, self._main.width()) if room else (theme().sizes.legend, self._lane.offer_width())
        self._lane.setGeometry(self._main.width() - width, self._main.height() - height, width, height)
        self._lane.setVisible(wanted)
        if wanted:
            self._lane.raise_()

    def _lane_changed(self) -> None:
        self._pulled = None  # the chips are made anew
        self._grid.set_parked(tuple(item.bar for item in self._lane.parked()))
        self.arrange()
        if not self.question.isVisible():
            return
        if self.may_leave_now():  # nothing is left to ask about, and whoever wanted to go says so again
            self._stay()

    def retranslate(self) -> None:
        """The open question in the new words."""
        if self.question.isVisible():
            self.may_leave_now()

    # --- coming and going ---------------------------------------------------------------------------------------------

    def _bars_read(self, window: Days, bars: tuple[Bar, ...]) -> None:
        if not self._lane.parked():
            return
        gone = self._lane.keep(window, bars)
        if gone:
            numbers = ", ".join(item.bar.number or item.unit.unit.plate for item in gone)
            text = self.tr("{0} baru saja berubah, jadi keluar dari parkir. Lihat dulu keadaannya.")
            self._shell.toast(text.format(numbers), seconds=10)

    def _cancelled(self, ended: object) -> None:
        """Cancelled at this counter: the word about that is enough."""
        if isinstance(ended, EndedBooking):
            self._lane.take_out(ended.booking_id)

    def _pull(self, item: object, where: object) -> None:
        """A chip of the lane is dragged into the grid."""
        if not isinstance(item, Parked) or not isinstance(where, QPoint):
            return
        if self._pulled is not item:  # once for each press: what was let go meanwhile is not taken again
            self._pulled = item
            if self._grid.ghost() is None:
                self._changes.place_parked(item, by_keys=False)
        viewport = self._grid.viewport()
        self._grid.drag_ghost(viewport.mapFromGlobal(where))

    def _let_go(self, where: object) -> None:
        self._pulled = None
        viewport = self._grid.viewport()
        inside = isinstance(where, QPoint) and viewport.rect().contains(viewport.mapFromGlobal(where))
        if inside:
            self._grid.drop_ghost()
        elif self._grid.is_moving():
            self._grid.end_ghost()

    # --- leaving ------------------------------------------------------------------------------------------------------

    def may_leave_now(self) -> bool:
        """Nothing waits in the lane; else ask what is to become of it."""
        count = len(self._lane.parked())
        if not count:
            self.question.hide()
            return True
        title = self.tr("{0} booking masih diparkir").format(count)
        text = self.tr("Di server tetap di unit dan tanggal lamanya.")
        lines = (
            MenuLine(name=_STAY, text=self.tr("Tetap di sini"), key="T"),
            MenuLine(name=_RETURN, text=self.tr("Kembalikan lalu tinggalkan layar ini"), key="K"),
        )
        self.question.show_lines(title, text, lines)
        lane = QRect(self._lane.mapTo(self._host, QPoint(12, 0)), self._lane.size())
        self.question.place(lane, within=self._host.rect())
        self.question.take_focus()
        return False

    def _answer(self, answer: str) -> None:
        if answer == _RETURN:
            self._lane.return_all()
            self.may_leave.emit()
        else:
            self._stay()

    def _stay(self) -> None:
        self._focus_grid()
        self.stayed.emit()

    def _focus_grid(self) -> None:
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)
