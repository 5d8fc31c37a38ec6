"""Shows a refused booking on the grid: the card, the outlined alternatives, and what the person takes of them."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QRect, Signal

from app.desktop.announce import announce
from app.desktop.screens.calendar_lost import lost_refusal
from app.desktop.screens.calendar_marks import columns_of
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.refusal_card import CARD_WIDTH, RefusalCard
from app.desktop.screens.refusal_facts import RefusalAction, RefusalFacts, just_taken, refusal_facts
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.desktop.widgets.month_grid_selection import DayStretch
from app.domain.days import Days, RentalPeriod
from app.domain.errors import Refusal


class RefusalDesk(QObject):
    """`opened` before the card is placed (make room then), `closed` after it went, `taken` when an action of the form
    was chosen, `change_wanted` with a NextAction of a refused change, `waitlist_wanted` with (sku, RentalPeriod, name
    of the refused booking's customer or None for whoever is in the drawer), `elsewhere_wanted` with (sku, period),
    `lost_shown` with the Refusal of a stretch that was lost and the order it was for,
    `stretch_wanted` with the days taken instead of a stretch that was lost while it was chosen.

    `facts` is what the open card says; None while it is closed.
    """

    opened = Signal()
    closed = Signal()
    taken = Signal()
    change_wanted = Signal(object)
    waitlist_wanted = Signal(str, object, object)
    elsewhere_wanted = Signal(str, object)
    stretch_wanted = Signal(object)
    lost_shown = Signal(object, str)

    def __init__(
        self,
        grid: MonthGrid,
        model: CalendarViewModel,
        walk_in: WalkInViewModel,
        parent: QObject,
        *,
        seen: Callable[[], QRect],
    ) -> None:
        super().__init__(parent)
        self._grid, self._model, self._walk_in, self._seen = grid, model, walk_in, seen
        self.facts: RefusalFacts | None = None
        self._refusal: Refusal | None = None
        self._kept = self._whose = self._order_id = ""
        self._is_lost_stretch = False
        self._lost: DayStretch | None = None
        self._flashing: frozenset[str] = frozenset()
        self.card = RefusalCard(grid.viewport())
        self.card.chosen.connect(self._take)
        self.card.closed.connect(self.give_up)
        walk_in.days_taken.connect(self.show)
        walk_in.changed.connect(self._follow_form)
        model.rows_changed.connect(lambda _ids: self._flash())

    def show_change(self, refusal: Refusal, kept: str, whose: str = "") -> None:
        """The same card for a change of a booking that stands; `kept` says where it still is, `whose` it is."""
        self._show(refusal, kept)
        self._whose = whose

    def show_again(self) -> bool:
        """Back from a card that an action opened: the same question; False when there is none."""
        refusal = self._refusal
        if refusal is not None and self.facts is None:
            self._show(refusal, self._kept, is_lost_stretch=self._is_lost_stretch)
        return refusal is not None

    def forget(self, *_news: object) -> None:
        """The question was answered elsewhere; an open card is not answered by other news and keeps all its ways."""
        if self.facts is None:
            self._refusal = None

    def show(self, refusal: object) -> None:
        """Say who has the days and what else there is; nothing that was typed is touched."""
        if isinstance(refusal, Refusal):
            self._show(refusal, "")

    def show_lost(self, lost: object, who: object = ()) -> None:
        """Days that somebody took under the pointer: the same card; `who` took them as far as the server said yet."""
        content = self._grid.content
        if isinstance(lost, DayStretch) and isinstance(who, tuple) and content is not None:
            self._lost = lost
            refusal = lost_refusal(content, lost, who)
            self._show(refusal, "", is_lost_stretch=True)
            self.lost_shown.emit(refusal, self._walk_in.form.order_id)

    def tell_who(self, unit_id: str, blockers: object) -> None:
        """The server's word on who took them, after the card was opened."""
        lost, content = self._lost, self._grid.content
        is_open = self.facts is not None and self._is_lost_stretch and lost is not None and lost.unit.unit.id == unit_id
        if is_open and lost is not None and content is not None and isinstance(blockers, tuple) and blockers:
            self._refusal = lost_refusal(content, lost, blockers)
            self.retranslate()

    def _show(self, refusal: Refusal, kept: str, *, is_lost_stretch: bool = False) -> None:
        if self._grid.content is None:
            return
        self._is_lost_stretch = is_lost_stretch
        self._refusal, self._kept, self._order_id = refusal, kept, self._walk_in.form.order_id
        self._flashing = just_taken(refusal, self._model.clock.now(), self._model.who.name)
        facts = self._facts_of(refusal)
        self.facts = facts
        if facts.refused is not None and facts.days is not None:
            self._model.show_day(facts.days.first)
            columns = columns_of(self._grid.content, facts.days)
            if columns is not None:
                self._grid.go_to(facts.refused[0], columns[0])
        self.opened.emit()
        self.card.show_facts(facts, self._room(facts))
        self._place(facts)
        announce(self._grid, self.card.accessibleName(), assertive=True)
        # The names of whoever was faster.
        self._flash()
        self._model.reread()

    def _flash(self) -> None:
        """Light up the new owner's bar once, as soon as the grid has it."""
        content = self._grid.content
        if not self._flashing or content is None:
            return
        for bar in content.all_bars():
            columns = columns_of(content, bar.days) if bar.number in self._flashing else None
            if columns is not None:
                self._grid.pulse(bar.unit_id, *columns)
                self._flashing -= {bar.number or ""}

    def retranslate(self) -> None:
        """The language changed while the card is open: the same card in the new words."""
        if self.facts is not None and self._refusal is not None:
            self.facts = self._facts_of(self._refusal)
            self.card.show_facts(self.facts, self._room(self.facts))
            self._place(self.facts)

    def _facts_of(self, refusal: Refusal) -> RefusalFacts:
        facts = refusal_facts(
            refusal,
            fleet=self._model.fleet,
            now=self._model.clock.now(),
            zone=self._model.who.branch.zone,
            saved_at=self._walk_in.saved_at,
            me=self._model.who.name,
            kept=self._kept,
        )
        # Days are chosen before anything is typed: then there is nothing that could be kept.
        return replace(facts, kept="") if self._is_lost_stretch and self._walk_in.form.is_empty else facts

    def _room(self, facts: RefusalFacts) -> int:
        """The wider side beside the refused days, in pixels."""
        target = self._rect_of(facts.refused) if facts.refused is not None else QRect()
        area = self._seen()
        return max(target.left() - area.left(), area.right() - target.right()) if not target.isEmpty() else CARD_WIDTH

    def _place(self, facts: RefusalFacts) -> None:
        target = self._rect_of(facts.refused) if facts.refused is not None else QRect(12, 4, 1, 20)
        clear = [self._rect_of(action.target) for action in facts.actions if action.target is not None]
        self.card.place(target, [rect for rect in clear if not rect.isEmpty()], self._seen())
        self.card.take_focus()

    def is_open(self) -> bool:
        return self.facts is not None

    def close_card(self) -> bool:
        """Close it; False when it was not open."""
        if self.facts is None:
            return False
        self._refusal = None
        self._hide()
        return True

    def _hide(self) -> None:
        self.facts = None
        self.card.hide()
        self.closed.emit()

    def _follow_form(self) -> None:
        """The form is somebody else's by now: the answer that its customer was given is none for them."""
        is_of_form = self.facts is not None and not self._kept and not self._is_lost_stretch
        if is_of_form and self._walk_in.form.order_id != self._order_id:
            self.close_card()

    def give_up(self) -> bool:
        """Close it without an answer, False when it was not open: what was lost before anything was typed is no wish of
        whoever comes next."""
        was_lost = self._is_lost_stretch
        if not self.close_card():
            return False
        if was_lost:
            self._walk_in.begin_empty()
        return True

    def _take(self, chosen: object) -> None:
        if not isinstance(chosen, RefusalAction):
            return
        asked = self._asked()
        match chosen.action.action:
            case "waitlist" if asked is not None:
                whose = self._whose if self._kept else None
                self._hide()
                self.waitlist_wanted.emit(*asked, whose)
            case "other_branch" if asked is not None:
                self._hide()
                self.elsewhere_wanted.emit(*asked)
            case _ if self._is_lost_stretch:
                self.close_card()
                self._offer_stretch(chosen)
            case _ if self._kept:
                self.close_card()
                self.change_wanted.emit(chosen.action)
            case _:
                self.close_card()
                self._walk_in.use(dict(chosen.action.params))
                self.taken.emit()

    def _offer_stretch(self, chosen: RefusalAction) -> None:
        """Unit and days of an offer, as if they had been chosen in the grid."""
        content = self._grid.content
        if content is None or chosen.target is None:
            return
        unit, days = content.unit(chosen.target[0]), chosen.target[1]
        columns = columns_of(content, days)
        if unit is not None and columns is not None:
            first, last = columns
            self.stretch_wanted.emit(
                DayStretch(unit=unit, anchor=first, first=first, last=last, first_day=days.first, last_day=days.last)
            )

    def _asked(self) -> tuple[str, RentalPeriod] | None:
        """What was refused: the SKU and the days."""
        params = self._refusal.params if self._refusal is not None else {}
        sku, first, last = params.get("sku"), params.get("first_day"), params.get("last_day")
        if isinstance(sku, str) and isinstance(first, dt.date) and isinstance(last, dt.date):
            return sku, RentalPeriod(first, last)
        return None

    def _rect_of(self, place: tuple[str, Days]) -> QRect:
        content = self._grid.content
        columns = columns_of(content, place[1]) if content is not None else None
        return self._grid.cell_rect(place[0], *columns) if columns is not None else QRect()
