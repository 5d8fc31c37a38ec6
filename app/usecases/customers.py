"""Find a customer while typing: by phone digits from the fourth one, or by the beginning of a name."""

from __future__ import annotations

from app.domain.errors import invalid
from app.usecases.ports import Store
from app.usecases.rows import CustomerHit

MIN_DIGITS = 4
MIN_LETTERS = 2


class Customers:
    """Customer use cases of one logged-in person."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find_customers(self, text: str, limit: int = 8) -> tuple[CustomerHit, ...]:
        """At most `limit` hits, best first; empty below four digits or two letters. Wildcards are plain signs."""
        if not 1 <= limit <= 50:
            raise invalid("limit", "count", least=1, most=50, given=limit)
        if len(text) > 80:
            raise invalid("text", "too_long", length=len(text), most=80)
        wanted = " ".join(text.split())
        digits = sum(sign.isdigit() for sign in wanted)
        letters = sum(sign.isalpha() for sign in wanted)
        if letters < MIN_LETTERS and digits < MIN_DIGITS:
            return ()
        return self._store.read.find_customers(wanted, limit)
