"""Outside effects as rows: claimed with a lease, done once recorded, retried with growing pauses, given up visibly."""

import datetime as dt

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import OutboxRow
from tests.adapters.postgres.write_rig import WriteRig, at_once, march

KINDS = ["project_units"]


def claim(rig: WriteRig, limit: int = 10) -> tuple[OutboxRow, ...]:
    return rig.store("jaga").transact(lambda tx: tx.claim_outbox(KINDS, limit, 30))


def retry(rig: WriteRig, row: OutboxRow, error: str) -> bool:
    return rig.store("jaga").transact(lambda tx: tx.retry_outbox(row, error))


def test_a_row_is_due_after_its_wait_and_held_for_its_lease(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    early = claim(rig)
    rig.database.clock.advance(dt.timedelta(seconds=5))

    (row,) = claim(rig)
    held = claim(rig)
    rig.database.clock.advance(dt.timedelta(seconds=30))
    (again,) = claim(rig)

    assert (early, held) == ((), ())
    assert (row.kind, row.payload, row.attempts) == ("project_units", {"unit_ids": ["AVZ-01"]}, 1)
    assert (again.id, again.attempts) == (row.id, 2)


def test_a_finished_row_is_never_claimed_again(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(1)
    (row,) = claim(rig)

    rig.store("jaga").transact(lambda tx: tx.finish_outbox([row.id]))
    rig.minutes_pass(60)

    assert claim(rig) == ()
    assert rig.value("SELECT done_at IS NOT NULL FROM sentra.outbox WHERE id = %s", row.id)


def test_a_failure_waits_longer_each_time_and_is_given_up_after_twelve(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(1)
    waits = []
    while rows := claim(rig):
        retry(rig, rows[0], "Redis tidak menjawab")
        wait = rig.value("SELECT not_before - sentra.now() FROM sentra.outbox WHERE id = %s", rows[0].id)
        waits.append(int(wait.total_seconds()))
        rig.database.clock.advance(wait)

    assert waits == [5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600]
    assert rig.rows("SELECT attempts, error, given_up_at IS NOT NULL FROM sentra.outbox WHERE done_at IS NULL") == [
        (12, "Redis tidak menjawab", True)
    ]


def test_two_workers_at_once_share_the_rows(rig: WriteRig) -> None:
    for day in range(1, 13):
        rig.book("AVZ-01", first=dt.date(2027, 6, day), last=dt.date(2027, 6, day))
    rig.minutes_pass(1)
    workers = [rig.new_store("jaga", pool_size=1) for _ in range(2)]

    first, second = at_once([lambda w=w: w.transact(lambda tx: tx.claim_outbox(KINDS, 6, 30)) for w in workers])

    assert isinstance(first, tuple), first
    assert isinstance(second, tuple), second
    assert not {row.id for row in first} & {row.id for row in second}


def test_other_kinds_wait_for_their_own_worker(rig: WriteRig) -> None:
    rig.owner.execute("INSERT INTO sentra.outbox (kind, payload) VALUES ('whatsapp', '{}')")

    assert claim(rig) == ()


@pytest.mark.parametrize("login", ["rina", "bayu", "mega"])
def test_only_the_service_works_the_outbox_off(rig: WriteRig, login: str) -> None:
    with pytest.raises(Refusal) as refused:
        rig.store(login).transact(lambda tx: tx.claim_outbox(KINDS, 1, 30))

    assert refused.value.code is RefusalCode.NOT_ALLOWED


def test_r62_a_worker_that_woke_up_after_its_lease_was_taken_over_changes_nothing(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(1)
    (stopped,) = claim(rig)
    rig.minutes_pass(1)
    (taken_over,) = claim(rig)

    assert not retry(rig, stopped, "it slept")

    assert claim(rig) == (), "the second worker's lease still stands"
    assert rig.rows("SELECT attempts, error FROM sentra.outbox WHERE done_at IS NULL") == [(2, None)]
    assert retry(rig, taken_over, "Redis tidak menjawab")


def test_an_effect_that_outlives_every_worker_is_given_up_and_named(rig: WriteRig) -> None:
    """Each worker was killed while it carried this row out: no worker ever came back to say so."""
    rig.book("AVZ-01", first=march(10), last=march(12))
    rig.minutes_pass(1)
    tries = 0
    while claim(rig):
        tries += 1
        rig.minutes_pass(1)

    assert tries == 12
    assert rig.rows("SELECT given_up_at IS NOT NULL, error FROM sentra.outbox WHERE done_at IS NULL") == [
        (True, "the last worker ended without an answer")
    ]


def test_what_was_given_up_is_tried_again_from_the_beginning_when_asked(rig: WriteRig) -> None:
    rig.owner.execute(
        "INSERT INTO sentra.outbox (kind, payload, attempts, given_up_at)"
        " VALUES ('project_units', '{\"unit_ids\": [\"AVZ-01\"]}', 12, sentra.now())"
    )
    assert claim(rig) == ()

    assert rig.store("jaga").transact(lambda tx: tx.retry_given_up()) == 1

    tries = [row.attempts for _ in range(20) for row in claim(rig) if rig.minutes_pass(1) is None]
    assert tries == list(range(13, 25)), "twelve tries more, none with the number of an earlier one"


def test_a_worker_of_before_the_giving_up_does_not_touch_the_lease_of_the_next_one(rig: WriteRig) -> None:
    rig.owner.execute("INSERT INTO sentra.outbox (kind, payload) VALUES ('project_units', '{}')")
    (stale,) = claim(rig)
    rig.minutes_pass(1)
    while claim(rig):
        rig.minutes_pass(1)
    store = rig.store("jaga")
    assert store.transact(lambda tx: tx.retry_given_up()) == 1
    assert len(claim(rig)) == 1

    assert store.transact(lambda tx: tx.retry_outbox(stale, "late")) is False

    assert rig.rows("SELECT lease_until IS NOT NULL FROM sentra.outbox WHERE done_at IS NULL") == [(True,)]


def test_a_late_success_of_something_given_up_is_recorded(rig: WriteRig) -> None:
    rig.owner.execute(
        "INSERT INTO sentra.outbox (kind, payload, attempts, given_up_at) VALUES ('receipt', '{}', 12, sentra.now())"
    )
    ((row,),) = rig.rows("SELECT id FROM sentra.outbox WHERE kind = 'receipt'")

    rig.store("jaga").transact(lambda tx: tx.finish_outbox([str(row)]))

    assert rig.rows("SELECT done_at IS NOT NULL, given_up_at FROM sentra.outbox WHERE kind = 'receipt'") == [
        (True, None)
    ]


def test_projections_given_up_before_a_whole_comparison_are_closed_by_it_and_no_others(rig: WriteRig) -> None:
    def given_up(kind: str) -> None:
        rig.owner.execute(
            "INSERT INTO sentra.outbox (kind, payload, attempts, given_up_at) VALUES (%s, '{}', 12, sentra.now())",
            (kind,),
        )

    given_up("project_units")
    given_up("whatsapp")
    rig.minutes_pass(3)
    given_up("project_units")
    compared_from = rig.store("jaga").read.now()

    assert rig.store("jaga").transact(lambda tx: tx.finish_projections(compared_from)) == 1

    assert sorted(rig.rows("SELECT kind, done_at IS NOT NULL FROM sentra.outbox WHERE attempts = 12")) == [
        ("project_units", False),
        ("project_units", True),
        ("whatsapp", False),
    ]
