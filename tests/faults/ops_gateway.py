"""Operations: a code or a link at the simulated gateway, paid once, ended first, paid late, and told several times."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from app.bootstrap import Counter
from app.domain.errors import Refusal, RefusalCode
from app.domain.gateway import AttemptKind, AttemptState
from app.embedded.simulated_gateway_words import signed
from app.usecases.bookings import BookRequest
from app.usecases.rows_gateway import Attempt
from tests.faults.desk import Desk
from tests.faults.ops_booking import TAKEN, one_line
from tests.faults.registry import BUSY, GONE, operation, refused
from tests.support.proxy import COMMIT

NOT_NOW = GONE | BUSY | {RefusalCode.DUPLICATE, RefusalCode.FIELD_INVALID}
"""A deadline is near, or a clock that was turned on has passed it."""
LOOKS = 40


@operation(weight=0.5)
def pay_at_the_gateway(desk: Desk) -> None:
    """The order is this operation's alone: no other one has to know that somebody else pays it."""
    counter = desk.counter
    request = BookRequest(
        order_id=counter.new_id(),
        lines=(one_line(desk),),
        customer_name="Rina Maharani",
        customer_phone=f"0814{desk.dice.randrange(10**4):08}",
    )
    kind = desk.dice.choice(tuple(AttemptKind))
    try:
        booked = desk.settled(lambda: counter.bookings.book(request))
        if desk.dice.random() < 0.3:
            desk.lose_an_answer(COMMIT)
        asked = desk.settled(lambda: counter.gateway.start_attempt(booked.invoice_id, kind))
        shown = _made(desk, counter, asked)
        if shown is None:
            return
        ends = desk.dice.random() < 0.3
        if ends:
            desk.settled(lambda: counter.gateway.end_attempt(booked.invoice_id))
    except Refusal as no:
        refused(desk, "pay_at_the_gateway", no, TAKEN | NOT_NOW, order_id=request.order_id)
        return
    if _pressed(desk, shown, late=ends or desk.dice.random() < 0.2):
        desk.history.write("paid_there", order_id=shown.order_id, amount=int(shown.amount))
        for _ in range(desk.dice.randrange(3)):
            _told_again(desk, shown.order_id)


def _made(desk: Desk, counter: Counter, asked: Attempt) -> Attempt | None:
    """The attempt once the service has made it; None when it did not in time."""
    for _ in range(LOOKS):
        found = desk.settled(lambda: counter.store.read.attempt(asked.order_id))
        if found is None or found.state is not AttemptState.ASKED:
            return found if found is not None and (found.qr or found.link) else None
        if desk.is_closing():
            return None
        desk.pause(0.25)
    return None


def _pressed(desk: Desk, shown: Attempt, *, late: bool) -> bool:
    """Whether the gateway took the money: an answer that is lost is none, and the button is pressed no more."""
    if shown.link is not None and not late:
        path = f"/simulasi/pay-page/{shown.link.rsplit('/', 1)[1]}"
    else:
        path = f"/simulasi/{'pay-late' if late else 'pay'}/{shown.order_id}"
    status, _ = _talk(desk.gateway["url"], "POST", path)
    return status == http.HTTPStatus.SEE_OTHER


def _told_again(desk: Desk, order_id: str) -> None:
    """A notification by another way: once more, or before the gateway's own."""
    key = base64.b64encode(f"{desk.gateway['key']}:".encode()).decode("ascii")
    status, body = _talk(desk.gateway["url"], "GET", f"/v2/{order_id}/status", {"Authorization": f"Basic {key}"})
    if status == http.HTTPStatus.OK:
        said = json.dumps(signed(json.loads(body), desk.gateway["key"])).encode()
        _talk(desk.gateway["service_url"], "POST", "/webhooks/midtrans", {}, said)


def _talk(
    url: str, verb: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
) -> tuple[int, Any]:
    """Status and body; 0 while nobody answers."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=10)
    try:
        connection.request(verb, path, body, dict(headers or {}))
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()
