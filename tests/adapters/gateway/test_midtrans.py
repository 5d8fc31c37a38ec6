"""The Midtrans adapter against the simulated gateway: every documented path it uses, and answers that are none."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app.adapters.gateway.midtrans import PRODUCTION, SANDBOX, Midtrans, MidtransAddresses, simulated
from app.adapters.gateway.midtrans_words import MidtransNotices, signature_of
from app.domain.gateway import GatewayStatus
from app.domain.money import Rupiah
from app.embedded.redis_server import free_port
from app.embedded.simulated_gateway import RunningGateway
from app.embedded.simulated_gateway_book import NotPossible
from app.embedded.simulated_gateway_words import answer_of, qris_text, signed
from app.usecases.ports_gateway import GatewayAway, GatewayRefused, NoticeForged
from tests.support.waiting import eventually

KEY = "SIMULASI-kunci"
PRICE = Rupiah(1_497_500)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningGateway]:
    made = RunningGateway(tmp_path / "state.sqlite", server_key=KEY, port=free_port(), notify_url=None)
    made.start()
    eventually(lambda: made.is_up, what="the gateway answers")
    yield made
    made.stop()


def test_a_qris_is_made_once_asked_about_paid_and_refunded(running: RunningGateway) -> None:
    port = Midtrans(simulated(running.url), KEY)
    assert port.status("a-1") is None
    made = port.create_qris("a-1", PRICE, 900, "key-1")
    assert made == port.create_qris("a-1", PRICE, 900, "key-1"), "the same question again"
    with pytest.raises(GatewayRefused, match="406"):
        port.create_qris("a-1", PRICE, 900, "key-2")
    told = port.status("a-1")
    assert told is not None
    assert (told.status, told.code, told.transaction_id) == (GatewayStatus.PENDING, "201", made.transaction_id)
    running.book.move("a-1", "settlement", fee=4_000)
    told = port.status(str(made.transaction_id))
    assert told is not None
    assert told.amount is not None
    assert (told.order_id, told.status, told.amount.net, told.amount.fee) == ("a-1", GatewayStatus.PAID, PRICE, 4_000)
    assert port.expire("a-1") is False, "what is paid does not expire"
    for _ in range(2):
        port.refund("a-1", "refund-1", Rupiah(500_000), "batal", "qris")
    port.refund("a-1", "refund-2", Rupiah(997_500), "batal", "bank_transfer")
    with pytest.raises(GatewayRefused, match="412"):
        port.refund("a-1", "refund-3", Rupiah(1), "batal", "qris")
    assert running.book.get("a-1").refunded == PRICE


def test_a_link_is_pending_until_it_is_opened_and_ends_with_its_transaction(running: RunningGateway) -> None:
    port = Midtrans(simulated(running.url), KEY)
    made = port.create_link("b-1", PRICE, 900, "key-1")
    assert made.link is not None
    assert made.link.startswith(f"{running.url}/snap/v3/redirection/")
    assert port.status("b-1") is None
    assert port.expire("b-1") is False
    running.book.charge("b-1", PRICE, "bank_transfer", 900)
    assert port.expire("b-1") is True
    told = port.status("b-1")
    assert told is not None
    assert (told.status, told.word) == (GatewayStatus.OVER, "expire")


def test_a_page_and_what_is_begun_on_it_end_together_and_none_ends_within_five_minutes(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    made = RunningGateway(
        tmp_path / "state.sqlite", server_key=KEY, port=free_port(), notify_url=None, clock=lambda: now[0]
    )
    made.start()
    try:
        eventually(lambda: made.is_up, what="the gateway answers")
        port = Midtrans(simulated(made.url), KEY, wall=lambda: now[0])
        with pytest.raises(GatewayRefused, match="no page"):
            port.create_link("e-1", PRICE, 299, "key-1")
        with pytest.raises(NotPossible, match="5 minutes"):
            made.book.make_page("e-1", PRICE, 299)
        page = made.book.page(str(port.create_link("e-1", PRICE, 359, "key-2").link).rsplit("/", 1)[1])
        begun = now[0] + 200
        assert (page.expires_at, page.paid_until(begun)) == (now[0] + 300, now[0] + 300)
        open_ended = made.book.make_page("e-2", PRICE, 300, 300)
        assert open_ended.paid_until(begun) == begun + 300, "without a start: from the payer's choice"
        port.create_qris("e-3", PRICE, 90, "key-3")
        assert made.book.get("e-3").expires_at == now[0] + 90
    finally:
        made.stop()


def test_a_refund_tells_how_much_went_back(running: RunningGateway) -> None:
    port = Midtrans(simulated(running.url), KEY)
    port.create_qris("f-1", PRICE, 900, "key-1")
    running.book.move("f-1", "settlement", fee=4_000)
    port.refund("f-1", "refund-1", Rupiah(500_000), "batal", "qris")
    told = port.status("f-1")
    assert told is not None
    assert (told.status, told.word, told.given_back) == (GatewayStatus.REFUNDED, "partial_refund", 500_000)


def test_another_key_is_refused_and_no_answer_is_no_outcome(running: RunningGateway) -> None:
    with pytest.raises(GatewayRefused, match="401"):
        Midtrans(simulated(running.url), "another").create_qris("c-1", PRICE, 900, "k")
    with pytest.raises(GatewayAway):
        Midtrans(simulated(f"http://127.0.0.1:{free_port()}"), KEY).status("c-1")


def test_real_money_is_asked_for_over_https_only_and_never_of_a_simulation(running: RunningGateway) -> None:
    assert {SANDBOX.core, SANDBOX.snap} == {"https://api.sandbox.midtrans.com", "https://app.sandbox.midtrans.com"}
    assert {PRODUCTION.core, PRODUCTION.snap} == {"https://api.midtrans.com", "https://app.midtrans.com"}
    for url in (running.url, "http://api.midtrans.com"):
        with pytest.raises(ValueError, match="https only"):
            Midtrans(MidtransAddresses(mode="production", core=url, snap=url), KEY)
    with pytest.raises(ValueError, match="https only"):
        Midtrans(simulated("http://api.midtrans.com"), KEY)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"{}"),
        (503, b"<html>"),
        (429, b"{}"),
        (200, b"<html>"),
        (200, b'{"status_code": "500"}'),
        (200, b'{"status_code": "200"}'),
        (200, b"[]"),
    ],
)
def test_an_answer_that_is_none_of_the_gateways_words_is_no_answer(status: int, body: bytes) -> None:
    class Odd(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        with pytest.raises(GatewayAway):
            Midtrans(simulated(f"http://127.0.0.1:{server.server_port}"), KEY).status("a-1")
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def test_a_signature_is_over_the_texts_as_they_were_sent() -> None:
    # The provider's own example: order id, status code, gross amount and server key in one text, SHA-512 in hex.
    assert signature_of("Postman-1578568851", "200", "10000.00", "VT-server-key") == (
        hashlib.sha512(b"Postman-157856885120010000.00VT-server-key").hexdigest()
    )
    raw = (
        b'{"order_id": "a", "transaction_id": "t", "transaction_status": "settlement", "status_code": "200",'
        b' "gross_amount": 275000.00, "signature_key": "%s"}'
    )
    good = signature_of("a", "200", "275000.00", KEY).encode()
    told = MidtransNotices(KEY).read(raw % good)
    assert told.amount is not None
    assert told.amount.gross == 275_000
    with pytest.raises(NoticeForged):
        MidtransNotices(KEY).read(raw % signature_of("a", "200", "275000.0", KEY).encode())


def test_what_it_knows_survives_a_kill_and_its_codes_are_marked(tmp_path: Path, running: RunningGateway) -> None:
    port = Midtrans(simulated(running.url), KEY)
    port.create_qris("d-1", PRICE, 900, "key-1")
    running.book.move("d-1", "settlement")
    again = RunningGateway(tmp_path / "state.sqlite", server_key=KEY, port=free_port(), notify_url=None)
    try:
        assert again.book.get("d-1").status == "settlement"
        letter = again.book.due_letter()
        assert letter is not None, "its notification is still to be sent"
        said = signed(answer_of(letter.deal), KEY)
        assert said["simulation"] == "SIMULASI"
        assert "SIMULASI" in qris_text("d-1", PRICE)
    finally:
        again.book.close()
