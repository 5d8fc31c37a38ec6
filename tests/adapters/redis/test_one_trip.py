"""Lock and claim in one trip, and everything after a commit in one trip: on the fake and on a real Redis."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
import redis

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.connection import Link
from app.adapters.redis.redlock import LOCK_TTL_MS
from app.domain.days import Days, YearMonth
from app.usecases.index_port import AvailabilityIndex, ClaimAnswer, ClaimResult, IndexedUnit, News, Projection
from tests.fakes import FakeIndex, FakeLocks

MAY = YearMonth(2026, 5)
UNIT = IndexedUnit(sku="TOY-AVNZ-G", unit_id="uuid-avanza-001", slot=0)
DAYS = Days(dt.date(2026, 5, 25), dt.date(2026, 5, 28))
BITS = 0b1111 << 4
LOCK = ("TOY-AVNZ-G", "uuid-avanza-001")


@dataclass(frozen=True)
class LockNode:
    """An index on the only lock node; `locks` shows who holds what, `forget_scripts` what a restart would."""

    index: AvailabilityIndex
    locks: Callable[[], Mapping[tuple[str, str], str]]
    forget_scripts: Callable[[], object]

    def free(self) -> Projection:
        return Projection(unit=UNIT, version=1, months=(MAY,), days=())

    def booked(self) -> Projection:
        return Projection(unit=UNIT, version=2, months=(MAY,), days=(DAYS,))

    def mask(self) -> int | None:
        return self.index.month(UNIT.sku, MAY).masks.get(UNIT.slot)


@pytest.fixture(params=["fake", "redis"])
def node(request: pytest.FixtureRequest) -> LockNode:
    if request.param == "fake":
        locks = FakeLocks()
        return LockNode(FakeIndex(locks=locks), lambda: locks.held, lambda: None)
    link: Link = request.getfixturevalue("link")
    raw: redis.Redis = request.getfixturevalue("raw")

    def held() -> Mapping[tuple[str, str], str]:
        found = {}
        for name in raw.scan_iter("lock:*"):
            _, sku, unit_id = bytes(name).decode().split(":")
            token = raw.get(name)
            assert isinstance(token, bytes)
            found[sku, unit_id] = token.decode()
        return found

    return LockNode(RedisAvailability(link, is_the_lock_node=True), held, raw.script_flush)


def test_one_trip_takes_the_redlock_and_the_days(node: LockNode) -> None:
    epoch = node.index.epoch()
    node.index.project(epoch, [node.free()])
    found = node.index.claim(UNIT, DAYS, "order:0", "K1:a")
    assert (found.answer, found.epoch) == (ClaimAnswer.OK, epoch)
    assert node.mask() == BITS
    assert node.locks() == {LOCK: "K1:a"}
    assert node.index.claim(UNIT, DAYS, "order:0", "K1:a").answer is ClaimAnswer.OK


def test_a_foreign_redlock_keeps_the_days_unclaimed(node: LockNode) -> None:
    node.index.project(node.index.epoch(), [node.free()])
    node.index.claim(UNIT, Days(DAYS.last, DAYS.last), "order:0", "K2:b")
    earlier = Days(DAYS.first, DAYS.first)
    assert node.index.claim(UNIT, earlier, "order:1", "K1:a") == ClaimResult(answer=ClaimAnswer.LOCKED)
    assert node.mask() == BITS & -BITS
    assert [claim.token for claim in node.index.open_claims()] == ["order:0"]


def test_a_claim_without_a_lock_token_asks_no_lock(node: LockNode) -> None:
    node.index.project(node.index.epoch(), [node.free()])
    assert node.index.claim(UNIT, DAYS, "order:0").answer is ClaimAnswer.OK
    assert node.locks() == {}


def test_the_epoch_of_an_unknown_month_is_told_and_none_where_there_is_none(node: LockNode) -> None:
    before = node.index.claim(UNIT, DAYS, "order:0")
    assert (before.answer, before.epoch) == (ClaimAnswer.UNKNOWN, None)
    epoch = node.index.epoch()
    assert node.index.claim(UNIT, DAYS, "order:0").epoch == epoch


@pytest.mark.parametrize("scripts_are_known", [True, False])
def test_after_a_commit_one_trip_projects_drops_the_claim_and_releases(node: LockNode, scripts_are_known: bool) -> None:
    epoch = node.index.epoch()
    node.index.project(epoch, [node.free()])
    node.index.claim(UNIT, DAYS, "order:0", "K1:a")
    if not scripts_are_known:
        node.forget_scripts()
    node.index.conclude(epoch, [node.booked()], [(UNIT, "order:0")], [], [(UNIT, "K1:a")])
    assert node.index.raw_months([UNIT], [MAY])[0][0].version == 2
    assert node.mask() == BITS
    assert node.index.open_claims() == []
    assert node.locks() == {}


def test_concluding_releases_no_redlock_of_somebody_else(node: LockNode) -> None:
    node.index.project(node.index.epoch(), [node.free()])
    node.index.claim(UNIT, DAYS, "order:0", "K1:a")
    node.index.conclude(None, [node.booked()], [], [], [(UNIT, "K2:b")])
    assert node.locks() == {LOCK: "K1:a"}
    assert node.index.raw_months([UNIT], [MAY])[0][0].version == 1  # without an epoch nothing is projected


def test_the_redlock_of_a_claim_ends_by_itself(index: RedisAvailability, raw: redis.Redis) -> None:
    index.claim(UNIT, DAYS, "order:0", "K1:a")
    assert 0 < raw.pttl("lock:TOY-AVNZ-G:uuid-avanza-001") <= LOCK_TTL_MS


def test_news_reach_the_branchs_channel(index: RedisAvailability, raw: redis.Redis) -> None:
    with raw.pubsub(ignore_subscribe_messages=True) as heard:  # type: ignore[no-untyped-call]
        heard.subscribe("changes:JKT")
        heard.get_message(timeout=5)
        index.conclude(None, [], [], [News(branch="JKT", what="booking", id="b-1", by="ayu")])
        message = heard.get_message(timeout=5)
    assert message is not None
    assert message["data"] == b'{"v":1,"what":"booking","id":"b-1","by":"ayu"}'
