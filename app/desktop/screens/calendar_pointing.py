"""What the grid says beside its cells: price and obstacle, a bar's card, why not, the question before cancelling."""

import datetime as dt
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.screen import Shell
from app.desktop.screens.calendar_bubbles import BlockedBubble, PreviewCard, PriceBubble
from app.desktop.screens.calendar_cancel import CancelDialog
from app.desktop.screens.calendar_card_bar import CardBar
from app.desktop.screens.calendar_displaced import DisplacedCursor
from app.desktop.screens.calendar_lost import taker_words
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_selection import DayStretch, Obstacle
from app.desktop.widgets.month_grid_spans import Span
from app.domain.booking import Action, BookingState, allowed_actions
from app.domain.days import Days
from app.domain.staff import Role
from app.usecases.rows import Bar, Blocker, FleetUnit

_UNPAID = (BookingState.PENDING_PAYMENT, BookingState.EXTENSION_PENDING)


class Pointing(QObject):
    """Owns the bubbles over the grid. `pay_wanted` carries the id of an unpaid booking to settle, `bill_wanted` that of
    one whose extension or difference is to be paid, `form_wanted` (unit, Days, Bar) for a booking form for that bar's
    customer.

    `seen` answers the part of the viewport that nothing covers, `is_covered` whether a refusal card is open (then
    nothing else pops up). `days_gone` with (unit's id, Days) when somebody took days that are being chosen, so that
    `tell_who` may be told who it was; `days_lost` with the stretch and those Blockers when it is let go.
    """

    pay_wanted = Signal(str)
    bill_wanted = Signal(str)
    form_wanted = Signal(object, object, object)
    end_wanted = Signal()
    days_gone = Signal(str, object)
    days_lost = Signal(object, object)

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        shell: Shell,
        host: QWidget,
        *,
        seen: Callable[[], QRect],
        is_covered: Callable[[], bool],
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._shell, self._host = grid, model, shell, host
        self._seen, self._is_covered = seen, is_covered
        self.bills: Mapping[str, str] = {}
        """Open invoices that changes left, by booking."""
        self.displaced = DisplacedCursor(grid, model, shell, self)
        self.price = PriceBubble(grid.viewport())
        self.blocked = BlockedBubble(grid.viewport())
        self.preview = PreviewCard(grid.viewport())
        grid.stretch_changed.connect(self.stretch_changed)
        grid.blocked.connect(self.show_blocked)
        grid.bar_opened.connect(self.open_bar)
        grid.bar_pointed.connect(self.point_bar)
        grid.moved.connect(self.hide_cards)
        self.preview.pay_wanted.connect(self._pay)
        self.preview.cancel_wanted.connect(self._ask_cancel)
        self.preview.closed.connect(grid.setFocus)
        self._lost: DayStretch | None = None
        self._asked_who: tuple[str, dt.date] | None = None
        self._who: tuple[Blocker, ...] = ()
        self._lower: tuple[FleetUnit, Days, Bar] | None = None
        self.blocked.form_wanted.connect(self._open_form)
        self._away = ""
        self._card: CardBar | None = None
        self._gone = ""
        model.changed.connect(self._away_changed)
        model.changed.connect(self._follow)
        model.source_changed.connect(self._away_changed)

    def close_card(self) -> bool:
        """Close what stands beside a cell; False when nothing did."""
        if not (self.preview.isVisible() or self.blocked.isVisible()):
            return False
        self.hide_cards()
        self._grid.setFocus()
        return True

    def stretch_changed(self, chosen: object) -> None:
        self.blocked.hide()
        self.preview.hide()
        if isinstance(chosen, DayStretch):
            self._lost = chosen if chosen.lost is not None else None
            self._ask_who(chosen)
        if not isinstance(chosen, DayStretch):
            self.price.hide()
            return
        taker = taker_words(self._who, self._model.who.branch.zone) if chosen.lost is not None else ""
        self.price.show_stretch(chosen, dragging=self._grid.is_dragging(), taker=taker)
        target = self._grid.cell_rect(chosen.unit.unit.id, chosen.first, chosen.last)
        # The whole row stays readable: what stopped the stretch stands right beside it.
        row = QRect(0, target.top(), self._grid.viewport().width(), target.height())
        self.price.place(target.adjusted(8, 0, 0, 0), [row], self._seen())
        if not self._grid.is_dragging() or chosen.stopped is not None:
            announce(self._grid, self.price.spoken())

    def _ask_who(self, chosen: DayStretch) -> None:
        """Once for each loss: the grid knows the customer, the server who took the days for them."""
        lost = chosen.lost
        asked = (chosen.unit.unit.id, lost.day) if lost is not None else None
        if asked != self._asked_who:
            self._asked_who, self._who = asked, ()
            if lost is not None:
                self.days_gone.emit(chosen.unit.unit.id, Days(chosen.first_day, chosen.last_day))

    def tell_who(self, unit_id: str, blockers: object) -> None:
        """Who took the days that are being chosen."""
        chosen = self._grid.stretch()
        if isinstance(blockers, tuple) and chosen is not None and chosen.unit.unit.id == unit_id:
            self._who = blockers
            self.stretch_changed(chosen)

    def show_blocked(self, unit: object, obstacle: object) -> None:
        if not isinstance(unit, FleetUnit):
            return
        self.price.hide()
        self.preview.hide()
        lost, self._lost = self._lost, None
        if lost is not None and lost.lost is obstacle:
            self.days_lost.emit(lost, self._who)
            return
        if isinstance(obstacle, Obstacle):
            self._away = ""
            self.blocked.show_obstacle(unit, obstacle)
            target = self._grid.cell_rect(unit.unit.id, obstacle.column, obstacle.column)
        else:
            self._away = self.away_reason()
            branch = self._model.shown.wanted.branch
            if branch is not None:
                self.blocked.show_elsewhere(branch.name)
            else:
                self.blocked.show_offline()
            column = max(0, self._grid.currentIndex().column())
            target = self._grid.cell_rect(unit.unit.id, column, column)
        self.blocked.place(target, within=self._seen())
        announce(self._grid, self.blocked.accessibleName())

    def _away_changed(self) -> None:
        """Why nothing can be held is over, or is another reason now: the bubble goes with it."""
        if self._away and self._away != self.away_reason():
            self._away = ""
            self.blocked.hide()

    def away_reason(self) -> str:
        """Why nothing can be written now; empty when it can."""
        if self._model.may_hold:
            return ""
        if self._model.is_elsewhere:
            return self.tr("Cabang lain hanya bisa dilihat.")
        return self.tr("Koneksi terputus.")

    def show_stuck(self, unit: object, span: object, reason: str) -> None:
        """Why a bar does not move."""
        if isinstance(unit, FleetUnit) and isinstance(span, Span):
            self.preview.hide()
            self._away = ""
            self.blocked.show_stuck(span.bar.number or unit.unit.plate if span.bar is not None else "", reason)
            self.blocked.place(self._grid.cell_rect(unit.unit.id, span.first, span.last), within=self._seen())
            announce(self._grid, self.blocked.accessibleName())

    def show_not_booked(self, chosen: DayStretch, reason: str) -> None:
        """Days were chosen by somebody who may not book them."""
        self.hide_all()
        self.blocked.show_not_booked(chosen.unit, reason)
        target = self._grid.cell_rect(chosen.unit.unit.id, chosen.first, chosen.last)
        self.blocked.place(target, within=self._seen())
        announce(self._grid, self.blocked.accessibleName())

    def show_lower_class(self, unit: object, days: object, bar: object) -> None:
        """A cheaper SKU is a new agreement: refused, with the way to the form."""
        if not (isinstance(unit, FleetUnit) and isinstance(days, Days) and isinstance(bar, Bar)):
            return
        self._lower = (unit, days, bar)
        self._away = ""
        self.blocked.show_lower_class(unit)
        self.blocked.place(self._grid.visualRect(self._grid.currentIndex()), within=self._seen())
        self.blocked.form_button.setFocus(Qt.FocusReason.PopupFocusReason)
        announce(self._grid, self.blocked.accessibleName())

    def _open_form(self) -> None:
        wanted, self._lower = self._lower, None
        self.hide_cards()
        if wanted is not None:
            self.form_wanted.emit(*wanted)

    def open_bar(self, unit: object, span: object) -> None:
        self._show_preview(unit, span)
        if self.preview.isVisible():
            self.preview.take_focus()

    def point_bar(self, unit: object, span: object) -> None:
        if not self._is_covered() and self._grid.stretch() is None:
            self._show_preview(unit, span)

    def _show_preview(self, unit: object, span: object) -> None:
        if not (isinstance(unit, FleetUnit) and isinstance(span, Span)) or span.bar is None:
            return
        self.blocked.hide()
        zone = self._model.who.branch.zone
        self.preview.show_bar(
            unit,
            span,
            zone,
            now=self._model.clock.now(),
            content=self._grid.content,
            pay_reason=self.pay_reason(span),
            cancel_reason=self._cancel_reason(span),
        )
        self.preview.place(self._grid.cell_rect(unit.unit.id, span.first, span.last), within=self._seen())
        self._card, self._gone = CardBar.of(unit, span, self._model), ""

    def _follow(self) -> None:
        """Live changes: the card shows its bar as it is now, wherever it lies; one that has gone is told of."""
        card, content = self._card, self._model.content
        if card is None or content is None or not self.preview.isVisible():
            return
        now = card.found(content)
        if now == (card.unit, card.span) and card.is_of(self._model):
            return
        had_focus = self._grid.window().focusWidget()
        is_in_card = (had_focus is not None and self.preview.isAncestorOf(had_focus)) or had_focus is self.preview
        if now is not None and not self._grid.cell_rect(now[0].unit.id, now[1].first, now[1].last).isEmpty():
            self._show_preview(*now)
            if is_in_card:
                self.preview.take_focus()
            return
        self.preview.hide()
        if is_in_card:
            self._grid.setFocus()
        if card.is_of(self._model):
            self._away = ""
            self.blocked.show_gone(card.name)
            self._gone = self.blocked.accessibleName()
            self.blocked.place(self._grid.visualRect(self._grid.currentIndex()), within=self._seen())
            announce(self._grid, self._gone)

    def stand_on_card(self) -> bool:
        """Before a key acts: the cursor goes to the bar whose card is open. False when that bar has gone, which is said
        once more: what came in its place is another matter.
        """
        if self._gone and self.blocked.isVisible():
            self._shell.toast(self._gone, seconds=6)
            self.hide_cards()
            return False
        card = self._card
        if card is None or not self.preview.isVisible():
            return True
        found = self._grid.current_span()
        if found is None or found[1].bar != card.span.bar:
            self._grid.go_to(card.unit.unit.id, card.span.first)
        return True

    def toggle_preview(self) -> None:
        if self.preview.isVisible():
            self.preview.hide()
            return
        found = self._grid.current_span()
        if found is not None:
            self._show_preview(*found)

    def retranslate(self) -> None:
        """The language changed: the open bubble is written anew, the others go."""
        self.hide_cards()
        chosen = self._grid.stretch()
        if chosen is not None:
            self.stretch_changed(chosen)

    def hide_all(self) -> None:
        """Another card comes: the price of what is chosen goes too."""
        self.price.hide()
        self.hide_cards()

    def hide_cards(self) -> None:
        self._gone = ""
        self.blocked.hide()
        self.preview.hide()

    # --- paying -------------------------------------------------------------------------------------------------------

    def pay_reason(self, span: Span) -> str | None:
        """None: nothing is to be paid here; a text: why it cannot be paid now; empty: it can."""
        bar = span.bar
        if bar is None or bar.booking_id is None:
            return None
        if bar.state not in _UNPAID and bar.booking_id not in self.bills:
            return None
        if Role.CASHIER not in self._model.who.roles:
            return self.tr("Menerima pembayaran perlu peran Kasir.")
        return "" if self._model.may_hold else self.tr("Belum bisa membayar: koneksi terputus.")

    def pay_current(self) -> bool:
        """F9 while grid or card have the focus: settle the unpaid booking there; False when there is none."""
        focus = self._host.window().focusWidget()
        if focus is not self._grid and not (focus is not None and self._grid.isAncestorOf(focus)):
            return False
        if not self.stand_on_card():
            return True
        found = self._grid.current_span()
        reason = self.pay_reason(found[1]) if found is not None else None
        if found is None or reason is None:
            return False
        if reason:
            self._shell.toast(reason, seconds=6)
        else:
            self._pay(found[1])
        return True

    def _pay(self, span: object) -> None:
        bar = span.bar if isinstance(span, Span) else None
        if bar is not None and bar.booking_id is not None:
            self.hide_cards()
            self._grid.setFocus()
            is_hold = bar.state is BookingState.PENDING_PAYMENT
            (self.pay_wanted if is_hold else self.bill_wanted).emit(bar.booking_id)

    # --- cancelling ---------------------------------------------------------------------------------------------------

    def _cancel_reason(self, span: Span) -> str | None:
        """None: there is nothing to cancel here; a text: why it cannot be; empty: it can."""
        bar = span.bar
        if bar is None or bar.booking_id is None:
            return None
        if bar.state is BookingState.PAID_APPROVED:
            allowed = Action.CANCEL_PAID in allowed_actions(bar.state, self._model.who.roles)
            if not allowed:
                return self.tr("Membatalkan yang sudah dibayar perlu peran Agen.")
            return "" if self._model.may_hold else self.tr("Belum bisa membatalkan: koneksi terputus.")
        if bar.state is not BookingState.PENDING_PAYMENT:
            return None
        if Action.CANCEL not in allowed_actions(bar.state, self._model.who.roles):
            return self.tr("Membatalkan perlu peran Agen atau Kasir.")
        return "" if self._model.may_hold else self.tr("Belum bisa membatalkan: koneksi terputus.")

    def cancel_current(self) -> None:
        """Del on an unpaid booking."""
        found = self._grid.current_span()
        reason = self._cancel_reason(found[1]) if found is not None else None
        if found is None or reason is None:
            return
        if reason:
            self._shell.toast(reason, seconds=6)
        else:
            self._ask_cancel(found[1])

    def _ask_cancel(self, span: object) -> None:
        bar = span.bar if isinstance(span, Span) else None
        if bar is None or bar.booking_id is None:
            return
        if bar.state is BookingState.PAID_APPROVED:
            self.stand_on_card()
            self.end_wanted.emit()
            return
        booking_id, seen = bar.booking_id, bar.version
        self.preview.hide()
        dialog = CancelDialog(bar.number or "", bar.customer_name or "", self._host)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.confirmed.connect(lambda reason: self._model.cancel(booking_id, reason, seen))
        dialog.finished.connect(lambda _: self._grid.setFocus())
        dialog.open()
