"""Role by table by verb, declared here once and tried as each role: what psql as an employee can do, and cannot."""

import psycopg
import pytest
from psycopg import sql

from tests.adapters.postgres.write_rig import WriteRig, march

A, I, C, M, S = "rina", "gilang", "bayu", "mega", "jaga"  # noqa: E741 - agent, inspector, cashier, manager, service
EVERYBODY = {A, I, C, M, S}

# Who may SELECT. Nobody may INSERT, UPDATE, DELETE or TRUNCATE anything: every write is a function.
READS = {
    "schema_version": EVERYBODY,
    "branch": EVERYBODY,
    "sku": EVERYBODY,
    "unit": EVERYBODY,
    "occupancy": EVERYBODY,
    "maintenance": EVERYBODY,
    "transition": EVERYBODY,
    "ppn_rate": EVERYBODY,
    "customer": EVERYBODY,
    "customer_word": EVERYBODY,
    "staff": EVERYBODY,
    "booking": EVERYBODY,
    "booking_order": EVERYBODY,
    "invoice": EVERYBODY,
    "invoice_line": EVERYBODY,
    "setting": EVERYBODY,
    "payment": {A, C, M, S},
    "tender": {A, C, M, S},
    "waitlist_entry": {A, C, M, S},
    "freed_stretch": {A, C, M, S},
    "refund": {C, M, S},
    "shift": {C, M, S},
    "late_money": {C, M, S},
    "audit": {M, S},
    "approval": {M, S},
    "outbox": {S},
    "offer": {S},
    "gateway_event": {S},
    "number_counter": {S},
    "turn": set(),
}
WRITES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE")
# Tables whose rows belong to a branch: another branch's are as if they were not there.
BRANCHED = (
    *("staff", "booking", "booking_order", "invoice", "invoice_line", "payment", "tender", "refund", "shift"),
    *("late_money", "waitlist_entry", "freed_stretch", "offer", "audit", "approval", "number_counter"),
)
# One readable column of each table that a plain count does not prove (columns without grant break `*`).
COLUMN = {
    "audit": "action",
    "staff": "login",
    "invoice": "id",
    "schema_version": "version_num",
    "number_counter": "month",
}
CALLS = {
    "now": EVERYBODY,
    "has_role": EVERYBODY,
    "me": EVERYBODY,
    "my_branch": EVERYBODY,
    "my_counter": EVERYBODY,
    "is_clean": EVERYBODY,
    "is_note": EVERYBODY,
    "is_sane": EVERYBODY,
    "single_spaced": EVERYBODY,
    "folded": EVERYBODY,
    "name_fault": EVERYBODY,
    "book_order": {A, C, M, S},
    "end_booking": {A, C, M},
    "due_orders": {S},
    "expire_order": {S},
    "expire_next": {S},
    "take_lock": {C, M},
    "renew_lock": {C, M},
    "move_lock": {C, M},
    "release_lock": {C, M},
    "settle_invoice": {C, M},
    "open_shift": {C, M},
    "import_fleet": {M},
    "add_staff": {M},
    "disable_staff": {M},
    "claim_outbox": {S},
    "finish_outbox": {S},
    "retry_outbox": {S},
}
# The harness's clock is no part of the product.
HARNESS = {"driven_clock"}


def test_the_declaration_covers_every_table_and_function(rig: WriteRig) -> None:
    tables = {row[0] for row in rig.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'sentra'")}
    functions = {
        row[0]
        for row in rig.rows("SELECT proname FROM pg_proc WHERE pronamespace = 'sentra'::regnamespace")
        if row[0] not in {"driven_now"}
    }

    assert tables - HARNESS == set(READS)
    assert set(CALLS) <= functions


@pytest.mark.parametrize("login", [A, I, C, M, S])
def test_a_role_reads_exactly_its_tables(rig: WriteRig, login: str) -> None:
    with rig.psql(login) as mine:
        read = set()
        for table in READS:
            column = COLUMN.get(table) or rig.value(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'sentra'"
                " AND table_name = %s ORDER BY ordinal_position LIMIT 1",
                table,
            )
            statement = sql.SQL("SELECT {} FROM sentra.{} LIMIT 1")
            try:
                mine.execute(statement.format(sql.Identifier(column), sql.Identifier(table)))
            except psycopg.errors.InsufficientPrivilege:
                continue
            read.add(table)

    assert read == {table for table, logins in READS.items() if login in logins}


@pytest.mark.parametrize("login", [A, I, C, M, S])
def test_a_role_writes_no_table_by_hand(rig: WriteRig, login: str) -> None:
    with rig.psql(login) as mine:
        written = []
        for table in READS:
            column = COLUMN.get(table) or rig.value(
                "SELECT attname FROM pg_attribute WHERE attrelid = ('sentra.' || %s)::regclass AND attnum = 1", table
            )
            name, one = sql.Identifier(table), sql.Identifier(column)
            attempts = {
                "INSERT": sql.SQL("INSERT INTO sentra.{} DEFAULT VALUES").format(name),
                "UPDATE": sql.SQL("UPDATE sentra.{} SET {} = {}").format(name, one, one),
                "DELETE": sql.SQL("DELETE FROM sentra.{}").format(name),
                "TRUNCATE": sql.SQL("TRUNCATE sentra.{}").format(name),
            }
            for verb in WRITES:
                try:
                    mine.execute(attempts[verb])
                except psycopg.errors.InsufficientPrivilege:
                    continue
                written.append((table, verb))

    assert written == []


@pytest.mark.parametrize("login", [A, I, C, M, S])
def test_a_role_calls_exactly_its_functions(rig: WriteRig, login: str) -> None:
    callable_ = {
        row[0]
        for row in rig.rows(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'sentra'::regnamespace"
            " AND has_function_privilege(%s, oid, 'EXECUTE')",
            rig.role(login),
        )
    }

    assert callable_ == {name for name, logins in CALLS.items() if login in logins}


@pytest.mark.parametrize("login", [A, I, C, M, S])
def test_nobody_makes_tables_functions_or_roles(rig: WriteRig, login: str) -> None:
    forbidden = (
        "CREATE TEMP TABLE t (x int)",
        "CREATE TABLE sentra.t (x int)",
        "CREATE TABLE public.t (x int)",
        "CREATE FUNCTION sentra.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE SCHEMA own",
        "CREATE ROLE somebody",
        "ALTER TABLE sentra.booking DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        f"SET ROLE {rig.database.prefix}_owner",
        f"SET ROLE {rig.database.prefix}_service",
        f"SET SESSION AUTHORIZATION {rig.role('mega' if login != 'mega' else 'rina')}",
        f"GRANT {rig.database.prefix}_manager TO {rig.role(login)}",
        "SELECT rolpassword FROM pg_authid",
    )
    with rig.psql(login) as mine:
        for statement in forbidden:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                mine.execute(statement.encode())


@pytest.mark.parametrize("login", [A, I, C, M])
def test_nobody_at_a_counter_reads_a_locks_token(rig: WriteRig, login: str) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.take(booked.invoice_id)

    with rig.psql(login) as mine:
        for column in ("lock_token", "*"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                mine.execute(f"SELECT {column} FROM sentra.invoice".encode())


@pytest.mark.parametrize("login", ["tono", "hesti"])
def test_another_branchs_rows_are_as_if_they_were_not_there(rig: WriteRig, login: str) -> None:
    """Everything that happened in Jakarta, seen from Makassar: no row, in any table that a branch owns."""
    rig.open_shift()
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    rig.pay(booked)
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    rig.cancel(other.bookings[0].id)
    fill_the_rest(rig, booked.bookings[0].id, booked.invoice_id)

    readable = {A, C} if login == "tono" else {A, I, C, M}  # what agent and cashier, or a manager, may read
    with rig.psql(login) as mine:
        for table in BRANCHED:
            assert rig.value(f"SELECT count(*) FROM sentra.{table} WHERE branch_id = 'JKT'") > 0, table
            look = f"SELECT 1 FROM sentra.{table} WHERE branch_id = 'JKT'".encode()
            if READS[table] & readable:
                assert mine.execute(look).fetchall() == [], table
            else:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    mine.execute(look)


def fill_the_rest(rig: WriteRig, booking_id: str, invoice_id: str) -> None:
    """A row in each table that nothing writes yet."""
    customer = rig.value("SELECT customer_id FROM sentra.booking WHERE id = %s", booking_id)
    rig.owner.execute(
        "INSERT INTO sentra.waitlist_entry (id, customer_id, branch_id, sku_id, first_day, last_day, tier_weight)"
        " VALUES (gen_random_uuid(), %s, 'JKT', 'AVZ', '2027-03-10', '2027-03-12', 3)",
        (customer,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.offer (id, entry_id, booking_id, branch_id, token_hash)"
        " SELECT gen_random_uuid(), id, %s, 'JKT', '\\x00' FROM sentra.waitlist_entry",
        (booking_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.refund (id, branch_id, invoice_id, amount, kind, state, reason)"
        " VALUES (gen_random_uuid(), 'JKT', %s, 1, 'DEPOSIT', 'DUE', 'selesai')",
        (invoice_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.gateway_event (id, provider, order_id, transaction_id, status, code, body)"
        " VALUES (gen_random_uuid(), 'sim', 'o', 't', 'settlement', '200', '{}')"
    )
    rig.owner.execute(
        "INSERT INTO sentra.late_money (id, branch_id, gateway_event_id, invoice_id, amount, state)"
        " SELECT gen_random_uuid(), 'JKT', id, %s, 1, 'OPEN' FROM sentra.gateway_event",
        (invoice_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.approval (id, branch_id, action, object, reason, expires_at)"
        " VALUES (gen_random_uuid(), 'JKT', 'refund', %s, 'salah', sentra.now())",
        (invoice_id,),
    )
