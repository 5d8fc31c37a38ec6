"""The search for free units at size: the right units, found by the index on (sku_id, days), as an employee."""

import datetime as dt
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from app.adapters.postgres.reads_calendar import projections_statement
from app.adapters.postgres.reads_fleet import FREE_UNITS
from app.domain.days import Days, YearMonth, mask_of
from tests.adapters.postgres.reads_rig import Rig, open_rig
from tests.support.databases import Template

SKUS, UNITS_EACH = 20, 500


@pytest.fixture(scope="module")
def crowd(template: Template) -> Iterator[Rig]:
    """10,000 units in 20 SKUs, each with three days every thirty in early 2027 by its slot; read by the tests only."""
    with template.copy() as database, open_rig(database) as rig:
        rig.branch("JKT")
        rig.branch("MKS")
        rig.staff("rd_ayu", "JKT", "agent")
        rig.staff("rd_rahmat", "MKS", "agent")
        for n in range(SKUS):
            rig.units(rig.sku(f"S{n:02}"), "JKT", UNITS_EACH)
        with rig.owner.transaction():
            rig.owner.execute("ALTER TABLE sentra.occupancy DISABLE TRIGGER USER")
            rig.owner.execute(
                """INSERT INTO sentra.maintenance (id, unit_id, branch_id, days, state)
                   SELECT gen_random_uuid(), u.id, u.branch_id, daterange('2027-01-01', '2027-01-02'), 'SCHEDULED'
                   FROM sentra.unit u"""
            )
            rig.owner.execute(
                """INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, maintenance_id)
                   SELECT u.id, u.sku_id, u.branch_id,
                          daterange(start.day, start.day + 3), 'MAINTENANCE', m.id
                   FROM sentra.unit u JOIN sentra.maintenance m ON m.unit_id = u.id
                   CROSS JOIN generate_series(0, 5) AS month
                   CROSS JOIN LATERAL (SELECT (date '2027-01-01' + month * 30 + (u.slot % 20)) AS day) start"""
            )
            rig.owner.execute("ALTER TABLE sentra.occupancy ENABLE TRIGGER USER")
        rig.owner.execute("UPDATE sentra.unit SET branch_id = 'MKS' WHERE id = 's19-010'")
        rig.owner.execute("ANALYZE sentra.unit, sentra.occupancy, sentra.sku")
        yield rig


def explained(rig: Rig, statement: str, parameters: dict[str, object]) -> str:
    with rig.engine(rig.database.url_for("rd_ayu")).connect() as connection:
        return "\n".join(connection.execute(text(f"EXPLAIN (ANALYZE, COSTS OFF) {statement}"), parameters).scalars())


def test_free_units_come_from_the_index_on_sku_and_days_and_are_the_right_ones(crowd: Rig) -> None:
    wanted = Days(dt.date(2027, 1, 10), dt.date(2027, 1, 12))
    parameters: dict[str, object] = {
        "sku": "S07",
        "branch_id": "JKT",
        "limit": 1_000,
        "first_day": wanted.first,
        "last_day": wanted.last,
    }

    found = crowd.reads("rd_ayu").free_units("S07", wanted, "JKT", 1_000)
    plan = explained(crowd, FREE_UNITS.text, parameters)

    # Slot s is taken on days 1 + s % 20 to 3 + s % 20: it meets the 10th to 12th when s % 20 is 7 to 11.
    assert [u.unit.slot for u in found] == [s for s in range(UNITS_EACH) if not 7 <= s % 20 <= 11]
    assert "occupancy_search" in plan, plan
    assert "Seq Scan on occupancy" not in plan, plan
    assert [u.unit.slot for u in crowd.reads("rd_ayu").free_units("S07", wanted, None, 3)] == [0, 1, 2]


@pytest.mark.parametrize("what", ["blockers", "taken_days", "bars_of_a_day"])
def test_a_question_about_few_units_never_walks_all_days(crowd: Rig, what: str) -> None:
    reads = crowd.reads("rd_ayu")
    day = Days(dt.date(2027, 1, 10), dt.date(2027, 1, 10))
    before = seq_scans(crowd)

    if what == "blockers":
        assert [b.unit_id for b in reads.blockers(["s07-009", "s07-010", "s07-011"], day)] == ["s07-009", "s07-010"]
    elif what == "taken_days":
        assert reads.taken_days(["s07-010", "s07-011"], day) == {"s07-010": (day,), "s07-011": ()}
    else:
        assert [bar.unit_id for bar in crowd.reads("rd_rahmat").bars("MKS", day)] == ["s19-010"]

    assert seq_scans(crowd) == before


def test_projections_of_everything_are_one_statement_and_agree_with_the_days(crowd: Rig) -> None:
    months = [YearMonth(2027, 1).shifted(n) for n in range(12)]

    found = crowd.reads("rd_ayu").projections(None, months)

    assert len(found) == SKUS * UNITS_EACH
    assert all(len(item.months) == 12 for item in found)
    first = next(item for item in found if item.unit.unit_id == "s00-001")
    assert mask_of(first.days, YearMonth(2027, 1)) == (0b111 << 29) | 0b10, "the 1st to 3rd, and the 31st"
    assert mask_of(first.days, YearMonth(2027, 2)) == 0b11 << 30
    rows = crowd.owner.execute("SELECT count(*) FROM sentra.occupancy").fetchone()
    assert rows == (SKUS * UNITS_EACH * 6,)


def test_projections_of_few_units_walk_only_their_own_days(crowd: Rig) -> None:
    ids = [f"s03-{n:03}" for n in range(1, 21)]
    statement = projections_statement(some=True).text
    parameters: dict[str, object] = {
        "unit_ids": ids,
        "first_day": dt.date(2027, 1, 1),
        "last_day": dt.date(2027, 12, 31),
    }

    plan = explained(crowd, statement, parameters)

    assert "Seq Scan on occupancy" not in plan, plan
    assert [item.unit.unit_id for item in crowd.reads("rd_ayu").projections(ids, [YearMonth(2027, 1)])] == ids


def seq_scans(rig: Rig) -> int:
    """How often anybody has walked the whole occupancy table so far, by the server's own count."""
    row = rig.owner.execute(
        "SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot(),"
        " (SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'occupancy')"
    ).fetchone()
    assert row is not None
    assert isinstance(row[2], int)
    return row[2]
