"""Late money is answered once: kept as its customer's credit, or explained with a manager's word."""

from __future__ import annotations

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.domain.gateway import GatewayStatus
from app.domain.money import Rupiah
from app.usecases.gateway import NoticeOutcome
from app.usecases.rows_gateway import LateState
from tests.support.at_once import at_once
from tests.support.world import World, password_of
from tests.usecases.test_gateway_orders import scene
from tests.usecases.test_gateway_strange import _booked, _says, _told

pytest_plugins = ("tests.support.world_fixtures",)

WHY = "dibayar dua kali"


def test_a_second_payment_becomes_credit_once_and_money_that_went_back_is_explained_by_a_manager(world: World) -> None:
    at = scene(world)
    booked = _booked(at, 0)
    name, total = at.qris(booked), booked.total
    paid = GatewayStatus.PAID
    assert at.desk.notice(_says(at, _told(name, "one", paid, "settlement", total))) is NoticeOutcome.BOOKED
    for second in ("two", "three"):
        at.port.other[second] = _told(name, second, paid, "settlement", total)
        assert at.desk.notice(at.port.other[second]) is NoticeOutcome.LATE_MONEY
    at.port.other["two"] = _told(name, "two", GatewayStatus.REFUNDED, "partial_refund", total, back=100_000)
    assert at.desk.notice(at.port.other["two"]) is NoticeOutcome.GIVEN_BACK
    tasks = at.siti.gateway.late_money()
    assert sorted((row.reason.value, row.amount) for row in tasks) == [
        ("GIVEN_BACK", 100_000),
        ("SECOND_PAYMENT", total),
        ("SECOND_PAYMENT", total),
    ]
    of_two = world.value(
        "SELECT id::text FROM sentra.late_money WHERE transaction_id = 'two' AND reason = 'SECOND_PAYMENT'"
    )
    seconds = [row for row in tasks if row.reason.value == "SECOND_PAYMENT"]
    lessened, whole = sorted(seconds, key=lambda row: row.id != of_two)
    back = next(row for row in tasks if row.reason.value == "GIVEN_BACK")
    customer = str(world.value("SELECT customer_id::text FROM sentra.invoice WHERE id = %s", booked.invoice_id))

    # Each is credit once, from two windows of one person at once too; what went back already is not.
    answers = at_once(*[lambda: at.siti.gateway.credit_late_money(lessened.id, WHY)] * 2).results
    assert sorted(one.already for one in answers) == [False, True]
    assert {one.kept for one in answers} == {total - 100_000}
    assert at.siti.gateway.credit_late_money(whole.id, WHY).kept == total
    assert at.siti.till.credits.customer_credit(customer).balance == 2 * total - 100_000
    with pytest.raises(Refusal) as no:
        world.counter("maya").gateway.credit_late_money(whole.id, WHY)
    assert (no.value.code, no.value.params["reason"]) == (RefusalCode.DUPLICATE, "answered")

    # Nothing of what went back is anybody's credit; what became of it is a manager's to say.
    with pytest.raises(Refusal) as no:
        at.siti.gateway.credit_late_money(back.id, WHY)
    assert (no.value.code, no.value.field) == (RefusalCode.FIELD_INVALID, "answer")
    with pytest.raises(Refusal) as no:
        at.siti.gateway.explain_late_money(back.id, WHY)
    assert no.value.code is RefusalCode.APPROVAL_NEEDED
    word = at.siti.approvals.approve("maya", password_of("maya"), "explain_late_money", back.id, WHY, Rupiah(100_000))
    assert at.siti.gateway.explain_late_money(back.id, WHY, approval_id=word.id).kept == 0
    assert at.siti.gateway.explain_late_money(back.id, WHY, approval_id=word.id).already

    assert at.siti.gateway.late_money() == ()
    assert {row.id for row in at.siti.gateway.late_money((LateState.CLOSED,))} == {row.id for row in tasks}
    assert world.rows("SELECT answer, answer_reason FROM sentra.late_money ORDER BY answer") == [
        ("CREDIT", WHY),
        ("CREDIT", WHY),
        ("EXPLAINED", WHY),
    ]
    assert world.doctor().breaks == ()
