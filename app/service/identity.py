"""HTTP of identity numbers: `POST /identity/find` and `POST /identity/reveal`, each for one ticket of the database.

Nothing asked or answered is logged or may be kept on the way.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.domain.errors import Refusal, RefusalCode
from app.json_values import Fields, refusal_json
from app.usecases.customers import ticket_hash
from app.usecases.identity_desk import IdentityDesk

MOST_BYTES = 4096
_STATUS = {RefusalCode.NOT_FOUND: 404, RefusalCode.NOT_ALLOWED: 403, RefusalCode.UNREACHABLE: 503}
_NO_STORE = {"Cache-Control": "no-store"}


def identity_routes(desk: IdentityDesk) -> list[Route]:
    """A ticket answers once: 200 with `customer_ids` or `number`, else 400, 403, 404 or 503 with the refusal."""

    def find(given: Fields) -> dict[str, object]:
        given.only({"ticket", "number"})
        found = desk.find(ticket_hash(given.text("ticket", most=100)), given.text("number", most=100))
        return {"customer_ids": list(found)}

    def reveal(given: Fields) -> dict[str, object]:
        given.only({"ticket"})
        return {"number": desk.reveal(ticket_hash(given.text("ticket", most=100)))}

    return [_route("/identity/find", find), _route("/identity/reveal", reveal)]


def _route(path: str, answer: Callable[[Fields], dict[str, object]]) -> Route:
    async def serve(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return JSONResponse({"error": "too large"}, status_code=413, headers=_NO_STORE)
        try:
            said = await run_in_threadpool(lambda: answer(Fields(_parsed(body))))
        except Refusal as no:
            return JSONResponse({"refusal": refusal_json(no)}, status_code=_STATUS.get(no.code, 400), headers=_NO_STORE)
        return JSONResponse(said, headers=_NO_STORE)

    return Route(path, serve, methods=["POST"])


async def _body(request: Request) -> bytes | None:
    """The whole body; None, and the rest unread, when it is larger than any question of ours."""
    found = b""
    async for piece in request.stream():
        found += piece
        if len(found) > MOST_BYTES:
            return None
    return found


def _parsed(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
