"""A simulated payment gateway and the service's door to it over a test's installation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.bootstrap import Counter, ServiceParts, connect, open_service
from app.embedded.redis_server import free_port
from app.embedded.simulated_gateway import RunningGateway
from app.embedded.simulated_gateway_book import Book, Deal
from app.embedded.simulated_gateway_words import answer_of, signed
from app.gateway_settings import GatewaySettings
from app.service.http import HttpServer, make_app
from app.usecases.gateway import GatewayDesk
from tests.support.waiting import eventually
from tests.support.world import World, password_of

SERVER_KEY = "SIMULASI-kunci-uji"


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayRig:
    """`desk` is the service's; `service_url` its door."""

    world: World
    running: RunningGateway
    parts: ServiceParts
    service_url: str
    closers: list[Callable[[], None]] = field(default_factory=list)

    @property
    def book(self) -> Book:
        return self.running.book

    @property
    def desk(self) -> GatewayDesk:
        assert self.parts.gateway is not None
        return self.parts.gateway

    def counter(self, login: str) -> Counter:
        """Somebody whose bell is heard."""
        made = connect(
            self.world.settings().model_copy(update={"service_url": self.service_url}), login, password_of(login)
        )
        self.closers.append(made.close)
        return made

    def notification(self, deal: Deal, **changed: Any) -> dict[str, Any]:
        """What the gateway sends of this transaction, signed anew after a change."""
        said = answer_of(deal)
        if "gross_amount" in changed or "status_code" in changed or "order_id" in changed:
            said = {**said, **changed}
            return signed(said, SERVER_KEY)
        return {**signed(said, SERVER_KEY), **changed}

    def catch_up(self) -> None:
        """What the service does within its next half minute."""
        self.world.after(seconds=25)
        self.desk.pass_once()
        self.parts.sweeps.expire()
        self.parts.sweeps.outbox()

    def send(self, body: dict[str, Any] | bytes) -> tuple[int, str]:
        """Status and outcome of a notification."""
        return post(self.service_url, "/webhooks/midtrans", body)

    def metric(self, outcome: str) -> int:
        """How many notifications led to this, as `/metrics` tells."""
        where = urlsplit(self.service_url)
        connection = HTTPConnection(where.hostname or "", where.port, timeout=20)
        try:
            connection.request("GET", "/metrics")
            lines = connection.getresponse().read().decode().splitlines()
        finally:
            connection.close()
        wanted = f'sentra_gateway_notifications_total{{outcome="{outcome}"}} '
        return sum(int(line.removeprefix(wanted)) for line in lines if line.startswith(wanted))


def post(url: str, path: str, body: dict[str, Any] | bytes) -> tuple[int, str]:
    """Status and outcome."""
    where = urlsplit(url)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=60)
    try:
        connection.request("POST", path, body if isinstance(body, bytes) else json.dumps(body).encode())
        response = connection.getresponse()
        return response.status, str(json.loads(response.read()).get("outcome"))
    finally:
        connection.close()


@contextmanager
def gateway_of(world: World, folder: Path, *, notifies: bool = False) -> Iterator[GatewayRig]:
    """Without `notifies` every notification is lost, and tests send them by hand."""
    gateway_port, service_port = free_port(), free_port()
    service_url = f"http://127.0.0.1:{service_port}"
    running = RunningGateway(
        folder / "gateway.sqlite",
        server_key=SERVER_KEY,
        port=gateway_port,
        notify_url=f"{service_url}/webhooks/midtrans" if notifies else None,
    )
    settings = GatewaySettings.model_validate(
        {"gateway_mode": "simulated", "gateway_server_key": SERVER_KEY, "gateway_url": running.url}
    )
    parts = open_service(world.settings(url=world.service_url), settings)
    server = HttpServer(make_app({}, lambda: True, gateway=parts.gateway), "127.0.0.1", service_port)
    closers: list[Callable[[], None]] = []
    running.start()
    server.start()
    try:
        eventually(lambda: running.is_up or None, what="the gateway answers")
        eventually(lambda: _answers(service_port), what="the service answers")
        assert parts.gateway is not None
        parts.gateway.publish()
        rig = GatewayRig(world=world, running=running, parts=parts, service_url=service_url, closers=closers)
        yield rig
    finally:
        for close in closers:
            close()
        running.stop()
        server.stop()
        parts.close()


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
