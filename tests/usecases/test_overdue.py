"""Units that are not back in time: their days are taken day by day, who waits for them is named with a swap."""

import datetime as dt

import pytest

from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from tests.support.waiting import eventually
from tests.support.world import AVANZA, AVANZAS, SKU, START, World, days
from tests.usecases.change_rig import active, paid, taken
from tests.usecases.handover_rig import back, out, prepared

pytest_plugins = ("tests.support.world_fixtures",)


def march(day: int, hour: int = 9) -> dt.datetime:
    """An hour of a day in March, in Jakarta."""
    return START.replace(day=day, hour=hour)


def test_c27_an_overdue_unit_is_taken_through_tomorrow_and_the_next_booking_is_named_with_a_swap(world: World) -> None:
    ayu, dedi, service = world.counter("ayu"), world.counter("dedi"), world.service()
    world.stand(march(8))
    mine = prepared(world, days("2027-03-08", "2027-03-10"))
    out(world, dedi, mine)
    waiting = paid(world, days("2027-03-12", "2027-03-14"), phone="0812 0000 9999", name="Budi Santoso")
    world.stand(march(10))
    assert service.overdue.run().done == 0
    assert ayu.rentals.late.late_rentals() == ()
    world.stand(march(11))
    assert service.overdue.run().done == 1
    assert service.overdue.run().done == 0
    assert world.bits(AVANZA, "202703") == [8, 9, 10, 11, 12, 13, 14]
    free = [unit.unit.id for unit in ayu.calendar.free_units(SKU, days("2027-03-11"))]
    assert AVANZA not in free
    with pytest.raises(Refusal) as no:
        world.book(ayu, days("2027-03-11"), phone="0812 0000 8888", name="Sari Dewi")
    blockers = no.value.params["blockers"]
    assert isinstance(blockers, list)
    assert [item["kind"] for item in blockers] == ["OVERDUE"]
    (late,) = ayu.rentals.late.late_rentals()
    assert (late.booking_id, late.due_at) == (mine, march(10, 20))
    ((risky),) = late.at_risk
    assert (risky.booking_id, risky.state, risky.swap_unit_id) == (waiting, BookingState.PAID_APPROVED, AVANZAS[1])
    ayu.changes_of_bookings.swap_unit(waiting, AVANZAS[1])
    world.stand(march(12))
    assert service.overdue.run().done == 1  # day by day
    assert taken(world, AVANZA) == [("2027-03-08", "2027-03-10"), ("2027-03-11", "2027-03-13")]
    world.do("INSERT INTO sentra.setting (branch_id, key, value) VALUES ('JKT', 'overdue_takes_days', 'false')")
    assert service.overdue.run().done == 1  # the branch does not want it any more
    assert world.bits(AVANZA, "202703") == [8, 9, 10]
    world.book(ayu, RentalPeriod(dt.date(2027, 3, 12), dt.date(2027, 3, 12)), phone="0812 0000 8888", name="Sari Dewi")
    world.catch_up()
    world.service().sweeps.outbox()
    assert world.doctor().breaks == ()


def test_a_returned_unit_stays_taken_until_it_is_checked_and_its_overdue_days_go_with_the_rental(world: World) -> None:
    ayu, dedi, service = world.counter("ayu"), world.counter("dedi"), world.service()
    mine = prepared(world, days("2027-03-01"))
    out(world, dedi, mine)
    world.stand(march(1, 21))  # after closing: late, and tomorrow is not sure
    service.overdue.run()
    assert world.bits(AVANZA, "202703") == [1, 2]
    back(world, dedi, mine)
    service.overdue.run()
    assert world.bits(AVANZA, "202703") == [1]  # back in the yard on its last day
    world.stand(march(2))
    service.overdue.run()
    assert world.bits(AVANZA, "202703") == [1, 2, 3]  # but still not checked
    assert [item.state for item in ayu.rentals.late.late_rentals()] == [BookingState.RETURNED_PENDING_CHECK]
    dedi.rentals.charges.dispute(mine, [])
    assert world.bits(AVANZA, "202703") == [1, 2, 3]
    dedi.rentals.charges.release_unit(mine)
    assert world.bits(AVANZA, "202703") == []
    service.overdue.run()
    assert world.bits(AVANZA, "202703") == []
    world.catch_up()
    world.assert_sound()


def test_an_extension_that_is_paid_takes_the_place_of_the_overdue_days(world: World) -> None:
    ayu, service = world.counter("ayu"), world.service()
    mine = active(world, days("2027-03-01", "2027-03-02"))
    world.stand(march(3))
    service.overdue.run()
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 5))
    service.overdue.run()
    assert taken(world, AVANZA) == [("2027-03-01", "2027-03-05")]
    assert asked.state is BookingState.EXTENSION_PENDING
    ayu.changes_of_bookings.reject_extension(mine, "tidak jadi")
    service.overdue.run()
    assert taken(world, AVANZA) == [("2027-03-01", "2027-03-02"), ("2027-03-03", "2027-03-04")]
    world.catch_up()
    world.assert_sound()


def test_customers_who_have_not_come_are_listed_with_the_time_from_which_they_are_a_no_show(world: World) -> None:
    ayu = world.counter("ayu")
    mine = paid(world, days("2027-03-02"))
    assert ayu.rentals.late.missed_pickups() == ()
    world.stand(march(2))
    (missed,) = ayu.rentals.late.missed_pickups()
    assert (missed.booking_id, missed.pickup_at, missed.possible_at) == (mine, march(2, 8), march(2, 10))


def test_c31_a_return_at_one_counter_is_heard_at_another_without_a_click(world: World) -> None:
    dedi, siti = world.counter("dedi", "Kasir 1"), world.counter("siti", "Kasir 2")
    mine = prepared(world, days("2027-03-01", "2027-03-02"))
    out(world, dedi, mine)
    heard: list[tuple[str, str]] = []

    class Ear:
        def on_availability(self, sku: str, month: object, slot: int, mask: int) -> None:
            heard.append(("days", f"{mask:031b}" if mask else "free"))

        def on_change(self, branch: str, what: str, id: str, by: str) -> None:
            heard.append((what, id))

        def on_lost(self) -> None: ...

        def on_restored(self) -> None: ...

    ear = siti.subscribe(Ear())
    assert ear is not None
    try:
        ear.follow(skus=[SKU], branches=["JKT"])
        back(world, dedi, mine)
        eventually(lambda: ("booking", mine) in heard, within=60, what="the return is heard")
        heard.clear()
        dedi.rentals.charges.clear(mine)
        eventually(lambda: ("days", "free") in heard and ("unit", AVANZA) in heard, within=60, what="the days are free")
    finally:
        ear.close()
    with pytest.raises(Refusal) as no:
        dedi.rentals.charges.clear(mine)
    assert no.value.code is RefusalCode.BOOKING_STATE
