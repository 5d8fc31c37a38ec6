"""Booking under Redlocks on three and five independent nodes: advisory, owned by name, and never needed to be right."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import psycopg
import pytest
import redis

from app.adapters.redis.redlock import RedlockNodes
from app.bootstrap import Counter, connect
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.at_once import at_once
from tests.support.processes import Processes
from tests.support.redis_nodes import RedisNode
from tests.support.waiting import eventually
from tests.support.world import AVANZA, AVANZAS, SKU, World, days, password_of

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")
KEY = f"lock:{SKU}:{AVANZA}"
Opener = Callable[..., Counter]


@pytest.fixture
def nodes(redis_factory: Callable[[], RedisNode]) -> list[RedisNode]:
    return [redis_factory() for _ in range(5)]


@pytest.fixture
def opened(world: World) -> Iterator[Opener]:
    """Counters whose Redlocks live on these nodes."""
    made: list[Counter] = []

    def open_counter(nodes: Sequence[RedisNode], login: str = "ayu", name: str = "Kasir 1") -> Counter:
        settings = world.settings(counter=name).model_copy(
            update={"redlock_urls": " ".join(node.url for node in nodes)}
        )
        made.append(connect(settings, login, password_of(login)))
        return made[-1]

    yield open_counter
    for counter in made:
        counter.close()


def held(nodes: Sequence[RedisNode], key: str = KEY) -> list[str | None]:
    """Who has the lock on each node: the counter's name."""
    found: list[str | None] = []
    for node in nodes:
        with redis.Redis.from_url(node.url, protocol=2) as client:
            token = client.get(key)
        found.append(token.decode().rpartition(":")[0] if isinstance(token, bytes) else None)
    return found


def hold(nodes: Sequence[RedisNode], unit: str, by: str = "Kasir 7") -> None:
    for node in nodes:
        with redis.Redis.from_url(node.url) as client:
            client.set(f"lock:{SKU}:{unit}", f"{by}:token", px=600_000)


def pauses_of(counter: Counter) -> list[float]:
    """Fills with every pause that this counter makes between two tries for a lock."""
    locks = counter.bookings._work._locks
    assert isinstance(locks, RedlockNodes)
    pauses: list[float] = []
    pause = locks._sleep

    def noted(seconds: float) -> None:
        pauses.append(seconds)
        pause(seconds)

    locks._sleep = noted
    return pauses


def asked(node: RedisNode) -> int:
    """How many scripts this node was ever asked to run."""
    with redis.Redis.from_url(node.url) as client:
        used = client.info("commandstats")
    assert isinstance(used, dict)
    return sum(used.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("eval", "evalsha"))


WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.mark.parametrize("count", [3, 5])
def test_a_booking_holds_its_named_lock_on_every_node_and_gives_it_back_on_every_node(
    world: World, nodes: list[RedisNode], opened: Opener, count: int
) -> None:
    counter = opened(nodes[:count])
    with psycopg.connect(world.database.owner_url) as holder:
        holder.execute("SELECT 1 FROM sentra.unit WHERE id = %s FOR UPDATE", (AVANZA,))
        seen: list[list[str | None]] = []

        def look() -> None:
            eventually(lambda: world.value(WAITING) == 1)
            seen.append(held(nodes))
            holder.rollback()

        found = at_once(lambda: world.book(counter, MARCH), look)
    assert found.refusals == []
    assert seen == [["Kasir 1"] * count + [None] * (5 - count)]
    assert held(nodes) == [None] * 5
    world.catch_up()
    world.assert_sound()


@pytest.mark.parametrize(("count", "most_dead"), [(3, 1), (5, 2)])
def test_nodes_that_die_one_by_one_are_not_noticed_and_without_a_majority_the_transaction_decides(
    world: World,
    nodes: list[RedisNode],
    opened: Opener,
    count: int,
    most_dead: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    counter, other = opened(nodes[:count]), opened(nodes[:count], "siti", "Kasir 2")
    pauses = pauses_of(counter)
    for dead in range(count + 1):
        if dead:
            nodes[dead - 1].kill()
        caplog.clear()
        period = days(f"2027-03-{10 + dead}")
        world.book(counter, period)
        assert pauses == []
        without = "without its Redlock" in caplog.text
        assert without is (dead > most_dead), f"{dead} of {count} nodes are dead"
        with pytest.raises(Refusal) as no:
            world.book(other, period)
        assert no.value.code is RefusalCode.DAYS_TAKEN
    assert world.value("SELECT count(*) FROM sentra.booking") == count + 1
    world.catch_up()
    world.assert_sound()


def test_a_node_that_froze_is_asked_once_and_not_again_by_the_next_booking(
    world: World, nodes: list[RedisNode], opened: Opener
) -> None:
    counter = opened(nodes[:3])
    pauses = pauses_of(counter)
    world.book(counter, days("2027-03-05"))
    before = asked(nodes[0])
    nodes[0].freeze()
    try:
        world.book(counter, days("2027-03-10"))
        world.book(counter, days("2027-03-11"))
    finally:
        nodes[0].thaw()
    assert pauses == []
    # Everything that was sent to it while it was frozen is answered before what is asked now.
    assert asked(nodes[0]) - before <= 1
    assert held(nodes)[1:3] == [None, None]
    # What the frozen node took up when it woke is a minority's and stops nobody.
    other = opened(nodes[:3], "siti", "Kasir 2")
    waited = pauses_of(other)
    world.book(other, days("2027-03-12"))
    assert waited == []


def test_a_foreign_lock_is_never_waited_for_while_another_unit_is_free(
    world: World, nodes: list[RedisNode], opened: Opener
) -> None:
    hold(nodes[:3], AVANZA)
    counter = opened(nodes[:3])
    pauses = pauses_of(counter)

    found = world.book(counter, MARCH, None)

    assert found.bookings[0].unit_id in AVANZAS[1:]
    assert pauses == []
    assert held(nodes)[:3] == ["Kasir 7"] * 3, "somebody else's lock stays"


def test_a_dead_counters_lock_on_the_only_free_unit_delays_but_refuses_nobody(
    world: World, nodes: list[RedisNode], opened: Opener
) -> None:
    for n, unit in enumerate(AVANZAS[1:]):
        world.book(world.counter("ayu"), MARCH, unit, phone=f"0812 0000 100{n}")
    hold(nodes[:3], AVANZA)

    found = world.book(opened(nodes[:3]), MARCH, None)

    assert found.bookings[0].unit_id == AVANZA


KILLED = """
import sys
from app.bootstrap import connect
from app.domain.days import RentalPeriod, parse_day
from app.settings import load_settings
from app.usecases.bookings import BookLine, BookRequest

counter = connect(load_settings(), "ayu", sys.argv[1])
print("logged in", flush=True)
day = parse_day("2027-03-10", "first")
line = BookLine(sku=sys.argv[2], unit_id=sys.argv[3], period=RentalPeriod(day, day))
wish = BookRequest(order_id=counter.new_id(), lines=(line,), customer_name="Rina", customer_phone="0812 0000 1234")
counter.bookings.book(wish)
"""


def test_what_a_killed_counter_left_on_every_node_goes_with_its_own_next_start(
    world: World, nodes: list[RedisNode], opened: Opener, processes: Processes
) -> None:
    urls = " ".join(node.url for node in nodes[:3])
    with psycopg.connect(world.database.owner_url) as holder:
        holder.execute("SELECT 1 FROM sentra.unit WHERE id = %s FOR UPDATE", (AVANZA,))
        killed = processes.script(
            KILLED,
            *(password_of("ayu"), SKU, AVANZA),
            env={**world.environment(), "REDLOCK_URLS": urls, "SENTRA_COUNTER": "Kasir 3"},
        )
        eventually(lambda: world.value(WAITING) == 1, within=30)
        killed.kill()
        holder.rollback()
    assert held(nodes)[:3] == ["Kasir 3"] * 3

    assert opened(nodes[:3], "siti", "Kasir 4").release_leftovers() == 0, "another counter's are not its own"
    assert held(nodes)[:3] == ["Kasir 3"] * 3
    assert opened(nodes[:3], "siti", "Kasir 3").release_leftovers() == 1
    assert held(nodes) == [None] * 5
    # Whether its statement was still carried out or not: the bits are what PostgreSQL says, once its claim has expired.
    with world.redis() as client:
        for member in client.zrange("aidx:claims", 0, -1):
            client.execute_command("ZADD", "aidx:claims", 1, member)  # type: ignore[no-untyped-call]
    world.service().reconcile.heal_if_needed()
    world.after(seconds=6)
    world.catch_up()
    booked = world.value("SELECT count(*) FROM sentra.occupancy WHERE active")
    assert world.bits(AVANZA, "202703") == ([10] if booked else [])
    world.assert_sound()


def test_r42_locks_deleted_at_random_under_contention_sell_nothing_twice(
    world: World, nodes: list[RedisNode], opened: Opener
) -> None:
    """Twelve desks, three units, six days; whatever lock stands is deleted again and again on every node."""
    dice, over = random.Random(42), threading.Event()
    deleted = 0

    def delete_locks() -> None:
        nonlocal deleted
        clients = [redis.Redis.from_url(node.url) for node in nodes[:3]]
        while not over.is_set():
            for client in clients:
                for key in client.keys("lock:*"):
                    deleted += int(client.delete(key)) if dice.random() < 0.7 else 0
        for client in clients:
            client.close()

    counters = [opened(nodes[:3], "siti" if n % 2 else "ayu", f"Kasir {n}") for n in range(12)]
    wishes: list[list[tuple[RentalPeriod, str | None]]] = []
    for _ in counters:
        starts = [dice.randrange(10, 16) for _ in range(5)]
        wishes.append([(days(f"2027-03-{d}", f"2027-03-{d + 1}"), dice.choice([*AVANZAS, None])) for d in starts])

    def clerk(n: int) -> tuple[int, int]:
        sold = refused = 0
        for step, (period, unit) in enumerate(wishes[n]):
            try:
                world.book(counters[n], period, unit, phone=f"0812 1{n:03} {step:03}0")
                sold += 1
            except Refusal as no:
                assert no.code is RefusalCode.DAYS_TAKEN, str(no)
                refused += 1
        return sold, refused

    thread = threading.Thread(target=delete_locks)
    thread.start()
    try:
        found = at_once(*(partial(clerk, n) for n in range(12)))
    finally:
        over.set()
        thread.join()
    results = [item for item in found.results if item is not None]
    assert len(results) == 12, found.refusals
    sold = sum(item[0] for item in results)
    assert sold + sum(item[1] for item in results) == 60
    assert deleted > 0, "no lock was ever there to delete"
    assert world.value("SELECT count(*) FROM sentra.booking WHERE state <> 'CANCELLED'") == sold
    days_sold = world.value("SELECT sum(upper(days) - lower(days)) FROM sentra.occupancy WHERE active")
    bits = sum(len(world.bits(unit, "202703")) for unit in AVANZAS)
    assert (days_sold, bits) == (2 * sold, 2 * sold)
    world.catch_up()
    world.assert_sound()
