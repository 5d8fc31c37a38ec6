"""What a transaction does when the network, a deadlock or a login gets in its way."""

import shutil
import tempfile
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from app.adapters.postgres.store import FIRST_PAUSE_SECONDS, PostgresStore
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows import BookedOrder, SettleOutcome
from tests.adapters.postgres.commit_swallower import CommitSwallower, swallowing_proxy
from tests.adapters.postgres.write_rig import WriteRig, book_with, cancel_with, march, new_order, new_payment


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A socket's path must be short."""
    folder = Path(tempfile.mkdtemp(prefix="sw-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def through(rig: WriteRig, short_folder: Path) -> Iterator[tuple[CommitSwallower, PostgresStore, list[float]]]:
    """A cashier (and agent) whose COMMIT answers can be lost, and the pauses the store made."""
    pauses: list[float] = []
    with swallowing_proxy(rig.database.url_for("bayu"), short_folder) as (proxy, url):
        store = rig.new_store("bayu", url=url, pool_size=1, sleep=pauses.append)
        yield proxy, store, pauses
        store.close()


def test_r09_a_booking_whose_commit_answer_was_lost_is_found_not_repeated(
    rig: WriteRig, through: tuple[CommitSwallower, PostgresStore, list[float]]
) -> None:
    proxy, store, pauses = through
    order = new_order(["AVZ-01"], march(10), march(12))
    proxy.armed = 1

    answer = book_with(store, order)

    assert (proxy.swallowed, len(pauses)) == (1, 1)
    assert isinstance(answer, BookedOrder)
    assert answer.repeat
    assert rig.rows("SELECT id::text FROM sentra.booking") == [(answer.bookings[0].id,)]
    assert rig.value("SELECT count(*) FROM sentra.invoice") == 1


def test_r09_a_payment_whose_commit_answer_was_lost_answers_already_paid(
    rig: WriteRig, through: tuple[CommitSwallower, PostgresStore, list[float]]
) -> None:
    proxy, store, _ = through
    rig.open_shift()
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    token, lock = rig.take(booked.invoice_id)
    payment = new_payment(booked, token, lock.epoch)
    proxy.armed = 1

    answer = store.transact(lambda tx: tx.settle(payment))

    assert (answer.outcome, answer.payment_id) == (SettleOutcome.ALREADY, payment.id)
    assert rig.value("SELECT count(*) FROM sentra.payment") == 1


def test_a_cancel_and_a_shift_whose_commit_answer_was_lost_answer_as_they_were_done(
    rig: WriteRig, through: tuple[CommitSwallower, PostgresStore, list[float]]
) -> None:
    proxy, store, _ = through
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    proxy.armed = 1
    ended = cancel_with(store, booked.bookings[0].id)
    proxy.armed = 1
    shift = store.transact(lambda tx: tx.open_shift("Laci 1", Rupiah(0), "K1"))

    assert proxy.swallowed == 2
    assert [item.days.first for item in ended.freed] == [march(10)]
    assert ended.projections[0].days == ()
    assert shift.number == 1
    assert rig.value("SELECT count(*) FROM sentra.freed_stretch") == 1
    assert rig.value("SELECT count(*) FROM sentra.shift") == 1


def test_a_cancel_by_somebody_else_meanwhile_is_still_refused(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.cancel(booked.bookings[0].id, "citra")

    with rig.psql("bayu") as mine, pytest.raises(psycopg.Error) as refused:
        mine.execute("SELECT sentra.end_booking(%s, 'cancel', '', NULL, true)", (booked.bookings[0].id,))

    assert refused.value.diag.message_primary == "BOOKING_STATE"


def test_a_connection_that_always_dies_ends_as_unreachable_with_an_unknown_outcome(
    rig: WriteRig, through: tuple[CommitSwallower, PostgresStore, list[float]]
) -> None:
    proxy, store, pauses = through
    proxy.armed = 99

    with pytest.raises(Refusal) as refused:
        book_with(store, new_order(["AVZ-01"], march(10), march(12)))

    assert refused.value.code is RefusalCode.UNREACHABLE
    assert refused.value.params == {"reason": "database", "outcome": "unknown"}
    # Twice as long each time, give or take a half: two clerks who failed together do not come back together.
    assert len(pauses) == 3
    assert all(0.5 <= pause / (FIRST_PAUSE_SECONDS * 2**tries) < 1.5 for tries, pause in enumerate(pauses, start=1))


def test_a_session_ended_by_the_server_between_two_steps_is_replaced_unnoticed(rig: WriteRig) -> None:
    pauses: list[float] = []
    store = rig.new_store("rina", pool_size=1, sleep=pauses.append)
    book_with(store, new_order(["AVZ-01"], march(10), march(12)))
    rig.owner.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s AND application_name = 'sentra/K1'",
        (rig.role("rina"),),
    )

    answer = book_with(store, new_order(["AVZ-02"], march(10), march(12)))

    assert isinstance(answer, BookedOrder)
    assert len(pauses) == 1


def test_connections_that_all_died_at_once_cost_one_try_not_one_each(rig: WriteRig) -> None:
    pauses: list[float] = []
    store = rig.new_store("rina", pool_size=4, sleep=pauses.append)
    together = threading.Barrier(4)

    def meet(tx: object) -> None:
        tx._call.ask("SELECT 1")  # type: ignore[attr-defined]
        together.wait(30)

    with ThreadPoolExecutor(4) as clerks:
        for met in [clerks.submit(store.transact, meet) for _ in range(4)]:
            met.result()
    rig.owner.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s", (rig.role("rina"),)
    )

    answer = book_with(store, new_order(["AVZ-01"], march(10), march(12)))
    with ThreadPoolExecutor(4) as clerks:
        for read in [clerks.submit(store.read.now) for _ in range(4)]:
            read.result()

    assert isinstance(answer, BookedOrder)
    assert len(pauses) == 1


def test_r09_a_step_of_one_call_whose_answer_was_lost_is_found_not_repeated(
    rig: WriteRig, through: tuple[CommitSwallower, PostgresStore, list[float]]
) -> None:
    proxy, store, pauses = through
    order = new_order(["AVZ-01"], march(10), march(12))
    proxy.armed = 1

    answer = store.transact(lambda tx: tx.book(order), one_call=True)

    assert (proxy.swallowed, len(pauses)) == (1, 1)
    assert isinstance(answer, BookedOrder)
    assert answer.repeat
    assert rig.value("SELECT count(*) FROM sentra.booking") == 1


def test_r09_a_step_of_one_call_that_is_never_answered_has_an_unknown_outcome(
    rig: WriteRig, through: tuple[CommitSwallower, PostgresStore, list[float]]
) -> None:
    proxy, store, _ = through
    proxy.armed = 99

    with pytest.raises(Refusal) as refused:
        store.transact(lambda tx: tx.book(new_order(["AVZ-01"], march(10), march(12))), one_call=True)

    assert refused.value.params == {"reason": "database", "outcome": "unknown"}


def test_a_step_of_one_call_that_fails_writes_nothing_and_leaves_its_connection_fit(rig: WriteRig) -> None:
    store = rig.new_store("rina", pool_size=1)
    order = new_order(["AVZ-01"], march(10), march(12))

    with pytest.raises(DBAPIError, match="division by zero"):
        store.transact(lambda tx: tx._call.ask("SELECT 1 / %s::integer", 0), one_call=True)  # type: ignore[attr-defined]
    with pytest.raises(Refusal):
        store.transact(lambda tx: tx.take_lock(str(uuid.uuid4()), "t", "K1"), one_call=True)
    with pytest.raises(RuntimeError, match="second"):
        store.transact(lambda tx: (tx.book(order), tx.book(order)), one_call=True)

    assert isinstance(store.transact(lambda tx: tx.book(order), one_call=True), BookedOrder)
    assert rig.value("SELECT count(*) FROM sentra.booking") == 1
    assert rig.rows(
        "SELECT DISTINCT state FROM pg_stat_activity WHERE usename = %s AND backend_type = 'client backend'",
        rig.role("rina"),
    ) == [("idle",)]


def test_while_a_person_waits_for_an_answer_the_other_threads_of_the_program_go_on(rig: WriteRig) -> None:
    store = rig.new_store("rina", pool_size=2)
    order = new_order(["AVZ-01"], march(10), march(12))

    with ThreadPoolExecutor(1) as clerk, rig.owner.transaction():
        rig.owner.execute("SELECT FROM sentra.unit WHERE id = 'AVZ-01' FOR UPDATE")
        waiting = clerk.submit(store.transact, lambda tx: tx.book(order), one_call=True)
        while not (waiting.done() or rig.value("SELECT count(*) FROM pg_locks WHERE NOT granted")):
            store.read.now()  # it would never be answered if who waits held the interpreter
        assert not waiting.done()
    assert isinstance(waiting.result(30), BookedOrder)


def test_a_deadlocks_victim_is_tried_again_with_growing_pauses_then_busy(rig: WriteRig) -> None:
    pauses: list[float] = []
    store = rig.new_store("rina", sleep=pauses.append)
    tries: list[int] = []

    def victim(tx: object) -> None:
        tries.append(1)
        tx._call.ask("DO $$ BEGIN RAISE EXCEPTION 'victim' USING ERRCODE = '40P01'; END $$")  # type: ignore[attr-defined]

    with pytest.raises(Refusal) as refused:
        store.transact(victim)

    assert (len(tries), len(pauses)) == (4, 3)
    assert refused.value.params == {"reason": "busy"}


def test_a_fault_of_ours_is_not_hidden_behind_a_refusal(rig: WriteRig) -> None:
    with pytest.raises(DBAPIError, match="does not exist"):
        rig.store("rina").transact(lambda tx: tx._call.ask("SELECT sentra.no_such_thing()"))  # type: ignore[attr-defined]


def test_an_exception_of_the_caller_rolls_everything_back(rig: WriteRig) -> None:
    order = new_order(["AVZ-01"], march(10), march(12))

    def work(tx: object) -> None:
        tx.book(order)  # type: ignore[attr-defined]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        rig.store("rina").transact(work)

    assert rig.value("SELECT count(*) FROM sentra.booking_order") == 0


def test_a_wrong_password_is_not_allowed_and_never_tried_again(rig: WriteRig) -> None:
    pauses: list[float] = []
    url = rig.database.url_for("rina").replace(rig.database.passwords.of(rig.role("rina")), "salah")
    store = rig.new_store("rina", url=url, sleep=pauses.append)

    with pytest.raises(Refusal) as refused:
        store.transact(lambda tx: tx.open_shift("Laci 1", Rupiah(0), "K1"))

    assert (refused.value.code, refused.value.field) == (RefusalCode.NOT_ALLOWED, "login")
    assert pauses == []


def test_a_server_that_is_not_there_is_unreachable_with_nothing_unknown(short_folder: Path) -> None:
    pauses: list[float] = []
    store = PostgresStore(f"postgresql://a:b@/sentra?host={short_folder}&port=5432", sleep=pauses.append)

    with pytest.raises(Refusal) as refused:
        store.transact(lambda tx: tx.release_lock(str(uuid.uuid4()), "t", 1))

    assert refused.value.params == {"reason": "database"}
    assert len(pauses) == 1
    store.close()


def test_the_audit_names_person_and_counter(rig: WriteRig) -> None:
    store = rig.new_store("rina", counter="Loket 7")
    answer = book_with(store, new_order(["AVZ-01"], march(10), march(12)))

    assert isinstance(answer, BookedOrder)
    assert rig.rows("SELECT actor, counter, action FROM sentra.audit WHERE subject = %s", answer.bookings[0].id) == [
        (rig.role("rina"), "Loket 7", "create")
    ]


def test_a_rested_connection_is_checked_before_it_is_used(rig: WriteRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.adapters.postgres.connection.PING_AFTER_IDLE_SECONDS", -1.0)
    pauses: list[float] = []
    store = rig.new_store("rina", pool_size=1, sleep=pauses.append)
    book_with(store, new_order(["AVZ-01"], march(10), march(12)))
    rig.owner.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s", (rig.role("rina"),)
    )

    answer = book_with(store, new_order(["AVZ-02"], march(10), march(12)))

    assert isinstance(answer, BookedOrder)
    assert pauses == []
