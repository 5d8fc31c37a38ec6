"""A booking from the command line to the bits, to the second counter, to its deadline; every step by a real process."""

import datetime as dt
import json
import os
import signal
from typing import Any

import pytest

from app.domain.days import YearMonth
from tests.journeys.place import AVANZA, LISTENER, SKU, Place, order
from tests.support.processes import Processes, RunningProcess
from tests.support.waiting import eventually


def day(month: YearMonth, number: int) -> dt.date:
    return month.first_day.replace(day=number)


def test_serve_prints_the_demo_branch_with_a_free_avanza_and_a_full_sku(place: Place) -> None:
    assert set(place.line) >= {"database_url", "redis_url", "service_url", "data_dir", "branch", "staff"}
    assert place.line["branch"] == "JKT"
    people = {(person["login"], person["branch"], *person["roles"]) for person in place.line["staff"]}
    assert people == {
        ("ayu", "JKT", "agent"),
        ("siti", "JKT", "agent", "cashier"),
        ("dedi", "JKT", "inspector"),
        ("budi", "JKT", "cashier"),
        ("maya", "JKT", "manager"),
        ("rahmat", "MKS", "agent", "cashier"),
    }
    full = place.rows(
        """SELECT u.sku_id, extract(day FROM d.day)::int
           FROM sentra.unit AS u CROSS JOIN generate_series(%s::date, %s::date, '1 day') AS d (day)
           LEFT JOIN sentra.occupancy AS o ON o.unit_id = u.id AND o.active AND o.days @> d.day::date
           WHERE u.branch_id = 'JKT' GROUP BY u.sku_id, d.day HAVING count(*) = count(o.id)""",
        place.next_month().first_day,
        place.next_month().last_day,
    )
    assert {sku for sku, _ in full} == {"TOY-INVZ-H"}
    assert {24, 25, 26} <= {number for _, number in full}
    for login in ("ayu", "rahmat"):
        assert place.do("who_am_i", login).json["result"]["login"] == login


def test_a_booking_sets_its_bits_and_rows_and_a_second_counter_sees_it_and_is_refused(
    place: Place, processes: Processes
) -> None:
    month = place.next_month()
    first, last = day(month, 25), day(month, 27)
    assert place.value(
        "SELECT count(*) FROM sentra.occupancy WHERE unit_id = %s AND active AND days && daterange(%s, %s)",
        AVANZA, place.today(), place.today() + dt.timedelta(days=90),
    ) == 0  # fmt: skip
    listener = place.person(processes, LISTENER, "siti", "Kasir 2")
    assert listener.json_line() == {"hears": True}
    booked = place.do("book", "ayu", order(AVANZA, first, last))
    assert booked.code == 0
    result = booked.json["result"]

    hint = _next_with(listener, "days")
    assert hint["sku"] == SKU
    assert {str(first), str(last)} <= set(hint["days"])
    told = _next_with(listener, "what")
    assert (told["what"], told["by"]) == ("booking", "ayu")

    assert [place.getbit(AVANZA, month, bit) for bit in (23, 24, 25, 26, 27)] == [0, 1, 1, 1, 0]
    assert [place.packed_bit(AVANZA, month, bit) for bit in (23, 24, 25, 26, 27)] == [0, 1, 1, 1, 0]
    assert place.rows(
        "SELECT state, unit_id, first_day, last_day, payment_deadline - created_at"
        " FROM sentra.booking WHERE order_id = %s",
        result["order_id"],
    ) == [("PENDING_PAYMENT", AVANZA, first, last, dt.timedelta(minutes=15))]
    booking = result["bookings"][0]["id"]
    assert place.value("SELECT count(*) FROM sentra.occupancy WHERE booking_id = %s AND active", booking) == 1
    assert place.rows("SELECT id::text, state FROM sentra.invoice WHERE order_id = %s", result["order_id"]) == [
        (result["invoice_id"], "OPEN")
    ]

    again = place.do("book", "siti", order(AVANZA, day(month, 24), day(month, 25), "0813 1111 2222"), counter="Kasir 2")
    assert again.code == 1
    refusal = again.json["refusal"]
    (blocker,) = refusal["params"]["blockers"]
    assert (refusal["code"], blocker["customer"], blocker["number"], blocker["by"]) == (
        "DAYS_TAKEN", "Rina M", result["bookings"][0]["number"], "Ayu",
    )  # fmt: skip
    offered = [item["action"] for item in refusal["next"]]
    assert offered[:2] == ["use_unit", "use_unit"]
    assert "use_dates" in offered


def _next_with(listener: RunningProcess, key: str) -> dict[str, Any]:
    """The next thing it heard that has this field; a counter sees a change within two seconds."""
    while True:
        heard: dict[str, Any] = json.loads(listener.line(within=10))
        if key in heard:
            return heard


def test_a_booking_over_a_month_end_sets_both_keys(place: Place) -> None:
    month = place.next_month().next()
    first, last = month.last_day, month.next().first_day + dt.timedelta(days=1)
    assert place.do("book", "ayu", order(AVANZA, first, last)).code == 0
    assert place.bits(AVANZA, month)[-1:] == [month.day_count]
    assert place.bits(AVANZA, month.next())[:2] == [1, 2]


@pytest.mark.parametrize("service", ["running", "down"])
def test_c50_a_hold_whose_counter_was_killed_is_free_at_its_deadline_also_when_the_service_was_down(
    place: Place, processes: Processes, service: str
) -> None:
    month = place.next_month().shifted(2)
    first = day(month, 5 if service == "running" else 15)
    hold = """
counter = connected()
say(book(counter, *arguments).bookings[0].id)
sys.stdin.read()
"""
    client = place.person(processes, hold, "siti", "Kasir 3", AVANZA, str(first), str(first), "081255550001")
    booking = json.loads(client.line())
    client.kill()
    assert place.getbit(AVANZA, month, first.day - 1) == 1
    listener = place.person(processes, LISTENER, "ayu", "Kasir 2")
    listener.json_line()
    if service == "down":
        pid = place.server_pid("app.service.main")
        os.kill(pid, signal.SIGSTOP)
    place.after(minutes=14, seconds=55)
    assert place.value("SELECT state FROM sentra.booking WHERE id = %s", booking) == "PENDING_PAYMENT"
    place.after(seconds=5 if service == "running" else 20 * 60)
    if service == "down":
        assert place.value("SELECT state FROM sentra.booking WHERE id = %s", booking) == "PENDING_PAYMENT"
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: place.value("SELECT state FROM sentra.booking WHERE id = %s", booking) == "CANCELLED", within=20)
    heard = _next_with(listener, "days")
    assert str(first) not in heard["days"]
    assert place.getbit(AVANZA, month, first.day - 1) == place.packed_bit(AVANZA, month, first.day - 1) == 0
    free = place.do("free_units", "ayu", {"sku": SKU, "first_day": str(first), "last_day": str(first)}).json["result"]
    assert AVANZA in [unit["unit_id"] for unit in free]
