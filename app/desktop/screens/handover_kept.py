"""Hand-overs and returns kept on this PC: each change is on the disk at once, and what is finished waits to be sent."""

import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from app.desktop.screens.handover_form import HandoverForm
from app.desktop.screens.handover_form_fields import from_fields, to_fields
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.domain.errors import Refusal, RefusalCode
from app.domain.inspection import Inspection, InspectionKind
from app.usecases.rows_handovers import GateOverride, HandedBooking, HandingOver

log = logging.getLogger(__name__)

FORM = "handover"


class HandoverDesk(Protocol):
    """The part of `Handovers` that sends a finished form."""

    def check_out(
        self,
        booking_id: str,
        inspection: Inspection,
        *,
        override: GateOverride | None = None,
        handing_over: HandingOver | None = None,
    ) -> HandedBooking: ...

    def check_in(self, booking_id: str, inspection: Inspection) -> HandedBooking: ...


class KeptHandovers:
    """One file per person and window. Of a booking one form each way is kept; a damaged one is left out and logged."""

    def __init__(self, folder: Path, login: str, slot: int = 1) -> None:
        self._store = DraftStore(folder, login, slot, FORM)
        self.saved_at: dt.datetime | None = None
        self._forms = self._read()

    @property
    def path(self) -> Path:
        return self._store.path

    def all(self) -> tuple[HandoverForm, ...]:
        return self._forms

    def waiting(self) -> tuple[HandoverForm, ...]:
        """Finished and not answered yet, the oldest first: their units are not free, nor let out, until they are."""
        return tuple(form for form in self._forms if form.is_finished)

    def find(self, booking_id: str, kind: InspectionKind) -> HandoverForm | None:
        return next((form for form in self._forms if _key(form) == (booking_id, kind)), None)

    def begin(self, booking_id: str, kind: InspectionKind, make: Callable[[], HandoverForm]) -> HandoverForm:
        """The form that was begun before, with its ids; a new one (not kept before its first change) otherwise."""
        return self.find(booking_id, kind) or make()

    def put(self, form: HandoverForm, at: dt.datetime) -> bool:
        """In the place of what was kept of it. False, and nothing changes, when it is finished or the disk refuses."""
        before = self.find(*_key(form))
        if before is not None and before.is_finished:
            return False
        return self._change((*(kept for kept in self._forms if kept is not before), form), at)

    def finish(self, form: HandoverForm, at: dt.datetime) -> bool:
        """From now on it waits to be sent as it is. ValueError while something is missing."""
        if missing := form.missing():
            raise ValueError(f"not complete: {', '.join(missing)}")
        return self.put(replace(form, finished_at=at), at)

    def reopen(self, booking_id: str, kind: InspectionKind) -> None:
        """The server said no to it: a form to be mended again, under the same ids, since nothing was written."""
        form = self.find(booking_id, kind)
        if form is not None:
            open_again = replace(form, finished_at=None)
            self._change(tuple(open_again if kept is form else kept for kept in self._forms), self.saved_at)

    def remove(self, booking_id: str, kind: InspectionKind) -> None:
        """The server has it, or it is thrown away."""
        self._change(tuple(kept for kept in self._forms if _key(kept) != (booking_id, kind)), self.saved_at)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _read(self) -> tuple[HandoverForm, ...]:
        draft = self._store.load()
        found = draft.fields.get("forms") if draft is not None else None
        if draft is None or not isinstance(found, list):
            return ()
        self.saved_at = draft.saved_at
        forms: list[HandoverForm] = []
        for item in found:
            try:
                forms.append(from_fields(dict(item)))
            except (TypeError, ValueError) as problem:
                log.warning("a kept hand-over could not be read: %s", type(problem).__name__)
        return tuple(forms)

    def _change(self, forms: tuple[HandoverForm, ...], at: dt.datetime | None) -> bool:
        if not forms:
            self._forms = ()
            self._store.discard()
            return True
        if at is None or not self._store.save(Draft(fields={"forms": [to_fields(one) for one in forms]}, saved_at=at)):
            return False
        self._forms, self.saved_at = forms, at
        return True


def send(desk: HandoverDesk, form: HandoverForm) -> HandedBooking:
    """Send a finished form under its own ids; as often as need be, it happened once. The answer may be a Refusal."""
    if form.kind is InspectionKind.IN:
        return desk.check_in(form.booking_id, form.inspection())
    return desk.check_out(
        form.booking_id, form.inspection(), override=form.override(), handing_over=form.handing_over()
    )


def send_waiting(desk: HandoverDesk, kept: KeptHandovers) -> tuple[HandedBooking | Refusal, ...]:
    """Send what waits, the oldest first, until the server is away again; what each came to.

    What was written is kept no longer. What was refused is open again, its Refusal among the answers.
    """
    answers: list[HandedBooking | Refusal] = []
    for form in kept.waiting():
        try:
            answers.append(send(desk, form))
        except Refusal as no:
            answers.append(no)
            if no.code is RefusalCode.UNREACHABLE:
                break
            kept.reopen(*_key(form))
            continue
        kept.remove(*_key(form))
    return tuple(answers)


def _key(form: HandoverForm) -> tuple[str, InspectionKind]:
    return form.booking_id, form.kind
