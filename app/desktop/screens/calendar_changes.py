"""Bars on the move: each place is asked of the server, and a bar settles only after its answer."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal

from app.desktop.announce import announce
from app.desktop.errors import refusal_sentence
from app.desktop.screen import Shell
from app.desktop.screens.calendar_change_words import day_in, days_in, done_words, kept_words
from app.desktop.screens.calendar_ghost_speech import GhostSpeech
from app.desktop.screens.calendar_in_hand import InHand
from app.desktop.screens.calendar_parking import Parked, ParkingLane
from app.desktop.screens.calendar_swap_other import swap_other
from app.desktop.screens.calendar_undo import offer_undo
from app.desktop.screens.calendar_verbs import grips_of, stuck_reason
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.changes_viewmodel import Change, ChangesViewModel, DoneChange, change_of
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_ghost import Ghost, Grip, Verdict, rented
from app.desktop.widgets.month_grid_spans import Span
from app.domain.booking import Action
from app.domain.days import Days
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.usecases.rows import Bar, FleetUnit
from app.usecases.rows_changes import ChangedBooking, ChangeQuote

ASK_MS = 60
LOWER_CLASS = "lower_class"
"""The server's "no" to a cheaper unit than was sold: that is a new agreement with the customer, made in the form."""
"""A ghost that rests this long is asked about; while it moves on nothing is."""


class Changes(QObject):
    """Owns the bubble beside the ghost. `stuck` with (unit, Span, reason) when a bar may not be held there,
    `refused` with (Refusal, what is kept) when a change was refused for its days, `form_wanted` with (unit, Days, Bar)
    for a lower class, `changed` after anything was written, `everything_wanted` when a row is needed that is not shown.
    """

    stuck = Signal(object, object, str)
    refused = Signal(object, str, str)
    form_wanted = Signal(object, object, object)
    changed = Signal()
    everything_wanted = Signal()

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        work: ChangesViewModel,
        lane: ParkingLane,
        shell: Shell,
        host: QObject,
        *,
        seen: Callable[[], QRect],
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._work, self._lane, self._shell = grid, model, work, lane, shell
        self._quote: tuple[Change, ChangeQuote] | None = None
        self._no: tuple[Change, Refusal] | None = None
        self._last: Change | None = None
        self._last_no: Refusal | None = None
        self.bills: dict[str, str] = {}
        """Open invoices that changes of this counter left, by booking."""
        self._speech = GhostSpeech(grid, seen)
        self.bubble = self._speech.bubble
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(ASK_MS)
        self._wait.timeout.connect(self.ask_now)
        self._in_hand = InHand(grid, model, shell, self, is_parked=lane.holds)
        self._to_place: Parked | None = None
        model.changed.connect(self._place_waiting)
        grid.set_grips(self.grips)
        grid.set_lane(lane.has_point)
        grid.ghost_changed.connect(self._ghost_changed)
        grid.ghost_dropped.connect(self._ghost_dropped)
        grid.bar_stuck.connect(self._bar_stuck)
        work.quoted.connect(self._quoted)
        work.quote_refused.connect(self._quote_refused)
        work.applied.connect(self._applied)
        work.apply_refused.connect(self._apply_refused)
        work.answer_lost.connect(lambda _change, _action: self._grid.end_ghost())
        work.taken_back.connect(self._taken_back)
        work.rejected.connect(self._rejected)
        work.refused.connect(self._said_no)
        work.failed.connect(lambda _failure: self._grid.end_ghost())

    # --- taking a bar into the hand -----------------------------------------------------------------------------------

    def grips(self, unit: FleetUnit, span: Span) -> frozenset[Grip]:
        """Where this bar may be held by whoever is logged in, parked or not: as by keys."""
        return grips_of(span, self._model.who.roles)

    def start(self, grip: Grip) -> bool:
        """X and P: take the bar under the cursor into the hand; False (and the reason beside it) when it may not be."""
        found = self._grid.current_span()
        if found is None:
            return False
        unit, span = found
        if not self._model.may_hold:
            self._grid.blocked.emit(unit, None)
            return False
        bar, allowed = span.bar, grips_of(span, self._model.who.roles)
        if grip is Grip.BODY and Grip.ROW in allowed and Grip.BODY not in allowed:
            grip = Grip.ROW
        if bar is None or grip not in allowed:
            self.stuck.emit(unit, span, stuck_reason(span, grip, self._model.who.roles))
            return False
        self._grid.clear_stretch()
        self._grid.begin_ghost(unit, bar, grip, by_keys=True)
        announce(self._grid, f"{self.mode_words(grip)} {self.bubble.spoken()}")
        return True

    def place_parked(self, item: Parked, *, by_keys: bool = True) -> None:
        """Out of the lane into the hand: arrows and Enter put it down, or the mouse that pulled it out."""
        if by_keys and not self._shows(item):
            self._to_place = item
            self.everything_wanted.emit()
            self._place_waiting()
            return
        if not self._model.may_hold:
            self._grid.blocked.emit(item.unit, None)
            return
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)
        if by_keys:
            self._model.show_day(rented(item.bar).first)
            self._grid.unfold_row_of(item.unit.unit.id)
        self._grid.begin_ghost(item.unit, item.bar, self._body_grip(item.bar), by_keys=by_keys)
        if by_keys:
            announce(self._grid, f"{self.mode_words(Grip.BODY)} {self.bubble.spoken()}")

    def _shows(self, item: Parked) -> bool:
        content = self._grid.content
        return content is not None and content.unit(item.unit.unit.id) is not None

    def _place_waiting(self) -> None:
        """The row a parked booking is still on had to be shown first: now it is."""
        item = self._to_place
        if item is not None and self._shows(item):
            self._to_place = None
            if self._lane.holds(item.bar.booking_id):
                self.place_parked(item)

    def park_current(self) -> None:
        """Shift+P: put the bar under the cursor aside, or back when it is aside already."""
        found = self._grid.current_span()
        bar = found[1].bar if found is not None else None
        if found is None or bar is None:
            return
        unit, span = found
        if self._lane.take_out(bar.booking_id) is not None:
            return
        reason = stuck_reason(span, Grip.BODY, self._model.who.roles)
        if reason:
            self.stuck.emit(unit, span, reason)
        else:
            self._lane.park(Parked(unit=unit, bar=bar))
            announce(self._grid, self.tr("{0} diparkir; harinya tetap terpakai.").format(bar.number or ""))

    def mode_words(self, grip: Grip) -> str:
        """What the keys do while a bar is in the hand."""
        if grip is Grip.END:
            return self.tr("Ubah hari terakhir: panah kiri kanan, Enter mengubah, Esc batal.")
        if grip is Grip.START:
            return self.tr("Ubah hari pertama: panah kiri kanan, Enter mengubah, Esc batal.")
        return self.tr("Pindah: panah menggeser, Enter menaruh, Esc batal.")

    def give_up(self) -> bool:
        """Esc: nothing was written yet, or nothing can be given up any more (then False)."""
        if self._grid.ghost() is None or self._work.is_busy("apply"):
            return False
        self._wait.stop()
        return self._grid.end_ghost()

    def _body_grip(self, bar: Bar) -> Grip:
        content = self._grid.content
        unit = content.unit(bar.unit_id) if content is not None else None
        spans = content.spans(unit) if content is not None and unit is not None else ()
        span = next((item for item in spans if item.bar == bar and not item.tail), None)
        allowed = grips_of(span, self._model.who.roles) if span is not None else frozenset()
        return Grip.ROW if Grip.BODY not in allowed and Grip.ROW in allowed else Grip.BODY

    def _bar_stuck(self, unit: object, span: object, grip: object) -> None:
        if isinstance(unit, FleetUnit) and isinstance(span, Span) and isinstance(grip, Grip):
            self.stuck.emit(unit, span, stuck_reason(span, grip, self._model.who.roles))

    # --- while it moves -----------------------------------------------------------------------------------------------

    def _ghost_changed(self, ghost: object) -> None:
        if not isinstance(ghost, Ghost):
            self._wait.stop()
            self._quote = self._no = None
            self.bubble.hide()
            self._lane.set_under(False)
            self._lane.offer(False)
            return
        self._lane.offer(ghost.grip in (Grip.BODY, Grip.ROW) and not ghost.by_keys)
        self._lane.set_under(ghost.parks)
        self._judge(ghost)
        if ghost.by_keys:
            announce(self._grid, self.bubble.spoken())

    def _judge(self, ghost: Ghost) -> None:
        """Say what is known of this place, and ask what is not."""
        change = self._change(ghost)
        if ghost.is_home or ghost.parks:
            verdict = Verdict.HOME
        elif ghost.obstacle is not None:
            verdict = Verdict.REFUSED
        elif self._quote is not None and self._quote[0] == change:
            verdict = Verdict.REFUSED if self._quote[1].blockers else Verdict.ALLOWED
        elif self._no is not None and self._no[0] == change:
            verdict = Verdict.REFUSED
        else:
            verdict = Verdict.CHECKING
        if verdict is Verdict.CHECKING:
            self._wait.start()
        else:
            self._wait.stop()
        self._grid.set_verdict(verdict)
        self._grid.show_head_line()
        quote = self._quote[1] if self._quote is not None and self._quote[0] == change else None
        self._speech.show(ghost, verdict, quote, self._said(change, quote))

    def _said(self, change: Change | None, quote: ChangeQuote | None) -> tuple[str, str]:
        if self._no is not None and self._no[0] == change:
            sentence = refusal_sentence(self._no[1], self._model.who.branch.zone)
            return sentence.title, sentence.text
        if quote is not None and quote.blockers:
            return kept_words(quote)
        return "", ""

    def ask_now(self) -> None:
        """Ask the server about the place where the ghost stands."""
        ghost = self._grid.ghost()
        change = self._change(ghost) if ghost is not None else None
        if change is not None:
            self._wait.stop()
            self._work.quote(change)

    def _quoted(self, change: Change, quote: ChangeQuote) -> None:
        self._quote, self._no = (change, quote), None
        self._answered(change)

    def _quote_refused(self, change: Change, refusal: Refusal) -> None:
        self._no = (change, refusal)
        self._answered(change)

    def _answered(self, change: Change) -> None:
        ghost = self._grid.ghost()
        if ghost is None or self._change(ghost) != change:
            return
        if self._grid.is_moving():
            self._judge(ghost)
            if ghost.by_keys:
                announce(self._grid, self.bubble.spoken())
        else:
            self._settle(change)

    # --- putting it down ----------------------------------------------------------------------------------------------

    def _ghost_dropped(self, ghost: object) -> None:
        if not isinstance(ghost, Ghost) or self._in_hand.is_cut_off(ghost):
            return
        change = self._change(ghost)
        if ghost.parks:
            self._lane.park(Parked(unit=ghost.home, bar=ghost.bar))
            self._grid.end_ghost()
        elif ghost.is_home or change is None:
            self._grid.end_ghost()
            self._lane.take_out(ghost.bar.booking_id)
        elif self._is_answered(change):
            self._settle(change)
        else:
            self._grid.set_verdict(Verdict.CHECKING)
            self._speech.show(ghost, Verdict.CHECKING, None, ("", ""))
            self.ask_now()

    def _is_answered(self, change: Change) -> bool:
        return (self._quote is not None and self._quote[0] == change) or (
            self._no is not None and self._no[0] == change
        )

    def _settle(self, change: Change) -> None:
        """The place is known: make the change. What lies in its way is the server's to name, with what else is free."""
        if self._quote is not None and self._quote[0] == change:
            self.make(change, self._quote[1].action)
        elif self._no is not None:
            refusal, ghost = self._no[1], self._grid.ghost()  # what is known of a place goes with the ghost
            self._grid.end_ghost()
            if refusal.params.get("reason") == LOWER_CLASS and ghost is not None:
                self.form_wanted.emit(ghost.unit, ghost.days, ghost.bar)
                return
            self._shell.toast(refusal_sentence(refusal, self._model.who.branch.zone).whole)

    def make(self, change: Change, action: Action) -> None:
        """Make a change that was asked for, by hand or from a refusal's next actions."""
        self._work.apply(change, action)

    def take_action(self, action: NextAction) -> bool:
        """The way on of the change whose refusal the card shows; False when it is none of ours."""
        last, params = self._last, action.params
        if last is None:
            return False
        unit_id, plate = str(params.get("unit_id") or last.unit_id), str(params.get("plate") or last.plate)
        match action.action:
            case "use_unit" | "swap_unit":
                same = Action.SWAP_UNIT if last.days == last.before else Action.RESCHEDULE
                wanted = Action.SWAP_UNIT if action.action == "swap_unit" else same
                self.make(replace(last, unit_id=unit_id, plate=plate), wanted)
            case "use_dates":
                self.make(replace(last, unit_id=unit_id, plate=plate, days=days_in(params)), Action.RESCHEDULE)
            case "request_extension" | "shorten":
                days = Days(last.before.first, day_in(params, "last_day"))
                self.make(replace(last, days=days), Action(action.action))
            case "swap_other":
                self._swap_other(action)
            case _:
                return False
        return True

    def _swap_other(self, action: NextAction) -> None:
        """The next booking gets another unit, because a person chose that; it is never done by itself."""
        content = self._grid.content
        change = swap_other(action, self._last_no, content.all_bars() if content is not None else ())
        if change is not None:
            self.make(change, Action.SWAP_UNIT)
        else:
            text = self.tr("{0} baru saja berubah, jadi tidak dipindahkan. Lihat dulu keadaannya.")
            self._shell.toast(text.format(action.params.get("number") or ""), seconds=6)

    # --- answers ------------------------------------------------------------------------------------------------------

    def _applied(self, done: DoneChange) -> None:
        self._in_hand.settle()
        self.tell_done(done)
        self._go_to(done.change.unit_id, done.change.days)

    def tell_done(self, done: DoneChange) -> None:
        """What was written, with its undo; the grid and what is in the hand stay."""
        change, booking = done.change, done.booking
        self._lane.take_out(change.booking_id)
        if booking.invoice_id is not None:
            self.bills[change.booking_id] = booking.invoice_id
        else:
            self.bills.pop(change.booking_id, None)
        offer_undo(self._shell, self._model, lambda: done_words(done), lambda: self._work.take_back(done))
        self.changed.emit()

    def _apply_refused(self, change: Change, refusal: Refusal) -> None:
        self._grid.end_ghost()
        if refusal.code is RefusalCode.DAYS_TAKEN and refusal.params.get("unit_id"):
            self._last, self._last_no = change, refusal  # what the card is about: its ways are this booking's alone
            self.refused.emit(refusal, self._kept(change), change.customer)
        else:
            self._shell.toast(refusal_sentence(refusal, self._model.who.branch.zone).whole)
        self.changed.emit()

    def _kept(self, change: Change) -> str:
        content = self._grid.content
        unit = content.unit(change.home_id) if content is not None else None
        where = unit.unit.plate if unit is not None else ""
        return self.tr("{0} tetap di {1}").format(change.number, where).strip()

    def _taken_back(self, booking: ChangedBooking) -> None:
        self.bills.pop(booking.booking_id, None)
        self._shell.toast(self.tr("{0} kembali seperti semula.").format(booking.number), seconds=6)
        self.changed.emit()
        self._go_to(booking.unit_id, booking.period)

    def _rejected(self, booking: ChangedBooking) -> None:
        self.bills.pop(booking.booking_id, None)
        text = self.tr("Perpanjangan {0} ditolak, hari tambahannya kosong lagi.")
        self._shell.toast(text.format(booking.number), seconds=6)
        self.changed.emit()

    def _said_no(self, refusal: object) -> None:
        if isinstance(refusal, Refusal):
            self._shell.toast(refusal_sentence(refusal, self._model.who.branch.zone).whole)
            self.changed.emit()

    def _go_to(self, unit_id: str, days: Days) -> None:
        content = self._grid.content
        if content is None or not days.overlaps(content.window):
            return
        column = content.column_of(max(days.first, content.window.first))
        if column is not None:
            self._grid.go_to(unit_id, column)

    def _change(self, ghost: Ghost) -> Change | None:
        return change_of(
            ghost.bar,
            ghost.home.unit.id,
            ghost.unit.unit.id,
            ghost.unit.unit.plate,
            ghost.before,
            ghost.days,
        )
