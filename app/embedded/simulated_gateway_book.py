"""What the simulated payment gateway remembers: transactions, pages, and notifications still to be sent; in one file.

Every step is written before it is answered, so that a killed process goes on where it was.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RETRY_SECONDS = (1, 5, 20, 60, 300)
"""A notification that is not answered with 200 is sent again, like the provider does, at a counter's patience."""

LEAST_PAGE_SECONDS = 300.0
"""A page that ends sooner is refused, as it is there."""

_TABLES = """
CREATE TABLE IF NOT EXISTS deal (
    order_id TEXT PRIMARY KEY, transaction_id TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL, fee INTEGER NOT NULL,
    status TEXT NOT NULL, payment_type TEXT NOT NULL, made_at REAL NOT NULL, expires_at REAL NOT NULL,
    refunded INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS page (
    token TEXT PRIMARY KEY, order_id TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL, expires_at REAL NOT NULL,
    pay_seconds REAL, pay_start REAL);
CREATE TABLE IF NOT EXISTS said (key TEXT PRIMARY KEY, answer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS refund (order_id TEXT NOT NULL, key TEXT NOT NULL, amount INTEGER NOT NULL,
    PRIMARY KEY (order_id, key));
CREATE TABLE IF NOT EXISTS letter (
    id INTEGER PRIMARY KEY, order_id TEXT NOT NULL, status TEXT NOT NULL, code TEXT NOT NULL, due_at REAL NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0);
"""

OPEN = "pending"
_CODES = {"pending": "201", "settlement": "200", "capture": "200", "expire": "202", "cancel": "200", "deny": "202"}


class NotPossible(Exception):
    """What the provider answers with an error code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One transaction. Moments are seconds of the simulation's clock."""

    order_id: str
    transaction_id: str
    amount: int
    fee: int
    status: str
    payment_type: str
    made_at: float
    expires_at: float
    refunded: int

    @property
    def code(self) -> str:
        return _CODES.get(self.status, "200")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page to pay on; a transaction comes of it when somebody chooses a way to pay. That can be paid `pay_seconds`
    from `pay_start`, or from the moment it was begun without one, as there; until the page's end without either."""

    token: str
    order_id: str
    amount: int
    expires_at: float
    pay_seconds: float | None = None
    pay_start: float | None = None

    def paid_until(self, now: float) -> float:
        """The end of a transaction that is begun on it now."""
        if self.pay_seconds is None:
            return self.expires_at
        return (now if self.pay_start is None else self.pay_start) + self.pay_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A notification to be sent."""

    id: int
    deal: Deal
    status: str
    code: str
    tries: int


class Book:
    """Safe to use from several threads; `clock` gives seconds."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        path.touch(mode=0o600, exist_ok=True)
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._file.row_factory = sqlite3.Row
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.executescript(_TABLES)
        known = {row["name"] for row in self._file.execute("PRAGMA table_info(page)")}
        for column in sorted({"pay_seconds", "pay_start"} - known):  # a file of an earlier version
            self._file.execute(f"ALTER TABLE page ADD COLUMN {column} REAL")
        self._depth = 0
        self.on_letter: Callable[[], None] = lambda: None

    def close(self) -> None:
        with self._lock:
            self._file.close()

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Alone, and all of it or nothing; a step inside another one belongs to it."""
        with self._lock:
            if self._depth == 0:
                self._file.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                if self._depth == 0:
                    self._file.execute("ROLLBACK")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._file.execute("COMMIT")

    # --- making -----------------------------------------------------------------------------------------------------

    def charge(self, order_id: str, amount: int, payment_type: str, seconds: float) -> Deal:
        """A new transaction; an order id that was used before is refused, as it is there."""
        with self._step():
            if self.find(order_id) is not None:
                raise NotPossible("406", "The request could not be completed due to a conflict: order_id was used.")
            page = self._file.execute("SELECT * FROM page WHERE order_id = ?", (order_id,)).fetchone()
            if page is not None and (page["amount"] != amount or page["expires_at"] <= self._clock()):
                raise NotPossible("406", "The page of this order is over.")
            now = self._clock()
            self._file.execute(
                "INSERT INTO deal (order_id, transaction_id, amount, fee, status, payment_type, made_at, expires_at)"
                " VALUES (?, ?, ?, 0, ?, ?, ?, ?)",
                (order_id, str(uuid.uuid4()), amount, OPEN, payment_type, now, now + seconds),
            )
            self._write_letter(order_id)
            return self.get(order_id)

    def make_page(
        self,
        order_id: str,
        amount: int,
        seconds: float,
        pay_seconds: float | None = None,
        pay_start: float | None = None,
    ) -> Page:
        """A page to pay this order on; asked for again before anything was paid, a new one takes its place."""
        with self._step():
            if seconds < LEAST_PAGE_SECONDS:
                raise NotPossible("400", "page_expiry is less than 5 minutes")
            if self.find(order_id) is not None:
                raise NotPossible("400", "transaction_details.order_id has already been taken")
            page = Page(
                token=secrets.token_urlsafe(24),
                order_id=order_id,
                amount=amount,
                expires_at=self._clock() + seconds,
                pay_seconds=pay_seconds,
                pay_start=pay_start,
            )
            self._file.execute(
                "INSERT OR REPLACE INTO page (token, order_id, amount, expires_at, pay_seconds, pay_start)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (page.token, page.order_id, page.amount, page.expires_at, page.pay_seconds, page.pay_start),
            )
            return page

    def once(self, key: str | None, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The first answer to a question with this key; a key of its own for each question without one."""
        with self._step():
            if key is None:
                return make()
            known = self._file.execute("SELECT answer FROM said WHERE key = ?", (key,)).fetchone()
            if known is not None:
                answer: dict[str, Any] = json.loads(known["answer"])
                return answer
            made = make()
            self._file.execute("INSERT INTO said (key, answer) VALUES (?, ?)", (key, json.dumps(made)))
            return made

    # --- looking ----------------------------------------------------------------------------------------------------

    def find(self, name: str) -> Deal | None:
        """By order id or transaction id; one whose time is over has expired by the time it is looked at."""
        with self._lock:
            self.expire_due()
            row = self._file.execute(
                "SELECT * FROM deal WHERE order_id = ? OR transaction_id = ?", (name, name)
            ).fetchone()
            return None if row is None else _deal(row)

    def get(self, name: str) -> Deal:
        found = self.find(name)
        if found is None:
            raise NotPossible("404", "Transaction doesn't exist.")
        return found

    def page(self, token: str) -> Page:
        with self._lock:
            row = self._file.execute("SELECT * FROM page WHERE token = ?", (token,)).fetchone()
        if row is None:
            raise NotPossible("404", "No such page.")
        return Page(**dict(row))

    def open_pages(self) -> list[Page]:
        """Pages that can still be paid on and on which nothing was begun."""
        with self._lock:
            rows = self._file.execute(
                "SELECT * FROM page WHERE expires_at > ? AND order_id NOT IN (SELECT order_id FROM deal)",
                (self._clock(),),
            ).fetchall()
        return [Page(**dict(row)) for row in rows]

    def deals(self) -> list[Deal]:
        """All transactions, the newest first."""
        with self._lock:
            self.expire_due()
            return [_deal(row) for row in self._file.execute("SELECT * FROM deal ORDER BY made_at DESC, order_id")]

    # --- moving -----------------------------------------------------------------------------------------------------

    def move(self, name: str, status: str, *, fee: int = 0, late: bool = False) -> Deal:
        """End or pay what is open. `late`: paid although it is over, as some codes can be. Anything else is refused."""
        with self._step():
            deal = self.get(name)
            if deal.status != OPEN and not (late and status == "settlement" and deal.status == "expire"):
                raise NotPossible("412", "Merchant cannot modify the status of the transaction.")
            self._file.execute("UPDATE deal SET status = ?, fee = ? WHERE order_id = ?", (status, fee, deal.order_id))
            self._write_letter(deal.order_id)
            return self.get(deal.order_id)

    def refund(self, name: str, key: str, amount: int) -> Deal:
        """Give back what was settled; the same key again is refused as a duplicate."""
        with self._step():
            deal = self.get(name)
            if self._file.execute(
                "SELECT 1 FROM refund WHERE order_id = ? AND key = ?", (deal.order_id, key)
            ).fetchone():
                raise NotPossible("406", "Refund request rejected due to a duplicate refund key.")
            if deal.status not in ("settlement", "partial_refund") or not 0 < amount <= deal.amount - deal.refunded:
                raise NotPossible("412", "Transaction status cannot be updated.")
            whole = deal.refunded + amount == deal.amount
            self._file.execute("INSERT INTO refund VALUES (?, ?, ?)", (deal.order_id, key, amount))
            self._file.execute(
                "UPDATE deal SET status = ?, refunded = refunded + ? WHERE order_id = ?",
                ("refund" if whole else "partial_refund", amount, deal.order_id),
            )
            self._write_letter(deal.order_id)
            return self.get(deal.order_id)

    def expire_due(self) -> None:
        """What was not paid in time is expired, and said so."""
        with self._step():
            over = self._file.execute(
                "SELECT order_id FROM deal WHERE status = ? AND expires_at <= ?", (OPEN, self._clock())
            ).fetchall()
            for row in over:
                self._file.execute("UPDATE deal SET status = 'expire' WHERE order_id = ?", (row["order_id"],))
                self._write_letter(row["order_id"])

    # --- letters ----------------------------------------------------------------------------------------------------

    def due_letter(self) -> Letter | None:
        """The notification that is to be sent now, the oldest first."""
        with self._lock:
            row = self._file.execute(
                "SELECT * FROM letter WHERE due_at <= ? ORDER BY due_at, id LIMIT 1", (self._clock(),)
            ).fetchone()
            if row is None:
                return None
            return Letter(
                id=row["id"],
                deal=self.get(row["order_id"]),
                status=row["status"],
                code=row["code"],
                tries=row["tries"],
            )

    def next_letter_in(self) -> float | None:
        """Seconds until the next one is due; None when there is none."""
        with self._lock:
            row = self._file.execute("SELECT min(due_at) AS due_at FROM letter").fetchone()
            return None if row["due_at"] is None else max(0.0, row["due_at"] - self._clock())

    def letter_sent(self, letter: Letter, *, heard: bool) -> None:
        """Done with it, or again later; after the last try it is dropped."""
        with self._lock:
            if heard or letter.tries >= len(RETRY_SECONDS):
                self._file.execute("DELETE FROM letter WHERE id = ?", (letter.id,))
                return
            self._file.execute(
                "UPDATE letter SET tries = tries + 1, due_at = ? WHERE id = ?",
                (self._clock() + RETRY_SECONDS[letter.tries], letter.id),
            )

    def _write_letter(self, order_id: str) -> None:
        status = self._file.execute("SELECT status FROM deal WHERE order_id = ?", (order_id,)).fetchone()["status"]
        self._file.execute(
            "INSERT INTO letter (order_id, status, code, due_at) VALUES (?, ?, ?, ?)",
            (order_id, status, _CODES.get(status, "200"), self._clock()),
        )
        self.on_letter()


def _deal(row: Mapping[str, Any]) -> Deal:
    return Deal(
        order_id=row["order_id"],
        transaction_id=row["transaction_id"],
        amount=row["amount"],
        fee=row["fee"],
        status=row["status"],
        payment_type=row["payment_type"],
        made_at=row["made_at"],
        expires_at=row["expires_at"],
        refunded=row["refunded"],
    )
