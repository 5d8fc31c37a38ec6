"""Accounts: one database login per employee, made by a role that can make nothing else, ended in one step."""

import base64
import hashlib
import hmac
import secrets

import psycopg
import pytest
from psycopg import sql

from app.adapters.postgres.connection import person_url
from app.adapters.postgres.staff import scram_verifier
from app.domain.errors import Refusal, RefusalCode
from app.domain.staff import Role
from tests.adapters.postgres.write_rig import WriteRig, at_once, march


def fresh() -> str:
    """A login that no other test made: roles belong to the whole cluster."""
    return f"x{secrets.token_hex(4)}"


def hire(rig: WriteRig, login: str, *, by: str = "mega", **change: object) -> None:
    values = {"name": "Pegawai Baru", "branch_code": "JKT", "roles": ["agent"], "verifier": scram_verifier("rahasia")}
    wanted = {**values, **change}
    rig.store(by).transact(lambda tx: tx.add_staff(login, **wanted))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "password", ["rahasia-1", "kata sandi", "a@b:c/d?e%f", "pässwörd", "ⅸ¼\u00adx", "密码", "a\u0007b", "🔑"]
)
def test_a_verifier_made_on_the_client_lets_exactly_its_password_in(rig: WriteRig, password: str) -> None:
    login = fresh()
    hire(rig, login, verifier=scram_verifier(password))

    with psycopg.connect(person_url(rig.database.owner_url, rig.role(login), password)) as mine:
        assert mine.execute("SELECT session_user").fetchone() == (rig.role(login),)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(person_url(rig.database.owner_url, rig.role(login), password + "x"))


def test_a_verifier_holds_no_password_and_its_keys_are_those_of_the_standard() -> None:
    salt, iterations = bytes(range(16)), 4096

    verifier = scram_verifier("pencil", salt=salt, iterations=iterations)

    salted = hashlib.pbkdf2_hmac("sha256", b"pencil", salt, iterations)
    client_key = hmac.digest(salted, b"Client Key", "sha256")
    scheme, numbers, keys = verifier.split("$")
    assert (scheme, numbers) == ("SCRAM-SHA-256", f"4096:{base64.b64encode(salt).decode()}")
    assert base64.b64decode(keys.split(":")[0]) == hashlib.sha256(client_key).digest()
    assert "pencil" not in verifier


def test_two_verifiers_of_one_password_differ() -> None:
    assert scram_verifier("sama") != scram_verifier("sama")


def test_a_new_employee_has_branch_and_roles_from_the_first_login(rig: WriteRig) -> None:
    login = fresh()
    hire(rig, login, roles=["agent", "cashier"])

    who = rig.store(login).read.who_am_i()

    assert (who.login, who.branch.id, who.roles) == (login, "JKT", {Role.AGENT, Role.CASHIER})
    assert rig.rows(
        "SELECT actor, after -> 'roles' FROM sentra.audit WHERE action = 'add_staff' AND subject = %s", login
    )
    assert rig.rows(
        "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = %s",
        rig.role(login),
    ) == [(False, False, False, False, False)]


def test_a_manager_covers_agent_inspector_and_cashier_but_not_the_service(rig: WriteRig) -> None:
    assert rig.store("mega").read.who_am_i().roles == {Role.MANAGER, Role.AGENT, Role.INSPECTOR, Role.CASHIER}


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"branch_code": "MKS"}, RefusalCode.NOT_ALLOWED, None),
        ({"branch_code": "XXX"}, RefusalCode.NOT_FOUND, "branch"),
        ({"roles": ["service"]}, RefusalCode.NOT_ALLOWED, None),
        ({"roles": ["owner"]}, RefusalCode.FIELD_INVALID, "roles"),
        ({"roles": ["staff_admin"]}, RefusalCode.FIELD_INVALID, "roles"),
        ({"roles": []}, RefusalCode.FIELD_INVALID, "roles"),
        ({"roles": [["agent"], ["cashier"]]}, RefusalCode.FIELD_INVALID, "roles"),
        ({"name": " "}, RefusalCode.FIELD_INVALID, "name"),
        ({"name": "\u3164\u3164"}, RefusalCode.FIELD_INVALID, "name"),
        ({"name": "B\u0301\u0301\u0301\u0301\u0301udi"}, RefusalCode.FIELD_INVALID, "name"),
        ({"verifier": scram_verifier("rahasia", iterations=4095)}, RefusalCode.FIELD_INVALID, "verifier"),
        ({"verifier": scram_verifier("x").replace("$4096", "$99999999999")}, RefusalCode.FIELD_INVALID, "verifier"),
        ({"verifier": "clear-text"}, RefusalCode.FIELD_INVALID, "verifier"),
        ({"verifier": "SCRAM-SHA-256$4096:a'; DROP ROLE x; --$b:c"}, RefusalCode.FIELD_INVALID, "verifier"),
    ],
)
def test_what_a_manager_cannot_hire_is_refused_and_leaves_no_role(
    rig: WriteRig, change: dict[str, object], code: RefusalCode, field: str | None
) -> None:
    login = fresh()

    with pytest.raises(Refusal) as refused:
        hire(rig, login, **change)

    assert (refused.value.code, refused.value.field) == (code, field)
    assert rig.rows("SELECT 1 FROM pg_roles WHERE rolname = %s", rig.role(login)) == []


@pytest.mark.parametrize(
    "login",
    [
        "agent",
        "service",
        "owner",
        "staff_admin",
        "backup",
        "A",
        "1a",
        "",
        "a b",
        'x"y',
        "x" * 40,
        "é",
        "ani.",
        "a..b",
        "a..",
    ],
)
def test_a_login_that_would_be_no_name_or_another_role_is_refused(rig: WriteRig, login: str) -> None:
    with pytest.raises(Refusal) as refused:
        hire(rig, login)

    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "login")


def test_hiring_the_same_login_twice_is_refused_and_keeps_the_password(rig: WriteRig) -> None:
    login = fresh()
    hire(rig, login, verifier=scram_verifier("pertama"))

    with pytest.raises(Refusal) as refused:
        hire(rig, login, verifier=scram_verifier("kedua"))

    assert (refused.value.code, refused.value.field) == (RefusalCode.DUPLICATE, "login")
    psycopg.connect(person_url(rig.database.owner_url, rig.role(login), "pertama")).close()


@pytest.mark.parametrize("by", ["rina", "gilang", "bayu", "jaga"])
def test_only_managers_hire_and_dismiss(rig: WriteRig, by: str) -> None:
    with pytest.raises(Refusal) as hired:
        hire(rig, fresh(), by=by)
    with pytest.raises(Refusal) as dismissed:
        rig.store(by).transact(lambda tx: tx.disable_staff("citra"))  # type: ignore[attr-defined]

    assert (hired.value.code, dismissed.value.code) == (RefusalCode.NOT_ALLOWED, RefusalCode.NOT_ALLOWED)


def test_disabling_ends_login_sessions_and_rights_in_one_step(rig: WriteRig) -> None:
    login = fresh()
    hire(rig, login, verifier=scram_verifier("rahasia"))
    url = person_url(rig.database.owner_url, rig.role(login), "rahasia")

    with psycopg.connect(url, autocommit=True) as open_session:
        open_session.execute("SELECT 1")
        ended = rig.store("mega").transact(lambda tx: tx.disable_staff(login))  # type: ignore[attr-defined]
        with pytest.raises(psycopg.OperationalError):
            open_session.execute("SELECT 1")

    assert ended == 1
    with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
        psycopg.connect(url)
    assert rig.rows("SELECT active FROM sentra.staff WHERE login = %s", login) == [(False,)]
    assert rig.rows("SELECT actor FROM sentra.audit WHERE action = 'disable_staff'") == [(rig.role("mega"),)]


@pytest.mark.parametrize(("login", "code"), [("mega", RefusalCode.NOT_ALLOWED), ("tono", RefusalCode.NOT_FOUND)])
def test_a_manager_disables_neither_oneself_nor_another_branch(rig: WriteRig, login: str, code: RefusalCode) -> None:
    with pytest.raises(Refusal) as refused:
        rig.store("mega").transact(lambda tx: tx.disable_staff(login))  # type: ignore[attr-defined]

    assert refused.value.code is code


def test_the_role_that_makes_staff_cannot_touch_a_role_it_did_not_make(rig: WriteRig) -> None:
    foreign = f"f{secrets.token_hex(4)}"
    rig.owner.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(foreign)))
    try:
        with psycopg.connect(rig.database.owner_url, autocommit=True) as admin:
            admin.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(f"{rig.database.prefix}_staff_admin")))
            for statement in ("ALTER ROLE {} PASSWORD 'x'", "ALTER ROLE {} NOLOGIN", "DROP ROLE {}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    admin.execute(sql.SQL(statement).format(sql.Identifier(foreign)))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                admin.execute("SELECT id FROM sentra.booking")
    finally:
        rig.owner.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(foreign)))


def test_nobody_outside_the_installation_connects_to_its_database(rig: WriteRig) -> None:
    stranger = f"s{secrets.token_hex(4)}"
    rig.owner.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'x'").format(sql.Identifier(stranger)))
    try:
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            psycopg.connect(person_url(rig.database.owner_url, stranger, "x"))
    finally:
        rig.owner.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(stranger)))


def test_who_moved_to_another_branch_sees_that_one_from_then_on(rig: WriteRig) -> None:
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    assert rig.store("rina").read.booking(booked.bookings[0].id) is not None

    rig.owner.execute("UPDATE sentra.staff SET branch_id = 'MKS' WHERE login = 'rina'")

    assert rig.store("rina").read.booking(booked.bookings[0].id) is None


def test_each_login_has_its_own_timeouts_whatever_program_it_uses(rig: WriteRig) -> None:
    login = fresh()
    hire(rig, login, verifier=scram_verifier("rahasia"))

    with psycopg.connect(person_url(rig.database.owner_url, rig.role(login), "rahasia")) as mine:
        found = [
            mine.execute(f"SHOW {name}".encode()).fetchone()
            for name in ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout")
        ]

    assert found == [("30s",), ("3s",), ("15s",)]


def test_a_login_has_few_connections_and_a_service_more(rig: WriteRig) -> None:
    person, service = fresh(), fresh()
    hire(rig, person)
    rig.hire(service, "JKT", ("service",))

    assert limit_of(rig, person) == 20
    assert limit_of(rig, service) == 40


def test_a_login_that_another_database_made_gets_its_limit_too(rig: WriteRig) -> None:
    login = fresh()
    hire(rig, login)
    rig.owner.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT -1").format(sql.Identifier(rig.role(login))))
    rig.owner.execute("DELETE FROM sentra.staff WHERE login = %s", (login,))

    rig.hire(login, "JKT", ("agent",))

    assert limit_of(rig, login) == 20


def test_who_has_used_up_the_own_connections_is_told_that_it_is_busy(rig: WriteRig) -> None:
    login = fresh()
    hire(rig, login, verifier=scram_verifier("rahasia"))
    rig.owner.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT 1").format(sql.Identifier(rig.role(login))))
    url = person_url(rig.database.owner_url, rig.role(login), "rahasia")

    with psycopg.connect(url), pytest.raises(Refusal) as refused:
        rig.new_store(login, url=url).read.who_am_i()

    assert (refused.value.code, refused.value.params["reason"]) == (RefusalCode.UNREACHABLE, "busy")


def limit_of(rig: WriteRig, login: str) -> object:
    return rig.value("SELECT rolconnlimit FROM pg_roles WHERE rolname = %s", rig.role(login))


def test_a_manager_does_not_disable_a_service_account_the_owner_does(rig: WriteRig) -> None:
    login = fresh()
    rig.hire(login, "JKT", ("service",))

    with pytest.raises(Refusal) as refused:
        rig.store("mega").transact(lambda tx: tx.disable_staff(login))  # type: ignore[attr-defined]
    assert (refused.value.code, refused.value.params["reason"]) == (RefusalCode.NOT_ALLOWED, "service")
    assert rig.value("SELECT active FROM sentra.staff WHERE login = %s", login) is True

    rig.owner.execute("SELECT sentra.disable_staff(%s)", (login,))
    assert rig.value("SELECT active FROM sentra.staff WHERE login = %s", login) is False


def test_two_managers_who_disable_each_other_at_once_leave_one(rig: WriteRig) -> None:
    """Logins of this test alone: disabling ends the role for the whole cluster."""
    pair = [fresh(), fresh()]
    for login in pair:
        rig.hire(login, "MKS", ("manager",))
    rig.owner.execute("UPDATE sentra.staff SET active = false WHERE login = 'hesti'")
    stores = {login: rig.new_store(login, pool_size=1) for login in pair}

    results = at_once(
        [
            lambda a=a, b=b: stores[a].transact(lambda tx: tx.disable_staff(b))  # type: ignore[attr-defined]
            for a, b in (pair, reversed(pair))
        ]
    )

    assert sum(isinstance(item, int) for item in results) == 1, results
    assert rig.value("SELECT count(*) FROM sentra.staff WHERE active AND login = ANY (%s)", pair) == 1


def test_a_name_with_hidden_signs_is_refused(rig: WriteRig) -> None:
    with pytest.raises(Refusal) as refused:
        hire(rig, fresh(), name="Budi \u202eosotnaS")

    assert (refused.value.code, refused.value.field) == (RefusalCode.FIELD_INVALID, "name")


@pytest.mark.parametrize("login", ["rina", "bayu", "gilang", "mega", "jaga"])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT pg_logical_emit_message(false, 'x', 'y')",
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_put(1, 0, 'x')",
        "SELECT lo_get(1)",
        "SELECT lo_unlink(1)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_advisory_xact_lock(hashtext('sentra.provision'))",
        "SELECT pg_try_advisory_lock(1, 1)",
        "SELECT pg_try_advisory_xact_lock_shared(1)",
        "SELECT 1 FROM sentra.turn FOR UPDATE",
    ],
)
def test_nobody_fills_the_disk_or_squats_on_a_lock(rig: WriteRig, login: str, statement: str) -> None:
    with rig.psql(login) as mine, pytest.raises(psycopg.errors.InsufficientPrivilege):
        mine.execute(statement.encode())
