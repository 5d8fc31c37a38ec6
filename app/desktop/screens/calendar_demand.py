"""M, W and another branch: a unit out of rent, a place on the waitlist, what is free elsewhere; each with its undo."""

import uuid
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.errors import refusal_sentence
from app.desktop.formats import day_count, period_short, period_with_weekdays
from app.desktop.language import language
from app.desktop.screen import Shell
from app.desktop.screens.calendar_block_strip import BlockStrip
from app.desktop.screens.calendar_ending import EndingQuestion
from app.desktop.screens.calendar_marks import free_units
from app.desktop.screens.calendar_menu import MenuLine, VerbMenu
from app.desktop.screens.calendar_shown import CalendarFilter
from app.desktop.screens.calendar_undo import offer_undo
from app.desktop.screens.calendar_verbs import block_reason, waitlist_reason
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.calendar_waitlist_card import Waiting, WaitlistCard
from app.desktop.screens.demand_viewmodel import DemandViewModel, Elsewhere, WantedBlock
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_ghost import rented
from app.desktop.widgets.month_grid_selection import DayStretch
from app.desktop.widgets.month_grid_spans import Span
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal
from app.usecases.maintenance import BlockedUnit
from app.usecases.rows import FleetUnit
from app.usecases.rows_waitlist import WaitlistRow
from app.usecases.waitlist import JoinedWaitlist, WaitlistWish


class Demand(QObject):
    """Owns the cards. `changed` after anything was written, `opened` before a card is placed (nothing else may stand
    there then), `closed` when waitlist or branches were left without choosing,
    `branch_wanted` with a CalendarFilter that shows another branch's free units.
    """

    changed = Signal()
    opened = Signal()
    branch_wanted = Signal(object)
    closed = Signal()

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        walk_in: WalkInViewModel,
        work: DemandViewModel,
        shell: Shell,
        host: QWidget,
        *,
        seen: Callable[[], QRect],
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._walk_in, self._work, self._shell = grid, model, walk_in, work, shell
        self._seen = seen
        self.strip = BlockStrip()
        """Shown while M was pressed with nothing chosen. Whoever lays out the screen gives it its place."""
        self.strip.button.clicked.connect(self.disarm)
        self._to_block: DayStretch | None = None
        self.reasons = VerbMenu(grid.viewport())
        self.waitlist = WaitlistCard(grid.viewport())
        self.elsewhere = VerbMenu(grid.viewport())
        self.ending = VerbMenu(grid.viewport())
        self._ending = EndingQuestion(self.ending, model, work, shell, self._focus_grid)
        self._found: dict[str, CalendarFilter] = {}
        self.reasons.chosen.connect(self._block)
        self.elsewhere.chosen.connect(self._show_branch)
        self.waitlist.wanted.connect(self._join)
        self.waitlist.people_wanted.connect(work.look_for)
        work.people_found.connect(self.waitlist.show_people)
        for menu in (self.reasons, self.ending):
            menu.closed.connect(self._focus_grid)
        for card in (self.waitlist, self.elsewhere):
            card.closed.connect(self._closed)
        work.blocked.connect(self._blocked)
        work.block_refused.connect(self._block_refused)
        work.block_ended.connect(self._block_ended)
        work.joined.connect(self._joined)
        work.join_refused.connect(self._join_refused)
        work.withdrawn.connect(lambda _entry: self._tell(self.tr("Keluar dari antrean.")))
        work.elsewhere_found.connect(self._show_elsewhere)
        grid.ghost_changed.connect(lambda ghost: ghost is not None and self.disarm())
        work.refused.connect(self._said_no)

    def close_card(self) -> bool:
        """Esc: close one card, or forget that M was pressed; False when there was neither."""
        if self.reasons.close_menu() or self.ending.close_menu() or self.elsewhere.close_menu():
            return True
        if self.waitlist.close_card():
            return True
        return self.disarm()

    @property
    def is_armed(self) -> bool:
        """M was pressed with nothing chosen: the next days are for maintenance."""
        return not self.strip.isHidden()

    def disarm(self) -> bool:
        """The next days are for a booking again; False when they were."""
        was_armed = self.is_armed
        self.strip.hide()
        return was_armed

    def hide_cards(self) -> None:
        for card in (self.reasons, self.waitlist, self.elsewhere, self.ending):
            card.hide()

    # --- maintenance --------------------------------------------------------------------------------------------------

    def ask_block(self) -> None:
        """M: the reason for the chosen days (also in the middle of a drag); without any, the next days count."""
        reason = block_reason(self._model.who.roles)
        if reason:
            self._tell(reason)
            return
        chosen = self._grid.stop_dragging() or self._grid.stretch()
        if chosen is not None:
            self.ask_reason(chosen)
            return
        if not self.disarm():
            self.strip.show()
            announce(self._grid, self.strip.text())

    def ask_reason(self, chosen: DayStretch) -> None:
        """The card with the reasons; the first is ready for Enter."""
        self.disarm()
        if chosen.lost is not None or not self._model.may_hold:
            self._grid.blocked.emit(chosen.unit, chosen.lost if self._model.may_hold else None)
            return
        self._to_block = chosen
        period = period_with_weekdays(chosen.first_day, chosen.last_day, language())
        title = self.tr("Perawatan {0}").format(chosen.unit.unit.plate)
        lines = [
            MenuLine(name=text, text=text, key=str(number)) for number, text in enumerate(block_reasons(), start=1)
        ]
        self.reasons.show_lines(title, f"{period} · {day_count(chosen.count, language())}", lines)
        self._open(self.reasons, self._grid.cell_rect(chosen.unit.unit.id, chosen.first, chosen.last))

    def ask_end(self, unit: FleetUnit, span: Span) -> None:
        """Del on a maintenance bar: ask once; keeping it is the default."""
        if span.bar is None:
            return
        self._ending.write(unit, span.bar)
        self._open(self.ending, self._grid.cell_rect(unit.unit.id, span.first, span.last))
        self._ending.look_up()

    def _block(self, reason: str) -> None:
        chosen, self._to_block = self._to_block, None
        if chosen is None:
            return
        self._grid.setFocus()
        self._grid.rest_enter()
        if not self._model.may_hold:
            self._grid.blocked.emit(chosen.unit, None)
            return
        self._grid.clear_stretch()
        self._work.block(
            WantedBlock(
                id=str(uuid.uuid4()),
                unit_id=chosen.unit.unit.id,
                plate=chosen.unit.unit.plate,
                days=Days(chosen.first_day, chosen.last_day),
                reason=reason,
            )
        )

    def _blocked(self, done: BlockedUnit) -> None:
        row = done.row

        def words() -> str:
            days = period_short(row.days.first, row.days.last, language())
            return self.tr("{0} perawatan {1}: {2}.").format(row.plate, days, row.reason)

        offer_undo(self._shell, self._model, words, lambda: self._work.end_block(row.id))
        self.changed.emit()

    def _block_refused(self, wanted: WantedBlock, refusal: Refusal) -> None:
        filled = Refusal(
            refusal.code, field=refusal.field, next=refusal.next, **{"plate": wanted.plate, **refusal.params}
        )
        self._said_no(filled)

    def _block_ended(self, done: BlockedUnit) -> None:
        self._tell(self.tr("Perawatan {0} berakhir.").format(done.row.plate))
        self.changed.emit()

    # --- waitlist -----------------------------------------------------------------------------------------------------

    def ask_waitlist(self) -> None:
        """W: for the chosen days, else for the days of the bar under the cursor, else for that one day."""
        row, content = self._grid.current_row(), self._grid.content
        column = self._grid.currentIndex().column()
        if row is None or content is None or not 0 <= column < len(content.days):
            return
        chosen, found = self._grid.stretch(), self._grid.current_span()
        day = max(content.days[column], content.today)
        if chosen is not None:
            period = RentalPeriod(chosen.first_day, chosen.last_day)
        elif found is not None and found[1].bar is not None:
            days = rented(found[1].bar)
            period = RentalPeriod(max(days.first, content.today), max(days.last, content.today))
        else:
            period = RentalPeriod(day, day)
        self.ask_for(row.group.sku.code, period)

    def ask_for(self, sku: str, period: RentalPeriod, whose: str | None = None) -> None:
        """The card for this SKU and period; the customer is `whose` name it is, else whoever stands in the drawer."""
        reason = waitlist_reason(self._model.who.roles)
        if reason or not self._model.may_hold:
            away = self.tr("Cabang lain hanya bisa dilihat.") if self._model.is_elsewhere else ""
            self._tell(reason or away or self.tr("Antrean perlu koneksi."))
            return
        form = self._walk_in.form
        name = next((unit.sku.name for unit in self._model.fleet if unit.sku.code == sku), sku)
        is_same = whose is None and (form.sku == sku or not form.is_empty)
        content = self._grid.content
        free = free_units(content, sku, period) if content is not None else None
        self.waitlist.ask(
            Waiting(
                sku=sku,
                sku_name=name,
                period=period,
                free=tuple(unit.unit.plate for unit in free or ()),
                customer_id=form.customer_id if is_same else None,
                name=(form.typed_name if form.customer_id or form.is_new else "") if is_same else whose or "",
                phone=(form.customer_phone or form.customer_text if form.customer_id or form.is_new else "")
                if is_same
                else "",
            )
        )
        self._place(self.waitlist, self._here())
        self.waitlist.take_focus()
        announce(self._grid, self.waitlist.accessibleName())

    def _join(self, wish: WaitlistWish) -> None:
        self._focus_grid()
        self._grid.rest_enter()
        if self._model.may_hold:
            self._work.join(wish)
        else:
            self._tell(self.tr("Antrean perlu koneksi."))

    def _join_refused(self, wish: WaitlistWish, refusal: Refusal) -> None:
        """The number is somebody else's: the card again as it was, with whose it is offered below the number."""
        self.ask_for(wish.sku, wish.period)
        self.waitlist.complain_of_phone(refusal_sentence(refusal, self._model.who.branch.zone).whole)

    def _joined_words(self, entry: WaitlistRow) -> str:
        days = period_short(entry.period.first, entry.period.last, language())
        text = self.tr("{0} nomor {1} di antrean {2}. Kami hubungi bila ada unit; belum menjamin.")
        return text.format(entry.customer_name, entry.position, days)

    def _joined(self, joined: JoinedWaitlist) -> None:
        entry = joined.entry
        self.waitlist.forget()
        if joined.already:
            days = period_short(entry.period.first, entry.period.last, language())
            text = self.tr("{0} sudah nomor {1} di antrean {2}.").format(entry.customer_name, entry.position, days)
            self._tell(text)
        else:
            undo = partial(self._work.withdraw, entry.id)
            offer_undo(self._shell, self._model, lambda: self._joined_words(entry), undo)
        self.changed.emit()

    # --- another branch -----------------------------------------------------------------------------------------------

    def ask_elsewhere(self, sku: str, period: RentalPeriod) -> None:
        """What other branches have free of a SKU."""
        self._work.look_elsewhere(sku, period)

    def _show_elsewhere(self, sku: str, period: RentalPeriod, found: Elsewhere) -> None:
        name = next((unit.sku.name for unit in self._model.fleet if unit.sku.code == sku), sku)
        days = period_with_weekdays(period.first, period.last, language())
        lines = [
            MenuLine(
                name=branch.code,
                text=self.tr("{0}: {1} kosong, antara lain {2}").format(branch.name, free, unit.unit.plate),
                key=str(number),
            )
            for number, (branch, free, unit) in enumerate(found, start=1)
        ]
        self._found = {branch.code: CalendarFilter(text=sku, branch=branch, free_for=period) for branch, _, _ in found}
        title = self.tr("{0} di cabang lain").format(name)
        text = days if lines else self.tr("Tidak ada cabang lain yang punya unit kosong {0}.").format(days)
        self.elsewhere.show_lines(title, text, lines)
        self._open(self.elsewhere, self._here())

    def _show_branch(self, code: str) -> None:
        self._grid.setFocus()
        self.branch_wanted.emit(self._found[code])

    # --- inside -------------------------------------------------------------------------------------------------------

    def _open(self, menu: VerbMenu, target: QRect) -> None:
        self._place(menu, target)
        menu.take_focus()
        announce(self._grid, menu.accessibleName())

    def _here(self) -> QRect:
        """The bar under the cursor, or its cell."""
        found = self._grid.current_span()
        if found is None:
            return self._grid.visualRect(self._grid.currentIndex())
        return self._grid.cell_rect(found[0].unit.id, found[1].first, found[1].last)

    def _place(self, card: VerbMenu | WaitlistCard, target: QRect) -> None:
        self.opened.emit()
        card.place(target, within=self._seen())

    def _focus_grid(self) -> None:
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _closed(self) -> None:
        self._focus_grid()
        self.closed.emit()

    def _said_no(self, refusal: object) -> None:
        if isinstance(refusal, Refusal):
            self._tell(refusal_sentence(refusal, self._model.who.branch.zone).whole)
            self.changed.emit()

    def _tell(self, text: str) -> None:
        self._shell.toast(text, seconds=6)


def block_reasons() -> tuple[str, ...]:
    """Why a unit is taken out of rent, the commonest first, in the language in use."""
    return (
        QCoreApplication.translate("BlockReason", "Servis"),
        QCoreApplication.translate("BlockReason", "Ban"),
        QCoreApplication.translate("BlockReason", "Perbaikan"),
        QCoreApplication.translate("BlockReason", "Kecelakaan"),
        QCoreApplication.translate("BlockReason", "STNK/KIR"),
        QCoreApplication.translate("BlockReason", "Hilang"),
    )
