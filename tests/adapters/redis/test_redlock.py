"""Redlock over one, three and five real nodes: quorum, dead minorities, foreign tokens, leftovers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import redis

from app.adapters.redis.no_index import NoLocks
from app.adapters.redis.redlock import RedlockNodes, new_lock_token
from app.embedded.lives import Lives
from app.usecases.index_port import IndexedUnit, UnitLocks
from tests.fakes import FakeLocks
from tests.support.redis_nodes import RedisNode

AVANZA = IndexedUnit(sku="TOY-AVNZ-G", unit_id="uuid-avanza-001", slot=0)
BRIO = IndexedUnit(sku="HON-BRIO", unit_id="uuid-brio-1", slot=4)
KEY = "lock:TOY-AVNZ-G:uuid-avanza-001"


@contextmanager
def redis_locks(nodes: Sequence[RedisNode], lives: Lives) -> Iterator[RedlockNodes]:
    """Another window of counter K1."""
    locks = RedlockNodes([node.url for node in nodes], counter="K1", lives=lives)
    yield locks
    locks.close()


@dataclass
class Clock:
    """Time that passes only when somebody sleeps, and what is done meanwhile."""

    now: float = 100.0
    slept: float = 0.0
    meanwhile: list[Callable[[], object]] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds
        if self.meanwhile:
            self.meanwhile.pop(0)()


@pytest.fixture
def nodes(redis_factory: Callable[[], RedisNode]) -> list[RedisNode]:
    return [redis_factory() for _ in range(5)]


def client_of(node: RedisNode) -> redis.Redis:
    return redis.Redis.from_url(node.url, protocol=2)


@pytest.fixture
def open_locks() -> Iterator[Callable[..., RedlockNodes]]:
    with ExitStack() as opened:

        def open_them(servers: Sequence[RedisNode], counter: str = "K1", clock: Clock | None = None) -> RedlockNodes:
            clock = clock or Clock()
            locks = RedlockNodes([s.url for s in servers], counter=counter, clock=clock, sleep=clock.sleep)
            opened.callback(locks.close)
            return locks

        yield open_them


Opener = Callable[..., RedlockNodes]


def held(server: RedisNode, key: str = KEY) -> bytes | None:
    with client_of(server) as client:
        found: bytes | None = client.get(key)
        return found


@pytest.fixture(params=["fake", "one node", "three nodes"])
def any_locks(request: pytest.FixtureRequest) -> UnitLocks:
    if request.param == "fake":
        return FakeLocks(counter="K1")
    nodes: list[RedisNode] = request.getfixturevalue("nodes")
    opener: Opener = request.getfixturevalue("open_locks")
    return opener(nodes[: 1 if request.param == "one node" else 3])


def test_one_token_holds_a_unit_until_it_is_released(any_locks: UnitLocks) -> None:
    assert any_locks.acquire(AVANZA, "K1:a")
    assert any_locks.acquire(AVANZA, "K1:a")
    assert not any_locks.acquire(AVANZA, "K2:b")
    assert any_locks.acquire(BRIO, "K2:b")
    any_locks.release(AVANZA, "K1:a")
    assert any_locks.acquire(AVANZA, "K2:b")


def test_c65_a_late_release_does_not_end_a_foreign_lock(any_locks: UnitLocks) -> None:
    any_locks.acquire(AVANZA, "K2:b")
    any_locks.release(AVANZA, "K1:a")
    assert not any_locks.acquire(AVANZA, "K1:a")
    assert any_locks.acquire(AVANZA, "K2:b")


def test_only_locks_of_other_counters_count_as_held_by_others(any_locks: UnitLocks) -> None:
    any_locks.acquire(AVANZA, "K1:a")
    any_locks.acquire(BRIO, "K2:b")
    free = IndexedUnit(sku="HON-BRIO", unit_id="free", slot=5)
    assert any_locks.held_by_others([AVANZA, BRIO, free]) == frozenset({"uuid-brio-1"})
    assert any_locks.held_by_others([]) == frozenset()


def test_waiting_takes_a_free_lock_and_gives_up_on_a_held_one(any_locks: UnitLocks) -> None:
    assert any_locks.wait(AVANZA, "K1:a", 2)
    assert not any_locks.wait(AVANZA, "K2:b", 2)


def test_a_crashed_counters_locks_are_released_on_its_next_start(any_locks: UnitLocks) -> None:
    any_locks.acquire(AVANZA, "K1:a")
    any_locks.acquire(BRIO, "K1:b")
    other = IndexedUnit(sku="S", unit_id="of-another", slot=0)
    namesake = IndexedUnit(sku="S", unit_id="of-a-namesake", slot=1)
    any_locks.acquire(other, "K2:c")
    any_locks.acquire(namesake, "K1:1:d")
    assert any_locks.release_leftovers("K1") == 2
    assert any_locks.release_leftovers("K1") == 0
    assert any_locks.acquire(AVANZA, "K2:x")
    assert not any_locks.acquire(other, "K1:x")
    assert not any_locks.acquire(namesake, "K1:x")


def test_a_second_window_on_the_same_pc_keeps_what_the_first_one_holds(nodes: list[RedisNode], tmp_path: Path) -> None:
    lives = Lives(tmp_path / "lives")
    with redis_locks(nodes[:1], lives) as first, redis_locks(nodes[:1], lives) as second:
        assert first.acquire(AVANZA, first.new_token())
        assert second.release_leftovers("K1") == 0
        assert not second.acquire(AVANZA, second.new_token())


def test_a_program_that_was_killed_leaves_its_locks_to_the_next_one(nodes: list[RedisNode], tmp_path: Path) -> None:
    lives = Lives(tmp_path / "lives")
    begun = "import sys, pathlib; from app.embedded.lives import Lives; print(Lives(pathlib.Path(sys.argv[1])).mine())"
    killed = subprocess.run(
        [sys.executable, "-c", begun, str(tmp_path / "lives")], capture_output=True, text=True, check=True
    ).stdout.strip()
    with redis_locks(nodes[:1], lives) as locks:
        assert locks.acquire(AVANZA, f"K1:{killed}.abc")
        assert locks.acquire(BRIO, "K1:0123456789abcdef.abc"), "of a life on another machine"
        assert locks.release_leftovers("K1") == 1
    assert held(nodes[0]) is None


def test_a_lock_lives_ten_minutes_and_a_retry_renews_it(nodes: list[RedisNode], open_locks: Opener) -> None:
    locks = open_locks(nodes[:1])
    locks.acquire(AVANZA, "K1:a")
    with client_of(nodes[0]) as client:
        assert 590_000 < client.pttl(KEY) <= 600_000
        client.pexpire(KEY, 1_000)
        locks.acquire(AVANZA, "K1:a")
        assert client.pttl(KEY) > 590_000


def test_tokens_name_their_counter_and_never_repeat(open_locks: Opener, nodes: list[RedisNode]) -> None:
    locks = open_locks(nodes[:1], counter="KASIR-1")
    tokens = {locks.new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {token.rpartition(":")[0] for token in tokens} == {"KASIR-1"}
    assert new_lock_token("K:2").startswith("K:2:")


@pytest.mark.parametrize(("count", "dead"), [(3, 1), (5, 2)])
def test_a_dead_minority_is_not_noticed(nodes: list[RedisNode], open_locks: Opener, count: int, dead: int) -> None:
    for node in nodes[:dead]:
        node.kill()
    mine, theirs = open_locks(nodes[:count]), open_locks(nodes[:count], counter="K2")
    assert mine.acquire(AVANZA, "K1:a")
    assert not theirs.acquire(AVANZA, "K2:b")
    assert theirs.held_by_others([AVANZA]) == frozenset({"uuid-avanza-001"})
    mine.release(AVANZA, "K1:a")
    assert theirs.acquire(AVANZA, "K2:b")


@pytest.mark.parametrize(("count", "dead"), [(1, 1), (3, 2), (5, 3), (5, 5)])
def test_without_a_quorum_nothing_is_held_and_nobody_waits(
    nodes: list[RedisNode], open_locks: Opener, count: int, dead: int
) -> None:
    for node in nodes[:dead]:
        node.kill()
    clock = Clock()
    locks = open_locks(nodes[:count], clock=clock)
    assert not locks.acquire(AVANZA, "K1:a")
    assert not locks.wait(AVANZA, "K1:a", 2)
    assert clock.slept == 0
    assert [held(node) for node in nodes[dead:count]] == [None] * (count - dead)
    locks.release(AVANZA, "K1:a")
    if dead == count:
        assert locks.held_by_others([AVANZA]) == frozenset()
        assert locks.release_leftovers("K1") == 0


def test_a_quorum_held_by_another_leaves_nothing_of_ours(nodes: list[RedisNode], open_locks: Opener) -> None:
    for node in nodes[:2]:
        with client_of(node) as client:
            client.set(KEY, "K2:b", px=600_000)
    assert not open_locks(nodes[:3]).acquire(AVANZA, "K1:a")
    assert [held(node) for node in nodes[:3]] == [b"K2:b", b"K2:b", None]


def test_a_minority_held_by_another_does_not_stop_us(nodes: list[RedisNode], open_locks: Opener) -> None:
    with client_of(nodes[0]) as client:
        client.set(KEY, "K2:b", px=600_000)
    locks = open_locks(nodes[:3])
    assert locks.acquire(AVANZA, "K1:a")
    locks.release(AVANZA, "K1:a")
    assert [held(node) for node in nodes[:3]] == [b"K2:b", None, None]


def test_r43_a_lock_that_took_its_whole_life_to_get_is_not_held(nodes: list[RedisNode]) -> None:
    times = iter([0.0, 594.0])  # 600 s less 1 % drift: nothing is left of it
    locks = RedlockNodes([nodes[0].url], counter="K1", clock=lambda: next(times))
    assert not locks.acquire(AVANZA, "K1:a")
    locks.close()
    assert held(nodes[0]) is None


def test_an_expired_lock_is_anybodys(nodes: list[RedisNode], open_locks: Opener) -> None:
    locks = open_locks(nodes[:1])
    locks.acquire(AVANZA, "K1:a")
    with client_of(nodes[0]) as client:
        client.pexpire(KEY, 0)
    assert locks.acquire(AVANZA, "K2:b")


def test_r42_a_lost_lock_key_goes_to_the_next_and_the_first_cannot_take_it_back(
    nodes: list[RedisNode], open_locks: Opener
) -> None:
    locks = open_locks(nodes[:1])
    locks.acquire(AVANZA, "K1:a")
    with client_of(nodes[0]) as client:
        client.delete(KEY)
    assert locks.acquire(AVANZA, "K2:b")
    locks.release(AVANZA, "K1:a")
    assert held(nodes[0]) == b"K2:b"


def test_waiting_ends_when_the_holder_lets_go(nodes: list[RedisNode], open_locks: Opener) -> None:
    holder = open_locks(nodes[:3], counter="K2")
    holder.acquire(AVANZA, "K2:b")
    clock = Clock(meanwhile=[lambda: None, lambda: holder.release(AVANZA, "K2:b")])
    assert open_locks(nodes[:3], clock=clock).wait(AVANZA, "K1:a", 2)
    assert 0 < clock.slept < 0.2


def test_waiting_for_a_dead_counters_lock_ends_after_the_time_given(nodes: list[RedisNode], open_locks: Opener) -> None:
    open_locks(nodes[:1], counter="K2").acquire(AVANZA, "K2:b")
    clock = Clock()
    assert not open_locks(nodes[:1], clock=clock).wait(AVANZA, "K1:a", 2)
    assert clock.slept == pytest.approx(2.0)


def test_a_node_that_came_back_is_used_again(nodes: list[RedisNode], open_locks: Opener) -> None:
    clock = Clock()
    locks = open_locks(nodes[:1], clock=clock)
    nodes[0].kill()
    assert not locks.acquire(AVANZA, "K1:a")
    nodes[0].start()
    assert not locks.acquire(AVANZA, "K1:a")  # within the window in which it is known to be down
    clock.now += 2
    assert locks.acquire(AVANZA, "K1:a")


def test_a_frozen_minority_is_survived(nodes: list[RedisNode], open_locks: Opener) -> None:
    locks = open_locks(nodes[:3])
    nodes[0].freeze()
    try:
        assert locks.acquire(AVANZA, "K1:a")
    finally:
        nodes[0].thaw()


def test_a_stranger_of_another_type_is_no_lock_and_is_replaced(nodes: list[RedisNode], open_locks: Opener) -> None:
    with client_of(nodes[0]) as client:
        client.lpush(KEY, "x")
    locks = open_locks(nodes[:1])
    assert locks.held_by_others([AVANZA]) == frozenset()
    assert locks.release_leftovers("K1") == 0
    assert locks.acquire(AVANZA, "K1:a")
    assert not locks.acquire(AVANZA, "K2:b")


@pytest.mark.parametrize("ttl_ms", [None, 600_001 * 2])
def test_a_lock_that_would_outlive_every_lock_of_ours_holds_nobody_up(
    nodes: list[RedisNode], open_locks: Opener, ttl_ms: int | None
) -> None:
    with client_of(nodes[0]) as client:
        client.set(KEY, "K9:a-stranger's", px=ttl_ms)
        assert open_locks(nodes[:1]).acquire(AVANZA, "K1:a")
        assert 0 < client.pttl(KEY) <= 600_000


def test_many_locks_are_found_among_others(nodes: list[RedisNode], open_locks: Opener) -> None:
    with client_of(nodes[0]) as client:
        client.mset({f"lock:S:u-{n}": f"K{n % 3}:x" for n in range(3_000)})
    assert open_locks(nodes[:1]).release_leftovers("K1") == 1_000
    with client_of(nodes[0]) as client:
        assert client.dbsize() == 2_000


def test_no_nodes_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least one node"):
        RedlockNodes([], counter="K1")


def test_where_no_redis_is_configured_nothing_is_locked() -> None:
    locks: UnitLocks = NoLocks()
    assert not locks.acquire(AVANZA, "K1:a")
    assert not locks.wait(AVANZA, "K1:a", 2)
    locks.release(AVANZA, "K1:a")
    assert locks.held_by_others([AVANZA]) == frozenset()
    assert locks.release_leftovers("K1") == 0


def test_tokens_are_kept_as_plain_text(nodes: list[RedisNode], open_locks: Opener) -> None:
    open_locks(nodes[:1]).acquire(AVANZA, "K1:a")
    with redis.Redis.from_url(nodes[0].url, decode_responses=True, protocol=2) as client:
        assert client.get(KEY) == "K1:a"
