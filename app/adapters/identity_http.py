"""The counter's questions to the service about identity numbers, over HTTP. Nothing of them is logged."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

from app.domain.errors import Refusal, RefusalCode

WITHIN_SECONDS = 10.0
_HERE = frozenset({"127.0.0.1", "::1", "localhost"})
_MOST_BYTES = 100_000


class IdentityOverHttp:
    """The service at `service_url`. A number never crosses a wire in clear: plain HTTP goes to this machine only."""

    def __init__(self, service_url: str | None) -> None:
        self._url = urlsplit(service_url or "")

    def find(self, ticket: str, number: str) -> tuple[str, ...]:
        """Ids of customers with exactly this number."""
        found = self._ask("/identity/find", {"ticket": ticket, "number": number}).get("customer_ids")
        if not isinstance(found, list):
            raise _away("service")
        return tuple(str(item) for item in found)

    def reveal(self, ticket: str) -> str:
        """The number that the ticket is for."""
        number = self._ask("/identity/reveal", {"ticket": ticket}).get("number")
        if not isinstance(number, str):
            raise _away("service")
        return number

    def _ask(self, path: str, said: dict[str, str]) -> dict[str, object]:
        connection = self._connection()
        try:
            connection.request("POST", path, json.dumps(said), {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = json.loads(response.read(_MOST_BYTES))
        except (OSError, http.client.HTTPException, ValueError):
            raise _away("service") from None
        finally:
            connection.close()
        if not isinstance(answer, dict):
            raise _away("service")
        if isinstance(refused := answer.get("refusal"), dict):
            raise _refusal_of(refused)
        if response.status != http.HTTPStatus.OK:
            raise _away("service")
        return answer

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname, self._url.port
        if not host or self._url.scheme not in ("http", "https"):
            raise _away("no_service")
        if self._url.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=WITHIN_SECONDS)
        if host not in _HERE:
            raise _away("not_secured")
        return http.client.HTTPConnection(host, port, timeout=WITHIN_SECONDS)


def _refusal_of(told: dict[str, object]) -> Refusal:
    try:
        code = RefusalCode(str(told.get("code")))
    except ValueError:
        return _away("service")
    params = told.get("params")
    field = told.get("field")
    named = params.items() if isinstance(params, dict) else ()
    given = {str(key): value for key, value in named if key not in ("code", "field", "next")}
    return Refusal(code, field=field if isinstance(field, str) else None, next=(), **given)


def _away(reason: str) -> Refusal:
    return Refusal(RefusalCode.UNREACHABLE, next=(), reason=reason)
