"""Columns and rows: how PostgreSQL's values become the frozen rows of the ports, each conversion in this one place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from app.domain.booking import BookingState, Source
from app.domain.catalogue import Sku, Unit, UnitStatus
from app.domain.customer import Customer
from app.domain.days import Days, RentalPeriod, YearMonth
from app.domain.invoice import InvoiceKind, InvoiceLine, InvoiceState, LineKind, TenderKind, TenderRow
from app.domain.money import Rupiah
from app.domain.staff import Branch
from app.usecases.rows import BookingRow, FleetUnit, InvoiceRow, PaymentRow

Columns = Mapping[str, Any]
"""One row by column name, from the driver or out of a JSON aggregate (there days and moments are texts)."""

_ONE_DAY = dt.timedelta(days=1)

UNIT_COLUMNS = """
    u.id AS unit_id, u.slot, u.plate, u.colour, u.status AS unit_status, u.branch_id AS unit_branch_id,
    k.id AS sku, k.name AS sku_name, k.category, k.daily_rate, k.deposit, k.turnaround_days"""
"""Of `sentra.unit u JOIN sentra.sku k`."""

CUSTOMER_COLUMNS = "c.id AS customer_id, c.name AS customer_name, c.phone"

BOOKING_COLUMNS = f"""
    b.id AS booking_id, b.number, b.order_id, b.line_no, b.first_day, b.last_day, b.pickup_at, b.due_at, b.state,
    b.version, b.payment_deadline, b.source, b.note, {CUSTOMER_COLUMNS}, {UNIT_COLUMNS}"""
"""Of `sentra.booking b` with its customer c, unit u and the unit's SKU k."""

BRANCH_COLUMNS = """
    br.id AS branch_id, br.code AS branch_code, br.name AS branch_name, br.zone, br.has_ppn, br.prices_include_ppn,
    br.cash_rounding, br.opens_at, br.closes_at, br.counts_hours, br.tolerance_minutes"""


def closed_days(first: dt.date, past_last: dt.date) -> Days:
    """PostgreSQL gives `daterange` back as `[first, past_last)`; the product's days are closed on both ends."""
    return Days(first, past_last - _ONE_DAY)


def range_of(days: Days) -> dict[str, dt.date]:
    """Parameters for `daterange(:first_day, :last_day, '[]')`."""
    return {"first_day": days.first, "last_day": days.last}


def cut(days: Sequence[Days], windows: Sequence[Days]) -> tuple[Days, ...]:
    """The parts of `days` inside the `windows`, in order."""
    return tuple(
        Days(max(item.first, window.first), min(item.last, window.last))
        for item in days
        for window in windows
        if item.overlaps(window)
    )


def windows_of(months: Sequence[YearMonth]) -> tuple[Days, ...]:
    """The fewest stretches that cover exactly these months."""
    found: list[Days] = []
    for month in sorted(set(months)):
        if found and found[-1].last + _ONE_DAY == month.first_day:
            found[-1] = Days(found[-1].first, month.last_day)
        else:
            found.append(Days(month.first_day, month.last_day))
    return tuple(found)


def moment(value: Any) -> dt.datetime:
    """An aware UTC moment."""
    found = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(value)
    return found.astimezone(dt.UTC)


def moment_or_none(value: Any) -> dt.datetime | None:
    return None if value is None else moment(value)


def day(value: Any) -> dt.date:
    return value if isinstance(value, dt.date) else dt.date.fromisoformat(value)


def rupiah(value: Any) -> Rupiah:
    return Rupiah(int(value))


def sku_of(row: Columns) -> Sku:
    return Sku(
        code=row["sku"],
        name=row["sku_name"],
        category=row["category"],
        daily_rate=rupiah(row["daily_rate"]),
        deposit=rupiah(row["deposit"]),
        turnaround_days=row["turnaround_days"],
    )


def fleet_unit_of(row: Columns) -> FleetUnit:
    unit = Unit(
        id=row["unit_id"],
        sku=row["sku"],
        slot=row["slot"],
        plate=row["plate"],
        colour=row["colour"],
        status=UnitStatus(row["unit_status"]),
    )
    return FleetUnit(unit=unit, sku=sku_of(row), branch_id=row["unit_branch_id"])


def customer_of(row: Columns) -> Customer:
    return Customer(id=str(row["customer_id"]), name=row["customer_name"], phone=row["phone"])


def branch_of(row: Columns) -> Branch:
    return Branch(
        id=row["branch_id"],
        code=row["branch_code"],
        name=row["branch_name"],
        zone=ZoneInfo(row["zone"]),
        has_ppn=row["has_ppn"],
        prices_include_ppn=row["prices_include_ppn"],
        cash_rounding=row["cash_rounding"],
        opens_at=row["opens_at"],
        closes_at=row["closes_at"],
        counts_hours=row["counts_hours"],
        tolerance_minutes=row["tolerance_minutes"],
    )


def booking_of(row: Columns) -> BookingRow:
    return BookingRow(
        id=str(row["booking_id"]),
        number=row["number"],
        order_id=str(row["order_id"]),
        unit=fleet_unit_of(row),
        customer=customer_of(row),
        period=RentalPeriod(day(row["first_day"]), day(row["last_day"])),
        pickup_at=moment(row["pickup_at"]),
        due_at=moment(row["due_at"]),
        state=BookingState(row["state"]),
        version=row["version"],
        payment_deadline=moment_or_none(row["payment_deadline"]),
        source=Source(row["source"]),
        note=row["note"],
    )


def invoice_row_of(row: Columns) -> InvoiceRow:
    """A lock that has run out is no lock: its holder is not told."""
    return InvoiceRow(
        id=str(row["invoice_id"]),
        kind=InvoiceKind(row["kind"]),
        state=InvoiceState(row["invoice_state"]),
        number=row["invoice_number"],
        order_id=str(row["order_id"]),
        booking_id=str(row["booking_id"]),
        booking_number=row["booking_number"],
        booking_state=BookingState(row["booking_state"]),
        source=Source(row["source"]),
        customer_name=row["customer_name"],
        unit_plate=row["plate"],
        unit_count=row["unit_count"],
        total=rupiah(row["total"]),
        paid=rupiah(row["paid"]),
        due_at=moment_or_none(row["invoice_due_at"]),
        settled_at=moment_or_none(row["settled_at"]),
        locked_by=row["locked_by"],
        locked_by_name=row["locked_by_name"],
        locked_counter=row["locked_counter"],
        locked_at=moment_or_none(row["locked_at"]),
        lock_remaining_ms=row["lock_remaining_ms"],
        locked_by_me=row["locked_by_me"],
    )


def line_of(row: Columns) -> InvoiceLine:
    return InvoiceLine(
        kind=LineKind(row["kind"]),
        text=row["text"],
        quantity=row["quantity"],
        unit_price=rupiah(row["unit_price"]),
        amount=rupiah(row["amount"]),
        taxable=row["taxable"],
        booking_id=row["booking_id"],
    )


def payment_of(row: Columns) -> PaymentRow:
    return PaymentRow(
        id=row["payment_id"],
        attempt_id=row["attempt_id"],
        amount=rupiah(row["amount"]),
        change=rupiah(row["change"]),
        paid_at=moment(row["paid_at"]),
        cashier=row["cashier"],
        tenders=tuple(
            TenderRow(
                kind=TenderKind(tender["kind"]),
                amount=rupiah(tender["amount"]),
                received=rupiah(tender["received"]),
                reference=tender["reference"],
                bank=tender["bank"],
                last4=tender["last4"],
                approval_code=tender["approval_code"],
                sender=tender["sender"],
                paid_on=None if tender["paid_on"] is None else day(tender["paid_on"]),
                approval_id=tender["approval_id"],
            )
            for tender in row["tenders"]
        ),
    )
