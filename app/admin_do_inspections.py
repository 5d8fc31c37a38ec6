"""Inspections, hand-overs and charges out of the JSON of `sentra-admin do`, each wrong field named."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import TypeVar

from app.bootstrap import Counter
from app.domain.charges import Charge, ChargeKind
from app.domain.days import parse_day
from app.domain.errors import invalid
from app.domain.inspection import (
    Angle,
    Check,
    DamageMark,
    DamageType,
    Inspection,
    PhotoPromise,
    Severity,
    Signature,
    View,
)
from app.domain.money import Rupiah
from app.json_values import Fields
from app.usecases.rows_handovers import HandingOver, UnitRepair

E = TypeVar("E", bound=StrEnum)
_INSPECTION = {
    *("id", "done_at", "odometer", "fuel", "hours", "accessories", "checks", "damages", "photos", "signature", "note"),
}
_CHARGE = {"kind", "text", "quantity", "unit_price", "contested", "reason"}


def chosen(kinds: type[E], given: Fields, name: str) -> E:
    try:
        return kinds(given.text(name))
    except ValueError:
        raise invalid(given.name(name), "not_valid", known=[kind.value for kind in kinds]) from None


def whole_or_none(given: Fields, name: str) -> int | None:
    return given.whole(name) if given.has(name) else None


def _moment(given: Fields, name: str) -> dt.datetime:
    try:
        found = dt.datetime.fromisoformat(given.text(name))
    except ValueError:
        raise invalid(given.name(name), "not_a_moment") from None
    if found.tzinfo is None:
        raise invalid(given.name(name), "not_a_moment")
    return found


def _photos(counter: Counter, given: Fields) -> tuple[PhotoPromise, ...]:
    found = []
    for item in given.objects("photos") if given.has("photos") else ():
        item.only({"id", "angle", "sha256", "damage_id"})
        found.append(
            PhotoPromise(
                id=item.text_or_none("id") or counter.new_id(),
                angle=chosen(Angle, item, "angle"),
                sha256=item.text("sha256"),
                damage_id=item.text_or_none("damage_id"),
            )
        )
    return tuple(found)


def _signature(given: Fields) -> Signature:
    given.only({"signed", "witness", "reason"})
    return Signature(
        signed=given.flag("signed"),
        witness=given.text_or_none("witness") or "",
        reason=given.text_or_none("reason") or "",
    )


def _damage(counter: Counter, given: Fields) -> DamageMark:
    given.only({"id", "view", "x", "y", "type", "severity", "note"})
    return DamageMark(
        id=given.text_or_none("id") or counter.new_id(),
        view=chosen(View, given, "view"),
        x=given.whole("x"),
        y=given.whole("y"),
        type=chosen(DamageType, given, "type"),
        severity=chosen(Severity, given, "severity"),
        note=given.text_or_none("note") or "",
    )


def inspection(counter: Counter, given: Fields) -> Inspection:
    """Without an id and a time it is a new one of now."""
    given.only(_INSPECTION)
    checks = given.objects("checks") if given.has("checks") else []
    for item in checks:
        item.only({"item", "good", "note"})
    return Inspection(
        id=given.text_or_none("id") or counter.new_id(),
        done_at=_moment(given, "done_at") if given.has("done_at") else counter.store.read.now(),
        odometer=whole_or_none(given, "odometer"),
        fuel=whole_or_none(given, "fuel"),
        hours=whole_or_none(given, "hours"),
        accessories=whole_or_none(given, "accessories"),
        checks=tuple(
            Check(item=item.text("item"), good=item.flag("good"), note=item.text_or_none("note") or "")
            for item in checks
        ),
        damages=tuple(_damage(counter, item) for item in (given.objects("damages") if given.has("damages") else ())),
        photos=_photos(counter, given),
        signature=_signature(given.object("signature")) if given.has("signature") else None,
        note=given.text_or_none("note") or "",
    )


def handing(counter: Counter, given: Fields) -> HandingOver:
    given.only({"id", "at", "signature", "photos"})
    return HandingOver(
        id=given.text_or_none("id") or counter.new_id(),
        signature=_signature(given.object("signature")),
        at=_moment(given, "at") if given.has("at") else None,
        photos=_photos(counter, given),
    )


def repair(counter: Counter, given: Fields) -> UnitRepair | None:
    if not given.has("maintenance"):
        return None
    inner = given.object("maintenance")
    inner.only({"id", "last_day", "reason"})
    return UnitRepair(
        id=inner.text_or_none("id") or counter.new_id(),
        last_day=parse_day(inner.text("last_day"), inner.name("last_day")),
        reason=inner.text("reason"),
    )


def charges(given: Fields) -> tuple[Charge, ...]:
    found = []
    for item in given.objects("charges") if given.has("charges") else ():
        item.only(_CHARGE)
        found.append(
            Charge(
                kind=chosen(ChargeKind, item, "kind"),
                text=item.text("text"),
                quantity=item.whole("quantity") if item.has("quantity") else 1,
                unit_price=Rupiah(item.whole("unit_price")),
                contested=item.flag("contested"),
                reason=item.text_or_none("reason") or "",
            )
        )
    return tuple(found)
