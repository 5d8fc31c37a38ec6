"""What holds whatever a caller does: also by hand, as the cashier with psql, and as the owner of the tables."""

import uuid

import psycopg
import pytest
from psycopg import sql

from app.usecases.rows import BookedOrder
from tests.adapters.postgres.write_rig import WriteRig, march


@pytest.fixture
def booked(rig: WriteRig) -> BookedOrder:
    return rig.book("AVZ-01", first=march(10), last=march(12))


@pytest.mark.parametrize(
    "verb", ["UPDATE sentra.{0} SET {1} = {1}", "DELETE FROM sentra.{0}", "TRUNCATE sentra.{0} CASCADE"]
)
def test_what_is_written_once_is_never_changed_not_even_by_the_owner(
    rig: WriteRig, booked: BookedOrder, verb: str
) -> None:
    rig.open_shift()
    rig.pay(booked)
    rig.owner.execute(
        "INSERT INTO sentra.gateway_event (id, provider, order_id, transaction_id, status, code, body)"
        " VALUES (gen_random_uuid(), 'sim', 'o', 't', 'settlement', '200', '{}')"
    )
    columns = {"payment": "id", "tender": "kind", "audit": "action", "gateway_event": "id", "transition": "role"}

    for table, column in columns.items():
        with pytest.raises(psycopg.errors.RestrictViolation, match=f"{table} is insert-only"):
            rig.owner.execute(verb.format(table, column).encode())


@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("PAID_APPROVED", "create"),
        ("ACTIVE_RENTAL", "hand_over"),
        ("COMPLETED", "clear"),
        ("PENDING_PAYMENT", "create"),
        ("PAID_APPROVED", "cancel"),
        ("BOGUS", "bogus"),
    ],
)
def test_a_step_that_the_table_does_not_have_is_refused_even_to_the_owner(
    rig: WriteRig, booked: BookedOrder, state: str, action: str
) -> None:
    with pytest.raises(psycopg.Error) as refused:
        rig.owner.execute("UPDATE sentra.booking SET state = %s, last_action = %s", (state, action))

    assert (refused.value.sqlstate, refused.value.diag.message_primary) == ("SR001", "BOOKING_STATE")
    assert rig.state_of(booked.bookings[0].id) == "PENDING_PAYMENT"


@pytest.mark.parametrize(
    ("login", "state", "action", "allowed"),
    [
        ("rina", "PAID_APPROVED", "pay", False),
        ("bayu", "PAID_APPROVED", "pay", True),
        ("bayu", "CANCELLED", "expire", False),
        ("jaga", "PAID_APPROVED", "pay", True),
        ("gilang", "PAID_APPROVED", "pay", False),
        ("mega", "PAID_APPROVED", "pay", True),
        ("rina", "PENDING_PAYMENT", "hold_longer", False),
        ("mega", "PENDING_PAYMENT", "hold_longer", True),
    ],
)
def test_with_every_grant_on_bookings_a_person_still_takes_only_the_own_steps(
    rig: WriteRig, booked: BookedOrder, login: str, state: str, action: str, allowed: bool
) -> None:
    """Grants are one wall, the trigger another: here the first is taken away."""
    rig.owner.execute(sql.SQL("GRANT UPDATE, SELECT ON sentra.booking TO {}").format(sql.Identifier(rig.role(login))))
    rig.owner.execute("ALTER TABLE sentra.booking DISABLE ROW LEVEL SECURITY")

    with rig.psql(login) as mine:
        step = "UPDATE sentra.booking SET state = %s, last_action = %s"
        if allowed:
            assert mine.execute(step, (state, action)).rowcount == 1
        else:
            with pytest.raises(psycopg.Error) as refused:
                mine.execute(step, (state, action))
            assert refused.value.diag.message_primary == "NOT_ALLOWED"

    audited = rig.rows("SELECT actor, action FROM sentra.audit WHERE subject = %s ORDER BY id", booked.bookings[0].id)
    assert audited == [(rig.role("rina"), "create"), *([(rig.role(login), action)] if allowed else [])]


def test_every_change_of_state_has_its_audit_row_of_the_same_transaction(rig: WriteRig, booked: BookedOrder) -> None:
    rig.open_shift()
    rig.pay(booked)

    assert rig.rows(
        "SELECT action, before ->> 'state', after ->> 'state', (after ->> 'version')::int FROM sentra.audit"
        " WHERE subject = %s ORDER BY id",
        booked.bookings[0].id,
    ) == [("create", None, "PENDING_PAYMENT", 1), ("pay", "PENDING_PAYMENT", "PAID_APPROVED", 2)]
    assert rig.value(
        "SELECT a.txid %% 4294967296 = b.xmin::text::bigint FROM sentra.audit a JOIN sentra.booking b"
        " ON a.subject = b.id::text WHERE a.action = 'pay' AND %s",
        True,
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sentra.booking SET state = 'CANCELLED', last_action = 'cancel'",
        "UPDATE sentra.occupancy SET active = false",
        "UPDATE sentra.occupancy SET days = '[2027-03-10,2027-03-11]'",
        "UPDATE sentra.booking SET last_day = '2027-03-13', state = 'PENDING_PAYMENT', last_action = 'reschedule'",
    ],
    ids=["final-with-days", "open-without-days", "fewer-days", "more-days"],
)
def test_i3_a_bookings_days_must_fit_its_state_when_the_transaction_commits(
    rig: WriteRig, booked: BookedOrder, statement: str
) -> None:
    with psycopg.connect(rig.database.owner_url) as owner:
        owner.execute(statement.encode())  # not yet: the other half may follow
        with pytest.raises(psycopg.errors.CheckViolation) as broken:
            owner.commit()

    assert broken.value.diag.constraint_name == "booking_days"
    assert rig.state_of(booked.bookings[0].id) == "PENDING_PAYMENT"
    assert rig.taken("AVZ-01") == [(march(10), march(12))]


def test_i3_both_halves_in_one_transaction_are_fine(rig: WriteRig, booked: BookedOrder) -> None:
    with psycopg.connect(rig.database.owner_url) as owner:
        owner.execute("UPDATE sentra.occupancy SET active = false")
        owner.execute("UPDATE sentra.booking SET state = 'CANCELLED', last_action = 'cancel'")

    assert rig.state_of(booked.bookings[0].id) == "CANCELLED"


def test_r23_an_overlapping_row_put_in_by_hand_is_refused_by_the_constraint(rig: WriteRig, booked: BookedOrder) -> None:
    with pytest.raises(psycopg.errors.ExclusionViolation) as refused:
        rig.owner.execute(
            "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
            " VALUES ('AVZ-01', 'AVZ', 'JKT', '[2027-03-11,2027-03-11]', 'BOOKING', %s)",
            (booked.bookings[0].id,),
        )

    assert refused.value.diag.constraint_name == "occupancy_no_overlap"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sentra.occupancy SET unit_id = 'AVZ-02'",
        "UPDATE sentra.occupancy SET kind = 'OVERDUE'",
        "UPDATE sentra.booking SET branch_id = 'MKS', state = 'PENDING_PAYMENT', last_action = 'hold_longer'",
        "UPDATE sentra.booking SET number = 'BK-1', state = 'PENDING_PAYMENT', last_action = 'hold_longer'",
    ],
)
def test_what_names_a_row_never_changes(rig: WriteRig, booked: BookedOrder, statement: str) -> None:
    with pytest.raises(psycopg.errors.RestrictViolation):
        rig.owner.execute(statement.encode())


def test_freed_days_are_not_taken_back(rig: WriteRig, booked: BookedOrder) -> None:
    rig.cancel(booked.bookings[0].id)

    with pytest.raises(psycopg.errors.RestrictViolation, match="taken back"):
        rig.owner.execute("UPDATE sentra.occupancy SET active = true")


def test_every_change_of_a_units_days_raises_its_version(rig: WriteRig) -> None:
    def version() -> object:
        return rig.value("SELECT availability_version FROM sentra.unit WHERE id = 'AVZ-01'")

    seen = [version()]
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    seen.append(version())
    rig.cancel(booked.bookings[0].id)
    seen.append(version())

    assert seen == [0, 1, 2]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sentra.invoice SET lock_epoch = 99",
        "UPDATE sentra.invoice SET paid = total, state = 'PAID'",
        "UPDATE sentra.invoice SET locked_by = session_user, locked_until = 'infinity'",
        "UPDATE sentra.booking SET state = 'PAID_APPROVED', last_action = 'pay'",
        "UPDATE sentra.occupancy SET active = false",
        "INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, attempt_id, lock_epoch, paid_at, counter)"
        " SELECT gen_random_uuid(), id, branch_id, total, 'x', lock_epoch, sentra.now(), 'K1' FROM sentra.invoice",
        "SELECT sentra.void_invoice(id) FROM sentra.invoice",
        "SELECT sentra.write_lock(NULL, repeat('x', 40), 'K1', sentra.now())",
        "SELECT sentra.free_days(NULL, 'x')",
        "SELECT sentra.expire_next()",
        "SELECT nextval('sentra.booking_number')",
        "UPDATE sentra.unit SET availability_version = 0",
        "UPDATE sentra.number_counter SET last = 0",
    ],
)
def test_a_cashier_with_psql_forges_neither_lock_nor_money_nor_days(
    rig: WriteRig, booked: BookedOrder, statement: str
) -> None:
    rig.take(booked.invoice_id)

    with rig.psql("bayu") as mine, pytest.raises(psycopg.errors.InsufficientPrivilege):
        mine.execute(statement.encode())


@pytest.mark.parametrize("forged", ["epoch", "amount", "somebody_else", "no_epoch", "expired"])
def test_with_a_grant_on_payments_the_guard_still_demands_the_current_lock(
    rig: WriteRig, booked: BookedOrder, forged: str
) -> None:
    rig.owner.execute(
        sql.SQL("GRANT INSERT ON sentra.payment TO {}").format(sql.Identifier(rig.role("bayu"))),
    )
    rig.owner.execute("ALTER TABLE sentra.payment DISABLE ROW LEVEL SECURITY")
    _, lock = rig.take(booked.invoice_id)
    if forged == "expired":
        rig.minutes_pass(1)
    epoch = {"epoch": lock.epoch + 1, "no_epoch": None}.get(forged, lock.epoch)

    with rig.psql("bayu") as mine, pytest.raises(psycopg.Error) as refused:
        mine.execute(
            "INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, attempt_id, lock_epoch, paid_at, counter,"
            " cashier) VALUES (%s, %s, 'JKT', %s, 'x', %s, sentra.now(), 'K1', %s)",
            (
                str(uuid.uuid4()),
                booked.invoice_id,
                1 if forged == "amount" else booked.total,
                epoch,
                rig.role("citra" if forged == "somebody_else" else "bayu"),
            ),
        )

    expected = {"amount": "AMOUNT_MISMATCH", "somebody_else": "NOT_ALLOWED", "no_epoch": "NOT_ALLOWED"}
    assert refused.value.diag.message_primary == expected.get(forged, "LOCK_LOST")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sentra.invoice SET lock_epoch = 0",
        "UPDATE sentra.invoice SET state = 'OPEN'",
        "UPDATE sentra.invoice SET total = 1",
        "UPDATE sentra.invoice SET number = 'INV/JKT/202703/00009'",
    ],
)
def test_a_settled_invoice_stays_as_it_was_settled(rig: WriteRig, booked: BookedOrder, statement: str) -> None:
    rig.open_shift()
    rig.pay(booked)

    with pytest.raises(psycopg.errors.RestrictViolation):
        rig.owner.execute(statement.encode())


def test_lock_columns_are_all_filled_or_all_empty(rig: WriteRig, booked: BookedOrder) -> None:
    with pytest.raises(psycopg.errors.CheckViolation, match="invoice_lock_whole"):
        rig.owner.execute("UPDATE sentra.invoice SET locked_by = 'x'")


def test_somebody_who_was_disabled_in_the_staff_table_alone_can_do_nothing(rig: WriteRig, booked: BookedOrder) -> None:
    rig.owner.execute("UPDATE sentra.staff SET active = false WHERE login = 'bayu'")

    with rig.psql("bayu") as mine:
        assert mine.execute("SELECT id FROM sentra.booking").fetchall() == []
        with pytest.raises(psycopg.Error) as refused:
            mine.execute("SELECT sentra.take_lock(%s, repeat('x', 40), 'K1')", (booked.invoice_id,))

    assert refused.value.diag.message_primary == "NOT_ALLOWED"
