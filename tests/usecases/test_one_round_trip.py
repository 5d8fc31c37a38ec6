"""A counter or a service that stops with an answer in its hands holds no row: each write brings its own COMMIT."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.driver import Borrowed
from app.usecases.outbox import Effect, Outbox
from app.usecases.waitlist import WaitlistWish
from tests.support.world import AVANZA, HIACE, OTHER_SKU, World, days

pytest_plugins = ("tests.support.world_fixtures",)

TABLES = ("unit", "invoice", "booking", "outbox", "maintenance", "shift", "waitlist_entry")


@contextmanager
def held_at_each_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[set[str]]]:
    """The tables with a locked row, as often as this process has an answer of a function in its hands."""
    seen: list[set[str]] = []
    with psycopg.connect(world.database.owner_url, autocommit=True) as other:

        def held(table: str) -> bool:
            free = other.execute(f"SELECT 1 FROM sentra.{table} FOR UPDATE SKIP LOCKED".encode()).rowcount
            count = other.execute(f"SELECT count(*) FROM sentra.{table}".encode()).fetchone()
            return count != (free,)

        first_value = Borrowed._first_value

        def stopped(self: Borrowed, result: Any) -> Any:
            seen.append({table for table in TABLES if held(table)})
            return first_value(self, result)

        with monkeypatch.context() as patched:
            patched.setattr(Borrowed, "_first_value", stopped)
            yield seen


def cancel(world: World) -> Callable[[], object]:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10"))
    return lambda: ayu.bookings.cancel(booked.bookings[0].id)


def block(world: World) -> Callable[[], object]:
    ayu = world.counter("ayu")
    return lambda: ayu.maintenance.block_unit(AVANZA, days("2027-03-10"), "Servis")


def end_block(world: World) -> Callable[[], object]:
    ayu = world.counter("ayu")
    done = ayu.maintenance.block_unit(AVANZA, days("2027-03-10"), "Servis")
    return lambda: ayu.maintenance.end_block(done.row.id)


def expire(world: World) -> Callable[[], object]:
    world.book(world.counter("ayu"), days("2027-03-10"))
    world.after(minutes=16)
    return world.service().sweeps.expire


def effects(world: World) -> Callable[[], object]:
    world.do("INSERT INTO sentra.outbox (kind, payload) SELECT 'note', '{}' FROM generate_series(1, 2)")

    def fails(_rows: object) -> None:
        raise OSError("no paper")

    return Outbox(world.service().store, [Effect(kind="note", carry_out=fails)]).run


def wait_for_a_unit(world: World) -> Callable[[], object]:
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-10"), HIACE, sku=OTHER_SKU)
    wish = WaitlistWish(
        sku=OTHER_SKU, period=days("2027-03-10"), customer_name="Rina M", customer_phone="0813 0000 1234"
    )
    return lambda: ayu.waitlist.withdraw_waitlist(ayu.waitlist.join_waitlist(wish).entry.id)


def open_shift(world: World) -> Callable[[], object]:
    siti = world.counter("siti")
    return lambda: world.open_shift(siti)


@pytest.mark.parametrize("work", [cancel, block, end_block, expire, effects, wait_for_a_unit, open_shift])
def test_who_stops_with_an_answer_in_hand_holds_no_row(
    world: World, monkeypatch: pytest.MonkeyPatch, work: Callable[[World], Callable[[], object]]
) -> None:
    carry_out = work(world)
    with held_at_each_answer(world, monkeypatch) as seen:
        carry_out()
    assert seen, "no function answered"
    assert seen == [set()] * len(seen)
