"""What a change may keep others waiting for: no row of an invoice while a client thinks, none that a cashier holds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import cast

import psycopg
import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.usecases.ports import Reads, Store
from app.usecases.rows_changes import ChangeBasis, ChangedBooking
from tests.support.world import AVANZA, AVANZAS, World, days, line, refused
from tests.usecases.change_rig import RATE, active, invoices, taken

pytest_plugins = ("tests.support.world_fixtures",)

HELD = "SELECT FROM sentra.invoice FOR NO KEY UPDATE"


def move(who: Counter, booking_id: str) -> ChangedBooking:
    return who.changes_of_bookings.reschedule(booking_id, days("2027-03-20", "2027-03-21"))


def reject(who: Counter, booking_id: str) -> ChangedBooking:
    return who.changes_of_bookings.reject_extension(booking_id)


@pytest.mark.parametrize("change", [move, reject])
def test_an_invoice_that_a_cashier_holds_is_refused_before_its_row_is_waited_for(
    world: World, change: Callable[[Counter, str], object]
) -> None:
    siti, budi = world.counter("siti"), world.counter("budi", "Kasir 2")
    if change is move:
        booked = world.book(siti, days("2027-03-10", "2027-03-12"))
        booking_id, invoice_id = booked.bookings[0].id, booked.invoice_id
    else:
        booking_id = active(world, days("2027-03-01", "2027-03-02"))
        invoice_id = str(siti.changes_of_bookings.request_extension(booking_id, dt.date(2027, 3, 4)).invoice_id)
    budi.settlement.open_invoice(invoice_id)
    before = world.counts()
    with psycopg.connect(world.database.owner_url) as heartbeat:
        heartbeat.execute(HELD)
        with pytest.raises(Refusal) as no:
            change(siti, booking_id)
    assert refused(no.value, RefusalCode.INVOICE_LOCKED)["holder_name"] == "Budi"
    assert world.counts() == before


def test_an_extension_of_a_rental_waits_for_no_invoice_of_its_order(world: World) -> None:
    booking_id = active(world, days("2027-03-01", "2027-03-02"))
    with psycopg.connect(world.database.owner_url) as heartbeat:
        heartbeat.execute(HELD)
        asked = world.counter("siti").changes_of_bookings.request_extension(booking_id, dt.date(2027, 3, 4))
    assert asked.difference == 2 * RATE
    world.assert_sound()


class _Meanwhile:
    """A counter's store with somebody else's step right after each of the first readings of what a change costs."""

    def __init__(self, store: Store, *steps: Callable[[], object]) -> None:
        self._store = store
        self._steps = list(steps)

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    @property
    def read(self) -> Reads:
        return cast(Reads, _Readings(self._store.read, self._steps))


class _Readings:
    def __init__(self, read: Reads, steps: list[Callable[[], object]]) -> None:
        self._read = read
        self._steps = steps

    def __getattr__(self, name: str) -> object:
        return getattr(self._read, name)

    def change_basis(self, booking_id: str) -> ChangeBasis | None:
        found = self._read.change_basis(booking_id)
        if self._steps:
            self._steps.pop(0)()
        return found


def test_a_move_that_was_priced_of_what_has_changed_since_is_priced_again(world: World) -> None:
    world.do("UPDATE sentra.branch SET has_ppn = true, prices_include_ppn = false")
    siti, ayu = world.counter("siti"), world.counter("ayu")
    booked = world.order(siti, [line(days("2027-03-10", "2027-03-12"), unit) for unit in AVANZAS[:2]])
    one, two = booked.bookings
    siti.changes_of_bookings._store = cast(
        Store,
        _Meanwhile(
            siti.store,
            lambda: ayu.changes_of_bookings.reschedule(one.id, days("2027-03-10", "2027-03-10")),
            lambda: ayu.changes_of_bookings.reschedule(two.id, days("2027-03-11", "2027-03-12")),
        ),
    )
    moved = siti.changes_of_bookings.reschedule(one.id, days("2027-03-14", "2027-03-17"))
    rent = 3 * RATE
    assert moved.difference == rent + rent * 11 // 100
    assert (taken(world, AVANZA), taken(world, AVANZAS[1])) == (
        [("2027-03-14", "2027-03-17")],
        [("2027-03-11", "2027-03-12")],
    )
    ((_, state, _),) = invoices(world)
    assert state == "OPEN"
    world.assert_sound()


def test_an_extension_that_was_priced_of_what_has_changed_since_is_priced_again(world: World) -> None:
    booking_id = active(world, days("2027-03-01", "2027-03-06"))
    siti, ayu = world.counter("siti"), world.counter("ayu")
    siti.changes_of_bookings._store = cast(
        Store,
        _Meanwhile(siti.store, lambda: ayu.changes_of_bookings.shorten(booking_id, dt.date(2027, 3, 3))),
    )
    asked = siti.changes_of_bookings.request_extension(booking_id, dt.date(2027, 3, 8))
    assert asked.difference == 2 * RATE, "the 4th to the 6th are paid"
    assert taken(world, AVANZA) == [("2027-03-01", "2027-03-08")]
    world.assert_sound()


def test_a_booking_that_changes_at_every_reading_is_refused_as_repriced_in_the_end(world: World) -> None:
    siti, ayu = world.counter("siti"), world.counter("ayu")
    booking_id = world.book(siti, days("2027-03-10", "2027-03-12")).bookings[0].id

    def again(number: int) -> Callable[[], object]:
        last = dt.date(2027, 3, 13 + number % 2)
        return lambda: ayu.changes_of_bookings.reschedule(booking_id, days("2027-03-10", last.isoformat()))

    siti.changes_of_bookings._store = cast(Store, _Meanwhile(siti.store, *map(again, range(99))))
    with pytest.raises(Refusal) as no:
        move(siti, booking_id)
    assert no.value.code is RefusalCode.PRICE_CHANGED
    assert world.claims() == []
    world.assert_sound()
