"""Tenders that are not recorded yet, kept on this PC: a card that was charged outlives the lock, the window, the PC."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from app.desktop.screens.settlement_tendering import METHODS, Slip, Tendering
from app.desktop.screens.walk_in_draft import Draft, DraftStore
from app.domain.money import Rupiah
from app.domain.tender import MAX_AMOUNT, MAX_TENDERS, MAX_TEXT, Tender, TenderKind

FORM = "settlement"


class KeptTenders:
    """One file per invoice and person in the drafts' folder. A damaged one reads as none and is left where it is."""

    def __init__(self, folder: Path, login: str) -> None:
        self._folder, self._login = folder, login

    def load(self, invoice_id: str) -> tuple[str, Tendering] | None:
        """The attempt that was begun, and its tenders."""
        draft = self._store(invoice_id).load()
        if draft is None or not (attempt := _text(draft.fields.get("attempt_id"))):
            return None
        return attempt, _tendering(draft.fields)

    def save(self, invoice_id: str, attempt_id: str, tendering: Tendering, saved_at: dt.datetime) -> bool:
        """Written before it answers; False when the disk refuses."""
        fields: dict[str, object] = {
            "attempt_id": attempt_id,
            "method": tendering.method.value,
            "received": tendering.received,
            "slips": {kind.value: asdict(slip) for kind, slip in tendering.slips.items()},
            "parts": [_part_fields(part) for part in tendering.parts],
        }
        return self._store(invoice_id).save(Draft(fields=fields, saved_at=saved_at))

    def discard(self, invoice_id: str) -> None:
        self._store(invoice_id).discard()

    def _store(self, invoice_id: str) -> DraftStore:
        return DraftStore(self._folder, self._login, form=f"{FORM}-{invoice_id}")


_PART_TEXTS = ("bank", "last4", "approval_code", "reference", "sender")


def _part_fields(part: Tender) -> dict[str, object]:
    return {
        "kind": part.kind.value,
        "amount": part.amount,
        "verified": part.verified,
        **{name: getattr(part, name) for name in _PART_TEXTS},
    }


def _tendering(fields: Mapping[str, object]) -> Tendering:
    method = _kind(fields.get("method"))
    slips, parts = fields.get("slips"), fields.get("parts")
    return Tendering(
        method=method if method in METHODS else TenderKind.CASH,
        received=_rupiah(fields.get("received")),
        slips={
            kind: _slip(found)
            for name, found in (slips.items() if isinstance(slips, Mapping) else ())
            if (kind := _kind(name)) in METHODS and isinstance(found, Mapping)
        },
        parts=tuple(
            part
            for found in (parts[:MAX_TENDERS] if isinstance(parts, list) else ())
            if isinstance(found, Mapping) and (part := _part(found)) is not None
        ),
    )


def _slip(found: Mapping[str, object]) -> Slip:
    return Slip(
        amount=_rupiah(found.get("amount")),
        bank=_text(found.get("bank")),
        last4=_text(found.get("last4")),
        code=_text(found.get("code")),
        reference=_text(found.get("reference")),
        sender=_text(found.get("sender")),
        is_seen=found.get("is_seen") is True,
    )


def _part(found: Mapping[str, object]) -> Tender | None:
    kind, amount = _kind(found.get("kind")), _rupiah(found.get("amount"))
    if kind not in METHODS or not amount:
        return None
    texts = {name: _text(found.get(name)) or None for name in _PART_TEXTS}
    return Tender(
        kind=kind,
        amount=amount,
        bank=texts["bank"],
        last4=texts["last4"],
        approval_code=texts["approval_code"],
        reference=texts["reference"],
        sender=texts["sender"],
        verified=found.get("verified") is not False,
    )


def _kind(name: object) -> TenderKind:
    try:
        return TenderKind(str(name))
    except ValueError:
        return TenderKind.GATEWAY  # none of METHODS: left out


def _text(value: object) -> str:
    return value[:MAX_TEXT] if isinstance(value, str) else ""


def _rupiah(value: object) -> Rupiah | None:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return Rupiah(value) if is_whole and isinstance(value, int) and 0 <= value <= MAX_AMOUNT else None
