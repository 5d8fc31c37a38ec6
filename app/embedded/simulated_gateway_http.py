"""HTTP of the simulated gateway: the provider's documented paths, and pages to pay on. Every answer is marked."""

from __future__ import annotations

import base64
import datetime as dt
import hmac
import json
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from app.embedded import simulated_gateway_pages as pages
from app.embedded.simulated_gateway_book import Book, NotPossible
from app.embedded.simulated_gateway_words import MARK, MARK_HEADER, answer_of, charged, page_made, qris_text

MOST_BYTES = 200_000
_SECONDS = {"second": 1, "minute": 60, "minutes": 60, "hour": 3600, "hours": 3600, "day": 86400, "days": 86400}
_DAY, _QUARTER = 86400.0, 900.0
_MARKED = {MARK_HEADER: MARK, "Cache-Control": "no-store"}


class SimulatedGateway:
    """The application over one book. `base` is its own address, as it stands in links."""

    def __init__(self, book: Book, server_key: str, base: str, clock: Callable[[], float]) -> None:
        self._book = book
        self._authorization = "Basic " + base64.b64encode(f"{server_key}:".encode()).decode("ascii")
        self._base = base
        self._clock = clock

    def app(self) -> Starlette:
        def post(path: str, answer: Callable[[Request, dict[str, Any]], dict[str, Any]]) -> Route:
            return Route(path, self._merchant(answer), methods=["POST"])

        return Starlette(
            routes=[
                post("/v2/charge", self._charge),
                Route("/v2/{name}/status", self._merchant(self._status), methods=["GET"]),
                post("/v2/{name}/expire", lambda request, _said: self._ended(request, "expire", "407")),
                post("/v2/{name}/cancel", lambda request, _said: self._ended(request, "cancel", "200")),
                post("/v2/{name}/deny", lambda request, _said: self._ended(request, "deny", "200")),
                post("/v2/{name}/refund", self._refund),
                post("/v2/{name}/refund/online/direct", self._refund),
                post("/snap/v1/transactions", self._page),
                Route("/", self._visitor(lambda _request: pages.listing(self._book.deals(), self._book.open_pages()))),
                Route("/snap/v3/redirection/{token}", self._visitor(self._paying)),
                Route("/v2/{kind}/{name}/qr-code", self._visitor(self._code)),
                Route("/simulasi/pay-page/{token}", self._visitor(self._pay_page), methods=["POST"]),
                Route("/simulasi/{action}/{name}", self._visitor(self._press), methods=["POST"]),
            ]
        )

    # --- the merchant's side ----------------------------------------------------------------------------------------

    def _merchant(self, answer: Callable[[Request, dict[str, Any]], dict[str, Any]]) -> Callable[[Request], Any]:
        async def serve(request: Request) -> Response:
            given = request.headers.get("authorization", "")
            is_snap = request.url.path.startswith("/snap/")
            if not hmac.compare_digest(given.encode(), self._authorization.encode()):
                return _refused("401", "Transaction cannot be authorized with the current client/server key.", is_snap)
            said: object = {}
            if request.method == "POST":
                body = await request.body()
                try:
                    said = json.loads(body or b"{}") if len(body) <= MOST_BYTES else None
                except ValueError:
                    said = None
            if not isinstance(said, dict):
                return _refused("400", "The request body is no JSON object.", is_snap)
            try:
                told = await run_in_threadpool(lambda: answer(request, said))
            except NotPossible as no:
                return _refused(no.code, no.message, is_snap)
            return JSONResponse(told, status_code=201 if is_snap else 200, headers=_MARKED)

        return serve

    def _charge(self, request: Request, said: dict[str, Any]) -> dict[str, Any]:
        order_id, amount = _order(said)
        kind = said.get("payment_type")
        if not isinstance(kind, str) or not kind.isidentifier():
            raise NotPossible("400", "payment_type is required")
        wanted = said.get("custom_expiry")
        seconds = _expiry(wanted, "expiry_duration", _QUARTER if kind in ("qris", "gopay") else _DAY)
        start = _start(wanted, "order_time")
        seconds = seconds if start is None else start + seconds - self._clock()
        if seconds <= 0:
            raise NotPossible("400", "the expiry is past")
        return self._book.once(
            request.headers.get("idempotency-key"),
            lambda: charged(self._book.charge(order_id, amount, kind, seconds), self._base),
        )

    def _page(self, request: Request, said: dict[str, Any]) -> dict[str, Any]:
        order_id, amount = _order(said)
        seconds = _expiry(said.get("page_expiry") or said.get("expiry"), "duration", _DAY)
        wanted = said.get("expiry")
        pay_seconds = None if wanted is None else _expiry(wanted, "duration", _DAY)
        pay_start = _start(wanted, "start_time")
        return self._book.once(
            request.headers.get("idempotency-key"),
            lambda: page_made(self._book.make_page(order_id, amount, seconds, pay_seconds, pay_start), self._base),
        )

    def _status(self, request: Request, _said: dict[str, Any]) -> dict[str, Any]:
        deal = self._book.get(request.path_params["name"])
        return answer_of(deal, code="407" if deal.status == "expire" else None)

    def _ended(self, request: Request, status: str, code: str) -> dict[str, Any]:
        return answer_of(self._book.move(request.path_params["name"], status), code=code)

    def _refund(self, request: Request, said: dict[str, Any]) -> dict[str, Any]:
        deal = self._book.get(request.path_params["name"])
        key, amount = said.get("refund_key"), said.get("amount", deal.amount)
        if not isinstance(amount, int):
            raise NotPossible("400", "amount is not a whole number")
        return answer_of(self._book.refund(deal.order_id, str(key or deal.transaction_id), amount), code="200")

    # --- whoever pays -----------------------------------------------------------------------------------------------

    def _visitor(self, answer: Callable[[Request], str]) -> Callable[[Request], Any]:
        async def serve(request: Request) -> Response:
            try:
                told = await run_in_threadpool(lambda: answer(request))
            except NotPossible as no:
                return HTMLResponse(f"SIMULASI: {no.message}", status_code=404, headers=_MARKED)
            if request.method == "POST":
                return RedirectResponse(told, status_code=303, headers=_MARKED)
            return HTMLResponse(told, headers=_MARKED)

        return serve

    def _paying(self, request: Request) -> str:
        page = self._book.page(request.path_params["token"])
        return pages.paying(page, self._book.find(page.order_id), page.expires_at <= self._clock())

    def _code(self, request: Request) -> str:
        deal = self._book.get(request.path_params["name"])
        return pages.code(deal, qris_text(deal.order_id, deal.amount))

    def _pay_page(self, request: Request) -> str:
        """Choose a way to pay and pay, as a payer does on the provider's page."""
        page = self._book.page(request.path_params["token"])
        if self._book.find(page.order_id) is None:
            now = self._clock()
            self._book.charge(page.order_id, page.amount, "qris", page.paid_until(now) - now)
        self._book.move(page.order_id, "settlement")
        return f"/snap/v3/redirection/{page.token}"

    def _press(self, request: Request) -> str:
        action, name = request.path_params["action"], request.path_params["name"]
        if action in ("pay", "pay-late"):
            self._book.move(name, "settlement", late=action == "pay-late")
        elif action == "deny":
            self._book.move(name, "deny")
        else:
            raise NotPossible("404", "No such button.")
        return "/"


def _order(said: dict[str, Any]) -> tuple[str, int]:
    details = said.get("transaction_details")
    order_id = details.get("order_id") if isinstance(details, dict) else None
    amount = details.get("gross_amount") if isinstance(details, dict) else None
    if not isinstance(order_id, str) or not 0 < len(order_id) <= 50:
        raise NotPossible("400", "transaction_details.order_id is required")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount <= 0:
        raise NotPossible("400", "transaction_details.gross_amount must be a whole number")
    return order_id, amount


def _expiry(given: object, field: str, otherwise: float) -> float:
    if not isinstance(given, dict):
        return otherwise
    duration, unit = given.get(field), _SECONDS.get(str(given.get("unit")))
    if not isinstance(duration, int) or duration <= 0 or unit is None:
        raise NotPossible("400", "the expiry is not a duration")
    return float(duration * unit)


def _start(given: object, field: str) -> float | None:
    found = given.get(field) if isinstance(given, dict) else None
    if found is None:
        return None
    try:
        return dt.datetime.strptime(str(found), "%Y-%m-%d %H:%M:%S %z").timestamp()
    except ValueError:
        raise NotPossible("400", f"{field} is no moment") from None


def _refused(code: str, message: str, is_snap: bool) -> Response:
    """Core API says a refusal in `status_code` under HTTP 200 (401 and 404 in HTTP too), Snap in HTTP with a list."""
    if is_snap:
        return JSONResponse({"error_messages": [message], "simulation": MARK}, status_code=int(code), headers=_MARKED)
    status = int(code) if code in ("401", "404") else 200
    said = {"status_code": code, "status_message": message, "simulation": MARK}
    return JSONResponse(said, status_code=status, headers=_MARKED)
