"""The calendar screen: toolbar, month grid, legend, and the walk-in drawer beside or over it."""

import datetime as dt

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.desktop.announce import announce
from app.desktop.errors import failure_sentence, refusal_sentence
from app.desktop.formats import clock
from app.desktop.language import language
from app.desktop.screen import BannerContent, Screen, Shell
from app.desktop.screens.calendar_bubbles import BlockedBubble, PreviewCard, PriceBubble
from app.desktop.screens.calendar_cancel import CancelDialog
from app.desktop.screens.calendar_empty import EmptyCalendar
from app.desktop.screens.calendar_goto import GoToDay
from app.desktop.screens.calendar_marks import columns_of, draft_marks, free_units, held_marks, refusal_marks
from app.desktop.screens.calendar_toolbar import CalendarToolbar
from app.desktop.screens.calendar_viewmodel import CalendarViewModel, Source
from app.desktop.screens.calendar_window import Zoom
from app.desktop.screens.refusal_card import RefusalCard
from app.desktop.screens.refusal_facts import RefusalAction, refusal_facts
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_view import WalkInPanel
from app.desktop.screens.walk_in_viewmodel import Hold, WalkInViewModel
from app.desktop.theme import BannerKind, theme
from app.desktop.viewmodel import Failure
from app.desktop.widgets.countdown import ProgressLine, Skeleton
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_fit import fit
from app.desktop.widgets.month_grid_legend import Legend
from app.desktop.widgets.month_grid_selection import DayStretch, Obstacle, next_free
from app.desktop.widgets.month_grid_spans import Span
from app.domain.booking import Action, BookingState, allowed_actions
from app.domain.days import Days
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import FleetUnit

PINNED_FROM = 1840
_ZOOMS = (Zoom.WEEK, Zoom.FORTNIGHT, Zoom.ROLLING, Zoom.TWO_MONTHS)


class CalendarScreen(Screen):
    """`pay_requested` carries the invoice that the settlement screen is to open."""

    pay_requested = Signal(str)

    def __init__(
        self, model: CalendarViewModel, walk_in: WalkInViewModel, shell: Shell, parent: QWidget | None = None
    ) -> None:
        super().__init__(shell, parent)
        self.model = model
        self.walk_in = walk_in
        model.setParent(self)
        walk_in.setParent(self)
        self._drawer_open = False
        self._wanted_zoom = Zoom.ROLLING
        self._offered_draft = False
        self._pay = self.add_key("F9", "", self._money_step)
        self._make_parts()
        self._make_keys()
        self._connect()
        self._retranslate()
        self._show_model()

    # --- making -------------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self._main = QWidget(self)
        column = QVBoxLayout(self._main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.toolbar = CalendarToolbar()
        self._progress = ProgressLine(self)
        self._stack = QStackedWidget()
        self.grid = MonthGrid()
        self._skeleton = Skeleton(18, theme().sizes.grid_row)
        self._empty = EmptyCalendar()
        for widget in (self._skeleton, self.grid, self._empty):
            self._stack.addWidget(widget)
        self.legend = Legend()
        column.addWidget(self.toolbar)
        column.addWidget(self._stack, 1)
        column.addWidget(self.legend)
        viewport = self.grid.viewport()
        self.price = PriceBubble(viewport)
        self.blocked = BlockedBubble(viewport)
        self.preview = PreviewCard(viewport)
        self.card = RefusalCard(viewport)
        self.goto = GoToDay(self._today, self)
        self.panel = WalkInPanel(self.walk_in, self._pay, self)
        self.panel.hide()
        self.setTabOrder(self.toolbar, self.grid)
        self.setTabOrder(self.grid, self.panel)

    def _make_keys(self) -> None:
        self._new = self.add_key("Ctrl+N", "", self._new_booking)
        self._customer = self.add_key("F3", "", self._customer_key)
        self._commit = self.add_key("Ctrl+Return", "", self._money_step)
        self._unit_key = self.add_key("Ctrl+U", "", self.panel.focus_unit)
        self._go_day = self.add_key("Ctrl+G", "", self._ask_day)
        self._previous = self.add_key("Ctrl+Left", "", lambda: self.model.step_month(-1))
        self._next = self.add_key("Ctrl+Right", "", lambda: self.model.step_month(1))
        self._today_key = self._grid_key("T", self._go_today)
        self._filter = self._grid_key("/", self.toolbar.sku.edit.setFocus)
        self._free = self._grid_key("N", self._next_free)
        self._action = self._grid_key("G", self._next_action)
        self._peek = self._grid_key("Space", self._toggle_preview)
        self._cancel_key = self._grid_key("Del", self._cancel_current)
        self._wider = self._grid_key("-", lambda: self._zoom_by(1))
        self._closer = self._grid_key("+", lambda: self._zoom_by(-1))
        self._whole_month = self._grid_key("B", lambda: self._choose_zoom(Zoom.MONTH.value))

    def _grid_key(self, key: str, run: object) -> QAction:
        """A key that works while the grid itself has the focus: letters are typed everywhere else."""
        action = QAction(self.grid)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.setAutoRepeat(False)
        if callable(run):
            action.triggered.connect(lambda *_: run())
        self.grid.addAction(action)
        return action

    def _connect(self) -> None:
        model, walk_in, grid = self.model, self.walk_in, self.grid
        model.changed.connect(self._show_model)
        model.content_replaced.connect(self._show_content)
        model.rows_changed.connect(self._rows_changed)
        model.hinted.connect(self._hinted)
        model.source_changed.connect(self._show_source)
        model.cancelled.connect(self._cancelled)
        model.booking_changed.connect(walk_in.note_change)
        model.refused.connect(self._refused)
        model.failed.connect(self._failed)
        walk_in.changed.connect(self._walk_in_changed)
        walk_in.days_taken.connect(self._show_refusal)
        walk_in.held.connect(self._held)
        walk_in.hold_ended.connect(model.load)
        walk_in.pay_requested.connect(self.pay_requested)
        grid.set_clock(self._server_now)
        grid.stretch_changed.connect(self._stretch_changed)
        grid.stretch_chosen.connect(self._stretch_chosen)
        grid.blocked.connect(self._show_blocked)
        grid.bar_opened.connect(self._open_bar)
        grid.bar_pointed.connect(self._point_bar)
        grid.moved.connect(self._moved)
        grid.wheel_zoomed.connect(self._zoom_by)
        grid.wheel_panned.connect(lambda step: self.model.pan(step * 7))
        self.toolbar.stepped.connect(model.step_month)
        self.toolbar.today_wanted.connect(self._go_today)
        self.toolbar.filtered.connect(model.set_filter)
        self.toolbar.filter_left.connect(self._focus_grid)
        self.toolbar.state_chosen.connect(self._choose_state)
        self.toolbar.zoom_chosen.connect(self._choose_zoom)
        self.toolbar.booking_wanted.connect(self._new_booking)
        self.panel.close_wanted.connect(self.close_drawer)
        self.card.chosen.connect(self._take_action)
        self.card.closed.connect(self._close_card)
        self.preview.cancel_wanted.connect(self._ask_cancel)
        self.preview.closed.connect(self._focus_grid)
        self.blocked.draft_wanted.connect(self._new_booking)
        self.goto.chosen.connect(self._go_to_day)
        self.goto.closed.connect(self._close_goto)
        self._empty.pressed.connect(self._take_suggestion)

    # --- Screen -------------------------------------------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("Kalender")

    def activate(self, argument: object = None) -> None:
        self.model.load()
        self._focus_grid()
        if isinstance(argument, str) and argument:
            self.find_text(argument)
        if self.walk_in.has_draft and not self._offered_draft:
            self._offer_draft()
        self._offered_draft = True

    def refresh(self) -> None:
        self.model.load()
        if self.walk_in.stage is Stage.FORM:
            self.walk_in.price()
        else:
            self.walk_in.check()

    def leave(self) -> bool:
        self.walk_in.save_draft()
        return True

    def escape(self) -> bool:
        if self.preview.isVisible() or self.blocked.isVisible():
            self.preview.hide()
            self.blocked.hide()
            self._focus_grid()
            return True
        if self.goto.isVisible():
            self._close_goto()
            return True
        if self.card.isVisible():
            self._close_card()
            return True
        if self.grid.clear_stretch():
            return True
        if self._drawer_open and self.panel.escape():
            return True
        if self._drawer_open and (not self._is_pinned() or self.panel.isAncestorOf(self.focusWidget() or self)):
            self.close_drawer()
            return True
        if self.model.filter_text:
            self.toolbar.sku.set_text("")
            self.model.set_filter("")
            self._focus_grid()
            return True
        return False

    def panes(self) -> tuple[QWidget, ...]:
        found: list[QWidget] = [self.toolbar.sku.edit, self.grid]
        if self.panel.isVisible():
            found.append(self.panel)
        return tuple(found)

    def shut(self) -> None:
        """Log-out: the draft is written, no command starts any more."""
        self.walk_in.close()
        self.model.close()

    def connection_changed(self, online: bool) -> None:
        self.model.set_online(online)
        self.walk_in.set_online(online)

    def find_text(self, text: str) -> bool:
        """A plate, a unit's code, a booking number or the beginning of a customer's name."""
        unit, content = self.model.find_unit(text), self.grid.content
        if unit is not None and content is not None:
            self._go_today()
            column = content.column_of(content.today)
            return self.grid.go_to(unit.unit.id, column if column is not None else 0) and self._focused()
        bar = self.model.find_bar(text)
        if bar is None or content is None:
            return False
        column = content.column_of(max(bar.days.first, content.window.first))
        return column is not None and self.grid.go_to(bar.unit_id, column) and self._focused()

    # --- drawer -------------------------------------------------------------------------------------------------------

    def open_drawer(self) -> None:
        """Show the walk-in drawer and go on typing there."""
        self._drawer_open = True
        self.walk_in.set_fleet(self.model.fleet)
        self._arrange()
        self.panel.show()
        self.panel.raise_()
        self._walk_in_changed()
        self._show_model()
        self.panel.start_typing()

    def close_drawer(self) -> None:
        """Hide the drawer; what was typed is kept as a draft."""
        had_draft = self.walk_in.has_draft
        self.walk_in.save_draft()
        self._drawer_open = False
        self._arrange()
        self._show_model()
        self._update_marks()
        self._focus_grid()
        if had_draft:
            self.shell.toast(self.tr("Draf disimpan. Ctrl+N membukanya lagi."), seconds=6)
        self._show_draft_fact()

    def drawer_is_open(self) -> bool:
        return self._drawer_open

    def _is_pinned(self) -> bool:
        return self.width() >= PINNED_FROM

    def _new_booking(self) -> None:
        self.blocked.hide()
        self.preview.hide()
        chosen = self.grid.stretch()
        if chosen is not None:
            self._stretch_chosen(chosen)
            return
        self.walk_in.start()
        self.open_drawer()

    def _customer_key(self) -> None:
        if not self._drawer_open:
            self.walk_in.start()
            self.open_drawer()
        self.panel.focus_customer()

    def _money_step(self) -> None:
        """F9: always the next money step, nothing else."""
        if not self._drawer_open and not self._is_pinned():
            return
        match self.walk_in.stage:
            case Stage.FORM:
                self.walk_in.book()
            case Stage.HELD | Stage.CHECKING:
                self.walk_in.pay()
            case Stage.EXPIRED:
                self.walk_in.hold_again()
            case Stage.PAID:
                self.walk_in.clear()
                self.panel.start_typing()

    def _held(self, hold: object) -> None:
        self._close_card(reopen=False)
        self.model.load()
        if isinstance(hold, Hold) and self.grid.content is not None:
            columns = columns_of(self.grid.content, hold.period)
            if columns is not None:
                self.grid.go_to(hold.unit_id, columns[0])
        self._show_draft_fact()

    def _walk_in_changed(self) -> None:
        content, form = self.grid.content, self.walk_in.form
        visible = self._drawer_open or self._is_pinned()
        self._unit_key.setEnabled(visible and self.walk_in.stage is Stage.FORM)
        self._commit.setEnabled(visible and self._pay.isEnabled())
        period = form.period
        free = free_units(content, form.sku, period) if content is not None and period is not None else None
        first = free[0] if free else None
        ids = frozenset(unit.unit.id for unit in free) if free is not None else None
        self.panel.suggest_unit(first.unit.plate if first is not None else "", ids)
        self._update_marks()

    def _offer_draft(self) -> None:
        saved = self.walk_in.saved_at
        at = clock(saved, self.model.who.branch.zone, language()) if saved is not None else ""
        text = self.tr("Ada draf booking dari {0}. Ctrl+N membukanya.").format(at)
        self.shell.toast(text, seconds=10)
        self._show_draft_fact()

    def _show_draft_fact(self) -> None:
        self.shell.set_fact("drafts", self.tr("1 draf") if self.walk_in.has_draft else "")

    # --- grid ---------------------------------------------------------------------------------------------------------

    def _stretch_changed(self, chosen: object) -> None:
        self.blocked.hide()
        self.preview.hide()
        if not isinstance(chosen, DayStretch):
            self.price.hide()
            return
        self.price.show_stretch(chosen, dragging=self.grid.is_dragging())
        target = self.grid.cell_rect(chosen.unit.unit.id, chosen.first, chosen.last)
        self.price.place(QRect(target.bottomLeft() + QPoint(8, 0), target.size()), within=self._seen())
        if not self.grid.is_dragging() or chosen.stopped is not None:
            announce(self.grid, self.price.spoken())

    def _stretch_chosen(self, chosen: object) -> None:
        if not isinstance(chosen, DayStretch):
            return
        self.grid.clear_stretch()
        self.walk_in.propose(chosen.unit, chosen.first_day, chosen.last_day)
        self.open_drawer()

    def _show_blocked(self, unit: object, obstacle: object) -> None:
        if not isinstance(unit, FleetUnit):
            return
        self.price.hide()
        self.preview.hide()
        if isinstance(obstacle, Obstacle):
            self.blocked.show_obstacle(unit, obstacle)
            target = self.grid.cell_rect(unit.unit.id, obstacle.column, obstacle.column)
        else:
            self.blocked.show_offline()
            column = max(0, self.grid.currentIndex().column())
            target = self.grid.cell_rect(unit.unit.id, column, column)
        self.blocked.place(target, within=self._seen())
        announce(self.grid, self.blocked.accessibleName())

    def _open_bar(self, unit: object, span: object) -> None:
        self._show_preview(unit, span)
        self.preview.setFocus(Qt.FocusReason.PopupFocusReason)

    def _point_bar(self, unit: object, span: object) -> None:
        if not self.card.isVisible() and self.grid.stretch() is None:
            self._show_preview(unit, span)

    def _show_preview(self, unit: object, span: object) -> None:
        if not (isinstance(unit, FleetUnit) and isinstance(span, Span)) or span.bar is None:
            return
        self.blocked.hide()
        zone = self.model.who.branch.zone
        self.preview.show_bar(unit, span, zone, cancel_reason=self._cancel_reason(span))
        self.preview.place(self.grid.cell_rect(unit.unit.id, span.first, span.last), within=self._seen())

    def _toggle_preview(self) -> None:
        if self.preview.isVisible():
            self.preview.hide()
            return
        found = self.grid.current_span()
        if found is not None:
            self._show_preview(*found)

    def _moved(self) -> None:
        self.blocked.hide()
        self.preview.hide()

    def _go_today(self) -> None:
        self.model.show_today()
        content = self.grid.content
        column = content.column_of(content.today) if content is not None else None
        if column is not None:
            self.grid.go_to(None, column)
        self._focus_grid()

    def _next_free(self) -> None:
        row, content = self.grid.current_row(), self.grid.content
        if row is None or row.unit is None or content is None:
            return
        column = next_free(content, row.unit, self.grid.currentIndex().column())
        if column is not None:
            self.grid.go_to(row.unit.unit.id, column)

    def _next_action(self) -> None:
        """The next bar that needs somebody today, row by row, going round."""
        grid, content = self.grid, self.grid.content
        rows = grid.grid_model()
        if content is None or rows.rowCount() == 0:
            return
        here, column = grid.currentIndex().row(), grid.currentIndex().column()
        for step in range(rows.rowCount() + 1):
            unit = rows.row((here + step) % rows.rowCount()).unit
            spans = content.spans(unit) if unit is not None else ()
            for span in sorted(spans, key=lambda item: item.first):
                behind = step == 0 and span.first <= column
                if unit is not None and span.needs_action and not behind:
                    grid.go_to(unit.unit.id, span.first)
                    return

    def _ask_day(self) -> None:
        self.goto.ask()
        title = self.toolbar.title
        self.goto.place(QRect(title.mapTo(self, QPoint(0, 0)), title.size()))

    def _go_to_day(self, day: object) -> None:
        self.goto.hide()
        if isinstance(day, dt.date):
            self.model.show_day(day)
            content = self.grid.content
            column = content.column_of(day) if content is not None else None
            if column is not None:
                self.grid.go_to(None, column)
        self._focus_grid()

    def _close_goto(self) -> None:
        self.goto.hide()
        self._focus_grid()

    def _choose_zoom(self, key: str) -> None:
        self._wanted_zoom = Zoom(key)
        self.model.set_zoom(self._fitting(self._wanted_zoom))

    def _zoom_by(self, step: int) -> None:
        at = _ZOOMS.index(self._wanted_zoom) if self._wanted_zoom in _ZOOMS else 2
        wanted = _ZOOMS[max(0, min(len(_ZOOMS) - 1, at + step))]
        if self._fitting(wanted) is wanted:
            self._choose_zoom(wanted.value)

    def _fitting(self, wanted: Zoom) -> Zoom:
        """62 and 31 days need columns of 24 px."""
        width = self._main.width()
        if wanted is Zoom.TWO_MONTHS and not fit(width, 62).fits:
            wanted = Zoom.ROLLING
        if wanted in (Zoom.ROLLING, Zoom.MONTH) and not fit(width, 31).fits:
            return Zoom.FORTNIGHT
        return wanted

    def _choose_state(self, state: object) -> None:
        self.model.set_only(state)  # type: ignore[arg-type]
        self.grid.show_only(self.model.only_state)

    def _take_suggestion(self, text: str) -> None:
        self.toolbar.sku.set_text(text)
        self.model.set_filter(text)

    # --- cancelling ---------------------------------------------------------------------------------------------------

    def _cancel_reason(self, span: Span) -> str | None:
        """None: there is nothing to cancel here; a text: why it cannot be; empty: it can."""
        bar = span.bar
        if bar is None or bar.state is not BookingState.PENDING_PAYMENT or bar.booking_id is None:
            return None
        if Action.CANCEL not in allowed_actions(bar.state, self.model.who.roles):
            return self.tr("Membatalkan perlu peran Agen atau Kasir.")
        return "" if self.model.may_hold else self.tr("Belum bisa membatalkan: koneksi terputus.")

    def _cancel_current(self) -> None:
        found = self.grid.current_span()
        if found is None:
            return
        reason = self._cancel_reason(found[1])
        if reason == "":
            self._ask_cancel(found[1])
        elif reason is None:
            self.shell.toast(self.tr("Hanya booking yang menunggu bayar bisa dibatalkan di sini."), seconds=6)
        else:
            self.shell.toast(reason, seconds=6)

    def _ask_cancel(self, span: object) -> None:
        bar = span.bar if isinstance(span, Span) else None
        if bar is None or bar.booking_id is None:
            return
        booking_id = bar.booking_id
        self.preview.hide()
        dialog = CancelDialog(bar.number or "", bar.customer_name or "", self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.confirmed.connect(lambda reason: self.model.cancel(booking_id, reason))
        dialog.finished.connect(self._focus_grid)
        dialog.open()

    def _cancelled(self, ended: object) -> None:
        number = getattr(ended, "number", "")
        self.shell.toast(self.tr("{0} dibatalkan, unit kosong lagi.").format(number), seconds=6)

    # --- refusals -----------------------------------------------------------------------------------------------------

    def _show_refusal(self, refusal: object) -> None:
        content = self.grid.content
        if not isinstance(refusal, Refusal) or content is None:
            return
        facts = refusal_facts(
            refusal,
            fleet=self.model.fleet,
            now=self._server_now(),
            zone=self.model.who.branch.zone,
            saved_at=self.walk_in.saved_at,
            me=self.model.who.login,
        )
        self.card.show_facts(facts)
        if not self._is_pinned():
            self.panel.hide()
        if facts.refused is not None and facts.days is not None:
            self.model.show_day(facts.days.first)
            columns = columns_of(content, facts.days)
            if columns is not None:
                self.grid.go_to(facts.refused[0], columns[0])
        self._update_marks()
        target = self._rect_of(facts.refused) if facts.refused is not None else QRect(12, 4, 1, 20)
        clear = [self._rect_of(action.target) for action in facts.actions if action.target is not None]
        self.card.place(target, [rect for rect in clear if not rect.isEmpty()], self._seen())
        self.card.take_focus()
        announce(self.grid, self.card.accessibleName(), assertive=True)
        # The names of whoever was faster.
        self.model.reread()

    def _rect_of(self, place: tuple[str, Days]) -> QRect:
        content = self.grid.content
        columns = columns_of(content, place[1]) if content is not None else None
        return self.grid.cell_rect(place[0], *columns) if columns is not None else QRect()

    def _take_action(self, chosen: object) -> None:
        if not isinstance(chosen, RefusalAction):
            return
        self._close_card()
        self.walk_in.use(dict(chosen.action.params))
        self.panel.focus_primary()

    def _close_card(self, *, reopen: bool = True) -> None:
        if not self.card.isVisible():
            return
        self.card.hide()
        self._update_marks()
        if reopen and self._drawer_open:
            self.panel.show()
            self.panel.raise_()
            self.panel.start_typing()

    def _refused(self, refusal: object) -> None:
        if isinstance(refusal, Refusal) and refusal.code is not RefusalCode.UNREACHABLE:
            self.shell.toast(refusal_sentence(refusal, self.model.who.branch.zone).whole)

    def _failed(self, failure: object) -> None:
        if isinstance(failure, Failure):
            self.shell.toast(failure_sentence(failure).whole)

    # --- showing ------------------------------------------------------------------------------------------------------

    def _show_model(self) -> None:
        model = self.model
        self.toolbar.show_model(model, drawer_open=self._drawer_open or self._is_pinned())
        self._progress.set_running(model.is_busy("load", "cancel"))
        self.grid.set_may_choose(model.may_hold)
        self.grid.set_stale(model.source is Source.STALE)
        content = model.content
        if content is None:
            self._stack.setCurrentWidget(self._skeleton)
        elif content.unit_count == 0:
            self._empty.show_empty(model.filter_text, model.suggestion())
            self._stack.setCurrentWidget(self._empty)
        else:
            self._stack.setCurrentWidget(self.grid)
        if model.read_at is not None:
            at = clock(model.read_at, model.who.branch.zone, language(), seconds=True)
            old = model.source is Source.STALE
            self.shell.set_fact("grid", (self.tr("Data {0}") if old else self.tr("Grid diperbarui {0}")).format(at))

    def _show_content(self) -> None:
        if self.model.content is not None:
            had = self.grid.content is not None
            self.grid.show_content(self.model.content)
            self.walk_in.set_fleet(self.model.fleet)
            self._walk_in_changed()
            if not had and self.isVisible() and not self._drawer_open:
                self._focus_grid()

    def _rows_changed(self, unit_ids: object) -> None:
        if isinstance(unit_ids, frozenset):
            self.grid.bars_changed(unit_ids)
            self._walk_in_changed()

    def _hinted(self, change: object) -> None:
        self.grid.apply_hint(change.sku, change.month, change.slot, change.mask)  # type: ignore[attr-defined]
        self._walk_in_changed()

    def _show_source(self) -> None:
        model = self.model
        if model.source is not Source.DATABASE:
            self.shell.hide_banner("calendar-index")
            return
        zone = model.who.branch.zone
        since = clock(model.away_since, zone, language()) if model.away_since is not None else ""
        stamp = clock(model.read_at, zone, language(), seconds=True) if model.read_at is not None else ""
        text = self.tr(
            "Indeks cepat (Redis) sedang tidak terjangkau sejak {0}. Menahan unit dan pembayaran tetap jalan."
        )
        self.shell.show_banner(
            "calendar-index",
            BannerContent(
                kind=BannerKind.INFO,
                title=self.tr("Kalender dari basis data, diperbarui tiap 5 dtk."),
                text=text.format(since),
                stamp=self.tr("Terakhir {0}").format(stamp),
            ),
        )

    def _update_marks(self) -> None:
        content = self.grid.content
        if content is None:
            return
        if self.card.isVisible() and self.card.facts is not None:
            self.grid.set_marks(refusal_marks(content, self.card.facts))
            return
        open_now = self._drawer_open or self._is_pinned()
        hold = self.walk_in.hold
        if open_now and hold is not None and self.walk_in.stage in (Stage.HELD, Stage.CHECKING):
            self.grid.set_marks(held_marks(content, hold.unit_id, hold.period))
            return
        showing = open_now and self.walk_in.stage is Stage.FORM
        form = self.walk_in.form
        if not showing or not form.sku:
            self.grid.set_marks(())
            return
        free = free_units(content, form.sku, form.period) if form.period is not None else None
        self.grid.set_marks(draft_marks(content, form, free[0] if free else None))

    # --- layout -------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        fitting = self._fitting(self._wanted_zoom)
        if fitting is not self.model.zoom:
            self.model.set_zoom(fitting)

    def _arrange(self) -> None:
        width, height, sizes = self.width(), self.height(), theme().sizes
        pinned = self._is_pinned()
        if pinned:
            self._main.setGeometry(0, 0, width - sizes.panel, height)
            self.panel.setGeometry(width - sizes.panel, 0, sizes.panel, height)
            if self.walk_in.form.first_day is None:
                self.walk_in.start()
        else:
            self._main.setGeometry(0, 0, width, height)
            self.panel.setGeometry(width - sizes.drawer, 0, sizes.drawer, height)
        self.panel.set_pinned(pinned)
        self.panel.setVisible(pinned or (self._drawer_open and not self.card.isVisible()))
        self._progress.setGeometry(0, sizes.toolbar - 2, self._main.width(), 2)
        self._progress.raise_()
        if self.panel.isVisible():
            self.panel.raise_()

    def _seen(self) -> QRect:
        """The part of the grid's viewport that the drawer does not cover."""
        viewport = self.grid.viewport()
        area = viewport.rect()
        if self.panel.isVisible() and not self._is_pinned():
            left = viewport.mapFrom(self, self.panel.geometry().topLeft()).x()
            area.setRight(max(area.left() + 200, left - 2))
        return area

    def _focus_grid(self) -> None:
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focused(self) -> bool:
        self._focus_grid()
        return True

    def _server_now(self) -> dt.datetime:
        return self.model.clock.now()

    def _today(self) -> dt.date:
        return self.model.today or dt.date.min

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._show_model()
            self._show_source()
            self.model.load()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        for action, text in (
            (self._pay, self.tr("Tahan / bayar")),
            (self._new, self.tr("Booking baru")),
            (self._customer, self.tr("Pelanggan")),
            (self._commit, self.tr("Simpan & lanjut")),
            (self._unit_key, self.tr("Unit lain")),
            (self._go_day, self.tr("Ke tanggal")),
            (self._previous, self.tr("Bulan sebelumnya")),
            (self._next, self.tr("Bulan berikutnya")),
            (self._today_key, self.tr("Hari ini")),
            (self._filter, self.tr("Saring SKU")),
            (self._free, self.tr("Hari kosong berikutnya")),
            (self._action, self.tr("Berikutnya yang perlu tindakan")),
            (self._peek, self.tr("Kartu booking")),
            (self._cancel_key, self.tr("Batalkan booking")),
            (self._wider, self.tr("Lebih banyak hari")),
            (self._closer, self.tr("Lebih sedikit hari")),
            (self._whole_month, self.tr("Satu bulan penuh")),
        ):
            action.setText(text)
