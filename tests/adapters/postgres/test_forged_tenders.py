"""Tenders as psql may forge them: sums that do not fit, negative ones, fractions, words, far too much. All refused."""

import json
from collections.abc import Mapping
from typing import Any

import psycopg

from tests.adapters.postgres.test_forged_money import ask, nothing_was_written, wanted_of
from tests.adapters.postgres.write_rig import WriteRig, march

T = 1_400_000
"""Three days and the deposit."""


def tender(amount: object, received: object = None, kind: object = "CASH", **more: object) -> dict[str, object]:
    return {"kind": kind, "amount": amount, "received": amount if received is None else received, **more}


EDC = {"kind": "EDC", "bank": "BCA", "last4": "1234", "approval_code": "123456"}
FORGED: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("nothing is paid", {"tenders": []}),
    ("one Rupiah too little", {"tenders": [tender(T - 1)], "amount": T - 1}),
    ("the rows are less than the sum", {"tenders": [tender(T - 1)]}),
    ("the rows are more than the sum", {"tenders": [tender(T), tender(1)]}),
    ("the sum is less than the rows", {"amount": T - 1}),
    ("twice the sum", {"tenders": [tender(T), tender(T)], "amount": 2 * T}),
    ("less than nothing evens it out", {"tenders": [tender(T + 5), tender(-5)]}),
    ("a tender of nothing", {"tenders": [tender(T), tender(0)]}),
    ("less is handed over than it pays", {"tenders": [tender(T, T - 1)]}),
    ("more is handed over and nothing goes back", {"tenders": [tender(T, T + 50_000)]}),
    ("more goes back than was too much", {"tenders": [tender(T, T + 10)], "change": 11}),
    ("change that nobody handed over", {"change": 50_000}),
    ("change below nothing", {"tenders": [tender(T, T - 10)], "change": -10}),
    ("change out of a card", {"tenders": [{**EDC, "amount": T, "received": T + 50_000}], "change": 50_000}),
    ("change as credit below nothing", {"tenders": [tender(T, T)], "change": 10, "credited": -10}),
    ("credit that nobody handed over", {"credited": 10}),
    ("a rounding that is none", {"amount": T + 100, "tenders": [tender(T + 100)], "rounding": 100}),
    ("a rounding away of everything", {"amount": 0, "tenders": [], "rounding": -T}),
    ("a fraction", {"tenders": [tender(T + 0.5)]}),
    ("two halves", {"tenders": [tender(T - 0.5), tender(0.5)]}),
    (
        "a power of ten with a fraction",
        {"tenders": '[{"kind": "CASH", "amount": 1.4000005e6, "received": 1.4000005e6}]'},
    ),
    ("digits as a word", {"tenders": [tender(str(T))]}),
    ("a sum as a word", {"amount": str(T)}),
    ("yes instead of an amount", {"tenders": [tender(True)]}),
    ("far too much", {"tenders": [tender(10**18)], "amount": 10**18}),
    ("more than 64 bits", {"tenders": [tender(2**64 + T)], "amount": 2**64 + T}),
    ("sums that turn over", {"tenders": [tender(2**63 - 1), tender(2**63 - 1), tender(T + 2)]}),
    ("one tender instead of a list", {"tenders": tender(T)}),
    ("a list in the list", {"tenders": [[tender(T)]]}),
    ("a word in the list", {"tenders": ["CASH"]}),
    ("a null in the list", {"tenders": [tender(T), None]}),
    ("a kind that is none", {"tenders": [tender(T, kind="GOLD")]}),
    ("a kind in small letters", {"tenders": [tender(T, kind="cash")]}),
    ("a kind that only the service posts", {"tenders": [tender(T, kind="GATEWAY", reference="TRX-0001")]}),
    ("a card without its code", {"tenders": [{**EDC, "amount": T, "received": T, "approval_code": None}]}),
    ("a card with other digits", {"tenders": [{**EDC, "amount": T, "received": T, "last4": "١٢٣٤"}]}),
    ("a QRIS without a manager's word", {"tenders": [tender(T, kind="QRIS", reference="RRN-000001")]}),
    ("a debt without a company", {"tenders": [tender(T, kind="RECEIVABLE")]}),
    ("tax withheld without a company", {"tenders": [tender(T - 21_000), tender(21_000, kind="PPH23")]}),
    ("credit that the customer has not", {"tenders": [tender(T, kind="CREDIT")]}),
    ("a deposit that is not there", {"tenders": [tender(T, kind="DEPOSIT")]}),
    ("credit twice", {"tenders": [tender(T - 1, kind="CREDIT"), tender(1, kind="CREDIT")]}),
)


def test_no_forged_tenders_settle_an_invoice_and_nothing_of_them_stays(rig: WriteRig) -> None:
    """One lock, one invoice, each forgery after the other; the right payment at the end still goes through."""
    rig.open_shift("bayu")
    booked = rig.book("AVZ-01", first=march(10), last=march(12))
    assert booked.total == T
    right = wanted_of(rig, booked)
    for name, change in FORGED:
        wanted = json.dumps({**right, **change})
        if isinstance(raw := change.get("tenders"), str):  # JSON that Python would write in another way
            wanted = wanted.replace(json.dumps(raw), raw)
        assert _answer(rig, wanted) in REFUSED, name
        assert nothing_was_written(rig), name
    assert rig.value("SELECT count(*) FROM sentra.credit_entry") == 0
    told: dict[str, Any] = ask(rig, "SELECT sentra.settle_invoice(%s)", json.dumps(right))
    assert told["outcome"] == "PAID"


REFUSED = frozenset({"AMOUNT_MISMATCH", "FIELD_INVALID", "APPROVAL_NEEDED"})


def _answer(rig: WriteRig, wanted: str) -> str:
    """What it is refused with: an outcome, or a refusal that is raised. Any other error is neither."""
    try:
        told: dict[str, Any] = ask(rig, "SELECT sentra.settle_invoice(%s)", wanted)
    except psycopg.Error as no:
        return str(no.diag.message_primary)
    return str(told["outcome"])
