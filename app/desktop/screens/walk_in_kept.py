"""Forms put aside for somebody who is served first: kept on this PC until the newer one is booked or emptied."""

import datetime as dt
import logging
from pathlib import Path

from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import WalkInForm

log = logging.getLogger(__name__)

FORM = "walk_in_kept"


class KeptForms:
    """A pile: the newest comes back first. Every change is on the disk before it is answered."""

    def __init__(self, folder: Path, staff: str) -> None:
        self._store = DraftStore(folder, staff, FORM)
        self._forms = self._read()

    def __len__(self) -> int:
        return len(self._forms)

    def newest(self) -> WalkInForm | None:
        return self._forms[-1] if self._forms else None

    def put(self, form: WalkInForm, at: dt.datetime) -> None:
        self._forms = (*self._forms, form)
        self._write(at)

    def take(self, at: dt.datetime) -> WalkInForm | None:
        """The newest one, no longer kept here; None when there is none."""
        form = self.newest()
        if form is not None:
            self._forms = self._forms[:-1]
            self._write(at)
        return form

    def _read(self) -> tuple[WalkInForm, ...]:
        draft = self._store.load()
        found = draft.fields.get("forms") if draft is not None else None
        if not isinstance(found, list):
            return ()
        forms: list[WalkInForm] = []
        for item in found:
            try:
                forms.append(WalkInForm.from_fields(dict(item)))
            except (TypeError, ValueError) as problem:
                log.warning("a kept draft could not be read: %s", type(problem).__name__)
        return tuple(forms)

    def _write(self, at: dt.datetime) -> None:
        if self._forms:
            self._store.save(Draft(fields={"forms": [form.to_fields() for form in self._forms]}, saved_at=at))
        else:
            self._store.discard()
