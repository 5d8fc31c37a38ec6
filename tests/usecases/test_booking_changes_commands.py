"""Changes by their names on the command line, and how they reach months far away and both sides of a period."""

from typing import Any

import pytest

from app.admin_do import do
from app.domain.errors import Refusal, RefusalCode
from tests.support.world import AVANZA, AVANZAS, World, days
from tests.usecases.change_rig import RATE, active, taken

pytest_plugins = ("tests.support.world_fixtures",)


def said(found: object) -> dict[str, Any]:
    assert isinstance(found, dict)
    return found


def test_every_change_runs_by_its_name_from_json_to_json(world: World) -> None:
    maya = world.counter("maya")
    booking = world.book(maya, days("2027-03-20", "2027-03-21")).bookings[0].id
    period = {"first_day": "2027-03-20", "last_day": "2027-03-23"}
    quote = said(do(maya, "quote_change", {"booking_id": booking, **period}))
    assert (quote["action"], quote["before"], quote["after"]) == ("reschedule", 2 * RATE, 4 * RATE)
    moved = said(do(maya, "reschedule", {"booking_id": booking, **period, "unit_id": AVANZAS[1]}))
    assert (moved["unit_id"], moved["last_day"], moved["difference"]) == (AVANZAS[1], "2027-03-23", 2 * RATE)
    swapped = said(do(maya, "swap_unit", {"booking_id": booking, "unit_id": AVANZA}))
    assert (swapped["unit_id"], swapped["version"]) == (AVANZA, 3)
    with pytest.raises(Refusal) as no:
        do(maya, "reschedule", {"booking_id": booking, **period, "price": 1})
    assert no.value.code is RefusalCode.FIELD_INVALID


def test_every_change_of_a_rental_runs_by_its_name_from_json_to_json(world: World) -> None:
    world.after(days=9)
    booking = active(world, days("2027-03-10", "2027-03-12"))
    ayu = world.counter("ayu")
    asked = said(do(ayu, "request_extension", {"booking_id": booking, "last_day": "2027-03-14"}))
    assert (asked["state"], asked["difference"], asked["last_day"]) == ("EXTENSION_PENDING", 2 * RATE, "2027-03-12")
    back = said(do(ayu, "reject_extension", {"booking_id": booking, "reason": "tidak jadi"}))
    assert (back["state"], [item["days"]["first"] for item in back["freed"]]) == ("ACTIVE_RENTAL", ["2027-03-13"])
    short = said(do(ayu, "shorten", {"booking_id": booking, "last_day": "2027-03-11"}))
    assert (short["last_day"], short["payment_deadline"]) == ("2027-03-11", None)


def test_a_period_that_grows_on_both_sides_claims_both_and_keeps_its_own_days(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0].id
    grown = ayu.changes_of_bookings.reschedule(booking, days("2027-03-08", "2027-03-15"))
    assert (grown.freed, world.bits(AVANZA, "202703")) == ((), [8, 9, 10, 11, 12, 13, 14, 15])
    shrunk = ayu.changes_of_bookings.reschedule(booking, days("2027-03-10", "2027-03-12"))
    assert [(item.days.first.day, item.days.last.day) for item in shrunk.freed] == [(8, 9), (13, 15)]
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-12")]
    world.assert_sound()


def test_a_booking_moved_from_a_month_far_away_leaves_no_day_behind_there(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2028-12-30", "2029-01-02")).bookings[0].id
    assert (world.bits(AVANZA, "202812"), world.bits(AVANZA, "202901")) == ([30, 31], [1, 2])
    ayu.changes_of_bookings.reschedule(booking, days("2027-03-30", "2027-04-02"), AVANZAS[1])
    assert (world.bits(AVANZA, "202812"), world.bits(AVANZA, "202901")) == ([], [])
    assert (world.bits(AVANZAS[1], "202703"), world.bits(AVANZAS[1], "202704")) == ([30, 31], [1, 2])
    world.assert_sound()


def test_times_follow_the_days_and_a_pick_up_that_stays_keeps_its_time(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0].id
    times = "SELECT (pickup_at AT TIME ZONE 'Asia/Jakarta')::text, (due_at AT TIME ZONE 'Asia/Jakarta')::text FROM"
    wanted = {
        ("2027-03-15", "2027-03-16"): ("2027-03-15 08:00:00", "2027-03-16 20:00:00"),
        ("2027-03-15", "2027-03-18"): ("2027-03-15 08:00:00", "2027-03-18 20:00:00"),
        ("2027-03-01", "2027-03-01"): ("2027-03-01 09:00:00", "2027-03-01 20:00:00"),
    }
    for (first, last), found in wanted.items():
        ayu.changes_of_bookings.reschedule(booking, days(first, last))
        assert world.rows(f"{times} sentra.booking WHERE id = %s", booking) == [found]
        order = world.book(ayu, days(first, last), AVANZAS[2], phone="0812 0000 4321")
        fresh = world.rows(f"{times} sentra.booking WHERE order_id = %s", order.order_id)
        assert fresh == [found], "as a new booking of these days"
        ayu.bookings.cancel(order.bookings[0].id)
