"""The fleet from a file: bad rows are named by line, column and reason, good ones go in, twice changes nothing."""

from functools import partial

import pytest

from app.domain.errors import Refusal, RefusalCode
from app.usecases.fleet import FleetImport
from tests.support.at_once import at_once
from tests.support.world import AVANZA, AVANZAS, FAR_AVANZA, HEADING, SKU, World, days, refused

pytest_plugins = ("tests.support.world_fixtures",)

ROWS = 300


def row(n: int, **changes: str) -> str:
    """Line of unit number `n`, with some cells changed."""
    cells = {
        "branch": "JKT",
        "sku": "HON-BRIO-RS",
        "sku_name": "Brio RS",
        "category": "Mobil",
        "daily_rate": "275000",
        "deposit": "400000",
        "turnaround_days": "0",
        "unit_id": f"uuid-brio-{n:03}",
        "plate": f"B {2000 + n} KLM",
        "odometer": str(1000 + n),
        "status": "IN_SERVICE",
    }
    return ",".join({**cells, **changes}.values()) + "\n"


BAD = {
    12: ({"branch": "SBY"}, "branch", "unknown"),
    25: ({"branch": "MKS"}, "branch", "other_branch"),
    40: ({"sku": "hon brio"}, "sku", "not_a_sku"),
    61: ({"daily_rate": "275.000"}, "daily_rate", "not_a_whole_number"),
    88: ({"daily_rate": "0"}, "daily_rate", "out_of_range"),
    102: ({"deposit": "-1"}, "deposit", "out_of_range"),
    133: ({"turnaround_days": ""}, "turnaround_days", "empty"),
    150: ({"unit_id": "uuid:brio"}, "unit_id", "not_a_unit_id"),
    177: ({"unit_id": "uuid-brio-003"}, "unit_id", "twice_in_file"),
    204: ({"plate": "B 2003 KLM"}, "plate", "twice_in_file"),
    251: ({"status": "BROKEN"}, "status", "not_a_status"),
    290: ({"sku_name": "Brio RS\x07"}, "sku_name", "control_characters"),
}
"""Line in the file (the heading is line 1) → changed cells, and the column and reason that the refusal names."""


def file_of(rows: int = ROWS, heading: str = HEADING) -> str:
    return heading + "".join(row(n, **BAD.get(n, ({},))[0]) for n in range(2, rows + 2))


def found(report: FleetImport) -> dict[int, tuple[str, str]]:
    return {item.line: (item.column, item.reason) for item in report.refusals}


def test_of_300_rows_with_12_kinds_of_bad_ones_exactly_12_are_refused_and_again_changes_nothing(world: World) -> None:
    maya = world.counter("maya")
    report = maya.fleet.import_fleet(file_of().encode())
    assert found(report) == {line: (column, reason) for line, (_, column, reason) in BAD.items()}
    assert (report.added, report.changed, report.same, report.left_out) == (288, 0, 0, ())
    assert world.value("SELECT count(*) FROM sentra.unit WHERE sku_id = 'HON-BRIO-RS'") == 288
    assert world.value("SELECT next_slot FROM sentra.sku WHERE id = 'HON-BRIO-RS'") == 288

    before = (world.counts(), world.rows("SELECT * FROM sentra.unit ORDER BY id"), world.rows("TABLE sentra.sku"))
    again = maya.fleet.import_fleet(file_of().encode())
    assert (again.added, again.changed, again.same) == (0, 0, 288)
    assert found(again) == found(report)
    assert (
        world.counts(),
        world.rows("SELECT * FROM sentra.unit ORDER BY id"),
        world.rows("TABLE sentra.sku"),
    ) == before
    world.catch_up()
    world.assert_sound()


def test_semicolons_a_byte_order_mark_windows_lines_and_extra_columns_are_read_and_named(world: World) -> None:
    heading = HEADING.strip() + ",colour,catatan,Tahun\n"
    text = heading + "".join(row(n).strip() + f',putih,"cat; {n}",2021\n' for n in (2, 3))
    text = text.replace('"', "").replace("cat; ", "cat ").replace(",", ";").replace("\n", "\r\n")
    report = world.counter("maya").fleet.import_fleet(b"\xef\xbb\xbf" + text.encode())
    assert (report.added, report.refusals) == (2, ())
    assert report.left_out == ("catatan", "tahun")
    assert world.rows("SELECT DISTINCT colour FROM sentra.unit WHERE sku_id = 'HON-BRIO-RS'") == [("putih",)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_file_also_after_blank_ones_and_with_every_line_end(world: World, end: str) -> None:
    text = HEADING + row(2) + "\n\n" + row(5, sku_name='"Brio, ""RS"""') + row(6, odometer="x") + "JKT,zu kurz\n"
    text += row(8, sku="HON-BRIO-E", sku_name='"Brio; E"')
    report = world.counter("maya").fleet.import_fleet(text.replace("\n", end).encode())
    assert found(report) == {
        5: ("sku", "differs_in_file"),
        6: ("odometer", "not_a_whole_number"),
        7: ("*", "cell_count"),
    }
    assert report.added == 2
    assert world.value("SELECT name FROM sentra.sku WHERE id = 'HON-BRIO-E'") == "Brio; E"


def test_a_quoted_cell_may_hold_the_separator_and_a_doubled_quote(world: World) -> None:
    text = HEADING.replace(",", ";") + row(2, sku_name='"Brio; ""RS"""').replace(",", ";")
    assert world.counter("maya").fleet.import_fleet(text.encode()).refusals == ()
    assert world.value("SELECT name FROM sentra.sku WHERE id = 'HON-BRIO-RS'") == 'Brio; "RS"'


BROKEN = {
    "a quote that is not closed": (b'"Brio RS', "sku_name", "quote_not_closed"),
    "a quote in the middle": (b'Brio "RS', "sku_name", "stray_quote"),
    "something after the quote": (b'"Brio" RS', "sku_name", "stray_quote"),
    "140,000 characters": (b"x" * 140_000, "sku_name", "too_long"),
    "140,000 characters in quotes": (b'"' + b"x" * 140_000 + b'"', "sku_name", "too_long"),
    "140,000 characters behind a quote": (b'"' + b"x" * 140_000, "sku_name", "quote_not_closed"),
    "a zero byte": (b"Brio\0RS", "sku_name", "control_characters"),
    "a return in the middle": (b"Brio\rRS", "sku_name", "control_characters"),
    "a byte that is no UTF-8": (b"Brio \xe9", "sku_name", "not_utf8"),
    "half a surrogate pair": (b"Brio \xed\xa0\x80", "sku_name", "not_utf8"),
}


@pytest.mark.parametrize("broken", list(BROKEN))
def test_a_row_whose_bytes_are_broken_is_refused_alone_by_line_and_column(world: World, broken: str) -> None:
    cell, column, reason = BROKEN[broken]
    lines = [row(n).encode() for n in (2, 3, 4)]
    lines[1] = lines[1].replace(b"Brio RS", cell)
    report = world.counter("maya").fleet.import_fleet(HEADING.encode() + b"".join(lines))
    assert found(report) == {3: (column, reason)}
    assert report.added == 2
    assert all(item.given.isprintable() and len(item.given) <= 80 for item in report.refusals)


def test_a_line_break_in_a_quoted_cell_is_refused_on_its_row_and_the_next_rows_go_in(world: World) -> None:
    text = HEADING + row(2) + row(3, sku_name='"Brio\nRS"') + row(5) + row(6)
    report = world.counter("maya").fleet.import_fleet(text.encode())
    assert found(report) == {3: ("sku_name", "quote_not_closed"), 4: ("branch", "stray_quote")}
    assert report.added == 3


def test_a_changed_row_changes_its_unit_and_is_in_the_audit(world: World) -> None:
    maya = world.counter("maya")
    maya.fleet.import_fleet((HEADING + row(2) + row(3)).encode())
    report = maya.fleet.import_fleet((HEADING + row(2, odometer="9999") + row(3)).encode())
    assert (report.changed, report.same) == (1, 1)
    assert world.value("SELECT odometer FROM sentra.unit WHERE id = 'uuid-brio-002'") == 9999
    audits = world.rows(
        "SELECT before->>'odometer', after->>'odometer' FROM sentra.audit WHERE action = 'changed_unit'"
    )
    assert audits == [("1002", "9999")]


def test_what_the_database_knows_against_a_row_is_named_like_the_rest(world: World) -> None:
    ayu, maya = world.counter("ayu"), world.counter("maya")
    world.book(ayu, days("2027-03-10"))
    avanza = {"sku": SKU, "sku_name": "Avanza G", "daily_rate": "350000", "deposit": "500000"}
    text = (
        HEADING
        + row(2, **avanza, unit_id=FAR_AVANZA, plate="B 9001 XX")
        + row(3, unit_id=AVANZAS[1], plate="B 1201 XYZ")
        + row(4, **avanza, unit_id=AVANZA, plate="B 1200 XYZ", status="RETIRED")
        + row(5, plate="B 1202 XYZ")
        + row(6)
    )
    report = maya.fleet.import_fleet(text.encode())
    assert found(report) == {
        2: ("unit_id", "other_branch"),
        3: ("sku", "sku_change"),
        4: ("status", "has_bookings"),
        5: ("plate", "taken"),
    }
    assert report.added == 1
    assert world.value("SELECT status FROM sentra.unit WHERE id = %s", AVANZA) == "IN_SERVICE"


def test_a_new_rate_is_for_new_bookings_and_leaves_booked_ones_as_they_are(world: World) -> None:
    siti, maya = world.counter("siti"), world.counter("maya")
    booked = world.book(siti, days("2027-03-10"))
    avanza = {"sku": SKU, "sku_name": "Avanza G", "daily_rate": "400000", "deposit": "500000"}
    maya.fleet.import_fleet((HEADING + row(2, **avanza, unit_id=AVANZA, plate="B 1200 XYZ", odometer="1000")).encode())
    assert siti.settlement.invoice(booked.invoice_id).row.total == 850_000
    assert world.book(siti, days("2027-03-11")).total == 900_000


@pytest.mark.parametrize("login", ["ayu", "siti", "dedi", "budi"])
def test_who_is_no_manager_imports_nothing(world: World, login: str) -> None:
    before = world.counts()
    with pytest.raises(Refusal) as no:
        world.counter(login).fleet.import_fleet(file_of(3).encode())
    refused(no.value, RefusalCode.NOT_ALLOWED)
    assert world.counts() == before


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "columns_missing"),
        (b"\n\n", "columns_missing"),
        (HEADING.replace("plate", "nopol").encode(), "columns_missing"),
        ((HEADING.strip() + ",plate\n").encode(), "columns_doubled"),
        (b"\xff\xfe" + HEADING.encode("utf-16-le"), "not_utf8"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "not_utf8"),
        (HEADING.replace("plate", "pl\0ate").encode(), "control_characters"),
        (HEADING.replace("plate", '"plate').encode(), "not_csv"),
        (b"x" * (20 * 1024 * 1024 + 1), "too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_file_that_is_no_fleet_is_refused_whole(shared_world: World, content: bytes, reason: str) -> None:
    before = shared_world.counts()
    with pytest.raises(Refusal) as no:
        shared_world.counter("maya").fleet.import_fleet(content)
    assert refused(no.value, RefusalCode.FIELD_INVALID, "file")["reason"] == reason
    assert shared_world.counts() == before


def test_strange_cells_are_refused_by_their_column(shared_world: World) -> None:
    strange = {
        2: ({"unit_id": "'; DROP TABLE sentra.unit; --"}, "unit_id"),
        3: ({"plate": "x" * 21}, "plate"),
        4: ({"sku_name": "x" * 81}, "sku_name"),
        5: ({"odometer": "٣"}, "odometer"),
        6: ({"odometer": "9" * 30}, "odometer"),
        7: ({"sku_name": "Brio \u202eSR"}, "sku_name"),
        8: ({"daily_rate": "2.75e5"}, "daily_rate"),
        9: ({"daily_rate": "--5"}, "daily_rate"),
        10: ({"turnaround_days": "31"}, "turnaround_days"),
        11: ({"plate": "B\u202e1"}, "plate"),
        12: ({"branch": "\U0001f600"}, "branch"),
    }
    text = HEADING + "".join(row(n, **changes) for n, (changes, _) in strange.items())
    report = shared_world.counter("maya").fleet.import_fleet(text.encode())
    assert {item.line: item.column for item in report.refusals} == {n: column for n, (_, column) in strange.items()}
    assert report.added == 0


def test_the_same_file_from_two_managers_windows_at_once_goes_in_once(world: World) -> None:
    windows = [world.counter("maya", f"Kasir {n}") for n in (1, 2)]
    outcome = at_once(*(partial(window.fleet.import_fleet, file_of(40).encode()) for window in windows))
    assert not outcome.refusals
    assert sum(report.added for report in outcome.results) == 37
    brios = world.rows("SELECT count(*), max(slot) FROM sentra.unit WHERE sku_id = 'HON-BRIO-RS'")
    assert brios == [(37, 36)]
    world.catch_up()
    world.assert_sound()
