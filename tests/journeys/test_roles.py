"""`psql` as each demo employee: what the database itself lets a login do, without any of our programs in between."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from tests.journeys.place import Place

LOGINS = ("ayu", "siti", "dedi", "budi", "maya", "rahmat")
CASHIERS = {"siti", "budi", "maya", "rahmat"}
BRANCH_TABLES = ("booking", "booking_order", "invoice_line", "payment", "tender", "shift", "refund", "late_money")
FUNCTIONS_OF_CASHIERS = (
    "take_lock(uuid,text,text)",
    "renew_lock(uuid,text,bigint,bigint)",
    "settle_invoice(jsonb)",
    "open_shift(text,bigint,text,boolean)",
)
FUNCTIONS_OF_THE_SERVICE = ("expire_next()", "claim_outbox(text[],integer,integer)", "finish_outbox(uuid[])")


@pytest.fixture(params=LOGINS)
def login(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def mine(place: Place, login: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(place.url_of(login), autocommit=True) as connection:
        yield connection


def _tables(place: Place) -> list[str]:
    return [name for (name,) in place.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'sentra'")]


def test_nobody_can_write_a_table_by_hand(
    place: Place, login: str, mine: psycopg.Connection[tuple[object, ...]]
) -> None:
    tables = _tables(place)
    assert len(tables) > 20
    for name in tables:
        columns = place.rows(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
            f"sentra.{name}",
        )
        table, column = sql.Identifier("sentra", name), sql.Identifier(columns[-1][0])
        for statement in (
            sql.SQL("DELETE FROM {}").format(table),
            sql.SQL("TRUNCATE {}").format(table),
            sql.SQL("UPDATE {} SET {} = {}").format(table, column, column),
            sql.SQL("INSERT INTO {} DEFAULT VALUES").format(table),
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                mine.execute(statement)


def test_another_branchs_money_and_bookings_are_not_there(
    place: Place, login: str, mine: psycopg.Connection[tuple[object, ...]]
) -> None:
    branch = "MKS" if login == "rahmat" else "JKT"
    seen = 0
    for name in (*BRANCH_TABLES, "invoice"):
        try:
            found = mine.execute(f"SELECT branch_id, count(*) FROM sentra.{name} GROUP BY 1".encode()).fetchall()
        except psycopg.errors.InsufficientPrivilege:
            continue
        assert {row[0] for row in found} <= {branch}, name
        seen += len(found)
    if branch == "JKT":
        assert seen >= 3, "it does see its own"


def test_lock_tokens_passwords_and_secrets_are_readable_by_nobody(
    mine: psycopg.Connection[tuple[object, ...]],
) -> None:
    for statement in (
        b"SELECT lock_token FROM sentra.invoice",
        b"SELECT * FROM sentra.invoice",
        b"SELECT rolpassword FROM pg_authid",
        b"SELECT payload FROM sentra.outbox",
        b"SELECT pg_read_file('PG_VERSION')",
        b"COPY (SELECT 1) TO PROGRAM 'true'",
        b"CREATE TABLE sentra.mine ()",
        b"CREATE TABLE public.mine ()",
        b"CREATE TEMP TABLE mine ()",
        b"CREATE ROLE somebody",
        b"SET ROLE sentra_owner",
        b"ALTER TABLE sentra.payment DISABLE TRIGGER ALL",
        b"SET session_replication_role = replica",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            mine.execute(statement)


def test_functions_are_for_their_roles_only(login: str, mine: psycopg.Connection[tuple[object, ...]]) -> None:
    def may(function: str) -> object:
        row = mine.execute("SELECT has_function_privilege(%s, 'EXECUTE')", (f"sentra.{function}",)).fetchone()
        assert row is not None
        return row[0]

    for function in FUNCTIONS_OF_CASHIERS:
        assert may(function) is (login in CASHIERS), function
    for function in FUNCTIONS_OF_THE_SERVICE:
        assert may(function) is False, function
    assert may("book_order(jsonb)") is (login != "dedi")
    assert may("end_booking(uuid,text,text,jsonb,boolean)") is (login != "dedi")
    assert may("import_fleet(jsonb)") is (login == "maya")
    assert may("add_staff(text,text,text,text[],text)") is (login == "maya")
    for helper in ("free_days(sentra.booking,text)", "void_invoice(uuid)", "project_later(text,text[],interval)"):
        assert may(helper) is False, helper


def test_a_booking_is_moved_by_nobody_along_a_transition_that_is_not_theirs(
    place: Place, login: str, mine: psycopg.Connection[tuple[object, ...]]
) -> None:
    paid = place.value("SELECT id FROM sentra.booking WHERE state = 'PAID_APPROVED' AND branch_id = 'JKT' LIMIT 1")
    before = place.rows("SELECT id, state, version FROM sentra.booking ORDER BY id")
    for action in ("cancel", "expire", "pay", "complete"):
        with pytest.raises(psycopg.Error) as no:
            mine.execute("SELECT sentra.end_booking(%s, %s, '', NULL, false)", (paid, action))
        assert no.value.sqlstate in {"SR001", "42501"}
    assert place.rows("SELECT id, state, version FROM sentra.booking ORDER BY id") == before
