"""Identity numbers through the service: found by the exact number, revealed once, for whoever may, and never kept."""

import http.client
import json
import logging
import stat
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.adapters.identity_http import IdentityOverHttp
from app.adapters.sealing import KEY_FILE, KeyFile, Seals, open_key_file
from app.bootstrap import Counter, ServiceParts
from app.domain.errors import NextAction, Refusal, RefusalCode
from app.domain.identity import IdentityKind
from app.usecases.customers import ticket_hash
from app.usecases.identity_desk import IdentityDesk
from app.usecases.rows_customers import CustomerCard, CustomerForm, IdentityQuestion, SealedIdentity
from tests.support.at_once import at_once
from tests.support.identity_service import counter_at, identity_service, identity_service_over
from tests.support.world import World, refused

pytest_plugins = ("tests.support.world_fixtures",)

NIK, PASSPORT = "3275011708900012", "X1234567"


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    world: World
    url: str
    parts: ServiceParts
    ayu: Counter
    dedi: Counter
    maya: Counter
    rina: CustomerCard

    def post(self, path: str, body: bytes) -> tuple[int, Any, str | None]:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        try:
            connection.request("POST", path, body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read()), answer.getheader("Cache-Control")
        finally:
            connection.close()

    def ticket(self, who: Counter, customer_id: str | None = None) -> str:
        ticket = str(uuid.uuid4())
        question = IdentityQuestion(
            ticket_hash=ticket_hash(ticket),
            customer_id=customer_id,
            kind=None if customer_id is None else IdentityKind.NIK,
            reason=None if customer_id is None else "cocokkan KTP",
        )
        who.store.transact(lambda tx: tx.ask_identity(question, "Kasir 1"))
        return ticket


@pytest.fixture(scope="module")
def desk(shared_world: World) -> Iterator[Desk]:
    with identity_service(shared_world) as (url, parts):
        with (
            counter_at(shared_world, "ayu", url) as ayu,
            counter_at(shared_world, "dedi", url) as dedi,
            counter_at(shared_world, "maya", url) as maya,
        ):
            rina = ayu.customers.save_customer(
                CustomerForm(
                    id=str(uuid.uuid4()), name="Rina Maharani", phone="0812 0000 1234", nik=NIK, passport=PASSPORT
                )
            )
            yield Desk(world=shared_world, url=url, parts=parts, ayu=ayu, dedi=dedi, maya=maya, rina=rina)


def audit(world: World, *actions: str) -> list[tuple[object, ...]]:
    return world.rows(
        "SELECT action, subject, after->>'reason', after->>'kind' FROM sentra.audit"
        " WHERE action = ANY (%s) ORDER BY id",
        list(actions),
    )


def test_a_customer_is_found_by_the_whole_number_and_by_nothing_less(desk: Desk) -> None:
    for typed in (NIK, "3275 0117 0890 0012", "x 1234567"):
        assert [hit.customer.id for hit in desk.ayu.customers.find_by_identity(typed)] == [desk.rina.id], typed
    for typed in (NIK[:-1], "3275011708900013", "X1234568", "12345"):
        assert desk.ayu.customers.find_by_identity(typed) == ()
    assert {row[1] for row in audit(desk.world, "find_identity")} == {""}


def test_a_number_that_was_saved_this_moment_is_found(desk: Desk) -> None:
    number = "3171014107850003"
    made = desk.ayu.customers.save_customer(
        CustomerForm(id=str(uuid.uuid4()), name="Tia Kurnia", phone="0812 0000 5555", nik=number)
    )
    (hit,) = desk.ayu.customers.find_by_identity(number)
    assert (hit.customer.id, hit.masked) == (made.id, "3171 01 •••••• 0003")


def test_a_manager_or_inspector_sees_a_number_with_a_reason_which_is_recorded(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    before = len(audit(desk.world, "reveal_identity", "identity_revealed"))

    assert desk.dedi.customers.reveal_identity(desk.rina.id, IdentityKind.NIK, "cocokkan KTP") == NIK
    assert desk.maya.customers.reveal_identity(desk.rina.id, IdentityKind.PASSPORT, "lapor imigrasi") == PASSPORT

    assert audit(desk.world, "reveal_identity", "identity_revealed")[before:] == [
        ("reveal_identity", desk.rina.id, "cocokkan KTP", "NIK"),
        ("identity_revealed", desk.rina.id, None, "NIK"),
        ("reveal_identity", desk.rina.id, "lapor imigrasi", "PASSPORT"),
        ("identity_revealed", desk.rina.id, None, "PASSPORT"),
    ]
    assert NIK not in caplog.text
    assert desk.world.value("SELECT count(*) FROM sentra.audit a WHERE a::text LIKE %s", f"%{NIK}%") == 0


def test_an_agent_reveals_nothing_also_past_the_screen(desk: Desk) -> None:
    with pytest.raises(Refusal) as no:
        desk.ayu.customers.reveal_identity(desk.rina.id, IdentityKind.NIK, "ingin tahu")
    refused(no.value, RefusalCode.NOT_ALLOWED)
    with pytest.raises(Refusal) as no:
        desk.ticket(desk.ayu, desk.rina.id)
    refused(no.value, RefusalCode.NOT_ALLOWED)


@pytest.mark.parametrize("reason", ["", "   ", "\u3164", "a\x00b", "\u202e", "x" * 201])
def test_a_reveal_without_a_reason_is_refused(desk: Desk, reason: str) -> None:
    before = len(audit(desk.world, "reveal_identity"))
    with pytest.raises(Refusal) as no:
        desk.dedi.customers.reveal_identity(desk.rina.id, IdentityKind.NIK, reason)
    refused(no.value, RefusalCode.FIELD_INVALID, "reason")
    assert len(audit(desk.world, "reveal_identity")) == before


def test_a_ticket_answers_once_for_sixty_seconds_and_for_what_it_was_given(desk: Desk) -> None:
    body = json.dumps({"ticket": desk.ticket(desk.dedi, desk.rina.id)}).encode()
    assert desk.post("/identity/reveal", body) == (200, {"number": NIK}, "no-store")
    assert desk.post("/identity/reveal", body)[0] == 404, "used"

    late = json.dumps({"ticket": desk.ticket(desk.dedi, desk.rina.id)}).encode()
    desk.world.after(seconds=60)
    assert desk.post("/identity/reveal", late)[0] == 404, "expired"

    find = desk.ticket(desk.ayu)
    assert desk.post("/identity/reveal", json.dumps({"ticket": find}).encode())[0] == 404
    reveal = desk.ticket(desk.dedi, desk.rina.id)
    assert desk.post("/identity/find", json.dumps({"ticket": reveal, "number": NIK}).encode())[0] == 404
    assert desk.post("/identity/find", json.dumps({"ticket": "guess", "number": NIK}).encode())[0] == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b"{" * 4000, 400),
        (b'{"ticket": 1, "number": "12345"}', 400),
        (b'{"ticket": "x", "number": null}', 400),
        (b'{"ticket": "x", "number": "12345", "more": 1}', 400),
        (b'{"ticket": "x", "number": "\\u0000"}', 400),
        (b'{"ticket": "x", "number": "\\ud800"}', 400),
        (b"\xff\xfe", 400),
        (b'{"ticket": "' + b"x" * 5000 + b'"}', 413),
        (b"x" * 2_000_000, 413),
    ],
)
def test_bad_questions_are_refused_and_leave_the_service_working(desk: Desk, body: bytes, status: int) -> None:
    try:
        answered = desk.post("/identity/find", body)[0]
    except (BrokenPipeError, ConnectionResetError):
        answered = 413  # the rest of a large body was not waited for
    assert answered == status
    assert desk.ayu.customers.find_by_identity(NIK)


def test_a_box_copied_to_another_customer_or_kind_reveals_nothing(desk: Desk) -> None:
    other = desk.ayu.customers.save_customer(
        CustomerForm(id=str(uuid.uuid4()), name="Eko Prabowo", phone="0812 0000 7777", nik="3171014107850099")
    )
    desk.world.do(
        "UPDATE sentra.customer_identity AS x SET sealed = y.sealed FROM sentra.customer_identity AS y"
        " WHERE y.customer_id = %s AND y.kind = 'NIK' AND x.customer_id = %s",
        desk.rina.id,
        other.id,
    )
    with pytest.raises(Refusal) as no:
        desk.dedi.customers.reveal_identity(other.id, IdentityKind.NIK, "cocokkan KTP")
    assert refused(no.value, RefusalCode.NOT_FOUND, "customer_id")["reason"] == "sealed_otherwise"


def test_a_number_that_does_not_open_is_marked_once_and_stops_nothing(desk: Desk) -> None:
    before = desk.parts.identity.read_new().problem
    made = desk.ayu.customers.save_customer(
        CustomerForm(id=str(uuid.uuid4()), name="Vina Oktaviani", phone="0812 0000 3333", nik="3171014107850011")
    )
    desk.world.do(
        "UPDATE sentra.customer_identity SET sealed = decode(repeat('00', 80), 'hex') WHERE customer_id = %s", made.id
    )
    told = desk.parts.identity.read_new()
    count = int(before.partition(" ")[0] or 0) + 1
    assert (told.failed, told.problem) == (0, f"{count} identity numbers cannot be opened with this key")
    assert desk.world.value("SELECT is_readable FROM sentra.customer_identity WHERE customer_id = %s", made.id) is False
    again = desk.parts.identity.read_new()
    assert (again.done, again.problem) == (0, told.problem), "it is told until the number is written anew"
    desk.ayu.customers.save_customer(
        CustomerForm(id=made.id, version=made.version, name=made.name, phone=made.phone, nik="3171014107850011")
    )
    mended = desk.parts.identity.read_new()
    assert (mended.done, mended.problem) == (1, before)


def test_without_a_service_a_number_is_neither_found_nor_shown_and_says_so(shared_world: World) -> None:
    for url, reason in ((None, "no_service"), ("http://127.0.0.1:9", "service"), ("http://10.0.0.7:80", "not_secured")):
        with pytest.raises(Refusal) as no:
            IdentityOverHttp(url).find("ticket", NIK)
        assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == reason


def test_the_key_is_one_private_file_and_is_never_replaced(tmp_path: Path) -> None:
    made = open_key_file(tmp_path, may_make=True)
    path = tmp_path / KEY_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [item.name for item in tmp_path.iterdir()] == [KEY_FILE]
    assert open_key_file(tmp_path, may_make=True).published == made.published

    path.write_text("{}")
    with pytest.raises(Refusal) as no:
        open_key_file(tmp_path, may_make=True)
    assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == "identity_key"


def test_what_is_sealed_opens_with_the_private_key_alone(tmp_path: Path) -> None:
    keys, others = (open_key_file(tmp_path / name, may_make=True) for name in ("a", "b"))
    customer = str(uuid.uuid4())
    sealed = Seals().seal(keys.published, customer, IdentityKind.NIK, NIK)
    identity = SealedIdentity(customer_id=customer, kind=IdentityKind.NIK, sealed=sealed)
    assert keys.open(identity) == NIK
    assert others.open(identity) is None
    assert NIK.encode() not in sealed
    assert sealed != Seals().seal(keys.published, customer, IdentityKind.NIK, NIK)
    assert keys.lookup(IdentityKind.NIK, NIK) != others.lookup(IdentityKind.NIK, NIK)
    assert keys.lookup(IdentityKind.NIK, NIK) != keys.lookup(IdentityKind.LICENCE, NIK)


def test_another_services_key_takes_the_place_of_none(desk: Desk, tmp_path: Path) -> None:
    standing = desk.ayu.store.read.identity_key()
    stranger = IdentityDesk(desk.parts.store, lambda may_make: open_key_file(tmp_path, may_make=may_make))
    with pytest.raises(Refusal) as no:
        stranger.publish()
    assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == "identity_key"
    assert not (tmp_path / KEY_FILE).exists(), "where numbers are sealed no second key is made"
    open_key_file(tmp_path, may_make=True)
    with pytest.raises(Refusal):
        stranger.publish()
    assert desk.ayu.store.read.identity_key() == standing


def test_a_service_that_lost_its_key_finds_and_shows_nothing_and_the_counter_says_why(
    desk: Desk, tmp_path: Path
) -> None:
    def lost(_may_make: bool) -> KeyFile:
        return open_key_file(tmp_path, may_make=False)

    with (
        identity_service_over(IdentityDesk(desk.parts.store, lost)) as url,
        counter_at(desk.world, "maya", url) as maya,
    ):
        for ask in (
            lambda: maya.customers.find_by_identity(NIK),
            lambda: maya.customers.reveal_identity(desk.rina.id, IdentityKind.NIK, "cocokkan KTP"),
        ):
            with pytest.raises(Refusal) as no:
                ask()
            assert refused(no.value, RefusalCode.UNREACHABLE)["reason"] == "identity_key"
        card = maya.customers.get_customer(desk.rina.id)
        assert card.identity(IdentityKind.NIK) is not None, "the register goes on with what it may show"


def test_two_counters_that_save_the_same_person_at_once_have_one_and_the_other_is_offered(desk: Desk) -> None:
    forms = [
        CustomerForm(id=str(uuid.uuid4()), name=name, phone=phone, nik="3171014107850077")
        for name, phone in (("Wulan Sari", "0812 0000 6655"), ("Wulan S.", "+62 812 0000 6655"))
    ]
    done = at_once(
        lambda: desk.ayu.customers.save_customer(forms[0]), lambda: desk.maya.customers.save_customer(forms[1])
    )
    (card,), (no,) = done.results, done.refusals
    said = refused(no, RefusalCode.DUPLICATE, "phone")
    assert (said["customer_id"], said["customer_name"]) == (card.id, card.name)
    assert no.next == (NextAction("use_customer", {"customer_id": card.id}),)
    assert desk.world.value("SELECT count(*) FROM sentra.customer WHERE phone = '+6281200006655'") == 1
    papers = "SELECT count(*) FROM sentra.customer_identity WHERE customer_id = ANY(%s::uuid[])"
    assert desk.world.value(papers, [form.id for form in forms]) == 1, "of the one who is there"
