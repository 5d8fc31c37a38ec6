"""Forms of the register that were begun: on this PC until they are saved or thrown away, one file for each window."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from app.desktop.screens.customers_form import Typed, typed_of
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_slot import DraftSlot

FORM = "customers"


class BegunForms:
    """By the id of whom they are about, the newest last. Two windows of one person share no file; what windows that are
    gone left behind is taken over."""

    def __init__(self, folder: Path, staff: str) -> None:
        self._folder, self._staff = folder, staff
        self._slot = DraftSlot(folder, staff, FORM)
        self._store = DraftStore(folder, staff, self._slot.number, FORM)
        self._forms = _read(self._store)
        self._take_over()

    def __bool__(self) -> bool:
        return bool(self._forms)

    def find(self, id_: str) -> Typed | None:
        return self._forms.get(id_)

    def newest(self) -> Typed | None:
        return next(reversed(self._forms.values()), None)

    def put(self, typed: Typed) -> None:
        """In front; on the disk after the next `write`."""
        self.drop(typed.id)
        self._forms[typed.id] = typed

    def drop(self, id_: str) -> None:
        self._forms.pop(id_, None)

    def write(self, day: dt.date) -> bool:
        """All of them to the disk; False when it refuses."""
        if not self._forms:
            self._store.discard()
            return True
        forms = [typed.plain() for typed in self._forms.values()]
        noon = dt.datetime.combine(day, dt.time(12), dt.UTC)
        return self._store.save(Draft(fields={"forms": forms}, saved_at=noon))

    def release(self) -> None:
        """This window ends: whoever comes next may take its files over."""
        self._slot.release()

    def _take_over(self) -> None:
        """First into this window's file, then out of the dead one's. One over the same card stays there until it is
        this window's turn no more: neither is written over the other."""
        for number in self._slot.others():
            with self._slot.borrowed(number) as is_dead:
                theirs = DraftStore(self._folder, self._staff, number, FORM)
                left = _read(theirs) if is_dead else {}
                if not left or left.keys() & self._forms.keys():
                    continue
                self._forms = {**left, **self._forms}
                if self.write(dt.date.min):
                    theirs.discard()


def _read(store: DraftStore) -> dict[str, Typed]:
    draft = store.load()
    forms = draft.fields.get("forms") if draft is not None else None
    found = [typed for value in (forms if isinstance(forms, list) else ()) if (typed := typed_of(value)) is not None]
    return {typed.id: typed for typed in found}
