"""A manager's word for an order of the drawer: asked in place, kept for this order, used when it goes out again."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.desktop.commands import call, command
from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_counter import Offers, WalkInCounter
from app.desktop.screens.walk_in_sent import SentViewModel
from app.domain.errors import Refusal
from app.domain.money import Rupiah
from app.usecases.rows import BookedOrder, BookingRow


class WordViewModel(SentViewModel):
    """`approval_wanted` carries the Refusal that a manager has to lift, `approved` the name of who did."""

    approval_wanted = Signal(object)
    approved = Signal(str)

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        find_order: Callable[[str], BookedOrder | None],
        find_booking: Callable[[str], BookingRow | None],
        new_id: Callable[[], str],
        offers: Offers | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(
            counter,
            clock,
            folder,
            find_order=find_order,
            find_booking=find_booking,
            new_id=new_id,
            offers=offers,
            parent=parent,
        )
        self.wanted_approval: Refusal | None = None
        self._approvals: dict[str, str] = {}

    @command
    async def approve(self, login: str, password: str, reason: str) -> None:
        """A manager's word for what was refused without it; then the order goes out once more."""
        wanted, ask = self.wanted_approval, self.offers.approve
        if wanted is None or ask is None:
            return
        params = wanted.params
        amount, action, thing = params.get("amount"), str(params.get("action")), str(params.get("object"))
        money = Rupiah(amount) if isinstance(amount, int) else None
        given = await call(ask, login, password, action, thing, reason, money)
        self._approvals[self.form.order_id] = given.id
        self.wanted_approval = None
        self.approved.emit(given.approved_by_name)

    @property
    def needs_word(self) -> bool:
        """A discount above this person's own stands in the form, and no manager has agreed to it yet."""
        return (self.form.discount or 0) > self.discount_limit and self.form.order_id not in self._approvals

    def give_up_approval(self) -> None:
        self.wanted_approval = None
        self.changed.emit()

    # --- for the booking ----------------------------------------------------------------------------------------------

    def _want_approval(self, refusal: Refusal) -> None:
        """Ask for a word; the one that was given, if any, did not do."""
        if self.offers.approve is not None:
            self._approvals.pop(self.form.order_id, None)
            self.wanted_approval = refusal
            self.approval_wanted.emit(refusal)
