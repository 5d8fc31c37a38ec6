"""Many tills at once, a process each: cashiers settle what they are told, a manager voids behind them and pays back.

`python -m tests.journeys.till_clients`; settings come from the environment, the work is one JSON line on standard
input. Answers `{"ready": n}` when everybody is logged in with an open shift, goes off at the next line, and ends with
one line: what each process found.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.bootstrap import Counter, connect
from app.domain.errors import Refusal
from app.domain.invoice import Tender, TenderKind
from app.domain.money import Rupiah
from app.domain.refund import RefundWay
from app.settings import load_settings
from tests.support.world import password_of

FLOAT = Rupiah(1_000_000)
SAFE = Rupiah(50_000_000_000)
WHY = "salah catat saat ramai"


def tender_of(kind: str, received: int, place: int) -> Tender:
    """A tender of this kind that says what it has to say."""
    amount = Rupiah(received)
    match kind:
        case "EDC":
            code = f"{place % 1_000_000:06}"
            return Tender(kind=TenderKind.EDC, amount=amount, bank="BCA", last4="1234", approval_code=code)
        case "TRANSFER":
            return Tender(kind=TenderKind.TRANSFER, amount=amount, bank="BCA", reference=f"TRX-{place:06}")
        case _:
            return Tender(kind=TenderKind(kind), amount=amount)


def settle(counter: Counter, item: Mapping[str, Any]) -> str:
    """PAID, or the refusal's code. Pressed twice at the same moment it is still one attempt."""
    attempt = counter.new_id()
    tenders = [tender_of(kind, received, item["place"]) for kind, received in item["tenders"]]
    try:
        held = counter.settlement.open_invoice(item["invoice"])
    except Refusal as no:
        return no.code.value
    told: list[str] = []

    def press() -> None:
        try:
            counter.settlement.settle(held.handle, attempt, tenders)
            told.append("PAID")
        except Refusal as no:
            told.append(no.code.value)

    presses = [threading.Thread(target=press) for _ in range(item["presses"])]
    for thread in presses:
        thread.start()
    for thread in presses:
        thread.join()
    return "PAID" if "PAID" in told else told[0]


def cashier(counter: Counter, work: Sequence[Mapping[str, Any]], tell_void: Callable[[str], None]) -> dict[str, Any]:
    """Settle everything in order; what was won and what the shift says of it."""
    won, lost = [], []
    for item in work:
        outcome = settle(counter, item)
        if outcome == "PAID":
            won.append(item["place"])
            if item["void"]:
                tell_void(item["invoice"])
        else:
            lost.append([item["place"], outcome])
    report = counter.shifts.shift_report()
    return {
        "won": won,
        "lost": lost,
        "payments": report.payments,
        "change": report.change,
        "ways": {one.kind: [one.count, one.amount] for one in report.tenders},
        "shift": report.id,
    }


def manager(counter: Counter, told: Any) -> dict[str, Any]:
    """Void each invoice as soon as its cashier told of it, and pay the money back."""
    back = 0
    numbers = []
    for line in told:
        done = counter.till.refunds.void_invoice(line.strip(), WHY, replace=True)
        numbers.append(done.number)
        assert done.refund_id is not None
        paid = counter.till.refunds.refund_pay_out(done.refund_id, counter.new_id(), RefundWay.CASH, reason=WHY)
        back += paid.amount
    report = counter.shifts.shift_report()
    return {
        "voided": numbers,
        "back": back,
        "ways": {one.kind: [one.count, one.amount] for one in report.refunds},
        "expected": report.expected,
    }


def main() -> int:
    work = json.loads(sys.stdin.readline())
    gate_read, gate_write = os.pipe()
    void_read, void_write = os.pipe()
    children: dict[str, tuple[int, int]] = {}
    for login in (*work, "maya"):
        answer_read, answer_write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(gate_write)
            os.close(void_write if login == "maya" else void_read)
            _child(login, work.get(login, ()), gate_read, void_read, void_write, answer_write)
            os._exit(0)
        os.close(answer_write)
        children[login] = (pid, answer_read)
    os.close(void_read)
    os.close(void_write)
    for login, (_, answer) in children.items():
        assert os.read(answer, 1) == b"r", login
    _say({"ready": len(children)})
    sys.stdin.readline()
    os.close(gate_write)
    found = {}
    for login, (pid, answer) in children.items():
        with os.fdopen(answer, encoding="utf-8") as said:
            found[login] = json.loads(said.read())
        os.waitpid(pid, 0)
    _say(found)
    return 0


def _child(
    login: str, work: Sequence[Mapping[str, Any]], gate: int, void_read: int, void_write: int, answer: int
) -> None:
    """Never returns an exception to the parent's own code: it is told as the answer."""
    try:
        settings = load_settings().model_copy(update={"counter_name": f"Till {login}"})
        counter = connect(settings, login, password_of(login))
        counter.shifts.open_shift(f"Laci {login}", SAFE if login == "maya" else FLOAT)
        os.write(answer, b"r")
        os.read(gate, 1)
        if login == "maya":
            with os.fdopen(void_read, encoding="ascii") as told:
                found = manager(counter, told)
        else:
            found = cashier(counter, work, lambda invoice: _tell(void_write, invoice))
            os.close(void_write)
        counter.close()
    except BaseException:  # noqa: BLE001 - the test reads it and fails with it
        found = {"error": traceback.format_exc()}
        os.write(2, found["error"].encode())
    os.write(answer, json.dumps(found).encode())


def _say(told: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def _tell(pipe: int, invoice: str) -> None:
    os.write(pipe, f"{invoice}\n".encode("ascii"))  # shorter than a pipe's atomic write


if __name__ == "__main__":
    sys.exit(main())
