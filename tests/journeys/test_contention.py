"""Many processes at one unit, an index that vanishes under load: nothing sold twice, nothing booked shown free."""

import json

from app.domain.days import YearMonth
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from tests.journeys.place import CROWD, SKU, Place, order
from tests.support.processes import Processes
from tests.support.waiting import eventually
from tests.support.world import days

UNIT = "uuid-avanza-002"


def month_of(place: Place, ahead: int) -> YearMonth:
    return place.next_month().shifted(ahead)


def test_c01_of_twenty_processes_at_one_unit_one_wins_and_nineteen_are_refused(
    place: Place, processes: Processes
) -> None:
    month = month_of(place, 3)
    first, last = month.first_day.replace(day=10), month.first_day.replace(day=12)
    crowd = place.person(processes, CROWD, "ayu", "Kasir", UNIT, str(first), str(last), "20")
    answers = json.loads(crowd.line(within=60))
    won = [answer["result"] for answer in answers if answer["ok"]]
    lost = [answer["refusal"] for answer in answers if not answer["ok"]]
    assert (len(won), len(lost)) == (1, 19)
    assert {no["code"] for no in lost} == {"DAYS_TAKEN"}
    assert {no["params"]["blockers"][0]["number"] for no in lost} == {won[0]["bookings"][0]["number"]}
    assert place.bits(UNIT, month) == [10, 11, 12]
    with place.redis() as client:
        assert client.zcard("aidx:claims") == 0
        assert not list(client.scan_iter("lock:*"))


LOAD = """
import random
counter = connected()
random.seed(arguments[0])
first = parse_day(arguments[1], "first")
say({"ready": True})
import datetime as dt, threading
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
mine, wrong, refused = {}, [], 0
while not stop.is_set():
    start = first + dt.timedelta(days=random.randrange(27))
    unit = random.choice(["uuid-avanza-004", "uuid-avanza-005", "uuid-avanza-006"])
    days = [start + dt.timedelta(days=n) for n in range(random.randrange(1, 3))]
    if mine and random.random() < 0.3:
        booking, *_ = mine.pop(random.choice(list(mine)))
        counter.bookings.cancel(booking)
        continue
    answer = attempt(lambda: book(counter, unit, str(days[0]), str(days[-1]), "081266660000"))
    if answer["ok"]:
        booking = answer["result"].bookings[0].id
        mine[booking] = (booking, unit, days)
        # What this very process has booked and not cancelled is never shown free by any reading of it.
        window = Days(first, first + dt.timedelta(days=40))
        view = counter.calendar.calendar(window)
        units = {item.unit.id: item for item in view.fleet}
        for _, held, held_days in mine.values():
            wrong += [f"{held} {day}" for day in held_days if not view.masks.is_taken(units[held], day)]
        free = {item.unit.id for item in counter.calendar.free_units("TOY-AVNZ-G", RentalPeriod(days[0], days[-1]))}
        wrong += [f"offered {unit} {days}"] if unit in free else []
    else:
        refused += 1
        assert answer["refusal"]["code"] == "DAYS_TAKEN", answer
say({"booked": len(mine), "refused": refused, "wrong": wrong, "mine": list(mine)})
"""


def test_a_flush_under_load_shows_and_sells_no_booked_day_and_is_whole_again_in_seconds(
    place: Place, processes: Processes
) -> None:
    first = month_of(place, 6).first_day
    desks = [place.person(processes, LOAD, "ayu", f"Kasir {n}", str(n), str(first)) for n in range(4)]
    for desk in desks:
        desk.json_line(within=60)
    booked = "SELECT count(*) FROM sentra.booking WHERE unit_id = ANY (%s) AND first_day >= %s"
    units = ["uuid-avanza-004", "uuid-avanza-005", "uuid-avanza-006"]
    for round_number in range(1, 4):
        eventually(lambda n=round_number: place.value(booked, units, first) >= 25 * n, within=30)  # type: ignore[misc]
        with place.redis() as client:
            client.flushall()
    eventually(lambda: place.value(booked, units, first) >= 100, within=30)
    for desk in desks:
        desk.end_input()
    found = [desk.json_line(within=30) for desk in desks]
    assert [desk["wrong"] for desk in found] == [[], [], [], []]
    kept = {booking for desk in found for booking in desk["mine"]}
    alive = place.rows(
        "SELECT id::text FROM sentra.booking"
        " WHERE unit_id = ANY (%s) AND first_day >= %s AND state = 'PENDING_PAYMENT'",
        units,
        first,
    )
    assert {booking for (booking,) in alive} == kept, "every acknowledged booking is there, every cancelled one is not"
    eventually(place.is_whole, within=10, every=0.5, what="the index is whole again")


def test_with_redis_killed_booking_and_settling_go_on_and_the_index_comes_back_whole(place: Place) -> None:
    month = month_of(place, 8)
    before = place.server_pid("redis-server")
    place.kill("redis-server")
    siti = place.counter("siti", "Kasir 4")
    try:
        booked = place.do("book", "siti", order("uuid-avanza-007", month.first_day, month.first_day))
        assert booked.code == 0
        invoice = booked.json["result"]["invoice_id"]
        again = place.do("book", "ayu", order("uuid-avanza-007", month.first_day, month.first_day, "0813 1111 2222"))
        assert again.json["refusal"]["code"] == "DAYS_TAKEN"
        held = siti.settlement.open_invoice(invoice)
        assert held.remaining_ms > 0
        if siti.shifts.current_shift() is None:
            siti.shifts.open_shift("Laci redis", Rupiah(0))
        tender = Tender(kind=TenderKind.CASH, amount=Rupiah(booked.json["result"]["total"]))
        assert siti.settlement.settle(held.handle, siti.new_id(), [tender]).number
        assert siti.calendar.calendar(days(str(month.first_day))).bars
    finally:
        siti.close()
    eventually(lambda: place.server_pid("redis-server") != before, within=30)
    eventually(place.is_whole, within=20, every=0.5, what="the index is whole again")
    assert place.getbit("uuid-avanza-007", month, 0, SKU) == 1
