"""The till while several people press at once: money goes out once, credit is spent once, numbers have no gap."""

from collections.abc import Callable
from functools import partial

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.domain.refund import RefundWay
from tests.support.at_once import at_once
from tests.support.world import AVANZAS, World, cash, days, password_of
from tests.usecases.change_rig import DEPOSIT, RATE

pytest_plugins = ("tests.support.world_fixtures",)

TOTAL = RATE + DEPOSIT
WHY = "diuji bersamaan"


def pay(who: Counter, invoice_id: str, *tenders: Tender) -> str:
    held = who.settlement.open_invoice(invoice_id)
    return who.settlement.settle(held.handle, who.new_id(), tenders or [cash(TOTAL)]).number


def credit_and_cash(part: int) -> tuple[Tender, Tender]:
    return Tender(kind=TenderKind.CREDIT, amount=Rupiah(part)), cash(TOTAL - part)


def test_refunds_voids_credit_and_settlements_at_once_stay_even(world: World) -> None:
    siti, budi, maya = world.counter("siti"), world.counter("budi", "Kasir 2"), world.counter("maya", "Kantor")
    world.open_shift(siti, budi, maya)
    orders = [world.book(siti, days(f"2027-03-{10 + n}"), AVANZAS[n % 3]) for n in range(9)]
    for order in orders[:4]:
        pay(siti, order.invoice_id)
    siti.bookings.cancel_paid(orders[0].bookings[0].id, WHY, Rupiah(TOTAL))
    deposit = next(row for row in siti.till.refunds.refunds() if row.kind == "DEPOSIT")
    customer = deposit.customer_id
    siti.till.credits.receive_credit(customer, siti.new_id(), TenderKind.CASH, Rupiah(300_000))

    payouts: list[Callable[[], object]] = [
        partial(who.till.refunds.refund_pay_out, deposit.id, who.new_id(), RefundWay.CASH) for who in (siti, budi, maya)
    ]
    voids: list[Callable[[], object]] = [
        partial(maya.till.refunds.void_invoice, orders[1].invoice_id, WHY, replace=True) for _ in range(2)
    ]
    spent: list[Callable[[], object]] = [
        partial(pay, who, order.invoice_id, *credit_and_cash(200_000))
        for who, order in ((siti, orders[4]), (budi, orders[5]))
    ]
    plain: list[Callable[[], object]] = [
        partial(pay, who, order.invoice_id) for who, order in ((siti, orders[6]), (budi, orders[7]), (maya, orders[8]))
    ]
    found = at_once(*payouts, *voids, *spent, *plain)

    def went(first: int, number: int) -> tuple[int, list[RefusalCode]]:
        some = found.all[first : first + number]
        refusals = [item for item in some if isinstance(item, Refusal)]
        return number - len(refusals), [item.code for item in refusals]

    assert went(0, 3) == (1, [RefusalCode.DUPLICATE] * 2)
    assert went(3, 2) == (1, [RefusalCode.BOOKING_STATE])
    assert went(5, 2) == (1, [RefusalCode.FIELD_INVALID])
    assert went(7, 3) == (3, [])
    assert siti.till.credits.customer_credit(customer).balance == 100_000
    assert world.value("SELECT count(*) FROM sentra.refund WHERE state = 'DONE'") == 1
    assert world.rows("SELECT month, last FROM sentra.number_counter") == [("202703", 8)]
    for who in (siti, budi, maya):
        report = who.shifts.shift_report()
        last = who.shifts.count_shift(who.new_id(), {})
        who.shifts.close_shift(report.id, WHY, _word(who, report.id, last.difference))
    world.catch_up()
    world.assert_sound()


def _word(who: Counter, shift_id: str, difference: int) -> str | None:
    """A manager's word for closing with everything missing; a manager needs none."""
    if who.who.login == "maya":
        return None
    money = Rupiah(abs(difference))
    return who.approvals.approve("maya", password_of("maya"), "close_shift", shift_id, WHY, money).id
