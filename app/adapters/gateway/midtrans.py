"""Midtrans as a `GatewayPort`: Core API and Snap over HTTPS, as documented at docs.midtrans.com.

`/v2/charge`, `/v2/{id}/status`, `/expire`, `/refund`, `/refund/online/direct`, `/snap/v1/transactions`; Basic
authentication with the server key. The `Idempotency-Key` makes a repeated question one effect.
"""

from __future__ import annotations

import base64
import datetime as dt
import http.client
import json
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from app.adapters.clock import wall_seconds
from app.adapters.gateway.midtrans_words import read_object, told_of
from app.domain.gateway import LEAST_LINK_SECONDS
from app.domain.money import Rupiah
from app.usecases.ports_gateway import GatewayAway, GatewayRefused, NoticeMalformed
from app.usecases.rows_gateway import GatewayPlace, GatewayTold, MadeAttempt

WITHIN_SECONDS = 5.0
"""For each step on the wire. Asking, ending and asking once more stay within the 20 seconds that a deadline waits."""

SIMULATION_HEADER = "X-Sentra-Simulation"
_MOST_BYTES = 200_000
_WIB = dt.timezone(dt.timedelta(hours=7))
_HERE = frozenset({"127.0.0.1", "::1", "localhost"})
_DIRECT_REFUNDS = frozenset({"qris", "gopay", "shopeepay"})
"""Ways to pay that are refunded at once by `/refund/online/direct`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MidtransAddresses:
    """Where the two interfaces are."""

    mode: str
    core: str
    snap: str
    is_simulated: bool = False


SANDBOX = MidtransAddresses(
    mode="sandbox", core="https://api.sandbox.midtrans.com", snap="https://app.sandbox.midtrans.com"
)
PRODUCTION = MidtransAddresses(mode="production", core="https://api.midtrans.com", snap="https://app.midtrans.com")


def simulated(url: str) -> MidtransAddresses:
    """The simulated gateway of the embedded mode, which speaks both interfaces at one address of this machine."""
    return MidtransAddresses(mode="simulated", core=url, snap=url, is_simulated=True)


class Midtrans:
    """`GatewayPort`. Money that is marked as simulated is refused unless the addresses are the simulation's.

    Ends are told to the gateway as a duration from a start: without one they would count from the moment at which the
    payer begins. `wall` is the machine's clock, which agrees with the gateway's as far as TLS and this one need it to.
    """

    def __init__(
        self,
        addresses: MidtransAddresses,
        server_key: str,
        within: float = WITHIN_SECONDS,
        wall: Callable[[], float] = wall_seconds,
    ) -> None:
        for url in (addresses.core, addresses.snap):
            where = urlsplit(url)
            if where.scheme != "https" and not (addresses.is_simulated and where.hostname in _HERE):
                raise ValueError(f"the gateway is spoken to over https only, not at {url}")
        self._addresses = addresses
        self._authorization = "Basic " + base64.b64encode(f"{server_key}:".encode()).decode("ascii")
        self._within = within
        self._wall = wall

    @property
    def place(self) -> GatewayPlace:
        return GatewayPlace(mode=self._addresses.mode, is_simulated=self._addresses.is_simulated)

    def create_link(self, order_id: str, amount: Rupiah, seconds: int, key: str) -> MadeAttempt:
        """A Snap page; it and what is begun on it end after so many whole minutes, counted from now."""
        if seconds < LEAST_LINK_SECONDS:
            raise GatewayRefused("400", f"no page ends within {seconds} seconds")
        minutes: dict[str, object] = {"unit": "minute", "duration": seconds // 60}
        told, _ = self._ask(
            "POST",
            self._addresses.snap,
            "/snap/v1/transactions",
            {
                "transaction_details": {"order_id": order_id, "gross_amount": amount},
                "credit_card": {"secure": True},
                "expiry": {"start_time": self._now(), **minutes},
                "page_expiry": minutes,
            },
            key,
        )
        link = told.get("redirect_url")
        if not isinstance(link, str) or not 0 < len(link) <= 500:
            raise GatewayAway("a page without an address")
        return MadeAttempt(link=link)

    def create_qris(self, order_id: str, amount: Rupiah, seconds: int, key: str) -> MadeAttempt:
        """A dynamic QRIS for exactly this amount."""
        told, _ = self._ask(
            "POST",
            self._addresses.core,
            "/v2/charge",
            {
                "payment_type": "qris",
                "transaction_details": {"order_id": order_id, "gross_amount": amount},
                "qris": {"acquirer": "gopay"},
                "custom_expiry": {"order_time": self._now(), "expiry_duration": seconds, "unit": "second"},
            },
            key,
        )
        qr, transaction_id = told.get("qr_string"), told.get("transaction_id")
        if not isinstance(qr, str) or not 0 < len(qr) <= 1000:
            raise GatewayAway("a QRIS without its code")
        return MadeAttempt(qr=qr, transaction_id=transaction_id if isinstance(transaction_id, str) else None)

    def status(self, name: str) -> GatewayTold | None:
        """404 is a page that nobody opened yet, or that nothing was begun on: no transaction, and no failure."""
        try:
            told, body = self._ask("GET", self._addresses.core, f"/v2/{quote(name, safe='')}/status")
        except GatewayRefused as no:
            if no.code == "404":
                return None
            raise
        try:
            return told_of(told, body)
        except NoticeMalformed as no:
            raise GatewayAway(f"a status without {no}") from None

    def expire(self, order_id: str) -> bool:
        """404: never opened; 412: it cannot be changed any more."""
        try:
            self._ask("POST", self._addresses.core, f"/v2/{quote(order_id, safe='')}/expire", {})
        except GatewayRefused as no:
            if no.code in ("404", "412"):
                return False
            raise
        return True

    def refund(self, order_id: str, key: str, amount: Rupiah, reason: str, payment_type: str) -> None:
        """The key is the provider's own for a refund: the same one again is refused there as a duplicate (406 or 414)
        and counts as done."""
        way = "/refund/online/direct" if payment_type in _DIRECT_REFUNDS else "/refund"
        try:
            self._ask(
                "POST",
                self._addresses.core,
                f"/v2/{quote(order_id, safe='')}{way}",
                {"refund_key": key, "amount": amount, "reason": reason},
                key,
            )
        except GatewayRefused as no:
            if no.code != "406":
                raise

    def _ask(
        self, verb: str, base: str, path: str, said: Mapping[str, object] | None = None, key: str | None = None
    ) -> tuple[Mapping[str, Any], bytes]:
        headers = {"Accept": "application/json", "Authorization": self._authorization}
        if said is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        where = urlsplit(base)
        connection = self._connection(where.scheme, where.hostname or "", where.port)
        try:
            connection.request(verb, where.path + path, None if said is None else json.dumps(said), headers)
            response = connection.getresponse()
            body = response.read(_MOST_BYTES)
            is_simulated = response.getheader(SIMULATION_HEADER) is not None
        except (OSError, http.client.HTTPException) as away:
            raise GatewayAway(type(away).__name__) from None
        finally:
            connection.close()
        if is_simulated and not self._addresses.is_simulated:
            raise GatewayAway("a simulation answered where money is real")
        try:
            told = read_object(body)
        except NoticeMalformed:
            raise GatewayAway(f"no JSON in an answer {response.status}") from None
        code = _code(response.status, told)
        if code[:1] == "5" or code == "429":
            raise GatewayAway(f"answer {code}")
        if code[:1] not in ("2",) and code != "407":  # 407: the transaction is expired, which is an answer
            raise GatewayRefused(code, _message(told))
        return told, body

    def _now(self) -> str:
        return dt.datetime.fromtimestamp(self._wall(), _WIB).strftime("%Y-%m-%d %H:%M:%S +0700")

    def _connection(self, scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
        if scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._within, context=ssl.create_default_context())
        return http.client.HTTPConnection(host, port, timeout=self._within)


def _code(status: int, told: Mapping[str, Any]) -> str:
    """The Core API says in `status_code` what happened, often under HTTP 200 all the same; Snap says it in HTTP."""
    code = told.get("status_code")
    return code if status < 400 and isinstance(code, str) and code else str(status)


def _message(told: Mapping[str, Any]) -> str:
    said = told.get("status_message")
    messages = told.get("error_messages")
    if isinstance(said, str):
        return said[:200]
    return "; ".join(str(item) for item in messages)[:200] if isinstance(messages, list) else ""
