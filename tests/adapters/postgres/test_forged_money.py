"""The lock and paying as psql may ask for them: a null is no answer to any guard, and every wait ends at the clock."""

import json
import secrets
import threading
import uuid
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from app.adapters.postgres.tx_settlement import payment_json
from app.domain.errors import Refusal, RefusalCode
from app.domain.invoice import MAX_CHANGE
from app.usecases.rows import BookedOrder, SettleAnswer, SettleOutcome
from tests.adapters.postgres.write_rig import WriteRig, march, new_payment
from tests.support.waiting import eventually

CAP = 9_999_999_999_999


@pytest.fixture
def booked(rig: WriteRig) -> BookedOrder:
    rig.open_shift("bayu")
    return rig.book("AVZ-01", first=march(10), last=march(12))


def nothing_was_written(rig: WriteRig) -> bool:
    return (
        rig.value("SELECT count(*) FROM sentra.payment") == 0
        and rig.value("SELECT count(*) FROM sentra.tender") == 0
        and rig.value("SELECT count(*) FROM sentra.number_counter") == 0
        and rig.value("SELECT sum(paid) FROM sentra.invoice") == 0
        and rig.value("SELECT count(*) FROM sentra.audit WHERE action IN ('pay', 'settle')") == 0
    )


def wanted_of(rig: WriteRig, booked: BookedOrder) -> dict[str, Any]:
    """A right payment as JSON under a fresh lock, to be spoilt."""
    token, lock = rig.take(booked.invoice_id)
    said: dict[str, Any] = json.loads(json.dumps(payment_json(new_payment(booked, token, lock.epoch))))
    return said


def ask(rig: WriteRig, statement: str, *parameters: object, login: str = "bayu") -> Any:
    with rig.psql(login) as mine:
        row = mine.execute(statement.encode(), parameters).fetchone()
        assert row is not None
        return row[0]


def settle(rig: WriteRig, wanted: object) -> dict[str, Any]:
    told: dict[str, Any] = ask(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(wanted))
    return told


def refused_field(rig: WriteRig, statement: str, *parameters: object) -> str:
    with pytest.raises(psycopg.Error) as refused:
        ask(rig, statement, *parameters)
    assert refused.value.diag.message_primary == "FIELD_INVALID", refused.value
    return str(json.loads(refused.value.diag.message_detail or "{}")["field"])


def test_the_payment_that_the_tests_spoil_is_a_right_one(rig: WriteRig, booked: BookedOrder) -> None:
    assert settle(rig, wanted_of(rig, booked))["outcome"] == "PAID"


@pytest.mark.parametrize("how", ["missing", "null", "other type"])
@pytest.mark.parametrize(
    "name", ["id", "attempt_id", "invoice_id", "token", "epoch", "amount", "change", "counter", "tenders"]
)
def test_a_payment_without_one_of_its_fields_is_refused_by_name(
    rig: WriteRig, booked: BookedOrder, name: str, how: str
) -> None:
    payment = wanted_of(rig, booked)
    if how == "missing":
        del payment[name]
    else:
        payment[name] = None if how == "null" else {"a": 1}

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment)) == name
    assert nothing_was_written(rig)


@pytest.mark.parametrize("how", ["missing", "null", "other type"])
@pytest.mark.parametrize("name", ["kind", "amount", "received"])
def test_a_tender_without_one_of_its_fields_is_refused_by_name(
    rig: WriteRig, booked: BookedOrder, name: str, how: str
) -> None:
    payment = wanted_of(rig, booked)
    tender = {"kind": "CASH", "amount": 1, "received": 1}
    if how == "missing":
        del tender[name]
    else:
        tender[name] = None if how == "null" else [1]
    payment["tenders"].append(tender)

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment)) == f"tenders[1].{name}"
    assert nothing_was_written(rig)


@pytest.mark.parametrize("change", [{"token": None}, {"epoch": None}, {"token": None, "epoch": None}])
def test_a_window_whose_lock_moved_away_cannot_pay_with_nulls(
    rig: WriteRig, booked: BookedOrder, change: dict[str, None]
) -> None:
    payment = wanted_of(rig, booked)
    token = secrets.token_urlsafe(32)
    rig.store("bayu").transact(lambda tx: tx.move_lock(booked.invoice_id, token, "K2"))

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment | change)) in change
    assert settle(rig, payment)["outcome"] == "LOCK_LOST"
    assert nothing_was_written(rig)


def test_a_payment_is_recorded_under_the_epoch_that_was_presented(rig: WriteRig, booked: BookedOrder) -> None:
    payment = wanted_of(rig, booked)

    settle(rig, payment)

    assert rig.value("SELECT lock_epoch FROM sentra.payment") == payment["epoch"]


@pytest.mark.parametrize("amount", [CAP + 1, 10**18, -(CAP + 1), 1.5, "1"])
def test_an_amount_that_is_no_rupiah_is_refused(rig: WriteRig, booked: BookedOrder, amount: object) -> None:
    payment = wanted_of(rig, booked)
    payment["tenders"][0]["received"] = amount

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment)) == "tenders[0].received"
    assert nothing_was_written(rig)


@pytest.mark.parametrize("text", ["", "x", "'; --", "x" * 36, "{%s}"])
def test_an_attempt_whose_id_is_no_uuid_is_refused(rig: WriteRig, booked: BookedOrder, text: str) -> None:
    payment = wanted_of(rig, booked)
    payment["attempt_id"] = text.replace("%s", payment["attempt_id"])

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment)) == "attempt_id"
    assert nothing_was_written(rig)


def test_an_attempt_in_capitals_is_the_same_attempt(rig: WriteRig, booked: BookedOrder) -> None:
    payment = wanted_of(rig, booked)

    assert settle(rig, payment | {"attempt_id": payment["attempt_id"].upper()})["outcome"] == "PAID"
    assert settle(rig, payment)["outcome"] == "ALREADY"


@pytest.mark.parametrize("text", ["", " ", "-", "x" * 101, "a\u202eb", "a\nb", "\u3164"])
def test_a_reference_that_would_not_show_is_refused(rig: WriteRig, booked: BookedOrder, text: str) -> None:
    payment = wanted_of(rig, booked)
    payment["tenders"][0]["reference"] = text

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment)) == "tenders[0].reference"
    assert nothing_was_written(rig)


@pytest.mark.parametrize("counter", ["", " ", "-", "x" * 61, "K\u202e1", "K\n1"])
def test_a_counter_that_would_not_show_takes_no_lock_no_money_and_no_drawer(
    rig: WriteRig, booked: BookedOrder, counter: str
) -> None:
    payment = wanted_of(rig, booked) | {"counter": counter}

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(payment)) == "counter"
    for lock in ("take_lock", "move_lock"):
        told = refused_field(rig, f"SELECT sentra.{lock}(%s, %s, %s)", booked.invoice_id, "t" * 32, counter)
        assert told == "counter"
    assert refused_field(rig, "SELECT sentra.open_shift('L9', 0, %s, false)", counter) == "counter"
    assert nothing_was_written(rig)


def test_the_change_is_at_most_what_a_drawer_ever_holds(rig: WriteRig, booked: BookedOrder) -> None:
    payment = wanted_of(rig, booked)

    def handed_over(change: int) -> dict[str, Any]:
        tender = {"kind": "CASH", "amount": booked.total, "received": booked.total + change}
        return payment | {"tenders": [tender], "change": change}

    too_much = json.dumps(handed_over(MAX_CHANGE + 1))
    with pytest.raises(psycopg.Error) as refused:
        ask(rig, "SELECT sentra.settle_invoice(%s)", too_much)
    detail = json.loads(refused.value.diag.message_detail or "{}")
    assert (detail["field"], detail["reason"]) == ("tenders.amount", "too_much")
    assert nothing_was_written(rig)
    assert settle(rig, handed_over(MAX_CHANGE))["outcome"] == "PAID"


@pytest.mark.parametrize("drawer", ["", " ", "\u00a0", "--", "\u3164", "x" * 61, "L\u202e9", "L\n9"])
def test_a_drawer_without_a_name_is_refused(rig: WriteRig, booked: BookedOrder, drawer: str) -> None:
    assert refused_field(rig, "SELECT sentra.open_shift(%s, 0, 'K1', false)", drawer) == "drawer"


@pytest.mark.parametrize("drawer", ["Laci Bayu", "LACI BAYU", "  Laci   bayu ", "Laci\u00a0bayu"])
def test_one_drawer_written_in_another_way_is_the_same_drawer(rig: WriteRig, booked: BookedOrder, drawer: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        ask(rig, "SELECT sentra.open_shift(%s, 0, 'K1', false)", drawer, login="citra")

    assert refused.value.diag.message_primary == "DUPLICATE"
    assert json.loads(refused.value.diag.message_detail or "{}")["field"] == "drawer"


def test_a_drawer_is_stored_with_single_spaces_and_answered_again(rig: WriteRig, booked: BookedOrder) -> None:
    first = ask(rig, "SELECT sentra.open_shift(%s, 0, 'K1', false)", " Kasir\u00a0 2 ", login="citra")
    again = ask(rig, "SELECT sentra.open_shift(%s, 0, 'K1', true)", " Kasir\u00a0 2 ", login="citra")

    assert (first["drawer"], again["id"]) == ("Kasir 2", first["id"])


def test_more_than_twenty_tenders_are_refused_and_twenty_are_paid(rig: WriteRig, booked: BookedOrder) -> None:
    payment = wanted_of(rig, booked)

    def split(count: int) -> dict[str, Any]:
        last = booked.total - count + 1
        parts = [1] * (count - 1) + [last]
        return payment | {"tenders": [{"kind": "CASH", "amount": one, "received": one} for one in parts]}

    assert refused_field(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(split(21))) == "tenders"
    assert nothing_was_written(rig)
    assert settle(rig, split(20))["outcome"] == "PAID"
    rig.insist_on_invariants()


_SENT = {"attempt_id": "a", "token": "t" * 32, "epoch": 1}
_NEXT = {"fresh": "f" * 32, "counter": "K1"}


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ("take_lock", {"invoice_id": None, "token": "t" * 32, "counter": "K1"}),
        ("take_lock", {"invoice_id": "", "token": None, "counter": "K1"}),
        ("take_lock", {"invoice_id": "", "token": "t" * 32, "counter": None}),
        ("move_lock", {"invoice_id": None, "token": "t" * 32, "counter": "K1"}),
        ("move_lock", {"invoice_id": "", "token": None, "counter": "K1"}),
        ("move_lock", {"invoice_id": "", "token": "t" * 32, "counter": None}),
        ("renew_lock", {"invoice_id": None, "token": "t" * 32, "epoch": 1, "idle_ms": 0}),
        ("renew_lock", {"invoice_id": "", "token": None, "epoch": 1, "idle_ms": 0}),
        ("renew_lock", {"invoice_id": "", "token": "t" * 32, "epoch": None, "idle_ms": 0}),
        ("renew_lock", {"invoice_id": "", "token": "t" * 32, "epoch": 1, "idle_ms": None}),
        ("release_lock", {"invoice_id": None, "token": "t" * 32, "epoch": 1}),
        ("release_lock", {"invoice_id": "", "token": None, "epoch": 1}),
        ("release_lock", {"invoice_id": "", "token": "t" * 32, "epoch": None}),
        ("call_back_payment", {"invoice_id": None, **_SENT, **_NEXT}),
        *(("call_back_payment", {"invoice_id": "", **_SENT, name: None, **_NEXT}) for name in _SENT),
        ("call_back_payment", {"invoice_id": "", **_SENT, "fresh": "f" * 32, "counter": None}),
        ("open_shift", {"drawer": None, "float": 1, "counter": "K1", "again": False}),
        ("open_shift", {"drawer": "L9", "float": None, "counter": "K1", "again": False}),
        ("open_shift", {"drawer": "L9", "float": 1, "counter": None, "again": False}),
    ],
)
def test_a_null_is_refused_by_its_name(
    rig: WriteRig, booked: BookedOrder, call: str, values: dict[str, object]
) -> None:
    given = [booked.invoice_id if value == "" else value for value in values.values()]
    places = ", ".join(["%s"] * len(given))

    field = refused_field(rig, f"SELECT sentra.{call}({places})", *given)

    assert field == next(name for name, value in values.items() if value is None)


def test_a_time_without_input_before_zero_is_refused(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)

    assert (
        refused_field(rig, "SELECT sentra.renew_lock(%s, %s, %s, -1)", booked.invoice_id, token, lock.epoch)
        == "idle_ms"
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ((None, "cancel", "", None), "booking_id"),
        (("", None, "", None), "action"),
        (("", "cancel", None, None), "reason"),
        (("", "cancel", "x" * 501, None), "reason"),
        (("", "cancel", "salah\u202ekirim", None), "reason"),
        (("", "cancel", "salah\u200bkirim", None), "reason"),
        (("", "cancel", "", '{"taxable": 1}'), "priced.base"),
    ],
)
def test_a_cancel_with_a_null_is_refused_by_its_name(
    rig: WriteRig, booked: BookedOrder, given: tuple[str | None, ...], field: str
) -> None:
    booking, *rest = given
    wanted = booked.bookings[0].id if booking == "" else booking

    assert refused_field(rig, "SELECT sentra.end_booking(%s, %s, %s, %s, false)", wanted, *rest) == field
    assert rig.state_of(booked.bookings[0].id) == "PENDING_PAYMENT"


def test_one_attempt_on_two_invoices_at_once_pays_one_and_refuses_the_other(rig: WriteRig, booked: BookedOrder) -> None:
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    first = wanted_of(rig, booked)
    token, lock = rig.take(other.invoice_id)
    second = new_payment(other, token, lock.epoch, attempt_id=first["attempt_id"])
    answers: list[object] = []

    def pay_the_other() -> None:
        try:
            answers.append(rig.settle(second))
        except Refusal as no:
            answers.append((no.code, no.field))

    with psycopg.connect(rig.database.url_for("bayu")) as mine:
        mine.execute("SELECT sentra.settle_invoice(%s)", (json.dumps(first),))
        paying = threading.Thread(target=pay_the_other)
        paying.start()
        waits_for_a_lock(rig)
        mine.commit()
        paying.join(timeout=10)

    assert answers == [(RefusalCode.DUPLICATE, "attempt_id")]
    assert rig.rows("SELECT invoice_id::text FROM sentra.payment") == [(booked.invoice_id,)]
    assert rig.state_of(other.bookings[0].id) == "PENDING_PAYMENT"
    rig.insist_on_invariants()


def test_a_payment_id_that_is_taken_is_refused_by_its_name(rig: WriteRig, booked: BookedOrder) -> None:
    other = rig.book("AVZ-02", first=march(10), last=march(12))
    first = wanted_of(rig, booked)
    settle(rig, first)
    token, lock = rig.take(other.invoice_id)

    with pytest.raises(Refusal) as refused:
        rig.settle(replace(new_payment(other, token, lock.epoch), id=first["id"]))

    assert (refused.value.code, refused.value.field) == (RefusalCode.DUPLICATE, "id")


@pytest.mark.parametrize("held", ["unit", "booking"])
def test_a_lock_that_runs_out_while_rows_are_waited_for_pays_nothing(
    rig: WriteRig, booked: BookedOrder, held: str
) -> None:
    """The guard at the beginning saw a valid lock; the one at the end does not."""
    token, lock = rig.take(booked.invoice_id)
    answers: list[SettleAnswer] = []
    with psycopg.connect(rig.database.owner_url) as holding:
        holding.execute(f"SELECT 1 FROM sentra.{held} FOR UPDATE".encode())
        paying = threading.Thread(target=lambda: answers.append(rig.settle(new_payment(booked, token, lock.epoch))))
        paying.start()
        waits_for_a_lock(rig)
        rig.minutes_pass(1)
        holding.rollback()
        paying.join(timeout=10)

    assert [item.outcome for item in answers] == [SettleOutcome.LOCK_LOST]
    assert nothing_was_written(rig)
    assert rig.state_of(booked.bookings[0].id) == "PENDING_PAYMENT"
    rig.insist_on_invariants()


def test_a_lock_that_runs_out_while_the_number_is_waited_for_pays_nothing(rig: WriteRig, booked: BookedOrder) -> None:
    token, lock = rig.take(booked.invoice_id)
    answers: list[SettleAnswer] = []
    with psycopg.connect(rig.database.owner_url) as holding:
        holding.execute("INSERT INTO sentra.number_counter VALUES ('JKT', '202703', 7)")
        paying = threading.Thread(target=lambda: answers.append(rig.settle(new_payment(booked, token, lock.epoch))))
        paying.start()
        waits_for_a_lock(rig)
        rig.minutes_pass(1)
        holding.rollback()
        paying.join(timeout=10)

    assert [item.outcome for item in answers] == [SettleOutcome.LOCK_LOST]
    assert nothing_was_written(rig)


def test_the_hundred_thousandth_invoice_number_keeps_its_digits(rig: WriteRig, booked: BookedOrder) -> None:
    rig.owner.execute("INSERT INTO sentra.number_counter VALUES ('JKT', '202703', 123456)")

    assert rig.pay(booked).number == "INV/JKT/202703/123457"


def test_with_a_grant_on_payments_nulls_pass_no_guard(rig: WriteRig, booked: BookedOrder) -> None:
    rig.owner.execute(f'GRANT INSERT ON sentra.payment TO "{rig.role("bayu")}"'.encode())
    rig.owner.execute("ALTER TABLE sentra.payment DISABLE ROW LEVEL SECURITY")
    _, lock = rig.take(booked.invoice_id)

    for amount, cashier, code in ((None, rig.role("bayu"), "AMOUNT_MISMATCH"), (booked.total, None, "NOT_ALLOWED")):
        with rig.psql("bayu") as mine, pytest.raises(psycopg.Error) as refused:
            mine.execute(
                "INSERT INTO sentra.payment (id, invoice_id, branch_id, amount, attempt_id, lock_epoch, paid_at,"
                " counter, cashier) VALUES (%s, %s, 'JKT', %s, 'x', %s, sentra.now(), 'K1', %s)",
                (str(uuid.uuid4()), booked.invoice_id, amount, lock.epoch, cashier),
            )
        assert refused.value.diag.message_primary == code


def waits_for_a_lock(rig: WriteRig) -> None:
    eventually(
        lambda: (
            rig.value(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            == 1
        ),
        what="the payment waits",
    )
