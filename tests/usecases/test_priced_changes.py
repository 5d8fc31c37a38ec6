"""Changes of bookings with rates, extras and a discount: the domain's price is the database's, to the Rupiah."""

import datetime as dt
import random

import pytest

from app.bootstrap import Counter, Installation
from app.domain.booking import Action
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah, ppn_on_top, ppn_rate
from app.usecases.bookings import BookLine
from tests.support.world import AVANZAS, World, days
from tests.usecases.change_rig import pay
from tests.usecases.rates_rig import DELIVERY, DRIVER, SEAT, TOLL, add_extras, book, set_card, wish

pytest_plugins = ("tests.support.world_fixtures",)

TODAY = dt.date(2027, 3, 1)
OWED = """
    SELECT (SELECT coalesce(sum(i.total), 0) FROM sentra.invoice AS i WHERE i.state <> 'VOID')
         - (SELECT coalesce(sum(r.amount), 0) FROM sentra.refund AS r WHERE r.state = 'DUE')"""
WORTH = """
    SELECT coalesce(sum(sentra.worth(b)), 0) FROM sentra.booking AS b WHERE b.state <> 'CANCELLED'"""
PAPERS = """
    SELECT i.total, coalesce(sum(l.amount) FILTER (WHERE l.taxable), 0),
           coalesce(sum(l.amount) FILTER (WHERE NOT l.taxable AND l.kind <> 'PPN'), 0), bool_or(l.kind = 'PPN'),
           back.rent, back.amount, min(l.amount * (l.kind <> 'DISCOUNT')::integer)
    FROM sentra.invoice AS i JOIN sentra.invoice_line AS l ON l.invoice_id = i.id AND l.active
    CROSS JOIN LATERAL (SELECT coalesce(sum(r.taxable), 0) AS rent, coalesce(sum(r.amount), 0) AS amount
                        FROM sentra.refund AS r WHERE r.invoice_id = i.id AND r.state <> 'VOID') AS back
    WHERE i.state <> 'VOID' GROUP BY i.id, back.rent, back.amount"""


def number(world: World, statement: str) -> int:
    return int(str(world.value(statement)))


def lines(world: World, kind: str = "RENTAL") -> list[tuple[object, ...]]:
    return world.rows(
        "SELECT l.kind, l.text, l.quantity, l.amount FROM sentra.invoice_line AS l"
        " JOIN sentra.invoice AS i ON i.id = l.invoice_id WHERE l.active AND i.kind = %s AND l.kind <> 'DEPOSIT'"
        " ORDER BY l.line_no",
        kind,
    )


def assert_exact(world: World) -> None:
    """Each invoice is its lines with one PPN, refunds its price with and without what was given back; and all rent that
    is billed and not given back is what the bookings' days are worth."""
    billed = 0
    for row in world.rows(PAPERS):
        total, rent, others, back, amount, least = (int(str(row[at])) for at in (0, 1, 2, 4, 5, 6))
        rate = ppn_rate(TODAY)
        price, kept = (value + (ppn_on_top(Rupiah(value), rate).tax if row[3] else 0) for value in (rent, rent - back))
        assert (total, amount) == (price + others, price - kept)
        assert least >= 0
        billed += rent - back
    assert billed == number(world, WORTH)


def moved(line: BookLine, first: str, last: str) -> RentalPeriod:
    assert line.period != days(first, last)
    return days(first, last)


def test_extras_and_the_discount_of_an_unpaid_order_follow_the_days(world: World) -> None:
    add_extras(world)
    siti = world.counter("siti")
    order = wish(days("2027-03-02", "2027-03-03"), AVANZAS[0], DRIVER, DELIVERY, TOLL, percent=10)
    booked = book(siti, order)
    change = siti.changes_of_bookings
    told = change.quote_change(booked.bookings[0].id, moved(order, "2027-03-10", "2027-03-13"))
    assert (told.before, told.after) == (1_125_000, 2_115_000)
    done = change.reschedule(booked.bookings[0].id, days("2027-03-10", "2027-03-13"))
    assert done.difference == told.difference == 990_000
    assert lines(world) == [
        ("RENT", "Avanza G", 4, 1_400_000),
        ("EXTRA", "Sopir", 4, 800_000),
        ("EXTRA", "Antar", 1, 150_000),
        ("EXTRA", "Tol", 1, 75_000),
        ("DISCOUNT", "Diskon 10 %", 1, -235_000),
    ]
    assert_exact(world)
    world.assert_sound()


def test_a_paid_bookings_more_days_are_a_balance_by_the_card_that_is_frozen(world: World) -> None:
    set_card(world, weekend=400_000, weekly=2_100_000)
    siti = world.counter("siti")
    world.open_shift(siti)
    booked = book(siti, wish(days("2027-03-02", "2027-03-04")))
    world.settle(siti, booked)
    world.do("UPDATE sentra.sku_rate SET weekday = 999999")
    done = siti.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-02", "2027-03-06"))
    assert done.difference == 750_000
    assert lines(world, "BALANCE") == [
        ("RENT", "Avanza G", 1, 350_000),
        ("RENT", "Avanza G · akhir pekan", 1, 400_000),
    ]
    back = siti.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-02", "2027-03-04"))
    assert back.difference == -750_000
    assert lines(world, "BALANCE") == []
    assert_exact(world)
    world.assert_sound()


def active(world: World, who: Counter, line: BookLine) -> str:
    world.open_shift(who)
    booked = book(who, line)
    world.settle(who, booked)
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        Installation(world.settings()).move_booking(booked.bookings[0].id, action)
    return booked.bookings[0].id


def test_an_extension_costs_what_the_longer_rental_is_worth_more(world: World) -> None:
    add_extras(world)
    set_card(world, weekend=400_000)
    siti = world.counter("siti")
    booking = active(world, siti, wish(days("2027-03-01", "2027-03-05"), AVANZAS[0], DRIVER, percent=10))
    told = siti.changes_of_bookings.request_extension(booking, dt.date(2027, 3, 8))
    assert told.difference == (2 * 400_000 + 350_000 + 3 * 200_000) * 9 // 10
    assert lines(world, "EXTENSION") == [
        ("RENT", "Avanza G", 1, 350_000),
        ("RENT", "Avanza G · akhir pekan", 2, 800_000),
        ("EXTRA", "Sopir", 3, 600_000),
        ("DISCOUNT", "Diskon 10 %", 1, -175_000),
    ]
    assert told.invoice_id is not None
    pay(world, told.invoice_id)
    assert_exact(world)
    world.assert_sound()


def test_days_that_cost_nothing_more_are_settled_with_nothing(world: World) -> None:
    set_card(world, weekly=1_800_000)
    siti = world.counter("siti")
    booking = active(world, siti, wish(days("2027-03-01", "2027-03-06")))
    told = siti.changes_of_bookings.request_extension(booking, dt.date(2027, 3, 7))
    assert (told.difference, lines(world, "EXTENSION")[-1]) == (0, ("RENT", "Avanza G", 1, 0))
    assert told.invoice_id is not None
    held = siti.settlement.open_invoice(told.invoice_id)
    siti.settlement.settle(held.handle, siti.new_id(), [])
    assert world.value("SELECT last_day::text FROM sentra.booking") == "2027-03-07"
    assert_exact(world)
    world.assert_sound()


def test_new_days_have_the_holidays_of_today_and_old_ones_keep_theirs(world: World) -> None:
    set_card(world, holiday=500_000)
    maya, siti = world.counter("maya"), world.counter("siti")
    for day in (2, 3, 4, 5, 8, 9, 10, 11):
        maya.holidays.remove_holiday(dt.date(2027, 3, day))
    maya.holidays.set_holiday(dt.date(2027, 3, 3), "Hari jadi kota")
    booked = book(siti, wish(days("2027-03-02", "2027-03-03")))
    assert booked.total == 850_000 + 500_000
    maya.holidays.remove_holiday(dt.date(2027, 3, 3))
    maya.holidays.set_holiday(dt.date(2027, 3, 4), "Hari jadi kota")
    done = siti.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-03", "2027-03-05"))
    assert done.difference == 500_000 + 500_000 + 350_000 - 850_000
    assert world.value("SELECT holidays::text FROM sentra.booking") == "{2027-03-03,2027-03-04}"
    assert_exact(world)


def test_by_24_hours_a_change_keeps_the_two_times_of_day(world: World) -> None:
    world.do("UPDATE sentra.branch SET counts_hours = true")
    siti = world.counter("siti")
    booked = book(siti, wish(days("2027-03-02", "2027-03-04")))
    done = siti.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-10", "2027-03-13"))
    assert (booked.total, done.difference) == (2 * 350_000 + 500_000, 350_000)
    assert world.value("SELECT due_at - pickup_at = interval '72 hours' FROM sentra.booking") is True
    world.assert_sound()


@pytest.mark.parametrize("seed", range(4))
def test_c74_many_changes_of_random_orders_add_up_to_the_rupiah(world: World, seed: int) -> None:
    dice = random.Random(f"priced {seed}")
    add_extras(world)
    world.do("UPDATE sentra.branch SET prices_include_ppn = %s", seed % 2 == 0)
    if seed:
        set_card(
            world,
            weekday=333_337,
            weekend=dice.choice([333_337, 401_003]),
            weekly=dice.choice([1_999_999, 2_400_001]),
            monthly=7_654_321,
        )
    siti = world.counter("siti")
    world.open_shift(siti)

    def period() -> RentalPeriod:
        first = TODAY + dt.timedelta(days=dice.randint(1, 40))
        return RentalPeriod(first, first + dt.timedelta(days=dice.choice([0, 1, 2, 5, 6, 7, 13, 29, 33])))

    order = [
        wish(period(), unit, *dice.sample([DRIVER, SEAT, DELIVERY, TOLL], 2), percent=dice.choice([0, 7, 10]))
        for unit in AVANZAS
    ]
    booked = book(siti, *order)
    ids = [item.id for item in booked.bookings]
    is_paid = False
    for step in range(24):
        wanted, new = dice.choice(ids), period()
        stands = world.rows("SELECT first_day, last_day FROM sentra.booking WHERE id = %s", wanted)
        if stands == [(new.first, new.last)]:  # a change to what stands is answered with the one that led there
            continue
        before = number(world, OWED)
        told = siti.changes_of_bookings.reschedule(wanted, new)
        assert number(world, OWED) - before == told.difference
        assert_exact(world)
        if step >= 5 and not is_paid:
            pay(world, booked.invoice_id)
            is_paid = True
        elif is_paid and dice.random() < 0.3 and told.invoice_id is not None:
            pay(world, told.invoice_id)
        elif is_paid and dice.random() < 0.3:
            world.do(
                "WITH paid_out AS (UPDATE sentra.refund SET state = 'DONE' WHERE id = (SELECT id FROM sentra.refund"
                " WHERE state = 'DUE' ORDER BY booking_id LIMIT 1) RETURNING invoice_id, amount)"
                " UPDATE sentra.invoice AS i SET paid = i.paid - p.amount FROM paid_out AS p WHERE i.id = p.invoice_id"
            )
    world.assert_sound()


def test_a_forged_list_of_holidays_cannot_leave_out_the_branchs_own(world: World) -> None:
    set_card(world, holiday=500_000)
    maya, siti = world.counter("maya"), world.counter("siti")
    booked = book(siti, wish(days("2027-03-02", "2027-03-03")))
    maya.holidays.set_holiday(dt.date(2027, 3, 16), "Hari jadi kota")
    with pytest.raises(Refusal) as no:
        siti.store.transact(
            lambda tx: tx.reschedule(
                booked.bookings[0].id, days("2027-03-16", "2027-03-17"), AVANZAS[0], 1, Rupiah(0), None, []
            ),
            one_call=True,
        )
    assert no.value.code is RefusalCode.PRICE_CHANGED
