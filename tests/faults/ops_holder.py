"""What a desk does on order: hold a lock until it is told to pay, or take over a lock that somebody left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.domain.errors import Refusal
from tests.faults.desk import Desk
from tests.faults.ops_booking import book_something
from tests.faults.ops_money import NOT_PAID, lock_here, not_paid, pay
from tests.faults.registry import refused

PATIENCE_SECONDS = 10.0
TRIES = 4


def hold(desk: Desk, order: Mapping[str, Any]) -> None:
    """Take a lock, say so, and pay under it when told to: by then the process was stopped past the lock's end."""
    attempt = desk.counter.new_id()
    for _ in range(TRIES):  # a fresh one: nobody else is at it yet, and its deadline is far
        booked = book_something(desk)
        if booked is not None:
            break
    else:
        desk.say({"ticket": order["ticket"], "holding": None})
        return
    invoice_id = booked.invoice_id
    try:
        lock = lock_here(desk, desk.counter, invoice_id)
        desk.say({"ticket": order["ticket"], "holding": invoice_id, "epoch": lock.handle.epoch})
    except Refusal as no:
        not_paid(desk, no, invoice_id, None)
        desk.say({"ticket": order["ticket"], "holding": None})
        return
    desk.next_order(PATIENCE_SECONDS)
    try:
        pay(desk, desk.counter, lock.handle, attempt)
        outcome = "paid"
    except Refusal as no:
        not_paid(desk, no, invoice_id, attempt)
        outcome = no.code.value
    desk.say({"ticket": order["ticket"], "outcome": outcome})


def take_over(desk: Desk, order: Mapping[str, Any]) -> None:
    """Take the lock that ran out; pay under it, or just keep it."""
    attempt = desk.counter.new_id()
    try:
        lock = lock_here(desk, desk.counter, order["invoice_id"])
    except Refusal as no:
        refused(desk, "take_over", no, NOT_PAID, invoice_id=order["invoice_id"])
        desk.say({"ticket": order["ticket"], "took": None, "why": no.code.value})
        return
    if desk.dice.random() < 0.5:
        try:
            pay(desk, desk.counter, lock.handle, attempt)
        except Refusal as no:
            not_paid(desk, no, order["invoice_id"], attempt)
    desk.say({"ticket": order["ticket"], "took": order["invoice_id"], "epoch": lock.handle.epoch})


ORDERS: Mapping[str, Callable[[Desk, Mapping[str, Any]], None]] = {"hold": hold, "take_over": take_over}
