"""The calendar screen: toolbar, month grid, legend, and the walk-in drawer beside or over it."""

import datetime as dt

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screen import Screen, Shell
from app.desktop.screens.calendar_drawer import Drawer
from app.desktop.screens.calendar_filters import Filters
from app.desktop.screens.calendar_hands import Hands
from app.desktop.screens.calendar_hold_undo import HoldUndo
from app.desktop.screens.calendar_joins import SourceBanner, join_hands, tell_problems
from app.desktop.screens.calendar_keys import CalendarKey, CalendarKeys
from app.desktop.screens.calendar_marks import columns_of, refusal_marks
from app.desktop.screens.calendar_more import MoreMenu
from app.desktop.screens.calendar_moves import Moves
from app.desktop.screens.calendar_narrator import Narrator
from app.desktop.screens.calendar_place import GridPlace
from app.desktop.screens.calendar_pointing import Pointing
from app.desktop.screens.calendar_primary import PrimaryOwner
from app.desktop.screens.calendar_toolbar import CalendarToolbar
from app.desktop.screens.calendar_verbs import booking_reason
from app.desktop.screens.calendar_viewmodel import CalendarViewModel, Source
from app.desktop.screens.calendar_window import Zoom
from app.desktop.screens.calendar_work import GridWork
from app.desktop.screens.refusal_desk import RefusalDesk
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_held import Hold
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.theme import theme
from app.desktop.widgets.countdown import ProgressLine
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_legend import Legend
from app.desktop.widgets.month_grid_selection import DayStretch

LEAVE_WITHIN_MS = 1500


class CalendarScreen(Screen):
    """`pay_requested` carries the invoice that the settlement screen is to open."""

    pay_requested = Signal(str)

    def __init__(
        self,
        model: CalendarViewModel,
        walk_in: WalkInViewModel,
        work: GridWork,
        shell: Shell,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shell, parent)
        self.model, self.walk_in, self._work = model, walk_in, work
        model.setParent(self)
        walk_in.setParent(self)
        self._source, self._hold_undo = SourceBanner(model, shell), HoldUndo(shell, model, walk_in)
        self._leave_wait = QTimer(self)
        self._leave_wait.setSingleShot(True)
        self._leave_wait.timeout.connect(self.ready_to_leave)
        self._pay = self.add_key("F9", "", self._money_step)
        self._make_parts()
        self.keymap = self._make_keys()
        self.panel.follow_park(self.keymap.action(CalendarKey.ASIDE))
        self._connect()
        self._show_model()

    # --- making -------------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self._main = QWidget(self)
        column = QVBoxLayout(self._main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.toolbar = CalendarToolbar()
        self._progress = ProgressLine(self)
        self.grid = MonthGrid()
        self.place = GridPlace(self.grid)
        self.legend = Legend()
        self.filters = Filters(self.grid, self.model, self.toolbar, self.legend, self)
        column.addWidget(self.toolbar)
        column.addWidget(self.filters.strip)
        column.addWidget(self.place, 1)
        column.addWidget(self.legend)
        self.drawer = Drawer(self.grid, self.model, self.walk_in, self.shell, self._pay, self)
        self.panel = self.drawer.panel
        self.refusals = RefusalDesk(self.grid, self.model, self.walk_in, self, seen=self.drawer.seen)
        self.pointing = Pointing(
            self.grid, self.model, self.shell, self, seen=self.drawer.seen, is_covered=self.refusals.is_open
        )
        self.hands = Hands(
            self.grid,
            self.model,
            self.walk_in,
            self._work,
            self.pointing,
            self.shell,
            self,
            self._main,
            seen=self.drawer.seen,
        )
        column.insertWidget(1, self.hands.demand.strip)
        self._primary = PrimaryOwner(self, self.filters.card, self.refusals.card, *self.hands.questions())
        self.narrator = Narrator(self.grid, self.model, self)
        self.moves = Moves(self.grid, self.model, self, self.toolbar.title, self._main.width)
        self.more = MoreMenu(
            self.toolbar,
            self,
            fits=self.moves.fits,
            choose_zoom=self.moves.choose_zoom,
            block=self._block,
            choose_state=self.legend.focus_first,
            done=self._focus_grid,
        )
        self.setTabOrder(self.toolbar, self.grid)
        self.setTabOrder(self.grid, self.panel)

    def _make_keys(self) -> CalendarKeys:
        model, moves = self.model, self.moves
        run = {
            CalendarKey.NEW: self._new_booking,
            **self.drawer.keys(),
            CalendarKey.GO_TO_DAY: moves.ask_day,
            CalendarKey.PREVIOUS: lambda: model.step_month(-1),
            CalendarKey.NEXT: lambda: model.step_month(1),
            CalendarKey.TODAY: moves.go_today,
            CalendarKey.FILTER: self.toolbar.sku.edit.setFocus,
            CalendarKey.FILTERS: self.filters.open,
            CalendarKey.LEGEND: self.legend.focus_first,
            CalendarKey.NEXT_FREE: moves.next_free,
            CalendarKey.NEXT_ACTION: moves.next_action,
            CalendarKey.PREVIEW: self.pointing.toggle_preview,
            **self.hands.keys(),
            CalendarKey.BLOCK: self.hands.demand.ask_block,
            CalendarKey.WAITLIST: self.hands.demand.ask_waitlist,
            CalendarKey.MENU: self.hands.open_menu,
            CalendarKey.MENU_KEY: self.hands.open_menu,
            CalendarKey.MORE_DAYS: lambda: moves.zoom_by(1),
            CalendarKey.FEWER_DAYS: lambda: moves.zoom_by(-1),
            CalendarKey.WHOLE_MONTH: lambda: moves.choose_zoom(Zoom.MONTH.value),
        }
        return CalendarKeys(self, self.grid, self._pay, run)

    def _connect(self) -> None:
        model, walk_in, grid = self.model, self.walk_in, self.grid
        model.changed.connect(self._show_model)
        model.content_replaced.connect(self._show_content)
        model.rows_changed.connect(self._rows_changed)
        model.hinted.connect(self._hinted)
        model.source_changed.connect(self._source.show)
        model.cancelled.connect(self._cancelled)
        model.booking_changed.connect(walk_in.note_change)
        self.hands.changed.connect(walk_in.check)
        tell_problems(self.shell, model, self._work.changes, self._work.demand, self._work.unanswered)
        walk_in.held.connect(self._held)
        walk_in.changed.connect(self._answered)
        walk_in.hold_ended.connect(model.load)
        walk_in.pay_requested.connect(self.pay_requested)
        grid.set_clock(self._server_now)
        grid.stretch_chosen.connect(self._days_chosen)
        grid.ghost_changed.connect(lambda ghost: self.keymap.set_hand(ghost is not None))
        self.toolbar.stepped.connect(model.step_month)
        self.toolbar.today_wanted.connect(self.moves.go_today)
        self.toolbar.filter_left.connect(self._focus_grid)
        self.filters.done.connect(self._focus_grid)
        self.toolbar.zoom_chosen.connect(self.moves.choose_zoom)
        self.toolbar.booking_wanted.connect(self._new_booking)
        self.drawer.changed.connect(self._drawer_changed)
        self._primary.changed.connect(self._show_model)
        self.drawer.closed.connect(self._focus_grid)
        self.refusals.opened.connect(self._refusal_opened)
        self.refusals.closed.connect(self._refusal_closed)
        self.refusals.taken.connect(self.panel.focus_primary)
        join_hands(self.hands, self.refusals, self.pointing, self.drawer, self.filters, model)
        self.hands.bill_wanted.connect(self.pay_requested)
        self.hands.parked.may_leave.connect(self._leave_again)
        self.hands.parked.stayed.connect(self.stayed)
        self.toolbar.maintenance.clicked.connect(self._block)
        self.pointing.pay_wanted.connect(walk_in.pay_booking)
        self.pointing.blocked.draft_wanted.connect(self._new_booking)
        self.place.empty.chosen.connect(self.filters.use)
        self.place.empty.branches_wanted.connect(self.filters.open)

    # --- Screen -------------------------------------------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("Kalender")

    def activate(self, argument: object = None) -> None:
        self.model.load()
        self._focus_grid()
        if isinstance(argument, str) and argument:
            self.find_text(argument)
        if self.walk_in.stage in (Stage.HELD, Stage.CHECKING):
            self.walk_in.check()
        self.drawer.offer_draft()

    def refresh(self) -> None:
        self.model.load()
        if self.walk_in.stage is Stage.FORM:
            self.walk_in.price()
        else:
            self.walk_in.check()

    def leave(self) -> bool:
        """While a unit is being held or let go the answer is waited for, for 1.5 s at most; then it is asked for."""
        self.walk_in.save_draft()
        self.hands.demand.disarm()
        if not self.hands.parked.may_leave_now():
            return False
        if not self.walk_in.is_busy("book", "cancel_hold"):
            self._leave_wait.stop()
            return True
        if not self._leave_wait.isActive():
            self._leave_wait.start(LEAVE_WITHIN_MS)
        return False

    def toast_inset(self) -> int:
        return self.grid.corner.width()  # the plates stay readable

    def is_asking(self) -> bool:
        return self.hands.parked.question.isVisible()

    def _leave_again(self) -> None:
        """The question was answered: what else has to be finished first is finished now."""
        if self.leave():
            self.ready_to_leave.emit()

    def _answered(self) -> None:
        """After the command's own signals: what a refusal changed is in the draft's file before the screen goes."""
        if self._leave_wait.isActive() and not self.walk_in.is_busy("book", "cancel_hold"):
            self._leave_wait.start(0)

    def escape(self) -> bool:
        if self.hands.escape() or self.more.close_menu():
            return True
        if self.pointing.close_card() or self.moves.close_goto() or self.filters.close_card():
            return True
        if self.refusals.give_up() or self.grid.give_up() or self.drawer.escape():
            return True
        back = self.moves.come_back_from
        return back(self.legend, self.hands.lane) or self.filters.clear() or back(self)

    def home(self) -> QWidget | None:
        return self.grid

    def panes(self) -> tuple[QWidget, ...]:
        found: list[QWidget] = [self.toolbar.sku.edit, self.grid]
        if self.hands.lane.parked():
            found.append(self.hands.lane)
        if self.panel.isVisible():
            found.append(self.panel)
        return tuple(found)

    def shut(self) -> None:
        """Log-out: the draft is written, no command starts any more."""
        self._leave_wait.stop()
        self.walk_in.close()
        self.model.close()

    def connection_changed(self, online: bool) -> None:
        self.model.set_online(online)
        self.walk_in.set_online(online)
        if online and self.walk_in.has_unknown:
            self.walk_in.resolve()

    def find_text(self, text: str) -> bool:
        return self.moves.find_text(text)

    # --- grid ---------------------------------------------------------------------------------------------------------

    def _new_booking(self) -> None:
        self.pointing.hide_cards()
        self.hands.demand.disarm()
        self.model.show_own_branch()
        self.drawer.new_booking()

    def _money_step(self) -> None:
        """F9: the unpaid bar under the cursor while the grid has the focus, else the drawer's next step."""
        if not self.pointing.pay_current():
            self.drawer.money_step()

    def _drawer_changed(self) -> None:
        """The drawer or its form changed: keys, marks and the one primary button follow."""
        self.keymap.action(CalendarKey.UNIT).setEnabled(self.drawer.is_shown() and self.walk_in.stage is Stage.FORM)
        self.keymap.action(CalendarKey.COMMIT).setEnabled(self.drawer.is_shown() and self._pay.isEnabled())
        self._update_marks()
        self._show_model()

    def _update_marks(self) -> None:
        content, facts = self.grid.content, self.refusals.facts
        if content is not None:
            self.grid.set_marks(refusal_marks(content, facts) if facts is not None else self.drawer.marks())

    def _days_chosen(self, chosen: object) -> None:
        """Free days were settled: for a booking, or for maintenance when M was pressed before."""
        if self.pointing.displaced.refuses():
            return
        if self.hands.demand.is_armed and isinstance(chosen, DayStretch):
            self.hands.demand.ask_reason(chosen)
        elif isinstance(chosen, DayStretch) and (reason := booking_reason(self.model.who.roles)):
            self.grid.clear_stretch()
            self.pointing.show_not_booked(chosen, reason)
        else:
            self.drawer.book_stretch(chosen)

    def _block(self) -> None:
        self._focus_grid()
        self.hands.demand.ask_block()

    # --- answers ------------------------------------------------------------------------------------------------------

    def _refusal_opened(self) -> None:
        self.drawer.give_way()
        self._update_marks()

    def _refusal_closed(self) -> None:
        self._update_marks()
        self.drawer.come_back()

    def _cancelled(self, ended: object) -> None:
        number = getattr(ended, "number", "")
        self.shell.toast(self.tr("{0} dibatalkan, unit kosong lagi.").format(number), seconds=6)

    def _held(self, hold: object) -> None:
        """A unit is held: show it in the grid."""
        self.refusals.close_card()
        self.model.load()
        if isinstance(hold, Hold):
            columns = columns_of(self.grid.content, hold.period) if self.grid.content is not None else None
            if columns is not None:
                self.grid.go_to(hold.unit_id, columns[0])
            self._hold_undo.offer(hold)

    # --- showing ------------------------------------------------------------------------------------------------------

    def _show_model(self) -> None:
        model = self.model
        is_owned = self._primary.share(self.drawer, self.walk_in)
        self.toolbar.show_model(model, is_owned=is_owned, away=self.pointing.away_reason())
        self.toolbar.free.set_seen(self.grid.viewport().mapTo(self, self.drawer.seen().topRight()).x())
        self._progress.set_running(model.is_busy("load", "cancel"))
        self.grid.set_may_choose(model.may_hold)
        self.grid.set_stale(model.source is Source.STALE)
        self.place.show_model(model)
        if model.read_at is not None:
            at = clock(model.read_at, model.who.branch.zone, language(), seconds=True)
            old = model.source is Source.STALE
            self._source.show()
            self.shell.set_fact("grid", (self.tr("Data {0}") if old else self.tr("Grid diperbarui {0}")).format(at))

    def _show_content(self) -> None:
        if self.model.content is not None:
            had = self.grid.content is not None
            self.grid.show_content(self.model.content, keep_rows=self.model.keeps_rows)
            self.walk_in.set_fleet(self.model.fleet)
            self.drawer.refresh()
            if not had and self.isVisible() and not self.drawer.is_open():
                self._focus_grid()

    def _rows_changed(self, unit_ids: object) -> None:
        if isinstance(unit_ids, frozenset):
            self.grid.bars_changed(unit_ids)
            self.walk_in.note_rows(unit_ids)
            self.drawer.refresh()

    def _hinted(self, change: object) -> None:
        self.grid.apply_hint(change.sku, change.month, change.slot, change.mask)  # type: ignore[attr-defined]
        self.drawer.refresh()

    # --- layout -------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.drawer.arrange(self._main)
        self.hands.parked.arrange()
        self._progress.setGeometry(0, theme().sizes.toolbar - 2, self._main.width(), 2)
        self._progress.raise_()
        self.moves.refit()

    def _focus_grid(self) -> None:
        self.place.take_focus()

    def _server_now(self) -> dt.datetime:
        return self.model.clock.now()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.keymap.retranslate()
            self._show_model()
            self._source.show()
            for part in (self.pointing, self.hands, self.more, self.refusals):
                part.retranslate()
            self._update_marks()
            self.model.load()
        super().changeEvent(event)
