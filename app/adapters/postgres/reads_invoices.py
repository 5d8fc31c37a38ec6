"""Reads of bookings, orders and invoices. Another branch's row is not there (row-level security)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlalchemy import text

from app.adapters.postgres.reads_connection import Ask
from app.adapters.postgres.reads_customers import is_uuid
from app.adapters.postgres.rows import (
    BOOKING_COLUMNS,
    booking_of,
    invoice_row_of,
    line_of,
    moment,
    moment_or_none,
    payment_of,
    rupiah,
)
from app.domain.booking import BookingState
from app.domain.invoice import InvoiceState
from app.usecases.rows import BookedOrder, BookedUnit, BookingRow, InvoiceDetail, InvoiceRow

_BOOKING = text(f"""
    SELECT {BOOKING_COLUMNS}
    FROM sentra.booking b
    JOIN sentra.customer c ON c.id = b.customer_id
    JOIN sentra.unit u ON u.id = b.unit_id
    JOIN sentra.sku k ON k.id = u.sku_id
    WHERE b.id = CAST(:booking_id AS uuid)""")

_ORDER = text("""
    SELECT b.id AS booking_id, b.number, b.unit_id, b.state, b.payment_deadline,
           i.id AS invoice_id, i.total, clock.now
    FROM sentra.booking b
    CROSS JOIN LATERAL (
        SELECT first.id, first.total FROM sentra.invoice first
        WHERE first.order_id = b.order_id AND first.kind IN ('RENTAL', 'DOWN_PAYMENT')
        ORDER BY first.created_at, first.id LIMIT 1) i
    CROSS JOIN (SELECT sentra.now() AS now OFFSET 0) clock
    WHERE b.order_id = CAST(:order_id AS uuid)
    ORDER BY b.line_no""")

# The bookings an invoice speaks of are those of its active lines; of a void one, those of its order.
# A lock that has run out counts as none: its holder is not told.
_INVOICE_COLUMNS = """
    i.id AS invoice_id, i.kind, i.state AS invoice_state, i.number AS invoice_number, i.order_id,
    shown.booking_id, shown.booking_number, shown.booking_state, shown.source, shown.plate, shown.unit_count,
    c.name AS customer_name, i.total, i.paid, i.settled_at,
    CASE WHEN i.kind = 'BALANCE' THEN shown.pickup_at
         WHEN i.kind IN ('FINE', 'POST_RENTAL') THEN i.created_at
         ELSE shown.payment_deadline END AS invoice_due_at,
    CASE WHEN lock.held THEN i.locked_by END AS locked_by,
    CASE WHEN lock.held THEN coalesce(s.name, i.locked_by) END AS locked_by_name,
    CASE WHEN lock.held THEN i.locked_counter END AS locked_counter,
    CASE WHEN lock.held THEN i.locked_at END AS locked_at,
    CASE WHEN lock.held THEN CAST(floor(extract(epoch FROM i.locked_until - clock.now) * 1000) AS bigint)
         ELSE 0 END AS lock_remaining_ms,
    (lock.held AND i.locked_by = session_user) AS locked_by_me"""
_INVOICE_TABLES = """
    sentra.invoice i
    CROSS JOIN (SELECT sentra.now() AS now OFFSET 0) clock
    CROSS JOIN LATERAL (SELECT coalesce(i.locked_until > clock.now, false) AS held) lock
    JOIN sentra.customer c ON c.id = i.customer_id
    LEFT JOIN sentra.staff s ON s.role_name = i.locked_by
    CROSS JOIN LATERAL (
        SELECT b.id AS booking_id, b.number AS booking_number, b.state AS booking_state, b.source, u.plate,
               greatest(count(*) FILTER (WHERE line.named) OVER (), 1) AS unit_count,
               min(b.pickup_at) OVER (PARTITION BY line.named) AS pickup_at,
               min(b.payment_deadline) OVER (PARTITION BY line.named) AS payment_deadline
        FROM sentra.booking b
        JOIN sentra.unit u ON u.id = b.unit_id
        CROSS JOIN LATERAL (SELECT EXISTS (
            SELECT FROM sentra.invoice_line il
            WHERE il.invoice_id = i.id AND il.booking_id = b.id AND il.active) AS named) line
        WHERE b.order_id = i.order_id
        ORDER BY line.named DESC, b.line_no
        LIMIT 1) shown"""

_INVOICES = text(f"""
    SELECT {_INVOICE_COLUMNS}
    FROM {_INVOICE_TABLES}
    WHERE i.branch_id = :branch_id AND i.state = ANY(CAST(:states AS text[]))
      AND (CAST(:settled_since AS timestamptz) IS NULL OR i.settled_at >= CAST(:settled_since AS timestamptz))
    ORDER BY invoice_due_at NULLS LAST, shown.booking_number""")

_INVOICE = text(f"""
    SELECT {_INVOICE_COLUMNS}, i.base, i.dpp, i.ppn, clock.now,
        (SELECT coalesce(json_agg(line ORDER BY line.line_no), '[]') FROM (
            SELECT il.line_no, il.kind, il.text, il.quantity, il.unit_price, il.amount, il.taxable, il.booking_id
            FROM sentra.invoice_line il
            WHERE il.invoice_id = i.id AND (il.active OR i.state = 'VOID')) line) AS lines,
        (SELECT coalesce(json_agg(booked ORDER BY booked.line_no), '[]') FROM (
            SELECT {BOOKING_COLUMNS}
            FROM sentra.booking b
            JOIN sentra.customer c ON c.id = b.customer_id
            JOIN sentra.unit u ON u.id = b.unit_id
            JOIN sentra.sku k ON k.id = u.sku_id
            WHERE b.order_id = i.order_id AND (i.state = 'VOID' OR EXISTS (
                SELECT FROM sentra.invoice_line named
                WHERE named.invoice_id = i.id AND named.booking_id = b.id AND named.active))) booked) AS bookings,
        (SELECT coalesce(json_agg(made ORDER BY made.paid_at, made.payment_id), '[]') FROM (
            SELECT p.id AS payment_id, p.attempt_id, p.amount, p.change, p.paid_at,
                   coalesce(teller.name, p.cashier) AS cashier,
                   (SELECT coalesce(json_agg(part ORDER BY part.line_no), '[]') FROM (
                        SELECT t.line_no, t.kind, t.amount, t.received, t.reference, t.bank, t.last4,
                               t.approval_code, t.sender, t.paid_on, t.approval_id
                        FROM sentra.tender t WHERE t.payment_id = p.id) part) AS tenders
            FROM sentra.payment p
            LEFT JOIN sentra.staff teller ON teller.role_name = p.cashier
            WHERE p.invoice_id = i.id) made) AS payments
    FROM {_INVOICE_TABLES}
    WHERE i.id = CAST(:invoice_id AS uuid)""")


def booking(ask: Ask, booking_id: str) -> BookingRow | None:
    row = ask.row(_BOOKING, booking_id=booking_id) if is_uuid(booking_id) else None
    return None if row is None else booking_of(row)


def order(ask: Ask, order_id: str) -> BookedOrder | None:
    """What was booked under this id, marked as a repeat; projections are empty."""
    rows = ask.rows(_ORDER, order_id=order_id) if is_uuid(order_id) else ()
    if not rows:
        return None
    return BookedOrder(
        order_id=order_id,
        bookings=tuple(
            BookedUnit(
                id=str(row["booking_id"]),
                number=row["number"],
                unit_id=row["unit_id"],
                state=BookingState(row["state"]),
                payment_deadline=moment_or_none(row["payment_deadline"]),
            )
            for row in rows
        ),
        invoice_id=str(rows[0]["invoice_id"]),
        total=rupiah(rows[0]["total"]),
        repeat=True,
        projections=(),
        now=moment(rows[0]["now"]),
    )


def invoices(
    ask: Ask, branch_id: str, states: Sequence[InvoiceState], settled_since: dt.datetime | None
) -> tuple[InvoiceRow, ...]:
    """A branch's invoices in these states, the earliest due first; with a moment, only those settled since then."""
    named = [state.value for state in states]
    rows = ask.rows(_INVOICES, branch_id=branch_id, states=named, settled_since=settled_since)
    return tuple(map(invoice_row_of, rows))


def invoice(ask: Ask, invoice_id: str) -> InvoiceDetail | None:
    """One invoice with everything a screen or a document shows, in one snapshot."""
    row = ask.row(_INVOICE, invoice_id=invoice_id) if is_uuid(invoice_id) else None
    if row is None:
        return None
    return InvoiceDetail(
        row=invoice_row_of(row),
        lines=tuple(map(line_of, row["lines"])),
        base=rupiah(row["base"]),
        dpp=rupiah(row["dpp"]),
        ppn=rupiah(row["ppn"]),
        bookings=tuple(map(booking_of, row["bookings"])),
        payments=tuple(map(payment_of, row["payments"])),
        settled_at=moment_or_none(row["settled_at"]),
        now=moment(row["now"]),
    )
