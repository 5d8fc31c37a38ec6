"""A hand-over's form as plain values for the disk, and back; what does not read is left out, never guessed."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TypeVar

from app.desktop.screens.handover_form import HandoverForm
from app.domain.inspection import (
    Angle,
    Check,
    DamageMark,
    DamageType,
    InspectionKind,
    PhotoPromise,
    Severity,
    Signature,
    Template,
    View,
)

T = TypeVar("T")
_TIMES = ("true_at", "finished_at")


def to_fields(form: HandoverForm) -> dict[str, object]:
    """Only what JSON knows."""
    fields = asdict(form)
    for name in _TIMES:
        at = getattr(form, name)
        fields[name] = None if at is None else at.isoformat()
    return fields


def from_fields(fields: Mapping[str, object]) -> HandoverForm:
    """Raises ValueError when the form's own ids, its kind or a time do not read: such a form must not be sent."""
    booking_id, inspection_id, handing_id = (
        _text(fields, f"{name}_id") for name in ("booking", "inspection", "handing")
    )
    if not (booking_id and inspection_id and handing_id):
        raise ValueError("a form without its ids")
    return HandoverForm(
        booking_id=booking_id,
        inspection_id=inspection_id,
        handing_id=handing_id,
        kind=InspectionKind(_text(fields, "kind")),
        template=Template(_text(fields, "template")),
        odometer=_number(fields.get("odometer")),
        fuel=_number(fields.get("fuel")),
        hours=_number(fields.get("hours")),
        accessories=_number(fields.get("accessories")),
        checks=_each(fields.get("checks"), _check),
        damages=_each(fields.get("damages"), _damage),
        photos=_each(fields.get("photos"), _photo),
        signature=_signature(fields.get("signature")),
        note=_text(fields, "note"),
        hands_over=fields.get("hands_over") is not False,
        override_reason=_text(fields, "override_reason"),
        approval_id=_text(fields, "approval_id") or None,
        true_at=_time(fields.get("true_at")),
        finished_at=_time(fields.get("finished_at")),
    )


def _each(found: object, read: Callable[[Mapping[str, object]], T | None]) -> tuple[T, ...]:
    items = found if isinstance(found, list | tuple) else ()
    read_items = (read(item) for item in items if isinstance(item, Mapping))
    return tuple(item for item in read_items if item is not None)


def _check(item: Mapping[str, object]) -> Check | None:
    good, name = item.get("good"), _text(item, "item")
    return Check(item=name, good=good, note=_text(item, "note")) if name and isinstance(good, bool) else None


def _damage(item: Mapping[str, object]) -> DamageMark | None:
    x, y, id_ = _number(item.get("x")), _number(item.get("y")), _text(item, "id")
    if x is None or y is None or not id_:
        return None
    return DamageMark(
        id=id_,
        view=View(_text(item, "view")),
        x=x,
        y=y,
        type=DamageType(_text(item, "type")),
        severity=Severity(_text(item, "severity")),
        note=_text(item, "note"),
    )


def _photo(item: Mapping[str, object]) -> PhotoPromise | None:
    id_, sha256 = _text(item, "id"), _text(item, "sha256")
    if not id_ or len(sha256) != 64:
        return None
    damage_id = _text(item, "damage_id") or None
    return PhotoPromise(id=id_, angle=Angle(_text(item, "angle")), sha256=sha256, damage_id=damage_id)


def _signature(found: object) -> Signature | None:
    if not isinstance(found, Mapping) or not isinstance(found.get("signed"), bool):
        return None
    return Signature(signed=found["signed"], witness=_text(found, "witness"), reason=_text(found, "reason"))


def _text(fields: Mapping[str, object], name: str) -> str:
    found = fields.get(name)
    return found if isinstance(found, str) else ""


def _number(found: object) -> int | None:
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def _time(found: object) -> dt.datetime | None:
    if found is None:
        return None
    at = dt.datetime.fromisoformat(str(found))
    if at.tzinfo is None:
        raise ValueError("a time without its zone")
    return at
