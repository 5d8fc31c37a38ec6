"""What is looked at when a unit goes out and comes back: templates, photo angles, readings, damage, signatures."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import invalid

MAX_ODOMETER = 999_999
EIGHTHS, PERCENT = 8, 100
MAX_KM_PER_DAY = 1_500
"""More than this is asked about, not refused."""
MAX_DAMAGES = 60
MAX_PHOTOS = 120
MAX_NOTE = 200
MAX_PHOTO_BYTES = 1_500_000
"""A JPEG of 1600 px at quality 80 is a fifth of it; the database refuses more."""
MAX_PHOTO_SIDE = 4_096
CANVAS = 1_000
"""Marks are placed on a drawing of 1000 by 1000."""


class Template(StrEnum):
    """What kind of thing a SKU is to an inspector."""

    CAR = "CAR"
    EV = "EV"
    MOTORCYCLE = "MOTORCYCLE"
    EQUIPMENT = "EQUIPMENT"


class InspectionKind(StrEnum):
    OUT = "OUT"
    IN = "IN"


class Angle(StrEnum):
    """Where a photo was taken from; the same angle out and in stand side by side."""

    FRONT = "FRONT"
    REAR = "REAR"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    INTERIOR = "INTERIOR"
    DASHBOARD = "DASHBOARD"
    TRUNK = "TRUNK"
    PLATE = "PLATE"
    WHOLE = "WHOLE"
    ACCESSORIES = "ACCESSORIES"
    METER = "METER"
    SERIAL = "SERIAL"
    DAMAGE = "DAMAGE"
    SIGNATURE = "SIGNATURE"


class View(StrEnum):
    """The sides of the drawing that damage is marked on."""

    FRONT = "FRONT"
    REAR = "REAR"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    TOP = "TOP"
    INSIDE = "INSIDE"


class DamageType(StrEnum):
    SCRATCH = "SCRATCH"
    DENT = "DENT"
    CRACK = "CRACK"
    BROKEN = "BROKEN"
    MISSING = "MISSING"
    STAIN = "STAIN"


class Severity(StrEnum):
    LIGHT = "LIGHT"
    MEDIUM = "MEDIUM"
    HEAVY = "HEAVY"


_A = Angle
_VEHICLE = (_A.FRONT, _A.REAR, _A.LEFT, _A.RIGHT, _A.INTERIOR, _A.DASHBOARD, _A.TRUNK, _A.PLATE)
REQUIRED_ANGLES: Mapping[Template, tuple[Angle, ...]] = {
    Template.CAR: _VEHICLE,
    Template.EV: _VEHICLE,
    Template.MOTORCYCLE: (_A.FRONT, _A.REAR, _A.LEFT, _A.RIGHT, _A.DASHBOARD, _A.PLATE),
    Template.EQUIPMENT: (_A.WHOLE, _A.ACCESSORIES, _A.METER, _A.SERIAL),
}
"""In the order in which they are taken on a walk around the unit."""

CHECKLISTS: Mapping[Template, tuple[str, ...]] = {
    Template.CAR: ("stnk", "keys", "spare_wheel", "jack", "lights", "wipers", "air_conditioner", "tyres"),
    Template.EV: ("stnk", "keys", "charging_cable", "spare_wheel", "lights", "wipers", "air_conditioner", "tyres"),
    Template.MOTORCYCLE: ("stnk", "keys", "helmets", "raincoat", "lights", "brakes", "tyres"),
    Template.EQUIPMENT: ("case", "power", "accessories", "manual", "works"),
}
"""Codes of the lines; what they are called is the screen's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of the checklist that was looked at. A line that is not here was not."""

    item: str
    good: bool
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageMark:
    """A mark on the drawing, made once and carried with the unit from then on. `id` is the client's UUID."""

    id: str
    view: View
    x: int
    y: int
    type: DamageType
    severity: Severity
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoPromise:
    """A photo that belongs to an inspection; its bytes may follow later. `sha256` is theirs, in hex."""

    id: str
    angle: Angle
    sha256: str
    damage_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The customer signed (a photo of angle SIGNATURE shows it), or refused before a witness who is named."""

    signed: bool
    witness: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """One look at one unit. `id` is the client's UUID: sent again, it answers the same. `done_at` is the true time.

    `fuel` is in eighths, of an electric unit in percent. Equipment has `hours` of its meter instead of an odometer, and
    how many `accessories` were counted.
    """

    id: str
    done_at: dt.datetime
    odometer: int | None = None
    fuel: int | None = None
    hours: int | None = None
    accessories: int | None = None
    checks: tuple[Check, ...] = ()
    damages: tuple[DamageMark, ...] = ()
    photos: tuple[PhotoPromise, ...] = ()
    signature: Signature | None = None
    note: str = ""


def fuel_scale(template: Template) -> int | None:
    """The full tank's reading; None for what has none."""
    return {Template.EV: PERCENT, Template.EQUIPMENT: None}.get(template, EIGHTHS)


def missing_parts(inspection: Inspection, template: Template) -> tuple[str, ...]:
    """What a complete inspection lacks yet, as `odometer`, `photos.REAR`, `checks.jack`, `damages.2.photo`."""
    found = []
    if template is Template.EQUIPMENT:
        found += [name for name in ("hours", "accessories") if getattr(inspection, name) is None]
    else:
        found += [name for name in ("odometer", "fuel") if getattr(inspection, name) is None]
    seen = {check.item for check in inspection.checks}
    found += [f"checks.{item}" for item in CHECKLISTS[template] if item not in seen]
    angles = {photo.angle for photo in inspection.photos}
    found += [f"photos.{angle.value}" for angle in REQUIRED_ANGLES[template] if angle not in angles]
    shown = {photo.damage_id for photo in inspection.photos}
    found += [f"damages.{number}.photo" for number, mark in enumerate(inspection.damages, 1) if mark.id not in shown]
    signature = inspection.signature
    if signature is not None and signature.signed and Angle.SIGNATURE not in angles:
        found.append("signature")
    return tuple(found)


def check_inspection(inspection: Inspection, template: Template, before: Inspection | None = None) -> None:
    """Refuse what no inspection can say. `before` is the unit's look at check-out: it never runs backwards."""
    _check_number("odometer", inspection.odometer, MAX_ODOMETER)
    _check_number("hours", inspection.hours, MAX_ODOMETER)
    _check_number("accessories", inspection.accessories, 999)
    scale = fuel_scale(template)
    if inspection.fuel is not None and scale is None:
        raise invalid("fuel", "not_needed_here")
    _check_number("fuel", inspection.fuel, scale or 0)
    if before is not None:
        for field in ("odometer", "hours"):
            now, then = getattr(inspection, field), getattr(before, field)
            if now is not None and then is not None and now < then:
                raise invalid(field, "below_the_last", given=now, least=then)
    _check_checks(inspection.checks)
    if len(inspection.damages) > MAX_DAMAGES:
        raise invalid("damages", "count", least=0, most=MAX_DAMAGES, given=len(inspection.damages))
    for number, mark in enumerate(inspection.damages):
        for axis in (mark.x, mark.y):
            if not 0 <= axis <= CANVAS:
                raise invalid(f"damages[{number}]", "out_of_range", least=0, most=CANVAS, given=axis)
        _check_note(f"damages[{number}].note", mark.note)
    if len(inspection.photos) > MAX_PHOTOS:
        raise invalid("photos", "count", least=0, most=MAX_PHOTOS, given=len(inspection.photos))
    if inspection.signature is not None:
        check_signature(inspection.signature)


def check_signature(signature: Signature) -> None:
    """A refused signature needs a witness and a reason; a given one needs neither."""
    if signature.signed:
        return
    for field, text in (("witness", signature.witness), ("reason", signature.reason)):
        if not any(sign.isalnum() for sign in text):
            raise invalid(f"signature.{field}", "empty")
        _check_note(f"signature.{field}", text)


def is_far(driven: int, days: int) -> bool:
    """More than 1,500 km a day: asked about before it is taken."""
    return driven > MAX_KM_PER_DAY * max(1, days)


def _check_checks(checks: Sequence[Check]) -> None:
    seen: set[str] = set()
    for number, check in enumerate(checks):
        if not 1 <= len(check.item) <= 40 or not check.item.isprintable():
            raise invalid(f"checks[{number}].item", "not_a_code")
        if check.item in seen:
            raise invalid(f"checks[{number}].item", "twice", given=check.item)
        seen.add(check.item)
        _check_note(f"checks[{number}].note", check.note)
    if len(checks) > 60:
        raise invalid("checks", "count", least=0, most=60, given=len(checks))


def _check_number(field: str, number: int | None, most: int) -> None:
    if number is not None and not 0 <= number <= most:
        raise invalid(field, "out_of_range", least=0, most=most, given=number)


def _check_note(field: str, text: str) -> None:
    if len(text) > MAX_NOTE:
        raise invalid(field, "too_long", length=len(text), most=MAX_NOTE)
    if not text.isprintable():
        raise invalid(field, "control_characters")
