"""The service's sweeps on real servers: nothing unpaid outlives its deadline, and lost index work is done later."""

import datetime as dt
from functools import partial

import psycopg
import pytest

from app.bootstrap import open_service
from app.domain.days import YearMonth
from app.domain.errors import Refusal
from app.usecases.index_port import IndexUnreachable
from app.usecases.rows import BookedOrder
from tests.support.at_once import at_once
from tests.support.world import AVANZA, AVANZAS, HEADING, HIACE, OTHER_SKU, SKU, START, World, days, line

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")


def test_a_hold_is_cancelled_at_its_deadline_and_not_a_second_before(world: World) -> None:
    booked = world.book(world.counter("ayu"), MARCH)
    service = world.service()
    world.after(minutes=14, seconds=59)
    assert service.sweeps.expire().done == 0
    world.after(seconds=1)
    assert service.sweeps.expire().done == 1
    assert world.state(booked.bookings[0].id) == "CANCELLED"
    assert world.rows(
        "SELECT action, actor = %s FROM sentra.audit WHERE subject = %s ORDER BY id", *_who(world, booked)
    ) == [
        ("create", False),
        ("expire", True),
    ]
    assert world.value("SELECT state FROM sentra.invoice") == "VOID"
    assert world.rows("SELECT days::text, cause FROM sentra.freed_stretch") == [("[2027-03-10,2027-03-13)", "expire")]
    assert world.bits(AVANZA, "202703") == []
    world.catch_up()
    world.assert_sound()


def _who(world: World, booked: BookedOrder) -> tuple[str, str]:
    return f"{world.database.prefix}_svc", booked.bookings[0].id


def test_c53_after_twenty_minutes_without_a_service_the_first_pass_clears_the_backlog_in_order(world: World) -> None:
    ayu = world.counter("ayu")
    booked = []
    for n in range(6):
        booked.append(world.book(ayu, days(f"2027-03-{10 + n}")).bookings[0].id)
        world.after(seconds=30)
    world.after(minutes=20)
    service = world.service()
    assert service.sweeps.expire().done == 6
    expired = world.rows("SELECT subject FROM sentra.audit WHERE action = 'expire' ORDER BY id")
    assert [subject for (subject,) in expired] == booked
    assert world.bits(AVANZA, "202703") == []
    assert service.sweeps.expire().done == 0


def test_an_order_expires_as_a_whole(world: World) -> None:
    booked = world.order(
        world.counter("ayu"), [*(line(MARCH, unit) for unit in AVANZAS), line(MARCH, HIACE, OTHER_SKU)]
    )
    world.after(minutes=15)
    assert world.service().sweeps.expire().done == 4
    assert {world.state(item.id) for item in booked.bookings} == {"CANCELLED"}
    assert world.bits(HIACE, "202703", OTHER_SKU) == []
    world.catch_up()
    world.assert_sound()


def test_a_valid_lock_is_waited_for_and_at_most_five_minutes(world: World) -> None:
    siti = world.counter("siti")
    booked = world.book(siti, MARCH)
    world.after(minutes=14, seconds=30)
    held = siti.settlement.open_invoice(booked.invoice_id)
    service = world.service()
    for _ in range(10):
        world.after(seconds=30)
        siti.settlement.renew_lock(held.handle, idle_ms=0)
        assert service.sweeps.expire().done == 0
    world.after(seconds=30)
    siti.settlement.renew_lock(held.handle, idle_ms=0)
    assert world.now() == START + dt.timedelta(minutes=20)
    assert service.sweeps.expire().done == 1
    assert world.state(booked.bookings[0].id) == "CANCELLED"
    with pytest.raises(Refusal):
        siti.settlement.renew_lock(held.handle, idle_ms=0)
    world.catch_up()
    world.assert_sound()


def test_two_services_at_once_expire_each_booking_once(world: World) -> None:
    ayu = world.counter("ayu")
    for n in range(12):
        world.book(ayu, days(f"2027-03-{10 + n}"))
    world.after(minutes=16)
    services = [world.service() for _ in range(2)]
    found = at_once(*(service.sweeps.expire for service in services))
    # All bookings are of one unit: each sweep passes over what the other holds, the next pass takes what is left.
    assert sum(result.done for result in (*found.results, services[0].sweeps.expire())) == 12
    assert world.value("SELECT count(*) FROM sentra.audit WHERE action = 'expire'") == 12
    assert world.value("SELECT count(*) FROM sentra.freed_stretch") == 12
    world.catch_up()
    world.assert_sound()


def test_paying_and_expiring_at_the_same_moment_has_one_outcome(world: World) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    service = world.service()
    for n in range(8):
        booked = world.book(siti, days(f"2027-03-{10 + n}"))
        world.after(minutes=14, seconds=1)
        held = siti.settlement.open_invoice(booked.invoice_id)
        world.after(seconds=59 + n % 2)  # every second time the lock has just ended as well
        found = at_once(partial(world.settle, siti, booked, held), service.sweeps.expire)
        paid = len(found.refusals) == 0
        if n % 2:
            assert not paid
            service.sweeps.expire()
        assert world.state(booked.bookings[0].id) == ("PAID_APPROVED" if paid else "CANCELLED")
        assert world.value("SELECT count(*) FROM sentra.payment WHERE invoice_id = %s", booked.invoice_id) == int(paid)
    world.catch_up()
    world.assert_sound()


def test_a_stop_is_heard_between_two_orders(world: World) -> None:
    ayu = world.counter("ayu")
    for n in range(3):
        world.book(ayu, days(f"2027-03-{10 + n}"))
    world.after(minutes=16)
    asked = iter([False, True])
    service = world.service()
    assert service.sweeps.expire(lambda: next(asked)).done == 1
    assert service.sweeps.expire().done == 2


def test_index_work_that_a_killed_counter_never_did_is_done_by_the_outbox(world: World) -> None:
    """What a kill between COMMIT and projection leaves: the booking, and an index that was never told."""
    world.book(world.counter("ayu", redis_url=None), MARCH)
    service = world.service()
    assert service.sweeps.outbox().done == 0
    assert world.bits(AVANZA, "202703") == []
    world.after(seconds=6)
    assert service.sweeps.outbox().done == 1
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    assert service.sweeps.outbox().done == 0
    world.assert_sound()


def test_index_work_is_tried_again_while_redis_is_away_and_nothing_is_lost(world: World) -> None:
    world.book(world.counter("ayu", redis_url=None), MARCH)
    world.after(seconds=6)
    away = world.settings(url=world.service_url, redis_url="redis://127.0.0.1:1/0")
    deaf = open_service(away)
    try:
        assert (deaf.sweeps.outbox().done, deaf.sweeps.outbox().failed) == (0, 0)
        assert world.rows("SELECT attempts, done_at, error IS NOT NULL FROM sentra.outbox WHERE attempts > 0") == [
            (1, None, True)
        ]
        with pytest.raises(IndexUnreachable):
            deaf.index.run_id()
    finally:
        deaf.close()
    service = world.service()
    world.after(seconds=6)
    assert service.sweeps.outbox().done == 1
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    world.assert_sound()


def test_months_more_than_two_back_leave_the_index(world: World) -> None:
    ayu = world.counter("ayu")
    world.book(ayu, days("2027-03-10"))
    world.after(days=40)
    service = world.service()
    service.sweeps.drop_past_months()
    with world.redis() as client:
        assert client.exists(f"avail:{SKU}:{AVANZA}:202703"), "April: March is still kept"
    world.after(days=60)
    service.sweeps.drop_past_months()
    with world.redis() as client:
        assert not client.exists(f"avail:{SKU}:{AVANZA}:202703", f"apack:{SKU}:202703")
        assert client.exists(f"avail:{SKU}:{AVANZA}:202704")


def test_retention_drops_every_month_that_no_booking_can_have_however_old(world: World) -> None:
    world.make_index_whole()
    service = world.service()
    absurd = [f"avail:{SKU}:{AVANZA}:200001", f"apack:{SKU}:200001", "avail:GONE:x:202601", f"apack:{SKU}:999801"]
    with world.redis() as client:
        kept = set(client.scan_iter("*"))
        for key in absurd:
            client.set(key, bytes(4))
        assert service.sweeps.drop_past_months().done == len(absurd)
        assert set(client.scan_iter("*")) == kept
        world.after(days=400)
        service.sweeps.drop_past_months()
        months = {key.decode()[-6:] for key in client.scan_iter("avail:*")}
    assert all(str(YearMonth.of(world.now().date()).shifted(-2)) <= month for month in months)


def test_a_retired_units_keys_go_with_the_import_with_the_outbox_and_with_the_retention(world: World) -> None:
    world.make_index_whole()
    maya, service = world.counter("maya"), world.service()
    retired = f"JKT,{SKU},Avanza G,Mobil,350000,500000,0,{AVANZA},B 1200 XYZ,1000,RETIRED\n"
    with world.redis() as client:
        assert maya.fleet.import_fleet((HEADING + retired).encode()).changed == 1
        assert list(client.scan_iter(f"avail:{SKU}:{AVANZA}:*")) == []
        slot = world.value("SELECT slot FROM sentra.unit WHERE id = %s", AVANZA)
        assert isinstance(slot, int)
        for key in client.scan_iter(f"apack:{SKU}:*"):
            assert client.getrange(key, 4 * slot, 4 * slot + 3) == bytes(4)
        for sweep in (service.sweeps.outbox, service.sweeps.drop_past_months):
            client.set(f"avail:{SKU}:{AVANZA}:202703", bytes(4))
            assert sweep().done > 0
            assert list(client.scan_iter(f"avail:{SKU}:{AVANZA}:*")) == []
        assert service.sweeps.drop_past_months().done == 0
    world.assert_sound()


def test_a_far_month_that_a_killed_counter_never_told_is_told_by_the_outbox_under_a_newer_version(
    world: World,
) -> None:
    """Two years ahead, past what every unit is built for; the version of a later booking must not hide it."""
    far = days("2028-11-10", "2028-11-12")
    world.make_index_whole()
    ayu = world.counter("ayu")
    ayu.calendar.calendar(days("2028-11-01", "2028-11-30"))
    assert world.bits(AVANZA, "202811") == []
    world.book(world.counter("ayu", redis_url=None), far)
    world.book(ayu, MARCH)
    world.after(seconds=6)
    assert world.service().sweeps.outbox().done == 2
    assert world.bits(AVANZA, "202811") == [10, 11, 12]
    view = ayu.calendar.calendar(days("2028-11-01", "2028-11-30"))
    assert all(view.masks.is_taken(view.fleet[0], day) for day in far)
    world.assert_sound()


def test_one_order_that_cannot_expire_stops_no_other_and_is_tried_again_later(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """The transaction of that order fails at its COMMIT, every time."""
    ayu = world.counter("ayu")
    bad = world.book(ayu, days("2027-03-10"))
    good = [world.book(ayu, days(f"2027-03-{11 + n}")).bookings[0].id for n in range(3)]
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION sentra.spoil() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'a bad row' USING ERRCODE = 'check_violation'; END $$"
        )
        owner.execute(
            "CREATE CONSTRAINT TRIGGER spoilt AFTER UPDATE ON sentra.booking DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
            f" WHEN (NEW.id = '{bad.bookings[0].id}') EXECUTE FUNCTION sentra.spoil()".encode()
        )
        world.after(minutes=16)
        service = world.service()

        first = service.sweeps.expire()
        passes = [service.sweeps.expire() for _ in range(7)]

        assert (first.done, first.failed) == (3, 1)
        assert bad.order_id in first.problem
        assert "a bad row" in first.problem
        assert {world.state(item) for item in good} == {"CANCELLED"}
        assert [found.failed for found in passes] == [0, 1, 0, 0, 1, 0, 0], "left out for one pass, then two, then four"
        assert {found.problem for found in passes} == {first.problem}, "and visible all the time"
        assert len([record for record in caplog.records if bad.order_id in record.getMessage()]) == 1, "logged once"
        owner.execute("DROP TRIGGER spoilt ON sentra.booking")
        found = [service.sweeps.expire() for _ in range(3)]
    assert [item.done for item in found] == [0, 0, 1]
    assert found[-1].problem == ""
    world.catch_up()
    world.assert_sound()


def test_an_order_in_trouble_that_is_cancelled_meanwhile_is_forgotten(world: World) -> None:
    ayu, service = world.counter("ayu"), world.service()
    booked = world.book(ayu, MARCH)
    world.after(minutes=16)
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        owner.execute("ALTER TABLE sentra.freed_stretch ADD CONSTRAINT closed CHECK (false)")
        assert service.sweeps.expire().failed == 1
        owner.execute("ALTER TABLE sentra.freed_stretch DROP CONSTRAINT closed")
    ayu.bookings.cancel(booked.bookings[0].id)
    assert service.sweeps.expire().problem != ""
    assert service.sweeps.expire().problem == ""


def test_a_server_that_is_away_is_no_orders_fault(world: World) -> None:
    away = open_service(world.settings(url="postgresql://nobody@127.0.0.1:1/x"))
    try:
        with pytest.raises(Refusal) as refused:
            away.sweeps.expire()
    finally:
        away.close()
    assert refused.value.params["reason"] == "database"
