"""Everything a person does on the grid beside booking: moving, extending, parking, blocking, waiting, and the menu."""

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.formats import day_with_weekday
from app.desktop.language import language
from app.desktop.screen import Shell
from app.desktop.screens.calendar_cancel import RejectDialog
from app.desktop.screens.calendar_cancel_desk import Endings
from app.desktop.screens.calendar_changes import Changes
from app.desktop.screens.calendar_demand import Demand
from app.desktop.screens.calendar_keys import CalendarKey
from app.desktop.screens.calendar_menu import MenuLine, VerbMenu
from app.desktop.screens.calendar_menu_target import MenuTarget
from app.desktop.screens.calendar_no_show import no_show_reason
from app.desktop.screens.calendar_parked import ParkedBookings
from app.desktop.screens.calendar_parking import ParkingLane
from app.desktop.screens.calendar_pointing import Pointing
from app.desktop.screens.calendar_unanswered import Unanswered
from app.desktop.screens.calendar_verbs import Verb, VerbKind, bar_verbs, day_verbs
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.calendar_work import GridWork
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_ghost import Grip
from app.desktop.widgets.month_grid_selection import obstacle_at
from app.desktop.widgets.month_grid_texts import stop_reason
from app.domain.booking import BookingState
from app.usecases.rows import Bar, OccupancyKind


class Hands(QObject):
    """Joins the parts. `bill_wanted` carries an invoice's id, `refused` (Refusal, what is kept, whose it is), `changed`
    whatever was written.
    """

    bill_wanted = Signal(str)
    refused = Signal(object, str, str)
    changed = Signal()

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        walk_in: WalkInViewModel,
        work: GridWork,
        pointing: Pointing,
        shell: Shell,
        host: QWidget,
        main: QWidget,
        *,
        seen: Callable[[], QRect],
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._pointing, self._shell, self._host = grid, model, pointing, shell, host
        self.work = work
        work.changes.setParent(host)
        work.demand.setParent(host)
        work.unanswered.setParent(host)
        self.lane = ParkingLane(main)
        self.changes = Changes(grid, model, work.changes, self.lane, shell, self, seen=seen)
        self.demand = Demand(grid, model, walk_in, work.demand, shell, host, seen=seen)
        self.menu = VerbMenu(host)
        self.ends = Endings(grid, model, walk_in, work.ends, shell, host, seen=seen, verbs=self.verbs)
        self.unanswered = Unanswered(work.unanswered, work.changes, work.demand, self.changes, shell, self)
        self.parked = ParkedBookings(grid, model, self.lane, self.changes, shell, host, main)
        self._menu_of = MenuTarget(grid)
        self._connect()

    def _connect(self) -> None:
        grid, changes = self._grid, self.changes
        grid.menu_wanted.connect(self.open_menu)
        grid.edge_pushed.connect(self._model.pan)
        self._model.cell_wanted.connect(self._go_to)
        grid.days_pulled.connect(self._model.pan)
        grid.window_full.connect(self._say_full)
        grid.ghost_changed.connect(lambda _ghost: self._pointing.hide_cards())
        grid.moved.connect(self.demand.hide_cards)
        changes.stuck.connect(self._pointing.show_stuck)
        changes.form_wanted.connect(self._pointing.show_lower_class)
        changes.refused.connect(self.refused)
        changes.changed.connect(self.changed)
        self.demand.changed.connect(self.changed)
        self.demand.opened.connect(self._pointing.hide_all)
        self.ends.changed.connect(self.changed)
        self.ends.opened.connect(self._pointing.hide_all)
        self.ends.opened.connect(self.demand.hide_cards)
        self._pointing.end_wanted.connect(lambda: self.ends.press(VerbKind.CANCEL))
        self._pointing.days_gone.connect(self.work.demand.ask_who)
        self.work.demand.told_who.connect(self._pointing.tell_who)
        self.work.changes.bill_found.connect(self.bill_wanted)
        self._pointing.bill_wanted.connect(self.pay_bill)
        self._pointing.bills = self.changes.bills
        self.menu.chosen.connect(self._run)
        self.menu.closed.connect(self._focus_grid)

    def questions(self) -> tuple[QWidget, ...]:
        """Cards that ask something: while one is open nothing beside it is the view's main button."""
        return self.demand.waitlist, self.ends.paid, self.ends.longer

    # --- keys ---------------------------------------------------------------------------------------------------------

    def keys(self) -> dict[CalendarKey, Callable[[], object]]:
        """The keys that change what lies under the cursor."""
        return {
            CalendarKey.CANCEL: self.delete,
            CalendarKey.NO_SHOW: self.write_no_show,
            CalendarKey.LONGER: lambda: self.ends.press(VerbKind.HOLD_LONGER),
            CalendarKey.EXTEND: self.extend,
            CalendarKey.START: self.change_start,
            CalendarKey.MOVE: self.move,
            CalendarKey.PARK: self.park,
        }

    def extend(self) -> None:
        """X: the last day in the hand."""
        if self._on_bar():
            self.changes.start(Grip.END)

    def change_start(self) -> None:
        """Shift+X: the first day in the hand."""
        if self._on_bar():
            self.changes.start(Grip.START)

    def move(self) -> None:
        """P: the whole bar in the hand."""
        if self._on_bar():
            self.changes.start(Grip.BODY)

    def park(self) -> None:
        """Shift+P: aside, or back; with nothing under the cursor on to the lane."""
        if self._grid.current_span() is None and self.lane.take_focus():
            return
        if self._on_bar():
            self.changes.park_current()

    def delete(self) -> None:
        """Del: whatever ends the thing under the cursor, or the one whose card is open."""
        if not self._pointing.stand_on_card():
            return
        found = self._grid.current_span()
        bar = found[1].bar if found is not None else None
        if found is None or bar is None:
            return
        if bar.kind is OccupancyKind.MAINTENANCE:
            reason = self._reason_of(VerbKind.END_BLOCK)
            if reason:
                self._shell.toast(reason, seconds=6)
            else:
                self.demand.ask_end(*found)
        elif bar.state is BookingState.EXTENSION_PENDING:
            self._ask_reject(bar)
        elif bar.state is BookingState.PENDING_PAYMENT:
            self._pointing.cancel_current()
        else:
            self.ends.press(VerbKind.CANCEL)

    def write_no_show(self) -> None:
        """Shift+Del: the customer has not come."""
        if self._pointing.stand_on_card():
            self.ends.press(VerbKind.NO_SHOW)

    def escape(self) -> bool:
        """One level: the menu, a card, what is in the hand."""
        if (
            self.menu.close_menu()
            or self.ends.close_card()
            or self.parked.question.close_menu()
            or self.demand.close_card()
        ):
            return True
        if self.changes.give_up():
            self._grid.give_up()
            return True
        return self._grid.ghost() is not None  # sent already: Esc calls nothing back, and means nothing else

    def _on_bar(self) -> bool:
        """Somebody's bar is under the cursor; else say that there is none."""
        found = self._grid.current_span()
        if found is not None and found[1].bar is not None and found[1].bar.booking_id is not None:
            self._pointing.hide_cards()
            return True
        away = self._pointing.away_reason() if found is not None and self._model.is_elsewhere else ""
        self._shell.toast(away or self.tr("Pilih bar booking dulu (panah atau G)."), seconds=6)
        return False

    def _reason_of(self, kind: VerbKind) -> str:
        return next((verb.reason for verb in self.verbs() if verb.kind is kind), "")

    def _ask_reject(self, bar: Bar) -> None:
        reason = self._reason_of(VerbKind.REJECT)
        if reason or bar.booking_id is None:
            self._shell.toast(reason, seconds=6)
            return
        booking_id, seen = bar.booking_id, bar.version
        dialog = RejectDialog(bar.number or "", bar.customer_name or "", self._host)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.confirmed.connect(lambda why: self.work.changes.reject(booking_id, why, seen))
        dialog.finished.connect(lambda _: self._focus_grid())
        dialog.open()

    # --- paying what a change left ------------------------------------------------------------------------------------

    def pay_bill(self, booking_id: str) -> None:
        """Go on to the settlement of an extension or a difference."""
        known = self.changes.bills.get(booking_id)
        if known is not None:
            self.bill_wanted.emit(known)
        else:
            self.work.changes.find_bill(booking_id)

    # --- menu ---------------------------------------------------------------------------------------------------------

    def verbs(self) -> tuple[Verb, ...]:
        """What can be done where the cursor stands, with the reason where it cannot."""
        roles, found, content = self._model.who.roles, self._grid.current_span(), self._grid.content
        row, column = self._grid.current_row(), self._grid.currentIndex().column()
        if row is None or content is None or row.unit is None:
            return ()
        away = self._pointing.away_reason()
        if found is not None and found[1].bar is not None and not found[1].turnaround:
            span = found[1]
            ours = bar_verbs(
                span,
                roles,
                away=away,
                pay_reason=self._pointing.pay_reason(span),
                is_parked=span.bar is not None and self.lane.holds(span.bar.booking_id),
                no_show=self._no_show_reason(span.bar),
            )
            is_over = content.days[min(column, len(content.days) - 1)] < content.today
            waits = () if is_over else day_verbs(roles, is_free=False, away=away, blocked="")
            return (*ours, *waits)
        stopped = obstacle_at(content, row.unit, column)
        chosen = self._grid.stretch()
        is_free = stopped is None or chosen is not None
        blocked = "" if is_free or stopped is None else stop_reason(stopped)
        return day_verbs(roles, is_free=is_free, away=away, blocked=blocked[:1].upper() + blocked[1:])

    def _no_show_reason(self, bar: Bar | None) -> str | None:
        who = self._model.who
        return no_show_reason(bar, who.roles, self._model.clock.now(), who.branch.zone) if bar is not None else None

    def open_menu(self, where: object = None) -> None:
        """Beside the pointer, or at the cell under the cursor."""
        verbs = self.verbs()
        if not verbs or self._grid.ghost() is not None:
            return
        self._pointing.hide_all()
        self._menu_of.note()
        lines = [MenuLine(name=verb.kind.value, text=verb.text, key=verb.key, reason=verb.reason) for verb in verbs]
        self.menu.show_lines(*self._menu_title(), lines, room=self._host.height())
        # Beside or below what it names, which stays readable, and near the pointer.
        named = self._named_rect()
        at = self._grid.viewport().mapTo(self._host, where if isinstance(where, QPoint) else named.center())
        named.moveTopLeft(self._grid.viewport().mapTo(self._host, named.topLeft()))
        near = QRect(max(named.left(), min(at.x(), named.right())), named.top(), 1, named.height())
        self.menu.place(near, [named], within=self._host.rect())
        self.menu.take_focus()
        announce(self._grid, self.menu.accessibleName())

    def _named_rect(self) -> QRect:
        """What the menu speaks of, in the viewport: the bar, the chosen days, or the cell."""
        found, chosen, grid = self._grid.current_span(), self._grid.stretch(), self._grid
        rect = grid.visualRect(grid.currentIndex())
        if chosen is not None:
            rect = grid.cell_rect(chosen.unit.unit.id, chosen.first, chosen.last)
        elif found is not None:
            rect = grid.cell_rect(found[0].unit.id, found[1].first, found[1].last)
        return rect.intersected(grid.viewport().rect())

    def _menu_title(self) -> tuple[str, str]:
        found, row, content = self._grid.current_span(), self._grid.current_row(), self._grid.content
        if found is not None and found[1].bar is not None:
            bar = found[1].bar
            return bar.number or found[0].unit.plate, bar.customer_name or bar.note
        column = self._grid.currentIndex().column()
        plate = row.unit.unit.plate if row is not None and row.unit is not None else ""
        return plate, day_with_weekday(content.days[column], language()) if content is not None else ""

    def _run(self, name: str) -> None:
        """A verb of the menu, done as its key does it, to what the menu named and nothing that came there since."""
        self._focus_grid()
        if not self._menu_of.reach():
            self._shell.toast(self.tr("Di sini baru saja berubah, jadi tidak ada yang dilakukan."), seconds=6)
            return
        match VerbKind(name):
            case VerbKind.OPEN:
                self._grid.activate_current()
            case VerbKind.PAY:
                self._pointing.pay_current()
            case VerbKind.CHECK_OUT | VerbKind.CHECK_IN:
                pass  # never enabled
            case VerbKind.EXTEND:
                self.extend()
            case VerbKind.START:
                self.change_start()
            case VerbKind.MOVE:
                self.move()
            case VerbKind.PARK:
                self.park()
            case VerbKind.CANCEL | VerbKind.REJECT | VerbKind.END_BLOCK:
                self.delete()
            case VerbKind.NO_SHOW:
                self.write_no_show()
            case VerbKind.HOLD_LONGER:
                self.ends.press(VerbKind.HOLD_LONGER)
            case VerbKind.BOOK:
                self._grid.activate_current()
            case VerbKind.BLOCK:
                self._block_here()
            case VerbKind.WAITLIST:
                self.demand.ask_waitlist()

    def _block_here(self) -> None:
        """From the menu the day under the cursor is meant, without another question."""
        if self._grid.stretch() is None:
            self._grid.choose_current()
        self.demand.ask_block()

    # --- getting there and back ---------------------------------------------------------------------------------------

    def _go_to(self, unit_id: str, day: dt.date) -> None:
        content = self._grid.content
        column = content.column_of(day) if content is not None else None
        if column is not None and self._grid.go_to(unit_id, column):
            self._focus_grid()

    def _say_full(self) -> None:
        text = self.tr("Hari pertama sudah di tepi. Tekan - untuk menampilkan lebih banyak hari.")
        self._shell.toast(text, seconds=6)

    def _focus_grid(self) -> None:
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        """The language changed: what is open is written anew or goes."""
        self.lane.retranslate()
        self.parked.retranslate()
        self.menu.hide()
        self.ends.retranslate()
        self.demand.hide_cards()
