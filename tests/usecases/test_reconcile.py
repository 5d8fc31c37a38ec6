"""Reconcile on real servers: the index becomes true after every loss, and bookings in flight are left in peace."""

import datetime as dt
import random
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.adapters.clock import SystemIds
from app.adapters.postgres.store import PostgresStore
from app.domain.days import Days, RentalPeriod, YearMonth
from app.domain.errors import Refusal, RefusalCode
from app.usecases.bookings import Bookings, BookLine, BookRequest
from app.usecases.calendar import Calendar
from app.usecases.drift import built_months, possible_months, required_months
from app.usecases.index_port import ClaimAnswer, IndexUnreachable
from app.usecases.index_work import IndexWork
from app.usecases.reconcile import Reconcile
from tests.fakes import FakeChanges, FakeLocks
from tests.support.databases import ScratchDatabase
from tests.support.redis_nodes import RedisNode
from tests.usecases.index_rig import APR, MAR, NOW, IndexRig, days, open_index_rig

BOOKED = "001c0000"  # the 12th to the 14th
FREE = "00000000"


@pytest.fixture
def rig(database: ScratchDatabase, redis_url: str) -> Iterator[IndexRig]:
    with open_index_rig(database, redis_url) as made:
        yield made


def test_the_first_heal_builds_every_unit_and_the_next_does_nothing(rig: IndexRig) -> None:
    reconcile = rig.reconcile()

    built = reconcile.heal_if_needed()

    assert built is not None
    assert (built.compared, built.built, built.repaired, built.drift) == (4, 4, 4, ())
    assert (rig.bits("avz-001"), rig.bits("avz-002"), rig.bits("avz-001", APR)) == (BOOKED, FREE, FREE)
    assert (rig.packed(0), rig.packed(1)) == ("001c0001", "00000001")
    months = built_months(NOW.date())
    assert len(rig.redis.keys("avail:AVZ:*")) == 4 * len(months) == 4 * 14  # type: ignore[arg-type]
    assert reconcile.heal_if_needed() is None


def test_after_a_flush_the_index_is_whole_again_and_nothing_counts_as_drift(rig: IndexRig) -> None:
    reconcile = rig.reconcile()
    reconcile.heal_if_needed()
    rig.redis.flushall()

    healed = reconcile.heal_if_needed()

    assert healed is not None
    assert (healed.built, healed.drift) == (4, ())
    assert (rig.bits("avz-001"), rig.packed(0)) == (BOOKED, "001c0001")
    assert reconcile.heal_if_needed() is None


def test_a_flush_is_seen_although_a_counter_was_faster_to_set_the_new_epoch(rig: IndexRig) -> None:
    reconcile = rig.reconcile()
    reconcile.heal_if_needed()
    rig.redis.flushall()
    rig.project("avz-002")

    healed = reconcile.heal_if_needed()

    assert healed is not None
    assert rig.bits("avz-001") == BOOKED


def test_a_redis_that_came_back_empty_is_filled(database: ScratchDatabase, redis_node: RedisNode) -> None:
    with open_index_rig(database, redis_node.url) as rig:
        reconcile = rig.reconcile()
        reconcile.heal_if_needed()
        redis_node.kill()
        with pytest.raises(IndexUnreachable):
            reconcile.heal_if_needed()
        with pytest.raises(IndexUnreachable):
            reconcile.run()
        redis_node.start()

        healed = reconcile.heal_if_needed()

        assert healed is not None
        assert (healed.built, rig.bits("avz-001")) == (4, BOOKED)


def test_a_run_id_that_changed_is_reason_enough(rig: IndexRig, monkeypatch: pytest.MonkeyPatch) -> None:
    reconcile = rig.reconcile()
    reconcile.heal_if_needed()
    monkeypatch.setattr(rig.index, "run_id", lambda: "another life")

    healed = reconcile.heal_if_needed()

    assert healed is not None
    assert healed.compared == 4


def test_a_flush_in_the_middle_of_the_work_is_seen_by_the_next_heal(
    rig: IndexRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    reconcile = rig.reconcile()
    read = rig.store.read.projections

    def flushed_meanwhile(*arguments: object) -> object:
        found = read(*arguments)  # type: ignore[arg-type]
        monkeypatch.undo()
        rig.redis.flushall()
        return found

    monkeypatch.setattr(rig.store.read, "projections", flushed_meanwhile)

    first = reconcile.heal_if_needed()
    second = reconcile.heal_if_needed()

    assert first is not None
    assert first.repaired == 0, "values read under the old epoch are not written into the new index"
    assert second is not None
    assert (second.built, rig.bits("avz-001")) == (4, BOOKED)


@pytest.mark.parametrize("where", ["key", "packed"])
def test_a_flipped_bit_is_told_with_its_ids_mended_and_gone(
    rig: IndexRig, where: str, caplog: pytest.LogCaptureFixture
) -> None:
    reconcile = rig.reconcile()
    reconcile.run()
    if where == "key":
        rig.redis.setbit(rig.key("avz-002"), 24, 1)
    else:
        rig.redis.setbit(f"apack:AVZ:{MAR}", 32 + 24, 1)
    caplog.clear()

    found = reconcile.run()

    (drift,) = found.drift
    assert (drift.invariant, drift.unit_id, drift.day) == ("I2", "avz-002", "2027-03-25")
    assert (drift.redis, drift.postgres) == (f"{where} 1", "0")
    assert (found.repaired, found.built) == (1, 0)
    lines = [record.message for record in caplog.records if "drift" in record.message]
    assert len(lines) == 1
    assert "unit=avz-002 day=2027-03-25" in lines[0]
    assert (rig.bits("avz-002"), rig.packed(1)) == (FREE, "00000001")
    assert reconcile.run().drift == ()


def test_a_commit_that_never_reached_the_index_is_mended(rig: IndexRig) -> None:
    """A counter was killed between COMMIT and projection."""
    reconcile = rig.reconcile()
    reconcile.run()
    rig.rig.book("avz-002", "2027-03-31", "2027-04-01", customer=rig.customer)

    found = reconcile.run()

    assert {(drift.unit_id, drift.redis, drift.postgres) for drift in found.drift} >= {
        ("avz-002", "version 0", "version 1"),
        ("avz-002", "key 0", "1"),
    }
    assert (rig.bits("avz-002", MAR), rig.bits("avz-002", APR)) == ("00000002", "80000000")
    assert rig.version(1) == 1


def test_a_later_projection_of_other_months_hides_no_older_loss(rig: IndexRig) -> None:
    """Versions are equal then, and the bits of the first booking are still missing."""
    reconcile = rig.reconcile()
    reconcile.run()
    rig.rig.book("avz-002", "2027-03-20", "2027-03-21", customer=rig.customer)
    rig.rig.book("avz-002", "2027-04-20", "2027-04-21", customer=rig.customer)
    rig.project("avz-002", months=(APR,))

    found = reconcile.run()

    assert {drift.day for drift in found.drift} == {"2027-03-20", "2027-03-21"}
    assert rig.bits("avz-002", MAR) == "00001800"


def test_a_commit_that_arrives_between_two_readings_is_no_drift(rig: IndexRig) -> None:
    rig.reconcile().run()
    rig.rig.book("avz-002", "2027-03-20", "2027-03-21", customer=rig.customer)
    pauses: list[float] = []

    def counter_goes_on(seconds: float) -> None:
        pauses.append(seconds)
        rig.project("avz-002")

    found = Reconcile(rig.store, rig.index, pause=counter_goes_on).run()

    assert (found.drift, found.repaired) == ((), 0)
    assert len(pauses) == 1


def test_a_difference_that_stands_while_the_unit_goes_on_being_booked_is_not_told(rig: IndexRig) -> None:
    rig.reconcile().run()
    rig.redis.setbit(rig.key("avz-001"), 20, 1)
    free_days = iter(range(17, 31))

    def booked_meanwhile(_seconds: float) -> None:
        day = f"2027-03-{next(free_days)}"
        rig.rig.book("avz-001", day, day, customer=rig.customer)

    told = Reconcile(rig.store, rig.index, pause=booked_meanwhile).run()

    assert told.drift == (), "what moves between two readings is not drift yet"
    assert [item.day for item in rig.reconcile().run().drift if item.redis == "key 1"] == ["2027-03-21"]


def test_an_open_claim_is_no_drift_and_keeps_its_days(rig: IndexRig) -> None:
    reconcile = rig.reconcile()
    reconcile.run()
    assert rig.index.claim(rig.unit("avz-002"), days("2027-03-20", "2027-03-21"), "t1").answer is ClaimAnswer.OK

    found = reconcile.run()

    assert (found.drift, found.repaired) == ((), 0)
    assert rig.bits("avz-002") == "00001800"
    assert [claim.token for claim in rig.index.open_claims()] == ["t1"]


def test_a_booked_day_that_is_missing_is_drift_even_under_an_open_claim(rig: IndexRig) -> None:
    """Days that are claimed come on top; a day that would be sold twice is told whatever else goes on."""
    reconcile = rig.reconcile()
    reconcile.run()
    rig.index.claim(rig.unit("avz-001"), days("2027-03-20", "2027-03-21"), "t1")
    rig.redis.setbit(rig.key("avz-001"), 12, 0)

    found = reconcile.run()

    assert [(drift.day, drift.redis, drift.postgres) for drift in found.drift] == [("2027-03-13", "key 0", "1")]


def test_a_claim_nobody_finished_is_dropped_and_its_days_are_free_again(rig: IndexRig) -> None:
    reconcile = rig.reconcile()
    reconcile.heal_if_needed()
    rig.index.claim(rig.unit("avz-002"), days("2027-03-30", "2027-04-02"), "dead")
    rig.redis.zadd("aidx:claims", {"AVZ|avz-002|dead": 1})

    healed = reconcile.heal_if_needed()

    assert healed is not None
    assert (healed.claims_dropped, healed.drift) == (1, ())
    assert (rig.bits("avz-002", MAR), rig.bits("avz-002", APR)) == (FREE, FREE)
    assert rig.index.open_claims() == []
    assert reconcile.heal_if_needed() is None


@pytest.mark.parametrize("score", [4e12, float("inf")])
def test_a_claim_beyond_every_lease_is_dropped_and_its_days_are_free_again(rig: IndexRig, score: float) -> None:
    reconcile = rig.reconcile()
    reconcile.heal_if_needed()
    rig.index.claim(rig.unit("avz-002"), days("2027-03-30", "2027-04-02"), "stranger")
    rig.redis.zadd("aidx:claims", {"AVZ|avz-002|stranger": score, "no claim": score})

    healed = reconcile.heal_if_needed()

    assert healed is not None
    assert healed.claims_dropped == 2
    assert (rig.bits("avz-002", MAR), rig.bits("avz-002", APR)) == (FREE, FREE)
    assert rig.redis.exists("aidx:claims") == 0


@pytest.mark.parametrize("key", ["aidx:epoch", "aidx:claims", "aver:AVZ", f"apack:AVZ:{MAR}"])
def test_what_has_another_type_is_replaced(rig: IndexRig, key: str) -> None:
    reconcile = rig.reconcile()
    reconcile.heal_if_needed()
    rig.redis.delete(key)
    if key.startswith("aver"):
        rig.redis.set(key, "text")
    else:
        rig.redis.hset(key, "a", "b")

    reconcile.heal_if_needed()
    reconcile.run()

    assert (rig.bits("avz-001"), rig.packed(0), rig.version(0)) == (BOOKED, "001c0001", 1)
    assert rig.index.open_claims() == []
    assert reconcile.run().drift == ()
    assert reconcile.heal_if_needed() is None


@pytest.mark.parametrize("held", ["999999", "1e99", "text"])
def test_a_version_ahead_of_the_database_is_reset_and_projections_are_taken_again(rig: IndexRig, held: str) -> None:
    reconcile = rig.reconcile()
    reconcile.run()
    rig.redis.hset("aver:AVZ", "0", held)
    rig.rig.book("avz-001", "2027-03-20", "2027-03-20", customer=rig.customer)

    assert len(reconcile.run().drift) > 0

    assert (rig.bits("avz-001"), rig.version(0)) == ("001c1000", 2)
    rig.rig.book("avz-001", "2027-03-22", "2027-03-22", customer=rig.customer)
    assert rig.project("avz-001") == 1
    assert reconcile.run().drift == ()
    assert rig.bits("avz-001") == "001c1400"


def test_a_unit_without_keys_whose_version_is_ahead_is_built_again(rig: IndexRig) -> None:
    reconcile = rig.reconcile()
    reconcile.run()
    rig.redis.delete(*rig.redis.keys("a*:AVZ*"))  # type: ignore[misc]
    rig.redis.hset("aver:AVZ", "0", "999999")

    reconcile.run()

    assert (rig.bits("avz-001"), rig.packed(0), rig.version(0)) == (BOOKED, "001c0001", 1)


def test_a_claim_of_no_unit_is_only_taken_off(rig: IndexRig) -> None:
    rig.redis.zadd("aidx:claims", {"AVZ|nobody|dead": 1, "BUS|avz-001|dead": 1})

    assert rig.reconcile().drop_expired_claims() == 2

    assert rig.index.open_claims() == []
    assert rig.redis.keys("avail:BUS:*") == []


def test_a_retired_unit_is_neither_built_nor_brought_back_by_a_claim(rig: IndexRig) -> None:
    rig.rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = 'avz-004'")
    rig.redis.zadd("aidx:claims", {"AVZ|avz-004|dead": 1})

    found = rig.reconcile().run()

    assert (found.compared, found.claims_dropped) == (3, 1)
    assert rig.bits("avz-004") is None


def test_far_months_are_true_where_they_are_known_and_not_built_where_they_are_not(rig: IndexRig) -> None:
    reconcile = rig.reconcile()
    reconcile.run()
    far = YearMonth(2028, 10)
    booked = rig.rig.book("avz-002", "2028-10-01", "2028-10-01", customer=rig.customer)[0]
    rig.project("avz-002", months=(far,))
    rig.rig.end(booked.id)
    rig.rig.book("avz-003", "2028-11-01", "2028-11-02", customer=rig.customer)

    found = reconcile.run()

    assert ("avz-002", "2028-10-01") in {(drift.unit_id, drift.day) for drift in found.drift}
    assert rig.bits("avz-002", far) == FREE
    assert rig.bits("avz-001", far) is None
    assert rig.bits("avz-003", YearMonth(2028, 11)) is None, "unknown there: PostgreSQL answers"


@pytest.mark.parametrize("damage", ["wrong length", "wrong type", "gone"])
def test_a_key_that_is_no_month_any_more_is_written_again(rig: IndexRig, damage: str) -> None:
    reconcile = rig.reconcile()
    reconcile.run()
    rig.redis.delete(rig.key("avz-001"))
    if damage == "wrong length":
        rig.redis.set(rig.key("avz-001"), b"\x00\x1c")
    elif damage == "wrong type":
        rig.redis.sadd(rig.key("avz-001"), "x")

    found = reconcile.run()

    (drift,) = found.drift
    assert (drift.id, drift.postgres) == (rig.key("avz-001"), BOOKED)
    assert drift.redis == ("key of 2 bytes: 001c" if damage == "wrong length" else "no key")
    assert rig.bits("avz-001") == BOOKED


def test_r07_the_turn_of_a_month_in_the_easternmost_zone_finds_no_gap(rig: IndexRig) -> None:
    """At 17:30 UTC on 31 March it is April in every branch already."""
    reconcile = rig.reconcile()
    reconcile.run()
    rig.rig.database.clock.stand(dt.datetime(2027, 3, 31, 17, 30, tzinfo=dt.UTC))
    utc = dt.date(2027, 3, 31)

    assert reconcile.run().drift == ()
    for today in (utc, utc + dt.timedelta(days=1)):
        assert required_months(today) <= set(built_months(utc))
        assert set(built_months(today)) <= set(possible_months(utc))


def test_bookings_go_on_while_the_index_is_reconciled_and_flushed(rig: IndexRig) -> None:
    """Nothing in flight is told as drift, nothing booked is ever free in the end (invariants I1 to I3)."""
    database = rig.rig.database
    rig.rig.staff("rd_siti", "JKT", "agent", "cashier", name="Siti")
    database.clock.run_from(NOW)
    reconcile = Reconcile(rig.store, rig.index)
    reconcile.heal_if_needed()
    store = PostgresStore(database.url_for("rd_siti"), counter="Kasir 1", pool_size=4)
    who = store.read.who_am_i()

    def clerk(seed: int) -> int:
        dice = random.Random(seed)
        locks, changes = FakeLocks(counter=f"K{seed}"), FakeChanges()
        work = IndexWork(store, rig.index, locks, changes, who.login)
        bookings = Bookings(store, Calendar(store, rig.index, who), work, who, f"K{seed}", SystemIds())
        mine: list[str] = []
        for turn in range(12):
            first = dt.date(2027, 3, 20) + dt.timedelta(days=dice.randrange(20))
            period = RentalPeriod(first, first + dt.timedelta(days=dice.randrange(4)))
            line = BookLine(sku="AVZ", period=period, unit_id=dice.choice([None, "avz-002", "avz-003"]))
            request = BookRequest(
                order_id=str(uuid.UUID(int=dice.getrandbits(128), version=4)),
                lines=(line,),
                customer_id=rig.customer,
            )
            try:
                mine.append(bookings.book(request).bookings[0].id)
            except Refusal as refusal:
                assert refusal.code is RefusalCode.DAYS_TAKEN, refusal
            if mine and turn % 2:
                bookings.cancel(mine.pop(dice.randrange(len(mine))))
        return len(mine)

    drift = []
    with ThreadPoolExecutor(4) as pool:
        clerks = [pool.submit(clerk, seed) for seed in range(4)]
        flushed = False
        while not all(future.done() for future in clerks):
            drift += reconcile.run().drift
            if not flushed:
                rig.redis.flushall()
                flushed = True
            reconcile.heal_if_needed()
        kept = sum(future.result() for future in clerks)
    store.close()

    assert drift == []
    assert rig.reconcile().run().drift == ()
    assert rig.store.read.breaks() == ()
    taken = sum(
        stretch.count
        for stretches in rig.store.read.taken_days(
            ["avz-001", "avz-002", "avz-003", "avz-004"], Days(dt.date(2027, 3, 1), dt.date(2027, 4, 30))
        ).values()
        for stretch in stretches
    )
    ones = sum(int(rig.bits(f"avz-00{n}", month) or "0", 16).bit_count() for n in range(1, 5) for month in (MAR, APR))
    assert ones == taken
    assert kept > 0
