"""A manager's word at somebody else's counter: by password, for one thing, once, in time, and never kept."""

import json
import uuid
from functools import partial

import psycopg
import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.money import Rupiah
from app.usecases.rows_approvals import Approval
from tests.support.at_once import at_once
from tests.support.world import World, days, password_of, refused

pytest_plugins = ("tests.support.world_fixtures",)

REASON = "transfer dari bank sedang jalan"


def word(counter: Counter, booking_id: str, *, login: str = "maya", password: str | None = None) -> Approval:
    return counter.approvals.approve(login, password or password_of("maya"), "hold_longer", booking_id, REASON)


def wrong(counter: Counter, times: int) -> list[object]:
    """What is said to this many wrong passwords."""
    said: list[object] = []
    for _ in range(times):
        with pytest.raises(Refusal) as no:
            word(counter, "x", password="salah")
        params = refused(no.value, RefusalCode.NOT_ALLOWED, "password")
        said.append(params.get("left", params["reason"]))
    return said


def use(world: World, login: str, approval_id: str, action: str, thing: str, amount: int | None = None) -> str:
    """Use an approval as this person's transaction would; the reason of the refusal, or nothing."""
    role = f"{world.database.prefix}_{login}"
    with psycopg.connect(world.database.owner_url, autocommit=True) as owner:
        owner.execute(f'SET SESSION AUTHORIZATION "{role}"'.encode())
        # The function is nobody's to call: a definer function of the owner's stands between.
        try:
            owner.execute("SELECT sentra.try_approval(%s, %s, %s, %s)", (approval_id, action, thing, amount))
        except psycopg.DatabaseError as no:
            assert no.diag.message_primary == "APPROVAL_NEEDED", no
            return str(json.loads(no.diag.message_detail or "{}")["reason"])
    return ""


@pytest.fixture
def tried(world: World) -> World:
    """With a function that does nothing but use an approval."""
    world.do(
        """CREATE FUNCTION sentra.try_approval(id uuid, action text, thing text, amount bigint) RETURNS void
           SECURITY DEFINER SET search_path = sentra, pg_temp LANGUAGE sql
           AS 'SELECT sentra.use_approval(id, action, thing, amount)'"""
    )
    world.do("GRANT EXECUTE ON FUNCTION sentra.try_approval TO PUBLIC")
    return world


def test_a_managers_word_lets_a_clerk_hold_an_unpaid_order_longer_once(world: World) -> None:
    siti = world.counter("siti")
    booking = world.book(siti, days("2027-03-10")).bookings[0]
    with pytest.raises(Refusal) as no:
        siti.bookings.hold_longer(booking.id, 3, REASON)
    assert refused(no.value, RefusalCode.APPROVAL_NEEDED, "approval_id")["action"] == "hold_longer"

    given = word(siti, f"{booking.id}:3")
    assert given.approved_by_name == "Maya"
    assert (given.expires_at - world.now()).total_seconds() == 300
    held = siti.bookings.hold_longer(booking.id, 3, REASON, approval_id=given.id)

    assert (held.payment_deadline - world.now()).total_seconds() == 3 * 3600
    with pytest.raises(Refusal) as again:
        siti.bookings.hold_longer(booking.id, 5, REASON, approval_id=given.id)
    assert refused(again.value, RefusalCode.APPROVAL_NEEDED, "approval_id")["reason"] == "used"
    assert [row[0] for row in world.rows("SELECT action FROM sentra.audit ORDER BY id DESC LIMIT 3")] == [
        *("hold_longer", "use_approval", "approve")
    ]
    world.assert_sound()


def test_the_managers_connection_ends_with_the_word_and_the_password_is_nowhere(world: World) -> None:
    siti = world.counter("siti")
    word(siti, "BK-1")

    there = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND state IS NOT NULL"
    assert world.value(there, f"{world.database.prefix}_maya") == 0
    assert password_of("maya") not in repr(vars(siti.approvals)) + str(world.rows("SELECT * FROM sentra.approval"))


def test_a_wrong_password_is_told_by_its_field_and_five_of_them_are_a_pause(world: World) -> None:
    siti, ayu = world.counter("siti"), world.counter("ayu")
    assert wrong(siti, 5) == [4, 3, 2, 1, 0]

    with pytest.raises(Refusal) as no:
        word(siti, "BK-1")
    told = refused(no.value, RefusalCode.NOT_ALLOWED, "password")
    assert (told["reason"], told["remaining_ms"]) == ("paused", 300_000)
    assert word(ayu, "BK-1").approved_by_name == "Maya", "the pause is the one person's"
    assert world.rows("SELECT DISTINCT subject, actor FROM sentra.audit WHERE action = 'approval_wrong'") == [
        ("maya", f"{world.database.prefix}_siti")
    ]
    world.after(minutes=5)
    assert word(siti, "BK-1").approved_by_name == "Maya"


def test_as_many_passwords_at_once_as_there_are_windows_are_five_tries_too(world: World) -> None:
    windows = [world.counter("siti") for _ in range(3)]

    def guess(window: Counter, number: int) -> object:
        with pytest.raises(Refusal) as no:
            word(window, "x", password=f"salah {number}")
        return refused(no.value, RefusalCode.NOT_ALLOWED, "password")["reason"]

    said = at_once(*(partial(guess, windows[number % 3], number) for number in range(12)))

    assert sorted(str(one) for one in said.results) == ["paused"] * 7 + ["wrong"] * 5
    assert world.value("SELECT count(*) FROM sentra.audit WHERE action = 'approval_wrong'") == 5


def test_a_right_password_begins_the_count_anew(world: World) -> None:
    siti = world.counter("siti")
    assert wrong(siti, 3) == [4, 3, 2]
    world.after(seconds=1)
    word(siti, "BK-1")
    world.after(seconds=1)

    assert wrong(siti, 2) == [4, 3]


def test_a_login_that_nobody_has_is_a_wrong_password_too(world: World) -> None:
    with pytest.raises(Refusal) as no:
        word(world.counter("siti"), "BK-1", login="nobody")
    assert refused(no.value, RefusalCode.NOT_ALLOWED, "password")["left"] == 4


@pytest.mark.parametrize(("login", "reason"), [("budi", "not_a_manager"), ("hasnah", "other_branch")])
def test_only_a_manager_of_this_branch_gives_a_word(world: World, login: str, reason: str) -> None:
    with pytest.raises(Refusal) as no:
        world.counter("siti").approvals.approve(login, password_of(login), "void", "BK-1", REASON)
    assert refused(no.value, RefusalCode.NOT_ALLOWED, "login")["reason"] == reason
    assert world.value("SELECT count(*) FROM sentra.approval") == 0


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"login": "Maya!"}, "login"),
        ({"password": ""}, "password"),
        ({"action": "Void it"}, "action"),
        ({"object": " "}, "object"),
        ({"reason": " .. "}, "reason"),
        ({"amount": Rupiah(-1)}, "amount"),
    ],
)
def test_a_bad_input_is_named_and_no_password_is_tried(
    shared_world: World, wanted: dict[str, object], field: str
) -> None:
    asked: dict[str, object] = {"login": "maya", "password": "x", "action": "void", "object": "BK-1", "reason": REASON}
    with pytest.raises(Refusal) as no:
        shared_world.counter("siti").approvals.approve(**{**asked, **wanted})  # type: ignore[arg-type]
    refused(no.value, RefusalCode.FIELD_INVALID, field)


def test_a_word_does_for_its_own_action_object_amount_and_person_only(tried: World) -> None:
    siti = tried.counter("siti")
    given = siti.approvals.approve("maya", password_of("maya"), "discount", "BK-1", REASON, Rupiah(25)).id

    def why(login: str = "siti", action: str = "discount", thing: str = "BK-1", amount: int | None = 25) -> str:
        return use(tried, login, given, action, thing, amount)

    assert why(action="void") == "other"
    assert why(thing="BK-2") == "other"
    assert why(login="ayu") == "other_person"
    assert why(login="rahmat") == "unknown", "another branch has none of it"
    assert why(amount=26) == "amount"
    assert use(tried, "siti", str(uuid.uuid4()), "discount", "BK-1") == "unknown"
    assert tried.value("SELECT used_at FROM sentra.approval") is None
    assert why(amount=20) == ""
    assert why(amount=20) == "used"
    assert tried.rows("SELECT used_by FROM sentra.approval") == [(f"{tried.database.prefix}_siti",)]


def test_a_word_without_an_amount_does_not_do_for_one(tried: World) -> None:
    given = word(tried.counter("siti"), "BK-1").id
    assert use(tried, "siti", given, "hold_longer", "BK-1", 1) == "amount"


def test_a_word_is_over_after_five_minutes_by_the_databases_clock(tried: World) -> None:
    given = word(tried.counter("siti"), "BK-1").id
    tried.after(minutes=5)
    assert use(tried, "siti", given, "hold_longer", "BK-1") == "over"


@pytest.mark.parametrize("loss", ["role", "account"])
def test_the_word_of_somebody_who_is_no_manager_any_more_does_not_do(tried: World, loss: str) -> None:
    """Also not for oneself: a manager who gave it at the own counter and lost the role since."""
    prefix = tried.database.prefix
    given = word(tried.counter("siti"), "BK-1").id
    own = word(tried.counter("maya"), "BK-1").id
    if loss == "role":
        tried.do(f'GRANT "{prefix}_agent" TO "{prefix}_maya" WITH SET FALSE GRANTED BY "{prefix}_staff_admin"')
        tried.do(f'REVOKE "{prefix}_manager" FROM "{prefix}_maya" GRANTED BY "{prefix}_staff_admin"')
    else:
        tried.do("UPDATE sentra.staff SET active = false WHERE login = 'maya'")
    try:
        assert use(tried, "siti", given, "hold_longer", "BK-1") == "not_a_manager"
        if loss == "role":
            assert use(tried, "maya", own, "hold_longer", "BK-1") == "not_a_manager"
    finally:  # roles are the whole cluster's
        if loss == "role":
            tried.do(f'REVOKE "{prefix}_agent" FROM "{prefix}_maya" GRANTED BY "{prefix}_staff_admin"')
            options = f'WITH INHERIT TRUE, SET FALSE GRANTED BY "{prefix}_staff_admin"'
            tried.do(f'GRANT "{prefix}_manager" TO "{prefix}_maya" {options}')


def test_the_same_word_sent_again_is_the_same_and_another_under_its_id_is_refused(world: World) -> None:
    siti = world.counter("siti")
    given = word(siti, "BK-1")
    row = world.rows("SELECT id::text, action, object, reason FROM sentra.approval")[0]

    def send(thing: str) -> object:
        statement = (
            "SELECT sentra.approve(jsonb_build_object('id', %s::text, 'action', %s::text, 'object', %s::text,"
            " 'reason', %s::text, 'asked_by', 'siti', 'counter', 'Kasir 1'))"
        )
        with psycopg.connect(world.url_of("maya"), autocommit=True) as connection:
            return connection.execute(statement, (row[0], row[1], thing, row[3])).fetchone()

    again = send("BK-1")
    assert isinstance(again, tuple)
    assert again[0]["id"] == given.id
    with pytest.raises(psycopg.DatabaseError, match="DUPLICATE"):
        send("BK-2")
    assert world.value("SELECT count(*) FROM sentra.approval") == 1
