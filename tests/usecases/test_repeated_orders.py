"""An order sent again is answered as it was booked, whatever became of its bookings meanwhile."""

import uuid

import pytest

from app.domain.errors import Refusal, RefusalCode
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
