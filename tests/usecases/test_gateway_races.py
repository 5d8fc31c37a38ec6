"""Gateway money, cash, the sweep, cancelling and two services at the same moment: each effect once, no lost Rupiah."""

from __future__ import annotations

from app.domain.errors import Refusal, RefusalCode
from app.usecases.gateway import NoticeOutcome
from tests.support.at_once import at_once
from tests.support.world import World, cash
from tests.usecases.test_gateway_orders import day_of, scene

pytest_plugins = ("tests.support.world_fixtures",)

EXPECTED = {
    *(RefusalCode.BOOKING_EXPIRED, RefusalCode.BOOKING_STATE, RefusalCode.INVOICE_LOCKED, RefusalCode.LOCK_LOST),
    RefusalCode.UNREACHABLE,  # a row was waited for too long on a busy machine: nothing was written
}
ORDERS = 8


def test_at_one_moment_around_the_deadline_every_effect_happens_once(world: World) -> None:
    at = scene(world, None)
    other = at.another_desk()
    booked = [world.book(at.siti, day_of(n)[1], day_of(n)[0], phone=f"0812 0000 {n:04d}") for n in range(ORDERS)]
    names = [at.qris(one) for one in booked]
    world.after(minutes=14, seconds=40)
    held = {n: at.siti.settlement.open_invoice(booked[n].invoice_id) for n in range(0, ORDERS, 2)}
    world.after(seconds=45)  # the deadline was 25 s ago; a lock of 60 s still stands
    cash_in = 0
    parts = world.service()
    for n, one in enumerate(booked):
        at.port.truth[names[n]] = "settlement"
        told = at.port.told(names[n])

        def pay_cash(n: int = n) -> str:
            lock = held.get(n) or at.siti.settlement.open_invoice(booked[n].invoice_id)
            at.siti.settlement.settle(lock.handle, at.siti.new_id(), [cash(booked[n].total)])
            return "cash"

        def cancel(n: int = n) -> str:
            at.siti.bookings.cancel(booked[n].bookings[0].id, "")
            return "cancelled"

        def sweep(n: int = n) -> str:
            ended = parts.store.transact(lambda tx: tx.expire_order(booked[n].order_id), one_call=True)
            return "expired" if ended else "left"

        found = at_once(
            lambda told=told: at.desk.notice(told).value,  # type: ignore[misc]
            lambda told=told: other.notice(told).value,  # type: ignore[misc]
            pay_cash,
            cancel,
            sweep,
        )
        assert {no.code for no in found.refusals} <= EXPECTED, found.all
        cash_in += one.total * found.results.count("cash")
        at.desk.notice(told)  # should both have waited too long
        assert at.desk.notice(told) is NoticeOutcome.REPLAY
    for desk in (at.desk, other):
        desk.work_now()
        desk.pass_once()
    parts.sweeps.expire()
    parts.sweeps.outbox()

    assert at.money() == (cash_in, sum(one.total for one in booked))
    assert (
        world.rows(
            "SELECT o.unit_id FROM sentra.occupancy o WHERE o.active GROUP BY o.unit_id, o.days HAVING count(*) > 1"
        )
        == []
    )
    assert world.value("SELECT count(*) FROM sentra.booking WHERE state = 'PAID_APPROVED'") == ORDERS
    assert world.doctor().breaks == ()


def test_a_row_that_somebody_holds_is_told_as_our_own_fault_and_the_money_is_booked_the_next_time(
    world: World,
) -> None:
    at = scene(world, None)
    booked = world.book(at.siti, day_of(0)[1], day_of(0)[0])
    name = at.qris(booked)
    at.port.truth[name] = "settlement"
    told = at.port.told(name)
    with at.holding("SELECT 1 FROM sentra.invoice FOR UPDATE"):
        try:
            at.desk.notice(told)
        except Refusal as no:
            assert no.code is RefusalCode.UNREACHABLE
        else:
            raise AssertionError("it was booked past somebody's row lock")
    assert at.desk.notice(told) is NoticeOutcome.BOOKED
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
