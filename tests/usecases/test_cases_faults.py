"""Collected cases of other people's systems with something broken: a constraint, a lock, a server, a pool."""

from __future__ import annotations

import datetime as dt
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import psycopg
import pytest

from app.adapters.postgres.owner_steps import move_booking, record_maintenance
from app.domain.booking import Action, BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal
from app.usecases.rows import BookedOrder, OccupancyKind
from tests.support.at_once import at_once
from tests.support.redis_nodes import RedisNode
from tests.support.waiting import eventually
from tests.support.world import (
    AVANZA,
    AVANZAS,
    SKU,
    World,
    blockers_of,
    cash,
    days,
    line,
)

pytest_plugins = ["tests.support.world_fixtures"]

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
"""Sessions of this test that wait for somebody's lock."""


def without_constraint(world: World) -> None:
    """What a superuser can do, and a backup restored by hand."""
    world.do("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")


def force_onto(world: World, unit: str, *booking_ids: str) -> None:
    """Put these bookings on one unit, past every guard."""
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")
        for table, column in (("occupancy", "booking_id"), ("booking", "id")):
            owner.execute(
                f"UPDATE sentra.{table} SET unit_id = %s WHERE {column} = ANY (%s::uuid[])".encode(),
                (unit, list(booking_ids)),
            )


# --- two rows over each other ----------------------------------------------------------------------------------------


def test_c32_a_double_booking_forced_past_the_guards_is_listed_shown_twice_and_ended_by_hand(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    first = world.book(ayu, days("2027-03-10", "2027-03-13"))
    second = world.book(siti, days("2027-03-12", "2027-03-15"), AVANZAS[1], phone="0812 7777 0001")
    without_constraint(world)
    force_onto(world, AVANZA, second.bookings[0].id)
    world.make_index_whole()

    found = world.doctor().breaks
    (overlap,) = [item for item in found if item.invariant == "I1"]
    assert (overlap.unit_id, overlap.day) == (AVANZA, "2027-03-12")
    rows = world.rows("SELECT id::text FROM sentra.occupancy WHERE active ORDER BY id")
    assert sorted(overlap.id.split()) == [row[0] for row in rows], "both rows, by their ids"
    assert [item.id for item in found if item.invariant == "GUARDS"] == ["occupancy_no_overlap"]
    # The forced row itself is told too: no audit row is of the transaction that wrote it last.
    assert [item.id for item in found if item.invariant == "I11"] == [second.bookings[0].id]
    assert {item.invariant for item in found} == {"I1", "I11", "GUARDS"}

    for who in (ayu, siti, world.counter("dedi", "Kasir 3")):
        for window in (days("2027-03-01", "2027-03-31"), days("2027-03-12", "2027-03-13"), days("2027-03-13")):
            view = who.calendar.calendar(window)
            assert {(bar.unit_id, bar.number) for bar in view.bars} == {
                (AVANZA, first.bookings[0].number),
                (AVANZA, second.bookings[0].number),
            }, "neither hides the other, however much of the month is shown"
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13, 14, 15]
    with pytest.raises(Refusal) as no:
        world.book(ayu, days("2027-03-12"), phone="0812 7777 0002")
    assert {item["number"] for item in blockers_of(no.value)} == {
        first.bookings[0].number,
        second.bookings[0].number,
    }
    assert AVANZA not in {unit.unit.id for unit in ayu.calendar.free_units(SKU, days("2027-03-11", "2027-03-12"))}

    siti.bookings.cancel(second.bookings[0].id)
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13], "only what nobody else has is free"
    assert {item.invariant for item in world.doctor().breaks} == {"GUARDS"}


def test_c32_maintenance_over_a_booking_is_listed_and_both_stay_on_the_board(world: World) -> None:
    ayu = world.counter("ayu")
    booked = world.book(ayu, days("2027-03-10", "2027-03-12"))
    without_constraint(world)
    record_maintenance(
        world.database.owner_url, unit_id=AVANZA, days=days("2027-03-12", "2027-03-20"), reason="servis", running=False
    )
    world.make_index_whole()
    (overlap,) = [item for item in world.doctor().breaks if item.invariant == "I1"]
    assert (overlap.unit_id, overlap.day) == (AVANZA, "2027-03-12")
    bars = ayu.calendar.calendar(days("2027-03-01", "2027-03-31")).bars
    assert {(bar.kind, bar.days.first.day, bar.days.last.day) for bar in bars} == {
        (OccupancyKind.BOOKING, 10, 12),
        (OccupancyKind.MAINTENANCE, 12, 20),
    }
    ayu.bookings.cancel(booked.bookings[0].id)
    assert world.bits(AVANZA, "202703") == list(range(12, 21))


@pytest.mark.parametrize("guarded", [True, False], ids=["as it is", "without the constraint"])
def test_c33_no_change_of_a_booking_is_ever_in_its_own_way(world: World, guarded: bool) -> None:
    """Pay, hand over, move within its own days, extend and shorten: what checks for clashes leaves the booking out."""
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = world.order(siti, [line(days("2027-03-01", "2027-03-04")), line(days("2027-03-05", "2027-03-06"))])
    if not guarded:
        without_constraint(world)
    first, second = booked.bookings
    for period in (
        days("2027-03-02", "2027-03-04"),
        days("2027-03-01", "2027-03-03"),
        days("2027-03-01", "2027-03-04"),
    ):
        assert siti.changes_of_bookings.quote_change(first.id, period).blockers == ()
        moved = siti.changes_of_bookings.reschedule(first.id, period)
        assert moved.period == period
    held = siti.settlement.open_invoice(booked.invoice_id)
    total = siti.settlement.invoice(booked.invoice_id).row.total
    assert siti.settlement.settle(held.handle, siti.new_id(), [cash(total)]).number
    assert {world.state(first.id), world.state(second.id)} == {"PAID_APPROVED"}
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        move_booking(world.database.owner_url, first.id, action)
    blockers = siti.changes_of_bookings.quote_change(first.id, days("2027-03-01", "2027-03-06")).blockers
    assert {item.booking_number for item in blockers} == {second.number}, "the one behind it, and never itself"
    shorter = siti.changes_of_bookings.shorten(first.id, dt.date(2027, 3, 2))
    assert shorter.state is BookingState.ACTIVE_RENTAL
    again = siti.changes_of_bookings.shorten(first.id, dt.date(2027, 3, 4))
    assert again.period == days("2027-03-01", "2027-03-04"), "taken back within its paid days"
    assert world.bits(AVANZA, "202703") == [1, 2, 3, 4, 5, 6]


def test_c49_of_unpaid_bookings_forced_over_each_other_no_two_that_overlap_are_ever_paid(world: World) -> None:
    """Three in a chain: the outer two do not touch. Three cashiers settle all at once, ten times over."""
    cashiers = [world.counter(login, f"Kasir {login}") for login in ("siti", "budi", "maya")]
    world.open_shift(*cashiers)
    chains: list[tuple[RentalPeriod, list[BookedOrder]]] = []
    for n in range(10):
        base = dt.date(2027, 3, 5) + dt.timedelta(days=7 * n)
        periods = [
            RentalPeriod(base + dt.timedelta(days=a), base + dt.timedelta(days=z)) for a, z in ((0, 2), (2, 4), (4, 5))
        ]
        orders = [world.book(cashiers[0], period, unit) for period, unit in zip(periods, AVANZAS, strict=True)]
        chains.append((RentalPeriod(base, base + dt.timedelta(days=5)), orders))
    without_constraint(world)
    for _, orders in chains:
        force_onto(world, AVANZA, *(order.bookings[0].id for order in orders))

    pairs = 0
    for _, orders in chains:
        found = at_once(*(partial(world.settle, who, order) for who, order in zip(cashiers, orders, strict=True)))
        paid = [world.state(order.bookings[0].id) == "PAID_APPROVED" for order in orders]
        assert paid in ([True, False, True], [False, True, False])
        pairs += paid[1]
        assert len(found.results) == sum(paid)
        for no in found.refusals:
            assert {item["state"] for item in blockers_of(no)} == {"PAID_APPROVED"}
        assert world.value(
            "SELECT count(*) FROM sentra.payment AS p JOIN sentra.invoice AS i ON i.id = p.invoice_id"
            " WHERE i.order_id = ANY (%s::uuid[])",
            [order.order_id for order in orders],
        ) == sum(paid)  # fmt: skip
    assert len(world.rows("SELECT number FROM sentra.invoice WHERE state = 'PAID'")) == 20 - pairs


# --- check and write -------------------------------------------------------------------------------------------------


@contextmanager
def stopped_before_insert(world: World) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """Whoever books has made all checks and stands before the first insert, until the connection lets go."""
    world.do(
        "CREATE FUNCTION public.stand_here() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS"
        " 'BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NEW; END'"
    )
    world.do("REVOKE ALL ON FUNCTION public.stand_here FROM PUBLIC")
    world.do(
        "CREATE TRIGGER a_stand_here BEFORE INSERT ON sentra.booking_order"
        " FOR EACH ROW EXECUTE FUNCTION public.stand_here()"
    )
    with psycopg.connect(world.database.owner_url, autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(77)")
        yield holder


def test_r22_two_clerks_with_a_long_pause_between_check_and_insert_are_one_booking(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    period = days("2027-03-20", "2027-03-22")
    with stopped_before_insert(world) as holder:

        def let_go() -> None:
            eventually(lambda: world.value(WAITING) == 2, what="one before its insert, one before the unit")
            holder.execute("SELECT pg_advisory_unlock(77)")

        found = at_once(
            partial(world.book, ayu, period),
            partial(world.book, siti, days("2027-03-22", "2027-03-23"), phone="0812 7777 0001"),
            let_go,
        )
    (winner,) = [item for item in found.results if item is not None]
    (no,) = found.refusals
    assert [item["number"] for item in blockers_of(no)] == [winner.bookings[0].number]
    assert world.value("SELECT count(*) FROM sentra.booking") == 1
    world.assert_sound()


def test_r22_a_row_put_in_past_the_units_lock_during_that_pause_is_met_by_the_constraint(world: World) -> None:
    """The check was right when it was made; the constraint decides at the insert."""
    ayu = world.counter("ayu")
    before = world.counts()
    with stopped_before_insert(world) as holder:
        with psycopg.connect(world.database.owner_url) as other:
            other.execute(
                "SET LOCAL session_replication_role = replica"
            )  # no trigger: nothing waits for the unit's row
            other.execute(
                "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
                " VALUES (%s, %s, 'JKT', '[2027-03-22,2027-03-25]', 'BOOKING', gen_random_uuid())",
                (AVANZA, SKU),
            )

            def commit_first() -> None:
                eventually(lambda: world.value(WAITING) == 1, what="the clerk has checked")
                other.commit()
                holder.execute("SELECT pg_advisory_unlock(77)")

            found = at_once(partial(world.book, ayu, days("2027-03-20", "2027-03-22")), commit_first)
    (no,) = found.refusals
    assert [(item["unit_id"], item["first_day"]) for item in blockers_of(no)] == [(AVANZA, dt.date(2027, 3, 22))]
    assert {**world.counts(), "occupancy": before["occupancy"]} == before, "nothing of the order stays"


# --- Redis that pauses or forgets ------------------------------------------------------------------------------------


def test_r39_a_redis_that_stands_still_during_the_claim_makes_one_claim_and_one_booking(
    redis_node: RedisNode, world: World
) -> None:
    """The client gave up waiting and booked without an index; the command it sent is carried out afterwards."""
    assert redis_node.url == world.redis_url
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    world.book(ayu, days("2027-03-02"))
    redis_node.freeze()
    try:
        booked = world.book(ayu, days("2027-03-20", "2027-03-22"))
    finally:
        redis_node.thaw()
    assert not booked.repeat
    claims = eventually(
        lambda: [claim for claim in world.claims() if "aidx" not in claim], what="the late claim is made"
    )
    assert len(claims) <= 2, "at most the claim and its Redlock, under the order's own token"
    assert sum(booked.order_id in claim for claim in claims) <= 1
    assert world.bits(AVANZA, "202703") == [2, 20, 21, 22]
    with pytest.raises(Refusal) as no:
        world.book(siti, days("2027-03-21"), phone="0812 7777 0001")
    assert [item["number"] for item in blockers_of(no.value)] == [booked.bookings[0].number]
    # What nobody finished is taken off when its time is over, and the days stay what PostgreSQL says.
    with world.redis() as client:
        for claim in client.zrange("aidx:claims", 0, -1):
            client.zadd("aidx:claims", {str(claim, "ascii"): 1})  # type: ignore[arg-type]
        for lock in client.scan_iter("lock:*"):
            client.delete(lock)
    world.after(seconds=6)
    world.service().reconcile.drop_expired_claims()
    world.catch_up()
    assert world.bits(AVANZA, "202703") == [2, 20, 21, 22]
    world.assert_sound()


def test_r42_lock_keys_deleted_at_random_under_contention_leave_one_booking_per_stretch(world: World) -> None:
    clerks = [world.counter(login, f"Kasir {n}") for n, login in enumerate(("ayu", "siti", "budi", "maya"))]
    dice = random.Random(42)
    over = threading.Event()
    deleted = 0

    def vandal() -> None:
        nonlocal deleted
        with world.redis() as client:
            while not over.wait(dice.random() / 200):
                deleted += client.delete(f"lock:{SKU}:{AVANZA}")

    thread = threading.Thread(target=vandal, daemon=True)
    thread.start()
    try:
        for n in range(25):
            first = dt.date(2027, 4, 1) + dt.timedelta(days=3 * n)
            period = RentalPeriod(first, first + dt.timedelta(days=dice.randrange(3)))
            found = at_once(*(partial(world.book, who, period) for who in clerks))
            (winner,) = found.results
            assert {str(blockers_of(no)[0]["number"]) for no in found.refusals} == {winner.bookings[0].number}
    finally:
        over.set()
        thread.join()
    assert deleted >= 5, "keys were there to be lost"
    assert world.value("SELECT count(*) FROM sentra.booking") == 25
    world.catch_up()
    world.assert_sound()
