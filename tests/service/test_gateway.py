"""The payment gateway from counter to booking: codes and links, notifications good and bad, deadlines, late money."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.gateway import AttemptKind, AttemptState
from app.embedded.folder_lock import try_lock
from app.embedded.folders import short_name
from app.gateway_parts import refuse_simulation
from app.gateway_settings import GatewaySettings
from app.settings import Settings, SettingsInvalid
from app.usecases.gateway_withdrawn import WithdrawnGateway
from app.usecases.rows import BookedOrder
from app.usecases.rows_gateway import LateReason, LateState
from tests.support.at_once import at_once
from tests.support.gateway import GatewayRig, gateway_of
from tests.support.processes import Processes
from tests.support.world import AVANZA, AVANZAS, World, cash, days

pytest_plugins = ("tests.support.world_fixtures",)

TEN = days("2027-03-10", "2027-03-12")


@pytest.fixture
def rig(world: World, tmp_path: Path) -> Iterator[GatewayRig]:
    with gateway_of(world, tmp_path) as made:
        yield made
        made.catch_up()
        assert world.doctor().breaks == ()
        assert world.claims() == []


def invoice(world: World, booked: BookedOrder) -> tuple[object, ...]:
    (found,) = world.rows("SELECT state, paid, lock_token FROM sentra.invoice WHERE id = %s", booked.invoice_id)
    return found


def test_r26_a_qris_that_is_paid_settles_its_invoice_also_under_a_cashiers_lock(rig: GatewayRig) -> None:
    world = rig.world
    siti, budi = rig.counter("siti"), rig.counter("budi")
    booked = world.book(siti, TEN)
    shown = siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    assert (shown.state, shown.amount, shown.seconds_left) == (AttemptState.LIVE, booked.total, 15 * 60)
    assert shown.qr is not None
    assert "SIMULASI" in shown.qr
    assert shown.is_simulated
    assert siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS).order_id == shown.order_id

    world.open_shift(budi)
    held = budi.settlement.open_invoice(booked.invoice_id)
    deal = rig.book.move(shown.order_id, "settlement")
    # three at once, one effect, three times 200.
    answers = at_once(*[lambda: rig.send(rig.notification(deal))] * 3).results
    assert {status for status, _ in answers} == {200}
    assert {outcome for _, outcome in answers} <= {"booked", "replay"}
    assert rig.send(rig.notification(deal)) == (200, "replay")

    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    assert invoice(world, booked) == ("PAID", booked.total, None)
    assert world.rows("SELECT kind, amount, reference FROM sentra.tender") == [
        ("QRIS", booked.total, deal.transaction_id)
    ]
    with pytest.raises(Refusal) as late:
        budi.settlement.settle(held.handle, budi.new_id(), [cash(booked.total)])
    assert late.value.code is RefusalCode.BOOKING_STATE
    found = siti.gateway.attempt_of(booked.invoice_id)
    assert found is not None
    assert found.state is AttemptState.PAID
    assert rig.metric("replay") >= 1


def test_r35_r36_a_link_whose_notifications_are_lost_is_found_by_asking(rig: GatewayRig) -> None:
    world, siti = rig.world, rig.counter("siti")
    booked = world.book(siti, TEN)
    sent = siti.gateway.start_attempt(booked.invoice_id, AttemptKind.LINK)
    assert sent.link is not None
    world.after(seconds=11)
    assert (rig.desk.pass_once().done, world.state(booked.bookings[0].id)) == (0, "PENDING_PAYMENT")
    seen = siti.gateway.attempt_of(booked.invoice_id)
    assert seen is not None
    assert seen.state is AttemptState.LIVE, "a page that nobody opened is not failed"

    rig.book.charge(sent.order_id, booked.total, "bank_transfer", 600)
    rig.book.move(sent.order_id, "settlement")
    world.after(seconds=45)
    assert rig.desk.pass_once().done == 1
    assert world.state(booked.bookings[0].id) == "PAID_APPROVED"
    assert world.value("SELECT kind FROM sentra.tender") == "GATEWAY"


def test_r33_forged_altered_truncated_replayed_and_oversized_notifications_change_nothing(rig: GatewayRig) -> None:
    world, siti = rig.world, rig.counter("siti")
    booked = world.book(siti, TEN)
    shown = siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    deal = rig.book.get(shown.order_id)
    good = rig.notification(deal)
    before = world.counts()
    bad = [
        ({**good, "signature_key": "0" * 128}, 403, "forged"),
        ({**good, "gross_amount": "1.00"}, 403, "forged"),
        ({**good, "status_code": "200"}, 403, "forged"),
        ({**good, "gross_amount": good["gross_amount"].removesuffix(".00")}, 403, "forged"),
        ({**good, "signature_key": "é" * 128}, 403, "forged"),
        ({**good, "signature_key": None}, 400, "malformed"),
        ({name: value for name, value in good.items() if name != "order_id"}, 400, "malformed"),
        ({**good, "order_id": "a\nb"}, 400, "malformed"),
        (b'{"order_id": "' + b"x" * 40, 400, "malformed"),
        (b"", 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b"\xff\xfe{}", 400, "malformed"),
        (b'{"order_id": "a", "order_id": "b"}', 400, "malformed"),
        (b"[" * 30_000, 400, "malformed"),
        (b"{" + b" " * (64 * 1024), 413, "too_large"),
        (b" " * (64 * 1024 * 1024), 413, "too_large"),
        (rig.notification(deal, order_id="INV-OF-A-BANK"), 200, "unknown_order"),
        (
            rig.notification(deal, gross_amount="1000.00", status_code="200", transaction_status="settlement"),
            200,
            "wrong_amount",
        ),
        (good, 200, "noted"),
        (good, 200, "noted"),
        ({**good, "transaction_status": "settlement"}, 200, "noted"),
    ]
    for body, status, outcome in bad:
        assert rig.send(body) == (status, outcome), str(body)[:200]
    assert world.counts() == before
    assert world.state(booked.bookings[0].id) == "PENDING_PAYMENT"
    assert (rig.metric("forged"), rig.metric("malformed"), rig.metric("too_large")) == (5, 9, 2)
    assert (rig.metric("unknown_order"), rig.metric("wrong_amount"), rig.metric("noted")) == (1, 1, 3)
    world.after(seconds=130)
    rig.desk.pass_once()  # what was told wrongly is asked about, and is still not paid
    assert world.state(booked.bookings[0].id) == "PENDING_PAYMENT"


def test_r32_a_fee_on_top_is_stored_and_the_invoice_is_paid(rig: GatewayRig) -> None:
    world, siti = rig.world, rig.counter("siti")
    booked = world.book(siti, TEN)
    shown = siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    deal = rig.book.move(shown.order_id, "settlement", fee=4_000)
    assert rig.send(rig.notification(deal)) == (200, "booked")
    assert world.rows("SELECT DISTINCT fee, amount FROM sentra.gateway_event WHERE is_money") == [
        (4_000, booked.total + 4_000)
    ]
    assert invoice(world, booked) == ("PAID", booked.total, None)


def test_at_the_deadline_an_attempt_is_asked_and_ended_first_and_waited_for_twenty_seconds(rig: GatewayRig) -> None:
    world, siti = rig.world, rig.counter("siti")
    plain, ended, paid, away = (
        world.book(siti, TEN, AVANZA, phone="0812 0000 1001"),
        world.book(siti, TEN, AVANZAS[1], phone="0812 0000 1002"),
        world.book(siti, TEN, AVANZAS[2], phone="0812 0000 1003"),
        world.book(siti, days("2027-03-20"), AVANZA, phone="0812 0000 1004"),
    )
    orders = {}
    for booked in (ended, paid, away):
        orders[booked.order_id] = siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS).order_id
    rig.book.move(orders[paid.order_id], "settlement")
    world.after(minutes=15)

    assert rig.parts.sweeps.expire().done == 1
    assert world.state(plain.bookings[0].id) == "CANCELLED", "nothing is live: at once"
    assert world.state(ended.bookings[0].id) == "PENDING_PAYMENT"
    world.do("UPDATE sentra.gateway_attempt SET ask_at = NULL WHERE order_id = %s", orders[away.order_id])
    assert rig.desk.pass_once().done == 2
    assert rig.book.get(orders[ended.order_id]).status == "expire"
    assert world.state(paid.bookings[0].id) == "PAID_APPROVED", "money before the sweep"
    assert rig.parts.sweeps.expire().done == 1
    assert world.state(ended.bookings[0].id) == "CANCELLED"
    world.after(seconds=19)
    assert rig.parts.sweeps.expire().done == 0
    world.after(seconds=1)
    assert rig.parts.sweeps.expire().done == 1, "no answer within 20 s"
    assert world.state(away.bookings[0].id) == "CANCELLED"


def late(rig: GatewayRig, order_id: str) -> tuple[int, str]:
    """The money comes after the end."""
    deal = rig.book.get(order_id)
    if deal.status in ("pending", "expire"):
        deal = rig.book.move(order_id, "settlement", late=True)
    return rig.send(rig.notification(deal))


def test_r24_r29_c46_money_after_the_deadline_is_reinstated_where_the_unit_is_free_and_else_a_task(
    rig: GatewayRig,
) -> None:
    world, siti = rig.world, rig.counter("siti")
    free = world.book(siti, TEN, AVANZA, phone="0812 0000 1001")
    gone = world.book(siti, TEN, AVANZAS[1], phone="0812 0000 1002")
    past = world.book(siti, days("2027-03-01", "2027-03-02"), AVANZAS[2], phone="0812 0000 1003")
    orders = [siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS).order_id for booked in (free, gone, past)]
    world.after(minutes=15, seconds=1)
    world.after(seconds=20)
    assert rig.parts.sweeps.expire().done == 3
    rig.parts.sweeps.outbox()
    taker = world.book(siti, TEN, AVANZAS[1], phone="0812 0000 1009")
    world.open_shift(siti)
    world.settle(siti, taker)
    world.after(hours=9)  # the pick-up of today is past

    assert [late(rig, order_id) for order_id in orders] == [
        (200, "reinstated"),
        (200, "late_money"),
        (200, "late_money"),
    ]
    assert late(rig, orders[0]) == (200, "replay")
    assert late(rig, orders[1]) == (200, "replay")
    assert world.state(free.bookings[0].id) == "CANCELLED"
    ((state, source, number),) = world.rows(
        "SELECT b.state, b.source, i.number FROM sentra.booking b JOIN sentra.invoice i ON i.order_id = b.order_id"
        " WHERE b.reinstated_from = %s AND i.state = 'PAID'",
        free.bookings[0].id,
    )
    assert (state, source) == ("PAID_APPROVED", "REINSTATED")
    assert str(number).startswith("INV/JKT/202703/")
    assert world.state(taker.bookings[0].id) == "PAID_APPROVED"
    assert world.bits(AVANZAS[1], "202703") == [10, 11, 12]
    assert world.bits(AVANZA, "202703") == [10, 11, 12]
    tasks = siti.gateway.late_money((LateState.OPEN, LateState.REINSTATED))
    assert {(row.reason, row.state, len(row.reinstated_numbers)) for row in tasks} == {
        (LateReason.LATE, LateState.REINSTATED, 1),
        (LateReason.UNIT_TAKEN, LateState.OPEN, 0),
        (LateReason.PICKUP_PAST, LateState.OPEN, 0),
    }


def test_cash_ends_the_code_and_money_that_still_comes_on_it_is_a_task(rig: GatewayRig) -> None:
    world, siti = rig.world, rig.counter("siti")
    world.open_shift(siti)
    one = world.book(siti, TEN, AVANZA, phone="0812 0000 1001")
    two = world.book(siti, TEN, AVANZAS[1], phone="0812 0000 1002")
    first = siti.gateway.start_attempt(one.invoice_id, AttemptKind.QRIS)
    with pytest.raises(Refusal) as other:
        siti.gateway.start_attempt(one.invoice_id, AttemptKind.LINK)
    assert (other.value.code, other.value.params["reason"]) == (RefusalCode.DUPLICATE, "live_attempt")
    ended = siti.gateway.end_attempt(one.invoice_id)
    assert ended is not None
    assert (ended.state, rig.book.get(first.order_id).status) == (AttemptState.ENDED, "expire")
    assert siti.gateway.end_attempt(one.invoice_id) is None
    again = siti.gateway.start_attempt(one.invoice_id, AttemptKind.LINK)
    assert (again.number, again.state, again.still_payable_until) == (2, AttemptState.LIVE, None)
    # A page on which nothing was begun is not ended by the gateway: whoever asks is told so.
    left = siti.gateway.end_attempt(one.invoice_id)
    assert left is not None
    assert (left.state, left.still_payable_until) == (AttemptState.ENDED, again.expires_at)
    third = siti.gateway.start_attempt(one.invoice_id, AttemptKind.QRIS)
    assert (third.state, third.still_payable_until) == (AttemptState.LIVE, again.expires_at)
    world.after(minutes=10, seconds=1)
    siti.gateway.end_attempt(one.invoice_id)
    with pytest.raises(Refusal) as short:
        siti.gateway.start_attempt(one.invoice_id, AttemptKind.LINK)
    assert (short.value.code, short.value.params["reason"]) == (RefusalCode.FIELD_INVALID, "too_late_for_a_link")

    # Nobody ended the code of the other one: settling in cash asks for its end.
    second = siti.gateway.start_attempt(two.invoice_id, AttemptKind.QRIS)
    world.settle(siti, two)
    rig.desk.work_now()
    assert rig.book.get(second.order_id).status == "expire"
    assert late(rig, second.order_id) == (200, "late_money")
    assert [row.reason for row in siti.gateway.late_money()] == [LateReason.SECOND_PAYMENT]
    assert invoice(world, two) == ("PAID", two.total, None)


def test_what_nobody_may_ask_for_is_refused_before_anything_is_written(rig: GatewayRig) -> None:
    world, siti, budi = rig.world, rig.counter("siti"), rig.counter("budi")
    far = rig.counter("rahmat")
    booked = world.book(siti, TEN)
    with pytest.raises(Refusal) as other_branch:
        far.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    assert other_branch.value.code is RefusalCode.NOT_FOUND
    with pytest.raises(Refusal) as role:
        rig.counter("dedi").gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    assert role.value.code is RefusalCode.NOT_ALLOWED
    budi.settlement.open_invoice(booked.invoice_id)
    with pytest.raises(Refusal) as locked:
        siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    assert locked.value.code is RefusalCode.INVOICE_LOCKED
    assert budi.gateway.start_attempt(booked.invoice_id, AttemptKind.LINK).state is AttemptState.LIVE
    world.after(minutes=14, seconds=30)
    other = world.book(siti, TEN, AVANZAS[1], phone="0812 0000 1002")
    world.after(minutes=14, seconds=30)
    with pytest.raises(Refusal) as too_late:
        siti.gateway.start_attempt(other.invoice_id, AttemptKind.QRIS)
    assert too_late.value.code is RefusalCode.BOOKING_EXPIRED
    rig.desk.pass_once()
    rig.parts.sweeps.expire()


def test_without_a_gateway_counters_are_told_so(world: World) -> None:
    siti = world.counter("siti")
    booked = world.book(siti, TEN)
    assert siti.gateway.gateway() is None
    with pytest.raises(Refusal) as none:
        siti.gateway.start_attempt(booked.invoice_id, AttemptKind.QRIS)
    assert (none.value.code, none.value.params["reason"]) == (RefusalCode.UNREACHABLE, "no_gateway")


def test_a_service_without_the_key_withdraws_the_gateway_and_ends_what_was_begun(rig: GatewayRig) -> None:
    world, siti = rig.world, world_counter(rig)
    booked = [world.book(siti, TEN, unit, phone=f"0812 0000 100{n}") for n, unit in enumerate(AVANZAS[:2])]
    live, asked = (siti.gateway.start_attempt(one.invoice_id, AttemptKind.QRIS) for one in booked)
    rig.desk.work_now()
    world.do("UPDATE sentra.gateway_attempt SET state = 'ASKED', qr = NULL WHERE order_id = %s", asked.order_id)
    world.do("UPDATE sentra.outbox SET done_at = NULL WHERE payload ->> 'order_id' = %s", asked.order_id)
    keyless = WithdrawnGateway(rig.parts.store)
    world.after(minutes=2)
    keyless.pass_once()
    assert siti.gateway.gateway() is None
    siti.gateway.end_attempt(booked[0].invoice_id)
    keyless.pass_once()
    found = world.rows("SELECT order_id, state FROM sentra.gateway_attempt")
    assert {str(name): state for name, state in found} == {
        live.order_id: "ENDED",
        asked.order_id: "FAILED",
    }
    assert world.rows("SELECT kind FROM sentra.outbox WHERE done_at IS NULL AND kind LIKE 'gateway%%'") == []


def test_a_service_without_the_key_takes_nothing_from_one_that_has_it(rig: GatewayRig) -> None:
    world, siti = rig.world, world_counter(rig)
    shown = siti.gateway.start_attempt(world.book(siti, TEN).invoice_id, AttemptKind.QRIS)
    keyless = WithdrawnGateway(rig.parts.store)
    world.after(seconds=50)
    keyless.pass_once()
    assert siti.gateway.gateway() is not None
    found = "SELECT state FROM sentra.gateway_attempt WHERE order_id = %s"
    assert world.rows(found, shown.order_id) == [("ASKED",)], "left to whoever has the key"
    rig.desk.pass_once()  # tells of it anew
    world.after(seconds=50)
    keyless.pass_once()
    assert siti.gateway.gateway() is not None
    world.after(seconds=50)
    keyless.pass_once()
    assert siti.gateway.gateway() is None, "nobody told of it for a minute"
    rig.desk.pass_once()
    assert siti.gateway.gateway() is not None, "whoever has the key is heard again, without a new start"


def world_counter(rig: GatewayRig) -> Counter:
    """Somebody whose bell nobody hears."""
    return rig.world.counter("siti")


def test_the_service_takes_no_simulated_money_outside_the_embedded_mode(processes: Processes, tmp_path: Path) -> None:
    (tmp_path / "servers.json").write_text('{"gateway_server_key": "SIMULASI-x", "postgres_port": 1}', encoding="utf-8")
    ran = processes.module(
        "app.service.main",
        env={
            "SENTRA_DATA_DIR": str(tmp_path),
            "DATABASE_URL": "postgresql://x@127.0.0.1:1/x",
            "SENTRA_GATEWAY_MODE": "simulated",
            "SENTRA_GATEWAY_SERVER_KEY": "SIMULASI-x",
            "SENTRA_GATEWAY_URL": "http://127.0.0.1:1",
        },
    )
    assert ran.wait() == 2
    assert "of the embedded mode only: no supervisor runs" in ran.errors
    with folder_lock(tmp_path):
        at = Settings(data_dir=tmp_path, database_url="postgresql://x@db.example:1/x")
        simulated = GatewaySettings.model_validate(
            {"gateway_mode": "simulated", "gateway_server_key": "SIMULASI-x", "gateway_url": "http://127.0.0.1:1"}
        )
        with pytest.raises(SettingsInvalid, match="none of the private servers"):
            refuse_simulation(simulated, at)
        for here in (
            "postgresql://x@127.0.0.1:1/x",
            f"postgresql://x@/x?host=%2Ftmp%2Fsentra-0-{short_name(tmp_path)}%2Fpg",
        ):
            refuse_simulation(simulated, at.model_copy(update={"database_url": here}))


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """A supervisor's lock on its folder."""
    lock = try_lock(folder / "supervisor.lock")
    assert lock is not None
    try:
        yield
    finally:
        lock.release()
