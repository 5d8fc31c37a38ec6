"""QRIS on the private servers: asked for at a counter, paid on the simulated gateway's page, whichever process dies."""

import datetime as dt
import http.client
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.domain.booking import BookingState
from app.domain.days import RentalPeriod
from app.domain.gateway import AttemptState
from app.domain.invoice import TenderKind
from app.embedded.simulated_gateway import KEY_VARIABLE
from app.usecases.bookings import BookLine, BookRequest
from tests.journeys.place import SKU, Place
from tests.support.processes import Processes
from tests.support.waiting import eventually

UNIT = "uuid-avanza-006"
GATEWAY, SERVICE = "app.embedded.simulated_gateway", "app.service.main"


def press(url: str, path: str) -> bool:
    """Whether the button worked; False while nobody answers."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=30)
    try:
        connection.request("POST", path)
        return connection.getresponse().status == 303
    except OSError:
        return False
    finally:
        connection.close()


def test_a_qris_is_paid_and_booked_though_the_gateway_and_the_service_are_killed(place: Place) -> None:
    url = str(place.line["gateway_url"])
    assert str(place.line["gateway_server_key"]).startswith("SIMULASI-")
    day = place.today() + dt.timedelta(days=120)
    siti = place.counter("siti")
    line = BookLine(sku=SKU, unit_id=UNIT, period=RentalPeriod(day, day))
    booked = siti.bookings.book(
        BookRequest(
            order_id=siti.new_id(), lines=(line,), customer_name="Rina Maharani", customer_phone="0812 0000 5678"
        )
    )
    wish = {"invoice_id": booked.invoice_id, "kind": "QRIS"}

    def asked() -> Any:
        """None while the service comes back from what another journey did to it."""
        return place.do("start_attempt", "siti", wish).json.get("result")

    shown = eventually(asked, within=60)
    assert (shown["state"], shown["is_simulated"], shown["amount"]) == ("LIVE", True, booked.total), asked
    assert "SIMULASI" in shown["qr"]

    killed = place.kill(GATEWAY)
    eventually(lambda: place.server_pid(GATEWAY) != killed, within=60)
    place.kill(SERVICE)
    eventually(lambda: press(url, f"/simulasi/pay/{shown['order_id']}"), within=60, what="it knows the order still")
    eventually(
        lambda: (
            (found := siti.store.read.booking(booked.bookings[0].id)) is not None
            and found.state is BookingState.PAID_APPROVED
        ),
        within=60,
    )
    ((payment,),) = (siti.settlement.invoice(booked.invoice_id).payments,)
    assert [(tender.kind, tender.amount) for tender in payment.tenders] == [(TenderKind.QRIS, booked.total)]
    seen = siti.gateway.attempt_of(booked.invoice_id)
    assert seen is not None
    assert seen.state is AttemptState.PAID
    assert siti.gateway.late_money() == ()
    siti.close()
    eventually(place.is_whole, within=60)


@pytest.mark.parametrize("key", ["", "SIMULASI-guessed"])
def test_the_simulated_gateway_refuses_to_start_outside_the_embedded_mode(
    processes: Processes, tmp_path: Path, key: str
) -> None:
    if key:  # a folder that says what a data folder says, and no supervisor
        (tmp_path / "servers.json").write_text(f'{{"gateway_server_key": "{key}"}}', encoding="utf-8")
    ran = processes.module(
        GATEWAY, "--data-dir", str(tmp_path), "--port", "1", "--notify", "http://127.0.0.1:1/x", env={KEY_VARIABLE: key}
    )
    assert ran.wait() == 2
    assert "the embedded mode only" in ran.errors
