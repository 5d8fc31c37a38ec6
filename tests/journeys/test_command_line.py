"""`sentra-admin` and `sentra-service` as processes on a machine's own servers: exit codes, doctor, two services."""

import json
import os
import signal
from pathlib import Path

from app import admin_do
from app.bootstrap import Installation
from app.settings import Settings
from tests.journeys.place import SKU, Place, order
from tests.support.processes import Processes
from tests.support.waiting import eventually
from tests.support.world import HEADING

UNIT = "uuid-avanza-008"


def test_exit_codes_tell_a_refusal_from_wrong_usage_and_from_servers_that_are_away(place: Place) -> None:
    day = place.next_month().shifted(5).first_day
    unknown = place.do("book", "ayu", {**order(UNIT, day, day), "colour": "red"})
    assert (unknown.code, unknown.json["refusal"]["field"]) == (1, "colour")
    forbidden = place.do("book", "dedi", order(UNIT, day, day))
    assert (forbidden.code, forbidden.json["refusal"]["code"]) == (1, "NOT_ALLOWED")
    assert place.do("no_such_use_case", "ayu").code == 2
    wrong = place.do("who_am_i", "ayu", SENTRA_PASSWORD="salah")
    assert (wrong.code, wrong.json["refusal"]["code"]) == (1, "NOT_ALLOWED")
    away = place.do("who_am_i", "ayu", DATABASE_URL="postgresql://x:y@127.0.0.1:1/sentra")
    assert (away.code, away.json["refusal"]["code"]) == (4, "UNREACHABLE")
    assert place.value("SELECT count(*) FROM sentra.booking WHERE unit_id = %s AND first_day = %s", UNIT, day) == 0


def test_the_doctor_ends_with_1_names_a_flipped_bit_and_mends_it(place: Place) -> None:
    month = place.next_month().shifted(5)
    eventually(place.is_whole, within=15, every=0.5)
    assert place.admin("doctor", "--json").code == 0
    service = place.server_pid("app.service.main")
    os.kill(service, signal.SIGSTOP)  # it would mend the bit before anyone looks
    try:
        with place.redis() as client:
            client.setbit(f"avail:{SKU}:{UNIT}:{month}", 14, 1)
        found = place.admin("doctor", "--json")
        assert found.code == 1
        (broken,) = found.json["breaks"]
        assert (broken["invariant"], broken["unit_id"], broken["day"], broken["redis"], broken["postgres"]) == (
            "I2",
            UNIT,
            month.first_day.replace(day=15).isoformat(),
            "key 1",
            "0",
        )
        mended = place.admin("doctor", "--json", "--repair")
        assert (mended.code, mended.json["repaired"]) == (0, 1)
        assert place.admin("doctor", "--json").code == 0
    finally:
        os.kill(service, signal.SIGCONT)
    assert place.bits(UNIT, month) == []


def test_two_services_at_once_expire_every_hold_once_and_stop_in_order(place: Place, processes: Processes) -> None:
    secret = json.loads((Path(place.line["data_dir"]) / "secrets.json").read_text("utf-8"))["service_password"]
    owner = Installation(Settings(database_url=place.owner_url, redis_url=None, redlock_urls=None))
    second = processes.module(
        "app.service.main",
        env={
            "DATABASE_URL": owner.person_url("svc", secret),
            "REDIS_URL": place.redis_url,
            "SENTRA_SERVICE_URL": "",
        },
    )
    eventually(lambda: "service running" in second.errors, within=30)
    month = place.next_month().shifted(5)
    siti = place.counter("siti", "Kasir 6")
    try:
        booked = []
        for number in range(1, 11):
            lines = order(UNIT, *(month.first_day.replace(day=number),) * 2)
            booked.append(admin_do.do(siti, "book", lines))
        ids = [item["bookings"][0]["id"] for item in booked]  # type: ignore[index]
    finally:
        siti.close()
    place.after(minutes=16)
    expired = "SELECT count(*) FROM sentra.booking WHERE id = ANY (%s) AND state = 'CANCELLED'"
    eventually(lambda: place.value(expired, ids) == 10, within=20)
    assert place.value("SELECT count(*) FROM sentra.freed_stretch WHERE booking_id = ANY (%s)", ids) == 10
    assert place.bits(UNIT, month) == []
    second.terminate()
    assert second.wait(within=20) == 0
    assert "Traceback" not in second.errors


def test_a_fleet_file_is_imported_by_the_manager_of_the_branch(place: Place, tmp_path: Path) -> None:
    row = "JKT,HON-BEAT-S,BeAT Street,Motor,90000,200000,0,uuid-beat-{n},B 33{n} SKB,10,IN_SERVICE\n"
    file = tmp_path / "armada.csv"
    file.write_text(HEADING + row.format(n=90) + row.format(n=91).replace("90000", "gratis"), "utf-8")
    first = place.admin("import", str(file), "--as", "maya", "--json")
    assert (first.code, first.json["result"]["added"]) == (1, 1)
    assert first.json["result"]["refusals"] == [
        {"line": 3, "column": "daily_rate", "reason": "not_a_whole_number", "given": "gratis"}
    ]
    again = place.admin("import", str(file), "--as", "maya", "--json")
    assert (again.json["result"]["added"], again.json["result"]["same"]) == (0, 1)
    eventually(place.is_whole, within=15, every=0.5, what="the new unit is in the index")
