"""Customer search: by phone digits, the beginning of name words, a plate or a booking's number, in one statement.

Phones, words and plates are prefix ranges on "C" collated columns. Ranges use leakproof operators only, so that
row-level security keeps the indexes usable; nothing a person types is a pattern: `%` and `_` are plain signs.
"""

from __future__ import annotations

import re
import unicodedata
import uuid
from dataclasses import dataclass

from sqlalchemy import TextClause, text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.rows import CUSTOMER_COLUMNS, Columns, customer_of
from app.domain.customer import MIN_DIGITS, Customer, folded, normalised_phone
from app.domain.customer_texts import ARREARS_CODE
from app.domain.errors import Refusal
from app.domain.waitlist import Tier
from app.usecases.rows_customers import CustomerHit

MAX_WORDS = 5
LAST_SIGN = "\U0010ffff"
"""Sorts after every sign of a text: `prefix` to `prefix + LAST_SIGN` holds exactly what begins with the prefix."""

# An open invoice of the customer c (of the company f, if any) whose day has come. A rent, down payment or extension
# that is not paid is a hold: it ends by itself and is nobody's debt.
OVERDUE = """
    i.customer_id = c.id AND i.state = 'OPEN' AND i.total > i.paid
    AND i.created_at + make_interval(days => coalesce(f.due_days, 0)) < sentra.now()
    AND (i.kind IN ('FINE', 'POST_RENTAL')
         OR i.kind = 'BALANCE' AND EXISTS (SELECT FROM sentra.booking late
                                           WHERE late.order_id = i.order_id AND late.pickup_at < sentra.now()))"""
HIT_COLUMNS = f"""
    {CUSTOMER_COLUMNS}, c.tier, c.licence_expires_on, c.blacklist_code, coalesce(f.name, '') AS company_name,
    coalesce((SELECT x.masked FROM sentra.customer_identity x
              WHERE x.customer_id = c.id AND x.kind IN ('NIK', 'PASSPORT') ORDER BY x.kind LIMIT 1), '') AS masked,
    (SELECT count(*) FROM sentra.booking b WHERE b.customer_id = c.id AND b.state <> 'CANCELLED') AS rentals,
    (SELECT count(*) FROM sentra.invoice i WHERE i.customer_id = c.id AND i.state = 'OPEN') AS open_invoices,
    EXISTS (SELECT FROM sentra.invoice i WHERE {OVERDUE}) AS is_late"""
HIT_TABLES = "sentra.customer c LEFT JOIN sentra.company f ON f.id = c.company_id"

_PLATE = re.compile(r"[A-Z]{1,2}[0-9]{2,4}[A-Z]{0,3}")
_NUMBER = re.compile(r"BK-?([0-9]{1,12})")

_CUSTOMER = text(f"SELECT {CUSTOMER_COLUMNS} FROM sentra.customer c WHERE c.id = CAST(:customer_id AS uuid)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody typed, understood: phone numbers may begin with one of `phones`, a word with each of `words`.

    `plate` is what a unit's plate may begin with, without spaces; `number` a booking's number. Either may be meant
    beside phones and words: `B 1234` is both.
    """

    phones: tuple[str, ...]
    words: tuple[str, ...]
    plate: str = ""
    number: str = ""


def understood(typed: str) -> Wanted:
    """`0812 34` → phones beginning +6281234; `siti 08123` → both; fewer than four digits are part of a name."""
    plain = "".join(" " if unicodedata.category(sign) in {"Cc", "Cs"} else sign for sign in typed)
    tokens = folded(plain).split()
    worded = [token for token in tokens if any(sign.isalpha() for sign in token)]
    digits = "".join(sign for token in tokens if token not in worded for sign in token if sign in "0123456789")
    together = "".join(tokens).upper()
    plate = together if _PLATE.fullmatch(together) else ""
    found = _NUMBER.fullmatch(together)
    number = f"BK-{found[1]}" if found else ""
    if len(digits) < MIN_DIGITS:
        return Wanted(phones=(), words=tuple(tokens[:MAX_WORDS]), plate=plate, number=number)
    phones = _with_whole_number(_phone_beginnings(digits, "+" in plain), f"+{digits}" if "+" in plain else digits)
    return Wanted(phones=phones, words=tuple(worded[:MAX_WORDS]), plate=plate, number=number)


def find_customers(ask: Ask, typed: str, limit: int) -> tuple[CustomerHit, ...]:
    """At most `limit` customers that match all that was typed, those whose name begins with it first."""
    wanted = understood(typed)
    if not wanted.phones and not wanted.words:
        return ()
    whole = " ".join(wanted.words)
    parameters: dict[str, str | int] = {"limit": limit, "whole": whole, "whole_end": whole + LAST_SIGN}
    for place, beginning in enumerate(wanted.phones):
        parameters |= {f"phone{place}": beginning, f"phone{place}_end": beginning + LAST_SIGN}
    for place, word in enumerate(wanted.words):
        parameters |= {f"word{place}": word, f"word{place}_end": word + LAST_SIGN}
    if wanted.plate:
        parameters |= {"plate": wanted.plate, "plate_end": wanted.plate + LAST_SIGN}
    if wanted.number:
        parameters["number"] = wanted.number
    return tuple(hit_of(row) for row in ask.rows(search_statement(wanted), **parameters))


def hit_of(row: Columns) -> CustomerHit:
    return CustomerHit(
        customer=customer_of(row),
        rentals=row["rentals"],
        open_invoices=row["open_invoices"],
        masked=row["masked"],
        tier=Tier(row["tier"]),
        company_name=row["company_name"],
        licence_expires_on=row["licence_expires_on"],
        blocked=row["blacklist_code"] or (ARREARS_CODE if row["is_late"] else None),
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
    ways = [
        f"""SELECT c.id, 1 - CAST(c.folded_name >= :whole AND c.folded_name < :whole_end AS integer) AS rank,
                   c.folded_name, c.phone
            FROM sentra.customer c WHERE {" AND ".join(conditions)}"""
    ]
    if wanted.number:
        ways.append("""
            SELECT c.id, -2, c.folded_name, c.phone FROM sentra.booking b JOIN sentra.customer c ON c.id = b.customer_id
            WHERE b.number = :number""")
    if wanted.plate:  # who has it or had it, the latest first
        ways.append("""
            (SELECT c.id, -1, c.folded_name, c.phone
             FROM sentra.unit u JOIN sentra.booking b ON b.unit_id = u.id JOIN sentra.customer c ON c.id = b.customer_id
             WHERE replace(upper(u.plate COLLATE "C"), ' ', '') >= :plate
               AND replace(upper(u.plate COLLATE "C"), ' ', '') < :plate_end AND b.state <> 'CANCELLED'
             ORDER BY b.first_day DESC LIMIT :limit)""")
    union = " UNION ALL ".join(ways)
    return text(f"""
        WITH found AS ({union}),
             hit AS (SELECT found.id, min(found.rank) AS rank, found.folded_name, found.phone FROM found
                     GROUP BY found.id, found.folded_name, found.phone
                     ORDER BY min(found.rank), found.folded_name, found.phone
                     LIMIT :limit)
        SELECT {HIT_COLUMNS}
        FROM hit JOIN {HIT_TABLES} ON c.id = hit.id
        ORDER BY hit.rank, hit.folded_name, hit.phone""")


def _phone_beginnings(digits: str, international: bool) -> tuple[str, ...]:
    """How stored numbers (`+62…`) may begin for these digits: 00 is the international +, a leading 62 the country code
    (case C-78), and a second 62 may be that code once more."""
    if digits.startswith("00"):
        digits, international = digits[2:], True
    if digits.startswith(("0", "620")):
        return (f"+62{digits.removeprefix('62')[1:]}",)
    if digits.startswith("6262"):
        return (f"+{digits}", f"+62{digits[4:].removeprefix('0')}")
    if international or digits.startswith("62"):
        return (f"+{digits}",)
    return (f"+62{digits}", f"+{digits}")


def _with_whole_number(beginnings: tuple[str, ...], digits: str) -> tuple[str, ...]:
    """Also the number that these digits would be stored as, when they are a whole one."""
    try:
        stored = normalised_phone(digits)
    except Refusal:  # not yet
        return beginnings
    return beginnings if any(stored.startswith(start) for start in beginnings) else (*beginnings, stored)
