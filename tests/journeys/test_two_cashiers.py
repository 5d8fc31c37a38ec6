"""Two cashiers in two processes at one invoice: one holds it, whatever happens to the other's process."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from app.usecases.bookings import BookLine, BookRequest
from tests.journeys.place import CASHIER, Place
from tests.support.processes import Processes, RunningProcess
from tests.support.world import days


class Cashier:
    """A cashier's process: one command a line, one JSON answer a line."""

    def __init__(self, process: RunningProcess) -> None:
        self.process = process
        assert process.json_line(within=60) == {"ready": True}

    def ask(self, command: str) -> Any:
        self.process.tell(command)
        return json.loads(self.process.line(within=30))


@pytest.fixture
def invoice(place: Place) -> Iterator[str]:
    """An unpaid booking's invoice."""
    siti = place.counter("siti", "Kasir 8")
    try:
        month = place.next_month().shifted(4)
        for number in range(1, month.day_count + 1):
            period = days(month.first_day.replace(day=number).isoformat())
            free = siti.calendar.free_units("HON-BEAT-S", period)
            if free:
                line = BookLine(sku="HON-BEAT-S", period=period)
                request = BookRequest(
                    order_id=siti.new_id(), lines=(line,), customer_name="Eko Prabowo", customer_phone="0812 4444 5555"
                )
                yield siti.bookings.book(request).invoice_id
                break
    finally:
        siti.close()


@pytest.fixture
def siti(place: Place, processes: Processes) -> Cashier:
    return Cashier(place.person(processes, CASHIER, "siti", "Kasir 1"))


@pytest.fixture
def budi(place: Place, processes: Processes) -> Cashier:
    return Cashier(place.person(processes, CASHIER, "budi", "Kasir 2"))


def _recorded(place: Place, invoice: str) -> tuple[Any, ...]:
    (found,) = place.rows(
        """SELECT i.state, i.locked_by, i.locked_until, i.lock_token, i.locked_at, i.locked_counter, b.state,
                  (SELECT count(*) FROM sentra.payment AS p WHERE p.invoice_id = i.id)
           FROM sentra.invoice AS i JOIN sentra.booking AS b ON b.order_id = i.order_id WHERE i.id = %s""",
        invoice,
    )
    return found


PAID = ("PAID", None, None, None, None, None, "PAID_APPROVED", 1)


def test_the_second_cashier_is_refused_until_the_first_one_is_killed_and_then_pays_once(
    place: Place, siti: Cashier, budi: Cashier, invoice: str
) -> None:
    held = siti.ask(f"open {invoice}")
    assert held["ok"]
    assert 58_000 < held["result"]["remaining_ms"] <= 60_000
    refusal = budi.ask(f"open {invoice}")["refusal"]
    assert (refusal["code"], refusal["params"]["holder_name"], refusal["params"]["counter"]) == (
        "LOCK_HELD",
        "Siti",
        "Kasir 1",
    )
    assert 0 < refusal["params"]["remaining_ms"] <= 60_000
    listed = place.do("invoices", "budi", counter="Kasir 2").json["result"]
    (row,) = [row for row in listed if row["id"] == invoice]
    assert (row["locked_by_name"], row["locked_counter"], row["locked_by_me"]) == ("Siti", "Kasir 1", False)
    assert 0 < row["lock_remaining_ms"] <= 60_000

    for _ in range(4):
        place.after(seconds=30)
        assert siti.ask("renew")["ok"], "the heartbeat keeps it"
    assert budi.ask(f"open {invoice}")["refusal"]["code"] == "LOCK_HELD"

    siti.process.kill()
    place.after(seconds=50)
    assert budi.ask(f"open {invoice}")["refusal"]["code"] == "LOCK_HELD"
    place.after(seconds=10)
    assert budi.ask(f"open {invoice}")["ok"]
    answers = budi.ask("pay 5")
    assert all(answer["ok"] for answer in answers)
    assert len({answer["result"]["payment_id"] for answer in answers}) == 1
    assert sorted(answer["result"]["already"] for answer in answers) == [False, True, True, True, True]
    assert _recorded(place, invoice) == PAID
    assert place.value(
        "SELECT count(*) FROM sentra.audit WHERE action = 'lock_expired' AND subject = %s AND actor = 'sentra_budi'",
        invoice,
    ) == 1  # fmt: skip


def test_a_cashier_who_was_stopped_past_the_lock_and_continued_cannot_pay_and_nothing_is_written(
    place: Place, siti: Cashier, budi: Cashier, invoice: str
) -> None:
    assert siti.ask(f"open {invoice}")["ok"]
    siti.process.freeze()
    place.after(seconds=61)
    assert budi.ask(f"open {invoice}")["ok"]
    before = _recorded(place, invoice)
    siti.process.thaw()
    for answer in (siti.ask("renew"), *siti.ask("pay 2")):
        assert answer["refusal"]["code"] == "LOCK_LOST"
    assert siti.ask("release") == {"ok": True, "result": False}
    assert _recorded(place, invoice) == before
    assert before[1:2] == ("sentra_budi",)
    (answer,) = budi.ask("pay 1")
    assert answer["ok"]
    assert _recorded(place, invoice) == PAID


def test_a_lock_that_ran_out_by_itself_cannot_pay_even_if_nobody_took_it(
    place: Place, siti: Cashier, budi: Cashier, invoice: str
) -> None:
    assert siti.ask(f"open {invoice}")["ok"]
    siti.process.freeze()
    place.after(seconds=61)
    siti.process.thaw()
    (answer,) = siti.ask("pay 1")
    assert answer["refusal"]["code"] == "LOCK_LOST"
    assert _recorded(place, invoice)[6:] == ("PENDING_PAYMENT", 0)
    assert siti.ask(f"open {invoice}")["ok"]
    assert siti.ask("release") == {"ok": True, "result": True}
    assert budi.ask(f"open {invoice}")["ok"], "free at once"
    assert budi.ask("pay 1")[0]["ok"]
