"""The service's HTTP face over a test's installation, and counters that ask it about identity numbers."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

from app.bootstrap import Counter, ServiceParts, connect
from app.service.http import HttpServer, make_app
from app.usecases.identity_desk import IdentityDesk
from tests.support.waiting import eventually
from tests.support.world import World, password_of


@contextmanager
def identity_service(world: World) -> Iterator[tuple[str, ServiceParts]]:
    """Its address and parts; the key that counters seal with is published."""
    parts = world.service()
    parts.identity.publish()
    with identity_service_over(parts.identity) as url:
        yield url, parts


@contextmanager
def identity_service_over(desk: IdentityDesk) -> Iterator[str]:
    """The address of a service with this desk."""
    port = _free_port()
    server = HttpServer(make_app({}, lambda: True, desk), "127.0.0.1", port)
    server.start()
    try:
        eventually(lambda: _answers(port), what="the service answers")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()


@contextmanager
def counter_at(world: World, login: str, service_url: str | None) -> Iterator[Counter]:
    """Somebody logged in at a counter that knows this service."""
    settings = world.settings().model_copy(update={"service_url": service_url})
    made = connect(settings, login, password_of(login))
    try:
        yield made
    finally:
        made.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
