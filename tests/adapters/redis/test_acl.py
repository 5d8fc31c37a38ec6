"""A counter's own Redis user: everything a counter does works under it, and nothing else is allowed."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib.resources import files

import pytest
import redis

from app.adapters.redis.acl import COMMANDS, COUNTER_USER, counter_rule
from app.adapters.redis.connection import Link, connect
from app.domain.days import YearMonth
from app.domain.errors import Refusal
from app.usecases.index_port import IndexUnreachable
from tests.support.databases import Template
from tests.support.redis_nodes import RedisNode
from tests.support.waiting import eventually
from tests.support.world import AVANZA, AVANZAS, HEADING, SKU, World, days, line, open_world

pytest_plugins = ("tests.support.world_fixtures",)


@pytest.fixture
def counter_client(redis_node: RedisNode) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_node.counter_url, protocol=2, driver_info=None) as client:
        yield client


@pytest.mark.parametrize(
    "command",
    [
        ("FLUSHALL",),
        ("FLUSHDB",),
        ("CONFIG", "SET", "maxmemory", "1mb"),
        ("CONFIG", "GET", "*"),
        ("KEYS", "*"),
        ("SHUTDOWN", "NOSAVE"),
        ("DEBUG", "SLEEP", "1"),
        ("MONITOR",),
        ("ACL", "LIST"),
        ("ACL", "SETUSER", COUNTER_USER, "+@all"),
        ("SAVE",),
        ("REPLICAOF", "127.0.0.1", "6379"),
        ("CLIENT", "KILL", "TYPE", "normal"),
        ("CLIENT", "LIST"),
        ("SCRIPT", "FLUSH"),
        ("INFO",),
        ("SWAPDB", "0", "1"),
        ("RENAME", "avail:a:b:202703", "lock:a:b"),
        ("EXPIRE", "avail:a:b:202703", "1"),
        ("PSUBSCRIBE", "*"),
        ("SUBSCRIBE", "secret"),
        ("PUBLISH", "secret", "x"),
        ("GET", "bull:waitlist:meta"),
        ("SET", "bull:waitlist:meta", "x"),
        ("EVAL", "return redis.call('SET', 'elsewhere', 'x')", "0"),
        ("EVAL", "return redis.call('FLUSHALL')", "0"),
        ("EVAL", "return redis.call('CONFIG', 'SET', 'maxmemory', '1mb')", "0"),
    ],
    ids=lambda command: " ".join(command)[:40],
)
def test_what_is_no_counters_business_is_refused(
    redis_node: RedisNode, counter_client: redis.Redis, command: tuple[str, ...]
) -> None:
    with redis.Redis.from_url(redis_node.url) as owner:
        owner.set("avail:a:b:202703", b"\x00\x00\x00\x00")
        with pytest.raises(redis.exceptions.ResponseError, match=r"(?i)noperm|permission|not allowed|can't"):
            counter_client.execute_command(*command)  # type: ignore[no-untyped-call]
        assert owner.keys() == [b"avail:a:b:202703"]


def test_a_counters_script_without_an_end_is_ended_by_the_service_and_by_no_counter(redis_node: RedisNode) -> None:
    service = Link(connect(redis_node.url), known_down_s=0)
    counter = Link(connect(redis_node.counter_url), known_down_s=0)

    def answers(link: Link) -> str:
        try:
            with link.asking() as client:
                client.ping()
        except IndexUnreachable as away:
            return str(away)
        return "PONG"

    with redis.Redis.from_url(redis_node.counter_url, socket_timeout=0.5, retry=None) as stranger:
        with pytest.raises(redis.exceptions.TimeoutError):
            stranger.eval("while true do end", 0)
    eventually(lambda: "BUSY" in answers(counter), within=30)
    assert "BUSY" in answers(counter), "a counter ends nothing"

    assert "BUSY" in answers(service)

    eventually(lambda: (answers(service), answers(counter)) == ("PONG", "PONG"), within=30)
    service.close()
    counter.close()


def test_the_password_is_not_in_the_rule_and_a_wrong_one_is_refused(redis_node: RedisNode) -> None:
    assert "rahasia" not in counter_rule("rahasia")
    wrong = redis_node.counter_url.replace(f"{COUNTER_USER}:", f"{COUNTER_USER}:x")
    with redis.Redis.from_url(wrong, retry=None) as client, pytest.raises(redis.AuthenticationError):
        client.ping()


@pytest.fixture
def counter_world(filled_template: Template, redis_node: RedisNode) -> Iterator[World]:
    """The service on the owner's user, every counter on its own."""
    with open_world(filled_template, redis_node.url) as world:
        world.make_index_whole()
        yield world


def test_a_counters_whole_day_works_under_its_own_user(
    counter_world: World, redis_node: RedisNode, caplog: pytest.LogCaptureFixture
) -> None:
    world, url = counter_world, redis_node.counter_url
    caplog.set_level(logging.INFO)
    heard: list[tuple[str, str]] = []

    class Ear:
        def on_availability(self, sku: str, month: YearMonth, slot: int, mask: int) -> None:
            heard.append((sku, str(month)))

        def on_change(self, branch: str, what: str, id: str, by: str) -> None:
            heard.append((what, by))

        def on_lost(self) -> None:
            heard.append(("lost", ""))

        def on_restored(self) -> None:
            heard.append(("restored", ""))

    siti, maya = world.counter("siti", redis_url=url), world.counter("maya", redis_url=url)
    ear = siti.subscribe(Ear())
    assert ear is not None
    try:
        ear.follow(skus=[SKU], branches=[siti.who.branch.id])
        assert ear.wait_until_heard(10)  # type: ignore[attr-defined]
        world.open_shift(siti)
        paid = world.book(siti, days("2027-03-10", "2027-04-02"))
        world.settle(siti, paid)
        cancelled = world.order(siti, [line(days("2027-03-20"), unit) for unit in AVANZAS[1:]])
        for item in cancelled.bookings:
            siti.bookings.cancel(item.id, "salah tanggal")
        with world.redis() as client:
            client.delete(f"avail:{SKU}:{AVANZAS[2]}:202705")
        world.book(siti, days("2027-05-03"), AVANZAS[2])  # a month the index no longer knew
        maya.fleet.import_fleet(
            (HEADING + f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,{AVANZAS[1]},B 1201 XYZ,1000,RETIRED\n").encode()
        )
        window = siti.calendar.calendar(days("2027-03-01", "2027-03-31"))
        assert window.masks.from_index
        eventually(lambda: {("booking", "siti"), (SKU, "202703")} <= set(heard))
    finally:
        ear.close()
    with world.redis() as client:
        client.set(f"lock:{SKU}:{AVANZA}", "Kasir 1:crashed", px=60_000)
    assert world.counter("siti", redis_url=url).release_leftovers() == 1
    world.catch_up()
    assert world.bits(AVANZA, "202703") == list(range(10, 32))
    world.assert_sound()
    complaints = [record.getMessage() for record in caplog.records if "redis" in record.getMessage().lower()]
    assert complaints == [], "a refused command would count as an absent Redis"
    assert ("lost", "") not in heard


def test_a_counter_that_writes_false_hints_sells_nothing_twice(counter_world: World, redis_node: RedisNode) -> None:
    """It may falsify a hint: PostgreSQL decides, and the next comparison mends it."""
    world = counter_world
    world.book(world.counter("ayu"), days("2027-03-10"))
    with redis.Redis.from_url(redis_node.counter_url, protocol=2, driver_info=None) as forger:
        forger.set(f"avail:{SKU}:{AVANZA}:202703", b"\x00\x00\x00\x00")
        forger.setrange(f"apack:{SKU}:202703", 0, b"\x00\x00\x00\x01")
    found = world.counter("siti", redis_url=redis_node.counter_url)

    with pytest.raises(Refusal, match="DAYS_TAKEN"):
        world.book(found, days("2027-03-10"))

    assert world.value("SELECT count(*) FROM sentra.occupancy WHERE active") == 1


def test_every_command_of_the_scripts_is_among_those_a_counter_may_use() -> None:
    granted = {name.partition("|")[0].upper() for name in COMMANDS}
    service_only = {"expiring.lua", "trim.lua"}
    for file in files("app.adapters.redis").iterdir():
        if file.name.endswith(".lua") and file.name not in service_only:
            used = set(re.findall(r"redis\.p?call\('([A-Z]+)'", file.read_text("utf-8")))
            assert used <= granted, file.name
