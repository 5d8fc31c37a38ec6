"""Fleet rows into the database: own branch only, the same again changes nothing, slots are never used twice."""

import json
from dataclasses import replace

import psycopg
import pytest
from psycopg.types.json import Jsonb

from app.adapters.postgres.owner_steps import record_maintenance
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows import FleetOutcome, FleetRow
from tests.adapters.postgres.write_rig import AVZ, WriteRig, at_once, fleet_row, march, stretch


def bring_in(rig: WriteRig, *rows: FleetRow, login: str = "mega") -> tuple[FleetOutcome, ...]:
    return rig.store(login).transact(lambda tx: tx.import_fleet(rows))


def test_new_units_get_the_next_slots_and_the_service_is_told_to_project_them(rig: WriteRig) -> None:
    outcomes = bring_in(rig, fleet_row("AVZ-04", line=2), fleet_row("AVZ-05", line=3))

    assert [(item.line, item.outcome) for item in outcomes] == [(2, "added"), (3, "added")]
    assert rig.rows("SELECT id, slot FROM sentra.unit ORDER BY slot") == [
        ("AVZ-01", 0),
        ("AVZ-02", 1),
        ("AVZ-03", 2),
        ("AVZ-91", 3),
        ("AVZ-04", 4),
        ("AVZ-05", 5),
    ]
    assert rig.rows("SELECT payload FROM sentra.outbox WHERE done_at IS NULL AND not_before <= sentra.now()") == [
        ({"unit_ids": ["AVZ-04", "AVZ-05"]},)
    ]


def test_the_same_rows_again_change_nothing_at_all(rig: WriteRig) -> None:
    rows = [fleet_row("AVZ-01", line=2), fleet_row("AVZ-02", line=3)]
    everything = (
        "SELECT (SELECT jsonb_agg(u ORDER BY id) FROM sentra.unit u), (SELECT jsonb_agg(s) FROM sentra.sku s),"
        " (SELECT count(*) FROM sentra.audit), (SELECT count(*) FROM sentra.outbox)"
    )
    before = rig.rows(everything)

    outcomes = bring_in(rig, *rows)

    assert [item.outcome for item in outcomes] == ["same", "same"]
    assert rig.rows(everything) == before


def test_changed_columns_are_written_and_audited(rig: WriteRig) -> None:
    (outcome,) = bring_in(rig, fleet_row("AVZ-01", colour="hitam", odometer=2000))

    assert outcome.outcome == "changed"
    assert rig.rows("SELECT colour, odometer FROM sentra.unit WHERE id = 'AVZ-01'") == [("hitam", 2000)]
    assert rig.rows(
        "SELECT actor, before ->> 'colour', after ->> 'colour' FROM sentra.audit WHERE action = 'changed_unit'"
    ) == [(rig.role("mega"), "putih", "hitam")]


def test_a_new_rate_leaves_booked_rates_as_they_were_frozen(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    dearer = replace(AVZ, daily_rate=Rupiah(350_000))

    (outcome,) = bring_in(rig, fleet_row("AVZ-01", sku=dearer))

    assert outcome.outcome == "changed"
    assert rig.value("SELECT daily_rate FROM sentra.sku WHERE id = 'AVZ'") == 350_000
    assert rig.value("SELECT daily_rate FROM sentra.booking") == 300_000


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        (fleet_row("AVZ-09", "MKS"), "branch", "other_branch"),
        (fleet_row("AVZ-09", "XXX"), "branch", "unknown"),
        (fleet_row("AVZ-91"), "unit_id", "other_branch"),
        (fleet_row("AVZ-01", sku=replace(AVZ, code="XPD")), "sku", "sku_change"),
        (fleet_row("AVZ-09", plate="B AVZ-01"), "plate", "taken"),
        (fleet_row("AVZ-09", plate="-"), "plate", "empty"),
        (fleet_row("Avz-01", plate="B 9"), "unit_id", "differs_by_case"),
        (fleet_row("avz-91", plate="B 9"), "unit_id", "differs_by_case"),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_column_and_the_others_go_in(
    rig: WriteRig, row: FleetRow, column: str, reason: str
) -> None:
    outcomes = bring_in(rig, replace(row, line=2), fleet_row("AVZ-08", line=3))

    assert [(item.line, item.outcome, item.column, item.reason) for item in outcomes] == [
        (2, "refused", column, reason),
        (3, "added", "", ""),
    ]
    assert rig.rows("SELECT id FROM sentra.sku") == [("AVZ",)]


def test_a_unit_with_bookings_is_not_retired(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))

    outcomes = bring_in(
        rig, fleet_row("AVZ-01", status="RETIRED", line=2), fleet_row("AVZ-02", status="RETIRED", line=3)
    )

    assert [(item.outcome, item.reason) for item in outcomes] == [("refused", "has_bookings"), ("changed", "")]
    assert rig.rows("SELECT id FROM sentra.unit WHERE status = 'RETIRED'") == [("AVZ-02",)]


def test_a_retired_units_slot_and_plate(rig: WriteRig) -> None:
    """The slot is never used again; the plate may be, on a new unit."""
    bring_in(rig, fleet_row("AVZ-02", status="RETIRED"))

    (outcome,) = bring_in(rig, fleet_row("AVZ-10", plate="B AVZ-02"))

    assert outcome.outcome == "added"
    assert rig.value("SELECT slot FROM sentra.unit WHERE id = 'AVZ-10'") == 4


def test_two_ids_in_one_file_that_differ_only_by_case_are_one_unit(rig: WriteRig) -> None:
    outcomes = bring_in(rig, fleet_row("AVZ-08", line=2), fleet_row("avz-08", plate="B 9", line=3))

    assert [(item.outcome, item.reason) for item in outcomes] == [("added", ""), ("refused", "differs_by_case")]


def test_a_unit_that_a_file_sent_to_maintenance_comes_back_by_a_file(rig: WriteRig) -> None:
    bring_in(rig, fleet_row("AVZ-01", status="MAINTENANCE"))

    (outcome,) = bring_in(rig, fleet_row("AVZ-01"))

    assert outcome.outcome == "changed"
    assert rig.value("SELECT status FROM sentra.unit WHERE id = 'AVZ-01'") == "IN_SERVICE"


def test_a_file_does_not_end_a_running_maintenance(rig: WriteRig) -> None:
    record_maintenance(
        rig.database.owner_url, unit_id="AVZ-01", days=stretch(1, 5), reason="ganti kopling", running=True
    )
    rig.owner.execute("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = 'AVZ-01'")

    (outcome,) = bring_in(rig, fleet_row("AVZ-01"))

    assert outcome.outcome == "same"
    assert rig.value("SELECT status FROM sentra.unit WHERE id = 'AVZ-01'") == "MAINTENANCE"


def test_two_imports_of_the_same_new_units_at_once_give_each_one_slot(rig: WriteRig) -> None:
    rows = [fleet_row(f"AVZ-{n}", line=n) for n in range(20, 40)]
    stores = [rig.new_store("mega", pool_size=1) for _ in range(2)]

    results = at_once([lambda s=store: s.transact(lambda tx: tx.import_fleet(rows)) for store in stores])

    assert not [item for item in results if isinstance(item, BaseException)], results
    assert rig.value("SELECT count(DISTINCT slot) = count(*) FROM sentra.unit")
    assert rig.value("SELECT count(*) FROM sentra.unit") == 24


@pytest.mark.parametrize("login", ["rina", "bayu", "gilang", "jaga"])
def test_only_a_manager_brings_in_a_fleet(rig: WriteRig, login: str) -> None:
    with pytest.raises(Refusal) as refused:
        bring_in(rig, fleet_row("AVZ-04"), login=login)

    assert refused.value.code is RefusalCode.NOT_ALLOWED


@pytest.mark.parametrize("how", ["missing", "null", "other type"])
def test_a_row_without_one_of_its_fields_is_refused_by_its_name(rig: WriteRig, how: str) -> None:
    right = {
        "line": 2,
        "branch_code": "JKT",
        "sku": "AVZ",
        "sku_name": "Avanza",
        "category": "MPV",
        "daily_rate": 300_000,
        "deposit": 500_000,
        "turnaround_days": 0,
        "unit_id": "AVZ-04",
        "plate": "B 4",
        "colour": "",
        "odometer": 0,
        "status": "IN_SERVICE",
    }
    with rig.psql("mega") as mine:
        for name in right:
            row = {key: value for key, value in right.items() if key != name}
            if how != "missing":
                row[name] = None if how == "null" else [1]
            with pytest.raises(psycopg.Error) as refused:
                mine.execute("SELECT sentra.import_fleet(%s)", (Jsonb([right, row]),))
            assert refused.value.diag.message_primary == "FIELD_INVALID"
            assert json.loads(refused.value.diag.message_detail or "{}")["field"] == f"rows[1].{name}"
    assert rig.value("SELECT count(*) FROM sentra.unit") == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sku", "a:b"),
        ("unit_id", "a b"),
        ("daily_rate", -1),
        ("odometer", -1),
        ("turnaround_days", 36),
        ("status", "GONE"),
        ("plate", "B \u202e1"),
        ("plate", "b 4"),
        ("plate", "B  4"),
        ("plate", " B 4"),
        ("plate", "B\u00a04"),
        ("colour", "pu\u200btih"),
    ],
)
def test_a_row_that_its_table_would_refuse_is_refused_by_its_name(rig: WriteRig, name: str, value: object) -> None:
    row = {"line": 2, "branch_code": "JKT", "sku": "AVZ", "sku_name": "Avanza", "category": "MPV"}
    row |= {"daily_rate": 300_000, "deposit": 500_000, "turnaround_days": 0, "unit_id": "AVZ-04", "plate": "B 4"}
    row |= {"colour": "", "odometer": 0, "status": "IN_SERVICE", name: value}

    with rig.psql("mega") as mine, pytest.raises(psycopg.Error) as refused:
        mine.execute("SELECT sentra.import_fleet(%s)", (Jsonb([row]),))

    assert json.loads(refused.value.diag.message_detail or "{}")["field"] == f"rows[0].{name}"


def test_an_advisory_lock_of_any_number_keeps_no_import_waiting(rig: WriteRig) -> None:
    rig.owner.execute("SELECT pg_advisory_lock(hashtext('sentra.import_fleet'))")

    (outcome,) = bring_in(rig, fleet_row("AVZ-04"))

    assert outcome.outcome == "added"
