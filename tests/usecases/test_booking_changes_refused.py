"""Changes that are refused and write nothing: wrong person, state or branch, bad input, a cashier's lock."""

import datetime as dt
from collections.abc import Callable

import pytest

from app.bootstrap import Counter, Installation
from app.domain.booking import TRANSITIONS, Action, BookingState
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.domain.staff import Role
from app.usecases.booking_changes import BookingChanges
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, SKU, World, days, refused
from tests.usecases.change_rig import RATE, active, paid, taken

pytest_plugins = ("tests.support.world_fixtures",)

S = BookingState
CHANGES: dict[Action, Callable[[Counter, str], object]] = {
    Action.RESCHEDULE: lambda who, it: who.changes_of_bookings.reschedule(it, days("2027-05-01", "2027-05-03")),
    Action.SWAP_UNIT: lambda who, it: who.changes_of_bookings.swap_unit(it, AVANZAS[2]),
    Action.REQUEST_EXTENSION: lambda who, it: who.changes_of_bookings.request_extension(it, dt.date(2027, 6, 1)),
    Action.REJECT_EXTENSION: lambda who, it: who.changes_of_bookings.reject_extension(it),
    Action.SHORTEN: lambda who, it: who.changes_of_bookings.shorten(it, dt.date(2027, 3, 1)),
}
IN_SQL: dict[Action, Callable[[Counter, str], object]] = {
    Action.RESCHEDULE: lambda who, it: who.store.transact(
        lambda tx: tx.reschedule(it, days("2027-05-01"), AVANZA, version_of(who, it), Rupiah(0))
    ),
    Action.SWAP_UNIT: lambda who, it: who.store.transact(lambda tx: tx.swap_unit(it, AVANZAS[2])),
    Action.REQUEST_EXTENSION: lambda who, it: who.store.transact(
        lambda tx: tx.request_extension(it, dt.date(2027, 6, 1), version_of(who, it), Rupiah(0))
    ),
    Action.REJECT_EXTENSION: lambda who, it: who.store.transact(lambda tx: tx.reject_extension(it, "")),
    Action.SHORTEN: lambda who, it: who.store.transact(lambda tx: tx.shorten(it, dt.date(2027, 3, 1), "")),
}
"""The same without the use case before it: what the database itself refuses."""

ROLES_OF = {
    action: frozenset().union(*(found.roles for (_, a), found in TRANSITIONS.items() if a is action)) - {Role.SERVICE}
    for action in CHANGES
}


def version_of(who: Counter, booking_id: str) -> int:
    found = who.store.read.change_basis(booking_id)
    assert found is not None
    return found.version


def one_in_each_state(world: World) -> dict[BookingState, str]:
    """A booking of the second unit in each state there is, on days of its own from today on."""
    unit = AVANZAS[1]
    place = Installation(world.settings())
    period = days("2027-03-01", "2027-03-02")

    def next_days() -> None:
        nonlocal period
        period = type(period)(period.first + dt.timedelta(days=4), period.last + dt.timedelta(days=4))

    made: dict[BookingState, str] = {}
    for state, steps in (
        (S.DISPATCHED, [Action.CHECK_OUT]),
        (S.ACTIVE_RENTAL, [Action.CHECK_OUT, Action.HAND_OVER]),
        (S.RETURNED_PENDING_CHECK, [Action.CHECK_OUT, Action.HAND_OVER, Action.CHECK_IN]),
        (S.DISPUTED, [Action.CHECK_OUT, Action.HAND_OVER, Action.CHECK_IN, Action.DISPUTE]),
        (S.COMPLETED, [Action.CHECK_OUT, Action.HAND_OVER, Action.CHECK_IN]),
        (S.PAID_APPROVED, []),
    ):
        made[state] = paid(world, period, unit)
        for action in steps:
            place.move_booking(made[state], action)
        next_days()
    world.do(
        "WITH gone AS (UPDATE sentra.occupancy SET active = false WHERE booking_id = %s AND active)"
        " UPDATE sentra.booking SET state = 'COMPLETED', last_action = 'clear' WHERE id = %s",
        made[S.COMPLETED],
        made[S.COMPLETED],
    )
    ayu = world.counter("ayu")
    made[S.EXTENSION_PENDING] = active(world, period, unit)
    ayu.changes_of_bookings.request_extension(made[S.EXTENSION_PENDING], period.last + dt.timedelta(days=1))
    next_days()
    made[S.PENDING_PAYMENT] = world.book(ayu, period, unit).bookings[0].id
    next_days()
    made[S.CANCELLED] = world.book(ayu, period, unit).bookings[0].id
    ayu.bookings.cancel(made[S.CANCELLED])
    assert set(made) == set(BookingState)
    assert {state: world.state(booking_id) for state, booking_id in made.items()} == {s: s.value for s in made}
    return made


def wanted_refusal(state: BookingState, action: Action, roles: frozenset[Role]) -> RefusalCode | None:
    """What the table says of it; None when it is allowed."""
    if not roles & ROLES_OF[action]:
        return RefusalCode.NOT_ALLOWED
    found = TRANSITIONS.get((state, action))
    if found is None:
        return RefusalCode.BOOKING_STATE
    return None if found.roles & roles else RefusalCode.NOT_ALLOWED


def test_every_change_in_every_state_by_every_role_is_refused_as_the_table_says(world: World) -> None:
    made = one_in_each_state(world)
    before = world.counts()
    tried = 0
    for login in ("ayu", "dedi", "budi", "maya"):
        who = world.counter(login)
        for state, booking_id in made.items():
            for action, change in CHANGES.items():
                wanted = wanted_refusal(state, action, who.who.roles)
                if wanted is None:
                    continue
                with pytest.raises(Refusal) as no:
                    change(who, booking_id)
                assert no.value.code is wanted, (login, state, action, str(no.value))
                tried += 1
    assert tried > 120
    assert world.counts() == before


def test_the_database_alone_refuses_every_change_that_the_table_does_not_have(world: World) -> None:
    made = one_in_each_state(world)
    maya = world.counter("maya")
    before = world.counts()
    for state, booking_id in made.items():
        for action, change in IN_SQL.items():
            if (state, action) not in TRANSITIONS:
                with pytest.raises(Refusal) as no:
                    change(maya, booking_id)
                assert no.value.code is RefusalCode.BOOKING_STATE, (state, action, str(no.value))
                assert (no.value.params["state"], no.value.params["action"]) == (state.value, action.value)
    assert world.counts() == before


def test_a_quote_is_refused_like_the_change_it_is_for(world: World) -> None:
    made = one_in_each_state(world)
    maya, budi = world.counter("maya"), world.counter("budi")
    movable = {S.PENDING_PAYMENT, S.PAID_APPROVED, S.ACTIVE_RENTAL}
    for state, booking_id in made.items():
        found = maya.store.read.change_basis(booking_id)
        assert found is not None
        period = found.standing.period
        longer = type(period)(period.first, period.last + dt.timedelta(days=1))
        if state in movable:
            assert maya.changes_of_bookings.quote_change(booking_id, longer).difference == RATE
        else:
            with pytest.raises(Refusal) as no:
                maya.changes_of_bookings.quote_change(booking_id, longer)
            assert no.value.code is RefusalCode.BOOKING_STATE
        with pytest.raises(Refusal) as no:
            budi.changes_of_bookings.quote_change(booking_id, longer)
        assert no.value.code is RefusalCode.NOT_ALLOWED


def test_another_branchs_booking_is_not_there_for_any_change(world: World) -> None:
    made = one_in_each_state(world)
    before = world.counts()
    for login in ("rahmat", "hasnah"):
        who = world.counter(login)
        for booking_id in made.values():
            for action, change in {**CHANGES, Action.CREATE: _quoted}.items():
                if not who.who.roles & ROLES_OF.get(action, {Role.AGENT}):
                    continue
                with pytest.raises(Refusal) as no:
                    change(who, booking_id)
                refused(no.value, RefusalCode.NOT_FOUND, "booking_id")
        for change in (IN_SQL[Action.SWAP_UNIT], IN_SQL[Action.SHORTEN], IN_SQL[Action.REJECT_EXTENSION]):
            with pytest.raises(Refusal) as no:
                change(who, made[S.ACTIVE_RENTAL])
            refused(no.value, RefusalCode.NOT_FOUND, "booking_id")
    assert world.counts() == before


def _quoted(who: Counter, booking_id: str) -> object:
    return who.changes_of_bookings.quote_change(booking_id, days("2027-05-01"))


Fault = tuple[Callable[[BookingChanges, str], object], str]
PENDING_FAULTS: list[Fault] = [
    (lambda c, it: c.reschedule("nope", days("2027-03-20")), "FIELD_INVALID booking_id not_a_uuid"),
    (lambda c, it: c.reschedule(it, days("2027-02-28", "2027-03-02")), "PERIOD_INVALID first_day past"),
    (lambda c, it: c.reschedule(it, days("2029-03-01")), "PERIOD_INVALID first_day too_far"),
    (lambda c, it: c.reschedule(it, days("2027-03-20"), "a:b"), "FIELD_INVALID unit_id not_a_unit_id"),
    (lambda c, it: c.reschedule(it, days("2027-03-20"), "no-unit"), "NOT_FOUND unit_id None"),
    (lambda c, it: c.reschedule(it, days("2027-03-20"), FAR_AVANZA), "NOT_FOUND unit_id None"),
    (lambda c, it: c.reschedule(it, days("2027-03-20"), AVANZAS[2]), "UNIT_NOT_RENTABLE unit_id status"),
    (lambda c, it: c.reschedule(it, days("2027-03-20", "2027-03-19")), "PERIOD_INVALID last_day reversed"),
    (lambda c, it: c.reschedule(it, days("2027-03-20", "2028-03-19")), "PERIOD_INVALID last_day too_long"),
    (lambda c, it: c.swap_unit(it, "no-unit"), "NOT_FOUND unit_id None"),
    (lambda c, it: c.swap_unit(it, ""), "FIELD_INVALID unit_id not_a_unit_id"),
    (lambda c, it: c.swap_unit(it, FAR_AVANZA), "NOT_FOUND unit_id None"),
    (lambda c, it: c.swap_unit(it, AVANZAS[2]), "UNIT_NOT_RENTABLE unit_id status"),
]  # fmt: skip
ACTIVE_FAULTS: list[Fault] = [
    (lambda c, it: c.request_extension("", dt.date(2027, 3, 20)), "FIELD_INVALID booking_id not_a_uuid"),
    (lambda c, it: c.request_extension(it, dt.date(2027, 3, 12)), "PERIOD_INVALID last_day not_longer"),
    (lambda c, it: c.request_extension(it, dt.date(2027, 3, 11)), "PERIOD_INVALID last_day not_longer"),
    (lambda c, it: c.request_extension(it, dt.date(2028, 3, 9)), "PERIOD_INVALID last_day too_long"),
    (lambda c, it: c.shorten(it, dt.date(2027, 3, 10)), "PERIOD_INVALID last_day past"),
    (lambda c, it: c.shorten(it, dt.date(2027, 3, 9)), "PERIOD_INVALID last_day reversed"),
    (lambda c, it: c.shorten(it, dt.date(2027, 3, 13)), "PERIOD_INVALID last_day not_paid"),
    (lambda c, it: c.shorten(it, dt.date(2027, 3, 11), "x" * 501), "FIELD_INVALID reason too_long"),
    (lambda c, it: c.shorten(it, dt.date(2027, 3, 11), "a\x00"), "FIELD_INVALID reason control_characters"),
    (lambda c, it: c.reject_extension("x"), "FIELD_INVALID booking_id not_a_uuid"),
    (lambda c, it: c.quote_change(it, days("2027-03-11", "2027-03-13")), "PERIOD_INVALID first_day begun"),
    (
        lambda c, it: c.quote_change(it, days("2027-03-10", "2027-03-13"), AVANZAS[1]),
        "PERIOD_INVALID last_day one_change",
    ),
]  # fmt: skip


def test_bad_input_for_a_booking_that_is_not_out_is_refused_naming_the_field(world: World) -> None:
    maya = world.counter("maya")
    world.do("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = %s", AVANZAS[2])
    booking = world.book(maya, days("2027-03-10", "2027-03-12")).bookings[0].id
    _refuse_all(world, maya, booking, PENDING_FAULTS)
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-12")]


def test_bad_input_for_a_rental_that_is_out_is_refused_naming_the_field(world: World) -> None:
    world.after(days=9)
    booking = active(world, days("2027-03-10", "2027-03-12"))
    world.after(days=1)  # the 11th
    _refuse_all(world, world.counter("maya"), booking, ACTIVE_FAULTS)
    assert taken(world, AVANZA) == [("2027-03-10", "2027-03-12")]


def _refuse_all(world: World, maya: Counter, booking: str, faults: list[Fault]) -> None:
    before = world.counts()
    for change, wanted in faults:
        with pytest.raises(Refusal) as no:
            change(maya.changes_of_bookings, booking)
        assert f"{no.value.code.value} {no.value.field} {no.value.params.get('reason')}" == wanted
    assert world.counts() == before


def test_a_rental_past_its_last_day_is_extended_from_then_on_but_not_swapped_or_shortened(world: World) -> None:
    world.after(days=9)
    booking = active(world, days("2027-03-10", "2027-03-12"))
    world.after(days=4)  # the 14th
    maya = world.counter("maya")
    changes: list[Callable[[], object]] = [
        lambda: maya.changes_of_bookings.swap_unit(booking, AVANZAS[1]),
        lambda: maya.changes_of_bookings.request_extension(booking, dt.date(2027, 3, 13)),
        lambda: maya.changes_of_bookings.shorten(booking, dt.date(2027, 3, 11)),
    ]
    for change in changes:
        with pytest.raises(Refusal) as no:
            change()
        assert refused(no.value, RefusalCode.PERIOD_INVALID, "last_day")["reason"] == "past"
    asked = maya.changes_of_bookings.request_extension(booking, dt.date(2027, 3, 15))
    assert asked.difference == 3 * RATE


def test_an_unpaid_booking_past_its_deadline_changes_no_more(world: World) -> None:
    ayu = world.counter("ayu")
    booking = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0].id
    world.after(minutes=15)
    changes: list[Callable[[], object]] = [
        lambda: ayu.changes_of_bookings.reschedule(booking, days("2027-03-20")),
        lambda: ayu.changes_of_bookings.swap_unit(booking, AVANZAS[1]),
        lambda: ayu.changes_of_bookings.quote_change(booking, days("2027-03-20")),
        lambda: IN_SQL[Action.SWAP_UNIT](ayu, booking),
        lambda: IN_SQL[Action.RESCHEDULE](ayu, booking),
    ]
    for change in changes:
        with pytest.raises(Refusal) as no:
            change()
        refused(no.value, RefusalCode.BOOKING_EXPIRED, "booking_id")
    assert world.service().sweeps.expire().done == 1


def test_a_reschedule_is_refused_while_a_cashier_holds_the_invoice_it_would_change(world: World) -> None:
    ayu, budi = world.counter("ayu"), world.counter("budi", "Kasir 2")
    booked = world.book(ayu, days("2027-03-10", "2027-03-12"))
    held = budi.settlement.open_invoice(booked.invoice_id)
    before = world.counts()
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-20"))
    params = refused(no.value, RefusalCode.INVOICE_LOCKED)
    assert (params["holder_name"], params["counter"], params["invoice_id"]) == ("Budi", "Kasir 2", booked.invoice_id)
    assert world.counts() == before
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    ayu.changes_of_bookings.swap_unit(booked.bookings[0].id, AVANZAS[1])  # changes nothing the cashier looks at
    world.open_shift(budi)
    world.settle(budi, booked, held)
    longer = ayu.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-10", "2027-03-13"))
    assert longer.invoice_id is not None
    budi.settlement.open_invoice(longer.invoice_id)
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-10", "2027-03-14"))
    assert refused(no.value, RefusalCode.INVOICE_LOCKED)["invoice_id"] == longer.invoice_id
    world.after(seconds=61)
    ayu.changes_of_bookings.reschedule(booked.bookings[0].id, days("2027-03-10", "2027-03-14"))
    world.catch_up()
    world.assert_sound()


def test_c33_a_booking_is_never_listed_as_its_own_conflict(world: World) -> None:
    ayu = world.counter("ayu")
    mine = world.book(ayu, days("2027-03-10", "2027-03-12")).bookings[0]
    world.book(ayu, days("2027-03-14"), phone="0812 0000 9999", name="Budi Santoso")
    quote = ayu.changes_of_bookings.quote_change(mine.id, days("2027-03-11", "2027-03-14"))
    assert [item.days.first.day for item in quote.blockers] == [14]
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.reschedule(mine.id, days("2027-03-11", "2027-03-14"))
    found = refused(no.value, RefusalCode.DAYS_TAKEN, "first_day")["blockers"]
    assert isinstance(found, list)
    assert mine.number not in [item["number"] for item in found]
    assert (world.value("SELECT count(*) FROM sentra.refused_demand"), found[0]["first_day"].day) == (1, 14)


def test_a_unit_in_maintenance_is_not_handed_out_by_a_swap(world: World) -> None:
    world.after(days=9)
    booking = active(world, days("2027-03-10", "2027-03-12"))
    world.do("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = %s", AVANZAS[1])
    with pytest.raises(Refusal) as no:
        world.counter("dedi").changes_of_bookings.swap_unit(booking, AVANZAS[1])
    assert refused(no.value, RefusalCode.UNIT_NOT_RENTABLE, "unit_id")["status"] == "MAINTENANCE"


def test_a_swap_onto_taken_days_names_who_has_them_and_other_units(world: World) -> None:
    ayu = world.counter("ayu")
    period = days("2027-03-10", "2027-03-12")
    mine = world.book(ayu, period).bookings[0]
    theirs = world.book(ayu, days("2027-03-12", "2027-03-13"), AVANZAS[1], phone="0812 0000 9999").bookings[0]
    quote = ayu.changes_of_bookings.quote_change(mine.id, period, AVANZAS[1])
    assert [item.booking_id for item in quote.blockers] == [theirs.id]
    with pytest.raises(Refusal) as no:
        ayu.changes_of_bookings.swap_unit(mine.id, AVANZAS[1])
    params = refused(no.value, RefusalCode.DAYS_TAKEN, "unit_id")
    assert (params["unit_id"], params["sku"]) == (AVANZAS[1], SKU)
    assert [(item.action, item.params["unit_id"]) for item in no.value.next] == [("swap_unit", AVANZAS[2])]
    assert world.bits(AVANZAS[1], "202703") == [12, 13]
    world.assert_sound()
