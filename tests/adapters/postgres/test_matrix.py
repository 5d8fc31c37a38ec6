"""Role by table by verb, declared here once and tried as each role: what psql as an employee can do, and cannot."""

import psycopg
import pytest
from psycopg import sql

from tests.adapters.postgres import granted
from tests.adapters.postgres.granted import HARNESS, Right
from tests.adapters.postgres.write_rig import PEOPLE, WriteRig, march

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
    "company": EVERYBODY,
    "customer_identity": EVERYBODY,
    "identity_ticket": set(),
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
    "gateway_attempt": {A, C, M, S},
    "number_counter": {S},
    "turn": set(),
    "service_beat": EVERYBODY,
    "drift": EVERYBODY,
    "guard": {S},
    "holiday": EVERYBODY,
    "refused_demand": {M, S},
    "branch_text": EVERYBODY,
    "printed_document": EVERYBODY,
    "sku_rate": EVERYBODY,
    "extra": EVERYBODY,
    "booking_extra": EVERYBODY,
    **{
        name: {C, M, S}
        for name in ("credit_account", "credit_entry", "receivable", "collective_invoice", "withholding")
    },
    **{name: {C, M, S} for name in ("printed_money", "lock_history", "cash_movement", "shift_count")},
    "paper_counter": {S},
    "charge_terms": EVERYBODY,
    "inspection": EVERYBODY,
    "handover": EVERYBODY,
    "damage": EVERYBODY,
    "photo": EVERYBODY,
    "photo_bytes": set(),
    "collateral": EVERYBODY,
    "charge": EVERYBODY,
    "deposit_hold": EVERYBODY,
}
WRITES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE")
# Tables that are not readable whole: the columns that are. Of every other table in READS each column is.
COLUMNS = {
    "customer_identity": {"customer_id", "kind", "masked", "written_at"},
    "staff": {"login", "role_name", "name", "branch_id", "active"},
    "invoice": {
        *(
            "id",
            "number",
            "order_id",
            "branch_id",
            "customer_id",
            "kind",
            "state",
            "base",
            "dpp",
            "ppn",
            "total",
            "paid",
        ),
        *("issued_on", "settled_at", "voided_at", "locked_by", "locked_until", "locked_at", "locked_counter"),
        *("lock_epoch", "created_at", "created_by"),
    },
}
# Tables whose rows belong to a branch: another branch's are as if they were not there.
BRANCHED = (
    *("staff", "booking", "booking_order", "invoice", "invoice_line", "payment", "tender", "refund", "shift"),
    *("late_money", "waitlist_entry", "freed_stretch", "offer", "audit", "approval", "number_counter"),
    *("holiday", "refused_demand"),
    *("branch_text", "printed_document"),
    *("extra", "booking_extra"),
    *("credit_account", "credit_entry", "receivable", "collective_invoice", "withholding", "printed_money"),
    *("lock_history", "paper_counter", "cash_movement", "shift_count"),
    *("inspection", "handover", "photo", "collateral", "charge", "deposit_hold"),
    "gateway_attempt",
)
# One readable column of each table that a plain count does not prove (columns without grant break `*`).
COLUMN = {
    "customer_identity": "masked",
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
    "book_with_down_payment": {A, C, M, S},
    "await_order": {A, C, M},
    "begin_approval_try": {A, I, C, M},
    "note_wrong_approval": {A, I, C, M},
    "approve": {M},
    "hold_longer": {A, C, M},
    "cancellation_basis": {A, M},
    "cancel_paid": {A, M},
    "end_booking": {A, C, M},
    "change_basis": {A, I, M},
    "swap_unit": {A, I, M},
    "reschedule_booking": {A, M},
    "request_extension": {A, M},
    "reject_extension": {A, M},
    "shorten_booking": {A, M},
    "due_orders": {S},
    "expire_order": {S},
    "expire_next": {S},
    "take_lock": {C, M},
    "renew_lock": {C, M},
    "move_lock": {C, M},
    "release_lock": {C, M},
    "call_back_payment": {C, M},
    "settle_invoice": {C, M},
    "open_shift": {C, M},
    "import_fleet": {M},
    "add_staff": {M},
    "disable_staff": {M},
    "claim_outbox": {S},
    "finish_outbox": {S},
    "retry_outbox": {S},
    "finish_projections": {S},
    "retry_given_up": {S},
    "beat_service": {S},
    "end_service": {S},
    "record_drift": {S},
    "guards_now": {S},
    "save_customer": {A, C, M},
    "save_company": {A, C, M},
    "ask_identity": {A, I, C, M},
    "use_identity_ticket": {S},
    "publish_identity_key": {S},
    "unread_identities": {S},
    "note_identity": {S},
    "join_waitlist": {A, C, M},
    "withdraw_waitlist": {A, C, M},
    "block_unit": {A, I, M},
    "end_block": {A, I, M},
    "edit_holiday": {M},
    "record_refusal": {A, I, C, M},
    "is_long_text": EVERYBODY,
    "set_branch_text": {M},
    "count_printing": {A, I, C, M},
    "rent_given_back": {A, I, C, M},
    "is_card": EVERYBODY,
    "discount_limit": EVERYBODY,
    "least_down_payment": EVERYBODY,
    "set_extra": {M},
    "drop_extra": {M},
    "set_rate": {M},
    **{name: {C, M} for name in ("pay_out_refund", "void_settled", "write_credit", "count_print", "numbered_months")},
    **{name: {C, M} for name in ("issue_collective", "pay_collective", "note_slip")},
    **{name: {C, M} for name in ("move_cash", "count_shift", "close_shift", "reopen_shift", "shift_report")},
    "close_month": {M},
    "set_till_setting": {M},
    "is_till_setting": EVERYBODY,
    **{name: {I, M} for name in ("check_out", "hand_over", "recall", "check_in", "replace_unit", "rental_of")},
    **{name: {I, M} for name in ("clear", "dispute", "add_charges", "release_unit", "repair_damage")},
    **{name: {A, I, C, M} for name in ("take_collateral", "end_collateral", "save_photo", "photo_content")},
    **{name: {A, I, C, M} for name in ("handover_basis", "not_returned")},
    **{name: {I, C, M} for name in ("contest_charge", "close_charge", "hold_back", "post_rental_fine")},
    **{name: {C, M} for name in ("settle_charges", "settle_from_deposit")},
    **{name: {M} for name in ("release_hold", "set_charge_terms")},
    **{name: {S} for name in ("overdue_bookings", "mark_overdue", "end_due_holds")},
    "ask_attempt": {A, C, M},
    "end_attempt": {A, C, M},
    "answer_late_money": {C, M},
    "publish_gateway": {S},
    "note_attempt": {S},
    "claim_attempt": {S},
    "record_gateway_event": {S},
    "book_gateway_money": {S},
}
# Functions of CALLS that run with the caller's own rights; all others are definer functions.
PLAIN = {"now", "has_role", "my_counter", "is_clean", "is_note", "is_sane", "single_spaced", "folded", "name_fault"} | {
    "is_long_text",
    "is_card",
    "is_till_setting",
}
# Plain ones that only their callers above may call, and nobody's checks or policies need.
UNSHARED = {"guards_now"}
# Definer functions that nobody calls: triggers run them.
TRIGGERS = {"booking_guard", "check_booking_days", "customer_words", "occupancy_guard", "payment_guard"} | {
    "breakdown_takes_freed_days",
    "refund_in_turn",
    "write_lock_history",
    *("tender_from_deposit", "deposit_of_the_end", "deposit_of_a_fine"),
}
# What the backup and the maker of staff may call: what the tables' own checks and policies use.
SHARED_CALLS = {*PLAIN, "me", "my_branch"}
# Policies besides those of BRANCHED: (role, table, what). The service reads every row of each of these tables.
SOME_ROWS = {(role, "setting", "SELECT") for role in ("agent", "inspector", "cashier")} | {
    ("staff_admin", "audit", "INSERT"),
}
EVERY_ROW = {("service", table, "SELECT") for table in ("setting", "outbox", "gateway_event")} | {
    ("staff_admin", "staff", "ALL"),
}
SEQUENCES = {"audit_id_seq", "booking_number"}
# The maker of staff owns two functions, so these rights are theirs; nobody logs in as it.
OF_STAFF_ADMIN: set[Right] = {
    ("staff_admin", "table staff", "SELECT"),
    ("staff_admin", "table staff", "INSERT"),
    *(("staff_admin", f"column staff.{name}", "UPDATE") for name in ("active", "disabled_at", "name", "branch_id")),
    ("staff_admin", "table branch", "SELECT"),
    ("staff_admin", "table audit", "INSERT"),
    *(("staff_admin", f"function {name}", "EXECUTE") for name in SHARED_CALLS),
    *(("staff_admin", f"function {name}", "EXECUTE") for name in ("refuse", "require_role", "require_branch")),
    *(("staff_admin", f"function {name}", "EXECUTE") for name in ("add_staff", "disable_staff")),
    *(("staff_admin", f"function {name}", "OWNER") for name in ("add_staff", "disable_staff")),
}
GROUP_OF = {A: "agent", I: "inspector", C: "cashier", M: "manager", S: "service"}


def declared() -> set[Right]:
    """Everything that is granted in the schema, as this file says it; whatever else is found was added by hand."""
    rights: set[Right] = set(OF_STAFF_ADMIN)
    for table, logins in READS.items():
        for role in (GROUP_OF[login] for login in logins):
            columns = COLUMNS.get(table)
            rights |= (
                {(role, f"table {table}", "SELECT")}
                if columns is None
                else {(role, f"column {table}.{column}", "SELECT") for column in columns}
            )
        rights.add(("backup", f"table {table}", "SELECT"))
    for function, logins in CALLS.items():
        rights |= {(GROUP_OF[login], f"function {function}", "EXECUTE") for login in logins}
    rights |= {("backup", f"function {name}", "EXECUTE") for name in SHARED_CALLS}
    rights |= {("backup", f"sequence {name}", "SELECT") for name in SEQUENCES}
    for role in (*GROUP_OF.values(), "backup", "staff_admin"):
        rights.add((role, "schema sentra", "USAGE"))
        if role != "staff_admin":
            rights.add((role, "database", "CONNECT"))
    rights |= {
        ("definer", f"function {name}", "search_path=sentra, pg_temp")
        for name in (set(CALLS) - PLAIN - UNSHARED) | TRIGGERS
    }
    return rights | _declared_policies() | _declared_roles()


def _declared_policies() -> set[Right]:
    own = {(role, table, "SELECT") for table in BRANCHED for role in ("agent", "inspector", "cashier")}
    every = EVERY_ROW | {("service", table, "SELECT") for table in BRANCHED}
    return {
        *((role, f"policy {table}", f"{verb} of its branch") for role, table, verb in own),
        *((role, f"policy {table}", f"{verb} of some rows") for role, table, verb in SOME_ROWS),
        *((role, f"policy {table}", f"{verb} of every row") for role, table, verb in every),
        *(
            ("everybody", f"policy {table}", "ROW SECURITY")
            for table in {table for _, table, _ in own | SOME_ROWS | every}
        ),
    }


def _declared_roles() -> set[Right]:
    return {
        ("backup", "role", "BYPASSRLS"),
        ("staff_admin", "role", "CREATEROLE"),
        ("staff_admin", "role", "MEMBER OF pg_signal_backend"),
        *(("manager", "role", f"MEMBER OF {role}") for role in ("agent", "inspector", "cashier")),
        *(("staff_admin", "role", f"MEMBER OF {role} WITH ADMIN") for role in GROUP_OF.values()),
        *((login, "role", f"MEMBER OF {role}") for login, _, roles in PEOPLE for role in roles),
        *(("staff_admin", "role", f"MEMBER OF {login} WITH ADMIN") for login, _, _ in PEOPLE),
    }


def found(rig: WriteRig, connection: psycopg.Connection[tuple[object, ...]]) -> set[Right]:
    """What the catalogue says of everything. Logins of other tests in this cluster are not this installation's."""
    ours = {*granted.GROUPS, "owner", *(login for login, _, _ in PEOPLE)}
    return {
        right
        for right in granted.everything(connection, rig.database.prefix)
        if right[1] != "role"
        or (right[0] in ours and (right[0] != "staff_admin" or _of_whom(right[2]) in {*ours, *granted.OPTIONS}))
    }


def _of_whom(option: str) -> str:
    return option.removeprefix("MEMBER OF ").split(" ")[0]


def test_every_right_of_every_role_on_every_object_is_the_declared_one(rig: WriteRig) -> None:
    """Tables, columns, functions, sequences, schema, database, owners, memberships, policies; each verb of each."""
    there, wanted = found(rig, rig.owner), declared()

    assert sorted(there - wanted) == [], "granted, but not declared here"
    assert sorted(wanted - there) == [], "declared here, but not granted"


TABLE_VERBS = [verb for verb in granted.VERBS if verb != "SELECT"]


def test_one_verb_on_one_table_granted_by_hand_to_any_role_is_found(rig: WriteRig) -> None:
    wanted = declared()
    before = found(rig, rig.owner)
    missed = []
    with psycopg.connect(rig.database.owner_url) as owner:
        for role in (*granted.GROUPS, granted.PUBLIC):
            grantee = sql.SQL("PUBLIC") if role == granted.PUBLIC else sql.Identifier(rig.role(role))
            for verb in granted.VERBS:
                table = "turn" if verb == "SELECT" and role != "backup" else "payment"
                right = (role, f"table {table}", verb)
                if right in wanted:
                    continue
                owner.execute(
                    sql.SQL("GRANT {} ON sentra.{} TO {}").format(sql.SQL(verb), sql.Identifier(table), grantee)
                )
                if right not in granted.effective(owner, rig.database.prefix) - before:
                    missed.append(right)
                owner.rollback()

    assert missed == []
    assert found(rig, rig.owner) == before


BY_HAND: list[tuple[str, Right]] = [
    (
        "GRANT SET ON PARAMETER session_replication_role TO {agent}",
        ("agent", "parameter session_replication_role", "SET"),
    ),
    (
        "GRANT SET ON PARAMETER session_replication_role TO {rina}",
        ("rina", "parameter session_replication_role", "SET"),
    ),
    (
        "ALTER POLICY own_branch ON sentra.invoice USING (id IS NOT NULL)",
        ("agent", "policy invoice", "SELECT of some rows"),
    ),
    ("GRANT SELECT ON pg_catalog.pg_authid TO {agent}", ("agent", "table pg_authid", "SELECT")),
    ("GRANT SELECT (rolpassword) ON pg_authid TO PUBLIC", ("PUBLIC", "column pg_authid.rolpassword", "SELECT")),
    ("GRANT EXECUTE ON FUNCTION pg_read_file(text) TO {rina}", ("rina", "function pg_read_file", "EXECUTE")),
    (
        "CREATE FUNCTION public.gift() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM sentra.audit'",
        ("everybody", "function public.gift", "BESIDE OURS"),
    ),
    ("CREATE VIEW public.peek AS SELECT * FROM sentra.staff", ("everybody", "table public.peek", "BESIDE OURS")),
    ("CREATE SCHEMA extra", ("everybody", "schema extra", "BESIDE OURS")),
    ("GRANT SELECT (lock_token) ON sentra.invoice TO {cashier}", ("cashier", "column invoice.lock_token", "SELECT")),
    ("GRANT UPDATE (paid) ON sentra.invoice TO {cashier}", ("cashier", "column invoice.paid", "UPDATE")),
    ("GRANT INSERT (amount) ON sentra.payment TO {agent}", ("agent", "column payment.amount", "INSERT")),
    ("GRANT REFERENCES (id) ON sentra.unit TO {inspector}", ("inspector", "column unit.id", "REFERENCES")),
    ("GRANT SELECT (payload) ON sentra.outbox TO PUBLIC", ("public", "column outbox.payload", "SELECT")),
    ("GRANT SELECT ON sentra.audit TO {rina}", ("rina", "table audit", "SELECT")),
    ("GRANT DELETE ON sentra.booking TO {rina}", ("rina", "table booking", "DELETE")),
    ("GRANT UPDATE (state) ON sentra.booking TO {rina}", ("rina", "column booking.state", "UPDATE")),
    (
        "GRANT SELECT ON sentra.sku TO {agent} WITH GRANT OPTION",
        ("agent", "table sku", "SELECT WITH GRANT OPTION"),
    ),
    ("GRANT EXECUTE ON FUNCTION sentra.settle_invoice TO {agent}", ("agent", "function settle_invoice", "EXECUTE")),
    ("GRANT EXECUTE ON FUNCTION sentra.expire_next TO PUBLIC", ("public", "function expire_next", "EXECUTE")),
    ("GRANT EXECUTE ON FUNCTION sentra.free_days TO {cashier}", ("cashier", "function free_days", "EXECUTE")),
    ("GRANT EXECUTE ON FUNCTION sentra.void_invoice TO {bayu}", ("bayu", "function void_invoice", "EXECUTE")),
    ("GRANT USAGE ON SEQUENCE sentra.booking_number TO {agent}", ("agent", "sequence booking_number", "USAGE")),
    ("GRANT CREATE ON SCHEMA sentra TO {service}", ("service", "schema sentra", "CREATE")),
    ("GRANT CREATE ON SCHEMA public TO PUBLIC", ("public", "schema public", "CREATE")),
    ("GRANT TEMPORARY ON DATABASE {database} TO {agent}", ("agent", "database", "TEMPORARY")),
    ("ALTER TABLE sentra.payment OWNER TO {cashier}", ("cashier", "table payment", "OWNER")),
    ("ALTER FUNCTION sentra.expire_next OWNER TO {rina}", ("rina", "function expire_next", "OWNER")),
    ("GRANT {manager} TO {rina}", ("rina", "role", "MEMBER OF manager WITH SET")),
    ("GRANT {owner} TO {rina} WITH SET FALSE", ("rina", "role", "MEMBER OF owner")),
    ("GRANT {agent} TO {rina} WITH SET TRUE", ("rina", "role", "MEMBER OF agent WITH SET")),
    ("GRANT {service} TO {bayu} WITH ADMIN TRUE, SET FALSE", ("bayu", "role", "MEMBER OF service WITH ADMIN")),
    ("GRANT pg_read_all_data TO {rina} WITH SET FALSE", ("rina", "role", "MEMBER OF pg_read_all_data")),
    ("ALTER ROLE {agent} BYPASSRLS", ("agent", "role", "BYPASSRLS")),
    ("ALTER ROLE {rina} SUPERUSER", ("rina", "role", "SUPERUSER")),
    ("ALTER ROLE {mega} CREATEROLE", ("mega", "role", "CREATEROLE")),
    ("ALTER ROLE {cashier} LOGIN", ("cashier", "role", "LOGIN")),
    ("ALTER ROLE {rina} REPLICATION", ("rina", "role", "REPLICATION")),
    ("CREATE POLICY more ON sentra.booking TO {agent} USING (true)", ("agent", "policy booking", "ALL of every row")),
    (
        "ALTER POLICY own_branch ON sentra.invoice USING (true)",
        ("agent", "policy invoice", "SELECT of every row"),
    ),
    (
        "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT ON TABLES TO {rina}",
        ("rina", "default of r", "SELECT"),
    ),
    (
        "ALTER FUNCTION sentra.settle_invoice RESET search_path",
        ("definer", "function settle_invoice", "no search_path"),
    ),
    (
        "ALTER FUNCTION sentra.free_days SECURITY DEFINER SET search_path = sentra, pg_temp",
        ("definer", "function free_days", "search_path=sentra, pg_temp"),
    ),
]


def test_a_right_of_any_kind_added_by_hand_is_found_and_named(rig: WriteRig) -> None:
    missed = []
    with psycopg.connect(rig.database.owner_url) as owner:
        for statement, right in BY_HAND:
            owner.execute(by_hand(rig, statement))
            if right not in found(rig, owner) - declared():
                missed.append((statement, right))
            owner.rollback()

    assert missed == []


TAKEN_AWAY: list[tuple[str, Right]] = [
    ("REVOKE SELECT ON sentra.unit FROM {inspector}", ("inspector", "table unit", "SELECT")),
    ("REVOKE SELECT (total) ON sentra.invoice FROM {agent}", ("agent", "column invoice.total", "SELECT")),
    ("REVOKE EXECUTE ON FUNCTION sentra.book_order FROM {agent}", ("agent", "function book_order", "EXECUTE")),
    ("REVOKE SELECT ON sentra.payment FROM {backup}", ("backup", "table payment", "SELECT")),
    ("ALTER TABLE sentra.payment DISABLE ROW LEVEL SECURITY", ("everybody", "policy payment", "ROW SECURITY")),
    ("DROP POLICY own_branch ON sentra.booking", ("agent", "policy booking", "SELECT of its branch")),
    ("REVOKE {cashier} FROM {manager}", ("manager", "role", "MEMBER OF cashier")),
]


def test_a_right_or_guard_taken_away_by_hand_is_found_and_named(rig: WriteRig) -> None:
    missed = []
    with psycopg.connect(rig.database.owner_url) as owner:
        for statement, right in TAKEN_AWAY:
            owner.execute(by_hand(rig, statement))
            if right not in declared() - found(rig, owner):
                missed.append((statement, right))
            owner.rollback()

    assert missed == []


def by_hand(rig: WriteRig, statement: str) -> sql.Composed:
    """The statement with the names of this installation's roles and database."""
    names = {login: rig.role(login) for login in (*granted.GROUPS, "owner", *(login for login, _, _ in PEOPLE))}
    quoted = {name: sql.Identifier(role) for name, role in names.items()}
    return sql.SQL(statement).format(**quoted, database=sql.Identifier(rig.database.name))


@pytest.mark.parametrize("login", [A, I, C, M, S])
def test_a_role_reads_and_writes_column_by_column_exactly_what_is_declared(rig: WriteRig, login: str) -> None:
    """Every column of every table, tried: SELECT, UPDATE and INSERT of it alone."""
    columns = rig.rows(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'sentra'"
        " AND table_name <> ALL (%s)",
        list(HARNESS),
    )
    read, written = set(), []
    with rig.psql(login) as mine:
        for table, column in columns:
            name, one = sql.Identifier("sentra", table), sql.Identifier(column)
            attempts = {
                "SELECT": sql.SQL("SELECT {} FROM {} LIMIT 0").format(one, name),
                "UPDATE": sql.SQL("UPDATE {} SET {} = DEFAULT WHERE false").format(name, one),
                "INSERT": sql.SQL("INSERT INTO {} ({}) SELECT NULL WHERE false").format(name, one),
            }
            for verb, attempt in attempts.items():
                try:
                    mine.execute(attempt)
                except psycopg.errors.InsufficientPrivilege:
                    continue
                except psycopg.errors.GeneratedAlways:
                    continue  # nobody writes this column, whatever the rights
                except psycopg.errors.DatatypeMismatch:
                    written.append((table, column, verb))  # the right was there, only the value did not fit
                    continue
                if verb == "SELECT":
                    read.add((table, column))
                else:
                    written.append((table, column, verb))

    assert written == []
    assert read == {
        (table, column)
        for table, column in columns
        if login in READS.get(table, set()) and column in COLUMNS.get(table, {column})
    }


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
                "SELECT attname FROM pg_attribute WHERE attrelid = ('sentra.' || %s)::regclass AND attnum > 0"
                " AND NOT attisdropped AND attidentity = '' AND attgenerated = '' ORDER BY attnum LIMIT 1",
                table,
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
        "INSERT INTO sentra.gateway_attempt (order_id, invoice_id, number, branch_id, kind, amount, state, expires_at)"
        " VALUES ('o', %s, 1, 'JKT', 'LINK', 1, 'ENDED', sentra.now())",
        (invoice_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.late_money (id, branch_id, gateway_event_id, invoice_id, amount, state)"
        " SELECT gen_random_uuid(), 'JKT', id, %s, 1, 'OPEN' FROM sentra.gateway_event",
        (invoice_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.approval (id, branch_id, action, object, reason, expires_at, asked_by)"
        " VALUES (gen_random_uuid(), 'JKT', 'refund', %s, 'salah', sentra.now(), session_user)",
        (invoice_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.holiday (branch_id, day, state, name) VALUES ('JKT', '2027-03-10', 'ADDED', 'Hari jadi')"
    )
    rig.owner.execute(
        "INSERT INTO sentra.refused_demand (order_id, branch_id, sku_id, first_day, last_day, code, counter)"
        " VALUES (gen_random_uuid(), 'JKT', 'AVZ', '2027-03-10', '2027-03-12', 'DAYS_TAKEN', 'K1')"
    )
    rig.owner.execute(
        "INSERT INTO sentra.branch_text (branch_id, kind, language, version, said, counter)"
        " VALUES ('JKT', 'TERMS', 'id', 1, 'Kunci dikembalikan.', 'K1')"
    )
    rig.owner.execute(
        "INSERT INTO sentra.printed_document (id, branch_id, order_id, kind, language, fingerprint, revision, copy,"
        " terms_language, terms_version, terms_edition, counter)"
        " SELECT gen_random_uuid(), 'JKT', order_id, 'CONTRACT', 'id', repeat('0', 64), 0, 0, 'id', 1, 1, 'K1'"
        " FROM sentra.booking WHERE id = %s",
        (booking_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.extra (branch_id, code, name, per_day, rate, taxable, replaces_driver_licence)"
        " VALUES ('JKT', 'SOPIR', 'Sopir', true, 200000, true, true)"
    )
    rig.owner.execute(
        "INSERT INTO sentra.booking_extra (booking_id, line_no, branch_id, code, name, per_day, rate, taxable,"
        " replaces_driver_licence, quantity) VALUES (%s, 1, 'JKT', 'SOPIR', 'Sopir', true, 200000, true, true, 1)",
        (booking_id,),
    )
    rig.owner.execute(
        "WITH look AS (INSERT INTO sentra.inspection (id, branch_id, booking_id, unit_id, kind, done_at, checks, note,"
        " override, terms, fingerprint, counter) SELECT gen_random_uuid(), 'JKT', id, unit_id, 'OUT', sentra.now(),"
        " '[]', '', '', '{}', repeat('0', 32), 'K1' FROM sentra.booking WHERE id = %s RETURNING id)"
        " INSERT INTO sentra.photo (id, branch_id, inspection_id, angle, sha256)"
        " SELECT gen_random_uuid(), 'JKT', id, 'FRONT', repeat('0', 64) FROM look",
        (booking_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.handover (id, branch_id, booking_id, unit_id, at, signature, counter)"
        " SELECT gen_random_uuid(), 'JKT', id, unit_id, sentra.now(), '{}', 'K1' FROM sentra.booking WHERE id = %s",
        (booking_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.collateral (id, branch_id, booking_id, kind, what, place)"
        " VALUES (gen_random_uuid(), 'JKT', %s, 'KTP', '', 'Laci 2')",
        (booking_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.charge (id, branch_id, booking_id, invoice_id, line_no, kind, text, quantity, unit_price,"
        " amount, taxable, standing) VALUES (gen_random_uuid(), 'JKT', %s, %s, 1, 'DAMAGE', 'Goresan', 1, 5, 5, false,"
        " 'ACCEPTED')",
        (booking_id, invoice_id),
    )
    rig.owner.execute(
        "INSERT INTO sentra.deposit_hold (id, branch_id, booking_id, amount, until_on, reason)"
        " VALUES (gen_random_uuid(), 'JKT', %s, 1, '2027-04-10', 'tilang')",
        (booking_id,),
    )
    fill_the_till(rig, str(customer), invoice_id)


def fill_the_till(rig: WriteRig, customer: str, invoice_id: str) -> None:
    """The same of the till's own tables."""
    account = "INSERT INTO sentra.credit_account (branch_id, customer_id, balance) VALUES ('JKT', %s, 0)"
    rig.owner.execute(account, (customer,))
    rig.owner.execute(
        "INSERT INTO sentra.credit_entry (branch_id, customer_id, kind, amount, counter)"
        " VALUES ('JKT', %s, 'RECEIVED', 1, 'K1')",
        (customer,),
    )
    rig.owner.execute("INSERT INTO sentra.company (id, name) VALUES (gen_random_uuid(), 'PT Contoh')")
    rig.owner.execute(
        "INSERT INTO sentra.collective_invoice (id, branch_id, company_id, month, number, total, issued_on, due_on,"
        " counter) SELECT gen_random_uuid(), 'JKT', id, '202703', 'KOL/1', 1, '2027-03-01', '2027-03-01', 'K1'"
        " FROM sentra.company"
    )
    rig.owner.execute(
        "INSERT INTO sentra.receivable (branch_id, company_id, invoice_id, payment_id, amount, due_on)"
        " SELECT 'JKT', c.id, p.invoice_id, p.id, 1, '2027-03-01' FROM sentra.company c, sentra.payment p"
    )
    rig.owner.execute(
        "INSERT INTO sentra.withholding (branch_id, company_id, invoice_id, amount)"
        " SELECT 'JKT', id, %s, 1 FROM sentra.company",
        (invoice_id,),
    )
    rig.owner.execute(
        "INSERT INTO sentra.printed_money (id, branch_id, kind, subject_id, copy, counter)"
        " VALUES (gen_random_uuid(), 'JKT', 'INVOICE', %s, 0, 'K1')",
        (invoice_id,),
    )
    rig.owner.execute("INSERT INTO sentra.paper_counter VALUES ('JKT', 'REF', '202703', 1)")
    rig.owner.execute(
        "INSERT INTO sentra.cash_movement (id, branch_id, shift_id, amount, reason, counter)"
        " SELECT gen_random_uuid(), 'JKT', id, 1, 'modal', 'K1' FROM sentra.shift"
    )
    rig.owner.execute(
        "INSERT INTO sentra.shift_count (id, branch_id, shift_id, round, n, pieces, counted, expected, edc_slips,"
        " edc_total, counter) SELECT gen_random_uuid(), 'JKT', id, 1, 1, '{}', 0, 0, 0, 0, 'K1' FROM sentra.shift"
    )
