"""What a rental costs: rent by days, deposit, and the invoice's one PPN."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.catalogue import Sku
from app.domain.days import RentalPeriod
from app.domain.invoice import InvoiceLine, LineKind
from app.domain.money import Ppn, Rupiah, ppn_inside, ppn_on_top, ppn_rate
from app.domain.staff import Branch


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLine:
    """One unit of an order: the SKU's rates as they are frozen on the booking."""

    booking_id: str
    sku: Sku
    period: RentalPeriod


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """`total` is due now. `ppn` is inside it (or on top, by the branch), None where the branch is no PKP."""

    lines: tuple[InvoiceLine, ...]
    rent: Rupiah
    deposit: Rupiah
    ppn: Ppn | None
    total: Rupiah


def rental_days(period: RentalPeriod) -> int:
    """Day counting `calendar`: each touched date, as the bits (a same-day rental is 1 day, case C-42)."""
    return period.count


def quote(branch: Branch, order: Sequence[QuoteLine], on: dt.date) -> Quote:
    """Price an order on a day. Whole Rupiah; PPN once over all taxable lines, never per line (case C-74)."""
    lines: list[InvoiceLine] = []
    for item in order:
        days = rental_days(item.period)
        lines.append(
            InvoiceLine(
                kind=LineKind.RENT,
                text=item.sku.name,
                quantity=days,
                unit_price=item.sku.daily_rate,
                amount=Rupiah(days * item.sku.daily_rate),
                taxable=True,
                booking_id=item.booking_id,
            )
        )
    rent = Rupiah(sum(line.amount for line in lines))
    for item in order:
        if item.sku.deposit:
            lines.append(
                InvoiceLine(
                    kind=LineKind.DEPOSIT,
                    text=item.sku.name,
                    quantity=1,
                    unit_price=item.sku.deposit,
                    amount=item.sku.deposit,
                    taxable=False,
                    booking_id=item.booking_id,
                )
            )
    deposit = Rupiah(sum(line.amount for line in lines if line.kind is LineKind.DEPOSIT))
    ppn = _ppn(branch, rent, on)
    on_top = Rupiah(0)
    if ppn is not None and not branch.prices_include_ppn:
        on_top = ppn.tax
        lines.append(
            InvoiceLine(kind=LineKind.PPN, text="PPN", quantity=1, unit_price=on_top, amount=on_top, taxable=False)
        )
    return Quote(lines=tuple(lines), rent=rent, deposit=deposit, ppn=ppn, total=Rupiah(rent + on_top + deposit))


def _ppn(branch: Branch, taxable: Rupiah, on: dt.date) -> Ppn | None:
    if not branch.has_ppn:
        return None
    rate = ppn_rate(on)
    return ppn_inside(taxable, rate) if branch.prices_include_ppn else ppn_on_top(taxable, rate)
