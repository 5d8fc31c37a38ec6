"""Every invariant's query: silent on what the product writes, and naming what got past constraints and triggers."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.adapters.postgres.invariants import INVARIANTS
from app.adapters.postgres.migrate import provision
from app.usecases.doctor import IN_DATABASE
from app.usecases.rows import Break
from tests.adapters.postgres.reads_rig import Booked, Rig, open_rig
from tests.support.databases import ScratchDatabase

NOW = dt.datetime(2027, 3, 10, 3, tzinfo=dt.UTC)


@pytest.fixture
def rig(database: ScratchDatabase) -> Iterator[Rig]:
    database.clock.stand(NOW)
    with open_rig(database) as made:
        made.branch("JKT")
        made.staff("rd_svc", "JKT", "service")
        made.sku("AVZ")
        made.units("AVZ", "JKT", 4)
        yield made


@pytest.fixture
def hadi(rig: Rig) -> str:
    return rig.customer("Hadi Wijaya", "+628121111111")


@pytest.fixture
def booked(rig: Rig, hadi: str) -> Booked:
    return rig.book("avz-001", "2027-03-12", "2027-03-14", customer=hadi)[0]


@contextmanager
def triggers_off(rig: Rig) -> Iterator[None]:
    """As somebody does who means to pass by them: for this session only, the triggers stay in place."""
    rig.owner.execute("SET session_replication_role = replica")
    yield
    rig.owner.execute("SET session_replication_role = origin")


def breaks(rig: Rig) -> tuple[Break, ...]:
    return rig.reads("rd_svc").breaks()


def found(rig: Rig) -> set[tuple[str, str]]:
    """Invariant and id of every break."""
    return {(item.invariant, item.id) for item in breaks(rig)}


def test_whatever_the_product_may_write_breaks_nothing(rig: Rig, hadi: str) -> None:
    rig.pay(rig.book(["avz-001", "avz-002"], "2027-03-12", "2027-03-14", customer=hadi)[0], "cashier")
    rig.end(rig.book("avz-003", "2027-03-12", "2027-03-14", customer=hadi)[0].id)
    rig.complete(rig.book("avz-003", "2027-03-12", "2027-03-14", customer=hadi)[0].id)
    rig.maintenance("avz-004", "2027-03-12", "2027-04-14")
    late = rig.book("avz-004", "2027-03-10", "2027-03-11", customer=hadi)[0]
    rig.walk(late.id, ("PAID_APPROVED", "pay"), ("DISPATCHED", "check_out"), ("ACTIVE_RENTAL", "hand_over"))
    rig.overdue(late.id, "2027-03-12", "2027-03-13")
    released = rig.book("avz-003", "2027-03-20", "2027-03-21", customer=hadi)[0]
    steps = [("PAID_APPROVED", "pay"), ("DISPATCHED", "check_out"), ("ACTIVE_RENTAL", "hand_over")]
    rig.walk(released.id, *steps, ("RETURNED_PENDING_CHECK", "check_in"), ("DISPUTED", "dispute"))
    rig.end(released.id, "DISPUTED", "release_unit")

    assert breaks(rig) == ()


def test_every_invariant_of_the_doctors_list_has_its_query() -> None:
    assert tuple(INVARIANTS) == IN_DATABASE


def test_i1_an_overlap_is_found_when_the_constraint_was_dropped(rig: Rig, booked: Booked, hadi: str) -> None:
    rig.owner.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    rig.book("avz-001", "2027-03-14", "2027-03-16", customer=hadi)

    overlap = next(item for item in breaks(rig) if item.invariant == "I1")

    assert (overlap.unit_id, overlap.day) == ("avz-001", "2027-03-14")
    assert "[2027-03-12,2027-03-15)" in overlap.postgres
    assert ("GUARDS", "occupancy_no_overlap") in found(rig)


def test_i1_neighbours_overdue_layers_and_freed_days_are_no_overlap(rig: Rig, booked: Booked, hadi: str) -> None:
    rig.owner.execute("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    rig.book("avz-001", "2027-03-15", "2027-03-16", customer=hadi)
    rig.end(rig.book("avz-001", "2027-03-13", "2027-03-13", customer=hadi)[0].id)

    assert {invariant for invariant, _ in found(rig)} == {"GUARDS"}


@pytest.mark.parametrize("damage", ["freed", "twice", "other days", "final but taken"])
def test_i3_a_booking_and_its_days_that_part_are_found(rig: Rig, booked: Booked, damage: str) -> None:
    with triggers_off(rig):
        if damage == "freed":
            rig.owner.execute("UPDATE sentra.occupancy SET active = false")
        elif damage == "twice":
            rig.owner.execute(
                """INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)
                   SELECT 'avz-002', sku_id, branch_id, days, kind, booking_id FROM sentra.occupancy"""
            )
        elif damage == "other days":
            rig.owner.execute("UPDATE sentra.occupancy SET days = daterange(lower(days), upper(days) + 1)")
        else:
            rig.owner.execute("UPDATE sentra.booking SET state = 'CANCELLED', last_action = 'cancel'")

    assert ("I3", booked.id) in found(rig)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE sentra.invoice SET paid = paid + 1",
        "UPDATE sentra.invoice SET paid = paid - 1",
        "UPDATE sentra.payment SET amount = amount - 1",
        "UPDATE sentra.tender SET amount = amount - 1",
        "UPDATE sentra.invoice_line SET amount = amount + 1 WHERE kind = 'RENT'",
        "UPDATE sentra.invoice SET state = 'OPEN'",
        "DELETE FROM sentra.tender",
        """INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, attempt_id, lock_epoch, paid_at, counter)
           SELECT gen_random_uuid(), invoice_id, branch_id, 0, 'again', lock_epoch, paid_at, counter
           FROM sentra.payment""",
    ],
)
def test_i4_money_that_is_off_by_one_is_found(rig: Rig, booked: Booked, damage: str) -> None:
    rig.pay(booked, "cashier")
    assert breaks(rig) == ()

    with triggers_off(rig):
        rig.owner.execute(damage.encode())

    assert ("I4", booked.invoice_id) in found(rig)


def test_a_deposit_that_is_given_out_twice_is_found(rig: Rig, booked: Booked) -> None:
    rig.pay(booked, "cashier")
    give_back = """INSERT INTO sentra.refund (id, branch_id, invoice_id, booking_id, amount, kind, state, reason)
                   SELECT gen_random_uuid(), branch_id, invoice_id, booking_id, amount, 'DEPOSIT', 'DUE', 'selesai'
                   FROM sentra.invoice_line WHERE kind = 'DEPOSIT'"""
    rig.owner.execute(give_back)
    assert breaks(rig) == ()
    rig.owner.execute(give_back)
    assert ("DEPOSITS", booked.id) in found(rig)


def test_a_number_that_is_left_out_is_found(rig: Rig, booked: Booked) -> None:
    rig.owner.execute("INSERT INTO sentra.number_counter (branch_id, month, last) VALUES ('JKT', '202703', 0)")
    assert breaks(rig) == ()
    rig.owner.execute("UPDATE sentra.number_counter SET last = 2")
    rig.owner.execute("UPDATE sentra.invoice SET number = 'INV/JKT/202703/00002' WHERE id = %s", (booked.invoice_id,))
    assert found(rig) == {("NUMBERS", "JKT/202703")}


def test_credit_and_a_closed_drawer_that_do_not_come_to_their_entries_are_found(rig: Rig, hadi: str) -> None:
    rig.owner.execute(
        "INSERT INTO sentra.credit_account (branch_id, customer_id, balance) VALUES ('JKT', %s, 5)", (hadi,)
    )
    rig.owner.execute(
        "INSERT INTO sentra.shift (number, branch_id, drawer, cashier, counter, opening_float, closed_at, counted,"
        " expected) VALUES (1, 'JKT', 'Laci 1', 'budi', 'K1', 500, sentra.now(), 499, 499)"
    )
    ((shift,),) = rig.owner.execute("SELECT id::text FROM sentra.shift").fetchall()
    assert found(rig) == {("TILL", hadi), ("TILL", shift)}


def test_i4_a_refund_that_was_paid_out_counts_and_one_that_is_due_does_not(rig: Rig, booked: Booked) -> None:
    rig.pay(booked, "cashier")
    for state in ("DUE", "DONE"):
        rig.owner.execute(
            """INSERT INTO sentra.refund (id, branch_id, invoice_id, amount, kind, state, reason)
               VALUES (gen_random_uuid(), 'JKT', %s, 500000, 'DEPOSIT', %s, 'selesai')""",
            (booked.invoice_id, state),
        )
    assert ("I4", booked.invoice_id) in found(rig)

    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.invoice SET paid = paid - 500000")

    assert breaks(rig) == ()


def test_i5_a_payment_under_another_epoch_is_found(rig: Rig, booked: Booked) -> None:
    payment = rig.pay(booked, "cashier")

    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.payment SET lock_epoch = lock_epoch + 1")
    assert found(rig) == {("I5", payment)}

    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.payment SET lock_epoch = NULL")
    assert found(rig) == {("I5", payment), ("I7", payment)}, "cash has an epoch, and no gateway told of it"


@pytest.mark.parametrize(
    ("past", "locked", "broken"), [(30, 0, False), (31, 0, True), (330, 60, False), (331, 60, True)]
)
def test_i6_an_unpaid_booking_long_past_its_deadline_is_found(
    rig: Rig, booked: Booked, past: int, locked: int, broken: bool
) -> None:
    rig.database.clock.advance(dt.timedelta(minutes=15, seconds=past))
    if locked:
        rig.lock(booked.invoice_id, "postgres", "Kasir 1", locked)

    assert (("I6", booked.id) in found(rig)) is broken


def test_i9_an_outbox_row_past_its_limit_is_found_unless_it_is_done(rig: Rig) -> None:
    rig.owner.execute(
        """INSERT INTO sentra.outbox (kind, payload, done_at) VALUES
           ('stuck', '{}', NULL), ('done', '{}', sentra.now())"""
    )
    rig.database.clock.advance(dt.timedelta(minutes=10))
    assert breaks(rig) == ()

    rig.database.clock.advance(dt.timedelta(seconds=1))

    (late,) = breaks(rig)
    assert (late.invariant, late.postgres.split()[0]) == ("I9", "stuck")


def test_an_outside_effect_that_was_given_up_is_found_until_it_is_done(rig: Rig) -> None:
    rig.owner.execute(
        """INSERT INTO sentra.outbox (kind, payload, attempts, given_up_at, error)
           VALUES ('receipt', '{}', 12, sentra.now(), 'no paper')"""
    )

    (given_up,) = breaks(rig)
    assert (given_up.invariant, given_up.postgres) == ("OUTBOX", "receipt given up after 12 tries: no paper")

    rig.owner.execute("UPDATE sentra.outbox SET done_at = sentra.now()")
    assert breaks(rig) == ()


def test_i10_a_state_no_action_leads_to_is_found(rig: Rig, booked: Booked) -> None:
    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.booking SET state = 'DISPATCHED'")

    assert ("I10", booked.id) in found(rig)


def test_i10_a_step_the_table_does_not_have_is_found_in_the_history(rig: Rig, booked: Booked) -> None:
    with triggers_off(rig):
        rig.owner.execute(
            """UPDATE sentra.audit SET action = 'check_out', after = after || '{"state": "DISPATCHED"}'
               WHERE subject = %s""",
            (booked.id,),
        )

    assert ("I10", booked.id) in found(rig)


def test_i11_a_state_changed_with_the_triggers_off_is_found(rig: Rig, booked: Booked) -> None:
    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay'")

    assert found(rig) == {("I11", booked.id)}
    (told,) = breaks(rig)
    assert "is PAID_APPROVED version 1, its audit ends with PENDING_PAYMENT version 1" in told.postgres


def test_i11_a_hidden_step_is_found_after_later_ones_that_were_audited(rig: Rig, booked: Booked) -> None:
    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay', version = 2")
    rig.move(booked.id, "DISPATCHED", "check_out")

    assert ("I11", booked.id) in found(rig)


def test_i11_a_state_changed_and_put_back_without_audit_is_found(rig: Rig, booked: Booked) -> None:
    """The row was last written by another transaction than the one of its last audit row."""
    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay'")
        rig.owner.execute("UPDATE sentra.booking SET state = 'PENDING_PAYMENT', last_action = 'create'")

    assert found(rig) == {("I11", booked.id)}


def test_i11_a_forged_audit_row_does_not_cover_a_change(rig: Rig, booked: Booked) -> None:
    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay', version = 2")
    rig.owner.execute(
        """INSERT INTO sentra.audit (action, subject, before, after) VALUES
           ('pay', %s, '{"state": "PENDING_PAYMENT", "version": 1}', '{"state": "PAID_APPROVED", "version": 2}')""",
        (booked.id,),
    )

    assert found(rig) == {("I11", booked.id)}


def test_i11_an_invoice_paid_without_audit_is_found(rig: Rig, booked: Booked) -> None:
    rig.pay(booked, "cashier")
    with triggers_off(rig):
        rig.owner.execute("DELETE FROM sentra.audit WHERE action = 'settle'")

    assert found(rig) == {("I11", booked.invoice_id)}


def test_i11_holds_in_a_restored_database_whose_transactions_are_new(rig: Rig, booked: Booked) -> None:
    """A restore writes rows and audit anew: their numbers say nothing then, what they tell still does."""
    rig.pay(booked, "cashier")
    with triggers_off(rig):
        rig.owner.execute("CREATE TABLE public.kept AS SELECT * FROM sentra.audit")
        rig.owner.execute("DELETE FROM sentra.audit")
        rig.owner.execute("INSERT INTO sentra.audit OVERRIDING SYSTEM VALUE SELECT * FROM public.kept")
        rig.owner.execute("UPDATE sentra.booking SET note = note")

    assert breaks(rig) == ()


def test_slots_that_meet_or_reach_past_the_next_one_are_found(rig: Rig, booked: Booked) -> None:
    rig.owner.execute("ALTER TABLE sentra.unit DROP CONSTRAINT unit_slot_once")
    rig.owner.execute("UPDATE sentra.unit SET slot = 1 WHERE id = 'avz-003'")
    rig.owner.execute("UPDATE sentra.unit SET slot = 9 WHERE id = 'avz-004'")

    assert found(rig) - {("GUARDS", "unit_slot_once")} == {("SLOTS", f"avz-{n:03}") for n in (2, 3, 4)}


def test_days_kept_under_another_sku_than_the_units_are_found(rig: Rig, booked: Booked) -> None:
    rig.sku("BUS")
    rig.owner.execute("UPDATE sentra.sku SET next_slot = 1 WHERE id = 'BUS'")
    rig.owner.execute("UPDATE sentra.unit SET sku_id = 'BUS', slot = 0 WHERE id = 'avz-001'")

    (wrong,) = [item for item in breaks(rig) if item.invariant == "SLOTS"]

    assert (wrong.unit_id, wrong.day) == ("avz-001", "2027-03-12")


def test_half_a_lock_and_a_lock_on_a_closed_invoice_are_found(rig: Rig, booked: Booked) -> None:
    rig.owner.execute("ALTER TABLE sentra.invoice DROP CONSTRAINT invoice_lock_whole")
    rig.owner.execute("UPDATE sentra.invoice SET locked_by = 'somebody'")
    assert ("LOCKS", booked.invoice_id) in found(rig)

    rig.owner.execute("UPDATE sentra.invoice SET locked_by = NULL")
    rig.lock(booked.invoice_id, "postgres", "Kasir 1", 60)
    assert found(rig) == {("GUARDS", "invoice_lock_whole")}
    with triggers_off(rig):
        rig.owner.execute("UPDATE sentra.invoice SET state = 'VOID'")
    assert ("LOCKS", booked.invoice_id) in found(rig)


@pytest.mark.parametrize(("table", "trigger"), [("booking", "booking_guard"), ("audit", "insert_only")])
def test_a_guard_that_is_switched_off_is_named(rig: Rig, table: str, trigger: str) -> None:
    rig.owner.execute(f"ALTER TABLE sentra.{table} DISABLE TRIGGER {trigger}".encode())

    (missing,) = breaks(rig)

    assert (missing.invariant, missing.id) == ("GUARDS", trigger)
    assert f"{trigger} on {table}" in missing.postgres


def test_every_trigger_of_the_schema_that_is_switched_off_is_named(rig: Rig) -> None:
    triggers = rig.owner.execute(
        """SELECT c.relname, t.tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
           WHERE c.relnamespace = 'sentra'::regnamespace AND NOT t.tgisinternal ORDER BY 1, 2"""
    ).fetchall()
    assert len(triggers) >= 19
    unseen = []
    for table, trigger in triggers:
        for off in ("DISABLE", "ENABLE REPLICA"):
            rig.owner.execute(f"ALTER TABLE sentra.{table} {off} TRIGGER {trigger}".encode())
            if found(rig) != {("GUARDS", trigger)}:
                unseen.append((table, trigger, off))
            rig.owner.execute(f"ALTER TABLE sentra.{table} ENABLE TRIGGER {trigger}".encode())

    assert unseen == []
    assert breaks(rig) == ()


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (
            "ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap,"
            " ADD CONSTRAINT occupancy_no_overlap EXCLUDE USING gist (id WITH =)",
            "occupancy_no_overlap",
        ),
        ("ALTER TABLE sentra.payment DROP CONSTRAINT payment_attempt_once", "payment_attempt_once"),
        ("ALTER TABLE sentra.tender DISABLE TRIGGER ALL", "tender_payment_id_fkey"),
        ("ALTER POLICY own_branch ON sentra.invoice USING (id IS NOT NULL)", "own_branch"),
        ("ALTER TABLE sentra.invoice DISABLE ROW LEVEL SECURITY", "invoice"),
        (
            "CREATE OR REPLACE FUNCTION sentra.payment_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
            " SET search_path = sentra, pg_temp AS 'BEGIN RETURN NEW; END'",
            "payment_guard()",
        ),
        ("DELETE FROM sentra.guard", "guard"),
    ],
)
def test_a_guard_that_says_less_than_the_migrations_made_it_say_is_named(rig: Rig, statement: str, name: str) -> None:
    rig.owner.execute(statement.encode())

    assert ("GUARDS", name) in found(rig)


def test_setting_up_again_does_not_take_a_changed_guard_for_the_migrations_work(
    rig: Rig, database: ScratchDatabase
) -> None:
    rig.owner.execute("ALTER TABLE sentra.payment DISABLE TRIGGER payment_guard")

    provision(database.owner_url, prefix=database.prefix)

    assert found(rig) == {("GUARDS", "payment_guard")}
