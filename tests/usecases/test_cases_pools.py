"""Collected cases of other people's systems: who holds a lock is read from its row, and connections come to an end."""

from __future__ import annotations

import threading

import psycopg
import pytest

from app.bootstrap import Counter
from app.domain.booking import BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.lock import LockHandle
from tests.support.waiting import eventually
from tests.support.world import AVANZA, World, days, refused

pytest_plugins = ["tests.support.world_fixtures"]


def test_r50_whether_an_invoice_is_locked_is_read_from_its_row_by_every_object_that_is_asked(world: World) -> None:
    """A second window, another counter and one that starts only now say the same; what one remembers counts nothing."""
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    booked = world.book(siti, days("2027-03-20"))
    held = siti.settlement.open_invoice(booked.invoice_id)

    def seen_by(who: Counter) -> tuple[object, ...]:
        row = who.settlement.invoice(booked.invoice_id).row
        (listed,) = [item for item in who.settlement.invoices() if item.id == booked.invoice_id]
        assert (row.locked_by, row.lock_remaining_ms, row.locked_by_me) == (
            listed.locked_by,
            listed.lock_remaining_ms,
            listed.locked_by_me,
        )
        return row.locked_by_name, row.locked_counter, row.lock_remaining_ms, row.locked_by_me

    window, late = world.counter("siti", "Kasir 7"), world.counter("ayu", "Kasir 8")
    assert seen_by(siti) == seen_by(window) == ("Siti", "Kasir 1", 60_000, True)
    assert seen_by(budi) == seen_by(late) == ("Siti", "Kasir 1", 60_000, False)
    with world.redis() as client:
        client.flushall()
    siti.close()  # it is gone, and never said so
    world.after(seconds=45)
    assert seen_by(window) == ("Siti", "Kasir 1", 15_000, True)
    guess = LockHandle(invoice_id=booked.invoice_id, token="x" * 43, epoch=held.handle.epoch)
    with pytest.raises(Refusal) as no:
        window.settlement.renew_lock(guess, 0)
    refused(no.value, RefusalCode.LOCK_LOST)
    assert window.settlement.release_lock(guess) is False
    assert seen_by(budi) == ("Siti", "Kasir 1", 15_000, False)
    world.after(seconds=15)
    assert seen_by(budi)[2] == 0
    assert budi.settlement.open_invoice(booked.invoice_id).remaining_ms == 60_000
    assert seen_by(window) == ("Budi", "Kasir 2", 60_000, False)


SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND datname = current_database()"


def test_r63_a_counter_closed_in_the_middle_of_its_queries_leaves_no_session_behind(world: World) -> None:
    role = f"{world.database.prefix}_dedi"
    assert world.value(SESSIONS, role) == 0
    for _ in range(200):
        dedi = world.counter("dedi")
        ended = threading.Event()

        def look(who: Counter = dedi, ended: threading.Event = ended) -> None:
            try:
                while not ended.is_set():
                    who.calendar.calendar(days("2027-03-01", "2027-05-31"))
            except Refusal as no:
                assert no.code is RefusalCode.UNREACHABLE

        threads = [threading.Thread(target=look, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        eventually(lambda: world.value(SESSIONS, role) not in (0, 1), every=0.001)
        dedi.close()
        ended.set()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        dedi.close()
    eventually(lambda: world.value(SESSIONS, role) == 0, what="every session is gone")


def test_r64_with_every_connection_in_use_the_next_question_is_answered_within_its_time(world: World) -> None:
    ayu = world.counter("ayu")
    most = 30
    let_go, failed, held = threading.Event(), [], []

    def hold() -> None:
        try:
            ayu.store.transact(lambda tx: held.append(let_go.wait(60)))
        except Refusal as no:
            failed.append(no)

    threads = [threading.Thread(target=hold, daemon=True) for _ in range(most)]
    for thread in threads:
        thread.start()
    try:
        with pytest.raises(Refusal) as read:
            ayu.calendar.fleet()
        with pytest.raises(Refusal) as written:
            world.book(ayu, days("2027-03-20"))
    finally:
        let_go.set()
        for thread in threads:
            thread.join(30)
    assert refused(read.value, RefusalCode.UNREACHABLE)["reason"] == "busy"
    assert refused(written.value, RefusalCode.UNREACHABLE)["reason"] == "busy"
    assert all(held), "both were answered while every connection was still held"
    assert len(failed) + len(held) == most
    assert 0 < len(failed) < most, "some held a connection, the others were told"
    assert {no.code for no in failed} == {RefusalCode.UNREACHABLE}
    assert world.counts()["booking"] == 0
    booked = world.book(ayu, days("2027-03-20"))
    assert world.bits(AVANZA, "202703") == [20]
    assert booked.bookings[0].state is BookingState.PENDING_PAYMENT
    assert world.value(SESSIONS, f"{world.database.prefix}_ayu") <= 5  # type: ignore[operator]


def test_r64_a_login_with_no_connection_left_is_told_so_at_once_and_works_again_when_one_ends(world: World) -> None:
    role = f"{world.database.prefix}_dedi"
    dedi = world.counter("dedi")
    dedi.close()
    world.do(f'ALTER ROLE "{role}" CONNECTION LIMIT 3')
    try:
        held = [psycopg.connect(world.url_of("dedi")) for _ in range(3)]
        with pytest.raises(Refusal) as no:
            world.counter("dedi")
        refused(no.value, RefusalCode.UNREACHABLE)
        for connection in held:
            connection.close()
        eventually(lambda: world.value(SESSIONS, role) == 0)
        assert world.counter("dedi").calendar.fleet()
    finally:
        world.do(f'ALTER ROLE "{role}" CONNECTION LIMIT -1')
