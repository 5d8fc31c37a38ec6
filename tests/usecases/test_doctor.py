"""The doctor on real servers: every kind of damage is named, and what is only the index' is mended."""

import json
from collections.abc import Callable, Iterator, Sequence

import pytest

from app.adapters.postgres.store import PostgresStore
from app.adapters.redis.no_index import NoIndex
from app.domain.days import YearMonth
from app.usecases.doctor import Doctor, DoctorReport
from app.usecases.index_port import Projection
from app.usecases.rows import Break
from tests.support.databases import ScratchDatabase
from tests.support.redis_nodes import RedisNode
from tests.usecases.index_rig import APR, MAR, IndexRig, days, open_index_rig


@pytest.fixture
def rig(database: ScratchDatabase, redis_url: str) -> Iterator[IndexRig]:
    """A healthy installation: the index is built."""
    with open_index_rig(database, redis_url) as made:
        made.reconcile().run()
        yield made


def examine(rig: IndexRig, *, repair: bool = False) -> DoctorReport:
    return Doctor(rig.store, rig.index, pause=lambda _: None).examine(repair)


def only(report: DoctorReport) -> Break:
    """The report's one finding."""
    assert not report.ok
    assert len(report.breaks) == 1, report.breaks
    return report.breaks[0]


def test_a_healthy_system_has_no_finding_and_says_what_was_looked_at(rig: IndexRig) -> None:
    report = examine(rig)

    assert (report.ok, report.breaks, report.repaired) == (True, (), 0)
    assert report.checked["units"] == 4
    assert report.checked["keys"] == 4 * 14
    assert report.checked["unit_months"] >= 4 * 14
    assert report.checked["invariants"] >= 10


def test_the_report_has_the_shape_scripts_rely_on(rig: IndexRig) -> None:
    rig.redis.setbit(rig.key("avz-002"), 24, 1)

    told = json.loads(json.dumps(examine(rig).as_json()))

    assert set(told) == {"ok", "checked", "breaks", "repaired"}
    assert told["ok"] is False
    assert told["breaks"] == [
        {
            "invariant": "I2",
            "unit_id": "avz-002",
            "day": "2027-03-25",
            "redis": "key 1",
            "postgres": "0",
            "id": "avail:AVZ:avz-002:202703",
        }
    ]


def test_a_flipped_bit_of_a_seed_key_is_named(rig: IndexRig) -> None:
    rig.redis.setbit(rig.key("avz-001"), 12, 0)

    found = only(examine(rig))

    assert (found.unit_id, found.day, found.redis, found.postgres) == ("avz-001", "2027-03-13", "key 0", "1")


def test_a_bit_of_a_day_that_no_month_has_is_named(rig: IndexRig) -> None:
    """SETBIT takes 31 February."""
    february = YearMonth(2027, 2)
    rig.redis.setbit(rig.key("avz-001", february), 30, 1)

    found = only(examine(rig))

    assert (found.unit_id, found.id) == ("avz-001", rig.key("avz-001", february))
    assert "bits that are no day" in found.redis


def test_a_flipped_packed_slot_is_named(rig: IndexRig) -> None:
    rig.redis.setrange(f"apack:AVZ:{MAR}", 4, b"\x80\x00\x00\x01")

    found = only(examine(rig))

    assert (found.unit_id, found.day, found.redis) == ("avz-002", "2027-03-01", "packed 1")
    assert found.id == f"apack:AVZ:{MAR}#1"


def test_a_packed_slot_that_became_unknown_is_named(rig: IndexRig) -> None:
    rig.redis.setrange(f"apack:AVZ:{MAR}", 4, b"\x00\x00\x00\x00")

    assert only(examine(rig)).redis == "packed slot unknown"


def test_a_deleted_key_is_named(rig: IndexRig) -> None:
    rig.redis.delete(rig.key("avz-003"))

    found = only(examine(rig))

    assert (found.unit_id, found.redis, found.id) == ("avz-003", "no key", rig.key("avz-003"))


def test_a_deleted_key_of_a_far_month_is_named(rig: IndexRig) -> None:
    far = YearMonth(2029, 6)
    rig.project("avz-003", months=(far,))
    rig.redis.delete(rig.key("avz-003", far))

    assert only(examine(rig)).id == rig.key("avz-003", far)


def test_a_packed_month_that_has_no_unit_keys_and_cannot_be_booked_is_named(rig: IndexRig) -> None:
    rig.redis.setrange("apack:AVZ:209901", 4, b"\x80\x00\x00\x01")

    report = examine(rig)

    assert {(item.unit_id, item.id) for item in report.breaks} >= {("avz-002", "apack:AVZ:209901#1")}


def test_a_key_of_a_wrong_length_is_named(rig: IndexRig) -> None:
    rig.redis.append(rig.key("avz-003"), b"\x00")

    found = only(examine(rig))

    assert (found.unit_id, found.redis) == ("avz-003", "key of 5 bytes: 0000000000")


def test_a_stale_version_is_named(rig: IndexRig) -> None:
    rig.redis.hset("aver:AVZ", "0", "0")

    found = only(examine(rig))

    assert (found.unit_id, found.redis, found.postgres) == ("avz-001", "version 0", "version 1")


def test_an_orphan_claim_is_named_once_expired_or_of_no_unit(rig: IndexRig) -> None:
    rig.redis.zadd("aidx:claims", {"AVZ|avz-002|dead": 1, "AVZ|nobody|t2": 4e12})

    report = examine(rig)

    assert {(item.unit_id, item.redis, item.postgres) for item in report.breaks} == {
        ("avz-002", "claim expired", "no booking in work"),
        ("nobody", "claim beyond every lease", "no booking in work"),
    }
    assert report.checked["claims"] == 2


def test_an_open_claim_is_no_finding(rig: IndexRig) -> None:
    rig.index.claim(rig.unit("avz-002"), days("2027-03-20", "2027-03-21"), "t1")

    assert examine(rig).ok


def test_keys_of_a_unit_that_does_not_exist_are_named(rig: IndexRig) -> None:
    rig.redis.set("avail:AVZ:uuid-ghost:202703", b"\x80\x00\x00\x00")
    rig.redis.set("avail:AVZ:uuid-ghost:202704", b"\x00\x00\x00\x00")
    rig.redis.set("avail:AVZ:avz-001:not-a-month", b"\x00\x00\x00\x00")

    report = examine(rig)

    assert {(item.unit_id, item.day, item.id) for item in report.breaks} == {
        ("uuid-ghost", "2027-03-01", "avail:AVZ:uuid-ghost:202703"),
        ("uuid-ghost", "2027-04-01", "avail:AVZ:uuid-ghost:202704"),
        ("", "", "avail:AVZ:avz-001:not-a-month"),
    }


def test_keys_of_a_retired_unit_are_named(rig: IndexRig) -> None:
    rig.rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = 'avz-004'")

    report = examine(rig)

    assert {(item.unit_id, item.postgres) for item in report.breaks} == {("avz-004", "unit is retired")}
    assert len(report.breaks) == 14


def test_units_the_index_never_heard_of_are_named_once_each(rig: IndexRig) -> None:
    rig.redis.flushall()

    report = examine(rig)

    assert {(item.unit_id, item.redis) for item in report.breaks} == {(f"avz-00{n}", "not built") for n in range(1, 5)}
    assert len(report.breaks) == 4


def test_an_overlapping_row_put_in_with_the_constraint_dropped_is_named(rig: IndexRig) -> None:
    rig.rig.owner.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    rig.rig.book("avz-001", "2027-03-13", "2027-03-15", customer=rig.customer)
    rig.project("avz-001")

    report = examine(rig, repair=True)

    overlap = next(item for item in report.breaks if item.invariant == "I1")
    assert (overlap.unit_id, overlap.day) == ("avz-001", "2027-03-13")
    assert (report.ok, report.repaired) == (False, 0), "nobody but a person decides who keeps the unit"


def test_an_invoice_whose_paid_sum_is_off_by_one_is_named(rig: IndexRig) -> None:
    booked = rig.rig.book("avz-002", "2027-04-13", "2027-04-15", customer=rig.customer)[0]
    rig.rig.pay(booked, "cashier")
    rig.project("avz-002")
    assert examine(rig).ok
    rig.rig.owner.execute("UPDATE sentra.invoice SET paid = paid + 1 WHERE id = %s", (booked.invoice_id,))

    found = only(examine(rig))

    assert (found.invariant, found.id) == ("I4", booked.invoice_id)


def test_a_state_changed_without_audit_is_named(rig: IndexRig) -> None:
    booked = rig.rig.book("avz-002", "2027-04-13", "2027-04-15", customer=rig.customer)[0]
    rig.project("avz-002")
    rig.rig.owner.execute("SET session_replication_role = replica")
    rig.rig.owner.execute(
        "UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay' WHERE id = %s", (booked.id,)
    )

    found = only(examine(rig))

    assert (found.invariant, found.id) == ("I11", booked.id)


def damages() -> dict[str, Callable[[IndexRig], object]]:
    return {
        "flipped bit": lambda rig: rig.redis.setbit(rig.key("avz-001"), 12, 0),
        "flipped packed slot": lambda rig: rig.redis.setbit(f"apack:AVZ:{MAR}", 3, 1),
        "unknown packed slot": lambda rig: rig.redis.setrange(f"apack:AVZ:{MAR}", 4, b"\0\0\0\0"),
        "packed month gone": lambda rig: rig.redis.delete(f"apack:AVZ:{MAR}"),
        "packed month cut": lambda rig: rig.redis.set(f"apack:AVZ:{MAR}", b"\0\0\0\1\0"),
        "deleted key": lambda rig: rig.redis.delete(rig.key("avz-001")),
        "wrong length": lambda rig: rig.redis.set(rig.key("avz-001"), b"12345"),
        "wrong type": lambda rig: (rig.redis.delete(rig.key("avz-001")), rig.redis.sadd(rig.key("avz-001"), "x")),
        "stale version": lambda rig: rig.redis.hset("aver:AVZ", "0", "0"),
        "no version": lambda rig: rig.redis.hdel("aver:AVZ", "0"),
        "expired claim": lambda rig: rig.redis.zadd("aidx:claims", {"AVZ|avz-002|dead": 1}),
        "claim of nobody": lambda rig: rig.redis.zadd("aidx:claims", {"AVZ|nobody|t": 4e12}),
        "claim beyond its lease": lambda rig: (
            rig.index.claim(rig.unit("avz-002"), days("2027-03-20", "2027-03-21"), "t1"),
            rig.redis.zadd("aidx:claims", {"AVZ|avz-002|t1": 4e12}),
        ),
        "no claim": lambda rig: rig.redis.zadd("aidx:claims", {"": 4e12, b"\xff": 1, "a|b": 1}),
        "no claim register": lambda rig: rig.redis.set("aidx:claims", "text"),
        "no epoch": lambda rig: (rig.redis.delete("aidx:epoch"), rig.redis.hset("aidx:epoch", "a", "b")),
        "versions of another type": lambda rig: (rig.redis.delete("aver:AVZ"), rig.redis.set("aver:AVZ", "text")),
        "packed month of another type": lambda rig: (
            rig.redis.delete(f"apack:AVZ:{MAR}"),
            rig.redis.rpush(f"apack:AVZ:{MAR}", "x"),
        ),
        "version ahead": lambda rig: rig.redis.hset("aver:AVZ", "0", "999999"),
        "version that is no number": lambda rig: rig.redis.hset("aver:AVZ", "0", "1e99"),
        "version ahead and no keys": lambda rig: (
            rig.redis.delete(*rig.redis.keys("avail:AVZ:avz-001:*"), *rig.redis.keys("apack:*")),  # type: ignore[misc]
            rig.redis.hset("aver:AVZ", "0", "999999"),
        ),
        "version of a retired unit ahead": lambda rig: (
            rig.redis.hset("aver:AVZ", "3", "999999"),
            rig.rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = 'avz-004'"),
        ),
        "keys of no SKU": lambda rig: (
            rig.redis.set("avail:BUS:x:202703", b"1"),
            rig.redis.rpush("apack:BUS:202703", "x"),
            rig.redis.set("aver:BUS", "x"),
        ),
        "names of none of ours": lambda rig: (
            rig.redis.set(b"avail:\xff", b"1"),
            rig.redis.set("avail:AVZ:avz-001:", b"1"),
            rig.redis.set("apack::202703", b"1"),
            rig.redis.set("aver:A:B", b"1"),
        ),
        "ghost keys": lambda rig: rig.redis.set("avail:AVZ:ghost:202703", b"\x80\0\0\0"),
        "retired unit": lambda rig: rig.rig.owner.execute(
            "UPDATE sentra.unit SET status = 'RETIRED' WHERE id = 'avz-004'"
        ),
        "everything gone": lambda rig: rig.redis.flushall(),
        "packed month beyond every booking": lambda rig: rig.redis.set("apack:AVZ:209901", b"\xff\xff\xff\xff"),
        "packed month long past": lambda rig: rig.redis.set("apack:AVZ:202612", b"\x00\x00\x00\x01"),
        "far month": lambda rig: (
            rig.project("avz-002", months=(YearMonth(2029, 6),)),
            rig.redis.setbit(rig.key("avz-002", YearMonth(2029, 6)), 4, 1),
        ),
    }


@pytest.mark.parametrize("kind", list(damages()))
def test_repair_mends_what_is_the_index_and_a_second_look_finds_nothing(rig: IndexRig, kind: str) -> None:
    damages()[kind](rig)
    seen = examine(rig)
    assert not seen.ok

    mended = examine(rig, repair=True)

    assert mended.breaks == seen.breaks
    assert (mended.ok, mended.repaired) == (True, len(seen.breaks))
    assert (examine(rig).ok, examine(rig).breaks) == (True, ())
    assert (rig.bits("avz-001"), rig.packed(0), rig.bits("avz-001", APR)) == ("001c0000", "001c0001", "00000000")


def test_repair_of_ghost_keys_touches_no_unit_that_lives(rig: IndexRig) -> None:
    rig.redis.set("avail:AVZ:ghost:202703", b"\x80\0\0\0")
    before = {rig.packed(slot) for slot in range(4)}

    examine(rig, repair=True)

    assert rig.redis.get("avail:AVZ:ghost:202703") is None
    assert {rig.packed(slot) for slot in range(4)} == before
    assert rig.redis.strlen(f"apack:AVZ:{MAR}") == 16


def test_a_retired_unit_is_forgotten_and_its_version_stays(rig: IndexRig) -> None:
    rig.rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED', availability_version = 7 WHERE id = 'avz-004'")

    examine(rig, repair=True)

    assert (rig.bits("avz-004"), rig.packed(3), rig.version(3)) == (None, "00000000", 7)


def test_a_version_from_the_future_is_named_and_reset_and_a_booking_keeps_its_bits(rig: IndexRig) -> None:
    """A stranger's hand, or an older backup of PostgreSQL under a living Redis: every projection is ignored there."""
    rig.redis.hset("aver:AVZ", "0", "999999")
    rig.rig.book("avz-001", "2027-03-20", "2027-03-20", customer=rig.customer)
    assert rig.project("avz-001") == 0
    assert rig.bits("avz-001") == "001c0000"

    report = examine(rig, repair=True)

    assert report.breaks[0].redis == "version 999999"
    assert (report.ok, report.repaired) == (True, len(report.breaks))
    assert rig.bits("avz-001") == "001c1000"
    rig.rig.book("avz-001", "2027-03-22", "2027-03-22", customer=rig.customer)
    assert rig.project("avz-001") == 1
    assert (rig.bits("avz-001"), rig.packed(0)) == ("001c1400", "001c1401")


def test_a_booking_between_the_doctors_reading_and_its_reset_keeps_its_bits(
    rig: IndexRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.redis.hset("aver:AVZ", "0", "999999")
    rebuild = rig.index.rebuild

    def booked_meanwhile(epoch: str, projections: Sequence[Projection]) -> int:
        rig.rig.book("avz-001", "2027-03-20", "2027-03-20", customer=rig.customer)
        assert rig.project("avz-001") == 0, "the index ignores what the counter projects"
        return rebuild(epoch, projections)

    monkeypatch.setattr(rig.index, "rebuild", booked_meanwhile)

    assert examine(rig, repair=True).ok
    assert (rig.bits("avz-001"), rig.packed(0)) == ("001c1000", "001c1001")


def test_a_claim_register_and_an_epoch_of_another_kind_are_named(rig: IndexRig) -> None:
    rig.redis.set("aidx:claims", "text")
    rig.redis.delete("aidx:epoch")
    rig.redis.rpush("aidx:epoch", "x")

    assert [(item.redis, item.id) for item in examine(rig).breaks] == [
        ("no epoch of ours", "aidx:epoch"),
        ("no claim register", "aidx:claims"),
    ]


def test_a_member_that_is_no_claim_is_named(rig: IndexRig) -> None:
    rig.redis.zadd("aidx:claims", {b"no claim \xff": 4e12})

    found = only(examine(rig))

    assert (found.redis, found.id) == ("no claim", "aidx:claims no claim \\xff")


def test_keys_of_no_sku_and_with_names_of_none_of_ours_are_named(rig: IndexRig) -> None:
    for name in (b"avail:BUS:uuid-1:202703", b"apack:BUS:202703", b"apack:AVZ:march", b"avail:AVZ:\xff:202703"):
        rig.redis.set(name, b"\x80\0\0\0")
    rig.redis.hset("aver:BUS", "0", "1")
    rig.redis.set("avail:AVZ:avz-001:000113", b"\0\0\0\0")

    found = {(item.id, item.postgres) for item in examine(rig).breaks}

    assert found == {
        ("avail:BUS:uuid-1:202703", "no such unit"),
        ("apack:BUS:202703", "no such SKU"),
        ("aver:BUS", "no such SKU"),
        ("apack:AVZ:march", ""),
        ("avail:AVZ:\\xff:202703", ""),
        ("avail:AVZ:avz-001:000113", ""),
    }


def test_the_tombstones_of_a_sku_whose_units_are_all_retired_are_no_finding(rig: IndexRig) -> None:
    rig.rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED'")
    assert examine(rig, repair=True).repaired == 4 * 14
    assert examine(rig).breaks == ()
    assert rig.redis.exists("aver:AVZ") == 1


def test_without_repair_nothing_is_written(rig: IndexRig) -> None:
    rig.redis.setbit(rig.key("avz-001"), 12, 0)
    before = {key: rig.redis.dump(key) for key in rig.redis.keys("*")}  # type: ignore[union-attr]

    examine(rig)

    assert {key: rig.redis.dump(key) for key in rig.redis.keys("*")} == before  # type: ignore[union-attr]


def test_with_redis_away_the_database_is_examined_and_the_index_is_a_finding(
    database: ScratchDatabase, redis_node: RedisNode
) -> None:
    with open_index_rig(database, redis_node.url) as rig:
        rig.rig.owner.execute("UPDATE sentra.invoice SET paid = paid + 1")
        redis_node.kill()

        report = examine(rig, repair=True)

        assert [item.invariant for item in report.breaks] == ["I4", "INDEX"]
        assert (report.ok, report.repaired, report.checked["units"]) == (False, 0, 0)
        assert report.breaks[1].redis.startswith("unreachable")


def test_without_a_configured_redis_the_index_is_a_finding(rig: IndexRig) -> None:
    report = Doctor(rig.store, NoIndex(), pause=lambda _: None).examine()

    assert [item.invariant for item in report.breaks] == ["INDEX"]


def test_the_owner_may_examine_as_well(rig: IndexRig) -> None:
    store = PostgresStore(rig.rig.database.owner_url, counter="admin")

    report = Doctor(store, rig.index, pause=lambda _: None).examine()
    store.close()

    assert report.ok, report.breaks
