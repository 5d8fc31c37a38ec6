"""Approvals, the end of paid bookings and down payments as psql may ask for them: a null passes no guard."""

import json
import uuid
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.tx_booking import order_json
from app.adapters.postgres.tx_call import as_json
from app.usecases.rows import BookedOrder
from tests.adapters.postgres.write_rig import WriteRig, march, new_order

WHY = "batal"


@pytest.fixture
def paid(rig: WriteRig) -> BookedOrder:
    rig.open_shift("bayu")
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.pay(booked)
    return booked


def refusal(rig: WriteRig, login: str, statement: str, *parameters: object) -> tuple[str, Any]:
    """The code and field with which this person's own call is refused."""
    with rig.psql(login) as mine, pytest.raises(psycopg.Error) as no:
        mine.execute(statement.encode(), parameters)
    detail = no.value.diag.message_detail
    return str(no.value.diag.message_primary), json.loads(detail).get("field") if detail else None


def test_a_paid_booking_is_ended_by_nothing_less_than_all_that_is_asked(rig: WriteRig, paid: BookedOrder) -> None:
    booking = paid.bookings[0].id
    call = "SELECT sentra.cancel_paid(%s, %s, %s, %s, false, NULL)"
    for given, field in (
        ((None, "cancel_paid", WHY, 1), "booking_id"),
        ((booking, None, WHY, 1), "action"),
        ((booking, "cancel", WHY, 1), "action"),
        ((booking, "expire", WHY, 1), "action"),
        ((booking, "cancel_paid", None, 1), "reason"),
        ((booking, "cancel_paid", " ", 1), "reason"),
        ((booking, "cancel_paid", "\u202e", 1), "reason"),
        ((booking, "cancel_paid", WHY, None), "expected_back"),
    ):
        assert refusal(rig, "rina", call, *given) == ("FIELD_INVALID", field), given
    for back in (0, -1, 1_400_001, 2**62):
        assert refusal(rig, "rina", call, booking, "cancel_paid", WHY, back) == ("PRICE_CHANGED", "expected_back")
    assert refusal(rig, "tono", call, booking, "cancel_paid", WHY, 1) == ("NOT_FOUND", "booking_id")
    assert rig.state_of(booking) == "PAID_APPROVED"
    assert rig.value("SELECT count(*) FROM sentra.refund") == 0
    rig.insist_on_invariants()


def test_an_order_is_held_longer_by_nothing_less_than_a_managers_own_word(rig: WriteRig) -> None:
    booking = rig.book("AVZ-01", first=march(10), last=march(12)).bookings[0].id
    call = "SELECT sentra.hold_longer(%s, %s, %s, %s, false, NULL)"
    word = str(uuid.uuid4())
    for given, told in (
        ((None, 2, WHY, None), ("FIELD_INVALID", "booking_id")),
        ((booking, None, WHY, None), ("FIELD_INVALID", "until_hours")),
        ((booking, 2**31 - 1, WHY, None), ("FIELD_INVALID", "until_hours")),
        ((booking, -(2**31), WHY, None), ("FIELD_INVALID", "until_hours")),
        ((booking, 2, None, None), ("FIELD_INVALID", "reason")),
        ((booking, 2, WHY, None), ("APPROVAL_NEEDED", "approval_id")),
        ((booking, 2, WHY, word), ("APPROVAL_NEEDED", "approval_id")),
    ):
        assert refusal(rig, "rina", call, *given) == told, given
    assert rig.value("SELECT last_action FROM sentra.booking") == "create"


def test_an_approval_is_given_by_nothing_less_than_all_of_it_and_by_nobody_for_another_branch(rig: WriteRig) -> None:
    whole = {
        "id": str(uuid.uuid4()),
        "action": "void",
        "object": "x",
        "reason": WHY,
        "asked_by": "rina",
        "counter": "K1",
        "amount": 5,
    }
    call = "SELECT sentra.approve(%s)"
    for name in ("id", "action", "object", "reason", "asked_by", "counter"):
        left_out = {key: value for key, value in whole.items() if key != name}
        assert refusal(rig, "mega", call, json.dumps(left_out)) == ("FIELD_INVALID", name)
        assert refusal(rig, "mega", call, json.dumps({**whole, name: None})) == ("FIELD_INVALID", name)
    for name, value in (("amount", -1), ("amount", "5"), ("amount", 5.5), ("action", "VOID IT"), ("object", "\u200b")):
        assert refusal(rig, "mega", call, json.dumps({**whole, name: value})) == ("FIELD_INVALID", name)
    assert refusal(rig, "hesti", call, json.dumps(whole)) == ("NOT_ALLOWED", "login")
    assert refusal(rig, "mega", call, json.dumps({**whole, "asked_by": "tono"})) == ("NOT_ALLOWED", "login")
    assert rig.value("SELECT count(*) FROM sentra.approval") == 0


def test_nobody_uses_an_approval_or_parts_an_invoice_by_hand(rig: WriteRig) -> None:
    for login in ("rina", "bayu", "mega", "jaga"):
        for call in (
            "SELECT sentra.use_approval(gen_random_uuid(), 'void', 'x', 1)",
            "SELECT sentra.split_invoice(gen_random_uuid(), gen_random_uuid(), 1, 1)",
            "SELECT sentra.is_approved(NULL)",
        ):
            assert "permission denied" in refusal(rig, login, call)[0]


def test_a_down_payment_is_what_it_says_or_nothing_is_booked(rig: WriteRig) -> None:
    order = new_order(["AVZ-01"], march(10), march(12))
    whole = {**order_json(order), "down_payment": 300_000, "balance_id": str(uuid.uuid4())}
    call = "SELECT sentra.book_with_down_payment(%s)"
    for name, value in (
        *(("down_payment", None), ("down_payment", "300000"), ("down_payment", -1), ("down_payment", 0)),
        *(("down_payment", 269_999), ("down_payment", 900_001), ("balance_id", None), ("balance_id", "x")),
    ):
        assert refusal(rig, "rina", call, as_json({**whole, name: value})) == ("FIELD_INVALID", name), (name, value)
    same = as_json({**whole, "balance_id": whole["invoice_id"]})
    assert refusal(rig, "rina", call, same) == ("DUPLICATE", "invoice_id")
    assert rig.value("SELECT count(*) FROM sentra.booking_order") == 0
    assert rig.taken("AVZ-01") == []


def test_money_for_a_balance_waits_for_the_down_payment_also_past_every_screen(rig: WriteRig) -> None:
    """As a superuser would put the payment in, under a lock that is there."""
    order = new_order(["AVZ-01"], march(10), march(12))
    balance = str(uuid.uuid4())
    with rig.psql("rina") as mine:
        mine.execute(
            b"SELECT sentra.book_with_down_payment(%s)",
            (as_json({**order_json(order), "down_payment": 300_000, "balance_id": balance}),),
        )
    rig.owner.execute(
        "UPDATE sentra.invoice SET locked_by = session_user, locked_until = sentra.now() + interval '1 minute',"
        " lock_token = repeat('x', 40), locked_at = sentra.now(), locked_counter = 'K1', lock_epoch = 1 WHERE id = %s",
        (balance,),
    )
    with pytest.raises(psycopg.Error, match="BOOKING_STATE"):
        rig.owner.execute(
            "INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, attempt_id, lock_epoch, paid_at, counter)"
            " SELECT gen_random_uuid(), id, branch_id, total, 'x', 1, sentra.now(), 'K1' FROM sentra.invoice"
            " WHERE id = %s",
            (balance,),
        )
