"""Nobody pays: the booking ends at its deadline, whoever was away meanwhile, and never under a cashier's hands."""

import datetime as dt

import psycopg
import pytest

from app.adapters.postgres.tx_booking import order_json
from app.adapters.postgres.tx_call import as_json
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import LockOutcome, SettleOutcome
from tests.adapters.postgres.write_rig import WriteRig, at_once, march, new_order, new_payment


def test_c50_an_abandoned_booking_is_free_at_fifteen_minutes_and_not_before(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(14.99)
    assert rig.expire() == ()

    rig.minutes_pass(0.01)
    (ended,) = rig.expire()

    assert (ended.booking_id, ended.state) == (booked.bookings[0].id, BookingState.CANCELLED)
    assert [item.days.first for item in ended.freed] == [march(10)]
    assert rig.taken("AVZ-01") == []
    assert rig.rows("SELECT state FROM sentra.invoice") == [("VOID",)]
    assert rig.expire() == ()
    rig.insist_on_invariants()


def test_c53_after_an_outage_the_backlog_is_expired_in_order(rig: WriteRig) -> None:
    numbers = []
    for unit_id in ("AVZ-03", "AVZ-01", "AVZ-02"):
        numbers.append(rig.book(unit_id, first=march(10), last=march(12)).bookings[0].number)
        rig.minutes_pass(1)
    rig.minutes_pass(20)

    ended = []
    while found := rig.expire():
        ended += [item.number for item in found]

    assert ended == numbers
    rig.insist_on_invariants()


def test_an_order_of_two_units_expires_as_one(rig: WriteRig) -> None:
    rig.book("AVZ-02", "AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(16)

    ended = rig.expire()

    assert {item.projections[0].unit.unit_id for item in ended} == {"AVZ-01", "AVZ-02"}
    assert rig.value("SELECT count(*) FROM sentra.freed_stretch") == 2


def test_a_valid_lock_is_waited_for_at_most_five_minutes_past_the_deadline(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(14.5)
    token, lock = rig.take(booked.invoice_id)
    for _ in range(10):  # a beat every 30 s, to 19:30
        rig.minutes_pass(0.5)
        beat = rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, token, lock.epoch, 0))
        assert beat.outcome is LockOutcome.SAME
        assert rig.expire() == ()

    rig.minutes_pass(0.5)

    assert len(rig.expire()) == 1
    answer = rig.settle(new_payment(booked, token, lock.epoch))
    assert answer.outcome is SettleOutcome.NOT_OPEN
    rig.insist_on_invariants()


def test_a_lock_that_ran_out_is_not_waited_for(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(14.5)
    rig.take(booked.invoice_id)
    rig.minutes_pass(1.5)

    assert len(rig.expire()) == 1


def test_two_services_at_once_expire_each_booking_once(rig: WriteRig) -> None:
    for day in range(1, 13):
        rig.book("AVZ-01", first=dt.date(2027, 6, day), last=dt.date(2027, 6, day))
    rig.minutes_pass(16)
    services = [rig.new_store("jaga", pool_size=1) for _ in range(2)]

    def sweep(store: object) -> list[str]:
        ended: list[str] = []
        while found := store.transact(lambda tx: tx.expire_next()):  # type: ignore[attr-defined]
            ended += [item.booking_id for item in found]
        return ended

    first, second = at_once([lambda s=service: sweep(s) for service in services])

    assert isinstance(first, list), first
    assert isinstance(second, list), second
    # Each passes over what the other holds at that moment, here always the same unit; the next pass takes the rest.
    rest = sweep(services[0])
    assert len(first + second + rest) == len({*first, *second, *rest}) == 12
    assert rig.value("SELECT count(*) FROM sentra.freed_stretch") == 12
    rig.insist_on_invariants()


def test_an_invoice_in_another_workers_hands_is_passed_over_not_waited_for(rig: WriteRig) -> None:
    held = rig.book("AVZ-01", first=march(10), last=march(12))
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    rig.minutes_pass(16)

    with rig.owner.transaction():
        rig.owner.execute("SELECT 1 FROM sentra.invoice WHERE id = %s FOR UPDATE", (held.invoice_id,))
        (ended,) = rig.expire()
        assert rig.expire() == ()

    assert ended.booking_id == other.bookings[0].id


def test_every_open_invoice_of_an_expired_order_is_void(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.owner.execute(
        "INSERT INTO sentra.invoice (id, order_id, branch_id, customer_id, kind, base, dpp, ppn, total)"
        " SELECT gen_random_uuid(), order_id, branch_id, customer_id, 'BALANCE', 0, 0, 0, 0 FROM sentra.invoice"
    )
    rig.minutes_pass(16)

    (ended,) = rig.expire()

    assert ended.invoice_id == booked.invoice_id
    assert rig.rows("SELECT DISTINCT state FROM sentra.invoice") == [("VOID",)]


def test_a_paid_booking_never_expires(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.open_shift()
    rig.pay(booked)
    rig.minutes_pass(600)

    assert rig.expire() == ()
    assert rig.state_of(booked.bookings[0].id) == "PAID_APPROVED"


def test_paying_and_expiring_at_once_have_one_winner(rig: WriteRig) -> None:
    rig.open_shift()
    cashier, service = rig.new_store("bayu", pool_size=1), rig.new_store("jaga", pool_size=1)
    for round_ in range(15):
        day = dt.date(2027, 6, 1) + dt.timedelta(days=round_)
        booked = rig.book("AVZ-01", first=day, last=day)
        rig.minutes_pass(14.5)
        token, lock = rig.take(booked.invoice_id)
        rig.minutes_pass(0.5 if round_ % 2 else 6)
        payment = new_payment(booked, token, lock.epoch)

        paid, ended = at_once(
            [
                lambda p=payment: cashier.transact(lambda tx: tx.settle(p)),
                lambda: service.transact(lambda tx: tx.expire_next()),
            ]
        )
        rig.expire()  # the sweep passes over an invoice in the cashier's hands, and comes again

        state = rig.state_of(booked.bookings[0].id)
        assert state == ("PAID_APPROVED" if round_ % 2 else "CANCELLED"), (paid, ended)
        assert rig.taken("AVZ-01").count((day, day)) == (1 if state == "PAID_APPROVED" else 0)
    rig.insist_on_invariants()


@pytest.mark.parametrize("login", ["rina", "bayu", "mega"])
def test_only_the_service_expires(rig: WriteRig, login: str) -> None:
    with pytest.raises(Refusal) as refused:
        rig.store(login).transact(lambda tx: tx.expire_next())

    assert refused.value.code is RefusalCode.NOT_ALLOWED


@pytest.mark.parametrize("held", ["unit", "booking"])
def test_an_order_whose_rows_somebody_holds_is_passed_over_not_waited_for(rig: WriteRig, held: str) -> None:
    """A session that stays open over a unit keeps no other order from its deadline, and this one only for as long."""
    first = rig.book("AVZ-01", first=march(10), last=march(12))
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    rig.minutes_pass(16)
    row = "id = 'AVZ-01'" if held == "unit" else "unit_id = 'AVZ-01'"

    with psycopg.connect(rig.database.owner_url) as holding:
        holding.execute(f"SELECT 1 FROM sentra.{held} WHERE {row} FOR NO KEY UPDATE".encode())
        (ended,) = rig.expire()
        assert rig.expire() == ()
        holding.rollback()

    assert ended.booking_id == other.bookings[0].id
    assert [item.booking_id for item in rig.expire()] == [first.bookings[0].id]
    rig.insist_on_invariants()


def test_a_clerks_open_booking_over_a_unit_keeps_nobody_waiting(rig: WriteRig) -> None:
    """As psql can: the order is written and never committed."""
    rig.book("AVZ-01", first=march(10), last=march(12))
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    rig.minutes_pass(16)
    order = order_json(new_order(["AVZ-01"], march(20), march(21), phone="+6281777777777"))

    with psycopg.connect(rig.database.url_for("rina")) as mine:
        mine.execute("SELECT sentra.book_order(%s)", (as_json(order),))
        assert [item.booking_id for item in rig.expire()] == [other.bookings[0].id]
        assert rig.expire() == ()
        mine.rollback()

    assert len(rig.expire()) == 1


def test_due_orders_come_oldest_first_without_those_looked_at(rig: WriteRig) -> None:
    orders = []
    for day in (10, 11, 12):
        orders.append(rig.book("AVZ-01", first=march(day), last=march(day)).order_id)
        rig.minutes_pass(1)
    rig.minutes_pass(13.5)
    service = rig.store("jaga")

    assert service.transact(lambda tx: tx.due_orders(9, ())) == tuple(orders[:2])
    assert service.transact(lambda tx: tx.due_orders(1, ())) == (orders[0],)
    assert service.transact(lambda tx: tx.due_orders(9, orders[:1])) == (orders[1],)
    assert service.transact(lambda tx: tx.expire_order(orders[2])) == ()
    assert [item.order_id for item in service.transact(lambda tx: tx.expire_order(orders[0]))] == [orders[0]]
