"""What a refused change offers instead can be done: no way on leads into another refusal."""

import datetime as dt
from collections.abc import Callable

import pytest

from app.bootstrap import Counter
from app.domain.booking import Action
from app.domain.days import Days, RentalPeriod
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.usecases.rows_changes import ChangeQuote
from tests.support.world import AVANZA, AVANZAS, HIACE, SKU, World, days, refused
from tests.usecases.change_rig import active, paid, taken

pytest_plugins = ("tests.support.world_fixtures",)

OTHER = "0812 1111 0003"
MARCH_1 = dt.date(2027, 3, 1)
LIMIT = MARCH_1 + dt.timedelta(days=730)


def no_to(change: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as no:
        change()
    return no.value


def offered(no: Refusal) -> list[tuple[str, object]]:
    """Each way on with the one thing that tells it from others: a unit, or the day it begins or ends."""
    return [
        (
            item.action,
            item.params["unit_id"]
            if item.action in ("use_unit", "swap_unit", "swap_other")
            else (item.params.get("last_day") if "first_day" not in item.params else item.params["first_day"]),
        )
        for item in no.next
    ]


def assert_possible(who: Counter, booking_id: str, no: Refusal) -> None:
    """Each way on of this booking could be gone at once."""
    for item in no.next:
        if item.action in ("other_branch", "waitlist", "swap_other"):
            continue
        quote = quoted(who, booking_id, item)
        assert quote.blockers == (), item
        if item.action in {action.value for action in Action}:
            assert quote.action.value == item.action


def quoted(who: Counter, booking_id: str, item: NextAction) -> ChangeQuote:
    basis = who.store.read.change_basis(booking_id)
    assert basis is not None
    first, last = (
        item.params.get(name, getattr(basis.standing.period, name[:-4])) for name in ("first_day", "last_day")
    )
    assert isinstance(first, dt.date)
    assert isinstance(last, dt.date)
    unit_id = item.params.get("unit_id")
    return who.changes_of_bookings.quote_change(
        booking_id, RentalPeriod(first, last), str(unit_id) if unit_id else None
    )


def test_a_shortened_rental_is_offered_the_paid_days_it_can_have_back_without_an_extension(world: World) -> None:
    mine = active(world, days("2027-03-01", "2027-03-10"))
    siti = world.counter("siti")
    change = siti.changes_of_bookings
    change.shorten(mine, dt.date(2027, 3, 5))
    world.book(siti, days("2027-03-09"), phone=OTHER)
    asks: tuple[Callable[[], object], ...] = (
        lambda: change.request_extension(mine, dt.date(2027, 3, 12)),
        lambda: change.shorten(mine, dt.date(2027, 3, 10)),
    )
    for ask in asks:
        no = no_to(ask)
        assert refused(no, RefusalCode.DAYS_TAKEN, "last_day")["longest_last_day"] == dt.date(2027, 3, 8)
        assert offered(no)[0] == ("shorten", dt.date(2027, 3, 8))
        assert_possible(siti, mine, no)
    change.shorten(mine, dt.date(2027, 3, 8))
    world.assert_sound()


@pytest.mark.parametrize("taken_on", [7, 8])
def test_an_overdue_rental_is_offered_no_day_that_is_past(world: World, taken_on: int) -> None:
    mine = active(world, days("2027-03-01", "2027-03-02"))
    world.book(world.counter("siti"), days(f"2027-03-0{taken_on}"), phone=OTHER)
    world.after(days=6)
    siti = world.counter("siti")
    no = no_to(lambda: siti.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 9)))
    params = refused(no, RefusalCode.DAYS_TAKEN, "last_day")
    ways = [way for way in offered(no) if way[0] != "swap_other"]
    if taken_on == 7:  # today
        assert (params["longest_last_day"], ways) == (dt.date(2027, 3, 2), [])
    else:
        assert (params["longest_last_day"], ways) == (dt.date(2027, 3, 7), [("request_extension", dt.date(2027, 3, 7))])
    assert params["first_day"] == dt.date(2027, 3, 7), "what is wanted begins today"
    assert_possible(siti, mine, no)


def test_paid_days_that_are_past_are_not_offered_back(world: World) -> None:
    mine = active(world, days("2027-03-01", "2027-03-10"))
    world.counter("siti").changes_of_bookings.shorten(mine, dt.date(2027, 3, 2))
    world.after(days=5)  # the 6th
    siti = world.counter("siti")
    for day, ways in ((4, []), (8, [("shorten", dt.date(2027, 3, 8))])):
        no = no_to(lambda day=day: siti.changes_of_bookings.request_extension(mine, dt.date(2027, 3, day)))  # type: ignore[misc]
        assert refused(no, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == "paid"
        assert offered(no) == ways
        assert_possible(siti, mine, no)


def test_a_shortening_beyond_all_a_rental_may_last_offers_no_extension(world: World) -> None:
    mine = active(world, days("2027-03-01", "2027-03-10"))
    no = no_to(lambda: world.counter("siti").changes_of_bookings.shorten(mine, dt.date(2028, 3, 2)))
    assert refused(no, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == "too_long"
    assert no.next == ()


def test_no_dates_are_offered_that_begin_later_than_two_years_from_today(world: World) -> None:
    siti = world.counter("siti")
    for unit in AVANZAS:
        world.book(siti, RentalPeriod(LIMIT - dt.timedelta(days=70), LIMIT + dt.timedelta(days=3)), unit)
    wanted = RentalPeriod(LIMIT, LIMIT)
    mine = paid(world, days("2027-04-01"), phone=OTHER)
    for no in (
        no_to(lambda: world.book(siti, wanted, phone=OTHER)),
        no_to(lambda: world.book(siti, wanted, None, phone=OTHER)),
        no_to(lambda: siti.changes_of_bookings.reschedule(mine, wanted)),
    ):
        assert no.code is RefusalCode.DAYS_TAKEN
        assert "use_dates" not in [item.action for item in no.next]
    earlier = RentalPeriod(LIMIT - dt.timedelta(days=68), LIMIT - dt.timedelta(days=68))
    no = no_to(lambda: siti.changes_of_bookings.reschedule(mine, earlier))
    assert ("use_dates", LIMIT - dt.timedelta(days=71)) in offered(no)
    assert_possible(siti, mine, no)


def test_a_booking_that_wants_another_unit_is_told_that_its_own_one_has_the_days(world: World) -> None:
    siti = world.counter("siti")
    mine = paid(world, days("2027-04-01", "2027-04-05"))
    for unit in AVANZAS[1:]:
        world.book(siti, days("2027-04-06"), unit, phone=OTHER)
    moved = days("2027-04-02", "2027-04-06")
    no = no_to(lambda: siti.changes_of_bookings.reschedule(mine, moved, AVANZAS[1]))
    assert refused(no, RefusalCode.DAYS_TAKEN, "first_day")["free_units"] == 1
    assert offered(no)[0] == ("use_unit", AVANZA)
    assert "waitlist" not in [item.action for item in no.next]
    assert_possible(siti, mine, no)
    siti.changes_of_bookings.reschedule(mine, moved, AVANZA)
    assert taken(world, AVANZA) == [("2027-04-02", "2027-04-06")]


def test_a_booking_that_only_wants_another_unit_is_sent_neither_to_where_it_is_nor_to_the_waitlist(
    world: World,
) -> None:
    siti = world.counter("siti")
    period = days("2027-04-01", "2027-04-05")
    mine = paid(world, period)
    for unit in AVANZAS[1:]:
        world.book(siti, period, unit, phone=OTHER)
    no = no_to(lambda: siti.changes_of_bookings.reschedule(mine, period, AVANZAS[1]))
    assert refused(no, RefusalCode.DAYS_TAKEN, "first_day")["free_units"] == 0
    assert {"use_unit", "waitlist"}.isdisjoint(item.action for item in no.next)
    assert_possible(siti, mine, no)


def test_the_waitlist_is_offered_when_somebody_else_is_in_the_way_on_the_own_unit_too(world: World) -> None:
    siti = world.counter("siti")
    mine = paid(world, days("2027-04-01", "2027-04-05"))
    for unit in AVANZAS:
        world.book(siti, days("2027-04-06"), unit, phone=OTHER)
    no = no_to(lambda: siti.changes_of_bookings.reschedule(mine, days("2027-04-02", "2027-04-06"), AVANZAS[1]))
    assert refused(no, RefusalCode.DAYS_TAKEN, "first_day")["free_units"] == 0
    assert "waitlist" in [item.action for item in no.next]
    assert_possible(siti, mine, no)


def test_units_and_dates_are_offered_with_the_turnaround_that_the_booking_was_made_with(world: World) -> None:
    siti = world.counter("siti")
    world.do("UPDATE sentra.sku SET turnaround_days = 2 WHERE id = %s", SKU)
    mine = paid(world, days("2027-04-01", "2027-04-02"))
    world.do("UPDATE sentra.sku SET turnaround_days = 0 WHERE id = %s", SKU)
    world.book(siti, days("2027-04-11"), phone=OTHER)
    world.book(siti, days("2027-04-13"), AVANZAS[1], phone=OTHER)
    no = no_to(lambda: siti.changes_of_bookings.reschedule(mine, days("2027-04-10", "2027-04-11")))
    assert offered(no)[0] == ("use_unit", AVANZAS[2])
    assert_possible(siti, mine, no)
    assert ("use_dates", dt.date(2027, 4, 7)) in offered(no)


def test_a_swap_is_offered_only_units_that_can_be_had_with_their_own_turnaround(world: World) -> None:
    siti = world.counter("siti")
    world.do("UPDATE sentra.sku SET turnaround_days = 2 WHERE id = %s", SKU)
    mine = paid(world, days("2027-04-01", "2027-04-02"))
    world.book(siti, days("2027-04-04"), AVANZAS[1], phone=OTHER)
    siti.changes_of_bookings.swap_unit(paid(world, days("2027-04-02"), AVANZAS[2], phone=OTHER), HIACE)
    no = no_to(lambda: siti.changes_of_bookings.swap_unit(mine, HIACE))
    refused(no, RefusalCode.DAYS_TAKEN, "unit_id")
    assert offered(no) == [("swap_unit", AVANZAS[2])]
    assert_possible(siti, mine, no)


def test_a_rental_that_is_out_is_not_offered_a_unit_that_is_in_the_workshop(world: World) -> None:
    mine = active(world, days("2027-03-01", "2027-03-04"))
    dedi, siti = world.counter("dedi"), world.counter("siti")
    dedi.maintenance.block_unit(AVANZAS[1], Days(dt.date(2027, 3, 20), dt.date(2027, 3, 21)), "Servis")
    world.do("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = %s", AVANZAS[1])
    world.book(siti, days("2027-03-03"), AVANZAS[2], phone=OTHER)
    no = no_to(lambda: dedi.changes_of_bookings.swap_unit(mine, AVANZAS[2]))
    refused(no, RefusalCode.DAYS_TAKEN, "unit_id")
    assert offered(no) == []
