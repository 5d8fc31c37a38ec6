"""The drawer beside or over the grid: when it is open, where it stands, its money step, its draft, its marks."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.desktop.errors import refusal_sentence
from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screen import Shell
from app.desktop.screens.calendar_keys import CalendarKey
from app.desktop.screens.calendar_marks import columns_of, draft_marks, free_units, held_marks, left_beside, line_marks
from app.desktop.screens.calendar_verbs import booking_reason
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_hold_refused import tell_hold_refusals
from app.desktop.screens.walk_in_sent import FoundOrder
from app.desktop.screens.walk_in_texts import (
    also_held_sentence,
    found_sentence,
    held_behind_sentence,
    refused_behind_sentence,
)
from app.desktop.screens.walk_in_view import WalkInPanel
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.theme import theme
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_marks import GridMark
from app.desktop.widgets.month_grid_selection import DayStretch
from app.domain.days import Days
from app.domain.errors import Refusal
from app.usecases.rows import Bar, FleetUnit

PINNED_FROM = 1840


class Drawer(QObject):
    """Laid over the right of the grid, on wide windows pinned beside it. What was typed is never lost by closing.

    `changed` when it opens, closes, or its form changes; `closed` after it went.
    """

    changed = Signal()
    closed = Signal()

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        walk_in: WalkInViewModel,
        shell: Shell,
        pay: QAction,
        host: QWidget,
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._walk_in, self._shell, self._host = grid, model, walk_in, shell, host
        self._is_open = False
        self._offered = False
        self._is_offering = False
        self._gave_way = self._fact_shown = False
        self._wanted: DayStretch | None = None
        self.panel = WalkInPanel(walk_in, pay, host)
        self.panel.hide()
        self.panel.close_wanted.connect(self.close_panel)
        self.panel.choice.continued.connect(self._continue_draft)
        self.panel.choice.begun.connect(self._begin_new)
        walk_in.changed.connect(self.refresh)
        walk_in.held.connect(lambda _: self._show_draft_fact())
        walk_in.found_sent.connect(self._tell_found)
        walk_in.held_behind.connect(self._tell_behind)
        walk_in.also_held.connect(self._tell_also_held)
        walk_in.refused_behind.connect(self._tell_refused)
        tell_hold_refusals(walk_in, shell)
        walk_in.parked.connect(self._tell_parked)

    def is_open(self) -> bool:
        return self._is_open

    def is_pinned(self) -> bool:
        return self._host.width() >= PINNED_FROM

    def is_shown(self) -> bool:
        return self._is_open or self.is_pinned()

    def keys(self) -> dict[CalendarKey, Callable[[], object]]:
        """The keys that are about the drawer."""
        return {
            CalendarKey.CUSTOMER: self.ask_customer,
            CalendarKey.COMMIT: self.money_step,
            CalendarKey.UNIT: self.panel.focus_unit,
            CalendarKey.MORE_UNITS: self.add_line,
            CalendarKey.DISCOUNT: self.panel.focus_discount,
            CalendarKey.ASIDE: self.park,
            CalendarKey.DRAFTS: self.list_parked,
        }

    # --- opening and closing ------------------------------------------------------------------------------------------

    def open_panel(self) -> None:
        """Show it and go on typing there; a bar in the hand is let go, its keys are the form's now."""
        if self._grid.is_moving():
            self._grid.end_ghost()
        self._is_open = True
        self._walk_in.set_fleet(self._model.fleet)
        self._walk_in.read_extras()
        self.panel.show()
        self.panel.raise_()
        self.refresh()
        self.panel.start_typing()

    def close_panel(self) -> None:
        """Hide it (pinned, only the typing ends); what was typed is kept as a draft."""
        had_draft = self._walk_in.is_typed and not self.panel.is_asking()
        self._walk_in.save_draft()
        self._end_question()
        self._is_open = False
        self.panel.setVisible(self.is_pinned())
        self.refresh()
        self.closed.emit()
        if had_draft:
            self._shell.toast(self.tr("Draf disimpan. Ctrl+N membukanya lagi."), seconds=6)
        self._show_draft_fact()

    def escape(self) -> bool:
        """Close one level; pinned, only while the focus is in it."""
        if not self._is_open:
            return False
        if self.panel.escape():
            return True
        focus = self._host.focusWidget()
        if self.is_pinned() and (focus is None or not self.panel.isAncestorOf(focus)):
            return False
        self.close_panel()
        return True

    def give_way(self) -> None:
        """A refusal opens: make room for it; the form stays as it is."""
        self._gave_way = True
        if not self.is_pinned():
            self.panel.hide()

    def come_back(self) -> None:
        """The refusal was closed."""
        self._gave_way = False
        if self._is_open:
            self.panel.show()
            self.panel.raise_()
            self.panel.start_typing()

    # --- what it is opened for ----------------------------------------------------------------------------------------

    def new_booking(self) -> None:
        """Ctrl+N: the days chosen in the grid, else the draft (typed in right now: parked), else the current cell's."""
        if self._tell_reason():
            return
        chosen = self._grid.stretch()
        if chosen is not None:
            self.book_stretch(chosen)
            return
        self._end_question()
        if self._is_open and self.panel.isAncestorOf(self._host.focusWidget()):
            self._walk_in.park()
        row, content = self._grid.current_row(), self._grid.content
        column = self._grid.currentIndex().column()
        day = content.days[column] if content is not None and 0 <= column < len(content.days) else None
        if self._walk_in.is_sending:
            self._walk_in.put_aside()
        self._walk_in.start(row.group.sku.code if row is not None else "", day)
        self.open_panel()

    def book_instead(self, unit: object, days: object, bar: object) -> None:
        """A form for this unit, these days, and the customer of that booking; somebody else's draft is put aside."""
        if not (isinstance(unit, FleetUnit) and isinstance(days, Days) and isinstance(bar, Bar)):
            return
        self._end_question()
        name, draft = bar.customer_name or "", self._walk_in.draft()
        if self._walk_in.is_sending or (draft is not None and draft.customer_name != name):
            self._walk_in.begin_new(unit, days.first, days.last)
        else:
            self._walk_in.propose(unit, days.first, days.last)
        if name and bar.booking_id is not None:
            self._walk_in.take_customer_of(bar.booking_id, name)
        self.open_panel()

    def book_stretch(self, chosen: object) -> None:
        """Days were chosen in the grid: unit and days are filled in. A draft that waits is asked about first."""
        if not isinstance(chosen, DayStretch):
            return
        self._grid.clear_stretch()
        draft = self._walk_in.draft()
        is_open_form = self._is_open and self._walk_in.stage is Stage.FORM and not self.panel.is_asking()
        if self._walk_in.is_sending:
            # What is on its way cannot be changed any more: these days are somebody else's.
            self._walk_in.begin_new(chosen.unit, chosen.first_day, chosen.last_day)
        elif draft is not None and not is_open_form:
            self._wanted = chosen
            self.panel.ask(draft)
        else:
            self._walk_in.propose(chosen.unit, chosen.first_day, chosen.last_day)
        self.open_panel()

    def _continue_draft(self) -> None:
        wanted = self._wanted
        self._end_question()
        if wanted is not None:
            self._walk_in.propose(wanted.unit, wanted.first_day, wanted.last_day)
        self.panel.start_typing()

    def _begin_new(self, typed: str) -> None:
        wanted = self._wanted
        self._end_question()
        if wanted is not None:
            self._walk_in.begin_new(wanted.unit, wanted.first_day, wanted.last_day)
        self.panel.form.begin_customer(typed)
        self._show_draft_fact()

    def _end_question(self) -> None:
        self._wanted = None
        if self.panel.is_asking():
            self.panel.end_question()

    def ask_customer(self) -> None:
        """F3."""
        if self._tell_reason():
            return
        self._end_question()
        if not self._is_open:
            self._walk_in.start()
            self.open_panel()
        self.panel.focus_customer()

    def park(self) -> None:
        """F4: the next customer; the form goes on the pile and is taken up with Shift+F4."""
        if not self.is_shown() or self.panel.is_asking():
            return
        self._walk_in.park()
        self._walk_in.start()
        self.panel.form.quiet()
        self.panel.start_typing()
        self._show_draft_fact()

    def list_parked(self) -> None:
        """Shift+F4: the drafts that wait, to go on with one."""
        if self._tell_reason() or self._walk_in.is_sending:
            return
        if self._walk_in.stage is not Stage.FORM:
            self._walk_in.start()
        self._end_question()
        self._is_open = True
        self.panel.show()
        self.panel.raise_()
        self.panel.list_parked()
        self.refresh()

    def add_line(self) -> None:
        """Ctrl+Shift+N: one more unit in the same order."""
        if self.is_shown() and self._walk_in.stage is Stage.FORM and not self.panel.is_asking():
            self.panel.form.add_line()

    def _tell_parked(self, name: str) -> None:
        self._shell.toast(self.tr("Draf {0} diparkir. Shift+F4: daftarnya.").format(name), seconds=6)
        self._show_draft_fact()

    def _tell_reason(self) -> bool:
        """Say why whoever is logged in may not book; False when they may."""
        reason = booking_reason(self._walk_in.who.roles)
        if reason:
            self._shell.toast(self.tr("Booking baru: {0}").format(reason), seconds=6)
        return bool(reason)

    def money_step(self) -> None:
        """F9: always the next money step, nothing else."""
        if not self.is_shown() or self.panel.is_asking():
            return
        match self._walk_in.stage:
            case Stage.FORM:
                self._walk_in.book()
            case Stage.HELD | Stage.CHECKING:
                self._walk_in.pay()
            case Stage.EXPIRED:
                self._walk_in.hold_again()
            case Stage.PAID:
                self._walk_in.clear()
                self.panel.start_typing()

    # --- showing ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The form or the grid's days changed: name the unit an automatic choice would take."""
        free = self._free()
        ids = frozenset(unit.unit.id for unit in free) if free is not None else None
        self.panel.suggest_unit(free[0].unit.plate if free else "", ids)
        self._offer_known()
        if self._fact_shown:
            self._show_draft_fact()
        self.changed.emit()

    def marks(self) -> tuple[GridMark, ...]:
        """What the grid shows of it: the form's days, or the ring around what is held."""
        content, hold, stage = self._grid.content, self._walk_in.hold, self._walk_in.stage
        if content is None or not self.is_shown():
            return ()
        if hold is not None and stage in (Stage.HELD, Stage.CHECKING):
            return tuple(mark for unit in hold.units for mark in held_marks(content, unit.unit_id, unit.period))
        form = self._walk_in.form
        if stage is not Stage.FORM or self.panel.is_asking() or not (form.sku or form.lines):
            return ()
        free = self._free()
        own = draft_marks(content, form, free[0] if free else None)
        return (*line_marks(content, form), *own)

    def arrange(self, main: QWidget) -> None:
        """Give the panel and the rest of the screen their places."""
        width, height, sizes = self._host.width(), self._host.height(), theme().sizes
        pinned = self.is_pinned()
        panel_width = sizes.panel if pinned else sizes.drawer
        main.setGeometry(0, 0, width - sizes.panel if pinned else width, height)
        self.panel.setGeometry(width - panel_width, 0, panel_width, height)
        self.panel.set_pinned(pinned)
        if pinned and self._walk_in.stage is Stage.FORM and self._walk_in.form.first_day is None:
            self._walk_in.start()
        self.panel.setVisible(pinned or (self._is_open and not self._gave_way))
        if self.panel.isVisible():
            self.panel.raise_()

    def seen(self) -> QRect:
        """The part of the grid's viewport that the panel does not cover."""
        viewport = self._grid.viewport()
        area = viewport.rect()
        if self.panel.isVisible() and not self.is_pinned():
            left = viewport.mapFrom(self._host, self.panel.geometry().topLeft()).x()
            area.setRight(max(area.left() + 200, left - 2))
        return area

    def offer_draft(self) -> None:
        """After a restart: say once that something was typed and not booked; one that was sent is asked for first."""
        if self._offered:
            return
        self._is_offering = True
        if self._walk_in.has_unknown:
            self._walk_in.resolve()
        self._offer_known()

    def _offer_known(self) -> None:
        """Once it is known whether the draft was booked, which may be after the connection is back."""
        if self._offered or not self._is_offering or self._walk_in.form.was_sent:
            return
        self._offered = True
        if self._walk_in.has_draft:
            saved = self._walk_in.saved_at
            at = clock(saved, self._model.who.branch.zone, language()) if saved is not None else ""
            self._shell.toast(self.tr("Ada draf booking dari {0}. Ctrl+N membukanya.").format(at), seconds=10)
            self._show_draft_fact()

    def _tell_found(self, found: object) -> None:
        """An order whose answer was lost: say what became of it, and show it."""
        if not isinstance(found, FoundOrder):
            return
        # One note at a time: this one says of the draft what is needed.
        self._offered = True
        self._shell.toast(found_sentence(found))
        self._show_draft_fact()
        self._model.load()
        content = self._grid.content
        columns = columns_of(content, found.period) if content is not None and found.period is not None else None
        if columns is not None:
            self._grid.go_to(found.unit_id, columns[0])

    def _tell_behind(self, found: object) -> None:
        """Held for somebody the drawer no longer shows: the next customer's form stays as it is."""
        if isinstance(found, FoundOrder):
            self._shell.toast(held_behind_sentence(found), seconds=10)
            self._show_draft_fact()
            self._model.load()

    def _tell_also_held(self, found: object) -> None:
        """An earlier order of the same walk-in came through late: one press lets it go."""
        if isinstance(found, FoundOrder):
            self._shell.toast(lambda: also_held_sentence(found), undo=lambda: self._model.cancel(found.booking_id, ""))
            self._model.load()

    def _tell_refused(self, name: str, refusal: object) -> None:
        if isinstance(refusal, Refusal):
            reason = refusal_sentence(refusal, self._model.who.branch.zone).whole
            self._shell.toast(refused_behind_sentence(name, reason), seconds=10)
            self._show_draft_fact()

    def _show_draft_fact(self) -> None:
        count = self._walk_in.draft_count
        self._fact_shown = bool(count)
        self._shell.set_fact("drafts", self.tr("{0} draf").format(count) if count else "")

    def _free(self) -> tuple[FleetUnit, ...] | None:
        content, form = self._grid.content, self._walk_in.spent or self._walk_in.form
        period = form.period
        free = free_units(content, form.sku, period) if content is not None and period is not None else None
        return left_beside(free, form) if free is not None else None
