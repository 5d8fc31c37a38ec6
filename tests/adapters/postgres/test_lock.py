"""The invoice lock of the second seed: one holder, 60 seconds, and no way to hold it by mistake or by force."""

import datetime as dt
import secrets
import threading

import psycopg
import pytest

from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import InvoiceState
from app.usecases.rows import BookedOrder, LockAnswer, LockOutcome, SettleOutcome
from tests.adapters.postgres.write_rig import WriteRig, at_once, march, new_payment
from tests.support.waiting import eventually


@pytest.fixture
def booked(rig: WriteRig) -> BookedOrder:
    return rig.book("AVZ-01", first=march(10), last=march(12))


def lock_columns(rig: WriteRig) -> tuple[object, ...]:
    (row,) = rig.rows("SELECT locked_by, locked_until, lock_token, locked_counter, lock_epoch FROM sentra.invoice")
    return row


def test_taking_a_free_lock_holds_it_for_sixty_seconds(rig: WriteRig, booked: BookedOrder) -> None:
    token, answer = rig.take(booked.invoice_id, counter="Kasir 2")

    assert (answer.outcome, answer.epoch, answer.remaining_ms) == (LockOutcome.TAKEN, 1, 60_000)
    until = rig.database.clock.now() + dt.timedelta(seconds=60)
    assert lock_columns(rig) == (rig.role("bayu"), until, token, "Kasir 2", 1)


def test_another_cashier_is_told_who_where_since_when_and_for_how_long(rig: WriteRig, booked: BookedOrder) -> None:
    since = rig.database.clock.now()
    rig.take(booked.invoice_id, "bayu", counter="Kasir 2")
    rig.minutes_pass(0.25)

    _, answer = rig.take(booked.invoice_id, "citra")

    assert answer == LockAnswer(
        outcome=LockOutcome.HELD,
        epoch=1,
        remaining_ms=45_000,
        holder=rig.role("bayu"),
        holder_name="Bayu",
        holder_counter="Kasir 2",
        held_since=since,
        invoice_state=InvoiceState.OPEN,
    )


def test_the_same_token_again_is_the_same_lock(rig: WriteRig, booked: BookedOrder) -> None:
    token, first = rig.take(booked.invoice_id)

    again = rig.store("bayu").transact(lambda tx: tx.take_lock(booked.invoice_id, token, "K1"))

    assert (again.outcome, again.epoch) == (LockOutcome.SAME, first.epoch)


def test_my_own_other_window_is_refused_and_may_move_the_lock(rig: WriteRig, booked: BookedOrder) -> None:
    old_token, old = rig.take(booked.invoice_id, counter="K1")
    new_token = secrets.token_urlsafe(32)

    _, refused = rig.take(booked.invoice_id, counter="K2")
    moved = rig.store("bayu").transact(lambda tx: tx.move_lock(booked.invoice_id, new_token, "K2"))
    old_beat = rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, old_token, old.epoch, 0))

    assert refused.outcome is LockOutcome.MINE_ELSEWHERE
    assert (moved.outcome, moved.epoch, moved.holder_counter) == (LockOutcome.TAKEN, 2, "K2")
    assert old_beat.outcome is LockOutcome.LOST


def test_a_lock_moves_only_while_it_is_mine_and_valid(rig: WriteRig, booked: BookedOrder) -> None:
    def move(login: str) -> LockOutcome:
        token = secrets.token_urlsafe(32)
        return rig.store(login).transact(lambda tx: tx.move_lock(booked.invoice_id, token, "K2")).outcome

    assert move("bayu") is LockOutcome.LOST
    rig.take(booked.invoice_id, "bayu")
    assert move("citra") is LockOutcome.HELD
    rig.minutes_pass(1)
    assert move("bayu") is LockOutcome.LOST


def test_a_beat_renews_to_sixty_seconds_from_now(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)
    rig.minutes_pass(0.5)

    beat = rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, token, lock.epoch, 1_000))

    assert (beat.outcome, beat.epoch, beat.remaining_ms) == (LockOutcome.SAME, 1, 60_000)


def test_fifteen_minutes_without_input_end_renewal(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)

    beat = rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, token, lock.epoch, 15 * 60_000))
    other = rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, token, lock.epoch, 15 * 60_000 - 1))

    assert (beat.outcome, beat.remaining_ms) == (LockOutcome.IDLE, 60_000)
    assert other.outcome is LockOutcome.SAME


@pytest.mark.parametrize("wrong", ["token", "epoch", "person", "expired"])
def test_only_the_holder_renews_and_never_an_expired_lock(rig: WriteRig, booked: BookedOrder, wrong: str) -> None:
    token, lock = rig.take(booked.invoice_id)
    if wrong == "expired":
        rig.minutes_pass(1)
    before = lock_columns(rig)

    beat = rig.store("citra" if wrong == "person" else "bayu").transact(
        lambda tx: tx.renew_lock(
            booked.invoice_id,
            secrets.token_urlsafe(32) if wrong == "token" else token,
            lock.epoch + 1 if wrong == "epoch" else lock.epoch,
            0,
        )
    )

    assert beat.outcome is LockOutcome.LOST
    assert lock_columns(rig) == before


def test_r47_a_beat_that_waited_for_the_row_past_the_locks_end_renews_nothing(
    rig: WriteRig, booked: BookedOrder
) -> None:
    token, lock = rig.take(booked.invoice_id, "bayu")
    held = lock_columns(rig)
    answers: list[LockAnswer] = []

    def beat() -> None:
        answers.append(rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, token, lock.epoch, 0)))

    with psycopg.connect(rig.database.owner_url) as holding:
        holding.execute("SELECT 1 FROM sentra.invoice FOR NO KEY UPDATE")
        beating = threading.Thread(target=beat)
        beating.start()
        eventually(
            lambda: rig.value("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == 1,
            what="the beat waits for the row",
        )
        rig.minutes_pass(1)
        holding.rollback()
        beating.join(timeout=10)

    assert [answer.outcome for answer in answers] == [LockOutcome.LOST]
    assert lock_columns(rig) == held


def test_r40_a_holder_stopped_past_its_time_renews_nothing(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id, "bayu")
    rig.minutes_pass(1.5)
    _, other = rig.take(booked.invoice_id, "citra")
    held = lock_columns(rig)

    beat = rig.store("bayu").transact(lambda tx: tx.renew_lock(booked.invoice_id, token, lock.epoch, 0))

    assert other.outcome is LockOutcome.TAKEN
    assert (beat.outcome, beat.holder_name) == (LockOutcome.LOST, "Citra")
    assert lock_columns(rig) == held


def test_c65_an_old_holder_who_wakes_up_and_leaves_does_not_free_the_new_ones_lock(
    rig: WriteRig, booked: BookedOrder
) -> None:
    token, lock = rig.take(booked.invoice_id, "bayu")
    rig.minutes_pass(1)
    rig.take(booked.invoice_id, "citra")
    held = lock_columns(rig)

    released = rig.store("bayu").transact(lambda tx: tx.release_lock(booked.invoice_id, token, lock.epoch))

    assert released is False
    assert lock_columns(rig) == held


def test_leaving_frees_the_lock_at_once_and_keeps_its_epoch(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id, "bayu")

    released = rig.store("bayu").transact(lambda tx: tx.release_lock(booked.invoice_id, token, lock.epoch))
    again = rig.store("bayu").transact(lambda tx: tx.release_lock(booked.invoice_id, token, lock.epoch))
    _, next_ = rig.take(booked.invoice_id, "citra")

    assert (released, again) == (True, False)
    assert (next_.outcome, next_.epoch) == (LockOutcome.TAKEN, 2)


def test_c67_the_lock_of_a_dead_counter_is_taken_over_after_sixty_seconds_and_on_record(
    rig: WriteRig, booked: BookedOrder
) -> None:
    rig.take(booked.invoice_id, "bayu", counter="Kasir 1")
    rig.minutes_pass(59 / 60)
    _, early = rig.take(booked.invoice_id, "citra")
    rig.minutes_pass(1 / 60)

    _, answer = rig.take(booked.invoice_id, "citra", counter="Kasir 2")

    assert early.outcome is LockOutcome.HELD
    assert (answer.outcome, answer.epoch) == (LockOutcome.TAKEN, 2)
    (recorded,) = rig.rows("SELECT actor, counter, subject, before FROM sentra.audit WHERE action = 'lock_expired'")
    assert recorded[:3] == (rig.role("citra"), "Kasir 2", booked.invoice_id)
    assert (recorded[3]["locked_by"], recorded[3]["lock_epoch"]) == (rig.role("bayu"), 1)


def test_of_sixteen_cashiers_at_once_one_gets_the_lock(rig: WriteRig, booked: BookedOrder) -> None:
    stores = [rig.new_store("bayu" if n % 2 else "citra", pool_size=1) for n in range(16)]

    answers = at_once(
        [
            lambda s=store: s.transact(lambda tx: tx.take_lock(booked.invoice_id, secrets.token_urlsafe(32), "K1"))
            for store in stores
        ]
    )

    outcomes = [item.outcome for item in answers if isinstance(item, LockAnswer)]
    assert len(outcomes) == 16, answers
    assert outcomes.count(LockOutcome.TAKEN) == 1
    assert set(outcomes) == {LockOutcome.TAKEN, LockOutcome.HELD, LockOutcome.MINE_ELSEWHERE}
    assert rig.value("SELECT lock_epoch FROM sentra.invoice") == 1


def test_r41_a_lock_that_cannot_be_reached_is_not_held(rig: WriteRig, booked: BookedOrder) -> None:
    with rig.owner.transaction():
        rig.owner.execute("SELECT 1 FROM sentra.invoice FOR UPDATE")
        with pytest.raises(Refusal) as refused:
            rig.take(booked.invoice_id)

    assert (refused.value.code, refused.value.params["reason"]) == (RefusalCode.UNREACHABLE, "busy")
    assert lock_columns(rig) == (None, None, None, None, 0)


@pytest.mark.parametrize("swept", [False, True])
def test_an_invoice_whose_booking_ran_out_is_not_opened_swept_or_not(
    rig: WriteRig, booked: BookedOrder, swept: bool
) -> None:
    rig.minutes_pass(15)
    if swept:
        rig.expire()

    _, answer = rig.take(booked.invoice_id)

    assert answer.outcome is LockOutcome.EXPIRED_BOOKING


def test_an_invoice_that_is_settled_or_cancelled_is_not_open(rig: WriteRig, booked: BookedOrder) -> None:
    rig.open_shift()
    rig.pay(booked)
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    rig.cancel(other.bookings[0].id)

    _, paid = rig.take(booked.invoice_id, "citra")
    _, void = rig.take(other.invoice_id, "citra")

    assert (paid.outcome, paid.invoice_state) == (LockOutcome.NOT_OPEN, InvoiceState.PAID)
    assert (void.outcome, void.invoice_state) == (LockOutcome.NOT_OPEN, InvoiceState.VOID)


def test_another_branchs_invoice_is_not_found(rig: WriteRig, booked: BookedOrder) -> None:
    token, answer = rig.take(booked.invoice_id, "tono")
    store = rig.store("tono")

    assert answer.outcome is LockOutcome.NOT_FOUND
    assert store.transact(lambda tx: tx.renew_lock(booked.invoice_id, token, 1, 0)).outcome is LockOutcome.NOT_FOUND
    assert store.transact(lambda tx: tx.move_lock(booked.invoice_id, token, "K1")).outcome is LockOutcome.NOT_FOUND
    assert store.transact(lambda tx: tx.release_lock(booked.invoice_id, token, 1)) is False


def test_an_agent_takes_no_lock(rig: WriteRig, booked: BookedOrder) -> None:
    with pytest.raises(Refusal) as refused:
        rig.take(booked.invoice_id, "rina")

    assert refused.value.code is RefusalCode.NOT_ALLOWED


def test_a_short_token_is_refused(rig: WriteRig, booked: BookedOrder) -> None:
    with pytest.raises(Refusal) as refused:
        rig.store("bayu").transact(lambda tx: tx.take_lock(booked.invoice_id, "1", "K1"))

    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "token")


def test_epochs_grow_over_take_move_release_and_takeover(rig: WriteRig, booked: BookedOrder) -> None:
    seen = []
    for login in ("bayu", "citra", "bayu"):
        token, lock = rig.take(booked.invoice_id, login)
        seen.append(lock.epoch)
        fresh = secrets.token_urlsafe(32)
        moved = rig.store(login).transact(lambda tx, t=fresh: tx.move_lock(booked.invoice_id, t, "K2"))
        seen.append(moved.epoch)
        if login == "citra":
            rig.minutes_pass(1)
        else:
            rig.store(login).transact(lambda tx, t=fresh, e=moved.epoch: tx.release_lock(booked.invoice_id, t, e))
        assert token != fresh

    assert seen == [1, 2, 3, 4, 5, 6]


def test_a_moved_lock_pays_and_the_old_window_does_not(rig: WriteRig, booked: BookedOrder) -> None:
    rig.open_shift()
    old_token, old = rig.take(booked.invoice_id)
    token = secrets.token_urlsafe(32)
    moved = rig.store("bayu").transact(lambda tx: tx.move_lock(booked.invoice_id, token, "K2"))

    from_old = rig.settle(new_payment(booked, old_token, old.epoch))
    from_new = rig.settle(new_payment(booked, token, moved.epoch))

    assert (from_old.outcome, from_new.outcome) == (SettleOutcome.LOCK_LOST, SettleOutcome.PAID)
