"""What only the Redis index promises: the seed's keys bit by bit, strangers' values, threads, lost answers."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterator

import pytest
import redis

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import Link, connect
from app.domain.days import Days, YearMonth
from app.usecases.index_port import ClaimAnswer, ClaimResult, IndexedUnit, IndexUnreachable, Projection
from tests.support.redis_nodes import RedisNode

MAY = YearMonth(2026, 5)
JUNE = YearMonth(2026, 6)
AVANZA = IndexedUnit(sku="TOY-AVNZ-G", unit_id="uuid-avanza-001", slot=2)
KEY = "avail:TOY-AVNZ-G:uuid-avanza-001:202605"
PACKED = "apack:TOY-AVNZ-G:202605"
OK = ClaimResult(answer=ClaimAnswer.OK)
UNKNOWN = ClaimResult(answer=ClaimAnswer.UNKNOWN)


def may(first: int, last: int | None = None) -> Days:
    return Days(dt.date(2026, 5, first), dt.date(2026, 5, last or first))


def build(index: RedisAvailability, *taken: Days, version: int = 1, unit: IndexedUnit = AVANZA) -> int:
    return index.project(index.epoch(), [Projection(unit=unit, version=version, months=(MAY, JUNE), days=taken)])


def hints_of(raw: redis.Redis, sku: str) -> Callable[[], list[bytes]]:
    ear = raw.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    ear.subscribe(f"chg:{sku}")
    assert ear.get_message(timeout=5) is None  # the confirmation itself

    def heard() -> list[bytes]:
        raw.publish(f"chg:{sku}", b"end")
        found = []
        while (message := ear.get_message(timeout=5)) is None or message["data"] != b"end":
            if message is not None:
                found.append(message["data"])
        return found

    return heard


def test_the_seeds_example_answers_bit_by_bit(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    assert raw.getbit(KEY, 24) == 0
    assert index.claim(AVANZA, may(25, 27), "K1:a") == OK
    assert [raw.getbit(KEY, bit) for bit in range(23, 28)] == [0, 1, 1, 1, 0]
    build(index, version=2)
    assert raw.getbit(KEY, 24) == 0


def test_bits_are_the_ones_setbit_would_have_set(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index, may(10, 12), may(30, 31))
    for bit in (9, 10, 11, 29, 30):
        raw.setbit("by-hand", bit, 1)
    assert raw.get(KEY) == raw.get("by-hand") == bytes.fromhex("00700006")


def test_keys_have_four_bytes_and_the_packed_string_says_known(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    assert raw.get(KEY) == bytes(4)
    assert raw.get(PACKED) == bytes(8) + b"\0\0\0\1"
    index.claim(AVANZA, may(31), "K1:a")
    assert raw.get(KEY) == b"\0\0\0\2"
    assert raw.get(PACKED) == bytes(8) + b"\0\0\0\3"
    assert raw.hgetall("aver:TOY-AVNZ-G") == {b"2": b"1"}
    assert raw.ttl(KEY) == raw.ttl(PACKED) == -1


def test_a_claim_is_registered_for_thirty_seconds_of_redis_time(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    seconds, micros = raw.time()
    index.claim(AVANZA, may(25), "K1:a")
    later, later_micros = raw.time()
    expires = raw.zscore("aidx:claims", "TOY-AVNZ-G|uuid-avanza-001|K1:a")
    assert expires is not None
    assert seconds * 1000 + micros // 1000 <= expires - 30_000 <= later * 1000 + later_micros // 1000


def test_a_claim_past_its_lease_shows_as_expired(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    index.claim(AVANZA, may(25), "K1:a")
    raw.zadd("aidx:claims", {"TOY-AVNZ-G|uuid-avanza-001|K1:a": raw.time()[0] * 1000 - 1})
    assert [claim.expired for claim in index.open_claims()] == [True]


@pytest.mark.parametrize("foreign", [b"", b"\0\0\0", b"\0\0\0\0\0"])
def test_a_key_of_another_length_is_unknown_until_it_is_projected(
    index: RedisAvailability, raw: redis.Redis, foreign: bytes
) -> None:
    build(index)
    raw.set(KEY, foreign)
    assert index.claim(AVANZA, may(25), "K1:a") == UNKNOWN
    assert raw.get(KEY) == foreign
    assert index.raw_months([AVANZA], [MAY])[0][0].key == foreign
    assert build(index) == 1
    assert index.claim(AVANZA, may(25), "K1:a") == OK


@pytest.mark.parametrize("key", [KEY, PACKED, "aver:TOY-AVNZ-G"])
def test_a_value_of_another_type_is_unknown_until_it_is_projected(
    index: RedisAvailability, raw: redis.Redis, key: str
) -> None:
    build(index)
    raw.delete(key)
    raw.lpush(key, "a stranger's list")
    stored = index.raw_months([AVANZA], [MAY])[0][0]
    assert None in (stored.key, stored.packed, stored.version)
    if key != "aver:TOY-AVNZ-G":
        assert index.claim(AVANZA, may(25), "K1:a") == UNKNOWN
    assert build(index, version=2) == 1
    assert index.raw_months([AVANZA], [MAY])[0][0].version == 2
    assert index.claim(AVANZA, may(25), "K1:a") == OK


@pytest.mark.parametrize(("key", "bit"), [(KEY, 24), (KEY, 31), (PACKED, 64 + 24), (PACKED, 64 + 31)])
def test_two_forms_that_disagree_are_unknown_and_the_projection_mends_both(
    index: RedisAvailability, raw: redis.Redis, key: str, bit: int
) -> None:
    build(index)
    raw.setbit(key, bit, 1 - raw.getbit(key, bit))
    assert index.claim(AVANZA, may(1), "K1:a") == UNKNOWN
    build(index)
    assert (raw.get(KEY), raw.get(PACKED)) == (bytes(4), bytes(8) + b"\0\0\0\1")


def test_a_slot_without_its_known_bit_is_not_free(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    assert dict(index.month("TOY-AVNZ-G", MAY).masks) == {2: 0}
    raw.setbit(PACKED, 64 + 31, 0)
    stored = index.raw_months([AVANZA], [MAY])[0][0]
    assert dict(index.month("TOY-AVNZ-G", MAY).masks) == {}
    assert (stored.packed, stored.packed_known) == (None, False)


def test_one_hint_per_month_carries_the_bytes(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    heard = hints_of(raw, "TOY-AVNZ-G")
    index.claim(AVANZA, Days(dt.date(2026, 5, 31), dt.date(2026, 6, 1)), "K1:a")
    assert heard() == [b"202605 2 \0\0\0\2", b"202606 2 \x80\0\0\0"]


def test_a_projection_tells_only_what_changed(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index, may(25))
    heard = hints_of(raw, "TOY-AVNZ-G")
    build(index, may(25), version=2)
    assert heard() == []
    build(index, may(25, 26), version=3)
    assert heard() == [b"202605 2 \0\0\0\xc0"]


def test_every_changed_month_of_every_unit_is_told(index: RedisAvailability, raw: redis.Redis) -> None:
    heard = hints_of(raw, "S")
    units = [IndexedUnit(sku="S", unit_id=f"u-{n}", slot=n) for n in range(30)]
    index.project(index.epoch(), [Projection(unit=u, version=1, months=(MAY, JUNE), days=()) for u in units])
    assert sorted(heard()) == sorted(
        f"{month} {unit.slot} ".encode() + bytes(4) for unit in units for month in (MAY, JUNE)
    )


def test_months_without_an_epoch_are_not_trusted(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    raw.delete("aidx:epoch")
    assert index.claim(AVANZA, may(25), "K1:a") == UNKNOWN
    assert raw.get(KEY) == bytes(4)


def test_a_refused_claim_tells_nothing(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index, may(25))
    heard = hints_of(raw, "TOY-AVNZ-G")
    assert index.claim(AVANZA, may(24, 26), "K1:a").answer is ClaimAnswer.BUSY
    assert heard() == []


def test_c01_of_twenty_threads_one_gets_the_days(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    start = threading.Barrier(20)
    answers: list[ClaimAnswer] = []

    def book(n: int) -> None:
        start.wait()
        answers.append(index.claim(AVANZA, may(10, 12), f"K{n}:x").answer)

    threads = [threading.Thread(target=book, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [ClaimAnswer.BUSY] * 19 + [ClaimAnswer.OK]
    assert raw.get(KEY) == bytes.fromhex("00700000")
    assert len(index.open_claims()) == 1


def test_claims_and_projections_in_any_interleaving_leave_both_forms_equal(index: RedisAvailability) -> None:
    units = [IndexedUnit(sku="S", unit_id=f"u-{n}", slot=n) for n in range(4)]
    epoch = index.epoch()
    start = threading.Barrier(6)

    def clerk(n: int) -> None:
        start.wait()
        for day in range(1, 29):
            index.claim(units[day % 4], may(day, day + n), f"K{n}:{day}")

    def service(n: int) -> None:
        start.wait()
        for version in range(1, 29):
            taken = (may(version),)
            index.project(epoch, [Projection(unit=u, version=version, months=(MAY,), days=taken) for u in units])

    threads = [threading.Thread(target=clerk, args=(n,)) for n in range(3)]
    threads += [threading.Thread(target=service, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for row in index.raw_months(units, [MAY]):
        assert row[0].key is not None
        assert row[0].packed == int.from_bytes(row[0].key, "big")
        assert row[0].version == 28


def test_more_units_than_one_chunk_are_projected_and_read_back(index: RedisAvailability) -> None:
    units = [IndexedUnit(sku=f"S{n % 2}", unit_id=f"u-{n}", slot=n // 2) for n in range(2_500)]
    taken = [(may(1 + n % 31),) for n in range(len(units))]
    projections = [Projection(unit=unit, version=1, months=(MAY, JUNE), days=taken[n]) for n, unit in enumerate(units)]
    assert index.project(index.epoch(), projections) == 2_500
    stored = index.raw_months(units, [MAY, JUNE])
    assert [(row[0].packed, row[1].packed) for row in stored] == [(days[0].mask(MAY), 0) for days in taken]
    keys = [name for name in index.stored_keys() if name.startswith(b"avail:S0:")]
    assert len(keys) == 2_500
    index.drop_keys(keys[:2_100])
    assert len([name for name in index.stored_keys() if name.startswith(b"avail:S0:")]) == 400


def test_a_server_that_lost_its_scripts_learns_them_again(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    raw.script_flush()
    assert index.claim(AVANZA, may(25), "K1:a") == OK
    raw.script_flush()
    assert build(index, version=2) == 1
    raw.script_flush()
    index.forget_unit(AVANZA, 3, [MAY])
    assert raw.get(KEY) is None


def test_slots_for_a_period_needs_every_month_known(index: RedisAvailability) -> None:
    def unit(slot: int) -> IndexedUnit:
        return IndexedUnit(sku="S", unit_id=f"u-{slot}", slot=slot)

    over = Days(dt.date(2026, 5, 31), dt.date(2026, 6, 1))
    epoch = index.epoch()
    both = (MAY, JUNE)
    index.project(epoch, [Projection(unit=unit(0), version=1, months=both, days=())])
    index.project(epoch, [Projection(unit=unit(1), version=1, months=both, days=(may(31),))])
    index.project(epoch, [Projection(unit=unit(2), version=1, months=(MAY,), days=())])
    index.project(epoch, [Projection(unit=unit(4), version=1, months=(MAY,), days=(may(31),))])
    index.project(epoch, [Projection(unit=unit(5), version=1, months=both, days=(may(30),))])
    found = index.slots_for("S", over)
    assert (list(found.free), list(found.taken)) == ([0, 5], [1, 4])
    assert (found.free[1], found.free[:1], len(found.free), 5 in found.free, 2 in found.free) == (
        5,
        [0],
        2,
        True,
        False,
    )
    assert list(index.slots_for("none", over).free) == []


def test_something_that_is_no_claim_in_the_register_is_told_and_can_be_taken_off(
    index: RedisAvailability, raw: redis.Redis
) -> None:
    raw.zadd("aidx:claims", {b"garbage": 4e12, b"\xff|u|t": 2, b"\xff": 3, b"||": 4})
    found = index.open_claims()
    assert [(claim.unit_id, claim.is_malformed, claim.expired) for claim in found] == [
        ("u", False, True),
        ("", True, True),
        ("", True, True),
        ("", True, True),
    ]
    index.drop_claims(found)
    assert raw.exists("aidx:claims") == 0


def test_a_claim_that_would_outlive_every_lease_counts_as_expired(index: RedisAvailability, raw: redis.Redis) -> None:
    now = raw.time()[0] * 1000
    raw.zadd("aidx:claims", {"S|u|fair": now + 29_000, "S|u|far": now + 60_000, "S|u|never": float("inf")})
    found = {claim.token: (claim.expired, claim.overlong) for claim in index.open_claims()}
    assert found == {"fair": (False, False), "far": (True, True), "never": (True, True)}


STRANGE: dict[str, Callable[[redis.Redis, str], object]] = {
    "a list": lambda raw, key: raw.rpush(key, "x"),
    "a set": lambda raw, key: raw.sadd(key, "x"),
    "a hash": lambda raw, key: raw.hset(key, "f", "x"),
    "a text": lambda raw, key: raw.set(key, "\xe4 b\0"),
    "an empty text": lambda raw, key: raw.set(key, ""),
}


@pytest.mark.parametrize("strange", STRANGE)
def test_a_strangers_epoch_is_replaced_and_everything_goes_on(
    index: RedisAvailability, raw: redis.Redis, strange: str
) -> None:
    build(index)
    before = index.epoch()
    assert index.epoch_is_sound()
    raw.delete("aidx:epoch")
    assert index.epoch_is_sound()
    STRANGE[strange](raw, "aidx:epoch")
    assert not index.epoch_is_sound()
    assert index.project(before, [Projection(unit=AVANZA, version=2, months=(MAY,), days=(may(3),))]) == 0
    assert index.claim(AVANZA, may(25), "K1:a").epoch is None
    assert index.epoch() == index.epoch() != before
    assert index.epoch_is_sound()
    assert build(index, version=3) == 1
    assert index.claim(AVANZA, may(26), "K1:b") == OK


@pytest.mark.parametrize("strange", ["a list", "a set", "a hash", "a text"])
def test_a_strangers_claim_register_stops_nothing(index: RedisAvailability, raw: redis.Redis, strange: str) -> None:
    build(index)
    STRANGE[strange](raw, "aidx:claims")
    (found,) = index.open_claims()
    assert (found.is_malformed, found.expired, found.member) == (True, True, b"")
    assert index.claim(AVANZA, may(25), "K1:a") == OK
    assert [claim.token for claim in index.open_claims()] == ["K1:a"]
    raw.delete("aidx:claims")
    STRANGE[strange](raw, "aidx:claims")
    index.drop_claim(AVANZA, "K1:a")
    assert raw.exists("aidx:claims") == 0
    STRANGE[strange](raw, "aidx:claims")
    index.drop_claims(index.open_claims())
    assert raw.exists("aidx:claims") == 0


@pytest.mark.parametrize("held", ["999999999999999999999999", "1e9", "0x7fffffffff", "inf", "text", "9" * 5_000])
def test_a_version_that_is_no_number_of_ours_is_read_as_newer_and_rebuilt(
    index: RedisAvailability, raw: redis.Redis, held: str
) -> None:
    build(index)
    raw.hset("aver:TOY-AVNZ-G", str(AVANZA.slot), held)
    assert (index.raw_months([AVANZA], [MAY])[0][0].version or 0) > 10**18
    assert index.rebuild(index.epoch(), [Projection(unit=AVANZA, version=2, months=(MAY,), days=(may(3),))]) == 1
    assert raw.hget("aver:TOY-AVNZ-G", str(AVANZA.slot)) == b"2"


def test_a_full_server_is_unreachable_and_nothing_is_half_written(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    raw.config_set("maxmemory", 1)
    try:
        with pytest.raises(IndexUnreachable):
            index.claim(AVANZA, may(25), "K1:a")
        assert raw.get(KEY) == bytes(4)
    finally:
        raw.config_set("maxmemory", 0)


@pytest.fixture
def frozen(redis_factory: Callable[[], RedisNode]) -> Iterator[tuple[RedisNode, RedisAvailability, list[float]]]:
    """A server to be frozen, an index on it, and the clock of its link."""
    server = redis_factory()
    clock = [0.0]
    link = Link(connect(server.url, answer_timeout_s=0.2), clock=lambda: clock[0])
    yield server, RedisAvailability(link), clock
    link.close()


def test_r39_a_claim_whose_answer_was_lost_is_one_claim(
    frozen: tuple[RedisNode, RedisAvailability, list[float]],
) -> None:
    server, index, clock = frozen
    build(index)
    server.freeze()
    with pytest.raises(IndexUnreachable):
        index.claim(AVANZA, may(10, 12), "K1:a")
    server.thaw()
    clock[0] += 2
    assert index.claim(AVANZA, may(10, 12), "K1:a") == OK
    assert len(index.open_claims()) == 1
    assert index.claim(AVANZA, may(10, 12), "K2:b").answer is ClaimAnswer.BUSY


def test_an_answer_that_came_too_late_is_never_taken_for_another(
    frozen: tuple[RedisNode, RedisAvailability, list[float]],
) -> None:
    server, index, clock = frozen
    build(index, may(25))
    server.freeze()
    with pytest.raises(IndexUnreachable):
        index.run_id()
    server.thaw()
    clock[0] += 2
    assert dict(index.month("TOY-AVNZ-G", MAY).masks) == {2: 0x00000080}


def test_a_dead_server_is_asked_once_and_then_known_to_be_down(
    frozen: tuple[RedisNode, RedisAvailability, list[float]],
) -> None:
    server, index, clock = frozen
    index.epoch()
    server.freeze()
    with pytest.raises(IndexUnreachable, match="Timeout"):
        index.epoch()
    for _ in range(3):
        with pytest.raises(IndexUnreachable, match="known to be down"):
            index.epoch()
    clock[0] += 1.9
    with pytest.raises(IndexUnreachable, match="known to be down"):
        index.epoch()
    clock[0] += 0.2
    with pytest.raises(IndexUnreachable, match="Timeout"):
        index.epoch()
    server.thaw()
    clock[0] += 2
    assert index.epoch() == index.epoch()


def test_only_one_caller_asks_whether_a_dead_server_is_back(
    frozen: tuple[RedisNode, RedisAvailability, list[float]],
) -> None:
    server, index, clock = frozen
    server.freeze()
    with pytest.raises(IndexUnreachable):
        index.epoch()
    clock[0] += 2
    start = threading.Barrier(8)
    reasons: list[str] = []

    def ask() -> None:
        start.wait()
        try:
            index.epoch()
        except IndexUnreachable as error:
            reasons.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(reason.startswith("Timeout") for reason in reasons) == [False] * 7 + [True]


def test_a_server_restarted_empty_is_used_again_without_an_error(redis_factory: Callable[[], RedisNode]) -> None:
    server = redis_factory()
    link = Link(connect(server.url))
    index = RedisAvailability(link)
    build(index)
    before, run = index.epoch(), index.run_id()
    server.kill()
    server.start()
    assert index.claim(AVANZA, may(25), "K1:a") == UNKNOWN
    assert index.run_id() != run
    assert index.project(before, [Projection(unit=AVANZA, version=1, months=(MAY,), days=())]) == 0
    assert build(index) == 1
    link.close()


def test_a_server_that_was_never_there_fails_at_once_and_heals(redis_factory: Callable[[], RedisNode]) -> None:
    server = redis_factory()
    server.kill()
    clock = [0.0]
    link = Link(connect(server.url), clock=lambda: clock[0])
    index = RedisAvailability(link)
    with pytest.raises(IndexUnreachable):
        index.epoch()
    down = [link.is_down]
    server.start()
    clock[0] += 2
    assert index.epoch() == index.epoch()
    assert [*down, link.is_down] == [True, False]
    link.close()


def test_a_refused_command_is_logged_and_does_not_count_as_an_absent_server(
    index: RedisAvailability, link: Link, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    build(index)
    with pytest.raises(IndexUnreachable, match="WRONGTYPE"), link.asking() as client:
        client.hgetall(KEY)
    assert "redis refused a command" in caplog.text
    assert not link.is_down
    assert raw.get(KEY) == bytes(4)


def test_forgetting_a_unit_gets_over_a_strangers_values(index: RedisAvailability, raw: redis.Redis) -> None:
    build(index)
    raw.set("aver:TOY-AVNZ-G", "text")
    raw.delete(PACKED)
    raw.lpush(PACKED, "list")
    index.forget_unit(AVANZA, 3, [MAY, JUNE])
    assert raw.keys("avail:*") == []
    assert raw.hgetall("aver:TOY-AVNZ-G") == {b"2": b"3"}
