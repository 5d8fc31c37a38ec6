"""Steps out and back as psql may ask for them: a null passes no guard, a made-up line no rule, no table a row."""

import json
import uuid
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.tx_call import as_json
from tests.adapters.postgres.write_rig import WriteRig, march

A_UUID = str(uuid.UUID(int=7))
SHAPES: tuple[object, ...] = (*(None, [], "x", {}, {"booking_id": None}, {"booking_id": 7}, {"id": "x", "sku": 1}),)
JSON_STEPS = {  # whose step, and what it must name first
    **dict.fromkeys(("check_out", "hand_over", "check_in", "replace_unit", "dispute", "add_charges"), "gilang"),
    "release_unit": "gilang",
    "not_returned": "mega",
    "close_charge": "mega",
    "hold_back": "mega",
    "post_rental_fine": "bayu",
    "take_collateral": "rina",
    "set_charge_terms": "mega",
}
PLAIN_STEPS: list[tuple[str, str, tuple[object, ...]]] = [
    ("gilang", "SELECT sentra.recall(%s, 'batal', false, NULL)", (None,)),
    ("gilang", "SELECT sentra.recall(%s, NULL, false, NULL)", (A_UUID,)),
    ("gilang", "SELECT sentra.clear(%s, false, NULL)", (None,)),
    ("bayu", "SELECT sentra.settle_charges(%s, 'K1', false, NULL)", (None,)),
    ("bayu", "SELECT sentra.settle_charges(%s, NULL, false, NULL)", (A_UUID,)),
    ("bayu", "SELECT sentra.settle_from_deposit(%s, NULL)", (A_UUID,)),
    ("bayu", "SELECT sentra.contest_charge(%s, NULL)", (A_UUID,)),
    ("rina", "SELECT sentra.end_collateral(%s, NULL, '')", (A_UUID,)),
    ("rina", "SELECT sentra.end_collateral(%s, true, '')", (A_UUID,)),
    ("rina", "SELECT sentra.save_photo(%s, NULL)", (A_UUID,)),
]
NOBODYS: list[tuple[str, str, tuple[object, ...]]] = [
    ("bayu", "SELECT sentra.settle_from_deposit(%s, 'K1')", (A_UUID,)),
    ("bayu", "SELECT sentra.contest_charge(%s, 'bukan saya')", (A_UUID,)),
    ("rina", "SELECT sentra.end_collateral(%s, false, '')", (A_UUID,)),
    ("rina", "SELECT sentra.save_photo(%s, '\\x01')", (A_UUID,)),
    ("rina", "SELECT sentra.photo_content(%s)", (A_UUID,)),
    ("mega", "SELECT sentra.release_hold(%s)", (A_UUID,)),
    ("gilang", "SELECT sentra.repair_damage(%s)", (A_UUID,)),
    ("gilang", "SELECT sentra.clear(%s, true, NULL)", (A_UUID,)),
]


def refusal(rig: WriteRig, login: str, statement: str, *parameters: object) -> tuple[str, Any]:
    """The code and field with which this person's own call is refused."""
    with rig.psql(login) as mine, pytest.raises(psycopg.Error) as no:
        mine.execute(statement.encode(), parameters)
    detail = no.value.diag.message_detail
    return str(no.value.diag.message_primary), json.loads(detail).get("field") if detail else None


def test_no_step_takes_a_null_a_wrong_shape_or_somebody_elses_row(rig: WriteRig) -> None:
    """Each in one database: whatever is sent, nothing is written."""
    rig.open_shift("bayu")
    booked = rig.book("AVZ-01", first=march(1), last=march(3))
    rig.pay(booked)
    booking = booked.bookings[0].id
    before = rig.value("SELECT count(*) FROM sentra.audit")
    told: list[tuple[object, ...]] = []
    for name, login in JSON_STEPS.items():
        for given in SHAPES:
            value = None if given is None else as_json(given)
            code, field = refusal(rig, login, f"SELECT sentra.{name}(%s)", value)
            if code != "FIELD_INVALID" or field is None:
                told.append((name, given, code, field))
    for login, statement, parameters in PLAIN_STEPS:
        code, field = refusal(rig, login, statement, *parameters)
        if code != "FIELD_INVALID" or field is None:
            told.append((statement, code, field))
    for login, statement, parameters in NOBODYS:
        code, field = refusal(rig, login, statement, *parameters)
        if code != "NOT_FOUND" or field is None:
            told.append((statement, code, field))
    assert told == []
    look = {"id": A_UUID, "done_at": "2027-03-01T02:00:00Z", "checks": [], "damages": [], "photos": []}
    for change, field in (
        ({"odometer": -1}, "odometer"),
        ({"odometer": "1"}, "inspection.odometer"),
        ({"fuel": 9}, "fuel"),
        ({"photos": [{"id": A_UUID, "angle": "front", "sha256": "0" * 64}]}, "photos"),
        ({"damages": [{"id": A_UUID, "view": "UP", "x": 1, "y": 1, "type": "DENT", "severity": "LIGHT"}]}, "damages"),
        ({"signature": {"signed": False}}, "signature.witness"),
        ({"done_at": "2027-03-01T05:00:00Z"}, "done_at"),
        ({"done_at": "2026-03-01T02:00:00Z"}, "done_at"),
    ):
        asked = as_json({"booking_id": booking, "inspection": look | change, "override": {"reason": "tetap jalan"}})
        assert refusal(rig, "mega", "SELECT sentra.check_out(%s)", asked) == ("FIELD_INVALID", field), change
    whole = as_json({"booking_id": booking, "inspection": look})
    assert refusal(rig, "gilang", "SELECT sentra.check_out(%s)", whole) == ("GATE_OPEN", "booking_id")
    assert refusal(rig, "hesti", "SELECT sentra.check_out(%s)", whole) == ("NOT_FOUND", "booking_id")
    assert rig.value("SELECT count(*) FROM sentra.audit") == before
    assert rig.state_of(booking) == "PAID_APPROVED"
    rig.insist_on_invariants()


def test_a_deposit_pays_only_its_own_charges_whoever_inserts_it(rig: WriteRig) -> None:
    """The net below the functions: a tender of a deposit on any other invoice is refused at the row."""
    rig.open_shift("bayu")
    booked = rig.book("AVZ-01", first=march(1), last=march(3))
    rig.pay(booked)
    with pytest.raises(psycopg.Error) as no:
        rig.owner.execute(
            "INSERT INTO sentra.tender (payment_id, line_no, branch_id, kind, amount, received)"
            " SELECT id, 2, branch_id, 'DEPOSIT', 1, 1 FROM sentra.payment"
        )
    assert no.value.diag.message_primary == "AMOUNT_MISMATCH"
    for table in ("inspection", "handover", "photo", "photo_bytes"):
        with pytest.raises(psycopg.errors.RestrictViolation):
            rig.owner.execute(f"TRUNCATE sentra.{table} CASCADE".encode())
