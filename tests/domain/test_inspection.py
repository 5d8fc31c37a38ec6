"""Inspections: what a complete one has, what none can say, and the true times of a rental."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.domain.gate import GateLine, GateName, gate_open, licence_reason
from app.domain.handover import true_time
from app.domain.inspection import (
    CHECKLISTS,
    REQUIRED_ANGLES,
    Angle,
    Check,
    DamageMark,
    DamageType,
    Inspection,
    PhotoPromise,
    Severity,
    Signature,
    Template,
    View,
    check_inspection,
    is_far,
    missing_parts,
)
from app.domain.money import Rupiah

NOW = dt.datetime(2027, 3, 10, 2, tzinfo=dt.UTC)
MARK = DamageMark(id="d1", view=View.LEFT, x=120, y=500, type=DamageType.SCRATCH, severity=Severity.LIGHT)
SHOT = PhotoPromise(id="p", angle=Angle.DAMAGE, sha256="0" * 64)


def complete(template: Template = Template.CAR) -> Inspection:
    """Everything looked at, photographed and signed."""
    numbers: dict[str, Any] = (
        {"hours": 120, "accessories": 4} if template is Template.EQUIPMENT else {"odometer": 45_210, "fuel": 6}
    )
    angles = (*REQUIRED_ANGLES[template], Angle.SIGNATURE)
    return Inspection(
        id="i",
        done_at=NOW,
        checks=tuple(Check(item=item, good=True) for item in CHECKLISTS[template]),
        photos=tuple(replace(SHOT, id=str(n), angle=angle) for n, angle in enumerate(angles)),
        signature=Signature(signed=True),
        **numbers,
    )


@pytest.mark.parametrize("template", list(Template))
def test_a_complete_inspection_of_each_kind_lacks_nothing(template: Template) -> None:
    assert missing_parts(complete(template), template) == ()
    check_inspection(complete(template), template, complete(template))


def test_an_empty_inspection_names_all_that_is_missing() -> None:
    missing = missing_parts(Inspection(id="i", done_at=NOW), Template.CAR)

    assert missing[:2] == ("odometer", "fuel")
    assert "checks.jack" in missing
    assert missing[-8:] == tuple(f"photos.{angle.value}" for angle in REQUIRED_ANGLES[Template.CAR])


def test_a_new_damage_without_a_photo_and_a_signature_without_its_picture_are_missing() -> None:
    whole = complete()
    unsigned = replace(whole, photos=whole.photos[:-1], damages=(MARK,))

    assert missing_parts(unsigned, Template.CAR) == ("damages.1.photo", "signature")
    shown = replace(unsigned, photos=(*whole.photos, replace(SHOT, id="9", damage_id="d1")))
    assert missing_parts(shown, Template.CAR) == ()


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"odometer": 45_209}, "odometer", "below_the_last"),
        ({"odometer": 1_000_000}, "odometer", "out_of_range"),
        ({"fuel": 9}, "fuel", "out_of_range"),
        ({"fuel": -1}, "fuel", "out_of_range"),
        ({"checks": (Check(item="jack", good=True),) * 2}, "checks[1].item", "twice"),
        ({"damages": (replace(MARK, x=1_001),)}, "damages[0]", "out_of_range"),
        ({"damages": (replace(MARK, note="a" * 201),)}, "damages[0].note", "too_long"),
        ({"signature": Signature(signed=False, reason="buru-buru")}, "signature.witness", "empty"),
        ({"signature": Signature(signed=False, witness="Dedi")}, "signature.reason", "empty"),
    ],
)
def test_what_no_inspection_can_say_is_refused_naming_the_field(
    change: dict[str, Any], field: str, reason: str
) -> None:
    with pytest.raises(Refusal) as no:
        check_inspection(replace(complete(), **change), Template.CAR, complete())

    assert (no.value.code, no.value.field, no.value.params["reason"]) == (RefusalCode.FIELD_INVALID, field, reason)


def test_an_electric_unit_reads_percent_and_equipment_no_fuel_at_all() -> None:
    check_inspection(replace(complete(), fuel=100), Template.EV)
    with pytest.raises(Refusal):
        check_inspection(replace(complete(Template.EQUIPMENT), fuel=1), Template.EQUIPMENT)


def test_more_than_1500_km_a_day_is_asked_about() -> None:
    assert [is_far(driven, 2) for driven in (3_000, 3_001)] == [False, True]


def test_a_step_entered_later_keeps_its_true_time() -> None:
    earlier = NOW - dt.timedelta(hours=3)

    assert true_time(earlier, after=NOW - dt.timedelta(hours=4), now=NOW, field="at") == earlier
    assert true_time(None, after=earlier, now=NOW, field="at") == NOW
    assert true_time(NOW + dt.timedelta(seconds=90), after=None, now=NOW, field="at") == NOW


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        (NOW + dt.timedelta(minutes=3), "in_the_future"),
        (NOW - dt.timedelta(hours=5), "before_the_last_step"),
        (NOW.replace(tzinfo=None), "not_a_moment"),
    ],
)
def test_a_time_in_the_future_or_before_the_last_step_is_refused(at: dt.datetime, reason: str) -> None:
    with pytest.raises(Refusal) as no:
        true_time(at, after=NOW - dt.timedelta(hours=4), now=NOW, field="done_at")

    assert (no.value.field, no.value.params["reason"]) == ("done_at", reason)


@pytest.mark.parametrize(
    ("needed", "on_file", "expires", "reason"),
    [
        (True, True, dt.date(2027, 3, 12), None),
        (True, True, dt.date(2027, 3, 11), "expired"),
        (True, True, None, "missing"),
        (True, False, dt.date(2030, 1, 1), "missing"),
        (False, False, None, None),
    ],
)
def test_a_licence_must_be_valid_to_the_last_day_unless_a_driver_comes_along(
    needed: bool, on_file: bool, expires: dt.date | None, reason: str | None
) -> None:
    last = dt.date(2027, 3, 12)
    assert licence_reason(needed=needed, on_file=on_file, expires_on=expires, last_day=last) == reason


def test_an_open_gate_names_each_line_with_the_step_that_closes_it() -> None:
    lines = [
        GateLine(name=GateName.MONEY, reason="unpaid", amount=Rupiah(550_000), invoice_id="i1"),
        GateLine(name=GateName.UNIT, reason="maintenance"),
    ]

    no = gate_open(lines, "b1")
    assert [(item.action, item.params) for item in no.next] == [
        ("open_invoice", {"invoice_id": "i1"}),
        ("swap_unit", {"booking_id": "b1"}),
    ]
    assert no.params["lines"] == [
        {"line": "MONEY", "reason": "unpaid", "amount": 550_000, "may_be_overridden": True},
        {"line": "UNIT", "reason": "maintenance", "amount": 0, "may_be_overridden": False},
    ]
