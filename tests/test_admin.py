"""`sentra-admin`: any use case from JSON to JSON with the login's rights, exit codes, and the doctor's findings."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app import admin, admin_do
from app.domain.errors import NextAction, Refusal, RefusalCode, invalid
from app.json_values import Fields, plain, refusal_json
from tests.support.world import AVANZA, AVANZAS, HEADING, SKU, World, days, password_of, refused

pytest_plugins = ("tests.support.world_fixtures",)

NO_ID = str(uuid.UUID(int=0))
HANDLE: dict[str, object] = {"invoice_id": NO_ID, "token": "x" * 43, "epoch": 1}
MARCH = {"first_day": "2027-03-10", "last_day": "2027-03-12"}


@dataclass(frozen=True, slots=True)
class Said:
    """How one command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        (line,) = self.out.splitlines()
        return json.loads(line)

    @property
    def result(self) -> Any:
        assert self.json["ok"] is True, self
        return self.json["result"]


Admin = Callable[..., Said]


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch) -> Admin:
    """Runs `sentra-admin …` against the test's servers, as a script would call it."""
    return _runner(world, monkeypatch)


@pytest.fixture
def run_shared(shared_world: World, monkeypatch: pytest.MonkeyPatch) -> Admin:
    return _runner(shared_world, monkeypatch)


def _runner(world: World, monkeypatch: pytest.MonkeyPatch) -> Admin:
    for name, value in world.environment().items():
        monkeypatch.setenv(name, value)

    def call(*arguments: str, given: object = None, raw: bytes | None = None, **environment: str) -> Said:
        if "--as" in arguments:
            environment.setdefault("SENTRA_PASSWORD", password_of(arguments[arguments.index("--as") + 1]))
        sent = raw if raw is not None else json.dumps({} if given is None else given).encode()
        found = CliRunner().invoke(admin.cli, list(arguments), input=sent, env=environment)
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        return Said(found.exit_code, found.stdout, found.stderr)

    return call


def _do(run: Admin, use_case: str, login: str, given: object = None) -> Any:
    """What a use case answers on the command line."""
    return run("do", use_case, "--as", login, "--json", given=given).result


def order(unit: str | None = AVANZA, **changes: object) -> dict[str, object]:
    line = {"sku": SKU, **MARCH, **({} if unit is None else {"unit_id": unit})}
    return {"customer": {"name": "Rina Maharani", "phone": "0812 0000 1234"}, "lines": [line], **changes}


def test_book_open_settle_and_cancel_from_json(world: World, run: Admin) -> None:
    said = run("do", "book", "--as", "siti", "--json", given=order(note="jemput di hotel"))
    assert said.code == 0
    booked = said.result
    assert set(booked) == {"order_id", "bookings", "invoice_id", "total"}
    (unit,) = booked["bookings"]
    assert set(unit) == {"id", "number", "unit_id", "state", "payment_deadline"}
    assert (unit["state"], unit["unit_id"], booked["total"]) == ("PENDING_PAYMENT", AVANZA, 1_550_000)

    shift = run("do", "open_shift", "--as", "siti", "--json", given={"drawer": "Laci 1", "float": 500_000}).json[
        "result"
    ]
    assert shift["drawer"] == "Laci 1"
    held = run("do", "open_invoice", "--as", "siti", "--json", given={"invoice_id": booked["invoice_id"]}).json[
        "result"
    ]
    assert set(held) == {"token", "epoch", "remaining_ms"}
    handle = {"invoice_id": booked["invoice_id"], "token": held["token"], "epoch": held["epoch"]}
    renewed = run("do", "renew_lock", "--as", "siti", "--json", given={**handle, "idle_ms": 0}).json
    assert renewed == {"ok": True, "result": {"remaining_ms": 60_000}}
    pay = {**handle, "attempt_id": str(uuid.uuid4()), "tenders": [{"kind": "CASH", "amount": 1_600_000}]}
    paid = _do(run, "settle", "siti", pay)
    assert (paid["number"], paid["change"], paid["already"]) == ("INV/JKT/202703/00001", 50_000, False)
    again = _do(run, "settle", "siti", pay)
    assert again == {**paid, "already": True}

    second = _do(run, "book", "ayu", order(AVANZAS[1]))
    ended = run("do", "cancel", "--as", "ayu", "--json", given={"booking_id": second["bookings"][0]["id"]}).json[
        "result"
    ]
    assert (ended["state"], ended["freed"][0]["first_day"]) == ("CANCELLED", "2027-03-10")
    assert [row["number"] for row in _do(run, "invoices", "dedi", {"states": ["PAID"]})] == [paid["number"]]
    world.assert_sound()


def test_the_reading_use_cases_answer_plain_json(world: World, run: Admin) -> None:
    world.book(world.counter("ayu"), days("2027-03-10", "2027-03-12"))
    view = _do(run, "calendar", "dedi", {"first_day": "2027-03-09", "last_day": "2027-03-11"})
    assert (view["today"], view["from_index"]) == ("2027-03-01", True)
    assert {unit["unit_id"]: unit["taken"] for unit in view["units"]}[AVANZA] == ["2027-03-10", "2027-03-11"]
    assert [bar["number"] for bar in view["bars"]] == ["BK-10001"]
    free = _do(run, "free_units", "ayu", {"sku": SKU, **MARCH})
    assert [unit["unit_id"] for unit in free] == list(AVANZAS[1:])
    hits = _do(run, "find_customers", "ayu", {"text": "rina"})
    assert hits[0]["customer"]["phone"] == "+6281200001234"
    (unit,) = _do(run, "search", "ayu", {"text": "b1201xyz"})
    assert (unit["kind"], unit["id"], unit["is_exact"]) == ("unit", AVANZAS[1], True)
    assert _do(run, "unit_for", "ayu", {"unit_id": AVANZAS[1], **MARCH})["unit_id"] == AVANZAS[1]
    me = run("do", "who_am_i", "--as", "maya", "--json").result
    assert (me["roles"], me["branch"]["zone"]) == (["agent", "cashier", "inspector", "manager"], "Asia/Jakarta")
    assert run("do", "current_shift", "--as", "budi", "--json").json == {"ok": True, "result": None}


def test_a_refusal_is_exit_1_with_code_params_and_next_actions(world: World, run: Admin) -> None:
    run("do", "book", "--as", "siti", "--json", given=order())
    said = run(
        "do", "book", "--as", "ayu", "--json", given=order(customer={"name": "Budi Santoso", "phone": "081399990000"})
    )
    assert said.code == 1
    assert said.json["ok"] is False
    refusal = said.json["refusal"]
    assert (refusal["code"], refusal["field"]) == ("DAYS_TAKEN", "lines[0]")
    assert refusal["params"]["blockers"][0]["customer"] == "Rina Maharani"
    offered = [item["action"] for item in refusal["next"]]
    assert offered == ["use_unit", "use_unit", "use_dates", "use_dates", "other_branch"]


def from_day(first: object) -> dict[str, object]:
    return {**order(), "lines": [{"sku": SKU, "first_day": first, "last_day": "2027-03-12"}]}


@pytest.mark.parametrize(
    ("use_case", "given", "field"),
    [
        ("book", order(unit_id=AVANZA), "unit_id"),
        ("book", {**order(), "\ud800": 1}, "\ud800"),
        ("book", {**order(), "lines": [{"sku": SKU, **MARCH, "units": 2}]}, "lines[0].units"),
        ("book", {**order(), "customer": {"name": "Rina", "phone": "0812", "ktp": "1"}}, "customer.ktp"),
        ("book", {}, "customer"),
        ("book", {**order(), "lines": {}}, "lines"),
        ("book", {**order(), "lines": ["x"]}, "lines[0]"),
        ("book", {**order(), "lines": [{"sku": 5, **MARCH}]}, "lines[0].sku"),
        ("book", {**order(), "lines": [{"sku": "\ud800", **MARCH}]}, "lines[0].sku"),
        ("book", from_day("2027-02-31"), "lines[0].first_day"),
        ("book", from_day("10/03/2027"), "lines[0].first_day"),
        ("book", from_day(20270310), "lines[0].first_day"),
        ("book", {**order(), "note": "\ud800"}, "note"),
        ("book", {**order(), "note": ["x"]}, "note"),
        ("book", {**order(), "order_id": 7}, "order_id"),
        ("open_shift", {"drawer": "Laci", "float": 1.5}, "float"),
        ("open_shift", {"drawer": "Laci", "float": True}, "float"),
        ("open_shift", {"drawer": "Laci", "float": "500000"}, "float"),
        ("open_shift", {"drawer": "Laci", "float": 10**40}, "float"),
        ("open_shift", {"drawer": "x" * 5_000, "float": 0}, "drawer"),
        ("settle", {**HANDLE, "attempt_id": NO_ID, "tenders": [{"kind": "GOLD", "amount": 1}]}, "tenders[0].kind"),
        ("renew_lock", {**HANDLE, "token": "\ud800", "idle_ms": 0}, "token"),
        ("invoices", {"states": ["LATE"]}, "states"),
        ("invoices", {"states": "OPEN"}, "states"),
        ("import_fleet", {"csv_base64": "%%%"}, "csv_base64"),
        ("import_fleet", {"csv": "\ud800"}, "csv"),
        ("calendar", {"first_day": "2027-03-01"}, "last_day"),
    ],
)  # fmt: skip
def test_bad_json_fields_are_refused_by_their_name_and_change_nothing(
    shared_world: World, run_shared: Admin, use_case: str, given: dict[str, object], field: str
) -> None:
    before = shared_world.counts()
    said = run_shared("do", use_case, "--as", "maya", "--json", given=given)
    assert said.code == 1, said
    assert said.json["refusal"]["field"] == field, said
    assert shared_world.counts() == before


@pytest.mark.parametrize("raw", [b"{", b"[1, 2", b"\xff\xfe", b"NaN x", b"[" * 100_000, b'{"a": 1} {"b": 2}'])
def test_input_that_is_no_json_is_a_usage_error(run_shared: Admin, raw: bytes) -> None:
    said = run_shared("do", "book", "--as", "ayu", "--json", raw=raw)
    assert (said.code, said.out) == (2, "")
    assert "JSON" in said.err


@pytest.mark.parametrize("raw", [b"[]", b"null", b'"x"', b"5", b"NaN"])
def test_json_that_is_no_object_is_refused_as_input(run_shared: Admin, raw: bytes) -> None:
    said = run_shared("do", "book", "--as", "ayu", "--json", raw=raw)
    assert said.code == 1
    assert said.json["refusal"]["field"] == "input"


def test_more_than_64_mb_of_input_is_a_usage_error_and_less_is_a_refusal(run_shared: Admin) -> None:
    limit = 64 * 1024 * 1024
    assert run_shared("do", "book", "--as", "ayu", "--json", raw=b" " * (limit + 1)).code == 2
    body = b'{"note": "' + b"x" * (limit - 12) + b'"}'
    said = run_shared("do", "book", "--as", "ayu", "--json", raw=body)
    assert said.code == 1
    assert len(said.out) < 1_000


def test_wrong_logins_are_refused_without_a_hint_and_bad_commands_are_usage(run_shared: Admin) -> None:
    for login, password in (("ayu", "salah"), ("nobody", "x"), ("ayu", ""), ("a'; --", "x"), ("ayu", "a\udcffb")):
        said = run_shared("do", "who_am_i", "--as", login, "--json", SENTRA_PASSWORD=password)
        assert said.code == 1, said
        assert said.json["refusal"]["code"] in {"NOT_ALLOWED", "FIELD_INVALID"}
    assert run_shared("do", "drop_everything", "--as", "ayu", "--json").code == 2
    assert run_shared("do", "book").code == 2
    assert run_shared("nonsense").code == 2


def test_a_database_that_is_away_is_exit_4(run_shared: Admin) -> None:
    away = "postgresql://postgres:x@127.0.0.1:1/sentra"
    for command in (
        ("do", "book", "--as", "ayu", "--json"),
        ("doctor", "--json"),
        ("status", "--json"),
        ("migrate", "--json"),
    ):
        said = run_shared(*command, given=order(), DATABASE_URL=away)
        assert said.code == 4, (command, said)
        assert "Traceback" not in said.err


def test_a_bad_setting_is_exit_2(run_shared: Admin) -> None:
    said = run_shared("doctor", "--json", SENTRA_LANG="fr")
    assert said.code == 2
    assert "SENTRA_LANG" in said.err


def test_status_names_servers_and_versions(run: Admin) -> None:
    said = run("status", "--json")
    assert said.code == 0
    assert said.json["database"] == said.json["index"] == "ok"
    assert said.json["schema"] == said.json["program"]
    assert run("status", "--json", REDIS_URL="").json["index"] == "not configured"
    assert run("status", "--json", REDIS_URL="redis://127.0.0.1:1/0").json["index"] == "unreachable"
    assert "database: ok" in run("status").out


def test_staff_can_be_added_and_log_in(world: World, run: Admin) -> None:
    login = f"dewi{uuid.uuid4().hex[:6]}"

    def add(login: str, branch: str, password: str = "sandi-panjang") -> Said:
        names = f"{login} --name Dewi --branch {branch} --role agent --role cashier --json".split()
        return run("staff", "add", *names, SENTRA_NEW_PASSWORD=password)

    assert add(login, "JKT", "pendek").json["refusal"]["field"] == "password"
    assert add(login, "JKT").result == {"login": login, "branch": "JKT", "roles": ["agent", "cashier"]}
    me = run("do", "who_am_i", "--as", login, "--json", SENTRA_PASSWORD="sandi-panjang").result
    assert (me["login"], me["roles"]) == (login, ["agent", "cashier"])
    again = add(login, "JKT")
    assert (again.code, again.json["refusal"]["code"]) == (1, "DUPLICATE")
    assert add("joko", "XYZ").json["refusal"]["field"] == "branch"
    assert add("Joko!", "JKT").json["refusal"]["field"] == "login"


def test_import_names_each_bad_row_and_ends_with_1(world: World, run: Admin, tmp_path: Path) -> None:
    file = tmp_path / "armada.csv"
    good = "JKT,HON-BRIO-RS,Brio RS,Mobil,275000,400000,0,uuid-brio-001,B 1 A,0,IN_SERVICE\n"
    file.write_text(HEADING + good + good.replace("001", "002").replace("275000", "x"), "utf-8")
    said = run("import", str(file), "--as", "maya")
    assert said.code == 1
    assert said.out.splitlines() == [
        "line 3, daily_rate: not_a_whole_number x",
        "1 added, 0 changed, 0 same, 1 refused",
    ]
    file.write_text(HEADING + good, "utf-8")
    assert run("import", str(file), "--as", "maya", "--json").result["same"] == 1
    assert run("import", str(tmp_path / "nothing.csv"), "--as", "maya").code == 2
    assert run("import", str(file), "--as", "ayu").code == 1
    as_text = _do(run, "import_fleet", "maya", {"csv": HEADING + good})
    assert (as_text["same"], as_text["refusals"]) == (1, [])


def test_a_new_installation_is_made_by_init(world: World, run: Admin) -> None:
    def init(branch: str, zone: str, login: str = "john") -> Said:
        names = ("--branch", branch, "--name", "Denpasar", "--manager", login, "--zone", zone, "--json")
        return run("init", *names, SENTRA_PASSWORD="sandi-panjang")

    made = init("DPS", "Asia/Makassar", f"wayan{uuid.uuid4().hex[:6]}")
    assert (made.code, made.result["branch"]) == (0, "DPS")
    assert init("LHR", "Europe/London").json["refusal"]["field"] == "zone"
    assert init("not a code", "Asia/Jakarta").json["refusal"]["field"] == "branch"
    by_a_manager = run("migrate", "--json", DATABASE_URL=world.url_of("hasnah"))
    assert by_a_manager.json["refusal"]["code"] == "NOT_ALLOWED"


# --- the doctor ------------------------------------------------------------------------------------------------------


def test_the_doctor_ends_with_0_on_a_healthy_system(world: World, run: Admin) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    world.settle(siti, world.book(siti, days("2027-03-10", "2027-03-12")))
    said = run("doctor", "--json")
    assert (said.code, said.json["ok"], said.json["breaks"], said.json["repaired"]) == (0, True, [], 0)
    assert said.json["checked"]["units"] == 5
    assert "0 findings" in run("doctor").out


KEY = f"avail:{SKU}:{AVANZA}:202703"
PACKED = f"apack:{SKU}:202703"


def _orphan(world: World) -> None:
    with world.redis() as client:
        client.zadd("aidx:claims", {f"{SKU}|{AVANZA}|left-by-a-killed-counter": 1})


def _redis(command: str, *arguments: object) -> Callable[[World], None]:
    def break_it(world: World) -> None:
        with world.redis() as client:
            client.execute_command(command, *arguments)  # type: ignore[no-untyped-call]

    return break_it


INDEX_FAULTS: dict[str, tuple[Callable[[World], None], dict[str, str]]] = {
    "a flipped bit": (_redis("SETBIT", KEY, 9, 0), {"day": "2027-03-10", "redis": "key 0", "postgres": "1", "id": KEY}),
    "a bit that nobody booked": (
        _redis("SETBIT", KEY, 19, 1),
        {"day": "2027-03-20", "redis": "key 1", "postgres": "0"},
    ),
    "a flipped packed slot": (
        _redis("SETBIT", PACKED, 10, 0),
        {"day": "2027-03-11", "redis": "packed 0", "postgres": "1"},
    ),
    "a deleted key": (_redis("DEL", KEY), {"redis": "no key", "id": KEY}),
    "a stale version": (_redis("HSET", f"aver:{SKU}", 0, 0), {"redis": "version 0", "postgres": "version 1"}),
    "an orphan claim": (_orphan, {"redis": "claim expired", "unit_id": AVANZA}),
}


@pytest.mark.parametrize("name", INDEX_FAULTS)
def test_the_doctor_names_a_fault_of_the_index_with_exit_1_and_mends_it(world: World, run: Admin, name: str) -> None:
    world.book(world.counter("ayu"), days("2027-03-10", "2027-03-12"))
    break_it, expected = INDEX_FAULTS[name]
    break_it(world)
    said = run("doctor", "--json")
    assert (said.code, said.json["ok"]) == (1, False)
    assert set(said.json["breaks"][0]) == {"invariant", "unit_id", "day", "redis", "postgres", "id"}
    assert any(expected.items() <= item.items() for item in said.json["breaks"]), said.json["breaks"]
    assert {item["invariant"] for item in said.json["breaks"]} == {"I2"}
    mended = run("doctor", "--json", "--repair")
    assert (mended.code, mended.json["ok"], mended.json["repaired"]) == (0, True, len(said.json["breaks"]))
    assert run("doctor", "--json").code == 0
    assert world.bits(AVANZA, "202703") == [10, 11, 12]


def _overlap(world: World) -> None:
    world.do("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap")
    world.do("ALTER TABLE sentra.occupancy DISABLE TRIGGER USER")
    world.do("UPDATE sentra.occupancy SET unit_id = %s", AVANZA)
    world.do("ALTER TABLE sentra.occupancy ENABLE TRIGGER USER")


def _without_audit(world: World) -> None:
    world.do("ALTER TABLE sentra.booking DISABLE TRIGGER booking_guard")
    world.do(
        "UPDATE sentra.booking SET state = 'DISPATCHED', last_action = 'check_out', version = version + 1"
        " WHERE state = 'PAID_APPROVED'"
    )
    world.do("ALTER TABLE sentra.booking ENABLE TRIGGER booking_guard")


DATABASE_FAULTS: dict[str, tuple[Callable[[World], None], str]] = {
    "an overlapping row": (_overlap, "I1"),
    "a paid sum off by one": (
        lambda world: world.do("UPDATE sentra.invoice SET paid = paid - 1 WHERE state = 'PAID'"),
        "I4",
    ),
    "a state changed without audit": (_without_audit, "I11"),
    "a missing constraint": (
        lambda world: world.do("ALTER TABLE sentra.occupancy DROP CONSTRAINT occupancy_no_overlap"),
        "GUARDS",
    ),
}


@pytest.mark.parametrize("name", DATABASE_FAULTS)
def test_the_doctor_names_a_fault_of_the_database_with_exit_1_and_leaves_it_to_a_person(
    world: World, run: Admin, name: str
) -> None:
    siti = world.counter("siti")
    world.open_shift(siti)
    world.settle(siti, world.book(siti, days("2027-03-10", "2027-03-12")))
    world.book(siti, days("2027-03-11", "2027-03-13"), AVANZAS[1])
    break_it, invariant = DATABASE_FAULTS[name]
    break_it(world)
    for command in (("doctor", "--json"), ("doctor", "--json", "--repair")):
        said = run(*command)
        assert (said.code, said.json["ok"]) == (1, False)
        named = [item for item in said.json["breaks"] if item["invariant"] == invariant]
        assert named, said.json["breaks"]
        assert all(item["id"] for item in named)


def test_the_doctor_says_that_redis_is_away_and_still_examines_the_database(world: World, run: Admin) -> None:
    world.book(world.counter("ayu"), days("2027-03-10"))
    _without_audit(world)
    world.do("UPDATE sentra.invoice SET paid = 1")
    said = run("doctor", "--json", REDIS_URL="redis://127.0.0.1:1/0")
    assert said.code == 1
    assert {item["invariant"] for item in said.json["breaks"]} >= {"INDEX", "I4"}


# --- JSON values -----------------------------------------------------------------------------------------------------


def test_a_value_without_a_json_form_is_a_fault_and_never_guessed() -> None:
    for value in (1.5, b"x", object()):
        with pytest.raises(TypeError):
            plain({"x": [value]})
    assert plain({"roles": frozenset({"b", "a"}), "days": (1, None, True)}) == {
        "roles": ["a", "b"],
        "days": [1, None, True],
    }


def test_a_refusal_has_the_contracts_shape() -> None:
    no = Refusal(RefusalCode.LOCK_HELD, next=(NextAction("tell_me", {"id": "1"}),), remaining_ms=5)
    assert refusal_json(no) == {
        "code": "LOCK_HELD",
        "params": {"remaining_ms": 5},
        "next": [{"action": "tell_me", "params": {"id": "1"}}],
    }
    assert refusal_json(invalid("name", "empty"))["field"] == "name"


def test_fields_tell_missing_from_wrong() -> None:
    fields = Fields({"a": None, "b": [], "c": {"d": 1}})
    with pytest.raises(Refusal) as no:
        fields.text("a")
    assert refused(no.value, RefusalCode.FIELD_INVALID, "a")["reason"] == "missing"
    with pytest.raises(Refusal) as no:
        fields.object("c").text("d")
    assert refused(no.value, RefusalCode.FIELD_INVALID, "c.d")["reason"] == "not_str"
    assert fields.text_or_none("a") is None


def test_use_cases_are_listed_with_the_fields_they_know(run: Admin) -> None:
    known = run("use-cases", "--json").json
    wanted = ["approval_id", "customer", "down_payment", "expected_total", "lines", "note", "order_id"]
    assert known["book"] == wanted
    assert set(known) == set(admin_do.USE_CASES)
