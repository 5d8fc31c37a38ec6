"""`sentra-admin do`: contracts and the words a branch prints, by their names, from JSON to JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.bootstrap import Counter
from app.json_values import Fields, plain

MOST = 80_000


def _language(given: Fields) -> str:
    return given.text_or_none("language") or "id"


def _contract(counter: Counter, given: Fields) -> object:
    """What a contract says; nothing is counted."""
    return plain(counter.contracts.contract(given.text("order_id"), _language(given)))


def _set_terms(counter: Counter, given: Fields) -> object:
    """`terms` null or left out: the program's own terms again."""
    return plain(counter.contracts.set_terms(given.text_or_none("terms", most=MOST), _language(given)))


def _letterhead(counter: Counter, given: Fields) -> object:
    return {"letterhead": counter.contracts.letterhead(_language(given))}


def _set_letterhead(counter: Counter, given: Fields) -> object:
    return {"letterhead": counter.contracts.set_letterhead(given.text_or_none("letterhead"), _language(given))}


CONTRACTS: Mapping[str, tuple[Callable[[Counter, Fields], object], tuple[str, ...]]] = {
    "contract": (_contract, ("order_id", "language")),
    "terms": (lambda counter, given: plain(counter.contracts.terms(_language(given))), ("language",)),
    "set_terms": (_set_terms, ("terms", "language")),
    "letterhead": (_letterhead, ("language",)),
    "set_letterhead": (_set_letterhead, ("letterhead", "language")),
}
"""By name: what runs it and the fields it takes."""
