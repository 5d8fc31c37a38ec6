"""What the grid draws of a rental whose unit was swapped on its way: each unit's bar for the days it was out."""

from app.bootstrap import Installation
from app.domain.booking import Action, BookingState
from tests.support.world import AVANZA, AVANZAS, HIACE, World, days
from tests.usecases.change_rig import active, paid, taken

pytest_plugins = ("tests.support.world_fixtures",)


def drawn(world: World, booking_id: str, login: str = "siti") -> list[tuple[str, str, str, object]]:
    """Bars of a booking: unit, days and state."""
    bars = world.counter(login).calendar.bars(days("2027-03-01", "2027-03-31"))
    return [
        (bar.unit_id, bar.days.first.isoformat(), bar.days.last.isoformat(), bar.state)
        for bar in bars
        if bar.booking_id == booking_id
    ]


def test_the_days_a_swapped_unit_was_out_stay_drawn_on_it_without_being_taken(world: World) -> None:
    mine = active(world, days("2027-03-01", "2027-03-10"))
    world.after(days=4)  # the 5th
    world.counter("dedi").changes_of_bookings.swap_unit(mine, AVANZAS[1])
    out, done = BookingState.ACTIVE_RENTAL, BookingState.COMPLETED
    assert drawn(world, mine) == [
        (AVANZA, "2027-03-01", "2027-03-04", done),
        (AVANZAS[1], "2027-03-05", "2027-03-10", out),
    ]
    assert taken(world, AVANZA) == []
    assert world.bits(AVANZA, "202703") == []
    world.after(days=2)  # the 7th: back on the unit it had at first
    world.counter("dedi").changes_of_bookings.swap_unit(mine, AVANZA)
    assert drawn(world, mine) == [
        (AVANZA, "2027-03-01", "2027-03-04", done),
        (AVANZA, "2027-03-07", "2027-03-10", out),
        (AVANZAS[1], "2027-03-05", "2027-03-06", done),
    ]
    (first, *_) = [bar for bar in world.counter("siti").calendar.bars(days("2027-03-02")) if bar.booking_id == mine]
    world.catch_up()
    assert (first.rented, first.due_at, first.payment_deadline) == (first.days, None, None)
    world.assert_sound()


def test_a_finished_rental_is_drawn_on_each_unit_for_the_days_it_was_out(world: World) -> None:
    mine = active(world, days("2027-03-01", "2027-03-10"))
    world.after(days=4)
    world.counter("dedi").changes_of_bookings.swap_unit(mine, AVANZAS[1])
    Installation(world.settings()).move_booking(mine, Action.CHECK_IN)
    world.do(
        "WITH gone AS (UPDATE sentra.occupancy SET active = false WHERE booking_id = %s AND active)"
        " UPDATE sentra.booking SET state = 'COMPLETED', last_action = 'clear' WHERE id = %s",
        mine,
        mine,
    )
    done = BookingState.COMPLETED
    assert drawn(world, mine) == [
        (AVANZA, "2027-03-01", "2027-03-04", done),
        (AVANZAS[1], "2027-03-05", "2027-03-10", done),
    ]


def test_units_that_were_never_out_keep_no_bar_of_a_booking_that_left_them(world: World) -> None:
    siti, dedi = world.counter("siti"), world.counter("dedi")
    swapped = paid(world, days("2027-03-01", "2027-03-03"))
    siti.changes_of_bookings.swap_unit(swapped, AVANZAS[1])
    moved = paid(world, days("2027-03-01", "2027-03-02"), AVANZAS[2], phone="0812 1111 0003")
    today = active(world, days("2027-03-01", "2027-03-04"), phone="0812 1111 0004")
    dedi.changes_of_bookings.swap_unit(today, HIACE)  # on the day it went out
    world.after(days=3)
    world.counter("siti").changes_of_bookings.reschedule(moved, days("2027-03-05", "2027-03-06"), AVANZA)
    assert [bar[0] for bar in drawn(world, swapped)] == [AVANZAS[1]]
    assert [bar[0] for bar in drawn(world, moved)] == [AVANZA]
    assert [bar[0] for bar in drawn(world, today)] == [HIACE]
