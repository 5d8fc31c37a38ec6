"""Paying under the lock: once, in full, by its holder, in time; and the number that comes with it."""

import datetime as dt
import secrets
import threading
import uuid
from dataclasses import replace

import psycopg
import pytest

from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import TenderKind, TenderRow
from app.domain.money import Rupiah
from app.usecases.rows import BookedOrder, SettleAnswer, SettleOutcome
from tests.adapters.postgres.write_rig import WriteRig, at_once, march, new_payment
from tests.support.waiting import eventually


@pytest.fixture
def booked(rig: WriteRig) -> BookedOrder:
    rig.open_shift("bayu")
    rig.open_shift("citra")
    return rig.book("AVZ-01", first=march(10), last=march(12))


def nothing_was_written(rig: WriteRig) -> bool:
    return (
        rig.value("SELECT count(*) FROM sentra.payment") == 0
        and rig.value("SELECT count(*) FROM sentra.number_counter") == 0
        and rig.value("SELECT sum(paid) FROM sentra.invoice") == 0
        and rig.value("SELECT count(*) FROM sentra.audit WHERE action IN ('pay', 'settle')") == 0
    )


def test_paying_settles_books_numbers_and_unlocks_in_one_step(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)
    payment = new_payment(booked, token, lock.epoch, change=100_000)

    answer = rig.settle(payment)

    now = rig.database.clock.now()
    booking = booked.bookings[0].id
    assert answer == SettleAnswer(
        outcome=SettleOutcome.PAID,
        payment_id=payment.id,
        number="INV/JKT/202703/00001",
        change=Rupiah(100_000),
        paid_at=now,
        booking_states={booking: BookingState.PAID_APPROVED},
        due=booked.total,
    )
    assert rig.rows(
        "SELECT state, paid, number, issued_on, settled_at, locked_by, locked_until, lock_token, locked_at,"
        " locked_counter, lock_epoch FROM sentra.invoice"
    ) == [("PAID", booked.total, answer.number, march(1), now, None, None, None, None, None, 1)]
    assert rig.rows("SELECT amount, change, lock_epoch, cashier FROM sentra.payment") == [
        (booked.total, 100_000, 1, rig.role("bayu"))
    ]
    assert rig.rows("SELECT kind, amount, received FROM sentra.tender") == [
        ("CASH", booked.total, booked.total + 100_000)
    ]
    assert rig.rows("SELECT state, payment_deadline, version FROM sentra.booking") == [("PAID_APPROVED", None, 2)]
    rig.insist_on_invariants()


def test_state_payment_number_and_audit_share_one_transaction(rig: WriteRig, booked: BookedOrder) -> None:
    """Case R-19: lock, check and insert are one transaction."""
    rig.pay(booked)

    (written,) = rig.rows(
        """SELECT p.xmin = i.xmin AND b.xmin = i.xmin AND t.xmin = i.xmin
                  AND array_agg(a.txid % 4294967296) = array_fill(i.xmin::text::bigint, ARRAY[2])
           FROM sentra.payment p, sentra.invoice i, sentra.booking b, sentra.tender t, sentra.audit a
           WHERE a.action IN ('pay', 'settle') GROUP BY p.xmin, i.xmin, b.xmin, t.xmin"""
    )
    assert written == (True,)


def test_c61_five_presses_and_a_resend_are_one_payment(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)
    attempt = str(uuid.uuid4())
    payments = [new_payment(booked, token, lock.epoch, attempt_id=attempt) for _ in range(5)]
    stores = [rig.new_store("bayu", pool_size=1) for _ in payments]

    presses = at_once(
        [lambda s=s, p=p: s.transact(lambda tx: tx.settle(p)) for s, p in zip(stores, payments, strict=True)]
    )
    resent = rig.settle(new_payment(booked, token, lock.epoch, attempt_id=attempt))

    answers = [item for item in presses if isinstance(item, SettleAnswer)]
    assert len(answers) == 5, presses
    assert sorted(item.outcome for item in answers) == [SettleOutcome.ALREADY] * 4 + [SettleOutcome.PAID]
    assert resent.outcome is SettleOutcome.ALREADY
    assert len({(item.payment_id, item.number, item.paid_at) for item in (*answers, resent)}) == 1
    assert rig.value("SELECT count(*) FROM sentra.payment") == 1


def test_an_attempt_id_of_another_invoice_is_refused(rig: WriteRig, booked: BookedOrder) -> None:
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    token, lock = rig.take(booked.invoice_id)
    payment = new_payment(booked, token, lock.epoch)
    rig.settle(payment)
    token, lock = rig.take(other.invoice_id)

    with pytest.raises(Refusal) as refused:
        rig.settle(new_payment(other, token, lock.epoch, attempt_id=payment.attempt_id))

    assert (refused.value.code, refused.value.field) == (RefusalCode.DUPLICATE, "attempt_id")


@pytest.mark.parametrize("wrong", ["token", "epoch", "person", "released", "expired"])
def test_without_the_valid_lock_nothing_is_written(rig: WriteRig, booked: BookedOrder, wrong: str) -> None:
    token, lock = rig.take(booked.invoice_id)
    if wrong == "released":
        rig.store("bayu").transact(lambda tx: tx.release_lock(booked.invoice_id, token, lock.epoch))
    if wrong == "expired":
        rig.minutes_pass(1)
    payment = new_payment(
        booked,
        secrets.token_urlsafe(32) if wrong == "token" else token,
        lock.epoch + 1 if wrong == "epoch" else lock.epoch,
    )

    answer = rig.settle(payment, "citra" if wrong == "person" else "bayu")

    assert answer.outcome is SettleOutcome.LOCK_LOST
    assert nothing_was_written(rig)


def test_c66_a_cashier_who_wakes_up_after_a_takeover_cannot_pay(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id, "bayu")
    rig.minutes_pass(2)
    other_token, other = rig.take(booked.invoice_id, "citra")

    late = rig.settle(new_payment(booked, token, lock.epoch), "bayu")
    paid = rig.settle(new_payment(booked, other_token, other.epoch), "citra")

    assert (late.outcome, paid.outcome) == (SettleOutcome.LOCK_LOST, SettleOutcome.PAID)
    assert rig.rows("SELECT cashier, lock_epoch FROM sentra.payment") == [(rig.role("citra"), 2)]
    rig.insist_on_invariants()


def test_a_payment_that_waited_for_the_row_past_the_locks_end_is_refused(rig: WriteRig, booked: BookedOrder) -> None:
    """A WHERE that ran before the wait would pay after expiry: the guard looks at the clock after it."""
    token, lock = rig.take(booked.invoice_id)
    answers: list[SettleAnswer] = []
    with psycopg.connect(rig.database.owner_url) as holding:
        holding.execute("SELECT 1 FROM sentra.invoice FOR NO KEY UPDATE")
        paying = threading.Thread(target=lambda: answers.append(rig.settle(new_payment(booked, token, lock.epoch))))
        paying.start()
        eventually(
            lambda: rig.value("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == 1,
            what="the payment waits for the row",
        )
        rig.minutes_pass(1)
        holding.rollback()
        paying.join(timeout=10)

    assert [item.outcome for item in answers] == [SettleOutcome.LOCK_LOST]
    assert nothing_was_written(rig)


def test_c47_with_a_valid_lock_a_booking_past_its_deadline_is_paid_without_one_it_is_not(
    rig: WriteRig, booked: BookedOrder
) -> None:
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    rig.minutes_pass(14.5)
    token, lock = rig.take(booked.invoice_id)
    stale_token, stale = rig.take(other.invoice_id, "citra")
    rig.store("citra").transact(lambda tx: tx.release_lock(other.invoice_id, stale_token, stale.epoch))
    rig.minutes_pass(31 / 60)

    in_time = rig.settle(new_payment(booked, token, lock.epoch))
    stale_screen = rig.settle(new_payment(other, stale_token, stale.epoch), "citra")

    assert (in_time.outcome, stale_screen.outcome) == (SettleOutcome.PAID, SettleOutcome.LOCK_LOST)
    assert rig.state_of(booked.bookings[0].id) == "PAID_APPROVED"


def test_cash_needs_an_open_shift_of_the_cashier(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.open_shift("citra")
    token, lock = rig.take(booked.invoice_id, "bayu")

    answer = rig.settle(new_payment(booked, token, lock.epoch), "bayu")

    assert answer.outcome is SettleOutcome.SHIFT_NEEDED
    assert nothing_was_written(rig)


def cash(amount: int, received: int) -> TenderRow:
    return TenderRow(kind=TenderKind.CASH, amount=Rupiah(amount), received=Rupiah(received))


@pytest.mark.parametrize("wrong", ["less", "more", "change", "negative", "claimed"])
def test_tenders_that_are_not_exactly_what_is_due_are_refused(rig: WriteRig, booked: BookedOrder, wrong: str) -> None:
    token, lock = rig.take(booked.invoice_id)
    payment = new_payment(booked, token, lock.epoch)
    due = booked.total
    forged = {
        "less": replace(payment, tenders=(cash(due - 1, due - 1),)),
        "more": replace(payment, tenders=(cash(due + 1, due + 1),)),
        "change": replace(payment, change=Rupiah(50_000)),
        "negative": replace(payment, tenders=(cash(due + 1, due + 1), cash(-1, -1))),
        "claimed": replace(payment, amount=Rupiah(1)),
    }[wrong]

    answer = rig.settle(forged)

    assert (answer.outcome, answer.due) == (SettleOutcome.AMOUNT_MISMATCH, due)
    assert nothing_was_written(rig)


def test_a_tender_that_is_no_counters_is_refused_by_name(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)
    tender = TenderRow(kind=TenderKind.GATEWAY, amount=booked.total, received=booked.total)

    with pytest.raises(Refusal) as refused:
        rig.settle(replace(new_payment(booked, token, lock.epoch), tenders=(tender,)))

    assert (refused.value.field, refused.value.params["given"]) == ("tenders.kind", "GATEWAY")
    assert nothing_was_written(rig)


def test_numbers_are_gapless_under_eight_cashiers_and_failed_settlements_burn_none(rig: WriteRig) -> None:
    cashiers = {login: rig.new_store(login, pool_size=4) for login in ("bayu", "citra")}
    for login in cashiers:
        rig.open_shift(login)
    orders = [
        rig.book("AVZ-01", first=day, last=day)
        for day in (dt.date(2027, 6, 1) + dt.timedelta(days=n) for n in range(24))
    ]

    def work(worker: int) -> list[SettleAnswer]:
        login = ("bayu", "citra")[worker % 2]
        answers = []
        for booked in orders[worker::8]:
            token = secrets.token_urlsafe(32)
            lock = cashiers[login].transact(lambda tx, b=booked, t=token: tx.take_lock(b.invoice_id, t, "K1"))
            bad = new_payment(booked, token, lock.epoch + 1)
            good = new_payment(booked, token, lock.epoch)
            for payment in (bad, good):
                answers.append(cashiers[login].transact(lambda tx, p=payment: tx.settle(p)))
        return answers

    results = at_once([lambda w=worker: work(w) for worker in range(8)])

    answers = [answer for item in results if isinstance(item, list) for answer in item]
    assert len(answers) == 48, results
    numbers = sorted(answer.number for answer in answers if answer.number)
    assert numbers == [f"INV/JKT/202703/{n:05d}" for n in range(1, 25)]
    rig.insist_on_invariants()


def test_a_settlement_that_is_rolled_back_burns_no_number(rig: WriteRig, booked: BookedOrder) -> None:
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    token, lock = rig.take(booked.invoice_id)
    payment = new_payment(booked, token, lock.epoch)

    def change_of_mind(tx: object) -> None:
        assert tx.settle(payment).number == "INV/JKT/202703/00001"  # type: ignore[attr-defined]
        raise KeyError

    with pytest.raises(KeyError):
        rig.store("bayu").transact(change_of_mind)

    assert rig.pay(other, "citra").number == "INV/JKT/202703/00001"


def test_c77_number_and_date_come_from_one_reading_of_the_branchs_clock(rig: WriteRig) -> None:
    """23:59:59.9 of the 31st in Jakarta is still March, whatever it is elsewhere; so is its number."""
    rig.open_shift()
    first = rig.book("AVZ-01", first=dt.date(2027, 4, 10), last=dt.date(2027, 4, 12))
    second = rig.book("AVZ-02", first=dt.date(2027, 4, 10), last=dt.date(2027, 4, 12))
    rig.owner.execute("UPDATE sentra.driven_clock SET stands_at = '2027-03-31 16:59:59.9+00', shift = '0'")
    rig.owner.execute("ALTER TABLE sentra.booking DISABLE TRIGGER booking_guard")
    rig.owner.execute("UPDATE sentra.booking SET payment_deadline = '2027-03-31 18:00+00'")
    rig.owner.execute("ALTER TABLE sentra.booking ENABLE TRIGGER booking_guard")

    before_midnight = rig.pay(first)
    rig.database.clock.advance(dt.timedelta(milliseconds=200))
    after_midnight = rig.pay(second)

    assert (before_midnight.number, after_midnight.number) == ("INV/JKT/202703/00001", "INV/JKT/202704/00001")
    assert rig.rows("SELECT issued_on FROM sentra.invoice ORDER BY number") == [
        (dt.date(2027, 3, 31),),
        (dt.date(2027, 4, 1),),
    ]


def test_c49_of_two_unpaid_bookings_over_each_other_one_is_paid(rig: WriteRig, booked: BookedOrder) -> None:
    """Only with the constraint dropped can there be two; the unit's row lock then lets one cashier through."""
    other = rig.book("AVZ-02", first=march(11), last=march(13))
    rig.owner.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    rig.owner.execute("SET session_replication_role = replica")
    rig.owner.execute("UPDATE sentra.occupancy SET unit_id = 'AVZ-01'")
    rig.owner.execute("UPDATE sentra.booking SET unit_id = 'AVZ-01'")
    rig.owner.execute("RESET session_replication_role")
    work = []
    for order, login in ((booked, "bayu"), (other, "citra")):
        token, lock = rig.take(order.invoice_id, login)
        payment = new_payment(order, token, lock.epoch)
        store = rig.new_store(login, pool_size=1)
        work.append(lambda s=store, p=payment: s.transact(lambda tx: tx.settle(p)))

    answers = [item for item in at_once(work) if isinstance(item, SettleAnswer)]

    assert sorted(item.outcome for item in answers) == [SettleOutcome.DAYS_TAKEN, SettleOutcome.PAID]
    (refused,) = [item for item in answers if item.outcome is SettleOutcome.DAYS_TAKEN]
    assert [item.state for item in refused.blockers] == [BookingState.PAID_APPROVED]
    assert rig.value("SELECT count(*) FROM sentra.booking WHERE state = 'PAID_APPROVED'") == 1


def test_an_invoice_is_settled_by_its_own_branch_only(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)

    answer = rig.settle(new_payment(booked, token, lock.epoch), "tono")

    assert answer.outcome is SettleOutcome.NOT_FOUND


def test_paying_an_order_of_two_units_approves_both(rig: WriteRig) -> None:
    rig.open_shift()
    booked = rig.book("AVZ-02", "AVZ-01", first=march(10), last=march(12))

    answer = rig.pay(booked)

    assert answer.booking_states == {item.id: BookingState.PAID_APPROVED for item in booked.bookings}
    rig.insist_on_invariants()


def test_one_shift_per_cashier_and_per_drawer(rig: WriteRig) -> None:
    shift = rig.store("bayu").transact(lambda tx: tx.open_shift("Laci 1", Rupiah(200_000), "K1"))

    with pytest.raises(Refusal) as mine:
        rig.store("bayu").transact(lambda tx: tx.open_shift("Laci 2", Rupiah(0), "K1"))
    with pytest.raises(Refusal) as drawer:
        rig.store("citra").transact(lambda tx: tx.open_shift("Laci 1", Rupiah(0), "K1"))
    other = rig.store("tono").transact(lambda tx: tx.open_shift("Laci 1", Rupiah(0), "K1"))

    assert (shift.number, shift.drawer, shift.opening_float) == (1, "Laci 1", 200_000)
    assert (mine.value.code, mine.value.params["reason"]) == (RefusalCode.DUPLICATE, "my_shift")
    assert (drawer.value.code, drawer.value.field) == (RefusalCode.DUPLICATE, "drawer")
    assert other.number == 1
