"""The search over everything, as one statement: every part is a prefix range or an equality that an index serves.

Nothing a person types is a pattern. Bookings and invoices are those that row-level security shows.
"""

from __future__ import annotations

import functools

from sqlalchemy import TextClause, text

from app.adapters.postgres.driver import Row
from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import LAST_SIGN, Wanted, understood
from app.adapters.postgres.rows import rupiah
from app.domain.booking import BookingState
from app.domain.catalogue import UnitStatus
from app.domain.days import Days
from app.domain.invoice import InvoiceState
from app.usecases.rows_search import SearchHit, SearchKind, SearchWish

PLATE = "lower(regexp_replace({}.plate, '[^A-Za-z0-9]', '', 'g')) COLLATE \"C\""
FIGURES = "regexp_replace({}.plate, '[^0-9]', '', 'g') COLLATE \"C\""
"""As the indexes of migration 0016 have them, letter by letter."""

MOST_UNITS = 7
"""One more than a list shows, so that it can say that it is not all of them."""
MOST_WITH_BOOKINGS = 4
BOOKINGS_EACH = 2

_LATE = "coalesce(b.state IN ('ACTIVE_RENTAL', 'EXTENSION_PENDING') AND b.due_at < sentra.now(), false)"
_UNIT_ID = 'lower(u.id COLLATE "C")'


def search(ask: Ask, wish: SearchWish) -> tuple[SearchHit, ...]:
    """Hits by kind, each kind in its own order, at most `limit` of a kind."""
    wanted = understood(wish.customer) if wish.customer else Wanted(phones=(), words=())
    rows = ask.rows(search_statement(len(wanted.words), bool(wanted.phones)), **parameters(wish, wanted))
    return tuple(map(_hit_of, rows))


def parameters(wish: SearchWish, wanted: Wanted) -> dict[str, str | int | None]:
    """The values of the statement; a part that is not wanted is null, which nothing equals."""
    whole = " ".join(wanted.words)
    found: dict[str, str | int | None] = {
        "branch_id": wish.branch_id,
        "limit": wish.limit,
        "booking": wish.booking or None,
        "invoice": wish.invoice or None,
        "invoice_place": wish.invoice_place or None,
        **_range("unit_id", wish.unit_id),
        **_range("plate", wish.plate),
        **_range("figures", wish.plate_digits),
    }
    if wanted.words or wanted.phones:
        found |= {"whole": whole, "whole_end": whole + LAST_SIGN}
    for place, word in enumerate(wanted.words):
        found |= _range(f"word{place}", word)
    if wanted.phones:
        for place in range(2):
            found |= _range(f"phone{place}", wanted.phones[place] if place < len(wanted.phones) else "")
    return found


def _range(name: str, beginning: str) -> dict[str, str | int | None]:
    return {name: beginning or None, f"{name}_end": beginning + LAST_SIGN if beginning else None}


@functools.cache
def search_statement(words: int, phones: bool) -> TextClause:
    """The statement for this many words of a name, with or without phone digits."""
    found_customers = _customers(words, phones)
    return text(f"""
        WITH day AS MATERIALIZED (
            SELECT CAST(sentra.now() AT TIME ZONE b.zone AS date) AS today, b.code,
                   to_char(sentra.now() AT TIME ZONE b.zone, 'YYYYMM') AS month,
                   to_char(sentra.now() AT TIME ZONE b.zone - interval '1 month', 'YYYYMM') AS last_month
            FROM sentra.branch b WHERE b.id = :branch_id),
        found_unit AS MATERIALIZED (
            SELECT DISTINCT ON (f.id) f.id, f.exact FROM (
                ({_units(_UNIT_ID, "unit_id")}) UNION ALL ({_units(PLATE.format("u"), "plate")})
                UNION ALL ({_units(FIGURES.format("u"), "figures")})) f
            ORDER BY f.id, f.exact DESC LIMIT {MOST_UNITS}),
        found_customer AS MATERIALIZED ({found_customers}),
        found_booking AS MATERIALIZED (
            SELECT b.id, true AS exact, 0 AS place FROM sentra.booking b WHERE b.number = :booking
            UNION ALL
            SELECT own.id, false, own.place FROM (
                SELECT f.id FROM found_customer f ORDER BY f.place LIMIT {MOST_WITH_BOOKINGS}) f
            CROSS JOIN day CROSS JOIN LATERAL (
                SELECT b.id, row_number() OVER (ORDER BY b.last_day < day.today, abs(b.first_day - day.today)) AS place
                FROM sentra.booking b WHERE b.customer_id = f.id AND b.state <> 'CANCELLED'
                ORDER BY place LIMIT {BOOKINGS_EACH}) own),
        found_invoice AS MATERIALIZED (
            SELECT i.id, true AS exact FROM sentra.invoice i
            WHERE i.branch_id = :branch_id AND i.number IN (
                SELECT CAST(:invoice AS text)
                UNION ALL SELECT concat('INV/', day.code, '/', day.month, '/', CAST(:invoice_place AS text)) FROM day
                UNION ALL SELECT concat('INV/', day.code, '/', day.last_month, '/', CAST(:invoice_place AS text))
                FROM day)
            UNION
            SELECT l.invoice_id, true FROM found_booking f JOIN sentra.invoice_line l ON l.booking_id = f.id
            WHERE f.exact)
        (SELECT 'unit' AS kind, u.id AS id, f.exact, u.plate AS title, u.id AS unit_id, u.plate, k.name AS sku_name,
               u.status AS unit_status, u.branch_id, br.name AS branch_name, b.id AS booking_id, b.number, b.state,
               b.first_day, b.last_day, {_LATE} AS is_late, c.id AS customer_id, c.name AS customer_name, c.phone,
               CAST(NULL AS text) AS invoice_state, CAST(NULL AS bigint) AS total
         FROM found_unit f JOIN sentra.unit u ON u.id = f.id JOIN sentra.sku k ON k.id = u.sku_id
         JOIN sentra.branch br ON br.id = u.branch_id CROSS JOIN day
         LEFT JOIN LATERAL (
             SELECT o.booking_id FROM sentra.occupancy o
             WHERE o.unit_id = u.id AND o.active AND o.days @> day.today
             ORDER BY o.kind = 'OVERDUE' DESC LIMIT 1) now_out ON true
         LEFT JOIN sentra.booking b ON b.id = now_out.booking_id
         LEFT JOIN sentra.customer c ON c.id = b.customer_id
         ORDER BY f.exact DESC, u.branch_id = :branch_id DESC, u.plate)
        UNION ALL
        (SELECT 'booking', CAST(b.id AS text), f.exact, b.number, u.id, u.plate, k.name, u.status, b.branch_id, '',
               b.id, b.number, b.state, b.first_day, b.last_day, {_LATE}, c.id, c.name, c.phone, NULL, NULL
         FROM found_booking f JOIN sentra.booking b ON b.id = f.id JOIN sentra.unit u ON u.id = b.unit_id
         JOIN sentra.sku k ON k.id = u.sku_id JOIN sentra.customer c ON c.id = b.customer_id
         ORDER BY f.exact DESC, f.place, c.folded_name, b.first_day)
        UNION ALL
        (SELECT 'invoice', CAST(i.id AS text), f.exact, coalesce(i.number, b.number, ''), u.id, u.plate, k.name,
               u.status, i.branch_id, '', b.id, b.number, b.state, b.first_day, b.last_day, {_LATE}, c.id, c.name,
               c.phone, i.state, i.total
         FROM found_invoice f JOIN sentra.invoice i ON i.id = f.id JOIN sentra.customer c ON c.id = i.customer_id
         LEFT JOIN LATERAL (
             SELECT l.booking_id FROM sentra.invoice_line l
             WHERE l.invoice_id = i.id AND l.booking_id IS NOT NULL ORDER BY l.line_no LIMIT 1) of_line ON true
         LEFT JOIN sentra.booking b ON b.id = of_line.booking_id
         LEFT JOIN sentra.unit u ON u.id = b.unit_id LEFT JOIN sentra.sku k ON k.id = u.sku_id
         WHERE i.state <> 'VOID'
         ORDER BY i.state = 'OPEN' DESC, i.created_at DESC LIMIT :limit)
        UNION ALL
        (SELECT 'customer', CAST(c.id AS text), f.exact, c.name, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL,
               NULL, NULL, false, c.id, c.name, c.phone, NULL, NULL
         FROM found_customer f JOIN sentra.customer c ON c.id = f.id
         ORDER BY f.place)""")


def _units(expression: str, name: str) -> str:
    """Units that begin so, by the index on this expression."""
    return f"""SELECT u.id, {expression} = :{name} AS exact FROM sentra.unit u
               WHERE {expression} >= :{name} AND {expression} < :{name}_end AND u.status <> 'RETIRED'
               ORDER BY {expression} LIMIT {MOST_UNITS}"""


def _customers(words: int, phones: bool) -> str:
    if not words and not phones:
        return "SELECT c.id, false AS exact, CAST(0 AS bigint) AS place FROM sentra.customer c WHERE false"
    conditions = [
        f"""c.id IN (SELECT w.customer_id FROM sentra.customer_word w
                     WHERE w.word >= :word{place} AND w.word < :word{place}_end)"""
        for place in range(words)
    ]
    if phones:
        ranges = " OR ".join(f"(c.phone >= :phone{n} AND c.phone < :phone{n}_end)" for n in range(2))
        conditions.append(f"({ranges})")
    exact = "c.phone = :phone0" if phones else "false"
    order = "(c.folded_name >= :whole AND c.folded_name < :whole_end) DESC, c.folded_name, c.phone"
    return f"""SELECT c.id, {exact} AS exact, row_number() OVER (ORDER BY {order}) AS place
               FROM sentra.customer c WHERE {" AND ".join(conditions)} ORDER BY place LIMIT :limit"""


def _hit_of(row: Row) -> SearchHit:
    days = None if row["first_day"] is None else Days(row["first_day"], row["last_day"])
    return SearchHit(
        kind=SearchKind(row["kind"]),
        id=row["id"],
        title=row["title"],
        is_exact=row["exact"],
        unit_id=row["unit_id"],
        plate=row["plate"] or "",
        sku_name=row["sku_name"] or "",
        unit_status=None if row["unit_status"] is None else UnitStatus(row["unit_status"]),
        branch_id=row["branch_id"],
        branch_name=row["branch_name"] or "",
        booking_id=None if row["booking_id"] is None else str(row["booking_id"]),
        number=row["number"] or "",
        state=None if row["state"] is None else BookingState(row["state"]),
        is_late=row["is_late"],
        days=days,
        customer_id=None if row["customer_id"] is None else str(row["customer_id"]),
        customer_name=row["customer_name"] or "",
        phone=row["phone"] or "",
        invoice_state=None if row["invoice_state"] is None else InvoiceState(row["invoice_state"]),
        total=None if row["total"] is None else rupiah(row["total"]),
    )
