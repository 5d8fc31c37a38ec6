"""A drawer's count while it is typed, kept on this PC: a power cut or a lost line costs nothing of it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.domain.cash_count import MAX_PIECES, PIECES
from app.domain.tender import MAX_AMOUNT

FORM = "shift_count"
MAX_SLIPS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCount:
    """`count_id` names the count once it goes out, so that its answer may be lost; `is_locked`: it was answered."""

    shift_id: str
    count_id: str
    pieces: Mapping[int, int] = field(default_factory=dict)
    edc_slips: int = 0
    edc_total: int = 0
    is_locked: bool = False

    def with_fields(self, **fields: object) -> "KeptCount":
        return replace(self, **fields)  # type: ignore[arg-type]


class CountKept:
    """One file per person in the drafts' folder; a damaged one reads as none."""

    def __init__(self, folder: Path, login: str) -> None:
        self._store = DraftStore(folder, login, form=FORM)

    @property
    def path(self) -> Path:
        return self._store.path

    def load(self) -> KeptCount | None:
        draft = self._store.load()
        return None if draft is None else _count_of(draft.fields)

    def save(self, count: KeptCount, saved_at: dt.datetime) -> bool:
        """Written before it answers; False when the disk refuses."""
        fields = {
            "shift_id": count.shift_id,
            "count_id": count.count_id,
            "pieces": {str(piece): number for piece, number in count.pieces.items()},
            "edc_slips": count.edc_slips,
            "edc_total": count.edc_total,
            "is_locked": count.is_locked,
        }
        return self._store.save(Draft(fields=fields, saved_at=saved_at))

    def discard(self) -> None:
        self._store.discard()


def drafts_of(folder: Path, login: str) -> tuple[str, ...]:
    """Names of the person's drafts on this PC beside the count itself."""
    own = f"{FORM}-{login}-"
    return tuple(sorted(path.stem for path in folder.glob(f"*-{login}-*.json") if not path.name.startswith(own)))


def _count_of(fields: Mapping[str, object]) -> KeptCount | None:
    pieces = fields.get("pieces")
    if not isinstance(pieces, Mapping):
        return None
    whole = {str(piece): _whole(number, MAX_PIECES) for piece, number in pieces.items()}
    return KeptCount(
        shift_id=str(fields.get("shift_id", "")),
        count_id=str(fields.get("count_id", "")),
        pieces={piece: whole[str(piece)] for piece in PIECES if whole.get(str(piece))},
        edc_slips=_whole(fields.get("edc_slips"), MAX_SLIPS),
        edc_total=_whole(fields.get("edc_total"), int(MAX_AMOUNT)),
        is_locked=fields.get("is_locked") is True,
    )


def _whole(number: object, most: int) -> int:
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most else 0
