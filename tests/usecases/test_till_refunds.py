"""Refunds are paid out once, by whoever may; a void keeps its number, and what replaced it asks once more."""

import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.domain.refund import RefundState, RefundWay
from app.usecases.rows_till import RefundRow
from tests.support.world import AVANZAS, World, days, password_of, refused
from tests.usecases.change_rig import DEPOSIT, RATE, invoices, paid, pay

pytest_plugins = ("tests.support.world_fixtures",)

TWO_DAYS_AWAY = days("2027-03-10", "2027-03-12")
WHY = "pelanggan batal berangkat"


def word(who: Counter, action: str, thing: str, amount: int) -> str:
    return who.approvals.approve("maya", password_of("maya"), action, thing, WHY, Rupiah(amount)).id


def due(who: Counter) -> dict[str, RefundRow]:
    return {row.kind: row for row in who.till.refunds.refunds()}


def cannot(who: Counter, refund: RefundRow, way: RefundWay, **said: str) -> Refusal:
    with pytest.raises(Refusal) as no:
        who.till.refunds.refund_pay_out(refund.id, who.new_id(), way, **said)
    return no.value


def test_c69_a_deposit_goes_back_once_by_the_way_it_was_paid_and_rent_with_a_managers_word(world: World) -> None:
    booking = paid(world, TWO_DAYS_AWAY)
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    siti.bookings.cancel_paid(booking, WHY, Rupiah(3 * RATE + DEPOSIT))
    rows = due(siti)
    assert {kind: row.amount for kind, row in rows.items()} == {"DEPOSIT": DEPOSIT, "RENT": 3 * RATE}
    assert rows["DEPOSIT"].came_by == {RefundWay.CASH: 3 * RATE + DEPOSIT}
    refunds = siti.till.refunds
    assert refunds.may_pay_out_alone(rows["DEPOSIT"], RefundWay.CASH)
    assert not refunds.may_pay_out_alone(rows["DEPOSIT"], RefundWay.TRANSFER)
    assert not refunds.may_pay_out_alone(rows["RENT"], RefundWay.CASH)

    refused(cannot(budi, rows["DEPOSIT"], RefundWay.CASH), RefusalCode.SHIFT_NEEDED)
    refused(cannot(siti, rows["DEPOSIT"], RefundWay.TRANSFER), RefusalCode.FIELD_INVALID, "reference")
    other_way = cannot(siti, rows["DEPOSIT"], RefundWay.TRANSFER, reference="TRX 1234", reason=WHY)
    assert refused(other_way, RefusalCode.APPROVAL_NEEDED, "approval_id")["amount"] == DEPOSIT
    attempt = siti.new_id()
    first, again = (refunds.refund_pay_out(rows["DEPOSIT"].id, attempt, RefundWay.CASH) for _ in range(2))
    assert (first.number, first.already, again.already, again.number) == (
        "REF/JKT/202703/00001",
        False,
        True,
        first.number,
    )
    twice = refused(cannot(siti, rows["DEPOSIT"], RefundWay.CASH), RefusalCode.DUPLICATE, "refund_id")
    assert (twice["reason"], twice["number"]) == ("paid_out", first.number)

    refused(cannot(siti, rows["RENT"], RefundWay.CASH), RefusalCode.FIELD_INVALID, "reason")
    refused(cannot(siti, rows["RENT"], RefundWay.CASH, reason=WHY), RefusalCode.APPROVAL_NEEDED, "approval_id")
    given = word(siti, "refund_pay_out", rows["RENT"].id, 3 * RATE)
    refunds.refund_pay_out(rows["RENT"].id, siti.new_id(), RefundWay.CREDIT, reason=WHY, approval_id=given)
    assert siti.till.credits.customer_credit(rows["RENT"].customer_id).balance == 3 * RATE
    assert world.rows("SELECT total, paid FROM sentra.invoice") == [(3 * RATE + DEPOSIT, 0)]
    assert refunds.refunds() == ()
    assert [row.way for row in refunds.refunds([RefundState.DONE])] == [RefundWay.CREDIT, RefundWay.CASH]
    report = siti.shifts.shift_report()
    assert [(item.kind, item.amount) for item in report.refunds] == [("CASH", DEPOSIT), ("CREDIT", 3 * RATE)]
    world.assert_sound()


def test_a_deposit_paid_by_card_goes_back_by_transfer_up_to_the_limit(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    order = world.book(siti, TWO_DAYS_AWAY)
    held = siti.settlement.open_invoice(order.invoice_id)
    card = Tender(kind=TenderKind.EDC, amount=Rupiah(order.total), bank="BRI", last4="0001", approval_code="000123")
    siti.settlement.settle(held.handle, siti.new_id(), [card])
    siti.bookings.cancel_paid(order.bookings[0].id, WHY, Rupiah(order.total))
    deposit = due(siti)["DEPOSIT"]
    assert siti.till.refunds.may_pay_out_alone(deposit, RefundWay.TRANSFER)

    maya.till.tax_months.set_till_setting("edc_refund_limit", DEPOSIT - 1)
    assert not siti.till.refunds.may_pay_out_alone(due(siti)["DEPOSIT"], RefundWay.TRANSFER)
    over = cannot(siti, deposit, RefundWay.TRANSFER, reference="TRX 5678", reason=WHY)
    refused(over, RefusalCode.APPROVAL_NEEDED, "approval_id")
    maya.till.tax_months.set_till_setting("edc_refund_limit", DEPOSIT)
    done = siti.till.refunds.refund_pay_out(deposit.id, siti.new_id(), RefundWay.TRANSFER, reference="TRX 5678")
    assert (done.amount, done.way) == (DEPOSIT, RefundWay.TRANSFER)
    world.assert_sound()


def test_a_voided_invoice_keeps_its_number_and_what_replaced_it_asks_once_more(world: World) -> None:
    booking = paid(world, TWO_DAYS_AWAY)
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    total = 3 * RATE + DEPOSIT
    wanted = str(world.value("SELECT id FROM sentra.invoice"))
    with pytest.raises(Refusal) as no:
        maya.till.refunds.void_invoice(wanted, "salah catat")
    assert refused(no.value, RefusalCode.BOOKING_STATE, "invoice_id")["reason"] == "booking_goes_on"
    with pytest.raises(Refusal) as no:
        siti.till.refunds.void_invoice(wanted, "salah catat", replace=True)
    assert refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")["amount"] == total

    done = siti.till.refunds.void_invoice(
        wanted, "salah catat", replace=True, approval_id=word(siti, "void_invoice", wanted, total)
    )
    assert (done.number, done.refund) == ("INV/JKT/202703/00001", total)
    assert invoices(world) == [("RENTAL", "VOID", total), ("BALANCE", "OPEN", total)]
    assert world.state(booking) == "PAID_APPROVED"
    with pytest.raises(Refusal) as no:
        maya.till.refunds.void_invoice(wanted, "sekali lagi")
    assert refused(no.value, RefusalCode.BOOKING_STATE, "invoice_id")["state"] == "VOID"

    back = due(siti)["VOID"]
    maya.shifts.open_shift("Laci kantor", Rupiah(5_000_000))
    maya.till.refunds.refund_pay_out(back.id, maya.new_id(), RefundWay.CASH, reason="salah catat")
    assert done.replaced_by is not None
    pay(world, done.replaced_by)
    assert world.rows("SELECT number, state, paid FROM sentra.invoice ORDER BY number") == [
        ("INV/JKT/202703/00001", "VOID", 0),
        ("INV/JKT/202703/00002", "PAID", total),
    ]
    world.assert_sound()


def test_a_cancelled_bookings_invoice_is_voided_for_what_the_ladder_kept(world: World) -> None:
    soon = days("2027-03-02", "2027-03-03")
    booking = paid(world, soon, AVANZAS[1])
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    effect = siti.bookings.cancellation_effect(booking)
    assert effect.fee > 0
    siti.bookings.cancel_paid(booking, WHY, effect.back)
    wanted = str(world.value("SELECT id FROM sentra.invoice"))
    done = maya.till.refunds.void_invoice(wanted, "atas kebijakan manajer")
    assert (done.refund, done.replaced_by) == (effect.fee, None)
    assert sum(row.amount for row in siti.till.refunds.refunds()) == 2 * RATE + DEPOSIT
    world.assert_sound()
