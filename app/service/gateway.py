"""HTTP of the gateway: its notifications at `POST /webhooks/midtrans`, the counters' bell at `POST /gateway/now`."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.domain.errors import Refusal
from app.usecases.gateway import GatewayDesk
from app.usecases.ports_gateway import GatewayAway, GatewayRefused, NoticeForged, NoticeMalformed

log = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024
MOST_UNREAD_BYTES = 128 * 1024 * 1024
"""So much of a body that is too large is thrown away, so that its sender reads the answer; then the line is cut."""

_NO_STORE = {"Cache-Control": "no-store"}


class GatewayDoor:
    """Both routes over one desk. `counts`: how many notifications led to what."""

    def __init__(self, desk: GatewayDesk) -> None:
        self._desk = desk
        self._counts: Counter[str] = Counter()
        self._counting = threading.Lock()

    def routes(self) -> list[Route]:
        return [
            Route("/webhooks/midtrans", self._notification, methods=["POST"]),
            Route("/gateway/now", self._now, methods=["POST"]),
        ]

    def figures(self) -> list[str]:
        """Lines for `/metrics`."""
        with self._counting:
            return [
                f'sentra_gateway_notifications_total{{outcome="{outcome}"}} {count}'
                for outcome, count in sorted(self._counts.items())
            ]

    async def _notification(self, request: Request) -> Response:
        """200 when it is heard, for the first time or again, or kept aside; 400 malformed; 403 not signed by the
        gateway; 413 over 64 KiB; 503 for faults on our side, so that it is sent again."""
        body = await _body(request)
        if body is None:
            return self._told("too_large", 413)
        status, outcome = await run_in_threadpool(lambda: self._heard(body))
        return self._told(outcome, status)

    def _heard(self, body: bytes) -> tuple[int, str]:
        try:
            told = self._desk.notices.read(body)
        except NoticeMalformed as no:
            log.warning("a malformed notification of the gateway: %s", no)
            return 400, "malformed"
        except NoticeForged:
            log.warning("a notification that the gateway did not sign")
            return 403, "forged"
        return _faults_are_ours(lambda: self._desk.notice(told).value)

    async def _now(self, _request: Request) -> Response:
        status, outcome = await run_in_threadpool(lambda: _faults_are_ours(self._work))
        return JSONResponse({"outcome": outcome}, status_code=status, headers=_NO_STORE)

    def _work(self) -> str:
        self._desk.work_now()
        return "worked"

    def _told(self, outcome: str, status: int) -> Response:
        with self._counting:
            self._counts[outcome] += 1
        return JSONResponse({"outcome": outcome}, status_code=status, headers=_NO_STORE)


def _faults_are_ours(work: Callable[[], str]) -> tuple[int, str]:
    try:
        return 200, work()
    except (Refusal, GatewayAway, GatewayRefused) as away:
        log.warning("the gateway's door waits: %s", away)
        return 503, "unavailable"
    except Exception:
        log.exception("the gateway's door failed")
        return 503, "fault"


async def _body(request: Request) -> bytes | None:
    """The whole body; None when it is too large, after what follows was thrown away."""
    found = b""
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size <= MOST_BYTES:
            found += piece
        elif size > MOST_UNREAD_BYTES:
            return None
    return found if size <= MOST_BYTES else None
