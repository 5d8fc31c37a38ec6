"""Settling under the token lock on real servers: one holder, one payment, nothing written by who lost the lock."""

import dataclasses
import datetime as dt
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psycopg
import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState, Tender, TenderKind
from app.domain.lock import LockHandle
from app.domain.money import Rupiah
from app.usecases.rows import BookedOrder
from app.usecases.settlement import Recalled
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT, postgres_proxy
from tests.support.waiting import eventually
from tests.support.world import AVANZA, AVANZAS, WIB, World, blockers_of, cash, days, line, refused

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")


@pytest.fixture
def siti(world: World) -> Counter:
    """A cashier with an open shift, at the first counter."""
    made = world.counter("siti", "Kasir 1")
    world.open_shift(made)
    return made


@pytest.fixture
def budi(world: World) -> Counter:
    """Another cashier with an open shift, at the second counter."""
    made = world.counter("budi", "Kasir 2")
    world.open_shift(made)
    return made


@pytest.fixture
def booked(world: World, siti: Counter) -> BookedOrder:
    return world.book(siti, MARCH)


def locks(world: World) -> list[tuple[object, ...]]:
    return world.rows(
        "SELECT locked_by, locked_until, lock_token, locked_at, locked_counter FROM sentra.invoice ORDER BY created_at"
    )


def test_paying_settles_the_invoice_frees_its_lock_and_approves_the_booking(
    world: World, siti: Counter, booked: BookedOrder
) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    assert held.remaining_ms == 60_000
    receipt = siti.settlement.settle(held.handle, siti.new_id(), [cash(2_000_000)])
    assert (receipt.number, receipt.change, receipt.already) == ("INV/JKT/202703/00001", 450_000, False)
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    assert locks(world) == [(None,) * 5]
    assert world.rows("SELECT state, paid, lock_epoch FROM sentra.invoice") == [("PAID", booked.total, 1)]
    assert world.rows("SELECT amount, change, lock_epoch FROM sentra.payment") == [(booked.total, 450_000, 1)]
    assert world.rows("SELECT kind, amount, received FROM sentra.tender") == [("CASH", booked.total, 2_000_000)]
    world.assert_sound()


def test_a_second_cashier_is_refused_with_name_counter_and_seconds(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    siti.settlement.open_invoice(booked.invoice_id)
    since = world.now()
    world.after(seconds=12)
    with pytest.raises(Refusal) as no:
        budi.settlement.open_invoice(booked.invoice_id)
    params = refused(no.value, RefusalCode.LOCK_HELD)
    assert (params["holder_name"], params["counter"], params["remaining_ms"]) == ("Siti", "Kasir 1", 48_000)
    assert params["since"] == since
    assert [item.action for item in no.value.next] == ["tell_me", "view_only"]
    (row,) = budi.settlement.invoices()
    assert (row.locked_by_name, row.locked_counter, row.lock_remaining_ms, row.locked_by_me) == (
        "Siti",
        "Kasir 1",
        48_000,
        False,
    )


def test_a_heartbeat_keeps_the_lock_for_as_long_as_it_beats(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    for _ in range(6):
        world.after(seconds=30)
        assert siti.settlement.renew_lock(held.handle, idle_ms=1_000) == 60_000
        with pytest.raises(Refusal):
            budi.settlement.open_invoice(booked.invoice_id)
    world.settle(siti, booked, held)


def test_fifteen_minutes_without_any_input_end_the_renewing(world: World, siti: Counter, booked: BookedOrder) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    assert siti.settlement.renew_lock(held.handle, idle_ms=899_999) == 60_000
    with pytest.raises(Refusal) as no:
        siti.settlement.renew_lock(held.handle, idle_ms=900_000)
    assert refused(no.value, RefusalCode.LOCK_LOST)["reason"] == "idle"


def test_r47_a_lock_that_ended_a_millisecond_ago_is_not_renewed(
    world: World, siti: Counter, booked: BookedOrder
) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    world.after(seconds=59.999)
    assert siti.settlement.renew_lock(held.handle, idle_ms=0) == 60_000
    world.after(seconds=60.001)
    with pytest.raises(Refusal) as no:
        siti.settlement.renew_lock(held.handle, idle_ms=0)
    refused(no.value, RefusalCode.LOCK_LOST)


def test_c65_who_lost_the_lock_does_not_free_the_new_holders(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    lost = siti.settlement.open_invoice(booked.invoice_id)
    world.after(seconds=61)
    held = budi.settlement.open_invoice(booked.invoice_id)
    before = locks(world)
    assert siti.settlement.release_lock(lost.handle) is False
    assert locks(world) == before
    world.settle(budi, booked, held)


def test_c66_r40_who_lost_the_lock_can_neither_renew_nor_pay_and_nothing_is_written(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    lost = siti.settlement.open_invoice(booked.invoice_id)
    world.after(seconds=61)
    held = budi.settlement.open_invoice(booked.invoice_id)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        siti.settlement.renew_lock(lost.handle, idle_ms=0)
    params = refused(no.value, RefusalCode.LOCK_LOST)
    assert (params["holder_name"], params["counter"]) == ("Budi", "Kasir 2")
    with pytest.raises(Refusal) as no:
        world.settle(siti, booked, lost)
    refused(no.value, RefusalCode.LOCK_LOST)
    assert world.counts() == before
    world.settle(budi, booked, held)
    assert world.rows("SELECT lock_epoch, count(*) FROM sentra.payment GROUP BY 1") == [(2, 1)]
    world.assert_sound()


def test_r48_a_lock_that_was_lost_taken_and_given_back_is_not_won_back_by_renewing(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    lost = siti.settlement.open_invoice(booked.invoice_id)
    world.after(seconds=61)
    assert budi.settlement.release_lock(budi.settlement.open_invoice(booked.invoice_id).handle)
    for ask in (partial(siti.settlement.renew_lock, lost.handle, 0), partial(world.settle, siti, booked, lost)):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.LOCK_LOST)


def test_c67_after_a_crash_the_next_cashier_is_in_after_60_seconds_and_the_audit_says_why(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    siti.settlement.open_invoice(booked.invoice_id)
    world.after(seconds=59)
    with pytest.raises(Refusal) as no:
        budi.settlement.open_invoice(booked.invoice_id)
    assert refused(no.value, RefusalCode.LOCK_HELD)["remaining_ms"] == 1_000
    world.after(seconds=1)
    assert budi.settlement.open_invoice(booked.invoice_id).handle.epoch == 2
    assert world.rows(
        "SELECT actor = %s, counter, before->>'locked_counter' FROM sentra.audit WHERE action = 'lock_expired'",
        f"{world.database.prefix}_budi",
    ) == [(True, "Kasir 2", "Kasir 1")]


def test_my_own_lock_at_another_window_is_moved_and_the_old_token_dies(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    first = siti.settlement.open_invoice(booked.invoice_id)
    again = world.counter("siti", "Kasir 9")
    with pytest.raises(Refusal) as no:
        again.settlement.open_invoice(booked.invoice_id)
    refused(no.value, RefusalCode.LOCK_MINE_ELSEWHERE)
    assert no.value.next[0].action == "move_here"
    with pytest.raises(Refusal) as no:
        budi.settlement.move_lock(booked.invoice_id)
    refused(no.value, RefusalCode.LOCK_HELD)
    moved = again.settlement.move_lock(booked.invoice_id)
    with pytest.raises(Refusal) as no:
        world.settle(siti, booked, first)
    refused(no.value, RefusalCode.LOCK_LOST)
    assert world.settle(again, booked, moved).number


def test_c61_five_presses_and_a_resend_are_one_payment(world: World, siti: Counter, booked: BookedOrder) -> None:
    held, attempt = siti.settlement.open_invoice(booked.invoice_id), siti.new_id()
    press = partial(siti.settlement.settle, held.handle, attempt, [cash(booked.total)])
    found = at_once(*(press for _ in range(5)))
    assert found.refusals == []
    world.after(minutes=3)
    receipts = [*found.results, press()]
    assert len({(receipt.payment_id, receipt.number, receipt.paid_at) for receipt in receipts}) == 1
    assert sorted(receipt.already for receipt in receipts) == [False, *(True for _ in range(5))]
    assert world.value("SELECT count(*) FROM sentra.payment") == 1
    assert world.value("SELECT last FROM sentra.number_counter") == 1
    world.assert_sound()


def test_a_second_attempt_on_a_paid_invoice_is_refused(world: World, siti: Counter, booked: BookedOrder) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    world.settle(siti, booked, held)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        world.settle(siti, booked, held)
    assert refused(no.value, RefusalCode.BOOKING_STATE, "invoice_id")["state"] == "PAID"
    with pytest.raises(Refusal) as no:
        siti.settlement.open_invoice(booked.invoice_id)
    refused(no.value, RefusalCode.BOOKING_STATE, "invoice_id")
    assert world.counts() == before


def test_r09_a_payment_whose_commit_answer_is_lost_is_one_payment_with_its_receipt(
    world: World, siti: Counter, booked: BookedOrder, tmp_path: Path
) -> None:
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    with proxy:
        away = world.counter("siti", "Kasir 1", url=url)
        held, attempt = away.settlement.open_invoice(booked.invoice_id), away.new_id()
        assert away.settlement.outcome_of(booked.invoice_id, attempt) is None
        proxy.swallow_next(COMMIT)
        receipt = away.settlement.settle(held.handle, attempt, [cash(booked.total)])
        assert proxy.swallowed == 1
    assert receipt.already
    assert receipt == siti.settlement.outcome_of(booked.invoice_id, attempt)
    assert world.rows("SELECT id::text FROM sentra.payment") == [(receipt.payment_id,)]
    world.assert_sound()


def test_a_payment_that_may_still_commit_is_not_known_until_it_has(
    world: World, siti: Counter, booked: BookedOrder
) -> None:
    world.do(
        "CREATE FUNCTION public.stalls() RETURNS trigger SECURITY DEFINER SET lock_timeout = 0 LANGUAGE plpgsql"
        " AS 'BEGIN PERFORM pg_advisory_xact_lock(78); RETURN NULL; END'"
    )
    world.do(
        "CREATE CONSTRAINT TRIGGER stalls AFTER INSERT ON sentra.payment DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION public.stalls()"
    )
    held, attempt = siti.settlement.open_invoice(booked.invoice_id), siti.new_id()
    with psycopg.connect(world.database.owner_url, autocommit=True) as disk, ThreadPoolExecutor(1) as aside:
        disk.execute("SELECT pg_advisory_lock(78)")
        paying = aside.submit(siti.settlement.settle, held.handle, attempt, [cash(booked.total)])
        eventually(
            lambda: world.value("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") == 1
        )
        assert siti.settlement.outcome_of(booked.invoice_id, attempt) is None, "a plain look sees nothing of it"
        with pytest.raises(Refusal) as no:
            siti.settlement.call_back(held.handle, attempt)
        assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == "busy"
        disk.execute("SELECT pg_advisory_unlock(78)")
        receipt = paying.result()
    found = siti.settlement.call_back(held.handle, attempt)
    assert found == Recalled(receipt=dataclasses.replace(receipt, already=True))
    assert world.value("SELECT count(*) FROM sentra.payment") == 1


def test_what_is_called_back_is_never_written_however_late_it_comes(
    world: World, siti: Counter, booked: BookedOrder
) -> None:
    held, attempt = siti.settlement.open_invoice(booked.invoice_id), siti.new_id()
    called_back = siti.settlement.call_back(held.handle, attempt)
    assert called_back.receipt is None
    assert called_back.lock is not None
    assert called_back.lock.remaining_ms == 60_000
    with pytest.raises(Refusal) as no:
        siti.settlement.settle(held.handle, attempt, [cash(booked.total)])
    refused(no.value, RefusalCode.LOCK_LOST)
    assert world.value("SELECT count(*) FROM sentra.payment") == 0
    assert siti.settlement.settle(called_back.lock.handle, attempt, [cash(booked.total)]).already is False
    assert world.value("SELECT count(*) FROM sentra.payment") == 1
    world.assert_sound()


def test_calling_back_leaves_the_lock_of_somebody_else_alone(
    world: World, siti: Counter, budi: Counter, booked: BookedOrder
) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    world.after(seconds=61)
    budi.settlement.open_invoice(booked.invoice_id)
    before = locks(world)
    assert siti.settlement.call_back(held.handle, siti.new_id()) == Recalled()
    assert locks(world) == before


def test_r41_when_the_database_does_not_answer_no_lock_is_held(
    world: World, siti: Counter, booked: BookedOrder, tmp_path: Path
) -> None:
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    away = world.counter("siti", "Kasir 1", url=url)
    proxy.close()
    with pytest.raises(Refusal) as no:
        away.settlement.open_invoice(booked.invoice_id)
    refused(no.value, RefusalCode.UNREACHABLE)
    assert locks(world) == [(None,) * 5]


def test_a_lock_that_somebody_works_on_for_too_long_is_unreachable_not_a_hang(
    world: World, siti: Counter, booked: BookedOrder
) -> None:
    with psycopg.connect(world.database.owner_url) as holder:
        holder.execute("SELECT 1 FROM sentra.invoice FOR UPDATE")
        with pytest.raises(Refusal) as no:
            siti.settlement.open_invoice(booked.invoice_id)
    assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == "busy"


def test_c47_paying_after_the_deadline_needs_a_lock_that_still_holds(
    world: World, siti: Counter, budi: Counter
) -> None:
    late, in_time = world.book(siti, MARCH), world.book(siti, MARCH, AVANZAS[1])
    world.after(minutes=14, seconds=50)
    held = budi.settlement.open_invoice(in_time.invoice_id)
    world.after(seconds=70 - 59)
    assert world.now() > late.now + dt.timedelta(minutes=15)
    with pytest.raises(Refusal) as no:
        siti.settlement.open_invoice(late.invoice_id)
    refused(no.value, RefusalCode.BOOKING_EXPIRED)
    service = world.service()
    assert service.sweeps.expire().done == 1, "only the one that nobody settles"
    world.settle(budi, in_time, held)
    assert world.state(in_time.bookings[0].id) == "PAID_APPROVED"
    assert world.state(late.bookings[0].id) == "CANCELLED"
    with pytest.raises(Refusal) as no:
        siti.settlement.open_invoice(late.invoice_id)
    refused(no.value, RefusalCode.BOOKING_EXPIRED)
    assert world.bits(AVANZA, "202703") == []
    assert world.bits(AVANZAS[1], "202703") == [10, 11, 12]


def test_c49_of_two_unpaid_bookings_forced_over_each_other_one_is_paid(
    world: World, siti: Counter, budi: Counter
) -> None:
    first, second = world.book(siti, MARCH), world.book(siti, MARCH, AVANZAS[1])
    world.do("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    world.do("ALTER TABLE sentra.occupancy DISABLE TRIGGER USER")
    world.do("ALTER TABLE sentra.booking DISABLE TRIGGER USER")
    world.do("UPDATE sentra.occupancy SET unit_id = %s", AVANZA)
    world.do("UPDATE sentra.booking SET unit_id = %s", AVANZA)
    world.do("ALTER TABLE sentra.occupancy ENABLE TRIGGER USER")
    world.do("ALTER TABLE sentra.booking ENABLE TRIGGER USER")
    found = at_once(partial(world.settle, siti, first), partial(world.settle, budi, second))
    (no,) = found.refusals
    (blocker,) = blockers_of(no)
    assert blocker["state"] == "PAID_APPROVED"
    assert len(found.results) == 1
    assert world.value("SELECT count(*) FROM sentra.booking WHERE state = 'PAID_APPROVED'") == 1
    assert world.value("SELECT count(*) FROM sentra.payment") == 1


def test_cancelling_while_a_cashier_settles_is_refused_naming_the_cashier(
    world: World, siti: Counter, booked: BookedOrder
) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    ayu = world.counter("ayu", "Kasir 3")
    with pytest.raises(Refusal) as no:
        ayu.bookings.cancel(booked.bookings[0].id)
    params = refused(no.value, RefusalCode.INVOICE_LOCKED)
    assert (params["holder_name"], params["counter"], params["remaining_ms"]) == ("Siti", "Kasir 1", 60_000)
    siti.settlement.release_lock(held.handle)
    assert ayu.bookings.cancel(booked.bookings[0].id).state.value == "CANCELLED"


def test_cash_needs_an_open_shift_and_nothing_is_written_without_one(world: World) -> None:
    budi = world.counter("budi")
    booked = world.book(budi, MARCH)
    held = budi.settlement.open_invoice(booked.invoice_id)
    with pytest.raises(Refusal) as no:
        world.settle(budi, booked, held)
    refused(no.value, RefusalCode.SHIFT_NEEDED)
    assert world.value("SELECT count(*) FROM sentra.payment") == 0
    world.open_shift(budi)
    world.settle(budi, booked, held)


def test_who_may_not_settle_is_refused_and_the_list_stays_readable(world: World, booked: BookedOrder) -> None:
    handle = LockHandle(invoice_id=booked.invoice_id, token="x" * 43, epoch=1)
    for login in ("ayu", "dedi"):
        who = world.counter(login, "Kasir 5")
        for ask in (
            partial(who.settlement.open_invoice, booked.invoice_id),
            partial(who.settlement.move_lock, booked.invoice_id),
            partial(who.settlement.settle, handle, who.new_id(), [cash(booked.total)]),
        ):
            with pytest.raises(Refusal) as no:
                ask()
            refused(no.value, RefusalCode.NOT_ALLOWED)
        assert [row.id for row in who.settlement.invoices()] == [booked.invoice_id]


def test_c41_paying_in_any_zone_leaves_the_days_as_they_were_booked(world: World) -> None:
    for zone in ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"):
        world.do("UPDATE sentra.branch SET zone = %s WHERE id = 'JKT'", zone)
        cashier = world.counter("siti", f"Kasir {zone[-1]}")
        if cashier.shifts.current_shift() is None:
            world.open_shift(cashier)
        booked = world.book(cashier, MARCH, None)
        world.settle(cashier, booked)
        assert world.bits(booked.bookings[0].unit_id, "202703") == [10, 11, 12]
        assert world.rows(
            "SELECT first_day::text, last_day::text FROM sentra.booking WHERE id = %s", booked.bookings[0].id
        ) == [("2027-03-10", "2027-03-12")]
    world.assert_sound()


def test_c77_number_and_date_come_from_one_reading_at_the_end_of_a_month(world: World, siti: Counter) -> None:
    world.stand(dt.datetime(2027, 3, 31, 23, 59, 59, 900_000, tzinfo=WIB))
    world.settle(siti, world.book(siti, days("2027-04-05")))
    world.stand(dt.datetime(2027, 4, 1, 0, 0, 0, tzinfo=WIB))
    world.settle(siti, world.book(siti, days("2027-04-06")))
    assert world.rows("SELECT number, issued_on::text FROM sentra.invoice ORDER BY number") == [
        ("INV/JKT/202703/00001", "2027-03-31"),
        ("INV/JKT/202704/00001", "2027-04-01"),
    ]


def test_r17_many_settlements_at_once_burn_no_number_and_pay_nothing_twice(
    world: World, siti: Counter, budi: Counter
) -> None:
    orders = [world.book(siti, days(f"2027-04-{day:02}"), unit) for day in range(1, 9) for unit in AVANZAS[:2]]

    def work(cashier: Counter) -> int:
        paid = 0
        for booked in orders:
            try:
                world.settle(cashier, booked)
            except Refusal as no:
                assert no.code in {RefusalCode.LOCK_HELD, RefusalCode.BOOKING_STATE}, str(no)
            else:
                paid += 1
        return paid

    found = at_once(partial(work, siti), partial(work, budi))
    unpaid = [booked for booked in orders if world.state(booked.bookings[0].id) != "PAID_APPROVED"]
    for booked in unpaid:
        world.settle(siti, booked)
    assert sum(found.results) + len(unpaid) == len(orders)
    numbers = [str(number) for (number,) in world.rows("SELECT number FROM sentra.invoice ORDER BY number")]
    assert numbers == [f"INV/JKT/202703/{n:05}" for n in range(1, len(orders) + 1)]
    assert world.value("SELECT count(*) FROM sentra.payment") == len(orders)
    world.assert_sound()


def test_an_order_of_several_units_is_paid_as_one(world: World, siti: Counter) -> None:
    booked = world.order(siti, [line(MARCH, unit) for unit in AVANZAS])
    world.settle(siti, booked)
    assert {world.state(item.id) for item in booked.bookings} == {"PAID_APPROVED"}
    (row,) = siti.settlement.invoices((InvoiceState.PAID,))
    assert (row.unit_count, row.paid) == (3, booked.total)


BAD_TENDERS: dict[str, tuple[list[Tender], str, str, str | None]] = {
    "none": ([], "FIELD_INVALID", "tenders", "empty"),
    "nothing": ([cash(0)], "FIELD_INVALID", "tenders.amount", "not_an_amount"),
    "negative": ([cash(-1)], "FIELD_INVALID", "tenders.amount", "not_an_amount"),
    "huge": ([cash(10**18)], "FIELD_INVALID", "tenders.amount", "not_an_amount"),
    "one short": ([cash(1_549_999)], "AMOUNT_MISMATCH", "tenders.amount", None),
    "not needed": ([cash(1_550_000), cash(1)], "FIELD_INVALID", "tenders.amount", "not_needed"),
    "a card": (
        [Tender(kind=TenderKind.EDC, amount=Rupiah(1_550_000))],
        "FIELD_INVALID",
        "tenders.bank",
        "empty",
    ),
}


@pytest.mark.parametrize("name", BAD_TENDERS)
def test_bad_tenders_are_refused_by_field_and_change_nothing(world: World, siti: Counter, name: str) -> None:
    tenders, code, field, reason = BAD_TENDERS[name]
    booked = world.book(siti, MARCH)
    held = siti.settlement.open_invoice(booked.invoice_id)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        siti.settlement.settle(held.handle, siti.new_id(), tenders)
    assert refused(no.value, RefusalCode(code), field).get("reason") == reason
    assert world.counts() == before


def test_bad_handles_and_ids_are_refused_by_field(world: World, siti: Counter, booked: BookedOrder) -> None:
    held = siti.settlement.open_invoice(booked.invoice_id)
    tender = [cash(booked.total)]
    settle: Callable[..., object] = siti.settlement.settle
    renew: Callable[..., object] = siti.settlement.renew_lock
    before = world.counts()

    def changed(**fields: object) -> LockHandle:
        return dataclasses.replace(held.handle, **fields)  # type: ignore[arg-type]

    for ask, field in (
        (partial(settle, held.handle, "'; --", tender), "attempt_id"),
        (partial(settle, changed(invoice_id="x"), siti.new_id(), tender), "invoice_id"),
        (partial(settle, changed(epoch=10**30), siti.new_id(), tender), "epoch"),
        (partial(settle, changed(epoch=-1), siti.new_id(), tender), "epoch"),
        (partial(settle, changed(token="a\0b"), siti.new_id(), tender), "token"),
        (partial(settle, changed(token="\ud800"), siti.new_id(), tender), "token"),
        (partial(renew, changed(epoch=10**30), 0), "epoch"),
        (partial(renew, changed(token="x" * 300), 0), "token"),
        (partial(renew, held.handle, -1), "idle_ms"),
        (partial(renew, held.handle, 10**15), "idle_ms"),
        (partial(siti.settlement.release_lock, changed(token="\0")), "token"),
        (partial(siti.settlement.open_invoice, ""), "invoice_id"),
        (partial(siti.settlement.invoice, "None"), "invoice_id"),
        (partial(siti.settlement.move_lock, "%s"), "invoice_id"),
    ):
        with pytest.raises(Refusal) as no:
            ask()
        refused(no.value, RefusalCode.FIELD_INVALID, field)
    assert world.counts() == before
    with pytest.raises(Refusal) as no:
        siti.settlement.open_invoice(str(uuid.uuid4()))
    refused(no.value, RefusalCode.NOT_FOUND, "invoice_id")
    world.settle(siti, booked, held)


def test_an_attempt_id_of_another_invoice_is_refused(world: World, siti: Counter, booked: BookedOrder) -> None:
    other = world.book(siti, MARCH, AVANZAS[1])
    attempt = siti.new_id()
    siti.settlement.settle(siti.settlement.open_invoice(booked.invoice_id).handle, attempt, [cash(booked.total)])
    held = siti.settlement.open_invoice(other.invoice_id)
    with pytest.raises(Refusal) as no:
        siti.settlement.settle(held.handle, attempt, [cash(other.total)])
    refused(no.value, RefusalCode.DUPLICATE, "attempt_id")
    assert world.state(other.bookings[0].id) == "PENDING_PAYMENT"
