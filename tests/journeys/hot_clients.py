"""A process with many clients of several logins: each line it is told is a stretch of days that all want at once.

`python -m tests.journeys.hot_clients UNIT FIRST COUNT PER_LOGIN`; settings come from the environment. Answers one JSON
line when all are connected, then one a line: what each client was answered.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from app.bootstrap import Counter, connect
from app.domain.days import RentalPeriod, parse_day
from app.domain.errors import Refusal
from app.settings import load_settings
from app.usecases.bookings import BookLine, BookRequest
from tests.support.world import SKU, password_of


def login_of(client: int, per_login: int) -> str:
    """The login that this client works under; each may have only so many connections."""
    return f"klerk{client // per_login}"


class Client:
    """One counter that wants what everybody wants."""

    def __init__(self, number: int, login: str) -> None:
        settings = load_settings().model_copy(update={"counter_name": f"Kasir {number}"})
        self.number = number
        self.counter: Counter = connect(settings, login, password_of(login))
        self.won: list[str] = []

    def want(self, unit: str, period: RentalPeriod) -> dict[str, Any]:
        """The booking's number, or the refusal with the numbers it names."""
        line = BookLine(sku=SKU, unit_id=unit, period=period)
        request = BookRequest(
            order_id=self.counter.new_id(),
            lines=(line,),
            customer_name="Budi Santoso",
            customer_phone=f"0812{self.number:07}",
        )
        try:
            booked = self.counter.bookings.book(request)
        except Refusal as no:
            blockers = no.params.get("blockers", [])
            assert isinstance(blockers, list)
            return {"code": no.code.value, "params": str(no), "named": sorted({item["number"] for item in blockers})}
        self.won.append(booked.bookings[0].id)
        return {"code": "BOOKED", "number": booked.bookings[0].number}

    def give_up(self) -> dict[str, Any]:
        """Cancel all that was won; one client may have been the first more than once."""
        while self.won:
            self.counter.bookings.cancel(self.won.pop())
        return {"code": "GIVEN_UP"}


def main() -> None:
    unit, first, count, per_login = sys.argv[1], *map(int, sys.argv[2:5])
    clients = [Client(n, login_of(n, per_login)) for n in range(first, first + count)]
    _say({"ready": len(clients)})
    for told in sys.stdin:
        word, *days = told.split()
        if word == "want":
            period = RentalPeriod(*(parse_day(day, "day") for day in days))
            _say(_together(clients, partial(Client.want, unit=unit, period=period)))
        else:
            _say(_together(clients, Client.give_up))
    for client in clients:
        client.counter.close()
    _say({"closed": len(clients)})


def _together(clients: Sequence[Client], do: Callable[[Client], dict[str, Any]]) -> dict[str, Any]:
    """What each client was answered by when all had begun at the same moment; who never ends is missing."""
    gate = threading.Barrier(len(clients))
    answers: list[dict[str, Any]] = []

    def work(client: Client) -> None:
        gate.wait(60)
        answers.append(do(client))

    threads = [threading.Thread(target=work, args=(client,), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return {"answers": answers}


def _say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
