"""The form of one drawer and its drafts: written at each change, put aside, taken up, restored after a kill."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.desktop.screens.calendar_clock import ServerClock
from app.desktop.screens.walk_in_adopt import adopt_drafts, form_of
from app.desktop.screens.walk_in_counter import Offers, WalkInCounter
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import Stage, WalkInForm
from app.desktop.screens.walk_in_form_fields import to_fields
from app.desktop.screens.walk_in_kept import KeptForms
from app.desktop.screens.walk_in_slot import DraftSlot
from app.desktop.viewmodel import ViewModel
from app.domain.booking import TRANSITIONS, Action
from app.domain.days import local_day
from app.domain.errors import Refusal
from app.domain.pricing import Quote
from app.usecases.rows import FleetUnit

QUOTE_MS = 120
SAVE_MS = 150


class DraftViewModel(ViewModel):
    """The form of one drawer. Whatever happens (refusal, closing, a kill), it stays: on screen and in its file.

    `quote_changed` with a new price, `draft_saved` after a write, `parked` with the name of who was put aside,
    `not_parked` when the disk would not keep it.
    """

    quote_changed = Signal()
    draft_saved = Signal()
    parked = Signal(str)
    not_parked = Signal()

    def __init__(
        self,
        counter: WalkInCounter,
        clock: ServerClock,
        folder: Path,
        *,
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
        offers: Offers | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bookings = counter.bookings
        self._customers = counter.customers
        self.who = counter.who
        self.offers = offers or Offers()
        self.clock = clock
        self._new_id = new_id
        self._folder = folder
        self._slot = DraftSlot(folder, counter.who.login)
        self._drafts = DraftStore(folder, counter.who.login, self._slot.number)
        self._kept = KeptForms(folder, counter.who.login, self._slot.number)
        self.sending: WalkInForm | None = None
        self.stage = Stage.FORM
        self.form = WalkInForm(order_id=new_id())
        self.fleet: tuple[FleetUnit, ...] = ()
        self.quote: Quote | None = None
        self.refusal: Refusal | None = None
        self.saved_at: dt.datetime | None = None
        self.is_online = True
        self._quote_wait = self._single(QUOTE_MS, self._quote_now)
        self._save_wait = self._single(SAVE_MS, self.save_draft)
        self._restore()

    @property
    def has_draft(self) -> bool:
        """Something worth offering was typed and is not booked yet."""
        return self.draft() is not None

    @property
    def draft_count(self) -> int:
        """How many are typed and not booked: the form's own, and those put aside."""
        return len(self._kept) + int(self.is_typed and not self.is_sending)

    def draft(self) -> WalkInForm | None:
        """The draft that would be gone on with: the form, else the newest one put aside."""
        return self.form if self.is_typed and not self.is_sending else self._kept.newest()

    def begin_empty(self) -> None:
        """An empty form gets an id of its own: the one before was somebody's who asked and went."""
        if self.stage is Stage.FORM and self.form.is_empty:
            self.form = replace(self.form, order_id=self._new_id())

    @property
    def may_book(self) -> bool:
        """Whoever is logged in may make bookings."""
        return bool(self.who.roles & TRANSITIONS[None, Action.CREATE].roles)

    @property
    def is_sending(self) -> bool:
        """This form is being held right now: nothing in it can be changed until the answer is there."""
        return self.sending is not None and self.sending.order_id == self.form.order_id

    def put_aside(self) -> bool:
        """An empty form; the draft waits until the new one is booked or emptied, a sent one for its answer.

        False, and the form stays where it is, when the disk refuses to keep it aside.
        """
        if self.is_typed and not self._kept.put(self.form, self.clock.now()):
            self.not_parked.emit()
            return False
        self._save_wait.stop()
        self._drafts.discard()
        self.saved_at = None
        self._back_to_form(WalkInForm(order_id=self._new_id()))
        return True

    def park(self) -> None:
        """F4: the next customer first. Today for a day, as after opening; nothing typed, nothing put aside."""
        if self.stage is Stage.FORM and self.is_typed and not self.is_sending:
            name = self.form.typed_name
            if self.put_aside():
                self.changed.emit()
                self.parked.emit(name)

    def kept_forms(self) -> tuple[WalkInForm, ...]:
        """Those put aside, the newest first."""
        return self._kept.offered()[::-1]

    def take_up(self, order_id: str) -> None:
        """Shift+F4: go on with one of those; what stands in the form waits in its place."""
        form = self._kept.find(order_id)
        if form is None or form.is_given_up:
            return
        if not self.put_aside():
            return
        draft = Draft(fields=to_fields(form), saved_at=self.clock.now())
        # First into its own file, then out of the pile: a kill between the two shows it twice, never not at all.
        if self._drafts.save(draft):
            self.saved_at = draft.saved_at
            self._kept.remove(order_id, draft.saved_at)
        self._back_to_form(form)

    def today(self) -> dt.date:
        return local_day(self.clock.now(), self.who.branch.zone)

    def save_draft(self) -> None:
        """Write the form to the disk now."""
        self._save_wait.stop()
        if self.is_closed or not self.clock.is_set() or self.stage is not Stage.FORM:
            return
        if self.form.is_empty:
            self._drafts.discard()
            self.saved_at = None
            self.draft_saved.emit()
            return
        draft = Draft(fields=to_fields(self.form), saved_at=self.clock.now())
        if self._drafts.save(draft):
            self.saved_at = draft.saved_at
            self.draft_saved.emit()

    def close(self) -> None:
        if self._save_wait.isActive():
            self.save_draft()
        super().close()
        self._slot.release()

    @property
    def is_typed(self) -> bool:
        """Something worth keeping stands in the form itself."""
        return self.stage is Stage.FORM and not self.form.is_empty

    def _back_to_form(self, form: WalkInForm | None = None) -> None:
        """Show this form, or after an ended booking the next one; an open form stays."""
        if form is None and self.stage is Stage.FORM:
            return
        self.stage = Stage.FORM
        self.form = form if form is not None else self._next_form()
        self.quote, self.refusal = None, None
        self._quote_wait.start()
        self.changed.emit()

    def _next_form(self) -> WalkInForm:
        """The newest draft that was put aside, as the current one; else an empty form."""
        kept = self._kept.newest() if self.clock.is_set() else None
        if kept is None:
            self.saved_at = None
            return WalkInForm(order_id=self._new_id())
        at = self.clock.now()
        if self._into_own_file(kept, at):
            self.saved_at = at
        return kept

    def _into_own_file(self, kept: WalkInForm, at: dt.datetime) -> bool:
        """First into its own file, then out of the pile: a kill between the two shows it twice, never not at all."""
        is_saved = self._drafts.save(Draft(fields=to_fields(kept), saved_at=at))
        if is_saved:
            self._kept.take(at)
        return is_saved

    def _single(self, milliseconds: int, run: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(run)
        return timer

    def _restore(self) -> None:
        """This window's own draft, and those of windows that are gone; with none of its own, the newest of those."""
        draft = self._drafts.load()
        form = form_of(draft)
        if draft is not None and form is not None:
            self.form, self.saved_at = form, draft.saved_at
        adopt_drafts(self._folder, self.who.login, self._slot, self._kept, self.form.order_id)
        kept, at = self._kept.newest(), self._kept.saved_at
        if form is None and kept is not None and at is not None:
            self.form, self.saved_at = kept, at
            self._into_own_file(kept, at)
        if self.saved_at is not None:
            self._quote_wait.start()

    def _set(self, form: WalkInForm, *, priced: bool = False) -> None:
        if form == self.form or self.stage is not Stage.FORM:
            # What is booked is finished: a field that is left late must not bring its draft back.
            return
        if self.is_sending:
            self.changed.emit()
            return
        self.form = form
        self.refusal = None
        if not self._save_wait.isActive():
            self._save_wait.start()
        if priced:
            self._quote_wait.start()
        self.changed.emit()

    def _quote_now(self) -> None:
        """Ask for the price; whoever prices does."""
