"""The doctor on what no comparison of units can see: keys that would end by themselves, slots of nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.domain.days import YearMonth
from app.usecases.doctor import Doctor, DoctorReport
from app.usecases.odd_keys import OddKey, SkuSlots
from app.usecases.rows import Break
from tests.support.databases import ScratchDatabase
from tests.usecases.index_rig import MAR, IndexRig, open_index_rig

PACKED = f"apack:AVZ:{MAR}"


@pytest.fixture
def rig(database: ScratchDatabase, redis_url: str) -> Iterator[IndexRig]:
    with open_index_rig(database, redis_url) as made:
        made.reconcile().run()
        yield made


def examine(rig: IndexRig, *, repair: bool = False) -> DoctorReport:
    return Doctor(rig.store, rig.index, pause=lambda _: None).examine(repair)


def mended(rig: IndexRig) -> Break:
    """The one finding, and after the repair none."""
    report = examine(rig, repair=True)
    assert len(report.breaks) == 1, report.breaks
    assert (report.ok, report.repaired) == (True, 1)
    assert examine(rig).breaks == ()
    return report.breaks[0]


@pytest.mark.parametrize("key", [f"avail:AVZ:avz-001:{MAR}", PACKED, "aver:AVZ", "aidx:epoch"])
def test_a_key_that_would_end_by_itself_is_named_and_kept(rig: IndexRig, key: str) -> None:
    before = rig.redis.dump(key)
    rig.redis.expire(key, 3600)

    found = mended(rig)

    assert (found.redis, found.postgres, found.id) == ("key would end by itself", "no time to live", key)
    assert rig.redis.ttl(key) == -1
    assert rig.redis.dump(key) == before


def test_a_packed_month_behind_the_last_slot_is_named_and_cut(rig: IndexRig) -> None:
    before = rig.redis.get(PACKED)
    rig.redis.setrange(PACKED, 4 * 9, b"\x80\x00\x00\x01")

    found = mended(rig)

    assert (found.redis, found.postgres, found.id) == ("packed month behind its last slot", "4 slots", PACKED)
    assert rig.redis.get(PACKED) == before


@pytest.mark.parametrize("field", ["4", "900", "x", "01", "-1"])
def test_a_version_of_a_slot_that_does_not_exist_is_named_and_dropped(rig: IndexRig, field: str) -> None:
    before = rig.redis.hgetall("aver:AVZ")
    rig.redis.hset("aver:AVZ", field, "3")

    found = mended(rig)

    assert (found.redis, found.postgres, found.id) == ("version", "no such slot", f"aver:AVZ#{field}")
    assert rig.redis.hgetall("aver:AVZ") == before


def test_a_known_slot_of_no_unit_is_named_and_becomes_unknown(rig: IndexRig) -> None:
    """Slot 3 was given out once; its unit is in the fleet no more."""
    rig.rig.owner.execute("UPDATE sentra.sku SET next_slot = 5 WHERE id = 'AVZ'")
    rig.redis.setrange(PACKED, 4 * 4, b"\x00\x00\x00\x01")

    found = mended(rig)

    assert (found.redis, found.postgres, found.id) == ("packed slot", "no such unit", f"{PACKED}#4")
    assert rig.packed(4) == "00000000"


def test_tombstones_of_slots_that_were_given_out_are_no_finding(rig: IndexRig) -> None:
    rig.rig.owner.execute("UPDATE sentra.sku SET next_slot = 7 WHERE id = 'AVZ'")
    rig.redis.hset("aver:AVZ", "6", "12")
    rig.redis.setrange(PACKED, 4 * 6, b"\x00\x00\x00\x00")

    assert examine(rig).breaks == ()


def test_values_of_another_type_and_strange_names_stop_nothing(rig: IndexRig) -> None:
    rig.redis.delete("aver:AVZ")
    rig.redis.set("aver:AVZ", "text")
    rig.redis.set(b"avail:\xff\xfe:x:202703", "text")
    rig.redis.expire(b"avail:\xff\xfe:x:202703", 3600)

    report = examine(rig, repair=True)

    assert report.ok, report.breaks
    assert examine(rig).breaks == ()


def test_a_unit_added_between_two_looks_is_no_finding(rig: IndexRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index knew the new unit before the doctor had read the fleet."""
    looks = 0
    real = rig.index.odd_keys

    def odd_keys(names: list[bytes], slots: dict[str, SkuSlots]) -> list[OddKey]:
        nonlocal looks
        looks += 1
        if looks == 1:
            slots = {"AVZ": SkuSlots(next_slot=3, at_home=frozenset({0, 1, 2}))}
        return list(real(names, slots))

    monkeypatch.setattr(rig.index, "odd_keys", odd_keys)

    assert examine(rig).breaks == ()
    assert looks == 2


def test_the_one_key_of_ten_thousand_that_would_end_is_found(rig: IndexRig) -> None:
    month = YearMonth(2027, 5)
    names = [f"avail:AVZ:u{n}:{month}".encode() for n in range(10_000)]
    rig.redis.mset(dict.fromkeys(names, b"\0\0\0\0"))
    rig.redis.expire(names[9_999], 60)

    assert [item.key for item in rig.index.odd_keys(names, {})] == [names[9_999]]
