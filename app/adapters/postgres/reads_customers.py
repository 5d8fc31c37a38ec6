"""Customer search: by phone digits or by the beginning of name words, as prefix ranges on "C" collated columns.

Ranges use leakproof operators only, so that row-level security keeps the indexes usable; nothing a person types is a
pattern: `%` and `_` are plain signs.
"""

from __future__ import annotations

import unicodedata
import uuid
from dataclasses import dataclass

from sqlalchemy import TextClause, text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.rows import CUSTOMER_COLUMNS, customer_of
from app.domain.customer import Customer, folded
from app.usecases.rows import CustomerHit

MIN_DIGITS = 4
MAX_WORDS = 5
_LAST_SIGN = "\U0010ffff"
"""Sorts after every sign of a text: `prefix` to `prefix + _LAST_SIGN` holds exactly what begins with the prefix."""

_CUSTOMER = text(f"SELECT {CUSTOMER_COLUMNS} FROM sentra.customer c WHERE c.id = CAST(:customer_id AS uuid)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody typed, understood: phone numbers may begin with one of `phones`, a word with each of `words`."""

    phones: tuple[str, ...]
    words: tuple[str, ...]


def understood(typed: str) -> Wanted:
    """`0812 34` → phones beginning +6281234; `siti 08123` → both; fewer than four digits are part of a name."""
    plain = "".join(" " if unicodedata.category(sign) in {"Cc", "Cs"} else sign for sign in typed)
    tokens = folded(plain).split()
    worded = [token for token in tokens if any(sign.isalpha() for sign in token)]
    digits = "".join(sign for token in tokens if token not in worded for sign in token if sign in "0123456789")
    if len(digits) < MIN_DIGITS:
        return Wanted(phones=(), words=tuple(tokens[:MAX_WORDS]))
    return Wanted(phones=_phone_beginnings(digits, "+" in plain), words=tuple(worded[:MAX_WORDS]))


def find_customers(ask: Ask, typed: str, limit: int) -> tuple[CustomerHit, ...]:
    """At most `limit` customers that match all that was typed, those whose name begins with it first."""
    wanted = understood(typed)
    if not wanted.phones and not wanted.words:
        return ()
    whole = " ".join(wanted.words)
    parameters: dict[str, str | int] = {"limit": limit, "whole": whole, "whole_end": whole + _LAST_SIGN}
    for place, beginning in enumerate(wanted.phones):
        parameters |= {f"phone{place}": beginning, f"phone{place}_end": beginning + _LAST_SIGN}
    for place, word in enumerate(wanted.words):
        parameters |= {f"word{place}": word, f"word{place}_end": word + _LAST_SIGN}
    return tuple(
        CustomerHit(customer=customer_of(row), rentals=row["rentals"], open_invoices=row["open_invoices"])
        for row in ask.rows(search_statement(wanted), **parameters)
    )


def customer(ask: Ask, customer_id: str) -> Customer | None:
    if not is_uuid(customer_id):
        return None
    row = ask.row(_CUSTOMER, customer_id=customer_id)
    return None if row is None else customer_of(row)


def is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def search_statement(wanted: Wanted) -> TextClause:
    """The search for this many words and phone forms; the values are parameters."""
    conditions = [
        f"""c.id IN (SELECT w.customer_id FROM sentra.customer_word w
                     WHERE w.word >= :word{place} AND w.word < :word{place}_end)"""
        for place in range(len(wanted.words))
    ]
    phones = [f"(c.phone >= :phone{n} AND c.phone < :phone{n}_end)" for n in range(len(wanted.phones))]
    if phones:
        conditions.append(f"({' OR '.join(phones)})")
    return text(f"""
        WITH hit AS (
            SELECT {CUSTOMER_COLUMNS}, c.folded_name,
                   (c.folded_name >= :whole AND c.folded_name < :whole_end) AS begins
            FROM sentra.customer c
            WHERE {" AND ".join(conditions)}
            ORDER BY begins DESC, c.folded_name, c.phone
            LIMIT :limit)
        SELECT hit.customer_id, hit.customer_name, hit.phone,
               (SELECT count(*) FROM sentra.booking b
                WHERE b.customer_id = hit.customer_id AND b.state <> 'CANCELLED') AS rentals,
               (SELECT count(*) FROM sentra.invoice i
                WHERE i.customer_id = hit.customer_id AND i.state = 'OPEN') AS open_invoices
        FROM hit
        ORDER BY hit.begins DESC, hit.folded_name, hit.phone""")


def _phone_beginnings(digits: str, international: bool) -> tuple[str, ...]:
    """How stored numbers (`+62…`) may begin for these digits; a leading 62 is the country code (case C-78)."""
    if digits.startswith(("0", "620")):
        return (f"+62{digits.removeprefix('62')[1:]}",)
    if international or digits.startswith("62"):
        return (f"+{digits}",)
    return (f"+62{digits}", f"+{digits}")
