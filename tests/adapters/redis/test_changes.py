"""Change hints over a real Redis: what arrives, what is ignored, and how losing the server is noticed and mended."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.redis.availability import RedisAvailability
from app.adapters.redis.changes import AvailabilityHint, ChangeHint, RedisChanges, read_hint
from app.adapters.redis.connection import Link, open_link
from app.adapters.redis.no_index import NoChanges
from app.adapters.redis.subscription import Subscription
from app.domain.days import YearMonth
from app.usecases.index_port import IndexedUnit, Projection
from tests.support.redis_nodes import RedisNode

MAY = YearMonth(2026, 5)
SOON = 10.0  # a bound for something that takes milliseconds, never waited for when all is well


@dataclass
class Ear:
    """Everything a subscription said, in order, and a way to wait for the next thing."""

    said: list[tuple[object, ...]] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def note(self, *what: object) -> None:
        with self.news:
            self.said.append(what)
            self.news.notify_all()

    def wait_for(self, count: int) -> list[tuple[object, ...]]:
        with self.news:
            self.news.wait_for(lambda: len(self.said) >= count, SOON)
            return list(self.said)


Opener = Callable[..., tuple[Subscription, Ear]]


@pytest.fixture
def listen() -> Iterator[Opener]:
    with ExitStack() as opened:

        def start(url: str, skus: tuple[str, ...] = ("S",), idle_s: float = SOON) -> tuple[Subscription, Ear]:
            ear = Ear()
            subscription = Subscription(
                url,
                on_availability=lambda *hint: ear.note("availability", *hint),
                on_change=lambda *hint: ear.note("change", *hint),
                on_lost=lambda: ear.note("lost"),
                on_restored=lambda: ear.note("restored"),
                idle_s=idle_s,
                first_pause_s=0.01,
            )
            opened.callback(subscription.close)
            subscription.follow(skus=skus, branches=("JKT",))
            subscription.start()
            return subscription, ear

        yield start


def test_a_published_change_arrives_with_its_branch(link: Link, redis_url: str, listen: Opener) -> None:
    subscription, ear = listen(redis_url)
    assert subscription.wait_until_heard(SOON)
    changes = RedisChanges(link)
    changes.publish("MKS", "booking", "b-0", "rahmat")
    changes.publish("JKT", "invoice", "i-1", "ayu")
    assert ear.wait_for(1) == [("change", "JKT", "invoice", "i-1", "ayu")]


def test_the_payload_of_a_change_is_the_agreed_json(link: Link, raw: redis.Redis) -> None:
    ear = raw.pubsub()  # type: ignore[no-untyped-call]
    ear.subscribe("changes:JKT")
    assert ear.get_message(timeout=SOON)["type"] == "subscribe"
    RedisChanges(link).publish("JKT", "unit", "uuid-avanza-001", "maya")
    message = ear.get_message(timeout=SOON)
    assert json.loads(message["data"]) == {"v": 1, "what": "unit", "id": "uuid-avanza-001", "by": "maya"}


def test_availability_arrives_as_a_mask_ready_to_paint(
    index: RedisAvailability, redis_url: str, listen: Opener
) -> None:
    subscription, ear = listen(redis_url)
    assert subscription.wait_until_heard(SOON)
    unit = IndexedUnit(sku="S", unit_id="u-7", slot=7)
    index.project(index.epoch(), [Projection(unit=unit, version=1, months=(MAY,), days=())])
    assert ear.wait_for(1) == [("availability", "S", MAY, 7, 0)]


def test_malformed_messages_are_passed_over(raw: redis.Redis, link: Link, redis_url: str, listen: Opener) -> None:
    subscription, ear = listen(redis_url)
    assert subscription.wait_until_heard(SOON)
    for payload in (b"", b"x", b"{}", b"[1]", b"null", b"\xff\xfe", b'{"v": 2}', b'{"v":1,"what":1,"id":2,"by":3}'):
        raw.publish("changes:JKT", payload)
        raw.publish("chg:S", payload)
    for payload in (
        b"202613 1 \0\0\0\0",
        b"202605 -1 \0\0\0\0",
        b"202605  \0\0\0\0",
        b"202605 1\0\0\0\0",
        b"202605 1 \0",
    ):
        raw.publish("chg:S", payload)
    RedisChanges(link).publish("JKT", "staff", "s", "maya")
    assert ear.wait_for(1) == [("change", "JKT", "staff", "s", "maya")]


@given(channel=st.sampled_from([b"chg:S", b"changes:JKT", b"\xff", b"other"]), payload=st.binary(max_size=40))
def test_no_payload_whatever_raises(channel: bytes, payload: bytes) -> None:
    assert isinstance(read_hint(channel, payload), (AvailabilityHint, ChangeHint, type(None)))


@given(st.integers(1, 12), st.integers(0, 10**6), st.binary(min_size=4, max_size=4))
def test_any_four_bytes_survive_the_way(month: int, slot: int, mask: bytes) -> None:
    hint = read_hint(b"chg:TOY-AVNZ-G", f"2026{month:02d} {slot} ".encode() + mask)
    assert hint == AvailabilityHint(
        sku="TOY-AVNZ-G", month=YearMonth(2026, month), slot=slot, mask=int.from_bytes(mask, "big")
    )


def test_a_deeply_nested_payload_is_passed_over() -> None:
    assert read_hint(b"changes:JKT", b"[" * 100_000) is None


def test_a_callback_that_fails_does_not_end_the_ear(
    link: Link, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    ear = Ear()

    def fail_once(branch: str, what: str, id: str, by: str) -> None:
        ear.note(id)
        if id == "1":
            raise RuntimeError("this screen is gone")

    subscription = Subscription(
        redis_url,
        on_availability=lambda *_: None,
        on_change=fail_once,
        on_lost=lambda: None,
        on_restored=lambda: None,
    )
    subscription.follow(skus=(), branches=("JKT",))
    subscription.start()
    assert subscription.wait_until_heard(SOON)
    RedisChanges(link).publish("JKT", "unit", "1", "maya")
    RedisChanges(link).publish("JKT", "unit", "2", "maya")
    assert ear.wait_for(2) == [("1",), ("2",)]
    subscription.close()
    assert "could not be used" in caplog.text


def test_what_is_followed_can_change_while_listening(
    link: Link, raw: redis.Redis, redis_url: str, listen: Opener
) -> None:
    subscription, ear = listen(redis_url)
    assert subscription.wait_until_heard(SOON)
    subscription.follow(skus=("T",), branches=("JKT",))
    assert subscription.wait_until_heard(SOON)
    raw.publish("chg:S", b"202605 1 \0\0\0\0")
    raw.publish("chg:T", b"202605 1 \0\0\0\0")
    assert ear.wait_for(1) == [("availability", "T", MAY, 1, 0)]
    subscription.follow(skus=(), branches=())
    subscription.follow(skus=("S",), branches=())
    assert subscription.wait_until_heard(SOON)
    raw.publish("chg:S", b"202605 2 \0\0\0\0")
    assert ear.wait_for(2)[1] == ("availability", "S", MAY, 2, 0)


def test_a_lost_server_is_told_once_and_hearing_again_too(
    redis_factory: Callable[[], RedisNode], listen: Opener
) -> None:
    server = redis_factory()
    subscription, ear = listen(server.url)
    assert subscription.wait_until_heard(SOON)
    server.kill()
    assert ear.wait_for(1) == [("lost",)]
    server.start()
    assert ear.wait_for(2) == [("lost",), ("restored",)]
    link = open_link(server.url)
    RedisChanges(link).publish("JKT", "booking", "b", "ayu")
    link.close()
    assert ear.wait_for(3)[2] == ("change", "JKT", "booking", "b", "ayu")


def test_a_server_that_was_never_there_counts_as_lost_until_it_comes(
    redis_factory: Callable[[], RedisNode], listen: Opener
) -> None:
    server = redis_factory()
    server.kill()
    subscription, ear = listen(server.url)
    assert ear.wait_for(1) == [("lost",)]
    assert not subscription.wait_until_heard(0)
    server.start()
    assert ear.wait_for(2) == [("lost",), ("restored",)]
    assert subscription.wait_until_heard(SOON)


def test_a_server_that_stops_answering_is_noticed(redis_factory: Callable[[], RedisNode], listen: Opener) -> None:
    server = redis_factory()
    subscription, ear = listen(server.url, idle_s=0.1)
    assert subscription.wait_until_heard(SOON)
    server.freeze()
    assert ear.wait_for(1) == [("lost",)]
    server.thaw()
    assert ear.wait_for(2) == [("lost",), ("restored",)]


def test_silence_on_a_living_server_is_no_loss(raw: redis.Redis, link: Link, redis_url: str, listen: Opener) -> None:
    def pings() -> int:
        found: int = raw.info("commandstats").get("cmdstat_ping", {"calls": 0})["calls"]
        return found

    subscription, ear = listen(redis_url, idle_s=0.02)
    assert subscription.wait_until_heard(SOON)
    enough = pings() + 5
    while pings() < enough:
        raw.info("server")
    RedisChanges(link).publish("JKT", "booking", "b", "ayu")
    assert ear.wait_for(1) == [("change", "JKT", "booking", "b", "ayu")]


@pytest.mark.parametrize("state", ["listening", "frozen", "dead", "following nothing"])
def test_closing_wakes_the_ear_whatever_it_waits_for(
    redis_factory: Callable[[], RedisNode], listen: Opener, state: str
) -> None:
    server = redis_factory()
    subscription, _ = listen(server.url, idle_s=3_600)
    assert subscription.wait_until_heard(SOON)
    if state == "frozen":
        server.freeze()
    elif state == "dead":
        server.kill()
    elif state == "following nothing":
        subscription.follow(skus=(), branches=())
    subscription.close(SOON)
    assert not [thread for thread in threading.enumerate() if thread.name == "change-hints" and thread.is_alive()]
    subscription.close()


def test_a_change_told_after_a_restart_arrives_over_a_new_connection(redis_factory: Callable[[], RedisNode]) -> None:
    server = redis_factory()
    link = open_link(server.url)
    changes = RedisChanges(link)
    changes.publish("JKT", "booking", "before", "ayu")
    server.restart_empty()
    with redis.Redis.from_url(server.url) as raw, raw.pubsub(ignore_subscribe_messages=True) as ear:
        ear.subscribe("changes:JKT")
        ear.get_message(timeout=SOON)
        changes.publish("JKT", "booking", "after", "ayu")
        message = ear.get_message(timeout=SOON)
    link.close()
    assert json.loads(message["data"])["id"] == "after"


def test_telling_nobody_is_quiet(redis_factory: Callable[[], RedisNode]) -> None:
    server = redis_factory()
    server.kill()
    link = open_link(server.url)
    RedisChanges(link).publish("JKT", "booking", "b", "ayu")
    NoChanges().publish("JKT", "booking", "b", "ayu")
    assert link.is_down
    link.close()
