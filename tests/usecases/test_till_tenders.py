"""Every way of paying in one transaction: what each must say, what needs a manager's word, where money beyond goes."""

import datetime as dt

import pytest

from app.admin_do import do
from app.bootstrap import Counter
from app.domain.charges import Charge, ChargeKind
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.usecases.rows import BookedOrder
from app.usecases.settlement import Receipt
from tests.support.world import AVANZAS, START, World, cash, days, password_of, refused
from tests.usecases.change_rig import DEPOSIT, RATE
from tests.usecases.handover_rig import back, out, prepared

pytest_plugins = ("tests.support.world_fixtures",)

THREE = 3 * RATE
TOTAL = THREE + DEPOSIT


def tender(kind: TenderKind, amount: int, **said: str) -> Tender:
    return Tender(kind=kind, amount=Rupiah(amount), **said)  # type: ignore[arg-type]


def edc(amount: int, **said: str) -> Tender:
    return tender(TenderKind.EDC, amount, **{"bank": "BCA", "last4": "4242", "approval_code": "482913", **said})


def transfer(amount: int, **said: str) -> Tender:
    return tender(TenderKind.TRANSFER, amount, **{"reference": "TRX 0001/27", **said})


def booked(
    world: World, who: Counter, place: int = 0, first: str = "2027-03-10", last: str = "2027-03-12"
) -> BookedOrder:
    return world.book(who, days(first, last), AVANZAS[place])


def pay(who: Counter, order: BookedOrder, *tenders: Tender, to_credit: int = 0) -> Receipt:
    held = who.settlement.open_invoice(order.invoice_id)
    return who.settlement.settle(held.handle, who.new_id(), tenders, to_credit=Rupiah(to_credit))


def cannot_pay(who: Counter, order: BookedOrder, *tenders: Tender, to_credit: int = 0) -> Refusal:
    held = who.settlement.open_invoice(order.invoice_id)
    with pytest.raises(Refusal) as no:
        who.settlement.settle(held.handle, who.new_id(), tenders, to_credit=Rupiah(to_credit))
    who.settlement.release_lock(held.handle)
    return no.value


def word(who: Counter, action: str, thing: str, amount: int | None = None) -> str:
    reason = "sudah saya lihat"
    money = None if amount is None else Rupiah(amount)
    return who.approvals.approve("maya", password_of("maya"), action, thing, reason, money).id


def test_card_qris_and_transfer_settle_with_what_they_must_say_and_split(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    by_card, by_qris, split = (booked(world, siti, place) for place in range(3))

    for wrong, field in (
        (edc(TOTAL, bank=" "), "tenders.bank"),
        (edc(TOTAL, last4="424"), "tenders.last4"),
        (edc(TOTAL, approval_code="48291"), "tenders.approval_code"),
        (transfer(TOTAL, reference="-"), "tenders.reference"),
        (Tender(kind=TenderKind.TRANSFER, amount=Rupiah(TOTAL), reference="TRX 1", verified=False), "tenders.verified"),
    ):
        refused(cannot_pay(siti, by_card, wrong), RefusalCode.FIELD_INVALID, field)
    assert cannot_pay(siti, by_card, edc(TOTAL + 1)).code is RefusalCode.AMOUNT_MISMATCH
    assert cannot_pay(siti, by_card, edc(TOTAL - 1)).code is RefusalCode.AMOUNT_MISMATCH
    pay(siti, by_card, edc(TOTAL))
    (payment,) = siti.settlement.invoice(by_card.invoice_id).payments
    assert [(row.kind, row.amount, row.bank, row.last4, row.approval_code) for row in payment.tenders] == [
        (TenderKind.EDC, TOTAL, "BCA", "4242", "482913")
    ]

    by_hand = tender(TenderKind.QRIS, TOTAL, reference="RRN123456789")
    asked = refused(cannot_pay(siti, by_qris, by_hand), RefusalCode.APPROVAL_NEEDED, "approval_id")
    assert (asked["action"], asked["object"], asked["amount"]) == ("qris_by_hand", by_qris.invoice_id, TOTAL)
    given = word(siti, "qris_by_hand", by_qris.invoice_id, TOTAL)
    pay(siti, by_qris, tender(TenderKind.QRIS, TOTAL, reference="RRN123456789", approval_id=given))

    receipt = pay(siti, split, cash(600_000), edc(500_000), transfer(500_000))
    assert receipt.change == 50_000
    assert world.rows(
        "SELECT kind, amount, received FROM sentra.tender WHERE payment_id = %s ORDER BY line_no", receipt.payment_id
    ) == [("CASH", 550_000, 600_000), ("EDC", 500_000, 500_000), ("TRANSFER", 500_000, 500_000)]
    assert {world.state(order.bookings[0].id) for order in (by_card, by_qris, split)} == {"PAID_APPROVED"}
    world.assert_sound()


def test_c62_money_that_comes_early_is_credit_and_the_balance_stays_what_it_is(world: World) -> None:
    """Case C-62, at this world's rates: a transfer for the balance neither pays nor replaces anything."""
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    world.open_shift(siti)
    order = booked(world, siti)
    customer = str(world.value("SELECT customer_id FROM sentra.booking"))
    attempt = siti.new_id()
    for already in (False, True):
        got = siti.till.credits.receive_credit(
            customer, attempt, TenderKind.TRANSFER, Rupiah(1_000_000), reference="TRX 77", invoice_id=order.invoice_id
        )
        assert (got.balance, got.already) == (1_000_000, already)
    detail = siti.settlement.invoice(order.invoice_id)
    assert (detail.row.total, detail.row.paid, detail.payments) == (TOTAL, 0, ())
    with pytest.raises(Refusal) as no:
        budi.till.credits.receive_credit(customer, budi.new_id(), TenderKind.CASH, Rupiah(1))
    refused(no.value, RefusalCode.SHIFT_NEEDED)

    too_much = cannot_pay(siti, order, tender(TenderKind.CREDIT, 1_000_001), cash(TOTAL - 1_000_001))
    assert refused(too_much, RefusalCode.FIELD_INVALID, "tenders.amount")["balance"] == 1_000_000
    pay(siti, order, tender(TenderKind.CREDIT, 400_000), cash(TOTAL - 400_000))
    credit = siti.till.credits.customer_credit(customer)
    assert (credit.balance, sorted((entry.kind, entry.amount) for entry in credit.entries)) == (
        600_000,
        [("RECEIVED", 1_000_000), ("USED", -400_000)],
    )

    with pytest.raises(Refusal) as no:
        siti.till.credits.pay_out_credit(customer, siti.new_id(), TenderKind.CASH, Rupiah(600_000), "minta kembali")
    assert refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")["action"] == "pay_out_credit"
    back = siti.till.credits.pay_out_credit(
        customer,
        siti.new_id(),
        TenderKind.CASH,
        Rupiah(600_000),
        "minta kembali",
        approval_id=word(siti, "pay_out_credit", customer, 600_000),
    )
    assert back.balance == 0
    world.assert_sound()


def test_an_overpaid_transfer_is_credit_only_when_somebody_says_so(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    first, second = booked(world, siti), booked(world, siti, 1)

    assert cannot_pay(siti, first, transfer(TOTAL + 50_000)).code is RefusalCode.AMOUNT_MISMATCH
    refused(cannot_pay(siti, first, transfer(TOTAL), to_credit=1), RefusalCode.FIELD_INVALID, "to_credit")
    pay(siti, first, transfer(TOTAL + 50_000), to_credit=50_000)
    receipt = pay(siti, second, cash(TOTAL + 30_000), to_credit=20_000)

    customer = str(world.value("SELECT DISTINCT customer_id FROM sentra.booking"))
    assert siti.till.credits.customer_credit(customer).balance == 70_000
    assert receipt.change == 10_000
    assert siti.shifts.shift_report().credited == 70_000
    world.assert_sound()


def test_c64_rounded_cash_leaves_nothing_open(world: World) -> None:
    """Case C-64: the total is whole Rupiah, and paying it leaves nothing; cash is rounded in a line of its own."""
    world.do("UPDATE sentra.sku SET daily_rate = 333_333 WHERE id = 'TOY-AVNZ-G'")
    maya = world.counter("maya")
    maya.till.tax_months.set_till_setting("cash_rounding", 100)
    siti = world.counter("siti")
    world.open_shift(siti)
    whole, part = booked(world, siti), booked(world, siti, 1)
    assert whole.total == 1_499_999

    short = refused(cannot_pay(siti, whole, cash(1_499_999)), RefusalCode.AMOUNT_MISMATCH, "tenders.amount")
    assert (short["due"], short["missing"]) == (1_500_000, 1)
    assert pay(siti, whole, cash(1_500_000)).change == 0
    pay(siti, part, edc(499_999), cash(1_000_000))
    details = [siti.settlement.invoice(order.invoice_id) for order in (whole, part)]
    assert [(detail.row.total, detail.row.paid) for detail in details] == [(1_500_000,) * 2, (1_499_999,) * 2]
    assert [line.amount for line in details[0].lines if line.kind == "ROUNDING"] == [1]
    assert {detail.ppn for detail in details} == {Rupiah(int(str(world.value("SELECT max(ppn) FROM sentra.invoice"))))}
    world.assert_sound()


def test_a_company_rents_on_account_withholds_tax_and_pays_once_a_month(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya", "Kantor")
    world.open_shift(siti)
    orders = [booked(world, siti, place) for place in range(3)]
    debt = tender(TenderKind.RECEIVABLE, TOTAL)
    refused(cannot_pay(siti, orders[0], debt), RefusalCode.FIELD_INVALID, "tenders.kind")
    company = siti.new_id()
    world.do(
        "INSERT INTO sentra.company (id, name, npwp, address, credit_limit, due_days)"
        " VALUES (%s, 'PT Contoh Jaya', '012345678901000', 'Jalan Contoh 1', 3200000, 14)",
        company,
    )
    world.do("UPDATE sentra.customer SET company_id = %s", company)
    base = int(str(world.value("SELECT max(base) FROM sentra.invoice")))
    tax = base * 2 // 100
    wrong = cannot_pay(siti, orders[0], tender(TenderKind.PPH23, tax + 1), edc(TOTAL - tax - 1))
    assert refused(wrong, RefusalCode.FIELD_INVALID, "tenders.amount")["due"] == tax

    pay(siti, orders[0], tender(TenderKind.PPH23, tax), edc(TOTAL - tax))
    for order in orders[1:]:
        asked = refused(cannot_pay(siti, order, debt), RefusalCode.APPROVAL_NEEDED, "approval_id")
        assert asked["action"] == "receivable"
        given = word(siti, "receivable", order.invoice_id, TOTAL)
        pay(siti, order, tender(TenderKind.RECEIVABLE, TOTAL, approval_id=given))
    fourth = booked(world, siti, 0, "2027-03-20", "2027-03-22")
    over = refused(cannot_pay(siti, fourth, debt), RefusalCode.FIELD_INVALID, "tenders.amount")
    assert (over["limit"], over["open"]) == (3_200_000, 2 * TOTAL)

    bills = siti.till.company_bills
    owed = bills.receivables(company)
    assert [(row.left, row.due_on, row.state, row.withholdable) for row in owed] == [
        (TOTAL, dt.date(2027, 3, 15), "OPEN", tax)
    ] * 2
    with pytest.raises(Refusal) as no:
        bills.issue_collective(siti.new_id(), company, "202702")
    assert refused(no.value, RefusalCode.FIELD_INVALID, "month")["reason"] == "nothing_owed"
    made = siti.new_id()
    bill = bills.issue_collective(made, company, "202703")
    assert (bill.number, bill.total, bill.already) == ("KOL/JKT/202703/00001", 2 * TOTAL, False)
    assert bills.issue_collective(made, company, "202703").already
    with pytest.raises(Refusal) as no:
        bills.pay_collective(bill.id, siti.new_id(), Rupiah(2 * TOTAL - 1), "TRX 900")
    assert refused(no.value, RefusalCode.AMOUNT_MISMATCH, "amount")["due"] == 2 * TOTAL
    attempt = siti.new_id()
    for already in (False, True):
        paid = bills.pay_collective(bill.id, attempt, Rupiah(2 * TOTAL - 2 * tax), "TRX 900", withheld=Rupiah(2 * tax))
        assert (paid.state, paid.already) == ("PAID", already)
    with pytest.raises(Refusal) as no:
        bills.pay_collective(bill.id, siti.new_id(), Rupiah(2 * TOTAL), "TRX 901")
    assert refused(no.value, RefusalCode.DUPLICATE, "id")["reason"] == "paid_before"

    slips = bills.withholdings()
    assert [(slip.of_number, slip.amount) for slip in slips] == [
        ("INV/JKT/202703/00001", tax),
        ("KOL/JKT/202703/00001", 2 * tax),
    ]
    bills.note_slip(slips[0].id, "BP-0001", dt.date(2027, 3, 1))
    assert [slip.id for slip in bills.withholdings()] == [slips[1].id]
    told = do(maya, "receivables", {"states": ["PAID"]})
    assert isinstance(told, list)
    assert [row["state"] for row in told] == ["PAID", "PAID"]
    world.assert_sound()


def test_c69_a_fine_beyond_the_deposit_is_paid_from_it_and_the_rest_in_cash_at_once(world: World) -> None:
    """Case C-69 at the till: refund 0, and a bill of what the deposit does not cover."""
    dedi, siti = world.counter("dedi"), world.counter("siti")
    mine = prepared(world)
    out(world, dedi, mine)
    world.stand(START + dt.timedelta(days=2, hours=11))
    back(world, dedi, mine)
    dent = Charge(kind=ChargeKind.DAMAGE, text="Penyok pintu", quantity=1, unit_price=Rupiah(850_000))
    dedi.rentals.charges.dispute(mine, [dent])
    fine = str(world.value("SELECT id FROM sentra.invoice WHERE kind = 'FINE' AND state = 'OPEN'"))
    total = siti.settlement.invoice(fine).row.total
    assert total == 850_000
    held = siti.settlement.open_invoice(fine)
    with pytest.raises(Refusal) as no:
        siti.settlement.settle(held.handle, siti.new_id(), [tender(TenderKind.DEPOSIT, total)])
    over = refused(no.value, RefusalCode.FIELD_INVALID, "tenders.amount")
    assert (over["reason"], over["left"]) == ("over_deposit", DEPOSIT)
    if siti.shifts.current_shift() is None:
        world.open_shift(siti)
    siti.settlement.settle(held.handle, siti.new_id(), [tender(TenderKind.DEPOSIT, DEPOSIT), cash(total - DEPOSIT)])
    assert world.state(mine) == "COMPLETED"
    assert world.value("SELECT count(*) FROM sentra.refund") == 0
    rental = booked(world, siti, 1, "2027-04-10", "2027-04-12")
    no_fine = cannot_pay(siti, rental, tender(TenderKind.DEPOSIT, 1), edc(TOTAL - 1))
    assert refused(no_fine, RefusalCode.FIELD_INVALID, "tenders.amount")["left"] == 0
    world.catch_up()
    world.assert_sound()
