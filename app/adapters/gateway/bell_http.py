"""The counter's bell at the service: `POST /gateway/now`. It carries nothing; what is wanted stands in the database."""

from __future__ import annotations

import http.client
import logging
from urllib.parse import urlsplit

log = logging.getLogger(__name__)

WITHIN_SECONDS = 15.0
"""As long as making one attempt may take at the gateway."""


class BellOverHttp:
    """`GatewayBell` of the service at this address; without one it is never heard."""

    def __init__(self, service_url: str | None, within: float = WITHIN_SECONDS) -> None:
        self._url = urlsplit(service_url or "")
        self._within = within

    def ring(self) -> bool:
        """True when the service has worked. Silence is no error: it works at its next pass."""
        host, port = self._url.hostname, self._url.port
        if not host or self._url.scheme not in ("http", "https"):
            return False
        make = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        connection = make(host, port, timeout=self._within)
        try:
            connection.request("POST", "/gateway/now", headers={"Content-Length": "0"})
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException) as away:
            log.info("the service did not hear the bell: %s", type(away).__name__)
            return False
        finally:
            connection.close()
