"""Approvals and the end of paid bookings by their names on the command line."""

import datetime as dt
from typing import Any

import pytest

from app.admin_do import do
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import START, World, days, password_of, refused
from tests.usecases.change_rig import DEPOSIT, RATE, paid

pytest_plugins = ("tests.support.world_fixtures",)


def said(found: object) -> dict[str, Any]:
    assert isinstance(found, dict)
    return found


def test_a_paid_booking_is_shown_and_ended_by_name_from_json_to_json(world: World) -> None:
    booking = {"booking_id": paid(world, days("2027-03-10", "2027-03-12"))}
    ayu = world.counter("ayu")
    shown = said(do(ayu, "cancellation_effect", booking))
    assert (shown["back"], shown["percent"], shown["fee"]) == (3 * RATE + DEPOSIT, 100, 0)
    with pytest.raises(Refusal) as no:
        world.counter("rahmat").bookings.ending_facts(booking["booking_id"])
    refused(no.value, RefusalCode.NOT_FOUND, "booking_id")
    beside = said(do(ayu, "ending_facts", booking))
    assert (beside["state"], beside["unit_count"], beside["paid_by"]) == ("PAID_APPROVED", 1, ["CASH"])
    assert beside["pickup_at"] == "2027-03-10T01:00:00+00:00"

    ended = said(do(ayu, "cancel_paid", {**booking, "reason": "batal", "expected_back": shown["back"]}))

    assert (ended["state"], ended["back"]) == ("CANCELLED", shown["back"])
    assert {item["kind"]: item["amount"] for item in ended["refunds"]} == {"RENT": 3 * RATE, "DEPOSIT": DEPOSIT}
    assert ended["freed"][0]["days"] == {"first": "2027-03-10", "last": "2027-03-12"}


def test_a_no_show_by_name(world: World) -> None:
    booking = {"booking_id": paid(world, days("2027-03-01", "2027-03-02"))}
    world.stand(START + dt.timedelta(hours=2))
    ayu = world.counter("ayu")
    shown = said(do(ayu, "cancellation_effect", {**booking, "no_show": True}))
    ended = said(do(ayu, "no_show", {**booking, "reason": "tidak datang", "expected_back": shown["back"]}))
    assert (ended["fee"], ended["percent"]) == (RATE, None)


def test_a_managers_word_is_given_and_used_by_name(world: World) -> None:
    siti = world.counter("siti")
    booking = world.book(siti, days("2027-03-10")).bookings[0].id
    wish = {"booking_id": booking, "until_hours": 2, "reason": "transfer"}
    with pytest.raises(Refusal) as no:
        do(siti, "hold_longer", wish)
    refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")
    asked = {"login": "maya", "password": password_of("maya"), "action": "hold_longer", "object": f"{booking}:2"}
    word = said(do(siti, "approve", {**asked, "reason": "transfer"}))
    held = said(do(siti, "hold_longer", {**wish, "approval_id": word["id"]}))
    assert held["payment_deadline"] == (world.now() + dt.timedelta(hours=2)).isoformat()
