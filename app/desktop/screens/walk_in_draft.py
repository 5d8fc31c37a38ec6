"""What was typed in the walk-in drawer, kept on this PC so that a power cut costs nothing."""

import datetime as dt
import json
import logging
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.desktop.draft_box import DraftBox

log = logging.getLogger(__name__)

VERSION = 3
READ_VERSIONS = (1, 2, 3)
"""1: a customer, one unit, days. 2: papers of a new customer, several units, extras and what is agreed on.
3: numbers of papers are sealed, and the hours of branches that count by them."""
FORM = "walk_in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The fields of one form as plain values, and when they were saved by the server's clock."""

    fields: Mapping[str, object]
    saved_at: dt.datetime


class DraftStore:
    """One file per form, person and window (`slot`): `{"v", "form", "staff", "fields", "saved_at"}`, replaced whole.

    `folder` is the drafts' own. A damaged file, or one of a newer version, reads as no draft and is left where it is.
    Numbers of papers are sealed in it (`DraftBox` says against whom); one that an older version wrote in clear is
    written anew as soon as it is read. It goes with the booking.
    """

    def __init__(self, folder: Path, staff: str, slot: int = 1, form: str = FORM) -> None:
        self._staff = staff
        self._form = form
        self._box = DraftBox(folder)
        self.path = folder / f"{form}-{staff}-{slot}.json"

    def load(self) -> Draft | None:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if found["v"] not in READ_VERSIONS or found["form"] != self._form or found["staff"] != self._staff:
                return None
            saved_at = dt.datetime.fromisoformat(found["saved_at"])
            if saved_at.tzinfo is None:
                return None
            fields = dict(found["fields"])
            draft = Draft(fields=self._box.opened(fields), saved_at=saved_at)
            if found["v"] < VERSION and self._box.has_secret(fields):
                self.save(draft)
            return draft
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError) as problem:
            log.warning("the draft could not be read: %s", type(problem).__name__)
            return None

    def save(self, draft: Draft) -> bool:
        """Write it to the disk before answering; False (and a log line) when the disk refuses."""
        text = json.dumps(
            {
                "v": VERSION,
                "form": self._form,
                "staff": self._staff,
                "fields": self._box.sealed(draft.fields),
                "saved_at": draft.saved_at.isoformat(),
            },
            ensure_ascii=False,
        )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except OSError as problem:
            log.warning("the draft was not written: %s", problem.strerror)
            return False
        return True

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
