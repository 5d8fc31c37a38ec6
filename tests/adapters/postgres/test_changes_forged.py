"""Changes of a booking as psql may ask for them: what is missing or forged is refused by its field, nothing is written.

And what the guards say of rows that no change leaves behind.
"""

import datetime as dt
import json
import uuid
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.owner_steps import move_booking
from app.domain.booking import Action
from app.domain.days import RentalPeriod
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from tests.adapters.postgres.write_rig import WriteRig

RIGHT = {"version": 1, "difference": 0}


def march(day: int) -> dt.date:
    """The first is day 1; days before and behind the month count on."""
    return dt.date(2027, 3, 1) + dt.timedelta(days=day - 1)


def refusal(rig: WriteRig, statement: str, *values: object, login: str = "rina") -> tuple[str | None, Any]:
    """Code and field of the "no"; insists that nothing was written."""
    before = rig.rows("SELECT * FROM sentra.audit"), rig.rows("SELECT * FROM sentra.occupancy")
    with rig.psql(login) as mine, pytest.raises(psycopg.Error) as refused:
        mine.execute(statement.encode(), values)
    assert refused.value.sqlstate == "SR001", refused.value
    assert (rig.rows("SELECT * FROM sentra.audit"), rig.rows("SELECT * FROM sentra.occupancy")) == before
    return refused.value.diag.message_primary, json.loads(refused.value.diag.message_detail or "{}").get("field")


def out(rig: WriteRig, first: int = 1, last: int = 3, unit: str = "AVZ-01") -> str:
    """A rental that is out; its booking's id."""
    booked = rig.book(unit, first=march(first), last=march(last))
    rig.open_shift()
    rig.pay(booked)
    booking = booked.bookings[0].id
    for action in (Action.CHECK_OUT, Action.HAND_OVER):
        move_booking(rig.database.owner_url, booking, action)
    return booking


RESCHEDULE = "SELECT sentra.reschedule_booking(%s::uuid, %s::date, %s::date, %s::text, %s::jsonb)"
EXTEND = "SELECT sentra.request_extension(%s::uuid, %s::date, %s::jsonb)"
REJECT = "SELECT sentra.reject_extension(%s::uuid, %s, false)"
SHORTEN = "SELECT sentra.shorten_booking(%s::uuid, %s::date, %s)"
SWAP = "SELECT sentra.swap_unit(%s::uuid, %s)"


def test_a_reschedule_with_something_missing_or_forged_is_refused_by_its_field(rig: WriteRig) -> None:
    booking = rig.book("AVZ-01", first=march(10), last=march(12)).bookings[0].id
    right = json.dumps(RIGHT)
    for values, wanted in [
        ((None, march(11), march(13), None, right), ("FIELD_INVALID", "booking_id")),
        ((str(uuid.uuid4()), march(11), march(13), None, right), ("NOT_FOUND", "booking_id")),
        ((booking, None, march(13), None, right), ("FIELD_INVALID", "first_day")),
        ((booking, march(11), None, None, right), ("FIELD_INVALID", "last_day")),
        ((booking, march(13), march(11), None, right), ("PERIOD_INVALID", "last_day")),
        ((booking, march(11), march(11 + 365), None, right), ("PERIOD_INVALID", "last_day")),
        ((booking, march(0), march(3), None, right), ("PERIOD_INVALID", "first_day")),
        ((booking, march(1 + 731), march(1 + 731), None, right), ("PERIOD_INVALID", "first_day")),
        ((booking, "infinity", "infinity", None, right), ("PERIOD_INVALID", "first_day")),
        ((booking, march(11), "infinity", None, right), ("FIELD_INVALID", "last_day")),
        ((booking, march(11), march(13), "NO-01", right), ("NOT_FOUND", "unit_id")),
        ((booking, march(11), march(13), "AVZ-91", right), ("NOT_FOUND", "unit_id")),
        ((booking, march(11), march(13), None, None), ("FIELD_INVALID", "expected")),
        ((booking, march(11), march(13), None, "[]"), ("FIELD_INVALID", "expected")),
        ((booking, march(11), march(13), None, '{"version": 1}'), ("FIELD_INVALID", "expected.difference")),
        ((booking, march(11), march(13), None, '{"version": "1"}'), ("FIELD_INVALID", "expected.version")),
        ((booking, march(11), march(14), None, right), ("PRICE_CHANGED", None)),
        ((booking, march(11), march(14), None, '{"version": 1, "difference": -300000}'), ("PRICE_CHANGED", None)),
    ]:  # fmt: skip
        assert refusal(rig, RESCHEDULE, *values) == wanted, values
    rig.insist_on_invariants()


def test_an_extension_with_something_missing_or_forged_is_refused_by_its_field(rig: WriteRig) -> None:
    booking = out(rig)
    version = rig.value("SELECT version FROM sentra.booking WHERE id = %s", booking)
    right = json.dumps({"version": version, "difference": 0})
    for values, wanted in [
        ((None, march(5), right), ("FIELD_INVALID", "booking_id")),
        ((booking, None, right), ("FIELD_INVALID", "last_day")),
        ((booking, march(3), right), ("PERIOD_INVALID", "last_day")),
        ((booking, march(366), right), ("PERIOD_INVALID", "last_day")),
        ((booking, "infinity", right), ("FIELD_INVALID", "last_day")),
        ((booking, march(5), "{}"), ("FIELD_INVALID", "expected.version")),
        ((booking, march(5), right), ("PRICE_CHANGED", None)),
    ]:
        assert refusal(rig, EXTEND, *values) == wanted, values
    for statement, rest, wanted in [
        (REJECT, (None, ""), ("FIELD_INVALID", "booking_id")),
        (REJECT, (booking, None), ("FIELD_INVALID", "reason")),
        (REJECT, (booking, "a\x01"), ("FIELD_INVALID", "reason")),
        (REJECT, (booking, ""), ("BOOKING_STATE", "booking_id")),
        (SHORTEN, (None, march(2), ""), ("FIELD_INVALID", "booking_id")),
        (SHORTEN, (booking, None, ""), ("FIELD_INVALID", "last_day")),
        (SHORTEN, (booking, march(2), None), ("FIELD_INVALID", "reason")),
        (SHORTEN, (booking, march(2), "x" * 501), ("FIELD_INVALID", "reason")),
        (SHORTEN, (booking, march(4), ""), ("PERIOD_INVALID", "last_day")),
        (SHORTEN, (booking, march(0), ""), ("PERIOD_INVALID", "last_day")),
    ]:
        assert refusal(rig, statement, *rest) == wanted, rest
    assert refusal(rig, SWAP, None, "AVZ-02", login="gilang") == ("FIELD_INVALID", "booking_id")
    assert refusal(rig, SWAP, booking, None, login="gilang") == ("FIELD_INVALID", "unit_id")
    assert refusal(rig, SWAP, booking, "AVZ-91", login="gilang") == ("NOT_FOUND", "unit_id")
    assert refusal(rig, SWAP, booking, "AVZ-02") == ("NOT_ALLOWED", None)
    rig.insist_on_invariants()


def test_a_change_that_was_priced_of_an_older_version_is_not_made(rig: WriteRig) -> None:
    booking = rig.book("AVZ-01", first=march(10), last=march(12)).bookings[0].id
    store = rig.new_store("rina")
    with pytest.raises(Refusal) as no:
        store.transact(lambda tx: tx.reschedule(booking, RentalPeriod(march(11), march(13)), "AVZ-01", 7, Rupiah(0)))
    assert (no.value.code, no.value.params["version"]) == (RefusalCode.PRICE_CHANGED, 1)
    assert rig.taken("AVZ-01") == [(march(10), march(12))]


def test_nobody_reads_another_branchs_booking_through_the_basis_of_a_change(rig: WriteRig) -> None:
    booking = rig.book("AVZ-01", first=march(10), last=march(12)).bookings[0].id
    with rig.psql("rina") as mine:
        told = mine.execute("SELECT sentra.change_basis(%s)", (booking,)).fetchone()
    assert told is not None
    assert (told[0]["daily_rate"], told[0]["papers"][0]["is_open"]) == (300_000, True)
    with rig.psql("hesti") as theirs:
        assert theirs.execute("SELECT sentra.change_basis(%s)", (booking,)).fetchone() == (None,)


@pytest.mark.parametrize(
    "days",
    [
        "daterange('2027-03-01', '2027-03-03')",
        "daterange('2027-03-01', '2027-03-05')",
        "daterange('2027-03-02', '2027-03-04')",
    ],
)
def test_a_rental_that_is_out_holds_exactly_its_days_whoever_writes(rig: WriteRig, days: str) -> None:
    booking = out(rig)
    with pytest.raises(psycopg.errors.CheckViolation):
        rig.owner.execute(f"UPDATE sentra.occupancy SET days = {days} WHERE booking_id = %s".encode(), (booking,))
    with rig.owner.transaction():
        rig.owner.execute("SET LOCAL session_replication_role = replica")
        rig.owner.execute(f"UPDATE sentra.occupancy SET days = {days} WHERE booking_id = %s".encode(), (booking,))
    assert "I3" in [item.invariant for item in rig.store("jaga").read.breaks()]


def test_an_extension_must_hold_more_days_than_the_rental_has_and_its_deadline_is_watched(rig: WriteRig) -> None:
    booking = out(rig)
    with pytest.raises(psycopg.errors.CheckViolation):
        rig.owner.execute(
            "UPDATE sentra.booking SET state = 'EXTENSION_PENDING', last_action = 'request_extension',"
            " payment_deadline = sentra.now() WHERE id = %s",
            (booking,),
        )
    version = rig.value("SELECT version FROM sentra.booking WHERE id = %s", booking)
    store = rig.store("rina")
    store.transact(lambda tx: tx.request_extension(booking, march(4), version, Rupiah(300_000)))
    rig.insist_on_invariants()
    rig.minutes_pass(15.6)
    assert "I6" in [item.invariant for item in rig.store("jaga").read.breaks()]
    (back,) = rig.expire()
    assert (back.booking_id, back.state.value) == (booking, "ACTIVE_RENTAL")
    rig.insist_on_invariants()


def test_two_services_take_an_extension_back_once(rig: WriteRig) -> None:
    booking = out(rig)
    version = rig.value("SELECT version FROM sentra.booking WHERE id = %s", booking)
    rig.store("rina").transact(lambda tx: tx.request_extension(booking, march(4), version, Rupiah(300_000)))
    rig.minutes_pass(16)
    one, two = rig.new_store("jaga"), rig.new_store("jaga")
    order = rig.value("SELECT order_id FROM sentra.booking WHERE id = %s", booking)
    found = [store.transact(lambda tx: tx.expire_order(str(order))) for store in (one, two)]
    assert [len(item) for item in found] == [1, 0]
    assert rig.value("SELECT count(*) FROM sentra.freed_stretch") == 1
