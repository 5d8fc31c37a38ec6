"""The provider's own public client against our simulated gateway, for real invoices, until the bookings are paid."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import midtransclient
import pytest
from midtransclient.config import ApiConfig
from midtransclient.error_midtrans import MidtransAPIError

from app.domain.gateway import AttemptKind, AttemptState
from tests.support.gateway import SERVER_KEY, GatewayRig, gateway_of
from tests.support.waiting import eventually
from tests.support.world import AVANZAS, World, days

pytest_plugins = ("tests.support.world_fixtures",)

TEN = days("2027-03-10", "2027-03-12")


@pytest.fixture
def rig(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GatewayRig]:
    with gateway_of(world, tmp_path, notifies=True) as made:
        monkeypatch.setattr(ApiConfig, "CORE_SANDBOX_BASE_URL", made.running.url)
        monkeypatch.setattr(ApiConfig, "SNAP_SANDBOX_BASE_URL", f"{made.running.url}/snap/v1")
        yield made


def press(url: str, path: str) -> int:
    """Press a button of a page."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
    try:
        connection.request("POST", path)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def page(url: str) -> str:
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
    try:
        connection.request("GET", where.path or "/")
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def test_a_client_nobody_here_wrote_creates_reads_ends_and_pays_transactions_of_real_invoices(rig: GatewayRig) -> None:
    world, siti = rig.world, rig.world.counter("siti")  # its bell is not heard: the client is faster than the service
    booked = [world.book(siti, TEN, unit, phone=f"0812 0000 100{n}") for n, unit in enumerate(AVANZAS)]
    names = [siti.gateway.start_attempt(one.invoice_id, AttemptKind.QRIS).order_id for one in booked]
    core = midtransclient.CoreApi(is_production=False, server_key=SERVER_KEY, client_key="x")
    for one, name in zip(booked, names, strict=True):
        made = core.charge(
            {"payment_type": "qris", "transaction_details": {"order_id": name, "gross_amount": int(one.total)}}
        )
        assert (made["status_code"], made["transaction_status"], made["simulation"]) == ("201", "pending", "SIMULASI")
        assert made["qr_string"].startswith("000201010212")
    read = core.transactions.status(names[0])
    assert (read["order_id"], read["gross_amount"]) == (names[0], f"{booked[0].total}.00")
    assert core.transactions.expire(names[1])["transaction_status"] == "expire"
    assert core.transactions.cancel(names[2])["transaction_status"] == "cancel"
    with pytest.raises(MidtransAPIError):
        core.transactions.status("unknown-1")

    assert "SIMULASI" in page(rig.running.url)
    assert press(rig.running.url, f"/simulasi/pay/{names[0]}") == 303
    eventually(lambda: world.state(booked[0].bookings[0].id) == "PAID_APPROVED", within=60)
    ids = [one.invoice_id for one in booked]
    eventually(lambda: _states(rig, ids) == ["PAID", "ENDED", "ENDED"], within=60)
    assert world.state(booked[1].bookings[0].id) == "PENDING_PAYMENT"

    # A page: our own service made it, and the client reads what came of it.
    ended = booked[1]
    sent = rig.counter("siti").gateway.start_attempt(ended.invoice_id, AttemptKind.LINK)
    assert sent.state is AttemptState.LIVE
    assert sent.link is not None
    assert "Bayar" in page(sent.link)
    token = sent.link.rsplit("/", 1)[1]
    assert press(rig.running.url, f"/simulasi/pay-page/{token}") == 303
    eventually(lambda: world.state(ended.bookings[0].id) == "PAID_APPROVED", within=60)
    assert core.transactions.status(sent.order_id)["transaction_status"] == "settlement"
    snap = midtransclient.Snap(is_production=False, server_key=SERVER_KEY, client_key="x")
    other = snap.create_transaction({"transaction_details": {"order_id": "elsewhere-1", "gross_amount": 1_000}})
    assert other["redirect_url"].startswith(rig.running.url)
    eventually(lambda: rig.running.book.next_letter_in() is None, within=60, what="every notification is heard")
    assert rig.metric("booked") >= 2
    rig.catch_up()
    assert world.doctor().breaks == ()


def _states(rig: GatewayRig, invoice_ids: list[str]) -> list[str]:
    return [
        str(rig.world.value("SELECT state FROM sentra.gateway_attempt WHERE invoice_id = %s AND number = 1", one))
        for one in invoice_ids
    ]
