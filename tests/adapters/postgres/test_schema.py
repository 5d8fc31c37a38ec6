"""The schema as others rely on it: names, constraints, one lock-step copy of the booking table, safe functions."""

import re
import secrets
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from app.adapters.postgres.driven_clock import advance_clock, install_driven_clock, let_clock_run, set_clock
from app.adapters.postgres.migrate import head_revision, is_current, provision, revision
from app.domain.booking import TRANSITIONS
from app.domain.days import MAX_OCCUPANCY_DAYS, MAX_RENTAL_DAYS
from tests.adapters.postgres.write_rig import START, WriteRig, at_once, march
from tests.support.databases import create_database, drop_database, url_of

CONTRACT = {
    "branch": "id zone has_ppn prices_include_ppn cash_rounding opens_at closes_at",
    "sku": "id name category daily_rate deposit turnaround_days",
    "unit": "id sku_id branch_id slot plate colour odometer status availability_version",
    "customer": "id name folded_name phone",
    "staff": "login branch_id role_name name active",
    "booking": "id number order_id unit_id customer_id first_day last_day pickup_at due_at state version"
    " payment_deadline source reinstated_from sku_id daily_rate deposit last_action reason created_by created_at",
    "occupancy": "unit_id sku_id days kind booking_id maintenance_id active",
    "maintenance": "unit_id days state breakdown",
    "invoice": "id number order_id kind state total paid base dpp ppn settled_at locked_by locked_until lock_token"
    " locked_at locked_counter lock_epoch",
    "invoice_line": "invoice_id booking_id taxable kind text quantity unit_price amount",
    "payment": "id invoice_id amount change attempt_id lock_epoch paid_at counter shift_id cashier",
    "tender": "payment_id kind amount received reference",
    "refund": "invoice_id amount state reason",
    "waitlist_entry": "customer_id branch_id sku_id first_day last_day state tier_weight joined_at",
    "offer": "entry_id booking_id token_hash",
    "freed_stretch": "sku_id branch_id days",
    "gateway_event": "provider order_id transaction_id status code",
    "late_money": "gateway_event_id amount state",
    "approval": "action object amount reason approved_by expires_at used_at",
    "shift": "number drawer cashier counter opening_float opened_at closed_at",
    "outbox": "id kind payload attempts not_before lease_until lease_by done_at error",
    "setting": "branch_id key value",
    "audit": "at actor counter action subject before after txid",
}


# How long a function waits for a lock. What a person presses a key for answers within two seconds.
LOCK_LIMITS = {
    **dict.fromkeys(("take_lock", "renew_lock", "move_lock", "release_lock", "settle_invoice", "open_shift"), "2s"),
    "call_back_payment": "2s",
    "await_order": "2s",
    **dict.fromkeys(("reschedule_booking", "swap_unit", "end_booking"), "2s"),
    **dict.fromkeys(("request_extension", "reject_extension", "shorten_booking"), "2s"),
    **dict.fromkeys(("join_waitlist", "withdraw_waitlist", "block_unit", "end_block", "edit_holiday"), "2s"),
    **dict.fromkeys(("cancel_paid", "hold_longer", "begin_approval_try"), "2s"),
    **dict.fromkeys(("set_rate", "set_extra", "drop_extra"), "2s"),
    **dict.fromkeys(("pay_out_refund", "void_settled", "write_credit", "count_print", "close_month"), "2s"),
    **dict.fromkeys(("issue_collective", "pay_collective", "note_slip", "set_till_setting"), "2s"),
    **dict.fromkeys(("move_cash", "count_shift", "close_shift", "reopen_shift"), "2s"),
    "record_refusal": "200ms",
    **dict.fromkeys(("save_customer", "save_company", "ask_identity"), "2s"),
    **dict.fromkeys(("use_identity_ticket", "publish_identity_key", "note_identity"), "2s"),
    **dict.fromkeys(("set_branch_text", "count_printing"), "2s"),
    **dict.fromkeys(("check_out", "hand_over", "recall", "check_in", "replace_unit", "repair_damage"), "2s"),
    **dict.fromkeys(("take_collateral", "end_collateral", "save_photo", "set_charge_terms"), "2s"),
    **dict.fromkeys(("clear", "dispute", "not_returned", "add_charges", "contest_charge", "close_charge"), "2s"),
    **dict.fromkeys(("settle_charges", "settle_from_deposit", "post_rental_fine", "release_unit"), "2s"),
    **dict.fromkeys(("hold_back", "release_hold"), "2s"),
    **dict.fromkeys(("mark_overdue", "end_due_holds"), "1s"),
    "expire_order": "1s",
    "beat_service": "2s",
    "end_service": "2s",
    **dict.fromkeys(("ask_attempt", "end_attempt", "publish_gateway", "note_attempt"), "2s"),
    **dict.fromkeys(("record_gateway_event", "book_gateway_money", "answer_late_money"), "2s"),
}
# These wait for as long as the login may (three seconds): a new order for another's, and the manager's imports.
THE_LOGINS_LIMIT = {"book_order", "book_with_down_payment", "import_fleet", "disable_staff"}


@pytest.fixture
def empty_url(owner_url: str) -> Iterator[str]:
    """An empty database in the session's cluster."""
    name = f"e_{secrets.token_hex(6)}"
    create_database(owner_url, name)
    yield url_of(owner_url, database=name)
    drop_database(owner_url, name)


def test_an_empty_database_reaches_the_newest_migration_and_stays_there(empty_url: str) -> None:
    prefix = f"p{secrets.token_hex(4)}"
    assert revision(empty_url) is None

    provision(empty_url, prefix=prefix)
    provision(empty_url, prefix=prefix)

    assert revision(empty_url) == head_revision()
    assert is_current(empty_url)


def test_two_set_ups_of_one_database_at_once_do_no_harm(empty_url: str) -> None:
    prefix = f"p{secrets.token_hex(4)}"

    results = at_once([lambda: provision(empty_url, prefix=prefix) for _ in range(3)])

    assert results == [None, None, None]
    assert is_current(empty_url)


def test_a_second_database_of_the_same_installation_shares_its_roles(empty_url: str, rig: WriteRig) -> None:
    provision(empty_url, prefix=rig.database.prefix)

    assert is_current(empty_url)


@pytest.mark.parametrize("prefix", ["", "Sentra", 'a"b', "1a", "a" * 22])
def test_a_prefix_that_is_no_role_name_is_refused(empty_url: str, prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        provision(empty_url, prefix=prefix)


def test_setting_up_without_a_superuser_is_refused(rig: WriteRig) -> None:
    with pytest.raises(PermissionError):
        provision(rig.database.url_for("mega"), prefix=rig.database.prefix)


def test_every_column_that_others_rely_on_is_there(rig: WriteRig) -> None:
    found = set(
        rig.rows("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'sentra'")
    )

    wanted = {(table, column) for table, columns in CONTRACT.items() for column in columns.split()}
    assert wanted - found == set()


def test_the_transition_table_equals_the_domains(rig: WriteRig) -> None:
    in_domain = {
        (state.value if state else None, action.value, found.to.value, role.value, found.from_seed)
        for (state, action), found in TRANSITIONS.items()
        for role in found.roles
    }

    in_database = set(rig.rows("SELECT from_state, action, to_state, role, from_seed FROM sentra.transition"))

    assert in_database == in_domain


def test_the_arbiter_is_a_constraint_that_cannot_be_put_off(rig: WriteRig) -> None:
    assert rig.rows(
        "SELECT contype, condeferrable, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conname = 'occupancy_no_overlap'"
    ) == [
        (
            "x",
            False,
            "EXCLUDE USING gist (unit_id WITH =, days WITH &&) WHERE ((active AND (kind = ANY (ARRAY['BOOKING'::text,"
            " 'MAINTENANCE'::text]))))",
        )
    ]


@pytest.mark.parametrize(
    "days",
    ["empty", "[2027-03-01,)", "(,2027-03-01)", "(,)", f"[2027-03-01,{march(1).replace(year=2028, month=4, day=5)}]"],
)
def test_days_are_never_empty_unbounded_or_over_four_hundred(rig: WriteRig, days: str) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(10))

    with pytest.raises(psycopg.errors.CheckViolation):
        rig.owner.execute(
            "INSERT INTO sentra.occupancy (unit_id, sku_id, branch_id, days, kind, booking_id)"
            " VALUES ('AVZ-02', 'AVZ', 'JKT', %s::daterange, 'OVERDUE', %s)",
            (days, booked.bookings[0].id),
        )


def test_the_limits_of_days_are_the_domains(rig: WriteRig) -> None:
    checks = " ".join(
        row[0]
        for row in rig.rows(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conname IN ('occupancy_length', 'booking_period')"
        )
    )

    assert f"<= {MAX_OCCUPANCY_DAYS}" in checks
    assert f"< {MAX_RENTAL_DAYS}" in checks


def test_a_search_by_sku_and_days_has_its_index(rig: WriteRig) -> None:
    definition = rig.value("SELECT indexdef FROM pg_indexes WHERE indexname = 'occupancy_search'")

    assert definition.endswith("USING gist (sku_id, days) WHERE active")


def test_no_index_holds_locked_until(rig: WriteRig) -> None:
    """It would end HOT updates of beats."""
    assert (
        rig.value("SELECT count(*) FROM pg_indexes WHERE schemaname = 'sentra' AND indexdef LIKE '%%locked_until%%'")
        == 0
    )


def test_functions_that_run_with_the_owners_rights_have_a_fixed_path_and_no_public_caller(rig: WriteRig) -> None:
    definers = rig.rows(
        "SELECT p.proname, pg_get_userbyid(p.proowner), p.proconfig FROM pg_proc p"
        " WHERE p.pronamespace = 'sentra'::regnamespace AND p.prosecdef"
    )

    assert len(definers) > 15
    prefix = rig.database.prefix
    assert {owner for _, owner, _ in definers} == {f"{prefix}_owner", f"{prefix}_staff_admin"}
    assert [name for name, _, config in definers if "search_path=sentra, pg_temp" not in (config or [])] == []
    assert (
        rig.rows(
            "SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'sentra'::regnamespace"
            " AND (p.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = 0))"
        )
        == []
    )


def _lock_limits(rig: WriteRig) -> dict[str, str]:
    """How long each function that has a limit of its own waits for a lock."""
    return dict(
        rig.rows(
            "SELECT p.proname, split_part(c, '=', 2) FROM pg_proc p, unnest(p.proconfig) AS c"
            " WHERE p.pronamespace = 'sentra'::regnamespace AND c LIKE 'lock_timeout=%%'"
        )
    )


def test_no_lock_question_waits_longer_than_two_seconds(rig: WriteRig) -> None:
    assert _lock_limits(rig) == LOCK_LIMITS


def test_what_locks_rows_in_a_counters_hand_has_a_limit_of_its_own(rig: WriteRig) -> None:
    """Also when another function that it calls takes the locks."""
    written = dict(rig.rows("SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'sentra'::regnamespace"))
    locking = {name for name, body in written.items() if re.search(r"\bFOR (NO KEY )?UPDATE\b|\bFOR SHARE\b", body)}
    while (
        more := {name for name, body in written.items() if locking & set(re.findall(r"\bsentra\.(\w+)\(", body))}
        - locking
    ):
        locking |= more
    in_hand = {
        name
        for (name,) in rig.rows(
            "SELECT DISTINCT p.proname FROM pg_proc p, unnest(%s::text[]) AS r (role)"
            " WHERE p.pronamespace = 'sentra'::regnamespace AND p.prosecdef"
            " AND has_function_privilege(r.role, p.oid, 'EXECUTE')",
            [f"{rig.database.prefix}_{role}" for role in ("agent", "inspector", "cashier", "manager")],
        )
    }

    assert {"take_lock", "reschedule_booking", "end_block"} <= locking & in_hand, "the search finds them"
    assert (locking & in_hand) - _lock_limits(rig).keys() == THE_LOGINS_LIMIT


def test_functions_read_the_one_clock(rig: WriteRig) -> None:
    """`now()` is the transaction's start and `clock_timestamp()` cannot be driven: neither stands in a function."""
    rows = rig.rows(
        "SELECT proname FROM pg_proc WHERE pronamespace = 'sentra'::regnamespace AND proname <> 'now' AND ("
        r" prosrc ~ '(^|[^.\w])now\(\)' OR prosrc ~ 'clock_timestamp|current_timestamp|localtime')"
    )

    assert rows == []


def test_the_clock_stands_moves_and_runs_as_told(empty_url: str) -> None:
    provision(empty_url, prefix=f"p{secrets.token_hex(4)}")
    install_driven_clock(empty_url)
    install_driven_clock(empty_url)
    with psycopg.connect(empty_url, autocommit=True) as owner:

        def now() -> object:
            row = owner.execute("SELECT sentra.now()").fetchone()
            assert row is not None
            return row[0]

        set_clock(empty_url, START)
        assert now() == START
        advance_clock(empty_url, march(2) - march(1))
        assert now() == START + (march(2) - march(1))
        let_clock_run(empty_url, START)
        first = now()
        assert first > START  # type: ignore[operator]
        assert now() > first  # type: ignore[operator]
    with pytest.raises(ValueError, match="zone"):
        set_clock(empty_url, START.replace(tzinfo=None))


def test_everything_in_the_schema_belongs_to_the_owner_role(rig: WriteRig) -> None:
    rows = rig.rows(
        "SELECT relname FROM pg_class WHERE relnamespace = 'sentra'::regnamespace AND relkind IN ('r', 'S')"
        " AND pg_get_userbyid(relowner) <> %s AND relname <> 'driven_clock'",
        f"{rig.database.prefix}_owner",
    )

    assert rows == []


def test_the_backup_role_reads_every_row_and_writes_nothing(rig: WriteRig) -> None:
    rig.book("AVZ-01", first=march(10), last=march(12))
    role = sql.Identifier(f"{rig.database.prefix}_backup")

    with psycopg.connect(rig.database.owner_url) as backup:
        backup.execute(sql.SQL("SET ROLE {}").format(role))
        assert backup.execute("SELECT count(*), count(lock_token) FROM sentra.invoice").fetchone() == (1, 0)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            backup.execute("UPDATE sentra.invoice SET paid = 1")
