"""Drafts of windows that are gone, moved into the files of one that lives."""

import logging
from pathlib import Path

from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.desktop.screens.walk_in_form import WalkInForm
from app.desktop.screens.walk_in_form_fields import from_fields
from app.desktop.screens.walk_in_kept import KeptForms
from app.desktop.screens.walk_in_slot import DraftSlot

log = logging.getLogger(__name__)


def form_of(draft: Draft | None) -> WalkInForm | None:
    """The form of a draft's fields; None when there is none or it is damaged."""
    try:
        return from_fields(draft.fields) if draft is not None else None
    except ValueError as problem:
        log.warning("the draft's fields could not be read: %s", problem)
        return None


def adopt_drafts(folder: Path, staff: str, slot: DraftSlot, kept: KeptForms, known: str) -> None:
    """Put every draft of a dead window on the pile; `known` is the order this window already shows.

    A window that lives keeps its own. First into this window's files, then out of the dead one's: a kill between the
    two shows a draft twice, never not at all.
    """
    for number in slot.others():
        with slot.borrowed(number) as is_dead:
            if is_dead:
                _adopt(DraftStore(folder, staff, number), KeptForms(folder, staff, number), kept, known)


def _adopt(store: DraftStore, pile: KeptForms, kept: KeptForms, known: str) -> None:
    at = pile.saved_at
    if pile.all() and at is not None and all(kept.put(form, at) for form in pile.all()):
        pile.discard()
    draft = store.load()
    form = form_of(draft)
    if draft is not None and form is not None and (form.order_id == known or kept.put(form, draft.saved_at)):
        store.discard()
