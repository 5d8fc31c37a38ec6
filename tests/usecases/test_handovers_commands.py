"""Out and back from the command line: one rental's whole way in plain JSON, as its people."""

import base64
import datetime as dt
import hashlib
import json

import pytest

from app.admin_do import do
from app.domain.errors import Refusal
from app.domain.inspection import CHECKLISTS, REQUIRED_ANGLES, Template
from tests.support.world import AVANZA, START, World, days
from tests.usecases.change_rig import paid
from tests.usecases.handover_rig import pass_gate, picture

pytest_plugins = ("tests.support.world_fixtures",)

SIGNATURE = {"signed": False, "witness": "Dedi", "reason": "di tablet"}


def look(**change: object) -> dict[str, object]:
    whole: dict[str, object] = {
        "odometer": 1_000,
        "fuel": 8,
        "checks": [{"item": item, "good": True} for item in CHECKLISTS[Template.CAR]],
        "photos": [
            {"angle": angle.value, "sha256": hashlib.sha256(picture(angle.value)).hexdigest()}
            for angle in REQUIRED_ANGLES[Template.CAR]
        ],
        "signature": SIGNATURE,
    }
    return whole | change


def test_a_rental_goes_its_whole_way_by_commands(world: World) -> None:
    mine = paid(world, days("2027-03-01", "2027-03-03"))
    pass_gate(world, mine)

    def run(login: str, name: str, **given: object) -> dict[str, object]:
        answer = do(world.counter(login), name, given)
        json.dumps(answer)  # plain values only
        assert isinstance(answer, dict)
        return answer

    run("maya", "set_charge_terms", sku="TOY-AVNZ-G", fuel_rate=50_000)
    assert run("dedi", "charge_terms", sku="TOY-AVNZ-G")["fuel_rate"] == 50_000
    sent = run("dedi", "check_out", booking_id=mine, inspection=look(), hand_over={"signature": SIGNATURE})
    assert sent["state"] == "ACTIVE_RENTAL"
    basis = run("dedi", "handover_basis", booking_id=mine)
    inspections = basis["inspections"]
    assert isinstance(inspections, list)
    front = next(photo for photo in inspections[0]["photos"] if photo["promise"]["angle"] == "FRONT")
    content = base64.b64encode(picture("FRONT")).decode()
    stored = run("dedi", "save_photo", photo_id=front["promise"]["id"], content_base64=content)
    assert stored == {"already": False}
    assert run("dedi", "photo", photo_id=front["promise"]["id"]) == {"content_base64": content}
    assert run("dedi", "rental_of", unit_id=AVANZA)["booking_id"] == mine
    world.stand(START + dt.timedelta(days=2))
    assert run("dedi", "check_in", booking_id=mine, inspection=look(fuel=6))["state"] == "RETURNED_PENDING_CHECK"
    (left,) = world.rows("SELECT id::text FROM sentra.collateral WHERE booking_id = %s", mine)
    assert run("dedi", "return_collateral", collateral_id=left[0])["state"] == "RETURNED"
    seen = [{"kind": "CLEANING", "text": "Cuci jok", "unit_price": 75_000}]
    quoted = run("dedi", "quote_charges", booking_id=mine, charges=seen)
    assert (quoted["accepted"], quoted["contested"]) == (175_000, 0)
    asked = run("dedi", "dispute", booking_id=mine, charges=seen)
    assert (asked["state"], asked["deposit_left"]) == ("DISPUTED", 500_000)
    done = run("budi", "settle_charges", booking_id=mine)
    refunds = done["refunds"]
    assert isinstance(refunds, list)
    assert (done["state"], [item["amount"] for item in refunds]) == ("COMPLETED", [325_000])
    fine = run("budi", "post_rental_fine", booking_id=mine, text="Tilang elektronik", amount=75_000)
    to_pay = fine["to_pay"]
    assert isinstance(to_pay, list)
    assert [item["total"] for item in to_pay] == [75_000]


@pytest.mark.parametrize(
    ("name", "given", "field"),
    [
        ("check_out", {"booking_id": "x", "inspection": {}}, "booking_id"),
        ("check_out", {"booking_id": "x"}, "inspection"),
        ("check_out", {"booking_id": "x", "inspection": {"odometer": "1"}}, "inspection.odometer"),
        ("check_out", {"booking_id": "x", "inspection": {"done_at": "kemarin"}}, "inspection.done_at"),
        ("check_in", {"booking_id": "x", "inspection": {"done_at": "2027-03-01T09:00"}}, "inspection.done_at"),
        ("check_in", {"booking_id": "x", "inspection": {"photos": [{"angle": "UP"}]}}, "inspection.photos[0].angle"),
        ("check_in", {"booking_id": "x", "inspection": {"wheels": 4}}, "inspection.wheels"),
        ("dispute", {"booking_id": "x", "charges": [{"kind": "RENT"}]}, "charges[0].kind"),
        ("close_charge", {"charge_id": "x", "outcome": "HALF", "reason": "a"}, "outcome"),
        ("take_collateral", {"booking_id": "x", "kind": "GOLD", "place": "Laci"}, "kind"),
        ("save_photo", {"photo_id": "x", "content_base64": "%%%"}, "content_base64"),
        ("hand_over", {"booking_id": "x", "hand_over": {"signature": {"pen": 1}}}, "hand_over.signature.pen"),
    ],
)
def test_a_wrong_field_of_a_command_is_refused_by_its_name(
    shared_world: World, name: str, given: dict[str, object], field: str
) -> None:
    with pytest.raises(Refusal) as no:
        do(shared_world.counter("maya"), name, given)
    assert no.value.field == field
