"""Changes that meet each other, a booking, a cashier, or a wire that loses answers: one outcome, nothing in between."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from app.bootstrap import Counter
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.usecases.rows import BookedOrder
from app.usecases.rows_changes import ChangedBooking
from tests.support.at_once import at_once
from tests.support.proxy import COMMIT, postgres_proxy
from tests.support.world import AVANZA, AVANZAS, World, blockers_of, days
from tests.usecases.change_rig import RATE, active, invoices, paid, pay, taken

pytest_plugins = ("tests.support.world_fixtures",)

ROUNDS = 500


def test_five_hundred_times_an_extension_and_a_booking_of_the_same_day_have_one_winner(world: World) -> None:
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-12"))
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    thirteenth = days("2027-03-13")
    for _ in range(ROUNDS):
        found = at_once(
            partial(ayu.changes_of_bookings.request_extension, mine, thirteenth.last),
            partial(world.book, siti, thirteenth, phone="0812 0000 9999", name="Budi Santoso"),
        )
        (winner,) = found.results
        (no,) = found.refusals
        (blocker,) = blockers_of(no)
        if isinstance(winner, ChangedBooking):
            assert blocker["number"] == winner.number
            ayu.changes_of_bookings.reject_extension(mine)
        else:
            assert isinstance(winner, BookedOrder)
            assert blocker["number"] == winner.bookings[0].number
            siti.bookings.cancel(winner.bookings[0].id)
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-12")]
    world.assert_sound()


def test_a_move_and_a_booking_of_the_same_days_have_one_winner_and_the_loser_keeps_what_it_had(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    for n in range(40):
        home = RentalPeriod(
            dt.date(2027, 3, 2) + dt.timedelta(days=6 * n), dt.date(2027, 3, 3) + dt.timedelta(days=6 * n)
        )
        wanted = RentalPeriod(home.first + dt.timedelta(days=3), home.last + dt.timedelta(days=3))
        mine = world.book(ayu, home).bookings[0]
        found = at_once(
            partial(ayu.changes_of_bookings.reschedule, mine.id, wanted),
            partial(world.book, siti, wanted, phone="0812 0000 9999", name="Budi Santoso"),
        )
        (winner,) = found.results
        assert [no.code for no in found.refusals] == [RefusalCode.DAYS_TAKEN]
        now = world.value("SELECT first_day FROM sentra.booking WHERE id = %s", mine.id)
        assert now == (wanted.first if isinstance(winner, ChangedBooking) else home.first)
    world.assert_sound()


def test_two_moves_of_one_booking_at_once_leave_it_in_one_place_priced_once(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    mine = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0]
    for n in range(20):
        longer, shorter = days("2027-04-01", "2027-04-05"), days("2027-04-10", "2027-04-11")
        found = at_once(
            partial(ayu.changes_of_bookings.reschedule, mine.id, longer, AVANZAS[n % 2]),
            partial(siti.changes_of_bookings.reschedule, mine.id, shorter, AVANZAS[1 - n % 2]),
        )
        assert found.refusals == []
        last = max(found.results, key=lambda item: item.version)
        assert invoices(world)[-1] == ("RENTAL", "OPEN", last.period.count * RATE + 500_000)
        assert world.value("SELECT count(*) FROM sentra.occupancy WHERE active") == 1
    world.assert_sound()


def test_two_bookings_that_want_each_others_unit_at_once_are_both_refused_and_nobody_waits_for_ever(
    world: World,
) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    period = days("2027-03-10", "2027-03-12")
    one = world.book(ayu, period).bookings[0]
    two = world.book(siti, period, AVANZAS[1], phone="0812 0000 9999", name="Budi Santoso").bookings[0]
    for _ in range(30):
        found = at_once(
            partial(ayu.changes_of_bookings.swap_unit, one.id, AVANZAS[1]),
            partial(siti.changes_of_bookings.swap_unit, two.id, AVANZA),
        )
        assert [no.code for no in found.refusals] == [RefusalCode.DAYS_TAKEN] * 2
    world.assert_sound()


def test_a_move_that_meets_the_paying_cashier_is_refused_or_comes_after_the_payment(world: World) -> None:
    ayu, siti = world.counter("ayu"), world.counter("siti", "Kasir 2")
    world.open_shift(siti)
    for n in range(15):
        day = dt.date(2027, 3, 2) + dt.timedelta(days=4 * n)
        booked = world.book(siti, RentalPeriod(day, day + dt.timedelta(days=1)))
        held = siti.settlement.open_invoice(booked.invoice_id)
        found = at_once(
            partial(world.settle, siti, booked, held),
            partial(ayu.changes_of_bookings.reschedule, booked.bookings[0].id, RentalPeriod(day, day)),
        )
        assert {no.code for no in found.refusals} <= {RefusalCode.INVOICE_LOCKED}
        assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
        moved = [item for item in found.results if isinstance(item, ChangedBooking)]
        refund = world.rows("SELECT amount FROM sentra.refund WHERE booking_id = %s", booked.bookings[0].id)
        assert refund == ([(RATE,)] if moved else [])
    world.catch_up()
    world.assert_sound()


LOST: dict[str, Callable[[Counter, str], ChangedBooking]] = {
    "reschedule": lambda who, it: who.changes_of_bookings.reschedule(it, days("2027-03-20", "2027-03-24"), AVANZAS[1]),
    "swap_unit": lambda who, it: who.changes_of_bookings.swap_unit(it, AVANZAS[1]),
}
LOST_OUT: dict[str, Callable[[Counter, str], ChangedBooking]] = {
    "swap_unit": lambda who, it: who.changes_of_bookings.swap_unit(it, AVANZAS[1]),
    "shorten": lambda who, it: who.changes_of_bookings.shorten(it, dt.date(2027, 3, 11)),
    "request_extension": lambda who, it: who.changes_of_bookings.request_extension(it, dt.date(2027, 3, 14)),
    "reject_extension": lambda who, it: who.changes_of_bookings.reject_extension(it, "tidak jadi"),
}


@pytest.mark.parametrize("what", LOST)
def test_a_change_whose_commit_answer_is_lost_is_made_once_and_answered(
    world: World, tmp_path: Path, what: str
) -> None:
    booking = paid(world, days("2027-03-10", "2027-03-12"))
    _lose_the_answer(world, tmp_path, booking, "ayu", LOST[what])


@pytest.mark.parametrize("what", LOST_OUT)
def test_a_change_of_a_rental_whose_commit_answer_is_lost_is_made_once_and_answered(
    world: World, tmp_path: Path, what: str
) -> None:
    world.after(days=9)
    booking = active(world, days("2027-03-10", "2027-03-12"))
    if what == "reject_extension":
        world.counter("ayu").changes_of_bookings.request_extension(booking, dt.date(2027, 3, 14))
    _lose_the_answer(world, tmp_path, booking, "dedi" if what == "swap_unit" else "ayu", LOST_OUT[what])


def _lose_the_answer(
    world: World, tmp_path: Path, booking: str, login: str, change: Callable[[Counter, str], ChangedBooking]
) -> None:
    version = world.value("SELECT version FROM sentra.booking WHERE id = %s", booking)
    assert isinstance(version, int)
    proxy, url = postgres_proxy(world.database.owner_url, tmp_path)
    with proxy:
        who = world.counter(login, url=url)
        proxy.swallow_next(COMMIT)
        changed = change(who, booking)
        assert proxy.swallowed == 1
    assert changed.version == version + 1
    effect = "SELECT (after ->> 'difference')::bigint, jsonb_array_length(after -> 'freed') FROM sentra.audit"
    assert world.rows(f"{effect} WHERE action = 'changed' ORDER BY id DESC LIMIT 1") == [
        (changed.difference, len(changed.freed))
    ]
    assert world.value("SELECT version FROM sentra.booking WHERE id = %s", booking) == version + 1
    assert world.value("SELECT count(*) FROM sentra.occupancy WHERE active") == 1
    world.catch_up()
    world.assert_sound()


def test_changes_go_on_without_an_index_and_the_service_tells_it_later(world: World) -> None:
    world.make_index_whole()
    world.after(days=9)
    mine = active(world, days("2027-03-10", "2027-03-12"))
    ayu = world.counter("ayu", redis_url=None)
    world.book(ayu, days("2027-03-20"))
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 9))
    assert no.value.code is RefusalCode.PERIOD_INVALID
    asked = ayu.changes_of_bookings.request_extension(mine, dt.date(2027, 3, 14))
    world.after(seconds=6)
    world.catch_up()
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13, 14, 20]
    assert asked.invoice_id is not None
    pay(world, asked.invoice_id)
    ayu.changes_of_bookings.shorten(mine, dt.date(2027, 3, 13))
    world.after(seconds=6)
    world.catch_up()
    assert world.bits(AVANZA, "202703") == [10, 11, 12, 13, 20]
    world.assert_sound()


def test_c41_moving_and_extending_in_any_zone_adds_no_day(world: World) -> None:
    for n, zone in enumerate(("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura")):
        world.do("UPDATE sentra.branch SET zone = %s WHERE id = 'JKT'", zone)
        unit, phone = AVANZAS[n], f"0812 0000 777{n}"
        local = world.value("SELECT zone FROM sentra.branch WHERE id = 'JKT'")
        world.stand(dt.datetime(2027, 3, 9 + n, 16, 30, tzinfo=dt.UTC))  # late in the evening, or already tomorrow
        today = world.value("SELECT (sentra.now() AT TIME ZONE %s)::date", local)
        assert isinstance(today, dt.date)
        period = RentalPeriod(today, today + dt.timedelta(days=2))
        booking = active(world, period, unit, phone=phone)
        ayu = world.counter("ayu", f"Kasir {n}")
        asked = ayu.changes_of_bookings.request_extension(booking, period.last + dt.timedelta(days=1))
        assert asked.invoice_id is not None
        pay(world, asked.invoice_id)
        assert taken(world, unit) == [(today.isoformat(), (today + dt.timedelta(days=3)).isoformat())]
        later = paid(
            world, RentalPeriod(today + dt.timedelta(days=10), today + dt.timedelta(days=12)), unit, phone=phone
        )
        moved = ayu.changes_of_bookings.reschedule(
            later, RentalPeriod(today + dt.timedelta(days=20), today + dt.timedelta(days=22))
        )
        assert (moved.difference, moved.period.count) == (0, 3)
        assert taken(world, unit)[1:] == [
            ((today + dt.timedelta(days=20)).isoformat(), (today + dt.timedelta(days=22)).isoformat())
        ]
