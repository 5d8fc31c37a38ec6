"""Del, Shift+Del and Ctrl+H: which question is asked of the bar under the cursor, and what is said afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.announce import announce
from app.desktop.errors import failure_sentence
from app.desktop.formats import moment
from app.desktop.language import language
from app.desktop.screen import Shell
from app.desktop.screens.calendar_cancel_card import QuestionCard
from app.desktop.screens.calendar_cancel_paid import CancelPaidCard
from app.desktop.screens.calendar_cancel_paid_words import done_words
from app.desktop.screens.calendar_cancel_viewmodel import Ended, Ending, EndingViewModel, EndUseCases
from app.desktop.screens.calendar_hold_longer import HoldLongerCard
from app.desktop.screens.calendar_hold_longer_viewmodel import (
    Approve,
    HoldLonger,
    HoldLongerViewModel,
    LongerHold,
    Waiting,
)
from app.desktop.screens.calendar_verbs import Verb, VerbKind, longer_reason
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.walk_in_form import Stage
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.viewmodel import Failure
from app.desktop.widgets.button import Button, ButtonSize
from app.desktop.widgets.month_grid import MonthGrid
from app.domain.booking import Action, BookingState
from app.domain.days import Days
from app.domain.staff import Role
from app.usecases.rows import Bar, FleetUnit


class _Bookings(EndUseCases, Protocol):
    @property
    def hold_longer(self) -> HoldLonger: ...


class _Approvals(Protocol):
    @property
    def approve(self) -> Approve: ...


class EndsCounter(Protocol):
    """The part of a counter that ends bookings and lets them wait."""

    @property
    def bookings(self) -> _Bookings: ...

    @property
    def approvals(self) -> _Approvals: ...


@dataclass(frozen=True, slots=True)
class EndsWork:
    """The view models behind both questions."""

    ending: EndingViewModel
    longer: HoldLongerViewModel

    @classmethod
    def of(cls, counter: EndsCounter, steady: Callable[[], float]) -> "EndsWork":
        """For one logged-in person at one counter; `steady` never jumps."""
        bookings = counter.bookings
        return cls(
            ending=EndingViewModel(bookings, steady),
            longer=HoldLongerViewModel(bookings.hold_longer, bookings.ending_facts, counter.approvals.approve, steady),
        )


class Endings(QObject):
    """Owns both cards. `changed` after anything was written or is other than it was shown, `opened` before a card
    comes (nothing else may stand there then). `verbs` answers what can be done where the cursor stands.
    """

    changed = Signal()
    opened = Signal()

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        walk_in: WalkInViewModel,
        work: EndsWork,
        shell: Shell,
        host: QWidget,
        *,
        seen: Callable[[], QRect],
        verbs: Callable[[], Sequence[Verb]],
    ) -> None:
        super().__init__(host)
        self._grid, self._model, self._work, self._shell, self._host = grid, model, work, shell, host
        self._walk_in, self._seen, self._verbs = walk_in, seen, verbs
        zone = model.who.branch.zone
        work.ending.setParent(host)
        work.longer.setParent(host)
        self.paid = CancelPaidCard(work.ending, zone, host)
        is_manager = Role.MANAGER in model.who.roles
        self.longer = HoldLongerCard(work.longer, model.clock.now, zone, host, is_manager=is_manager)
        self.longer_button = Button("", key="Ctrl+H", size=ButtonSize.SMALL)
        """For the drawer while it holds something. Whoever lays it out gives it its place."""
        self.longer_button.clicked.connect(lambda: self.press(VerbKind.HOLD_LONGER))
        walk_in.changed.connect(self._show_button)
        self._before: QWidget | None = None
        self._show_button()
        self.paid.closed.connect(self._kept_paid)
        self.longer.closed.connect(self._kept_waiting)
        work.ending.ended.connect(self._ended)
        work.longer.held.connect(self._held)
        for each in (work.ending, work.longer):
            each.refused.connect(lambda _no: self.changed.emit())
            each.failed.connect(self._failed)
        model.bars_read.connect(self._follow)

    # --- asking -------------------------------------------------------------------------------------------------------

    def press(self, kind: VerbKind) -> None:
        """CANCEL, NO_SHOW and HOLD_LONGER: ask about the bar under the cursor, or say why not.

        Nothing while a bar is in the hand.
        """
        if self._grid.ghost() is not None:
            return
        if kind is VerbKind.HOLD_LONGER and self._ask_of_drawer():
            return
        found = self._grid.current_span()
        verb = next((verb for verb in self._verbs() if verb.kind is kind), None)
        if found is None or found[1].bar is None or verb is None:
            self._tell(self._nothing_here(kind))
        elif verb.reason:
            self._tell(f"{verb.text}: {verb.reason}")
        elif kind is VerbKind.HOLD_LONGER:
            self._ask_longer(found[1].bar)
        else:
            action = Action.NO_SHOW if kind is VerbKind.NO_SHOW else Action.CANCEL_PAID
            self._ask_end(found[0], found[1].bar, action)

    def hold_longer_reason(self) -> str:
        """Why the drawer's hold cannot wait longer; empty when it can."""
        away = self.tr("Koneksi terputus.") if not self._model.is_online else ""
        return away or longer_reason(self._model.who.roles)

    def _nothing_here(self, kind: VerbKind) -> str:
        if kind is VerbKind.HOLD_LONGER:
            return self.tr("Pilih booking yang menunggu bayar dulu (panah atau G).")
        return self.tr("Pilih booking yang sudah dibayar dan belum diserahkan (panah atau G).")

    def _ask_end(self, unit: FleetUnit, bar: Bar, action: Action) -> None:
        if bar.booking_id is None:
            return
        ending = Ending(
            booking_id=bar.booking_id,
            number=bar.number or "",
            customer=bar.customer_name or "",
            plate=unit.unit.plate,
            rented=bar.rented or bar.days,
            action=action,
            version=bar.version,
        )
        self._make_room(self.paid)
        self._work.ending.ask(ending)
        self.paid.begin()
        self._show(self.paid, self._bar_rect())

    def _ask_longer(self, bar: Bar) -> None:
        if bar.booking_id is not None and bar.payment_deadline is not None:
            waiting = Waiting(
                booking_id=bar.booking_id,
                number=bar.number or "",
                customer=bar.customer_name or "",
                deadline=bar.payment_deadline,
                version=bar.version,
            )
            self._ask_waiting(waiting, self._bar_rect())

    def _ask_of_drawer(self) -> bool:
        """What the drawer holds is meant as long as the focus is not in the grid; False when the grid is."""
        hold, focus = self._walk_in.hold, self._host.window().focusWidget()
        in_grid = focus is not None and (focus is self._grid or self._grid.isAncestorOf(focus))
        if in_grid or hold is None or hold.deadline is None or self._walk_in.stage is not Stage.HELD:
            return False
        reason = self.hold_longer_reason()
        if reason:
            self._tell(f"{self.longer_button.text()}: {reason}")
            return True
        waiting = Waiting(
            booking_id=hold.booking_id, number=hold.number, customer=hold.customer_name, deadline=hold.deadline
        )
        area = self._host.rect()
        self._ask_waiting(waiting, QRect(area.right(), area.top() + 60, 1, 1))
        return True

    def close_card(self) -> bool:
        """Esc: one level; False when no card was open."""
        return self.longer.leave_level() or self.paid.close_card()

    def retranslate(self) -> None:
        """The language changed: open questions are fitted anew; they have written themselves."""
        self._show_button()
        self.paid.fit()
        self.longer.fit()

    def _show_button(self) -> None:
        self.longer_button.setText(self.tr("Tahan lebih lama"))
        self.longer_button.setVisible(self._walk_in.stage is Stage.HELD)
        self.longer_button.set_reason(self.hold_longer_reason())

    # --- answers ------------------------------------------------------------------------------------------------------

    def _ended(self, ended: Ended) -> None:
        self._leave(self.paid)
        self._shell.toast(lambda: done_words(ended), seconds=10)
        announce(self._grid, done_words(ended))
        self.changed.emit()

    def _held(self, held: LongerHold) -> None:
        self._leave(self.longer)
        self._shell.toast(lambda: self._held_words(held), seconds=10)
        announce(self._grid, self._held_words(held))
        self.changed.emit()

    def _held_words(self, held: LongerHold) -> str:
        until = moment(held.deadline, self._model.who.branch.zone, language())
        if held.approved_by:
            text = self.tr("{0} ditahan sampai {1}, disetujui {2}.")
            return text.format(held.waiting.number, until, held.approved_by)
        return self.tr("{0} ditahan sampai {1}.").format(held.waiting.number, until)

    def _failed(self, failure: object) -> None:
        if isinstance(failure, Failure):
            self._shell.toast(failure_sentence(failure).whole)

    def _kept_paid(self) -> None:
        self._work.ending.give_up()
        self._go_back()

    def _kept_waiting(self) -> None:
        self._work.longer.give_up()
        self._go_back()

    # --- live changes -------------------------------------------------------------------------------------------------

    def _follow(self, window: Days, bars: Sequence[Bar]) -> None:
        """What the questions speak of, as another counter left it: asked anew, or gone with its question."""
        by_id = {bar.booking_id: bar for bar in bars if bar.booking_id is not None}
        ending, waiting = self._work.ending, self._work.longer
        if ending.ending is not None and ending.unsure is None and not ending.is_busy("send"):
            self._follow_ending(ending.ending, by_id.get(ending.ending.booking_id), window)
        if waiting.waiting is not None and waiting.unsure is None and not waiting.is_busy("send", "approve"):
            self._follow_waiting(waiting.waiting, by_id.get(waiting.waiting.booking_id))

    def _follow_ending(self, ending: Ending, bar: Bar | None, window: Days) -> None:
        if bar is None:
            if window.overlaps(ending.rented):
                self._gone(self.paid, ending.number)
            return
        if bar.state is not BookingState.PAID_APPROVED:
            self._gone(self.paid, ending.number)
            return
        plate = next((unit.unit.plate for unit in self._model.fleet if unit.unit.id == bar.unit_id), ending.plate)
        now = replace(ending, plate=plate, rented=bar.rented or bar.days, version=bar.version)
        if now != ending:
            self._work.ending.follow(now)

    def _follow_waiting(self, waiting: Waiting, bar: Bar | None) -> None:
        if bar is None:
            return
        if bar.state is not BookingState.PENDING_PAYMENT or bar.payment_deadline is None:
            self._gone(self.longer, waiting.number)
        elif (waiting.deadline, waiting.version) != (bar.payment_deadline, bar.version):
            self._work.longer.follow(replace(waiting, deadline=bar.payment_deadline, version=bar.version))

    def _gone(self, card: QuestionCard, number: str) -> None:
        card.close_card()
        text = self.tr("{0} baru saja berubah di tempat lain, jadi tidak ada yang dilakukan.")
        self._tell(text.format(number))

    # --- inside -------------------------------------------------------------------------------------------------------

    def _ask_waiting(self, waiting: Waiting, near: QRect) -> None:
        self._make_room(self.longer)
        self._work.longer.ask(waiting)
        self.longer.begin()
        self._show(self.longer, near)

    def _make_room(self, card: QuestionCard) -> None:
        """One question at a time, and nothing else beside it."""
        if card is not self.paid and self.paid.isVisible():
            self.paid.hide()
            self._work.ending.give_up()
        if card is not self.longer and self.longer.isVisible():
            self.longer.hide()
            self._work.longer.give_up()
        self.opened.emit()

    def _bar_rect(self) -> QRect:
        """The bar under the cursor, in the screen's own coordinates."""
        found = self._grid.current_span()
        rect = self._grid.visualRect(self._grid.currentIndex())
        if found is not None:
            rect = self._grid.cell_rect(found[0].unit.id, found[1].first, found[1].last)
        rect = rect.intersected(self._grid.viewport().rect())
        rect.moveTopLeft(self._grid.viewport().mapTo(self._host, rect.topLeft()))
        return rect

    def _show(self, card: QuestionCard, near: QRect) -> None:
        focus = self._host.window().focusWidget()
        self._before = focus if focus is not None and card.focus() is None else self._before
        area = self._host.rect()
        area.setRight(self._grid.viewport().mapTo(self._host, self._seen().topRight()).x())
        card.open_at(near, area)
        card.take_focus()
        announce(self._grid, card.accessibleName())

    def _leave(self, card: QuestionCard) -> None:
        """It was answered: the focus goes back, unless the person is elsewhere by now."""
        had_focus = card.focus() is not None
        card.hide()
        if had_focus:
            self._go_back()

    def _tell(self, text: str) -> None:
        self._shell.toast(text, seconds=6)

    def _go_back(self) -> None:
        """The focus goes where it was before the question: into the drawer, or into the grid."""
        before, self._before = self._before, None
        is_there = before is not None and before.isVisible() and before.isEnabled()
        (before if before is not None and is_there else self._grid).setFocus(Qt.FocusReason.OtherFocusReason)
