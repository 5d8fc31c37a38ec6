"""`sentra-admin do` of the payment gateway: attempts of an invoice, and money that came too late."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.domain.errors import invalid
from app.domain.gateway import AttemptKind
from app.json_values import Fields, plain
from app.usecases.rows_gateway import LateState


def _start_attempt(counter: Counter, given: Fields) -> object:
    try:
        kind = AttemptKind(given.text("kind"))
    except ValueError:
        raise invalid("kind", "not_offered") from None
    return plain(counter.gateway.start_attempt(given.text("invoice_id"), kind))


def _late_money(counter: Counter, given: Fields) -> object:
    if not given.has("states"):
        return plain(counter.gateway.late_money())
    try:
        states = [LateState(text) for text in given.texts("states")]
    except ValueError as no:
        raise invalid("states", "not_a_state", given=str(no)) from None
    return plain(counter.gateway.late_money(states))


def _explain(counter: Counter, given: Fields) -> object:
    word = given.text("approval_id") if given.has("approval_id") else None
    done = counter.gateway.explain_late_money(given.text("late_id"), given.text("reason"), approval_id=word)
    return plain(done)


GATEWAY: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "gateway": (lambda counter, _given: plain(counter.gateway.gateway()), ()),
    "start_attempt": (_start_attempt, ("invoice_id", "kind")),
    "attempt_of": (lambda counter, given: plain(counter.gateway.attempt_of(given.text("invoice_id"))), ("invoice_id",)),
    "end_attempt": (
        lambda counter, given: plain(counter.gateway.end_attempt(given.text("invoice_id"))),
        ("invoice_id",),
    ),
    "late_money": (_late_money, ("states",)),
    "credit_late_money": (
        lambda counter, given: plain(counter.gateway.credit_late_money(given.text("late_id"), given.text("reason"))),
        ("late_id", "reason"),
    ),
    "explain_late_money": (_explain, ("late_id", "reason", "approval_id")),
}
"""By name: what runs it and the fields it takes."""
