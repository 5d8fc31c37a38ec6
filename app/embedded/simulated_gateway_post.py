"""Sends the simulated gateway's notifications, signed, and again when they are not heard."""

from __future__ import annotations

import http.client
import json
import logging
import threading
from urllib.parse import urlsplit

from app.embedded.simulated_gateway_book import Book, Letter
from app.embedded.simulated_gateway_words import MARK, MARK_HEADER, answer_of, signed

log = logging.getLogger(__name__)

WITHIN_SECONDS = 30.0
LONGEST_WAIT = 1.0


class Post:
    """A thread that works the book's letters off until `stop`. Without an address nothing is sent, as when every
    notification is lost."""

    def __init__(self, book: Book, server_key: str, notify_url: str | None) -> None:
        self._book = book
        self._server_key = server_key
        self._url = notify_url
        self._stopping = False
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._work, name="gateway-post", daemon=True)
        book.on_letter = self._wake.set

    def start(self) -> None:
        self._thread.start()

    def stop(self, within: float = 5.0) -> None:
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(within)

    def _work(self) -> None:
        while not self._stopping:
            self._wake.clear()
            self._book.expire_due()
            letter = None if self._url is None else self._book.due_letter()
            if letter is not None:
                self._book.letter_sent(letter, heard=self._send(letter))
                continue
            due_in = None if self._url is None else self._book.next_letter_in()
            self._wake.wait(LONGEST_WAIT if due_in is None else min(due_in, LONGEST_WAIT))

    def _send(self, letter: Letter) -> bool:
        said = signed(answer_of(letter.deal, status=letter.status, code=letter.code), self._server_key)
        where = urlsplit(self._url or "")
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=WITHIN_SECONDS)
        try:
            headers = {"Content-Type": "application/json", MARK_HEADER: MARK}
            connection.request("POST", where.path, json.dumps(said), headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as away:
            log.info("notification %s of %s is sent again: %s", letter.status, letter.deal.order_id, away)
            return False
        finally:
            connection.close()
        log.info("notification %s of %s: %d", letter.status, letter.deal.order_id, status)
        return status == http.HTTPStatus.OK
