"""Outside effects as rows: claimed with a lease, done once recorded, retried with growing pauses, given up visibly."""

import datetime as dt

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import OutboxRow
from tests.adapters.postgres.write_rig import WriteRig, at_once, march

KINDS = ["project_units"]


def claim(rig: WriteRig, limit: int = 10) -> tuple[OutboxRow, ...]:
    return rig.store("jaga").transact(lambda tx: tx.claim_outbox(KINDS, limit, 30))


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
        rig.store("jaga").transact(lambda tx, i=rows[0].id: tx.retry_outbox(i, "Redis tidak menjawab"))
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
