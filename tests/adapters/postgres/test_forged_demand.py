"""Waitlist, maintenance, holidays and refused wishes as psql may send them: what is wrong is refused by its field, and
nothing is written."""

import datetime as dt
import json
import uuid
from typing import Any

import psycopg
import pytest

from tests.adapters.postgres.write_rig import WriteRig, march

Wanted = dict[str, Any]
TABLES = ("waitlist_entry", "maintenance", "occupancy", "customer", "refused_demand", "holiday", "audit", "outbox")
NEVER: tuple[object, ...] = (None, [], {}, True, 7.5, "\u202e")
"""Values that no field of these may have, besides its own."""

ENTRY: Wanted = {
    "id": str(uuid.UUID(int=1)),
    "customer_id": None,
    "new_customer": {"id": str(uuid.UUID(int=2)), "name": "Sari Dewi", "phone": "+6281234567890"},
    "sku_id": "AVZ",
    "first_day": "2027-03-10",
    "last_day": "2027-03-12",
    "counter": "K1",
}
BLOCK: Wanted = {
    "id": str(uuid.UUID(int=3)),
    "unit_id": "AVZ-01",
    "first_day": "2027-03-10",
    "last_day": "2027-03-12",
    "reason": "Servis",
    "breakdown": False,
    "counter": "K1",
}
WISH: Wanted = {
    "order_id": str(uuid.UUID(int=4)),
    "sku_id": "AVZ",
    "unit_id": "AVZ-01",
    "first_day": "2027-03-10",
    "last_day": "2027-03-12",
    "code": "DAYS_TAKEN",
    "counter": "K1",
}
RIGHT = {"join_waitlist": ENTRY, "block_unit": BLOCK, "record_refusal": WISH}


def send(rig: WriteRig, function: str, wanted: object, login: str = "mega") -> Any:
    with rig.psql(login) as mine:
        row = mine.execute(f"SELECT sentra.{function}(%s)".encode(), (json.dumps(wanted),)).fetchone()
    assert row is not None
    return row[0]


def counts(rig: WriteRig) -> list[Any]:
    return [rig.value(f"SELECT count(*) FROM sentra.{table}") for table in TABLES]


def refusal(rig: WriteRig, function: str, wanted: object, login: str = "mega") -> tuple[str | None, str | None]:
    """Code and field of the "no"; insists that nothing was written."""
    before = counts(rig)
    with pytest.raises(psycopg.Error) as refused:
        send(rig, function, wanted, login)
    assert refused.value.sqlstate == "SR001", refused.value
    assert counts(rig) == before
    return refused.value.diag.message_primary, json.loads(refused.value.diag.message_detail or "{}").get("field")


@pytest.mark.parametrize("function", RIGHT)
def test_what_the_tests_spoil_is_right(rig: WriteRig, function: str) -> None:
    assert send(rig, function, RIGHT[function])
    rig.insist_on_invariants()


@pytest.mark.parametrize("function", RIGHT)
def test_a_field_that_is_missing_or_of_another_type_is_refused_by_its_name(rig: WriteRig, function: str) -> None:
    for field, right in RIGHT[function].items():
        may_be_absent = field in {"customer_id", "unit_id"} and function != "block_unit"
        for wrong in NEVER:
            if wrong is right or (wrong is None and (may_be_absent or field == "new_customer")):
                continue
            if field == "new_customer" and wrong == {}:
                continue  # an object: what it lacks is asked for below
            spoilt = {**RIGHT[function], field: wrong}
            if wrong is True and field == "breakdown":
                continue
            code, named = refusal(rig, function, spoilt)
            assert named == field or (code, wrong) == ("NOT_FOUND", "\u202e"), (field, wrong, code, named)
    no_objects: tuple[object, ...] = (None, [], "x", 7)
    for nothing in no_objects:
        assert refusal(rig, function, nothing)[0] == "FIELD_INVALID"


@pytest.mark.parametrize("function", RIGHT)
def test_a_day_that_is_none_is_refused(rig: WriteRig, function: str) -> None:
    for day in ("2027-02-31", "31-03-2027", "infinity", "", "20270310", "9999-12-31", "2027-W10-1"):
        for field in ("first_day", "last_day"):
            assert refusal(rig, function, {**RIGHT[function], field: day}) == ("FIELD_INVALID", field), day


PERIODS = {
    "past": ("2027-02-28", "2027-03-02", "first_day"),
    "far": ("2029-03-01", "2029-03-01", "first_day"),
    "reversed": ("2027-03-12", "2027-03-10", "last_day"),
    "too-long": ("2027-03-10", "2028-04-13", "last_day"),  # 401 days
}


@pytest.mark.parametrize("function", ["join_waitlist", "block_unit"])
def test_days_that_are_past_too_far_reversed_or_too_many_are_refused(rig: WriteRig, function: str) -> None:
    for case, (first, last, field) in PERIODS.items():
        wanted = {**RIGHT[function], "first_day": first, "last_day": last}
        assert refusal(rig, function, wanted) == ("PERIOD_INVALID", field), case


def test_a_wish_whose_days_are_reversed_or_too_many_is_not_recorded(rig: WriteRig) -> None:
    for first, last in (("2027-03-12", "2027-03-10"), ("2027-03-10", "2028-03-09"), ("2027-03-10", "2028-04-13")):
        wish = {**WISH, "first_day": first, "last_day": last}
        assert refusal(rig, "record_refusal", wish) == ("PERIOD_INVALID", "last_day"), last


def test_a_wish_for_days_that_nobody_may_book_any_more_or_yet_is_not_recorded(rig: WriteRig) -> None:
    today = rig.value("SELECT sentra.today_of('JKT')")
    for ago in (1, 400, 3000, -731):
        day = (today - dt.timedelta(days=ago)).isoformat()
        wish = {**WISH, "first_day": day, "last_day": day}
        assert refusal(rig, "record_refusal", wish) == ("PERIOD_INVALID", "first_day"), day
    for ahead in (0, 730):
        day = (today + dt.timedelta(days=ahead)).isoformat()
        assert send(rig, "record_refusal", {**WISH, "first_day": day, "last_day": day}) is True


def test_a_place_is_of_at_most_365_days_and_a_block_of_400(rig: WriteRig) -> None:
    days = {"first_day": "2027-03-10", "last_day": "2028-03-09"}  # 366: a leap year
    assert refusal(rig, "join_waitlist", {**ENTRY, **days}) == ("PERIOD_INVALID", "last_day")
    assert send(rig, "block_unit", {**BLOCK, "last_day": "2028-04-12"})["row"]["last_day"] == "2028-04-12"


BAD_CUSTOMERS = {
    "name": ("", "a" * 81, "Sari\u0007Dewi", "Sari \u202eDewi", "😀😀"),
    "phone": ("081234567890", "+62", "+62 812"),
    "id": ("x",),
}


def test_a_typed_customer_is_checked_as_with_a_booking(rig: WriteRig) -> None:
    for field, values in BAD_CUSTOMERS.items():
        typed = ENTRY["new_customer"]
        without = {name: item for name, item in typed.items() if name != field}
        for spoilt in (without, *({**typed, field: value} for value in values)):
            no = refusal(rig, "join_waitlist", {**ENTRY, "new_customer": spoilt})
            assert no == ("FIELD_INVALID", f"customer.{field}"), spoilt


def test_a_reason_that_does_not_show_is_refused(rig: WriteRig) -> None:
    for reason in ("", "a" * 201, "Servis\nbesok", "\u200b", "🔧", "Servis \u202e"):
        assert refusal(rig, "block_unit", {**BLOCK, "reason": reason}) == ("FIELD_INVALID", "reason"), reason


def test_nobody_blocks_a_unit_of_another_branch_or_ends_a_block_there(rig: WriteRig) -> None:
    assert refusal(rig, "block_unit", BLOCK, "hesti") == ("NOT_FOUND", "unit_id")
    send(rig, "block_unit", BLOCK)
    for login in ("hesti", "tono"):
        with rig.psql(login) as theirs, pytest.raises(psycopg.Error) as refused:
            theirs.execute("SELECT sentra.end_block(%s, NULL, 'K1')", (BLOCK["id"],))
        assert refused.value.diag.message_primary == "NOT_FOUND"
    assert rig.taken("AVZ-01") == [(march(10), march(12))]


ARGUMENTS = (
    ("SELECT sentra.end_block(NULL, NULL, 'K1')", "block_id"),
    ("SELECT sentra.end_block(gen_random_uuid(), NULL, NULL)", "counter"),
    ("SELECT sentra.end_block(gen_random_uuid(), NULL, 'K1')", "block_id"),
    ("SELECT sentra.withdraw_waitlist(NULL, 'K1')", "entry_id"),
    ("SELECT sentra.withdraw_waitlist(gen_random_uuid(), 'K1')", "entry_id"),
    ("SELECT sentra.withdraw_waitlist(gen_random_uuid(), '')", "counter"),
    ("SELECT sentra.edit_holiday(NULL, 'Libur', 'K1')", "day"),
    ("SELECT sentra.edit_holiday('infinity', 'Libur', 'K1')", "day"),
    ("SELECT sentra.edit_holiday('2027-03-10', '', 'K1')", "name"),
    ("SELECT sentra.edit_holiday('2027-03-10', repeat('a', 81), 'K1')", "name"),
    ("SELECT sentra.edit_holiday('2027-03-10', 'Libur', NULL)", "counter"),
)


def test_a_null_or_senseless_argument_is_refused_by_its_name(rig: WriteRig) -> None:
    before = counts(rig)
    for statement, field in ARGUMENTS:
        with rig.psql("mega") as mine, pytest.raises(psycopg.Error) as refused:
            mine.execute(statement.encode())
        assert refused.value.sqlstate == "SR001", refused.value
        assert json.loads(refused.value.diag.message_detail or "{}").get("field") == field, statement
    assert counts(rig) == before


def test_a_block_is_not_ended_on_a_day_outside_it(rig: WriteRig) -> None:
    send(rig, "block_unit", BLOCK)
    for last_day in ("2027-02-28", "2027-03-09", "2027-03-13", "infinity"):
        with rig.psql("mega") as mine, pytest.raises(psycopg.Error) as refused:
            mine.execute("SELECT sentra.end_block(%s, %s, 'K1')", (BLOCK["id"], last_day))
        assert refused.value.diag.message_primary == "PERIOD_INVALID", last_day
    assert rig.taken("AVZ-01") == [(march(10), march(12))]


def test_the_maintenance_that_was_recorded_before_ends_like_any_other(rig: WriteRig) -> None:
    """Rows of the main job have no counter, and nobody who ended them."""
    rig.owner.execute(
        "INSERT INTO sentra.maintenance (id, unit_id, branch_id, days, state) VALUES (%s, 'AVZ-01', 'JKT',"
        " '[2027-03-01,2027-03-06)', 'RUNNING')",
        (BLOCK["id"],),
    )
    rig.owner.execute(
        "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, maintenance_id)"
        " VALUES ('AVZ-01', 'AVZ', 'JKT', '[2027-03-01,2027-03-06)', 'MAINTENANCE', %s)",
        (BLOCK["id"],),
    )
    with rig.psql("gilang") as inspector:
        row = inspector.execute("SELECT sentra.end_block(%s, NULL, 'K1')", (BLOCK["id"],)).fetchone()
    assert row is not None
    assert row[0]["row"]["state"] == "FINISHED"
    assert rig.taken("AVZ-01") == []
    assert rig.rows("SELECT lower(days), upper(days) - 1 FROM sentra.freed_stretch") == [(march(1), march(5))]
    rig.insist_on_invariants()


def test_a_booking_that_moves_inside_a_breakdown_keeps_its_new_days_and_leaves_the_old_ones_blocked(
    rig: WriteRig,
) -> None:
    """As a change does it: the row moves in one statement, the block follows at COMMIT."""
    booked = rig.book("AVZ-01", first=march(8), last=march(9))
    send(rig, "block_unit", {**BLOCK, "breakdown": True, "first_day": "2027-03-05", "last_day": "2027-03-12"})
    with psycopg.connect(rig.database.owner_url) as owner:
        owner.execute(
            "UPDATE sentra.booking SET first_day = %s, last_day = %s, last_action = 'reschedule' WHERE id = %s",
            (march(20), march(21), booked.bookings[0].id),
        )
        owner.execute(
            "UPDATE sentra.occupancy SET days = %s WHERE booking_id = %s",
            ("[2027-03-20,2027-03-22)", booked.bookings[0].id),
        )
    assert rig.taken("AVZ-01") == [
        (march(5), march(7)),
        (march(8), march(9)),
        (march(10), march(12)),
        (march(20), march(21)),
    ]


def test_the_position_of_an_entry_is_the_same_for_who_joins_and_who_looks(rig: WriteRig) -> None:
    for number in range(3):
        new = {"id": str(uuid.UUID(int=50 + number)), "name": f"Contoh {number}x", "phone": f"+62812345678{number:02}"}
        wanted = {**ENTRY, "id": str(uuid.UUID(int=60 + number)), "new_customer": new}
        told = send(rig, "join_waitlist", wanted, "rina")
        (mine,) = [row for row in rig.store("rina").read.waitlist("JKT", None) if row.id == told["id"]]
        assert mine.position == told["position"] == number + 1
        rig.minutes_pass(1)
    assert rig.value("SELECT max(joined_at) - min(joined_at) FROM sentra.waitlist_entry") == dt.timedelta(minutes=2)
