"""Reads of occupancy: what the grid, the search and the index are told, to the day."""

import datetime as dt
from collections.abc import Iterator

import pytest

from app.adapters.postgres.reads_calendar import CHANGE_OVERLAP
from app.domain.booking import BookingState, Source
from app.domain.days import Days, YearMonth, mask_of
from app.usecases.index_port import IndexedUnit
from app.usecases.rows import OccupancyKind, PaidMark
from tests.adapters.postgres.reads_rig import Rig, open_rig
from tests.support.databases import ScratchDatabase

JAN, FEB, MAR = YearMonth(2027, 1), YearMonth(2027, 2), YearMonth(2027, 3)


def days(first: str, last: str) -> Days:
    return Days(dt.date.fromisoformat(first), dt.date.fromisoformat(last))


@pytest.fixture
def rig(database: ScratchDatabase) -> Iterator[Rig]:
    database.clock.stand(dt.datetime(2026, 12, 1, 3, tzinfo=dt.UTC))
    with open_rig(database) as made:
        for code in ("JKT", "MKS"):
            made.branch(code)
        made.staff("rd_ayu", "JKT", "agent", name="Ayu")
        made.staff("rd_rahmat", "MKS", "agent", name="Rahmat")
        made.sku("AVZ")
        made.units("AVZ", "JKT", 3)
        made.customer("Siti Rahma", "+628121111111")
        yield made


@pytest.fixture
def siti(rig: Rig) -> str:
    return rig.reads("rd_ayu").find_customers("siti", 1)[0].customer.id


def test_c11_a_booking_over_a_months_end_is_in_both_months(rig: Rig, siti: str) -> None:
    rig.book("avz-001", "2027-01-31", "2027-02-02", customer=siti)
    reads = rig.reads("rd_ayu")

    projection = reads.projections(["avz-001"], [JAN, FEB])[0]
    january = reads.bars("JKT", days("2027-01-01", "2027-01-31"))
    february = reads.bars("JKT", days("2027-02-01", "2027-02-28"))

    assert mask_of(projection.days, JAN) == 0b10, "the 31st is the last bit but one"
    assert mask_of(projection.days, FEB) >> 30 == 0b11
    assert projection.days == (days("2027-01-31", "2027-01-31"), days("2027-02-01", "2027-02-02")) or (
        projection.days == (days("2027-01-31", "2027-02-02"),)
    )
    assert [bar.days for bar in january] == [days("2027-01-31", "2027-02-02")] == [bar.days for bar in february]


def test_a_window_that_only_touches_a_booking_holds_it_and_its_neighbours_do_not(rig: Rig, siti: str) -> None:
    rig.book("avz-001", "2027-03-12", "2027-03-13", customer=siti)
    reads = rig.reads("rd_ayu")

    touching = [("2027-03-10", "2027-03-12"), ("2027-03-13", "2027-03-15"), ("2027-03-12", "2027-03-13")]
    inside_out = [("2027-03-10", "2027-03-15"), ("2027-03-12", "2027-03-12")]
    beside = [("2027-03-10", "2027-03-11"), ("2027-03-14", "2027-03-15")]

    for window in (*touching, *inside_out):
        assert [b.unit_id for b in reads.blockers(["avz-001"], days(*window))] == ["avz-001"], window
        assert "avz-001" not in {u.unit.id for u in reads.free_units("AVZ", days(*window), "JKT", 9)}, window
    for window in beside:
        assert reads.blockers(["avz-001"], days(*window)) == (), window
        assert "avz-001" in {u.unit.id for u in reads.free_units("AVZ", days(*window), "JKT", 9)}, window


@pytest.mark.parametrize("server_zone", ["UTC", "America/New_York", "Asia/Jayapura"])
def test_r07_days_are_the_branchs_own_whatever_zone_the_server_has(rig: Rig, siti: str, server_zone: str) -> None:
    """Half past midnight in the branch is yesterday in UTC: the day read back is the branch's."""
    rig.owner.execute(f"ALTER DATABASE {rig.database.name} SET timezone TO '{server_zone}'".encode())
    rig.database.clock.stand(dt.datetime(2027, 3, 10, 17, 30, tzinfo=dt.UTC))
    rig.book("avz-001", "2027-03-11", "2027-03-11", customer=siti)
    reads = rig.reads("rd_ayu")

    bar = reads.bars("JKT", days("2027-03-01", "2027-03-31"))[0]
    assert bar.days == bar.rented == days("2027-03-11", "2027-03-11")
    assert reads.projections(["avz-001"], [MAR])[0].days == (days("2027-03-11", "2027-03-11"),)
    assert reads.now() == dt.datetime(2027, 3, 10, 17, 30, tzinfo=dt.UTC)
    assert reads.now().utcoffset() == dt.timedelta(0)


def test_c36_a_moment_is_read_as_itself_in_utc(rig: Rig, siti: str) -> None:
    rig.database.clock.stand(dt.datetime(2027, 3, 10, 17, 30, tzinfo=dt.UTC))
    booked = rig.book("avz-001", "2027-03-11", "2027-03-11", customer=siti)[0]

    row = rig.reads("rd_ayu").booking(booked.id)

    assert row is not None
    assert row.payment_deadline == dt.datetime(2027, 3, 10, 17, 45, tzinfo=dt.UTC)
    assert row.pickup_at == dt.datetime(2027, 3, 11, 1, tzinfo=dt.UTC)
    assert row.due_at.utcoffset() == dt.timedelta(0)


def test_turnaround_is_taken_but_not_rented(rig: Rig, siti: str) -> None:
    rig.sku("BUS", turnaround=2)
    unit = rig.units("BUS", "JKT", 1)[0]
    rig.book(unit, "2027-03-10", "2027-03-12", customer=siti)
    reads = rig.reads("rd_ayu")

    bar = reads.bars("JKT", days("2027-03-14", "2027-03-14"))[0]

    assert bar.days == days("2027-03-10", "2027-03-14")
    assert bar.rented == days("2027-03-10", "2027-03-12")
    assert reads.free_units("BUS", days("2027-03-13", "2027-03-14"), "JKT", 9) == ()


def test_a_bar_tells_number_state_customer_and_deadline(rig: Rig, siti: str) -> None:
    booked = rig.book("avz-002", "2027-03-10", "2027-03-12", customer=siti)[0]

    bar = rig.reads("rd_ayu").bars("JKT", days("2027-03-01", "2027-03-31"))[0]

    assert (bar.booking_id, bar.number, bar.unit_id) == (booked.id, booked.number, "avz-002")
    assert (bar.state, bar.source, bar.paid) == (BookingState.PENDING_PAYMENT, Source.COUNTER, PaidMark.UNPAID)
    assert bar.customer_name == "Siti Rahma"
    assert bar.payment_deadline == dt.datetime(2026, 12, 1, 3, 15, tzinfo=dt.UTC)


def test_a_paid_bar_is_marked_so(rig: Rig, siti: str) -> None:
    rig.pay(rig.book("avz-002", "2027-03-10", "2027-03-12", customer=siti)[0], "cashier")

    bar = rig.reads("rd_ayu").bars("JKT", days("2027-03-01", "2027-03-31"))[0]

    assert (bar.paid, bar.state) == (PaidMark.FULL, BookingState.PAID_APPROVED)


def test_maintenance_is_a_bar_with_its_reason_and_hides_the_unit_from_its_days_only(rig: Rig) -> None:
    """Case C-24: the days after the block are free although the unit is in maintenance now."""
    rig.owner.execute("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = 'avz-001'")
    rig.maintenance("avz-001", "2027-04-01", "2027-04-12", "Ganti ban")
    reads = rig.reads("rd_ayu")

    bar = reads.bars("JKT", days("2027-04-12", "2027-04-18"))[0]

    assert (bar.kind, bar.note, bar.booking_id, bar.rented) == (OccupancyKind.MAINTENANCE, "Ganti ban", None, None)
    after, touching = days("2027-04-13", "2027-04-18"), days("2027-04-12", "2027-04-18")
    assert "avz-001" in {u.unit.id for u in reads.free_units("AVZ", after, "JKT", 9)}
    assert "avz-001" not in {u.unit.id for u in reads.free_units("AVZ", touching, "JKT", 9)}


def test_a_unit_in_maintenance_without_a_block_is_not_offered(rig: Rig) -> None:
    rig.owner.execute("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = 'avz-001'")

    offered = {u.unit.id for u in rig.reads("rd_ayu").free_units("AVZ", days("2027-04-01", "2027-04-02"), "JKT", 9)}

    assert offered == {"avz-002", "avz-003"}


def test_overdue_layers_count_as_taken_everywhere(rig: Rig, siti: str) -> None:
    booked = rig.book("avz-001", "2027-03-08", "2027-03-10", customer=siti)[0]
    rig.walk(booked.id, ("PAID_APPROVED", "pay"), ("DISPATCHED", "check_out"), ("ACTIVE_RENTAL", "hand_over"))
    rig.overdue(booked.id, "2027-03-11", "2027-03-12")
    reads = rig.reads("rd_ayu")
    late = days("2027-03-11", "2027-03-12")

    assert {u.unit.id for u in reads.free_units("AVZ", late, "JKT", 9)} == {"avz-002", "avz-003"}
    assert [b.kind for b in reads.blockers(["avz-001"], late)] == [OccupancyKind.OVERDUE]
    assert reads.taken_days(["avz-001"], days("2027-03-01", "2027-03-31")) == {
        "avz-001": (days("2027-03-08", "2027-03-12"),)
    }
    assert mask_of(reads.projections(["avz-001"], [MAR])[0].days, MAR) == 0b11111 << 20


def test_cancelled_days_are_gone_and_finished_rentals_are_still_drawn(rig: Rig, siti: str) -> None:
    rig.end(rig.book("avz-001", "2027-03-01", "2027-03-02", customer=siti)[0].id)
    done = rig.book("avz-002", "2027-03-01", "2027-03-02", customer=siti)[0]
    rig.complete(done.id)
    reads = rig.reads("rd_ayu")
    march = days("2027-03-01", "2027-03-31")

    bars = reads.bars("JKT", march)

    assert [(bar.booking_id, bar.state) for bar in bars] == [(done.id, BookingState.COMPLETED)]
    assert bars[0].days == days("2027-03-01", "2027-03-02")
    assert reads.taken_days(["avz-001", "avz-002"], march) == {"avz-001": (), "avz-002": ()}
    assert len(reads.free_units("AVZ", march, "JKT", 9)) == 3


def test_another_branchs_days_are_seen_without_a_name_or_a_number(rig: Rig, siti: str) -> None:
    rig.book("avz-001", "2027-03-10", "2027-03-12", customer=siti)
    reads = rig.reads("rd_rahmat")

    bar = reads.bars("JKT", days("2027-03-01", "2027-03-31"))[0]
    blocker = reads.blockers(["avz-001"], days("2027-03-12", "2027-03-12"))[0]

    assert (bar.days, bar.kind) == (days("2027-03-10", "2027-03-12"), OccupancyKind.BOOKING)
    assert (bar.booking_id, bar.number, bar.customer_name, bar.state, bar.paid) == (*[None] * 4, PaidMark.UNPAID)
    assert (blocker.booking_number, blocker.customer_name, blocker.state) == (None, None, None)


def test_a_blocker_names_booking_customer_and_who_made_it(rig: Rig, siti: str) -> None:
    booked = rig.book("avz-001", "2027-03-12", "2027-03-13", customer=siti)[0]
    role = f"{rig.database.prefix}_rd_ayu"
    rig.owner.execute("ALTER TABLE sentra.occupancy DISABLE TRIGGER USER")
    rig.owner.execute("UPDATE sentra.occupancy SET created_by = %s WHERE booking_id = %s", (role, booked.id))
    rig.owner.execute("ALTER TABLE sentra.occupancy ENABLE TRIGGER USER")

    asked = ["avz-001"], days("2027-03-10", "2027-03-15")
    blocker = rig.reads("rd_ayu").blockers(*asked)[0]
    assert blocker.counter == "", "the order is somebody else's: where the days were taken is not known"
    rig.owner.execute("ALTER TABLE sentra.booking_order DISABLE TRIGGER USER")
    rig.owner.execute("UPDATE sentra.booking_order SET created_by = %s, counter = 'Kasir 2'", (role,))
    rig.owner.execute("ALTER TABLE sentra.booking_order ENABLE TRIGGER USER")
    assert rig.reads("rd_ayu").blockers(*asked)[0].counter == "Kasir 2"

    assert (blocker.booking_number, blocker.customer_name) == (booked.number, "Siti Rahma")
    assert (blocker.state, blocker.by) == (BookingState.PENDING_PAYMENT, "Ayu")
    assert (blocker.days, blocker.since) == (
        days("2027-03-12", "2027-03-13"),
        dt.datetime(2026, 12, 1, 3, tzinfo=dt.UTC),
    )


def test_projections_carry_the_version_of_their_days(rig: Rig, siti: str) -> None:
    reads = rig.reads("rd_ayu")
    before = reads.projections(["avz-001"], [MAR])[0]
    booked = rig.book("avz-001", "2027-03-10", "2027-03-12", customer=siti)[0]
    taken = reads.projections(["avz-001"], [MAR])[0]
    rig.end(booked.id)
    freed = reads.projections(["avz-001"], [MAR])[0]

    assert (before.days, taken.days, freed.days) == ((), (days("2027-03-10", "2027-03-12"),), ())
    assert before.version < taken.version < freed.version
    assert taken.unit == IndexedUnit(sku="AVZ", unit_id="avz-001", slot=0)


def test_projections_are_cut_to_the_months_asked_for_even_with_gaps(rig: Rig, siti: str) -> None:
    rig.book("avz-001", "2027-01-30", "2027-03-02", customer=siti)

    projection = rig.reads("rd_ayu").projections(["avz-001"], [MAR, JAN])[0]

    assert projection.months == (JAN, MAR)
    assert projection.days == (days("2027-01-30", "2027-01-31"), days("2027-03-01", "2027-03-02"))


def test_projections_of_everything_leave_retired_units_out(rig: Rig) -> None:
    rig.owner.execute("UPDATE sentra.unit SET status = 'RETIRED' WHERE id = 'avz-002'")
    rig.owner.execute("UPDATE sentra.unit SET status = 'MAINTENANCE' WHERE id = 'avz-003'")
    reads = rig.reads("rd_ayu")

    assert [p.unit.unit_id for p in reads.projections(None, [MAR])] == ["avz-001", "avz-003"]
    assert [p.unit.unit_id for p in reads.projections(["avz-002", "no-such"], [MAR])] == ["avz-002"]
    assert reads.projections(["avz-001"], []) == ()
    assert [u.unit.id for u in reads.fleet("JKT")] == ["avz-001", "avz-003"]


def test_taken_days_are_cut_to_the_window_and_joined(rig: Rig, siti: str) -> None:
    rig.book("avz-001", "2027-02-27", "2027-03-02", customer=siti)
    rig.book("avz-001", "2027-03-03", "2027-03-04", customer=siti)
    rig.book("avz-001", "2027-03-30", "2027-04-03", customer=siti)

    found = rig.reads("rd_ayu").taken_days(["avz-001", "avz-002"], days("2027-03-01", "2027-03-31"))

    assert found == {
        "avz-001": (days("2027-03-01", "2027-03-04"), days("2027-03-30", "2027-03-31")),
        "avz-002": (),
    }


def test_changed_units_are_found_and_none_committed_late_is_missed(rig: Rig, siti: str) -> None:
    start = rig.database.clock.now()
    rig.book("avz-001", "2027-03-10", "2027-03-12", customer=siti)
    later = rig.database.clock.advance(dt.timedelta(minutes=5))
    booked = rig.book("avz-002", "2027-03-10", "2027-03-12", customer=siti)[0]
    reads = rig.reads("rd_ayu")

    assert reads.changed_since(start - dt.timedelta(seconds=1)) == ("avz-001", "avz-002")
    assert reads.changed_since(later + CHANGE_OVERLAP / 2) == ("avz-002",), "its transaction may still have been open"
    assert reads.changed_since(later + CHANGE_OVERLAP) == ()
    rig.database.clock.advance(dt.timedelta(minutes=5))
    rig.end(booked.id)
    assert reads.changed_since(later + dt.timedelta(minutes=1)) == ("avz-002",)


def test_freed_stretches_wait_for_their_run_oldest_first(rig: Rig) -> None:
    for first, run in (("2027-03-10", None), ("2027-03-20", None), ("2027-03-25", "2026-12-01")):
        rig.owner.execute(
            """INSERT INTO sentra.freed_stretch (sku_id, branch_id, unit_id, days, cause, run_at)
               VALUES ('AVZ', 'JKT', 'avz-001', daterange(%s, %s::date + 2, '[]'), 'cancel', %s)""",
            (first, first, run),
        )
        rig.database.clock.advance(dt.timedelta(seconds=1))

    found = rig.reads("rd_ayu").freed_stretches("AVZ")

    assert [(f.sku, f.branch_id, f.days) for f in found] == [
        ("AVZ", "JKT", days("2027-03-10", "2027-03-12")),
        ("AVZ", "JKT", days("2027-03-20", "2027-03-22")),
    ]


def test_c32_the_first_double_claim_is_found_once_the_constraint_is_gone_and_not_asked_for_before(
    rig: Rig, siti: str
) -> None:
    rig.book("avz-001", "2027-03-12", "2027-03-14", customer=siti)
    rig.book("avz-001", "2027-03-20", "2027-03-22", customer=siti)
    reads, today = rig.reads("rd_ayu"), dt.date(2026, 12, 1)
    assert reads.first_doubled("JKT", today) is None
    rig.owner.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    assert reads.first_doubled("JKT", today) is None, "nothing overlaps yet"
    rig.owner.execute("SET session_replication_role = replica")
    rig.owner.execute(
        "UPDATE sentra.occupancy SET days = daterange('2027-03-13', '2027-03-23') WHERE lower(days) = '2027-03-20'"
    )
    assert reads.first_doubled("JKT", today) == ("avz-001", days("2027-03-13", "2027-03-14"))
    assert reads.first_doubled("MKS", today) is None
    assert reads.first_doubled("JKT", dt.date(2027, 3, 15)) is None, "it is over"
