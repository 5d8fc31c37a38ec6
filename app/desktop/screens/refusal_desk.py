"""Shows a refused booking on the grid: the card, the outlined alternatives, and what the person takes of them."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, Signal

from app.desktop.announce import announce
from app.desktop.screens.calendar_marks import columns_of
from app.desktop.screens.calendar_viewmodel import CalendarViewModel
from app.desktop.screens.refusal_card import RefusalCard
from app.desktop.screens.refusal_facts import RefusalAction, RefusalFacts, refusal_facts
from app.desktop.screens.walk_in_viewmodel import WalkInViewModel
from app.desktop.widgets.month_grid import MonthGrid
from app.domain.days import Days
from app.domain.errors import Refusal


class RefusalDesk(QObject):
    """`opened` before the card is placed (make room then), `closed` after it went, `taken` when an action was chosen.

    `facts` is what the open card says; None while it is closed.
    """

    opened = Signal()
    closed = Signal()
    taken = Signal()

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
        self.card = RefusalCard(grid.viewport())
        self.card.chosen.connect(self._take)
        self.card.closed.connect(self.close_card)
        walk_in.days_taken.connect(self.show)

    def show(self, refusal: object) -> None:
        """Say who has the days and what else there is; nothing that was typed is touched."""
        if not isinstance(refusal, Refusal) or self._grid.content is None:
            return
        self._refusal = refusal
        facts = self._facts_of(refusal)
        self.facts = facts
        self.card.show_facts(facts)
        if facts.refused is not None and facts.days is not None:
            self._model.show_day(facts.days.first)
            columns = columns_of(self._grid.content, facts.days)
            if columns is not None:
                self._grid.go_to(facts.refused[0], columns[0])
        self.opened.emit()
        self._place(facts)
        announce(self._grid, self.card.accessibleName(), assertive=True)
        # The names of whoever was faster.
        self._model.reread()

    def retranslate(self) -> None:
        """The language changed while the card is open: the same card in the new words."""
        if self.facts is not None and self._refusal is not None:
            self.facts = self._facts_of(self._refusal)
            self.card.show_facts(self.facts)
            self._place(self.facts)

    def _facts_of(self, refusal: Refusal) -> RefusalFacts:
        return refusal_facts(
            refusal,
            fleet=self._model.fleet,
            now=self._model.clock.now(),
            zone=self._model.who.branch.zone,
            saved_at=self._walk_in.saved_at,
            me=self._model.who.name,
        )

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
        self.facts = None
        self.card.hide()
        self.closed.emit()
        return True

    def _take(self, chosen: object) -> None:
        if isinstance(chosen, RefusalAction):
            self.close_card()
            self._walk_in.use(dict(chosen.action.params))
            self.taken.emit()

    def _rect_of(self, place: tuple[str, Days]) -> QRect:
        content = self._grid.content
        columns = columns_of(content, place[1]) if content is not None else None
        return self._grid.cell_rect(place[0], *columns) if columns is not None else QRect()
