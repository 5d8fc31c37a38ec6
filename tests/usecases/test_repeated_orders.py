"""An order sent again is answered as it was booked, whatever became of its bookings meanwhile."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from app.domain.errors import Refusal, RefusalCode
from tests.support.waiting import eventually
from tests.support.world import AVANZAS, HIACE, OTHER_SKU, World, days, line, refused

pytest_plugins = ("tests.support.world_fixtures",)

MARCH = days("2027-03-10", "2027-03-12")


@pytest.mark.parametrize("given", [AVANZAS[0], None])
@pytest.mark.parametrize("other", [AVANZAS[1], HIACE])
def test_an_order_is_answered_again_after_its_booking_got_another_unit(
    world: World, given: str | None, other: str
) -> None:
    ayu = world.counter("ayu")
    order_id = str(uuid.uuid4())
    first = world.order(ayu, [line(MARCH, given)], order_id=order_id)
    ayu.changes_of_bookings.swap_unit(first.bookings[0].id, other)
    before = world.counts()
    again = world.order(ayu, [line(MARCH, given)], order_id=order_id)
    assert again.repeat
    assert (again.bookings[0].id, again.bookings[0].number, again.invoice_id) == (
        first.bookings[0].id,
        first.bookings[0].number,
        first.invoice_id,
    )
    assert again.bookings[0].unit_id == other
    assert world.counts() == before
    world.assert_sound()


def test_an_order_is_answered_again_after_its_booking_was_moved(world: World) -> None:
    ayu = world.counter("ayu")
    order_id = str(uuid.uuid4())
    first = world.order(ayu, [line(MARCH)], order_id=order_id)
    ayu.changes_of_bookings.reschedule(first.bookings[0].id, days("2027-04-01", "2027-04-02"), AVANZAS[2])
    again = world.order(ayu, [line(MARCH)], order_id=order_id)
    assert again.repeat
    assert again.bookings[0].id == first.bookings[0].id


def test_the_unit_it_has_now_is_not_the_order_that_was_sent(world: World) -> None:
    ayu = world.counter("ayu")
    order_id = str(uuid.uuid4())
    first = world.order(ayu, [line(MARCH)], order_id=order_id)
    ayu.changes_of_bookings.swap_unit(first.bookings[0].id, AVANZAS[1])
    for other in (line(MARCH, AVANZAS[1]), line(MARCH, HIACE, OTHER_SKU), line(MARCH, None, OTHER_SKU)):
        with pytest.raises(Refusal) as no:
            world.order(ayu, [other], order_id=order_id)
        refused(no.value, RefusalCode.DUPLICATE, "order_id")


def test_an_order_that_may_still_commit_is_not_known_until_it_has(world: World) -> None:
    ayu, order_id = world.counter("ayu"), str(uuid.uuid4())
    assert ayu.bookings.find_order(order_id) is None
    world.do(
        "CREATE FUNCTION public.stalls() RETURNS trigger SECURITY DEFINER SET lock_timeout = 0 LANGUAGE plpgsql"
        " AS 'BEGIN PERFORM pg_advisory_xact_lock(79); RETURN NULL; END'"
    )
    world.do(
        "CREATE CONSTRAINT TRIGGER stalls AFTER INSERT ON sentra.booking_order DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION public.stalls()"
    )
    waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with psycopg.connect(world.database.owner_url, autocommit=True) as disk, ThreadPoolExecutor(1) as aside:
        disk.execute("SELECT pg_advisory_lock(79)")
        booking = aside.submit(world.order, ayu, [line(MARCH)], order_id=order_id)
        eventually(lambda: world.value(waits) == 1, what="the order before the end of its COMMIT")
        assert ayu.store.read.order(order_id) is None, "a plain look sees nothing of it"
        with pytest.raises(Refusal) as no:
            ayu.bookings.find_order(order_id)
        assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == "busy"
        disk.execute("SELECT pg_advisory_unlock(79)")
        booked = booking.result()
    found = ayu.bookings.find_order(order_id)
    assert found is not None
    assert found.invoice_id == booked.invoice_id
    world.do("DROP TRIGGER stalls ON sentra.booking_order")
    world.assert_sound()


def test_looking_for_an_order_that_nobody_wrote_leaves_nothing_behind(world: World) -> None:
    ayu, order_id = world.counter("ayu"), str(uuid.uuid4())
    before = world.counts()
    assert ayu.bookings.find_order(order_id) is None
    assert world.value("SELECT count(*) FROM sentra.booking_order") == 0
    assert world.counts() == before
    world.order(ayu, [line(MARCH)], order_id=order_id)
    assert ayu.bookings.find_order(order_id) is not None
