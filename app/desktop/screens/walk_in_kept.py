"""Forms put aside for somebody who is served first: kept on this PC until the newer one is booked or emptied."""

import datetime as dt
import logging
from dataclasses import replace
from pathlib import Path

from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields, to_fields

log = logging.getLogger(__name__)

FORM = "walk_in_kept"


class KeptForms:
    """A pile: the newest comes back first. Every change is on the disk before it is answered.

    A form thrown away while its order's answer was missing lies here too, unseen (`is_given_up`), until it is known.
    """

    def __init__(self, folder: Path, staff: str, slot: int) -> None:
        self._store = DraftStore(folder, staff, slot, FORM)
        self.saved_at: dt.datetime | None = None
        self._forms = self._read()

    def __len__(self) -> int:
        return len(self.offered())

    def all(self) -> tuple[WalkInForm, ...]:
        return self._forms

    def newest(self) -> WalkInForm | None:
        offered = self.offered()
        return offered[-1] if offered else None

    def sent(self) -> tuple[WalkInForm, ...]:
        """Those whose order's answer is missing."""
        return tuple(form for form in self._forms if form.was_sent)

    def find(self, order_id: str) -> WalkInForm | None:
        return next((form for form in self._forms if form.order_id == order_id), None)

    def put(self, form: WalkInForm, at: dt.datetime) -> bool:
        """On top of the pile; one of the same order is replaced. False, and nothing is put, when the disk refuses."""
        before = self._forms, self.saved_at
        self._forms = (*(kept for kept in self._forms if kept.order_id != form.order_id), form)
        if self._write(at):
            return True
        self._forms, self.saved_at = before
        return False

    def take(self, at: dt.datetime) -> WalkInForm | None:
        """The newest one, no longer kept here; None when there is none."""
        form = self.newest()
        if form is not None:
            self.remove(form.order_id, at)
        return form

    def remove(self, order_id: str, at: dt.datetime | None = None) -> None:
        if self.find(order_id) is not None:
            self._forms = tuple(form for form in self._forms if form.order_id != order_id)
            self._write(at)

    def note_not_written(self, order_id: str, new_id: str = "") -> None:
        """Its order was not written: a draft again (under `new_id` when given), or gone when it was thrown away."""
        form = self.find(order_id)
        if form is None:
            return
        if form.is_given_up:
            self.remove(order_id)
            return
        new = replace(form, was_sent=False)
        if new_id:
            new = replace(new, order_id=new_id, sent_content="")
        self._forms = tuple(new if kept is form else kept for kept in self._forms)
        self._write()

    def discard(self) -> None:
        """Its drafts lie elsewhere now."""
        self._forms = ()
        self._store.discard()

    def offered(self) -> tuple[WalkInForm, ...]:
        """Those that can be gone on with, the oldest first."""
        return tuple(form for form in self._forms if not form.is_given_up)

    def _read(self) -> tuple[WalkInForm, ...]:
        draft = self._store.load()
        found = draft.fields.get("forms") if draft is not None else None
        if draft is None or not isinstance(found, list):
            return ()
        self.saved_at = draft.saved_at
        forms: list[WalkInForm] = []
        for item in found:
            try:
                forms.append(from_fields(dict(item)))
            except (TypeError, ValueError) as problem:
                log.warning("a kept draft could not be read: %s", type(problem).__name__)
        return tuple(forms)

    def _write(self, at: dt.datetime | None = None) -> bool:
        """Without `at` the time of the last writing stays."""
        self.saved_at = at or self.saved_at
        if not self._forms or self.saved_at is None:
            self._store.discard()
            return True
        fields = {"forms": [to_fields(form) for form in self._forms]}
        return self._store.save(Draft(fields=fields, saved_at=self.saved_at))
